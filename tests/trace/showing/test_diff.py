"""Two traces side by side."""

from __future__ import annotations

import dataclasses
import re

import pytest

from bertviz_lite import Trace, TraceError
from tests.trace.hand_traces import Maker, bert, failed
from tests.trace.showing.reader import Reader


def test_equal_traces_are_called_identical(made: Trace) -> None:
    found = made.diff(bert())
    assert not found
    assert found.differences == ()
    assert str(found) == (
        "The two traces of BertForPreTraining are identical: 140 steps with the same shapes and dtypes."
    )


def test_a_size_that_differs_everywhere_is_stated_once(made: Trace) -> None:
    found = made.diff(bert(sizes={"seq_len": 12}))
    assert found
    assert found.sizes == {"seq_len": (7, 12)}
    assert found.differences == ()
    assert 100 < found.explained < 140
    assert f"Sizes: seq_len 7 → 12. That alone changes the shapes of {found.explained} steps." in str(found)


def test_sizes_explain_products_and_differences_of_them() -> None:
    def flat(size: int, of: str) -> Trace:
        maker = Maker(
            {"seq_len": size, "batch*seq_len": 2 * size, "seq_len-1": size - 1, "3*seq_len": 3 * size}
        )
        value = maker.value("batch seq_len", label="x")
        made = [maker.op("view(-1)", [value], of), maker.op("odd", [value], str(size))]
        traced = maker.trace([value], made)
        return dataclasses.replace(traced, sizes={"batch": 2, "seq_len": size})

    for of in ("batch*seq_len", "seq_len-1", "3*seq_len"):
        found = flat(7, of).diff(flat(12, of))
        assert found.explained == 1
        # A bare number is explained by nothing.
        assert [one.what for one in found.differences] == [("[7]", "[12]")]


def test_more_layers_appear_in_one_line(made: Trace) -> None:
    found = made.diff(bert(layers=12))
    assert {one.kind for one in found.differences} == {"appears"}
    assert len(found.differences) == 8
    text = re.sub(r"\s+", " ", str(found))
    assert (
        "bert.encoder.layer.4 … layer.11: BertLayer with 29 steps inside, 8 alike: [batch=2, seq_len=7,"
        in text
    )
    back = re.sub(r"\s+", " ", str(bert(layers=12).diff(made)))
    assert "These vanish: bert.encoder.layer.4 … layer.11" in back


def test_another_head_vanishes_and_appears(made: Trace) -> None:
    found = made.diff(bert(head=False, root="BertForSequenceClassification"))
    text = re.sub(r"\s+", " ", str(found))
    assert "These vanish: cls: BertPreTrainingHeads with 4 steps inside" in text
    assert "These appear: classifier: Linear with 1 step inside: [batch=2, num_labels=2]" in text
    assert (
        repr(found)
        == "TraceDiff(BertForPreTraining, BertForSequenceClassification: 1 vanish, 1 appear, 1 change)"
    )


def changed(made: Trace, select: str, **changes: object) -> Trace:
    steps = [
        step._replace(**changes) if step.path.endswith(select) and step.kind == "module" else step
        for step in made.steps
    ]
    return dataclasses.replace(made, steps=tuple(steps))


def test_layers_that_change_alike_take_one_line(made: Trace) -> None:
    found = made.diff(changed(made, "attention.self", name="BertSdpaSelfAttention"))
    assert len(found.differences) == 4
    text = re.sub(r"\s+", " ", str(found))
    assert (
        "These change: bert.encoder.layer.0.attention.self … layer.3.attention.self: BertSelfAttention, "
        "4 alike: BertSelfAttention → BertSdpaSelfAttention" in text
    )


def test_a_shape_that_sizes_do_not_explain_is_listed(made: Trace) -> None:
    value = Maker().value("batch seq_len 64")
    found = made.diff(changed(made, "bert.pooler", outputs=(value,)))
    (one,) = found.differences
    assert one.kind == "changes"
    assert one.step.path == "bert.pooler"
    assert one.what == ("[batch=2, hidden_size=128]", "[batch=2, seq_len=7, 64]")


def test_comparison_names_failures_inputs_and_parameters_that_differ(made: Trace) -> None:
    text = str(made.diff(failed()))
    assert "✗ The second pass failed: seq_len is 130" in text
    assert "Of the inputs, attention_mask is missing." in text
    assert "Parameters: 1,200,000 → 1,000,000." in text


def test_comparison_as_html(made: Trace) -> None:
    found = Reader(made.diff(bert(layers=6))._repr_html_())
    assert found.open == []
    assert set(found.tags) <= {"div", "p", "table", "thead", "tbody", "tr", "th", "td"}
    assert "bert.encoder.layer.4 … layer.5" in found.text


def test_only_traces_are_compared(made: Trace) -> None:
    with pytest.raises(TraceError, match=r"^diff\(\) compares with another Trace, not str"):
        made.diff("other")  # type: ignore[arg-type]
