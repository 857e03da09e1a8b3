"""How an answer is checked: runs, errors, changed inputs, chance, hints."""

import linecache
import re
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from bertviz_lite.exercises import Case, Exercise, exercise, question
from bertviz_lite.exercises.highlighting import highlighted
from tests.helpers.exercises import own_answer


@pytest.fixture
def double() -> Exercise:
    """Make a small exercise."""

    def double(values: Tensor) -> Tensor:
        """Give twice the values."""
        return 2 * values

    made = exercise(
        cases=lambda: [Case(torch.tensor([1.0, 2.0])), Case(torch.zeros(3, 7), label="zeros")],
        hints=("What is 2 + 2?", "Multiply."),
        note="Well done.",
    )(double)
    made.mistake("That is the square.", lambda values: values**2)
    made.mistake("That is half of it.", lambda values: values / 2)
    return made


def test_a_right_answer_gets_the_note(double: Exercise, capsys: pytest.CaptureFixture[str]) -> None:
    assert double.check(lambda values: values + values)
    assert capsys.readouterr().out == "double: right, on 2 inputs. Well done.\n"


def test_a_mistake_can_be_added_by_a_decorator(double: Exercise) -> None:
    @double.mistake("Nothing was done.")
    def same(values: Tensor) -> Tensor:
        return values

    assert same(torch.ones(1)) == 1
    assert "not yet. Nothing was done." in double.check(lambda values: values).text


def raises(values: Tensor) -> Tensor:
    return values[5]


def gives_nothing(values: Tensor) -> None:
    print(end=str(2 * values)[:0])


def changes_its_input(values: Tensor) -> Tensor:
    values *= 2
    return values


def prints_an_address(_: Tensor) -> Tensor:
    raise ValueError(str(object()))


def first_line(function: Callable[..., object]) -> int:
    return function.__code__.co_firstlineno + 1


INPUT = "    input: values = [1, 2]"
FRAMEWORK: dict[str, tuple[object, list[str]]] = {
    "a known mistake": (
        lambda values: values * values,
        ["That is the square.", INPUT, "    yours: [1, 4]", "    should be: [2, 4]"],
    ),
    "an unknown mistake": (
        lambda values: values * 3,
        ["Every number is 1.5 times what it should be.", INPUT, "    yours: [3, 6]", "    should be: [2, 4]"],
    ),
    "a mistake that shows late": (
        lambda values: 2 * values + (values.ndim - 1),
        [
            "Every number is too large by 1.",
            "    input: zeros",
            "    first entry that differs: [0, 0]",
            "    yours: 1",
            "    should be: 0",
        ],
    ),
    "no function": (
        torch.ones(2),
        ["Give the function itself, without calling it: exercises.double.check(my_function)"],
    ),
    "too many parameters": (
        lambda values, factor: values * factor,
        ["It should take (values); yours takes (values, factor)."],
    ),
    "no parameters": (lambda: 2, ["It should take (values); yours takes ()."]),
    "no return": (gives_nothing, ["It gives None: is a `return` missing?", INPUT]),
    "an error": (
        raises,
        [
            "Your code raised IndexError: index 5 is out of bounds for dimension 0 with size 2",
            f"    in line {first_line(raises)}: return values[5]",
            INPUT,
        ],
    ),
    "an error with an address": (
        prints_an_address,
        [
            "Your code raised ValueError: <object object>",
            f"    in line {first_line(prints_an_address)}: raise ValueError(str(object()))",
            INPUT,
        ],
    ),
    "a change in place": (
        changes_its_input,
        [
            "The result is right, but values itself was changed (an operation in place, as +=).",
            INPUT,
            "    yours: [2, 4]",
            "    should be: [2, 4]",
        ],
    ),
    "text": (
        lambda values: f"{values.ndim}",
        ["It should be an array of shape (2,), not a str.", INPUT, "    yours: '1'", "    should be: [2, 4]"],
    ),
    "chance": (
        torch.rand_like,
        ["It gives other numbers each time: is dropout on, or are weights made at random?"],
    ),
}


