"""Make an exercise from a solution: `exercise` for a function or a class, `question` for a value."""

from collections.abc import Callable, Iterable

from bertviz_lite.exercises.cases import Case
from bertviz_lite.exercises.checking import Exercise

__all__ = ["exercise", "question"]


def exercise(
    *,
    cases: Callable[[], Iterable[Case]],
    hints: tuple[str, ...],
    call: Callable[..., object] = lambda answer, *arguments: answer(*arguments),
    note: str = "",
    rtol: float = 1e-4,
    name: str = "",
) -> Callable[[Callable[..., object]], Exercise]:
    """Make an exercise, answered by a function or a class, from its reference solution.

    Parameters
    ----------
    cases : function
        Gives the inputs when they are needed: small ones that can be read first.
    hints : tuple of str
        From a nudge to nearly the answer.
    call : function, optional
        ``call(answer, *arguments)`` gives the result to be compared; needed where the answer is a class.
    note : str, optional
        One sentence to read when the answer is right.
    rtol : float, optional
        Relative tolerance for numbers.
    name : str, optional
        What a chapter's module calls the exercise, where this is not the name of the reference solution.
    """
    return lambda reference: Exercise(reference, hints, cases, call, note, rtol, name)


def question(
    *, hints: tuple[str, ...], note: str = "", rtol: float = 1e-3
) -> Callable[[Callable[[], object]], Exercise]:
    """Make an exercise, answered by a value, from a function without arguments that finds the value.

    Parameters are those of `exercise`.
    """
    return lambda reference: Exercise(reference, hints, None, lambda answer: answer, note, rtol)
