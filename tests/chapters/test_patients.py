"""The patients of the capstone: each is sick in one part, and only its numbers show it."""

from typing import Any

import pytest
import torch
from matplotlib.colors import to_hex

from bertviz_lite import trace
from bertviz_lite.chapters.chapter_12.figures import draw_marks, unnoticed
from bertviz_lite.chapters.chapter_12.first_difference import compare
from bertviz_lite.chapters.chapter_12.patients import NUMBERS, healthy, patient
from bertviz_lite.plots.course_style import CYCLE
from tests.helpers.whole_bert_inputs import batch_for, outputs, pocket


@pytest.fixture(autouse=True)
def _no_gradients() -> Any:  # noqa: ANN401
    with torch.no_grad():
        yield


@pytest.mark.parametrize("number", NUMBERS)
def test_a_patient_is_sick_where_it_should_be(number: int) -> None:
    batch = batch_for(pocket())
    first = compare(patient(number)(**batch), healthy()(**batch)).first
    assert (
        first
        == {
            1: "pooler_output",
            2: "hidden_states[0]",
            3: "hidden_states[3]",
            4: "prediction_logits",
            5: "attentions[1]",
            6: "seq_relationship_logits",
            7: "attentions[0]",
        }[number]
    )


def test_two_patients_need_the_right_batch() -> None:
    alone = {"input_ids": torch.tensor([[2, 7, 9, 3]])}
    well = [n for n in NUMBERS if compare(patient(n)(**alone), healthy()(**alone)).first is None]
    assert well == [2, 5]


def test_patients_do_not_share_weights_and_are_the_same_each_time() -> None:
    changed, other = patient(4), patient(4)
    alone = torch.tensor([[2, 7, 9, 3]])
    assert compare(changed(alone), other(alone)).first is None
    changed.bert.embeddings.word_embeddings.weight.data += 1
    assert compare(other(alone), patient(4)(alone)).first is None
    assert compare(healthy()(alone), outputs()).first is None


def test_a_patient_s_trace_has_the_names_of_axes() -> None:
    seen = trace(patient(1), input_ids=torch.tensor([[2, 7, 9, 3]]))
    assert str(seen.outputs[-2]) == "[batch=1, seq_len=4, vocab_size=3750]"


@pytest.mark.parametrize("number", NUMBERS)
def test_no_part_of_a_patient_s_trace_names_its_file(number: int) -> None:
    batch = batch_for(pocket())
    seen, whole = (trace(model, **batch) for model in (patient(number), healthy()))
    files = {step.source.file for step in seen.steps if step.source and "." in step.path}
    assert {file for file in files if not file.startswith("torch")} == {"patient"}
    assert "patients.py" not in seen.table() + str(seen) + seen._repr_html_()
    assert {(step.path, step.name) for step in seen.steps if step.kind == "module" and step.path} == {
        (step.path, step.name) for step in whole.steps if step.kind == "module" and step.path
    }


@pytest.mark.parametrize("number", NUMBERS)
def test_the_diff_with_a_patient_shows_the_mistake_and_no_noise(number: int) -> None:
    """It is the `steps` of chapter 12; every axis keeps its name, so only the mistake differs."""
    batch = batch_for(pocket())
    lines = str(trace(healthy(), **batch).diff(trace(patient(number), **batch))).splitlines()
    assert 4 <= len(lines) <= 12
    assert not any("?" in line for line in lines)


def test_patient_7_has_queries_and_keys_exchanged_in_layer_0_and_nothing_else() -> None:
    sick, well = patient(7).state_dict(), healthy().state_dict()
    other = {name for name in well if not torch.equal(sick[name], well[name])}
    self_attention = "bert.encoder.layer.0.attention.self"
    assert other == {
        f"{self_attention}.{name}.{kind}" for name in ("query", "key") for kind in ("weight", "bias")
    }
    assert torch.equal(sick[f"{self_attention}.query.bias"], well[f"{self_attention}.key.bias"])


def test_there_is_no_eighth_model() -> None:
    with pytest.raises(ValueError, match=r"^patient 8: there are patients 1 to 7\.$"):
        patient(8)


EXAM = {
    name: {"hidden words": (words, 10), "pairs": (pairs, 40)}
    for name, words, pairs in (("healthy", 9, 36), ("a", 9, 25), ("b", 9, 37), ("c", 7, 37), ("d", 8, 36))
}


def test_a_patient_passes_the_exam_who_is_within_one_answer_in_every_subject() -> None:
    assert unnoticed(EXAM) == ["b", "d"]


def test_the_exam_s_bars_are_coloured_where_a_patient_passes() -> None:
    words, pairs = draw_marks(EXAM)
    for ax in (words, pairs):
        colours = [to_hex(bar.get_facecolor()) for bar in ax.patches]
        assert [colour == CYCLE[0] for colour in colours] == [False, True, False, True]
        assert [label.get_text() for label in words.get_yticklabels()] == ["a", "b", "c", "d"]
    assert [line.get_xdata()[0] for line in words.lines] == [0.9]  # type: ignore[index]
    assert [line.get_xdata()[0] for line in pairs.lines] == [0.9, 0.5]  # type: ignore[index]


def test_the_numbers_of_an_exam_s_bar_lie_on_no_line() -> None:
    _, ax = draw_marks(EXAM)
    ax.figure.canvas.draw()  # only now do the axes have their width
    places = {text.get_text(): text.get_window_extent() for text in ax.texts}
    coin, line = (ax.transData.transform((share, 0))[0] for share in (0.5, 0.9))
    assert coin + 3 < places["25 of 40"].x0 < places["25 of 40"].x1 < line
    assert places["37 of 40"].x1 < line
