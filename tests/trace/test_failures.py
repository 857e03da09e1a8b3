"""A pass that fails is explained in one sentence, and a wrong call is refused in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import transformers as library
from torch import Tensor, nn

from bertviz_lite import TraceError, trace
from tests.helpers.tiny_families import family
from tests.helpers.tiny_models import make
from tests.trace.trace_models import IDS, INPUTS, MASK
from tests.trace.untraced import run, step_of


class Two(nn.Module):
    """Two layers that do not fit."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(5, 3)
        self.second = nn.Linear(4, 2)

    def forward(self, x: Tensor) -> Tensor:
        return self.second(self.first(x))


class Product(nn.Module):
    """One product."""

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        return a @ b


class Sum(nn.Module):
    """One sum."""

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        return a + b


class Joined(nn.Module):
    """One joint."""

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        return torch.cat([a, b], 1)


class Shaped(nn.Module):
    """One view."""

    def forward(self, a: Tensor) -> Tensor:
        return a.view(3, 5)


def bert(**inputs: object) -> tuple[nn.Module, tuple[Any, ...], dict[str, Any]]:
    return make(library.BertModel).eval(), (), inputs


LONG = IDS.repeat(1, 6)


FAILURES: dict[str, tuple[Callable[[], tuple[nn.Module, tuple[Any, ...], dict[str, Any]]], str]] = {
    "positions": (lambda: bert(input_ids=LONG), "seq_len is 42, the position table has 32 rows: embeddings"),
    "positions, types given": (
        lambda: bert(input_ids=LONG, token_type_ids=torch.zeros_like(LONG)),
        "seq_len is 42, the position table has 32 rows: embeddings",
    ),
    "positions of GPT-2": (
        lambda: (family("gpt2")[0], (), {"input_ids": IDS.repeat(1, 20)}),
        "seq_len is 140, the position table has 64 rows: transformer.wpe",
    ),
    "vocabulary": (
        lambda: bert(input_ids=IDS + 45),
        "input_ids holds 59, the table has 51 rows (vocab_size), 0 to 50: embeddings.word_embeddings",
    ),
    "types": (
        lambda: bert(input_ids=IDS, token_type_ids=torch.full_like(IDS, 2)),
        "token_type_ids holds 2, the table has 2 rows (type_vocab_size), 0 to 1",
    ),
    "labels": (
        lambda: (make(library.BertForMaskedLM), (), {"input_ids": IDS, "labels": IDS + 60}),
        "labels holds 74, there are 51 classes (vocab_size), 0 to 50",
    ),
    "linear": (
        lambda: (Two(), (torch.zeros(2, 5),), {}),
        (
            "out_features is 3 in first.weight [out_features=3, in_features=5], but in_features is 4 in "
            "second.weight [out_features=2, in_features=4]; the last axis of what goes in must be the last "
            "axis of the weight: second, test_failures.py:"
        ),
    ),
    "width": (
        lambda: (make(library.BertModel).eval().encoder.layer[0], (torch.zeros(2, 7, 24),), {}),
        "hidden_states [batch=2, seq_len=7, 24] has 24, but hidden_size is 16 in attention.self.query.weight",
    ),
    "matmul": (
        lambda: (Product(), (torch.zeros(2, 5), torch.zeros(4, 3)), {}),
        "a [batch=2, 5] has 5, but b [4, 3] has 4; the last axis of the first must be the last but one",
    ),
    "sum": (
        lambda: (Sum(), (torch.zeros(2, 5), torch.zeros(4)), {}),
        "a [batch=2, 5] has 5, but b [4] has 4; axes are matched from the last",
    ),
    "join": (
        lambda: (Joined(), (torch.zeros(2, 5), torch.zeros(3, 5)), {}),
        "batch is 2 in a [batch=2, 5], but b [3, 5] has 3; cat needs all axes alike",
    ),
    "view": (
        lambda: (Shaped(), (torch.zeros(2, 5),), {}),
        "a [batch=2, 5] holds 10 numbers, which do not fill the shape [3, 5]",
    ),
    "mask": (
        lambda: bert(input_ids=IDS, attention_mask=MASK[:, :5]),
        "seq_len is 7 in input_ids [batch=2, seq_len=7], but attention_mask [batch=2, 5] has 5",
    ),
    "missing": (lambda: (Two(), (), {}), "Two is called without x: Two"),
    "nothing": (bert, "its own words"),
    "dtype of ids": (lambda: bert(input_ids=IDS.float()), "input_ids is float32, but ids are whole numbers"),
    "dtype": (
        lambda: (Two().double(), (torch.zeros(2, 5),), {}),
        "x is float32, but first.weight is float64; linear needs one dtype",
    ),
    "no tensor": (lambda: bert(input_ids=[[1, 2]]), "its own words"),
}  # fmt: skip


