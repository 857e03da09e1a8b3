"""An exercise: `check` an answer, `hint`, and a folded `solution`.

The reference solution and the typical mistakes are plain functions. An answer is run beside the reference on
the exercise's inputs. If it differs, the mistake that gives the same results says what is wrong, else the
results themselves are compared (`comparing`). Nothing here raises on a wrong answer, so a notebook runs on.

Left out here: sandboxes, scores, time limits. A reader who wants to cheat reads the solution; a class that is
graded (`bertviz_lite.exercises.grading`) runs its answers elsewhere.
"""

import inspect
import io
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from typing import TypeVar

from bertviz_lite.exercises.cases import Case
from bertviz_lite.exercises.comparing import difference
from bertviz_lite.exercises.running import Answer, Outcome, Raised, parameters, run
from bertviz_lite.exercises.showing import beside
from bertviz_lite.exercises.solutions import Solution

__all__ = ["Exercise", "Verdict"]

_Wrong = TypeVar("_Wrong")

_ROUNDED = 1e-4  # a relative tolerance from here on: the value may be rounded


@dataclass(frozen=True)
class Verdict:
    """The outcome of `check`: true for a right answer, false for a wrong one or none (`passed` is None then).

    A notebook does not show it: `check` has printed its text already.
    """

    passed: bool | None
    text: str = field(repr=False)

    def __bool__(self) -> bool:
        return self.passed is True

    def _ipython_display_(self) -> None:
        """Show nothing."""


@dataclass(frozen=True)
class Mistake:
    """A typical wrong answer, and what to say about it."""

    feedback: str
    wrong: object


