"""The formulas of costs against what torch counts: parameters, operations, and what backward needs."""

from __future__ import annotations

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode
from transformers import AlbertConfig, BertConfig, BertForPreTraining, BertModel

from bertviz_lite import load
from bertviz_lite.evaluation.costs import memory, operations, parameters

CONFIGS = {
    "pocket": BertConfig(
        vocab_size=3750, hidden_size=192, num_hidden_layers=4, num_attention_heads=6,
        intermediate_size=640, max_position_embeddings=128,
    ),
    "Base": BertConfig(),
    "Large": BertConfig(
        hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096
    ),
    "odd": BertConfig(
        vocab_size=37, hidden_size=24, num_hidden_layers=3, num_attention_heads=3, intermediate_size=40,
        max_position_embeddings=19, type_vocab_size=3, hidden_dropout_prob=0.0,
    ),
}  # fmt: skip


def empty(name: str, *, heads: bool = True) -> torch.nn.Module:
    """Return a model without weights: shapes are all that is counted."""
    with torch.device("meta"):
        model: torch.nn.Module = (BertForPreTraining if heads else BertModel)(CONFIGS[name])
    return model


@pytest.mark.parametrize("name", CONFIGS)
def test_parameters_are_those_of_numel(name: str) -> None:
    counted = parameters(CONFIGS[name])
    model = empty(name)
    assert counted.total == sum(each.numel() for each in model.parameters())
    parts = {
        "embeddings": model.bert.embeddings,
        "encoder": model.bert.encoder,
        "pooler": model.bert.pooler,
        "next-sentence head": model.cls.seq_relationship,
    }
    for part, module in parts.items():
        assert counted[part] == sum(each.numel() for each in module.parameters()), part
    plain = empty(name, heads=False)
    assert parameters(CONFIGS[name], heads=False).total == sum(each.numel() for each in plain.parameters())


def test_parameters_of_the_released_sizes() -> None:
    assert parameters(CONFIGS["Base"], heads=False).total == 109_482_240
    assert parameters(CONFIGS["Base"]).total == 110_106_428
    assert parameters(CONFIGS["Large"], heads=False).total == 335_141_888
    assert parameters(CONFIGS["Large"]).total == 336_226_108
    _, model = load("pocket")
    assert parameters(model.config).total == model.num_parameters() == 2_406_312
    assert parameters(CONFIGS["pocket"]).total == 2_406_312


@pytest.mark.parametrize("name", CONFIGS)
def test_operations_are_those_that_torch_counts(name: str) -> None:
    batch_size, seq_len = 2, 17
    tokens = batch_size * seq_len
    model = empty(name)
    model.config._attn_implementation = "eager"  # torch's counter sees its products one by one
    input_ids = torch.zeros((batch_size, seq_len), dtype=torch.long, device="meta")
    with FlopCounterMode(display=False) as counter:
        output = model(input_ids)
        counted = operations(CONFIGS[name], seq_len)
        assert round(counted.total * tokens) == counter.get_total_flops()
        inside = sum(counted[part] for part in counted if part.startswith(("attention", "feed")))
        encoder = counter.get_flop_counts()["BertForPreTraining.bert.encoder"]
        assert round(inside * tokens) == sum(encoder.values())
        (output.prediction_logits.sum() + output.seq_relationship_logits.sum()).backward()
    both = operations(CONFIGS[name], seq_len, training=True)
    assert round(both.total * tokens) == counter.get_total_flops()


def test_a_head_at_some_tokens_costs_that_share() -> None:
    config = CONFIGS["Base"]
    every, some = operations(config, 128), operations(config, 128, predicted=0.15)
    assert some["language-model head"] == pytest.approx(0.15 * every["language-model head"])
    assert {k: v for k, v in some.items() if k != "language-model head"} == {
        k: v for k, v in every.items() if k != "language-model head"
    }


