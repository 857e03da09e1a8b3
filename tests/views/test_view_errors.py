"""Errors of views are one line in a notebook, and an attribute that a view does not have is one of them."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from bertviz_lite import EmbeddingView, Explorer, FillIn, MaskingLab, TimeLapse, TokenView, input_parts, load
from bertviz_lite.views import ViewError

POCKET: Any = load("pocket")[::-1]


@pytest.fixture
def view() -> Explorer:
    return Explorer([np.full((1, 1, 2, 2), 0.5)], ["a", "b"])


def shown_in_a_notebook(code: str, **names: object) -> str:
    """Return what IPython prints of a cell that fails."""
    shell = InteractiveShell(user_ns=dict(names))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        result = shell.run_cell(code)
    assert result.error_in_exec is not None
    return printed.getvalue().strip()


def test_a_refused_value_is_one_line_in_a_notebook(view: Explorer) -> None:
    assert shown_in_a_notebook("view.layer = 9", view=view) == (
        "ViewError: layer=9: there are 1 layers, numbered 0 to 0."
    )


def test_a_mistyped_attribute_is_refused_with_the_nearest_one(view: Explorer) -> None:
    with pytest.raises(
        AttributeError, match=r"^lyaer: Explorer has no attribute of this name; did you mean layer\?$"
    ):
        view.lyaer = 2
    with pytest.raises(ViewError, match=r"^zzz: Explorer has no attribute of this name; it has kind, side, "):
        view.zzz = 2
    assert not hasattr(view, "lyaer")
    view.layer, view.layout.width, view.tooltip = 0, "50%", "seen"
    view.close()


def test_a_view_of_a_reader_may_set_what_it_likes_while_it_is_made() -> None:
    class Own(Explorer):
        def __init__(self) -> None:
            super().__init__([np.full((1, 1, 2, 2), 0.5)], ["a", "b"])
            self.notes = "mine"

    own = Own()
    own.notes = "changed"
    with pytest.raises(ViewError, match=r"^nodes: Own has no attribute of this name"):
        own.nodes = "x"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: EmbeddingView(None), "EmbeddingView() shows what input_parts() returns, not NoneType."),
        (lambda: TimeLapse(3), "folder is an int: give the folder that a training run wrote."),
        (lambda: TimeLapse(lyaer=3), "lyaer=3: TimeLapse knows moment, text, layer, head, threshold."),
        (
            lambda: TokenView(None, "a"),
            "TokenView() shows a tokenizer that cuts by WordPiece, not ",
        ),
        (lambda: TokenView(POCKET[1], "a", zzz=3), "zzz=3: TokenView knows text, text_pair, "),
        (lambda: FillIn(*POCKET, examples=None), "examples=None: a list of sentences is"),
    ],
)
def test_what_no_view_can_show_is_refused_in_one_line(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ViewError) as caught:
        make()
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("make", "name", "value", "message"),
    [
        (lambda: MaskingLab(*POCKET, "Anna."), "text", None, "text is None: a string is needed."),
        (lambda: MaskingLab(*POCKET, "Anna."), "rate", 10**400, "rate=1000"),
        (TimeLapse, "layer", 10**400, "layer=1000"),
        (lambda: FillIn(*POCKET, "A [MASK]."), "word", 3, "word=3 leads at no layer"),
        (lambda: FillIn(*POCKET, "A [MASK]."), "follow", "\ud800", "follow "),
        (lambda: EmbeddingView(input_parts(*POCKET, "Anna.")), "scaled", 3, "scaled=3: True or False is"),
    ],
)
def test_what_a_view_cannot_be_set_to_is_refused_in_one_line(
    make: Callable[[], object], name: str, value: object, message: str
) -> None:
    view = make()
    before = repr(view)
    with pytest.raises(ViewError) as caught:
        setattr(view, name, value)
    assert str(caught.value).startswith(message)
    assert len(str(caught.value)) < 200
    assert repr(view) == before
