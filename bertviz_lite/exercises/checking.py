"""An exercise: `check` an answer, `hint`, and a folded `solution`.

The reference solution and the typical mistakes are plain functions. An answer is run beside the reference on
the exercise's inputs; if it differs, the mistake that gives the same results says what is wrong, else the
results themselves are compared (`_feedback`). Nothing here raises on a wrong answer, so a notebook runs on.

Left out: sandboxes, scores, time limits. Whoever wants to cheat reads the solution.
"""

import ast
import dis
import inspect
import io
import keyword
import linecache
import os
import re
import sys
import textwrap
import tokenize
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from types import CodeType, TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from bertviz_lite.exercises.feedback import beside, difference, show

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

_Wrong = TypeVar("_Wrong")

_WIDTH = 90  # characters: longer inputs get a line for each argument


class Case:
    """One input on which answers are run.

    Parameters
    ----------
    *arguments : object
        What the answer is called with. Tensors and lists are copied for each call.
    label : str, optional
        What to show in place of the arguments, where these are too large to be read.
    """

    def __init__(self, *arguments: object, label: str = "") -> None:
        self.arguments, self.label = arguments, label

    def copy(self) -> tuple[Any, ...]:
        """Give the arguments, such that a change of them does no harm."""
        return tuple(_copied(argument) for argument in self.arguments)

    def describe(self, names: Iterable[str]) -> str:
        """Show the input in one line, each argument with its name."""
        if self.label:
            return self.label
        shown = [f"{name} = {show(value)}" for name, value in zip(names, self.arguments, strict=False)]
        return (", " if sum(map(len, shown)) < _WIDTH else ",\n           ").join(shown)


def _copied(value: object) -> object:
    if isinstance(value, list):  # what is in the list too: else the reference would see it changed
        return [_copied(one) for one in value]
    is_tensor = hasattr(value, "detach") and hasattr(value, "clone")
    return value.clone() if is_tensor else value  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Verdict:
    """What `check` found: true for a right answer, false for a wrong or missing one (`passed` is None then).

    A notebook does not show it: `check` has printed its text already.
    """

    passed: bool | None
    text: str = field(repr=False)

    def __bool__(self) -> bool:
        return self.passed is True

    def _ipython_display_(self) -> None:
        """Show nothing."""