def kept_bytes(config: BertConfig, batch_size: int, seq_len: int) -> int:
    """Return the bytes of all floating-point numbers that the backward pass will need, each storage once."""
    model = BertForPreTraining(config).train()
    own = {each.untyped_storage().data_ptr() for each in [*model.parameters(), *model.buffers()]}
    kept: dict[int, torch.UntypedStorage] = {}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        # One number each: the losses' own, of no size that depends on the model.
        if tensor.is_floating_point() and tensor.ndim > 1 and storage.data_ptr() not in own:
            kept[storage.data_ptr()] = storage
        return tensor

    input_ids = torch.randint(config.vocab_size, (batch_size, seq_len))
    labels = torch.zeros(batch_size, dtype=torch.long)
    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        output = model(input_ids, labels=input_ids, next_sentence_label=labels)
    assert output.loss.requires_grad
    next_sentence = output.seq_relationship_logits.untyped_storage().nbytes()
    return sum(storage.nbytes() for storage in kept.values()) - next_sentence


@pytest.mark.parametrize(("dropout", "of_weights"), [(0.1, 0.1), (0.0, 0.1), (0.1, 0.0), (0.0, 0.0)])
@pytest.mark.parametrize("name", ["pocket", "odd"])
def test_activations_are_what_the_backward_pass_keeps(name: str, dropout: float, of_weights: float) -> None:
    changes = {"hidden_dropout_prob": dropout, "attention_probs_dropout_prob": of_weights}
    config = BertConfig(**{**CONFIGS[name].to_dict(), **changes}, attn_implementation="eager")
    assert memory(config, 3, 11)["activations"] == kept_bytes(config, 3, 11)


def test_a_layer_keeps_what_its_source_says() -> None:
    """Korthikanti et al. (2022): s·b·h (34 + 5·a·s/h) bytes a layer, where a number takes 2 bytes."""
    batch_size, seq_len, sizes = 5, 64, CONFIGS["Base"].to_dict()
    one, two = (
        memory(BertConfig(**{**sizes, "num_hidden_layers": n}), batch_size, seq_len, mask_bytes=2)
        for n in (1, 2)
    )
    tokens = batch_size * seq_len
    of_four_bytes = two["activations"] - one["activations"] - tokens * 4 * 4  # LayerNorm's four numbers
    assert of_four_bytes / 2 == tokens * 768 * (34 + 5 * 12 * seq_len / 768)


def test_weights_gradients_and_optimizer() -> None:
    model = BertForPreTraining(CONFIGS["odd"])
    optimizer = torch.optim.AdamW(model.parameters())
    model(torch.zeros((2, 5), dtype=torch.long)).prediction_logits.sum().backward()
    for each in model.parameters():  # the next-sentence head is not in this sum
        each.grad = torch.zeros_like(each) if each.grad is None else each.grad
    optimizer.step()
    needed = memory(CONFIGS["odd"], 2, 5)
    assert needed["weights"] == sum(each.nbytes for each in model.parameters())
    assert needed["gradients"] == sum(
        each.grad.nbytes for each in model.parameters() if each.grad is not None
    )
    means = [value for state in optimizer.state.values() for name, value in state.items() if name != "step"]
    assert needed["optimizer"] == sum(mean.nbytes for mean in means)
    assert memory(CONFIGS["odd"], 2, 5, training=False) == {"weights": needed["weights"]}
    assert needed.total == 4 * needed["weights"] + needed["activations"]


def test_what_no_formula_holds_for_is_refused_in_one_line() -> None:
    config = CONFIGS["odd"]
    with pytest.raises(TypeError, match=r"^config is a BertModel: give its config, model\.config\.$"):
        parameters(empty("odd", heads=False))
    with pytest.raises(TypeError, match=r"^config is a dict without vocab_size: give a BertConfig\.$"):
        parameters({})
    with pytest.raises(ValueError, match=r"^model_type='albert': these formulas are those of BERT's encoder"):
        operations(AlbertConfig(), 16)
    with pytest.raises(ValueError, match=r"^seq_len=0: a whole number, 1 or more, is needed\.$"):
        operations(config, 0)
    with pytest.raises(ValueError, match=r"^predicted=15: a share from 0 to 1 is needed\.$"):
        operations(config, 16, predicted=15)
    with pytest.raises(ValueError, match=r"^batch_size=1\.5: a whole number, 1 or more, is needed\.$"):
        memory(config, 1.5, 16)  # type: ignore[arg-type]
