"""Two texts of which one is right: the same in every language. Left out: how a town makes the wrong one."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["MinimalPair"]


@dataclass(frozen=True, slots=True)
class MinimalPair:
    """Two texts of which one is right.

    Attributes
    ----------
    kind
        Which rule the wrong one breaks: one of ``kinds_of(town)``, or of the Chinese town's ``KINDS``.
    before, right, after
        Put together, the town's own text.
    wrong
        In place of ``right``, it breaks the rule that ``kind`` names.
    """

    kind: str
    before: str
    right: str
    wrong: str
    after: str