class Solution:
    """The source of a solution: folded in a notebook, plain text elsewhere."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source

    def __repr__(self) -> str:
        return self.source

    def _repr_html_(self) -> str:
        return (
            f"<details><summary>One solution of <code>{escape(self.name)}</code></summary>"
            '<pre style="background-color: #f7f7f7; color: #1f1f1f; padding: 8px">'
            f"{_highlighted(self.source)}</pre></details>"
        )


@dataclass(frozen=True)
class _Raised:
    """An error in an answer: what it says, and where."""

    said: str
    where: str = field(compare=False)
    unfinished: bool = field(compare=False, default=False)


@dataclass(frozen=True)
class _Mistake:
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
        What the last `check` found; None as long as there is no answer.
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
        self.mistakes: list[_Mistake] = []
        self.passed: bool | None = None
        self.reference = reference
        self._cases, self._call, self._hints_given = cases, call, 0

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
            self.mistakes.append(_Mistake(feedback, wrong))

        def add(wrong: _Wrong) -> _Wrong:
            self.mistakes.append(_Mistake(feedback, wrong))
            return wrong

        return add

    def check(self, answer: object = ...) -> Verdict:
        """Print whether an answer is right, and if not, what is wrong.

        Parameters
        ----------
        answer : object
            A function, a class or a value, as the exercise asks. ``...``, None and functions without a body
            count as not answered.

        Returns
        -------
        Verdict
            True if right.
        """
        passed, said = self._judge_value(answer) if self._cases is None else self._judge(answer, self._cases)
        head = {True: "right", False: "not yet", None: "not answered yet"}[passed]
        self.passed = passed
        verdict = Verdict(passed, f"{self.name}: {head}{said}")
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
        return Solution(self.name, _source(self.reference))

    def _unanswered(self) -> tuple[None, str]:
        return None, f". For a hint: exercises.{self.name}.hint()"

    def _judge_value(self, answer: object) -> tuple[bool | None, str]:
        if answer is None or answer is ...:
            return self._unanswered()
        expected = self.reference()
        said = difference(answer, expected, self.rtol)
        if said is None:
            return True, f". {self.note}".rstrip()
        values = [(one.feedback, one.wrong() if callable(one.wrong) else one.wrong) for one in self.mistakes]
        for feedback, value in values:
            if difference(answer, value, self.rtol) is None:
                return False, f". {feedback}"
        if isinstance(expected, str) and isinstance(answer, str):
            choices = sorted({expected, *(value for _, value in values if isinstance(value, str))})
            said = f"{answer!r} is none of the choices: {', '.join(choices)}."
        return False, f". {said}"

    def _judge(self, answer: object, cases: Callable[[], Iterable[Case]]) -> tuple[bool | None, str]:
        if answer is None or answer is ...:
            return self._unanswered()
        if not callable(answer):
            kind = "class" if inspect.isclass(self.reference) else "function"
            return (
                False,
                f". Give the {kind} itself, without calling it: exercises.{self.name}.check(my_{kind})",
            )
        inputs = list(cases())
        said = _misfit(answer, self.reference)
        if said:
            return False, f". {said}"
        results: list[object] = []
        for case in inputs:
            arguments = case.copy()
            result = self._run(answer, arguments)
            if self._is_unfinished(answer, result):
                return self._unanswered()
            results.append(result)
            expected = self._run(self.reference, case.copy())
            said = self._what_is_wrong(result, expected) or self._changed(case, arguments)
            if said:
                return False, f". {self._explain(answer, inputs, results, said, expected)}"
        return True, f", on {len(inputs)} inputs. {self.note}".rstrip()

    def _run(self, answer: object, arguments: tuple[Any, ...]) -> object:
        try:
            return self._call(answer, *arguments)
        except Exception as error:  # noqa: BLE001 - whatever a reader's code raises is feedback
            if isinstance(error, NotImplementedError) and not str(error):  # with a text it is torch's own
                return _Raised("", "", unfinished=True)
            text = re.sub(r" at 0x[0-9a-fA-F]+", "", (str(error).strip().splitlines() or [""])[0])
            said = f"{type(error).__name__}: {text[:160]}".removesuffix(": ")
            return _Raised(said, _where(error.__traceback__, _codes(answer)))

    def _is_unfinished(self, answer: object, result: object) -> bool:
        if isinstance(result, _Raised):
            return result.unfinished or (inspect.isclass(answer) and _is_blank(answer))
        return result is ... or (result is None and _is_blank(answer))

    def _what_is_wrong(self, result: object, expected: object) -> str | None:
        if isinstance(result, _Raised):
            return f"Your code raised {result.said}{result.where}"
        if result is None:
            return "It gives None: is a `return` missing?"
        return difference(result, expected, self.rtol)

    def _changed(self, case: Case, arguments: tuple[Any, ...]) -> str | None:
        names = _parameters(self.reference)
        for name, before, after in zip(names, case.arguments, arguments, strict=False):
            if isinstance(before, list) and not _untouched(before, after):
                return f"The result is right, but {name} itself was changed: work on a copy."
            if hasattr(before, "detach") and not _untouched(before, after):
                return f"The result is right, but {name} itself was changed (an operation in place, as +=)."
        return None

    def _explain(
        self, answer: object, inputs: list[Case], results: list[object], said: str, expected: object
    ) -> str:
        """Put the feedback together: the cause, then the first input that shows it."""
        case, result = inputs[len(results) - 1], results[-1]
        wrong = self._what_is_wrong(result, expected)  # None where the answer only changed what it was given
        cause = self._known_mistake(answer, inputs, results) if wrong else None
        if cause is None and not isinstance(result, _Raised) and self._is_by_chance(answer, case, result):
            cause = "It gives other numbers each time: is dropout on, or are weights made at random?"
        lines = [cause or said]
        if cause and isinstance(result, _Raised):
            lines.append(f"    {said}")
        lines.append(f"    input: {case.describe(_parameters(self.reference))}")
        if not isinstance(result, _Raised) and result is not None:
            lines += [f"    {line}" for line in beside(result, expected, self.rtol)]
        return "\n".join(lines)

    def _is_by_chance(self, answer: object, case: Case, result: object) -> bool:
        """Whether the answer gives something else when it is asked again.

        Of few numbers, dropout may drop the same twice: it is asked four times.
        """
        with redirect_stdout(io.StringIO()):  # what it prints has been seen
            return any(not _same(self._run(answer, case.copy()), result) for _ in range(4))

    def _known_mistake(self, answer: object, inputs: list[Case], results: list[object]) -> str | None:
        """Find the mistake that gives the same results: on every input, else on the first that went wrong.

        The latter is for two mistakes at a time, and for tensors: a short list can be the same by chance.
        """
        here = len(results) - 1
        results = [*results, *(self._run(answer, case.copy()) for case in inputs[here + 1 :])]
        partly = None
        for mistake in self.mistakes:
            if not _same(self._run(mistake.wrong, inputs[here].copy()), results[here]):
                continue
            if hasattr(results[here], "shape"):
                partly = partly or mistake.feedback
            if all(
                _same(self._run(mistake.wrong, case.copy()), result)
                for number, (case, result) in enumerate(zip(inputs, results, strict=True))
                if number != here
            ):
                return mistake.feedback
        return partly


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


def loaded() -> "tuple[PreTrainedTokenizerBase, PreTrainedModel]":
    """Give tokenizer and model as the chapters load them, kept for the exercises: do not change them."""
    return _loaded(os.environ.get("BERTVIZ_LITE_MODEL"))


@lru_cache(maxsize=2)
def _loaded(name: str | None) -> "tuple[PreTrainedTokenizerBase, PreTrainedModel]":
    from bertviz_lite.models.loading import load

    return load(name)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _same(one: object, other: object) -> bool:
    if isinstance(one, _Raised) or isinstance(other, _Raised):
        return one == other
    return one is other or difference(one, other, cause=False) is None


def _untouched(before: object, after: object) -> bool:
    """Say whether a list or a tensor, or a list of them, still holds what it held."""
    if isinstance(before, list) and isinstance(after, list):
        return len(before) == len(after) and all(map(_untouched, before, after))
    return difference(after, before) is None if hasattr(before, "detach") else [before] == [after]


def _parameters(function: Callable[..., object]) -> list[str]:
    return list(inspect.signature(function).parameters)


def _misfit(answer: Callable[..., object], reference: Callable[..., object]) -> str | None:
    """Say whether a function takes other parameters than it should (how many; names are free)."""
    names = _parameters(reference)
    try:
        signature = inspect.signature(answer)
    except (TypeError, ValueError):
        return None
    try:
        signature.bind(*names)
    except TypeError:
        return f"It should take ({', '.join(names)}); yours takes ({', '.join(signature.parameters)})."
    return None


def _codes(answer: object) -> list[CodeType]:
    """List the byte code of a function, or of the methods of a class."""
    found = vars(answer).values() if inspect.isclass(answer) else (inspect.unwrap(answer),)  # type: ignore[arg-type]
    return [one.__code__ for one in found if inspect.isfunction(one)]


def _is_blank(answer: object) -> bool:
    """Say whether a function, or a method of a class, has no body but ``...``, ``pass`` or a docstring."""
    plain = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "POP_TOP"}
    codes = _codes(answer)
    blank = any({step.opname for step in dis.get_instructions(code)} <= plain for code in codes)
    return blank or (inspect.isclass(answer) and not codes)


def _where(traceback: TracebackType | None, codes: list[CodeType]) -> str:
    """Name the line of the reader's code that an error came from, as the cell counts them."""
    files, found = {code.co_filename for code in codes}, ""
    while traceback is not None:
        file, line = traceback.tb_frame.f_code.co_filename, traceback.tb_lineno
        if file in files:
            text = linecache.getline(file, line).strip()
            found = f"\n    in line {line}: {text}" if text else f"\n    in line {line}"
        traceback = traceback.tb_next
    return found


