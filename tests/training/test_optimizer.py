"""Muon and AdamW step together, each on its own weights, and a checkpoint holds both."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
import torch
from torch.optim.lr_scheduler import LambdaLR
from transformers import BertConfig

from bertviz_lite.training.muon import Muon, orthogonal, shared_orthogonal
from bertviz_lite.training.pretraining.model import PretrainingModel
from bertviz_lite.training.pretraining.optimizer import matrices, muon_and_adamw
from bertviz_lite.training.pretraining.recipe import Recipe
from tests.helpers.children import work_together

PROCESSES = 3
RECIPE = Recipe(learning_rate=1e-3, matrix_learning_rate=1e-2)
CONFIG = BertConfig(
    vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
)


def tiny() -> PretrainingModel:
    torch.manual_seed(0)
    model = PretrainingModel(CONFIG)
    for weight in model.parameters():
        weight.grad = torch.randn_like(weight)
    return model


def weights(model: PretrainingModel) -> list[torch.Tensor]:
    return [weight.detach().clone() for weight in model.parameters()]


def test_matrices_are_those_that_map_hidden_states() -> None:
    names = {name.rsplit(".", 2)[-2] for name, _ in matrices(tiny())}
    assert names == {"query", "key", "value", "dense"}
    # query, key, value, two of the output and one of the middle; pooler; the transform of the LM head
    assert len(matrices(tiny())) == 6 + 1 + 1


def test_each_weight_moves_as_its_own_optimizer_moves_it_alone() -> None:
    together, alone = tiny(), tiny()
    chosen = dict(matrices(alone))
    muon = Muon(list(chosen.values()), lr=1e-2, weight_decay=0.01)
    others = [(name, weight) for name, weight in alone.named_parameters() if name not in chosen]
    plain = {"params": [weight for _, weight in others if weight.ndim < 2], "weight_decay": 0.0}
    tables = {"params": [weight for _, weight in others if weight.ndim > 1], "weight_decay": 0.01}
    adamw = torch.optim.AdamW([tables, plain], lr=1e-3, betas=(0.9, 0.98))
    muon_and_adamw(together, RECIPE).step()
    muon.step()
    adamw.step()
    for mine, other in zip(weights(together), weights(alone), strict=True):
        assert torch.equal(mine, other)


def test_a_schedule_reaches_both_and_a_checkpoint_keeps_both() -> None:
    model = tiny()
    optimizer = muon_and_adamw(model, RECIPE)
    schedule = LambdaLR(optimizer, lambda step: 1 / (1 + step))
    assert [group["lr"] for group in optimizer.param_groups] == [1e-2, 1e-3, 1e-3]
    optimizer.step()
    schedule.step()
    rates = [[group["lr"] for group in one.param_groups] for one in optimizer.optimizers]
    assert rates == [[5e-3], [5e-4, 5e-4]]

    other = copy.deepcopy(model)
    for weight, source in zip(other.parameters(), model.parameters(), strict=True):
        weight.grad = None if source.grad is None else source.grad.clone()
    resumed = muon_and_adamw(other, RECIPE)
    resumed.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    optimizer.step()
    resumed.step()
    for mine, theirs in zip(weights(model), weights(other), strict=True):
        assert torch.equal(mine, theirs)


@pytest.mark.parametrize("shape", [(48, 48), (48, 160), (160, 48)])
def test_singular_values_come_near_one_and_the_directions_stay(shape: tuple[int, int]) -> None:
    matrix = torch.randn(shape, generator=torch.Generator().manual_seed(0))
    left, _, right = torch.linalg.svd(matrix, full_matrices=False)
    turned = left.mT @ orthogonal(matrix[None])[0] @ right.mT
    assert turned.diagonal().min() > 0.6
    assert turned.diagonal().max() < 1.3
    assert (turned - turned.diagonal().diag()).abs().max() < 1e-4


@pytest.mark.skipif(not hasattr(torch.optim, "Muon"), reason="torch has Muon from 2.9 on")
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_three_steps_are_those_of_torchs_muon(dtype: torch.dtype) -> None:
    source = torch.Generator().manual_seed(0)
    start = [torch.randn(shape, generator=source) for shape in ((24, 24), (24, 64), (64, 24), (24, 24))]
    mine, theirs = ([weight.clone().requires_grad_() for weight in start] for _ in range(2))
    ours = Muon(mine, lr=0.01, weight_decay=0.1, dtype=dtype)
    torchs = torch.optim.Muon(theirs, lr=0.01, weight_decay=0.1)
    for _ in range(3):
        for weight, other in zip(mine, theirs, strict=True):
            weight.grad = torch.randn(weight.shape, generator=source)
            other.grad = weight.grad.clone()
        ours.step()
        torchs.step()
    # torch's updates have eight bits: of three that are about 0.01 √(1 / 24) each, a part in a hundred or so.
    error = 0.0 if dtype == torch.bfloat16 else 3 * 0.01 * 0.03
    for weight, other in zip(mine, theirs, strict=True):
        assert (weight - other).abs().max() <= error + 1e-7


def test_a_weight_without_a_gradient_stays_as_it_is() -> None:
    weight = torch.ones(2, 2, requires_grad=True)
    Muon([weight], lr=0.1, weight_decay=0.5).step()
    assert torch.equal(weight.detach(), torch.ones(2, 2))


def share_the_work(_: int) -> None:
    for count in (1, PROCESSES, 2 * PROCESSES + 1):
        torch.manual_seed(count)
        given = torch.randn(count, 6, 4)
        for dtype in (torch.float32, torch.bfloat16):
            assert torch.equal(shared_orthogonal(given, dtype), orthogonal(given, dtype))


@pytest.mark.thorough
def test_processes_that_share_the_work_get_what_each_alone_would_make(tmp_path: Path) -> None:
    work_together(share_the_work, PROCESSES, tmp_path)
