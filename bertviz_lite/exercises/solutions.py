"""One solution of an exercise: folded in a notebook, plain text elsewhere."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from html import escape

from bertviz_lite.exercises.highlighting import highlighted

__all__ = ["Solution"]


class Solution:
    """The source of a solution: folded in a notebook, plain text elsewhere."""

    def __init__(self, name: str, reference: Callable[..., object]) -> None:
        self.name, self.source = name, _source(reference)

    def __repr__(self) -> str:
        return self.source

    def _repr_html_(self) -> str:
        return (
            f"<details><summary>One solution of <code>{escape(self.name)}</code></summary>"
            '<pre style="background-color: #f7f7f7; color: #1f1f1f; padding: 8px">'
            f"{highlighted(self.source)}</pre></details>"
        )


def _source(reference: Callable[..., object]) -> str:
    """Give the source of a function or class without its decorators."""
    source = textwrap.dedent(inspect.getsource(reference))
    node = ast.parse(source).body[0]
    return "\n".join(source.splitlines()[node.lineno - 1 :])
