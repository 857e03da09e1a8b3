"""What a mutant is: a change to one module, and the tests that should notice it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Mutant", "tests_of"]


@dataclass(frozen=True)
class Mutant:
    """One wrong change.

    Attributes
    ----------
    name
        How `--only` calls it.
    wrong
        What is wrong with it, in words.
    module
        The module whose source is changed.
    old, new
        A piece of its source that is there exactly once, and what replaces it.
    tests
        Who should notice: tests as pytest names them, from the root; or a notebook, run again and compared.
    """

    name: str
    wrong: str
    module: str
    old: str
    new: str
    tests: tuple[str, ...]

    @property
    def room(self) -> str:
        """The package that is changed: `transformers` or `bertviz_lite`."""
        return self.module.partition(".")[0]


def tests_of(module: str, *tests: str) -> tuple[str, ...]:
    """Name tests of one file: ``tests_of("data/test_masking.py", "test_a", "test_b")``."""
    return tuple(f"tests/{module}::{test}" for test in tests)
