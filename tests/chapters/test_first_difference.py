"""Two runs side by side: the first tensor that differs, in the order of computing."""

import math
from typing import Any

import pytest
import torch

from bertviz_lite.chapters.chapter_12.figures import round_in_words, side_by_side, ward_round
from bertviz_lite.chapters.chapter_12.first_difference import compare
from bertviz_lite.plots import picture
from tests.helpers.whole_bert_inputs import outputs


@pytest.fixture(autouse=True)
def _no_gradients() -> Any:  # noqa: ANN401
    with torch.no_grad():
        yield


def test_the_first_difference_is_the_first_in_the_order_of_computing() -> None:
    ours = outputs()
    theirs = ours._replace(
        attentions=(*ours.attentions[:2], ours.attentions[2] + 1e-3, ours.attentions[3]),
        hidden_states=(*ours.hidden_states[:3], ours.hidden_states[3] + 0.25, ours.hidden_states[4]),
    )
    comparison = compare(ours, theirs)
    assert comparison.first == "attentions[2]"
    assert comparison.largest == pytest.approx(0.25)
    lines = str(comparison).splitlines()
    assert lines[5] == "attentions[2]            (1, 6, 4, 4)         differs, most by 0.001  <- first"
    assert lines[6] == "hidden_states[3]         (1, 4, 192)          differs, most by 0.25"
    assert [line.endswith("equal") for line in lines] == [True] * 5 + [False] * 2 + [True] * 5
    assert repr(comparison) == "Comparison(12 tensors: attentions[2] is the first to differ)"
    assert compare(ours, theirs, tolerance=1).first is None


def test_nan_and_another_shape_are_differences() -> None:
    ours = outputs()
    nan, shape = (
        ours._replace(pooler_output=ours.pooler_output * torch.nan),
        ours._replace(pooler_output=ours.pooler_output[0]),
    )
    for theirs in (nan, shape):
        comparison = compare(ours, theirs)
        assert comparison.first == "pooler_output"
        assert math.isnan(comparison.largest)
    assert "shape (1, 192), the other's (192,)" in str(compare(ours, shape))


def test_outputs_without_a_common_tensor_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^Output and int have no tensor in common"):
        compare(outputs(), 3)


def test_the_drawing_leaves_equal_tensors_white_and_marks_the_first_that_differs() -> None:
    ours = outputs()
    moved = ours.attentions[2] + 0.25
    theirs = ours._replace(attentions=(*ours.attentions[:2], moved, ours.attentions[3]))
    axes = side_by_side({"broken": ours, "library": theirs}, title="One of twelve")
    differences = axes[2::3]
    assert len(differences) == 12
    sizes = [float(ax.images[0].get_array().max()) for ax in differences]  # type: ignore[union-attr]
    assert [size > 0 for size in sizes] == [place == 5 for place in range(12)]
    words = [ax.get_xlabel() for ax in differences]
    assert words == ["equal"] * 5 + ["0.25\nfirst"] + ["equal"] * 6
    assert len(picture(axes, "Twelve tensors.").png) < 100_000


def test_the_ward_round_marks_the_first_difference_of_every_patient() -> None:
    ours = outputs()
    patients = {
        "well": compare(ours, ours),
        "late": compare(ours._replace(pooler_output=-ours.pooler_output), ours),
        "early": compare(
            ours._replace(hidden_states=(ours.hidden_states[0] + 1, *ours.hidden_states[1:])), ours
        ),
    }
    ax = ward_round(patients, title="Two of three")
    parts = {text.get_text(): text.get_position()[0] for text in ax.texts if text.get_position()[1] == 1.02}
    written = [text.get_text() for text in ax.texts if text.get_text() not in parts]
    rows = [written[start : start + 12] for start in range(0, 36, 12)]
    assert rows[0] == ["="] * 12
    assert [rows[line].index("first") for line in (1, 2)] == [9, 0]
    assert [label.get_text() for label in ax.get_xticklabels()][9] == "pooler_output"
    assert [label.get_text() for label in ax.get_xticklabels()][10] == "LM logits"
    assert parts["layer 3"] == 7.5  # attentions[3] and hidden_states[4], columns 7 and 8
    both = ward_round(patients, patients | {"early": patients["well"]}, other_name="one text")
    column = {text.get_position()[0] for text in both.texts if text.get_text() == "one text"}.pop()
    cells = [text.get_text() for text in both.texts if text.get_position()[0] == column]
    assert cells == ["=", "≠", "=", "one text"]
    assert round_in_words(patients) == "well: none; late: pooler_output; early: hidden_states[0]."
    with pytest.raises(ValueError, match="in different tensors"):
        ward_round({"one": patients["well"], "two": compare(ours._replace(pooler_output=None), ours)})
