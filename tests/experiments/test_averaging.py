"""The mean of two models' weights: by hand, as files, and refused where the models differ in shape."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from transformers import AutoTokenizer, BertConfig, BertForPreTraining

from bertviz_lite.models import POCKET
from bertviz_lite.training.pretraining.vocabulary import save_tokenizer
from experiments.packed_pretraining.averaging import averaged, main, raise_continues


def small_model(hidden_size: int = 8) -> BertForPreTraining:
    """Return a model with random weights."""
    sizes = {"hidden_size": hidden_size, "num_attention_heads": 2, "intermediate_size": 8}
    return BertForPreTraining(BertConfig(vocab_size=3_750, num_hidden_layers=1, **sizes)).eval()


def test_the_mean_lies_between_both_models_in_every_weight() -> None:
    start, trained = small_model(), small_model()
    before = {name: value.detach().clone() for name, value in trained.named_parameters()}
    for name, value in averaged(start, trained, 0.75).named_parameters():
        torch.testing.assert_close(value, 0.25 * dict(start.named_parameters())[name] + 0.75 * before[name])


def test_models_of_other_shapes_have_no_mean() -> None:
    with pytest.raises(ValueError, match="of the same names and shapes"):
        averaged(small_model(), small_model(16), 0.5)


def test_raising_continues_moves_every_pairs_odds_by_so_much() -> None:
    model = small_model()
    ids = torch.tensor([[2, 30, 3], [2, 40, 3]])
    with torch.no_grad():
        before = model(ids).seq_relationship_logits
        raise_continues(model, 2.0)
        after = model(ids).seq_relationship_logits
    torch.testing.assert_close(after - before, torch.tensor([[1.0, -1.0]] * 2))


def test_the_command_writes_a_model_that_loads_with_the_vocabulary_of_the_start(tmp_path: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(POCKET)
    for name in ("start", "trained"):
        small_model().save_pretrained(tmp_path / name)
        save_tokenizer(tokenizer, tmp_path / name)
    folders = [str(tmp_path / name) for name in ("trained", "start", "mean")]
    main([folders[0], "--start", folders[1], "--output", folders[2], "--share", "0.25", "--nsp-shift", "2"])
    trained, start, mean = (BertForPreTraining.from_pretrained(folder) for folder in folders)
    expected = averaged(start, trained, 0.25)
    raise_continues(expected, 2.0)
    for name, value in mean.named_parameters():
        assert torch.equal(value, dict(expected.named_parameters())[name].half().float()), name
    assert AutoTokenizer.from_pretrained(folders[2]).get_vocab() == tokenizer.get_vocab()
