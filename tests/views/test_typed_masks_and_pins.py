"""A mask is a mask in any letters, a pin ends with its text, and an answer near a half is none."""

from __future__ import annotations

from typing import Any

import pytest

from bertviz_lite import Explorer, FillIn, Machine, MaskingLab, PairView, capture, load
from bertviz_lite.views import ViewError
from bertviz_lite.views.pair.picture import _title
from bertviz_lite.views.pair.verdicts import answer_to

SMALL = "Anna lost her [mask] in the park."
SPELLED = "Anna lost her [MASK] in the park."


def test_a_mask_in_small_letters_is_shown_as_the_tokenizer_writes_it() -> None:
    tokenizer, model = load()
    filled = FillIn(model, tokenizer, examples=[SMALL])
    assert (filled.text, filled._examples) == (SPELLED, [SPELLED])
    assert filled.table()[0] == FillIn(model, tokenizer, SPELLED).table()[0]
    pair = PairView(model, tokenizer, "Anna [Mask] .", "She is at home.", examples=[("one", SMALL, "So.")])
    assert pair.first == "Anna [MASK] ."
    assert pair._examples == [["one", SPELLED, "So."]]
    assert Machine(model, tokenizer, SMALL).text == SPELLED
    assert MaskingLab(model, tokenizer, SMALL).text == SPELLED
    explorer = Explorer(capture(model, tokenizer, "Anna lost her key."))
    explorer.edits = {4: "[mask]"}
    assert explorer.edits == {"4": "[MASK]"}
    explorer.text = SMALL
    assert explorer.text == SPELLED
    assert "[MASK]" in explorer.capture.tokens


def test_words_that_are_no_whole_entries_are_named() -> None:
    tokenizer, model = load()
    view = FillIn(model, tokenizer, "Anna has coffee, a phone, coffee and a [MASK].")
    assert view.found[0]["in_pieces"] == ["coffee", "phone"]


def test_an_empty_sentence_of_the_masking_lab_is_refused_in_its_own_words() -> None:
    tokenizer, model = load()
    lab = MaskingLab(model, tokenizer, SPELLED)
    with pytest.raises(ViewError, match=r"^text is empty: type a sentence\.$"):
        lab.text = " "
    assert lab.text == SPELLED


def test_a_pin_ends_with_its_text() -> None:
    tokenizer, model = load()
    explorer = Explorer(capture(model, tokenizer, "Anna lost her key."), query=4, key=1)
    explorer.edits = {2: "[MASK]"}
    assert (explorer.query, explorer.key) == (4, 1)  # the same text, changed
    explorer.text = "Tom is at home now."
    assert (explorer.query, explorer.key) == (None, None)


def test_the_lit_token_of_the_machine_stays_lit_only_as_itself_or_hidden() -> None:
    tokenizer, model = load()
    machine: Any = Machine(model, tokenizer, "Anna lost her key.", token=4)
    machine.text = "Anna lost her [MASK]."
    assert machine.token == 4
    machine.text = "Anna lost her key."
    assert machine.token == 4
    machine.token = 1
    machine.text = "Anna is at home."
    assert machine.token == 1
    machine.text = "Tom is at home."
    assert machine.token is None


@pytest.mark.parametrize(
    ("probability", "answer"),
    [(0.29, "B is of another story (label 1)"), (0.71, "B continues A (label 0)")]
    + [(between, "undecided (30 to 70 %)") for between in (0.3, 0.5, 0.53, 0.68, 0.7)],
)
def test_a_probability_near_a_half_is_no_answer(probability: float, answer: str) -> None:
    assert answer_to(probability) == answer
    assert _title(probability).endswith(f"BERT’s answer: {answer}")