@pytest.mark.parametrize("kind", FRAMEWORK)
def test_a_wrong_answer_gets_a_cause_and_an_input(
    double: Exercise, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answer, expected = FRAMEWORK[kind]
    verdict = double.check(answer)
    assert verdict.passed is False
    assert verdict.text.splitlines()[: len(expected)] == [f"double: not yet. {expected[0]}", *expected[1:]]
    assert len(verdict.text.splitlines()) == len(expected) or kind == "chance"
    assert capsys.readouterr().out == f"{verdict.text}\n"


def test_chance_is_recognised_though_it_gives_the_same_number_twice(
    double: Exercise, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = [0.0, 0.0, 0.0, 0.0, 1.0]  # one for each input, then the same again

    def answer(values: Tensor) -> Tensor:
        print("drawn")
        return torch.full_like(values, drawn.pop(0))

    verdict = double.check(answer)
    assert verdict.text.startswith("double: not yet. It gives other numbers each time")
    assert drawn == []
    assert capsys.readouterr().out == f"drawn\ndrawn\n{verdict.text}\n"


def test_an_error_names_the_line_of_the_cell(double: Exercise) -> None:
    cell = (
        "import torch\n\ndef mine(values):\n    rows = values[:, None]\n    return torch.cat(rows, dim=9)\n"
    )
    linecache.cache["<cell 3>"] = (len(cell), None, cell.splitlines(keepends=True), "<cell 3>")
    space: dict[str, Callable[..., object]] = {}
    exec(compile(cell, "<cell 3>", "exec"), space)  # type: ignore[arg-type] # noqa: S102
    assert "\n    in line 5: return torch.cat(rows, dim=9)\n" in double.check(space["mine"]).text


def test_an_error_that_a_typical_mistake_raises_too_gets_its_sentence(double: Exercise) -> None:
    double.mistake("There is no fifth.", lambda values: values[5])
    text = double.check(raises).text
    assert text.startswith("double: not yet. There is no fifth.\n    Your code raised IndexError: index 5")


def test_an_error_of_torch_is_not_taken_for_an_empty_answer(
    double: Exercise, capsys: pytest.CaptureFixture[str]
) -> None:
    """`chosen & toss < 0.8` raises NotImplementedError too, and not because nothing is written yet."""
    assert double.check(lambda _: torch.tensor([True]) & torch.tensor([0.5])).passed is False
    assert "not implemented for" in capsys.readouterr().out


def test_each_check_gets_fresh_inputs(double: Exercise) -> None:
    double.check(changes_its_input)
    assert double.check(lambda values: 2 * values)


def test_the_solution_reads_rows_as_they_were_before_the_answer_changed_them() -> None:
    def lengths(rows: list[list[int]]) -> list[int]:
        """Give the length of each row."""
        return [len(row) for row in rows]

    def lengths_of_filled(rows: list[list[int]]) -> list[int]:
        for row in rows:
            row += [0] * (max(map(len, rows)) - len(row))
        return [len(row) for row in rows]

    made = exercise(cases=lambda: [Case([[1, 2, 3], [4]])], hints=())(lengths)
    assert made.check(own_answer(made))
    assert not made.check(lengths_of_filled)


def test_the_solution_reads_tensors_in_a_list_as_they_were_before() -> None:
    def halves(values: list[Tensor]) -> list[Tensor]:
        """Give half of each tensor that is long, and others as they are."""
        return [value / 2 if value.norm() > 1 else value for value in values]

    def halves_in_place(values: list[Tensor]) -> list[Tensor]:
        return [value.div_(2) if value.norm() > 1 else value for value in values]

    made = exercise(
        cases=lambda: [Case([torch.tensor([1.5, 0.0]), torch.zeros(2)])],
        hints=(),
        call=lambda answer, values: torch.stack(answer(values)),
    )(halves)
    assert made.check(own_answer(made))
    verdict = made.check(halves_in_place)
    assert not verdict
    assert "The result is right, but values itself was changed" in verdict.text


def test_a_right_answer_in_place_does_not_get_the_sentence_of_a_mistake(double: Exercise) -> None:
    made = exercise(cases=lambda: [Case(torch.tensor([2.0, 2.0])), Case(torch.ones(1))], hints=())(
        double.reference
    )
    made.mistake("That is the square.", lambda values: values**2)
    assert "itself was changed" in made.check(lambda values: values.mul_(2)).text


def test_each_call_shows_the_next_hint(double: Exercise, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(4):
        double.hint()
    last = "double: no more hints. One way to do it: exercises.double.solution()"
    assert capsys.readouterr().out.splitlines() == [
        "double, hint 1 of 2: What is 2 + 2?",
        "double, hint 2 of 2, the last: Multiply.",
        last,
        last,
    ]


def test_a_question_is_answered_by_a_number() -> None:
    @question(hints=("Multiply.",))
    def answer() -> float:
        """Say what six times seven is."""
        return 42.0

    answer.mistake("That is the sum.", 13)
    answer.mistake("That is the difference, the wrong way round.", lambda: 6 - 7)
    assert answer.check(42)
    assert answer.check(torch.tensor(42.01))
    assert answer.check(13).text == "answer: not yet. That is the sum."
    assert "the wrong way round" in answer.check(-1).text
    assert answer.check(-42).text == "answer: not yet. The number has the opposite sign of what it should be."
    assert answer.check("42").text == "answer: not yet. It should be a number, not a str."


def test_the_solution_itself_is_not_an_answer(double: Exercise) -> None:
    message = "double: not yet. That is the course's own solution: write yours, then check that."
    for answer in (double.reference, double.solution(), double):
        assert double.check(answer).text == message
        assert double.passed is False


def test_a_right_answer_by_a_forbidden_operation_is_refused_however_it_is_called() -> None:
    def weights(scores: Tensor) -> Tensor:
        """Turn scores into weights."""
        return scores.exp() / scores.exp().sum(-1, keepdim=True)

    made = exercise(cases=lambda: [Case(torch.tensor([1.0, 2.0]))], hints=())(weights)
    made.forbid("softmax", "log_softmax", feedback="The numbers are right, but softmax made them.")
    for answer in (
        lambda scores: torch.softmax(scores, -1),
        lambda scores: scores.softmax(-1),
        lambda scores: nn.functional.softmax(scores, dim=-1),
        nn.Softmax(dim=-1),
        lambda scores: scores.log_softmax(-1).exp(),
    ):
        assert made.check(answer).text == "weights: not yet. The numbers are right, but softmax made them."
    assert "too large" in made.check(lambda scores: scores.softmax(-1) + 1).text  # wrong numbers come first
    assert made.check(lambda scores: (scores - scores.logsumexp(-1)).exp())


def test_a_wrong_value_is_recognised_though_it_is_rounded() -> None:
    @question(hints=())
    def share() -> float:
        """Say how large the share is."""
        return 0.8808

    share.mistake("That is the share of the others.", 0.1192)
    for answer in (0.1192, 0.119, 0.12):
        assert share.check(answer).text == "share: not yet. That is the share of the others."
    assert "times what it should be" in share.check(0.13).text

    @question(hints=())
    def rate() -> float:
        """Say how large a step is."""
        return 2e-5

    rate.mistake("That is the highest rate.", 1e-4)
    assert "highest" in rate.check(1e-4).text
    assert "highest" not in rate.check(3e-5).text

    @question(hints=(), rtol=1e-9)
    def count() -> int:
        """Count exactly."""
        return 1_000_000

    count.mistake("One is missing.", 999_999)
    assert "One is missing" in count.check(999_999).text
    assert count.check(999_998).text == "count: not yet. It is 999,998; that is too small."


class NotReadable:
    """Raises whatever it is used for."""

    def __array__(self, *_: object) -> None:
        raise KeyError("no numbers here")

    def __repr__(self) -> str:
        raise ZeroDivisionError


class SilentError(Exception):
    """An error without a message."""

    def __str__(self) -> str:
        raise ValueError("no text")


def leaves(_: Tensor) -> None:
    raise SystemExit


def fails_silently(_: Tensor) -> None:
    raise SilentError


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda _: NotReadable(), "It should be an array of shape (2,), not a NotReadable."),
        (leaves, "Your code raised SystemExit"),
        (fails_silently, "Your code raised SilentError"),
        (lambda values: [values, [1]], "It should be an array of shape (2,), not a list."),
        (lambda values: values + 1j, "It should be an array of shape (2,), not a Tensor of complex64."),
        (len, "The numbers are int64; they should be floating point."),
        (3, "Give the function itself, without calling it: exercises.double.check(my_function)"),
    ],
)
def test_nonsense_gets_one_clear_line(double: Exercise, answer: object, message: str) -> None:
    assert double.check(answer).text.splitlines()[0] == f"double: not yet. {message}"


def test_a_function_is_refused_where_a_value_is_needed() -> None:
    @question(hints=())
    def answer() -> int:
        """Say what six times seven is."""
        return 42

    text = answer.check(lambda: 42).text
    assert text == "answer: not yet. Give the value itself, as in exercises.answer.check(my_value)"


def test_highlighting_leaves_f_strings_plain_on_every_python() -> None:
    source = 'x = f"{1 if y else 2} <b>"  # why\nz = "for" if y else rf\'n\'\n'
    html = highlighted(source)
    assert re.sub("<[^>]*>", "", html) == source.replace("<", "&lt;").replace(">", "&gt;")
    assert '<span style="color: #a31515">"for"</span>' in html
    assert '<span style="color: #5a6b5a"># why</span>' in html
