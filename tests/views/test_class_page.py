"""The page for a class opens with sentences that the model answers rightly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bertviz_lite import FillIn, Machine, PairView, load
from bertviz_lite.views.pages.class_page import TABS

if TYPE_CHECKING:
    from bertviz_lite.views.base.view import View

RIGHT = {
    "Anna had lost her [MASK], so she could not open the door.": "key",
    "Tom brought Anna a blanket because [MASK] was cold.": "she",
    "The children are tired, so they [MASK] to bed.": "go",
    "Anna took her money to the [MASK].": "bank",
    "The cat drinks the [MASK].": "milk",
}


def opened(name: str) -> View:
    """Return a tab's view, as the page opens with it."""
    tokenizer, model = load()
    return next(tab for tab in TABS if tab.name == name).make(model, tokenizer)


def test_sentences_of_the_page_get_the_right_word_far_ahead() -> None:
    view, machine = opened("Fill in"), opened("Machine")
    assert isinstance(view, FillIn)
    assert isinstance(machine, Machine)
    assert [*view._examples, machine.text] == [*RIGHT]
    for text, right in RIGHT.items():
        view.text = text
        words, shares, _ = view.table()
        last = shares[:, -1].tolist()
        best, second = sorted(last, reverse=True)[:2]
        assert words[last.index(best)] == right
        assert best > 2 * second


def test_pairs_of_the_page_are_judged_as_their_names_say() -> None:
    view = opened("Pairs")
    assert isinstance(view, PairView)
    for name, first, second in view._examples:
        view.first, view.second = first, second
        assert (view.probability > 0.8) == (name == "it goes on"), name
