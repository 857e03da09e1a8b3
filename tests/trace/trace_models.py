"""Models for the tests of trace: each small, many with sizes that coincide on purpose."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
import transformers as library
from torch import Tensor, nn

from tests.helpers.tiny_families import family
from tests.helpers.tiny_models import make

if TYPE_CHECKING:
    from bertviz_lite import Trace

IDS = torch.tensor([[2, 9, 10, 11, 12, 3, 0], [2, 13, 14, 3, 0, 0, 0]])
MASK = (IDS != 0).long()
INPUTS = {"input_ids": IDS, "attention_mask": MASK, "token_type_ids": torch.zeros_like(IDS)}

# As many heads as a head is wide, inner layers as wide as the outer ones, and sequences as long.
COINCIDING = {
    "num_hidden_layers": 1,
    "num_attention_heads": 4,
    "hidden_size": 16,
    "intermediate_size": 16,
    "max_position_embeddings": 16,
}
LONG = torch.tensor([[2, *range(5, 18), 3, 0], [2, *range(20, 30), 3, 0, 0, 0, 0]])
SQUARE = {"input_ids": LONG, "attention_mask": (LONG != 0).long(), "token_type_ids": torch.zeros_like(LONG)}

Case = tuple[nn.Module, tuple[Any, ...], dict[str, Any]]


def _choices(inputs: dict[str, Tensor], count: int) -> dict[str, Tensor]:
    return {name: tensor[:, None].expand(-1, count, -1).contiguous() for name, tensor in inputs.items()}


def _bert(name: str, inputs: dict[str, Tensor] = INPUTS, **changes: object) -> Callable[[], Case]:
    def made() -> Case:
        return make(getattr(library, name), **{"num_hidden_layers": 1, **changes}).eval(), (), inputs

    return made


def _family(name: str, layers: str, count: int = 1, **more: Any) -> Callable[[], Case]:  # noqa: ANN401
    def made() -> Case:
        return family(name, **{layers: count})[0], (), {"input_ids": IDS, "attention_mask": MASK, **more}

    return made


class Shared(nn.Module):
    """One layer under two names, called three times."""

    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Linear(4, 4)
        self.down = self.up

    def forward(self, x: Tensor) -> Tensor:
        return self.down(self.up(self.up(x)))


class Gathering(nn.Module):
    """Takes and returns lists, tuples and dicts."""

    def __init__(self) -> None:
        super().__init__()
        self.parts = nn.ModuleList([nn.Linear(4, 3), nn.Linear(4, 5)])

    def forward(self, pair: tuple[Tensor, list[Tensor]], by_name: dict[str, Tensor]) -> dict[str, Any]:
        first, others = pair
        made = [part(tensor) for part, tensor in zip(self.parts, (first, *others), strict=True)]
        return {"parts": tuple(made), "joined": torch.cat([*made, by_name["more"]], dim=-1)}


def _seeded(made: Callable[[], nn.Module]) -> nn.Module:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return made()


def _numbers(*shape: int) -> Tensor:
    return torch.linspace(-1, 1, torch.Size(shape).numel()).reshape(shape)


def _cnn() -> Case:
    def layers() -> nn.Module:
        inner = (nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
        return nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), *inner, nn.Linear(8 * 4 * 4, 10))

    return _seeded(layers), (_numbers(2, 3, 8, 8),), {}


def _transformer() -> Case:
    model = _seeded(lambda: nn.Transformer(16, 4, 1, 1, 24, batch_first=True))
    return model.eval(), (_numbers(2, 5, 16), _numbers(2, 6, 16)), {}


CASES: dict[str, Callable[[], Case]] = {
    "BertForPreTraining": _bert("BertForPreTraining"),
    "BertModel": _bert("BertModel", SQUARE, **COINCIDING),
    "BertForMaskedLM": _bert("BertForMaskedLM", {**INPUTS, "labels": IDS.where(IDS == 9, -100)}),
    "BertForNextSentencePrediction": _bert("BertForNextSentencePrediction"),
    "BertForSequenceClassification": _bert("BertForSequenceClassification", SQUARE, **COINCIDING),
    "BertForMultipleChoice": _bert("BertForMultipleChoice", _choices(INPUTS, 2)),
    "BertForTokenClassification": _bert("BertForTokenClassification", num_labels=16, **COINCIDING),
    "BertForQuestionAnswering": _bert("BertForQuestionAnswering"),
    "BertLMHeadModel": _bert("BertLMHeadModel", is_decoder=True),
    "DistilBertForMaskedLM": _family("distilbert", "n_layers"),
    "RobertaForMaskedLM": _family("roberta", "num_hidden_layers"),
    "AlbertForMaskedLM": _family("albert", "num_hidden_layers", 2),
    "ElectraForMaskedLM": _family("electra", "num_hidden_layers"),
    "GPT2LMHeadModel": _family("gpt2", "n_layer"),
    "T5ForConditionalGeneration": _family("t5", "num_layers", 1, decoder_input_ids=IDS[:, :5]),
    "nn.Transformer": _transformer,
    "CNN": _cnn,
    "Shared": lambda: (_seeded(Shared), (_numbers(2, 4),), {}),
    "Gathering": lambda: (
        _seeded(Gathering),
        ((_numbers(2, 4), [_numbers(2, 4)]),),
        {"by_name": {"more": _numbers(2, 3)}},
    ),
}


def golden(seen: Trace) -> str:
    """Write a trace as text: a line a step, with what comes out of it, and the weights of modules."""
    lines = [f"{seen.model_name}({', '.join(f'{value.label} {value}' for value in seen.inputs)})"]
    for step in seen:
        name = step.name
        if step.kind == "module":
            name = f"{step.path.rsplit('.', 1)[-1] or 'model'}: {name}"
        made = " ".join(map(str, step.outputs))
        weights = " ".join(map(str, step.weights)) if step.kind == "module" else ""
        lines.append(f"{'  ' * step.depth}{name} -> {made}{weights and f' | weights {weights}'}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    from bertviz_lite import trace

    for title, case in CASES.items():
        module, given, named = case()
        text = golden(trace(module, *given, **named))
        (Path(__file__).parent / "golden" / f"{title}.txt").write_text(text, encoding="utf-8", newline="\n")