class Exercise:
    """A question with feedback; made by the decorators `exercise` and `question`.

    Attributes
    ----------
    name : str
        What the chapter's module calls it.
    statement : str
        What is to be done: the docstring of the reference solution.
    hints : tuple of str
        From a nudge to nearly the answer.
    mistakes : list
        Typical wrong answers, each with what to say about it.
    passed : bool or None
        The outcome of the last `check`; None as long as there is no answer.
    reference : function or class
        The solution.
    cases : function or None
        Makes the inputs; None for a question, which is answered by a value.
    call : function
        ``call(answer, *arguments)`` gives the result to be compared.
    """

    def __init__(
        self,
        reference: Callable[..., object],
        hints: tuple[str, ...],
        cases: Callable[[], Iterable[Case]] | None,
        call: Callable[..., object],
        note: str,
        rtol: float,
        name: str = "",
    ) -> None:
        self.name: str = name or reference.__name__
        self.statement = inspect.cleandoc(reference.__doc__ or "")
        self.hints, self.note, self.rtol = hints, note, rtol
        self.mistakes: list[Mistake] = []
        self.passed: bool | None = None
        self.reference, self.cases, self.call = reference, cases, call
        self._hints_given = 0
        self._forbidden: tuple[frozenset[str], str] = frozenset(), ""

    def __repr__(self) -> str:
        return f"{self.name}: {self.statement}"

    def mistake(self, feedback: str, wrong: object = None) -> Callable[[_Wrong], _Wrong]:
        """Add a typical wrong answer, and what to say about it; with one argument, a decorator.

        Parameters
        ----------
        feedback : str
            One or two sentences: what is wrong, not what is right.
        wrong : object
            A function (or class) as the answer would be; for a `question` a value, or a function giving it.
        """
        if wrong is not None:
            self.mistakes.append(Mistake(feedback, wrong))

        def add(wrong: _Wrong) -> _Wrong:
            self.mistakes.append(Mistake(feedback, wrong))
            return wrong

        return add

    def forbid(self, *operations: str, feedback: str) -> None:
        """Refuse right answers that leave the work to an operation of torch.

        Parameters
        ----------
        *operations : str
            Names of torch functions, however they are called: "softmax" is `torch.softmax`, `Tensor.softmax`,
            `torch.nn.functional.softmax` and `torch.nn.Softmax`.
        feedback : str
            One sentence: what to do instead.
        """
        self._forbidden = frozenset(operations), feedback

    def check(self, answer: object = ...) -> Verdict:
        """Print whether an answer is right, and if not, what is wrong.

        Parameters
        ----------
        answer : object
            A function, a class or a value, as the exercise asks. ``...``, None and functions without a body
            count as not answered. An `Answer` stands for a function or a class that is run elsewhere.

        Returns
        -------
        Verdict
            True if right.
        """
        if answer is None or answer is ...:
            passed, feedback = self._unanswered()
        elif answer is self.reference or isinstance(answer, Solution | Exercise):
            passed, feedback = False, ". That is the course's own solution: write yours, then check that."
        elif self.cases is None:
            passed, feedback = self._judge_value(answer)
        else:
            answered = answer if isinstance(answer, Answer) else Answer(answer, self.call)
            passed, feedback = self._judge(answered, self.cases)
        head = {True: "right", False: "not yet", None: "not answered yet"}[passed]
        self.passed = passed
        verdict = Verdict(passed, f"{self.name}: {head}{feedback}")
        _say(verdict.text)
        return verdict

    def hint(self) -> None:
        """Print the next hint."""
        self._hints_given += 1
        number, total = self._hints_given, len(self.hints)
        if number > total:
            _say(f"{self.name}: no more hints. One way to do it: exercises.{self.name}.solution()")
        else:
            last = ", the last" if number == total else ""
            _say(f"{self.name}, hint {number} of {total}{last}: {self.hints[number - 1]}")

    def solution(self) -> Solution:
        """Give one solution, folded in a notebook."""
        return Solution(self.name, self.reference)

    def _unanswered(self) -> tuple[bool | None, str]:
        return None, f". For a hint: exercises.{self.name}.hint()"

    def _judge_value(self, answer: object) -> tuple[bool | None, str]:
        expected = self.reference()
        wrong = difference(answer, expected, self.rtol)
        if wrong is None:
            return True, f". {self.note}".rstrip()
        if callable(answer):
            return False, f". Give the value itself, as in exercises.{self.name}.check(my_value)"
        values = [mistake.wrong() if callable(mistake.wrong) else mistake.wrong for mistake in self.mistakes]
        for same in (lambda value: difference(answer, value, self.rtol) is None, self._is_rounded(answer)):
            for mistake, value in zip(self.mistakes, values, strict=True):
                if same(value):
                    return False, f". {mistake.feedback}"
        if isinstance(expected, str) and isinstance(answer, str):
            choices = sorted({expected, *(value for value in values if isinstance(value, str))})
            wrong = f"{answer!r} is none of the choices: {', '.join(choices)}."
        return False, f". {wrong}"

    def _is_rounded(self, answer: object) -> Callable[[object], bool]:
        """Compare an answer with wrong values to two digits: 0.12 is 0.1192. Counts are compared exactly."""
        expected = self.reference()
        if not (isinstance(answer, float) and isinstance(expected, float)) or self.rtol < _ROUNDED:
            return lambda _: False
        shown = f"{answer:.2g}"
        return lambda value: isinstance(value, float) and f"{value:.2g}" == shown != f"{expected:.2g}"

    def _judge(self, answer: Answer, cases: Callable[[], Iterable[Case]]) -> tuple[bool | None, str]:
        if not answer.is_callable():
            kind = "class" if inspect.isclass(self.reference) else "function"
            return (
                False,
                f". Give the {kind} itself, without calling it: exercises.{self.name}.check(my_{kind})",
            )
        inputs = list(cases())
        wrong = answer.misfit(parameters(self.reference))
        if wrong:
            return False, f". {wrong}"
        results: list[object] = []
        for number, case in enumerate(inputs):
            outcome = answer.run(number, case)
            if outcome.unfinished:
                return self._unanswered()
            results.append(outcome.result)
            expected = run(self.call, self.reference, case.copy())
            wrong = self._what_is_wrong(outcome.result, expected) or self._changed(case, outcome)
            if wrong:
                return False, f". {self._explain(answer, inputs, results, wrong, expected)}"
        operations, feedback = self._forbidden
        if operations and answer.uses(operations, inputs[0]):
            return False, f". {feedback}"
        return True, f", on {len(inputs)} inputs. {self.note}".rstrip()

    def _what_is_wrong(self, result: object, expected: object) -> str | None:
        if isinstance(result, Raised):
            return f"Your code raised {result.message}{result.where}"
        if result is None:
            return "It gives None: is a `return` missing?"
        return difference(result, expected, self.rtol)

    def _changed(self, case: Case, outcome: Outcome) -> str | None:
        names = parameters(self.reference)
        for number in outcome.changed(case)[:1]:
            before = f"The result is right, but {names[number]} itself was changed"
            if isinstance(case.arguments[number], list):
                return f"{before}: work on a copy."
            return f"{before} (an operation in place, as +=)."
        return None

    def _explain(
        self, answer: Answer, inputs: list[Case], results: list[object], wrong: str, expected: object
    ) -> str:
        """Put the feedback together: the cause, then the first input that shows it."""
        number, result = len(results) - 1, results[-1]
        case = inputs[number]
        differs = self._what_is_wrong(result, expected)  # None where only an input was changed
        cause = self._known_mistake(answer, inputs, results) if differs else None
        returned = not isinstance(result, Raised)
        if cause is None and returned and self._is_by_chance(answer, number, case, result):
            cause = "It gives other numbers each time: is dropout on, or are weights made at random?"
        lines = [cause or wrong]
        if cause and isinstance(result, Raised):
            lines.append(f"    {wrong}")
        lines.append(f"    input: {case.describe(parameters(self.reference))}")
        if not isinstance(result, Raised) and result is not None:
            lines += [f"    {line}" for line in beside(result, expected, self.rtol)]
        return "\n".join(lines)

    def _is_by_chance(self, answer: Answer, number: int, case: Case, result: object) -> bool:
        """Whether the answer gives something else when it is run again.

        Of few numbers, dropout may drop the same twice: it is run four times.
        """
        with redirect_stdout(io.StringIO()):  # what it prints has been seen
            return any(not _same(answer.run(number, case).result, result) for _ in range(4))

    def _known_mistake(self, answer: Answer, inputs: list[Case], results: list[object]) -> str | None:
        """Find the mistake that gives the same results: on every input, else on the first that went wrong.

        The latter is for two mistakes at a time, and for tensors: a short list can be the same by chance.
        """
        here = len(results) - 1
        later = enumerate(inputs[here + 1 :], start=here + 1)
        results = [*results, *(answer.run(number, case).result for number, case in later)]
        partly = None
        for mistake in self.mistakes:
            if not _same(run(self.call, mistake.wrong, inputs[here].copy()), results[here]):
                continue
            if hasattr(results[here], "shape"):
                partly = partly or mistake.feedback
            if all(
                _same(run(self.call, mistake.wrong, case.copy()), result)
                for number, (case, result) in enumerate(zip(inputs, results, strict=True))
                if number != here
            ):
                return mistake.feedback
        return partly


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _same(result: object, other: object) -> bool:
    if isinstance(result, Raised) or isinstance(other, Raised):
        return result == other
    return result is other or difference(result, other, cause=False) is None
