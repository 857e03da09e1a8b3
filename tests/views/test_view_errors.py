"""Errors of views are one line in a notebook, and an attribute that a view does not have is one of them."""

from __future__ import annotations

import contextlib
import io

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from bertviz_lite import Explorer
from bertviz_lite.views import ViewError


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