def _source(reference: Callable[..., object]) -> str:
    """Give the source of a function or class without its decorators."""
    source = textwrap.dedent(inspect.getsource(reference))
    node = ast.parse(source).body[0]
    return "\n".join(source.splitlines()[node.lineno - 1 :])


def _highlighted(source: str) -> str:
    """Colour comments, plain strings and keywords (inline, since notebooks drop style sheets)."""
    colours = {tokenize.COMMENT: "#5a6b5a", tokenize.STRING: "#a31515"}
    lines, out, at = source.splitlines(keepends=True), [], (1, 0)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        colour = "#0000c0" if token.type == tokenize.NAME and keyword.iskeyword(token.string) else None
        # an f-string is one token up to Python 3.11 and many later: leave it plain, so that outputs agree
        if token.type in colours and not re.match("[rR]?[fF]", token.string):
            colour = colours[token.type]
        if colour:
            out += [escape(_between(lines, at, token.start), quote=False)]
            out += [f'<span style="color: {colour}">{escape(token.string, quote=False)}</span>']
            at = token.end
    return "".join(out) + escape(_between(lines, at, (len(lines), len(lines[-1]))), quote=False)


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """Cut text out of lines; places are (line from 1, column from 0)."""
    (first, left), (last, right) = start, end
    if first == last:
        return lines[first - 1][left:right]
    return "".join([lines[first - 1][left:], *lines[first : last - 1], lines[last - 1][:right]])