@pytest.mark.parametrize("case", FAILURES)
def test_a_failure_is_explained_in_one_sentence(case: str) -> None:
    made, sentence = FAILURES[case]
    model, args, inputs = made()
    with pytest.raises(Exception) as raised:  # noqa: PT011 - each case raises its own
        run(model, args, inputs)
    seen = trace(model, *args, **inputs)
    assert seen.failure is not None
    # Where no rule has a sentence, the library's own words are shown; they are not those of every release.
    assert seen.failure.message.startswith(str(raised.value) if sentence == "its own words" else sentence)
    assert "\n" not in seen.failure.message
    assert seen.failure.error.startswith(type(raised.value).__name__)
    assert seen.outputs == ()
    step = seen.steps[seen.failure.step]
    assert step.outputs == ()
    assert all(other.outputs == () for other in seen.steps if other.index < step.index <= other.last)
    if case not in ("missing", "nothing", "no tensor"):  # the last: only in some releases
        assert seen.failure.source is not None
        assert seen.failure.source.text


def test_a_failing_trace_keeps_the_steps_before_with_their_names() -> None:
    seen = trace(make(library.BertModel).eval(), input_ids=IDS, attention_mask=MASK[:, :5])
    assert (
        str(step_of(seen, "embeddings", "BertEmbeddings").outputs[0])
        == "[batch=2, seq_len=7, hidden_size=16]"
    )
    product = step_of(seen, "encoder.layer.0.attention.self", "matmul")
    assert str(product.outputs[0]) == "[batch=2, num_heads=2, seq_len=7, seq_len=7]"


def test_an_error_that_the_model_catches_is_no_failure() -> None:
    class Tries(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.wrong = nn.Linear(7, 3)
            self.right = nn.Linear(4, 3)

        def forward(self, x: Tensor) -> Tensor:
            try:
                return self.wrong(x)
            except RuntimeError:
                return self.right(x)

    seen = trace(Tries(), torch.zeros(2, 4))
    assert seen.failure is None
    assert [step.path for step in seen if step.kind == "module"] == ["", "wrong", "right"]
    assert str(seen.outputs[0]) == "[batch=2, out_features=3]"


def test_a_model_that_is_no_torch_module_is_refused() -> None:
    with pytest.raises(
        TraceError, match=r"^model is a str: it must be a torch.nn.Module, as in trace\(model"
    ):
        trace("bert-base-uncased")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("args", "inputs", "end"),
    [
        (("Anna lost her key.",), {}, "; give ids in place of text: trace(model, **tokenizer(text, "),
        ((INPUTS,), {}, "; give a batch by keywords: trace(model, **batch)"),
        ((), {"input_ids": [[2, 7, 3]]}, "; give a tensor in place of the list input_ids: torch.tensor(…), "),
    ],
)
def test_a_failure_gives_advice_about_inputs_that_are_no_tensors(
    args: tuple[Any, ...], inputs: dict[str, Any], end: str
) -> None:
    failure = trace(make(library.BertModel).eval(), *args, **inputs).failure
    assert failure is not None
    assert end in failure.message
    assert "\n" not in failure.message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"values": "all"}, r"^values='all': True is needed to keep numbers, or False\.$"),
        (
            {"attention": 3},
            r"^attention=3: the name of an implementation is needed, such as 'eager', ",
        ),
    ],
)
def test_options_without_meaning_are_refused_in_one_line(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TraceError, match=message):
        trace(make(library.BertModel), **INPUTS, **options)


@pytest.mark.parametrize("name", [3, None, ["input_ids"], "logits"])
def test_a_name_that_is_not_in_the_trace_is_refused_in_one_line(name: Any) -> None:  # noqa: ANN401
    seen = trace(make(library.BertModel).eval(), **INPUTS)
    for method in (seen.path, seen.figure, seen.follow):
        with pytest.raises(TraceError, match=r"no input, parameter or module .* its inputs are input_ids, "):
            method(name)


def test_an_error_is_one_line_in_a_notebook() -> None:
    with pytest.raises(TraceError) as caught:
        trace(make(library.BertModel), **INPUTS).path("no\nsuch name")
    (line,) = caught.value._render_traceback_()
    assert line == f"TraceError: {caught.value}"
    assert "\n" not in line
