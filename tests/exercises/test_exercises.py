"""The exercises: right answers pass, typical mistakes are told apart, nothing raises.

The tests of the chapters hold for each module `bertviz_lite.chapters.chapter_*` that there is.
"""

import doctest
import importlib
import linecache
import pkgutil
import re
import textwrap
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch
from hypothesis import given, settings, strategies as st
from torch import Tensor, nn
from transformers import BertForPreTraining
from transformers.models.bert.modeling_bert import BertEmbeddings

import bertviz_lite.chapters
import bertviz_lite.exercises
from bertviz_lite import ModelError
from bertviz_lite.chapters.chapter_02 import exercises as chapter_02
from bertviz_lite.exercises import (
    Case,
    Exercise,
    checking as _exercise,
    exercise,
    feedback as _feedback,
    question,
)
from bertviz_lite.exercises.feedback import beside, difference, show
from tests.helpers.tiny_models import make, save

CHAPTERS = sorted(
    module.name
    for module in pkgutil.iter_modules(bertviz_lite.chapters.__path__)
    if module.name.startswith("chapter_")
)


def exercises_of(chapter: str) -> dict[str, Exercise]:
    module = importlib.import_module(f"bertviz_lite.chapters.{chapter}.exercises")
    return {name: one for name, one in vars(module).items() if isinstance(one, Exercise)}


def is_question(one: Exercise) -> bool:
    return one._cases is None


ALL = [
    pytest.param(one, name, id=f"{chapter}-{name}")
    for chapter in CHAPTERS
    for name, one in exercises_of(chapter).items()
]
FUNCTIONS = [one.values[0] for one in ALL if not is_question(one.values[0])]  # type: ignore[arg-type]
MISTAKES = [
    pytest.param(*one.values, index, id=f"{one.id}-{index}")
    for one in ALL
    for index in range(len(one.values[0].mistakes))  # type: ignore[attr-defined]
]


@pytest.fixture(scope="module", autouse=True)
def _small_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let the exercises load a model of a few thousand weights."""
    folder = save(tmp_path_factory.mktemp("model") / "tiny", make(BertForPreTraining))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BERTVIZ_LITE_MODEL", str(folder))
        yield
    _exercise._loaded.cache_clear()


def answer_of(one: Exercise, given: object) -> object:
    """Make the answer that a reader would give: for a question, the value itself."""
    return given() if is_question(one) and callable(given) else given


# Every exercise of every chapter


@pytest.mark.parametrize(("one", "name"), ALL)
def test_the_solution_passes(one: Exercise, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    verdict = one.check(answer_of(one, one.reference))
    assert verdict
    assert one.passed is True
    assert capsys.readouterr().out.startswith(f"{name}: right")


@pytest.mark.parametrize(("one", "name", "index"), MISTAKES)
def test_a_typical_mistake_is_told_apart(one: Exercise, name: str, index: int) -> None:
    mistake = one.mistakes[index]
    verdict = one.check(answer_of(one, mistake.wrong))
    assert not verdict
    assert one.passed is False
    assert verdict.text.splitlines()[0] == f"{name}: not yet. {mistake.feedback}"


@pytest.mark.parametrize(("one", "name"), ALL)
def test_no_answer_is_no_mistake(one: Exercise, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for answer in (..., None):
        verdict = one.check(answer)
        assert not verdict
        assert one.passed is None
    assert not one.check()
    said = f"{name}: not answered yet. For a hint: exercises.{name}.hint()\n"
    assert capsys.readouterr().out == 3 * said


@pytest.mark.parametrize(("one", "name"), ALL)
def test_it_is_complete(one: Exercise, name: str) -> None:
    assert one.name == name
    assert len(one.mistakes) >= 3
    assert len({mistake.feedback for mistake in one.mistakes}) == len(one.mistakes)
    assert len(one.hints) >= 2
    assert one.statement.splitlines()[0].endswith(".")
    assert repr(one).startswith(f"{name}: ")
    source = repr(one.solution())
    assert source.startswith(("def ", "class "))
    compile(source, "solution", "exec")


@pytest.mark.parametrize(
    "one", [one.values[0] for one in ALL if not is_question(one.values[0])], ids=lambda one: one.name
)
def test_a_stub_is_no_answer(one: Exercise) -> None:
    head = repr(one.solution()).split('"""')[0]
    if head.startswith("class"):
        init, forward = "def __init__(self, *_):\n  super().__init__()", "def forward(self, *_):\n  ..."
        stubs = [f"class Stub(nn.Module):\n {init}\n {forward}", "class Stub(nn.Module):\n ..."]
    else:
        bodies = (
            '"""Later."""',
            "...",
            "pass",
            "raise NotImplementedError",
            "return ...",
            "x = ...\n    return x",
        )
        stubs = [f"def stub(*_):\n    {body}" for body in bodies]
    for stub in stubs:
        space: dict[str, object] = {"nn": nn}
        exec(stub, space)  # noqa: S102
        one.check(space["Stub" if "Stub" in space else "stub"])
        assert one.passed is None, stub


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pocket", "minilm"])
def test_the_same_on_models_that_have_learned(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERTVIZ_LITE_MODEL", name)
    try:
        _exercise.loaded()
    except ModelError as error:
        pytest.skip(str(error))
    asked = []
    for chapter in CHAPTERS:
        for one in exercises_of(chapter).values():
            before = sum(_exercise._loaded.cache_info()[:2])
            assert one.check(answer_of(one, one.reference))
            if sum(_exercise._loaded.cache_info()[:2]) == before:
                continue  # no model is asked for: the same on any, and tested above
            asked.append(one.name)
            for mistake in one.mistakes:
                assert mistake.feedback in one.check(answer_of(one, mistake.wrong)).text
    assert {"nearest", "embedding_layer", "encoder_layer", "mean_pool"} <= set(asked)


# Chapter 02, in a reader's words


def test_layer_norm_by_torch() -> None:
    def layer_norm(x: Tensor, gain: Tensor, bias: Tensor, eps: float) -> Tensor:
        return nn.functional.layer_norm(x, x.shape[-1:], gain, bias, eps)

    assert chapter_02.layer_norm.check(layer_norm)


def test_layer_norm_by_std() -> None:
    def layer_norm(x: Tensor, gain: Tensor, bias: Tensor, eps: float) -> Tensor:
        return gain * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) + bias

    text = chapter_02.layer_norm.check(layer_norm).text
    assert "The variance divides by n - 1" in text  # one mistake at a time: where eps is 0, this one is alone
    assert "    input: x = [[1, 2, 4, 5]], gain = [1, 1, 1, 1]" in text


def test_layer_norm_in_single_precision() -> None:
    def layer_norm(x: Tensor, gain: Tensor, bias: Tensor, eps: float) -> Tensor:
        return nn.functional.layer_norm(x.float(), x.shape[-1:], gain.float(), bias.float(), eps)

    assert chapter_02.layer_norm.check(layer_norm)


def test_lengths_in_other_ways() -> None:
    assert chapter_02.lengths.check(lambda table: table.norm(dim=-1))
    assert chapter_02.lengths.check(lambda table: np.linalg.norm(table.numpy(), axis=1))
    assert chapter_02.lengths.check(lambda table: [row.norm() for row in table])
    said = chapter_02.lengths.check(lambda table: table.norm(dim=-1, keepdim=True)).text
    assert (
        "The shape is (2, 1); it should be (2,): the numbers are right, but there is an axis too many."
        in said
    )


def test_nearest_in_other_ways() -> None:
    def nearest(word: str, k: int, tokens: list[str], table: Tensor) -> list[str]:
        unit = nn.functional.normalize(table, dim=-1)
        order = (unit @ unit[tokens.index(word)]).argsort(descending=True).tolist()
        return [tokens[i] for i in order if tokens[i] != word and tokens[i][0] != "["][:k]

    assert chapter_02.nearest.check(nearest)
    said = chapter_02.nearest.check(lambda *arguments: nearest(*arguments)[::-1]).text
    assert "The list is in the opposite order." in said
    assert (
        "The list should have 2 entries, yours has 1."
        in chapter_02.nearest.check(lambda word, k, tokens, table: nearest(word, k - 1, tokens, table)).text
    )


def test_embedding_layer_with_new_tables_or_with_dropout_left_on() -> None:
    class New(nn.Module):
        def __init__(self, embeddings: nn.Module) -> None:
            super().__init__()
            self.words = nn.Embedding(8, 2, dtype=torch.float64)

        def forward(self, ids: Tensor, *_: Tensor) -> Tensor:
            return self.words(ids)

    class Dropping(chapter_02.EmbeddingLayer):
        def forward(self, *inputs: Tensor) -> Tensor:  # type: ignore[override]
            return nn.functional.dropout(super().forward(*inputs), 0.5)

    for answer in (New, Dropping):
        assert (
            "other numbers each time: is dropout on, or are weights"
            in chapter_02.embedding_layer.check(answer).text
        )


DROPOUTS: dict[str, Callable[[chapter_02.EmbeddingLayer, Tensor], Tensor]] = {
    "as a module": lambda layer, x: layer.dropout(x),
    "as a function": lambda layer, x: nn.functional.dropout(x, layer.dropout.p, layer.training),
    "by hand": lambda layer, x: x * (torch.rand_like(x) > 0.25) / 0.75 if layer.training else x,
}


@pytest.mark.parametrize("kind", DROPOUTS)
def test_embedding_layer_with_any_dropout(kind: str) -> None:
    class Mine(chapter_02.EmbeddingLayer):
        def forward(self, ids: Tensor, types: Tensor | None = None, at: Tensor | None = None) -> Tensor:
            types = torch.zeros_like(ids) if types is None else types
            at = torch.arange(ids.shape[1]).expand_as(ids) if at is None else at
            return DROPOUTS[kind](
                self, self.norm(self.words(ids) + self.positions(at) + self.segments(types))
            )

    assert chapter_02.embedding_layer.check(Mine)
    assert not any(module.training for module in chapter_02._own().modules())


@pytest.mark.parametrize("mistake", chapter_02.embedding_layer.mistakes, ids=lambda one: one.feedback[:30])
def test_embedding_layer_with_a_mistake_and_dropout(mistake: _exercise._Mistake) -> None:
    """The mistakes are declared without dropout; whoever has one may well have the other."""

    class Both(nn.Module):
        def __init__(self, embeddings: BertEmbeddings) -> None:
            super().__init__()
            assert callable(mistake.wrong)
            self.layer, self.dropout = mistake.wrong(embeddings), embeddings.dropout

        def forward(self, *inputs: Tensor) -> Tensor:
            return self.dropout(self.layer(*inputs))

    if "evaluation mode" not in mistake.feedback:
        assert f"not yet. {mistake.feedback}\n" in chapter_02.embedding_layer.check(Both).text


def test_embedding_layer_without_dropout() -> None:
    class Bare(chapter_02.EmbeddingLayer):
        def __init__(self, embeddings: BertEmbeddings) -> None:
            super().__init__(embeddings)
            self.dropout = nn.Identity()  # type: ignore[assignment]

    lines = chapter_02.embedding_layer.check(Bare).text.splitlines()
    assert lines[0].endswith("in training mode BERT's layer also drops numbers: where is the dropout?")
    assert lines[1].startswith("    input: in training mode: the share of zeros")
    assert lines[2:] == ["    yours: [0, 1]", "    should be: [0.25, 1.333]"]


def test_embedding_layer_with_a_module_taken_for_a_tensor() -> None:
    class Mine(nn.Module):
        def __init__(self, embeddings: BertEmbeddings) -> None:
            super().__init__()
            self.words = embeddings.word_embeddings

        def forward(self, ids: Tensor, *_: Tensor) -> Tensor:
            return self.words[ids]  # type: ignore[index]

    lines = chapter_02.embedding_layer.check(Mine).text.splitlines()
    assert "call it, as in `self.words(input_ids)`, or take its `.weight`." in lines[0]
    assert lines[1] == "    Your code raised TypeError: 'Embedding' object is not subscriptable"
    assert "return self.words[ids]" in lines[2]


def test_sinusoidal_with_the_exponent_doubled() -> None:
    def sinusoidal(seq_len: int, hidden_size: int) -> Tensor:
        table, even_index = torch.empty(seq_len, hidden_size), torch.arange(0, hidden_size, 2)
        angles = torch.arange(seq_len)[:, None] / 10000 ** (2 * even_index / hidden_size)
        table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
        return table

    said = chapter_02.sinusoidal.check(sinusoidal).text
    assert "The exponent grows twice as fast as it should" in said


def test_layer_norm_over_the_whole_tensor_shows_an_entry() -> None:
    def layer_norm(x: Tensor, gain: Tensor, bias: Tensor, eps: float) -> Tensor:
        return gain * (x - x.mean()) / (x.var(correction=0) + eps).sqrt() + bias

    lines = chapter_02.layer_norm.check(layer_norm).text.splitlines()
    assert lines[-3:-2] == ["    first entry that differs: [0, 0, 0]"]
    yours, right = (line.split(": ")[1] for line in lines[-2:])
    assert abs(float(yours) - float(right)) > 0.01


def test_which_part_changes_is_read_generously() -> None:
    assert chapter_02.which_part_changes.check(" Position ")
    said = chapter_02.which_part_changes.check("the position").text
    assert said.endswith("'the position' is none of the choices: all, position, segment, token.")
    assert "It should be text, not an int." in chapter_02.which_part_changes.check(3).text


# The framework


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


def test_right(double: Exercise, capsys: pytest.CaptureFixture[str]) -> None:
    assert double.check(lambda values: values + values)
    assert capsys.readouterr().out == "double: right, on 2 inputs. Well done.\n"


def test_the_decorator_form_of_mistake(double: Exercise) -> None:
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
    "an unknown one": (
        lambda values: values * 3,
        ["Every number is 1.5 times what it should be.", INPUT, "    yours: [3, 6]", "    should be: [2, 4]"],
    ),
    "one that shows late": (
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
def test_feedback(double: Exercise, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer, expected = FRAMEWORK[kind]
    verdict = double.check(answer)
    assert verdict.passed is False
    assert verdict.text.splitlines()[: len(expected)] == [f"double: not yet. {expected[0]}", *expected[1:]]
    assert len(verdict.text.splitlines()) == len(expected) or kind == "chance"
    assert capsys.readouterr().out == f"{verdict.text}\n"


def test_chance_that_gives_the_same_twice_is_told_too(
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


def test_the_line_number_is_that_of_the_cell(double: Exercise) -> None:
    cell = (
        "import torch\n\ndef mine(values):\n    rows = values[:, None]\n    return torch.cat(rows, dim=9)\n"
    )
    linecache.cache["<cell 3>"] = (len(cell), None, cell.splitlines(keepends=True), "<cell 3>")
    space: dict[str, Callable[..., object]] = {}
    exec(compile(cell, "<cell 3>", "exec"), space)  # type: ignore[arg-type] # noqa: S102
    assert "\n    in line 5: return torch.cat(rows, dim=9)\n" in double.check(space["mine"]).text


def test_an_error_where_the_typical_mistake_raises_too(double: Exercise) -> None:
    double.mistake("There is no fifth.", lambda values: values[5])
    text = double.check(raises).text
    assert text.startswith("double: not yet. There is no fifth.\n    Your code raised IndexError: index 5")


def test_an_operation_that_torch_lacks_is_an_answer(
    double: Exercise, capsys: pytest.CaptureFixture[str]
) -> None:
    """`chosen & toss < 0.8` raises NotImplementedError too, and not because nothing is written yet."""
    assert double.check(lambda _: torch.tensor([True]) & torch.tensor([0.5])).passed is False
    assert "not implemented for" in capsys.readouterr().out


def test_the_inputs_are_fresh_each_time(double: Exercise) -> None:
    double.check(changes_its_input)
    assert double.check(lambda values: 2 * values)


def test_rows_that_an_answer_changes_do_not_change_for_the_reference() -> None:
    def lengths(rows: list[list[int]]) -> list[int]:
        """Give the length of each row."""
        return [len(row) for row in rows]

    def lengths_of_filled(rows: list[list[int]]) -> list[int]:
        for row in rows:
            row += [0] * (max(map(len, rows)) - len(row))
        return [len(row) for row in rows]

    made = exercise(cases=lambda: [Case([[1, 2, 3], [4]])], hints=())(lengths)
    assert made.check(lengths)
    assert not made.check(lengths_of_filled)


def test_tensors_in_a_list_that_an_answer_changes_do_not_change_for_the_reference() -> None:
    def halves(values: list[Tensor]) -> list[Tensor]:
        """Give half of each tensor that is long, and others as they are."""
        return [one / 2 if one.norm() > 1 else one for one in values]

    def halves_in_place(values: list[Tensor]) -> list[Tensor]:
        return [one.div_(2) if one.norm() > 1 else one for one in values]

    made = exercise(
        cases=lambda: [Case([torch.tensor([1.5, 0.0]), torch.zeros(2)])],
        hints=(),
        call=lambda answer, values: torch.stack(answer(values)),
    )(halves)
    assert made.check(halves)
    said = made.check(halves_in_place)
    assert not said
    assert "The result is right, but values itself was changed" in said.text


def test_a_right_answer_in_place_is_not_told_of_a_mistake_that_gives_the_same(double: Exercise) -> None:
    made = exercise(cases=lambda: [Case(torch.tensor([2.0, 2.0])), Case(torch.ones(1))], hints=())(
        double.reference
    )
    made.mistake("That is the square.", lambda values: values**2)
    assert "itself was changed" in made.check(lambda values: values.mul_(2)).text


def test_hints_come_one_by_one(double: Exercise, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(4):
        double.hint()
    last = "double: no more hints. One way to do it: exercises.double.solution()"
    assert capsys.readouterr().out.splitlines() == [
        "double, hint 1 of 2: What is 2 + 2?",
        "double, hint 2 of 2, the last: Multiply.",
        last,
        last,
    ]


def test_a_question_with_a_number() -> None:
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


class Parser(HTMLParser):
    """Collects the text and the tags of some HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.tags = "", []  # type: str, list[str]

    def handle_data(self, data: str) -> None:
        """Add text."""
        self.text += data

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Add a tag."""
        self.tags.append(tag)


@pytest.mark.parametrize(("one", "name"), ALL)
def test_a_solution_is_folded_and_complete(one: Exercise, name: str) -> None:
    solution = one.solution()
    html = solution._repr_html_()
    parser = Parser()
    parser.feed(html)
    assert parser.text == f"One solution of {name}{solution!r}"
    assert parser.tags[:4] == ["details", "summary", "code", "pre"]
    assert set(parser.tags) == {"details", "summary", "code", "pre", "span"}
    assert "<details open" not in html
    assert '<span style="color: #0000c0">return</span>' in html


def test_highlighting_leaves_f_strings_plain_on_every_python() -> None:
    source = 'x = f"{1 if y else 2} <b>"  # why\nz = "for" if y else rf\'n\'\n'
    html = _exercise._highlighted(source)
    assert re.sub("<[^>]*>", "", html) == source.replace("<", "&lt;").replace(">", "&gt;")
    assert '<span style="color: #a31515">"for"</span>' in html
    assert '<span style="color: #5a6b5a"># why</span>' in html


# In what two results differ

EXPECTED = torch.arange(6.0).reshape(2, 3) + 1
DIFFERENCES: list[tuple[object, object, str | None]] = [
    (EXPECTED, EXPECTED, None),
    (EXPECTED.numpy(), EXPECTED, None),
    (EXPECTED.tolist(), EXPECTED, None),
    (EXPECTED.requires_grad_(), EXPECTED, None),
    (EXPECTED + 1e-7, EXPECTED, None),
    (EXPECTED.T, EXPECTED, "is (3, 2); it should be (2, 3): the numbers are right, but transposed."),
    (EXPECTED[None], EXPECTED, "is (1, 2, 3); it should be (2, 3): the numbers are right, but there is an"),
    (EXPECTED.flatten(), EXPECTED, "is (6,); it should be (2, 3): the numbers are right, but an axis is"),
    (torch.zeros(3, 2), EXPECTED, "The shape is (3, 2); it should be (2, 3): are two axes swapped?"),
    (EXPECTED[:1], EXPECTED, "The shape is (1, 3); it should be (2, 3)."),
    (torch.zeros(2, 3, 4), torch.zeros(4, 2, 3), "with its axes in another order, try (2, 0, 1)."),
    (EXPECTED.long(), EXPECTED, "The numbers are int64; they should be floating point."),
    (EXPECTED, EXPECTED.long(), "The numbers are float64; they should be whole (int64)."),
    (-EXPECTED, EXPECTED, "Every number has the opposite sign of what it should be."),
    (EXPECTED * 8**-0.5, EXPECTED, "Every number is 0.354 times what it should be."),
    (EXPECTED - 0.5, EXPECTED, "Every number is too small by 0.5."),
    (EXPECTED.flip(0), EXPECTED, "The rows are in the opposite order."),
    (EXPECTED[:, [1, 2, 0]], EXPECTED, "The right columns, in another order."),
    (np.array([1.0, 1, 0, 0]), np.array([1.0, 0, 1, 0]), "Only places 1, 2 (counted from 0) of 4 differ."),
    (EXPECTED * torch.tensor([[1.0], [2.0]]), EXPECTED, "Only row 1 (counted from 0) of 2 differs."),
    (EXPECTED + torch.tensor([0.0, 1.0, 3.0]), EXPECTED, "Only columns 1, 2 (counted from 0) of 3 differ."),
    (EXPECTED**2, EXPECTED + 1, "The numbers differ, most at [1, 2]: yours is 36, it should be 7."),
    (EXPECTED / 0, EXPECTED, "6 of 6 numbers are NaN or infinite: is something divided by zero?"),
    (torch.full((2,), torch.nan), torch.full((2,), torch.nan), None),
    (torch.zeros(2, 2), torch.eye(2), "The numbers differ, most at [0, 0]: yours is 0, it should be 1."),
    (3, 4.0, "The number is 0.75 times what it should be."),
    (10_003, 10_000, "It is 10,003; that is too large."),
    (9, 2, "It is 9; that is too large."),
    ("text", 4.0, "It should be a number, not a str."),
    ([[1.0], [1.0, 2.0]], EXPECTED, "It should be an array of shape (2, 3), not a list."),
    (True, True, None),
    (False, True, "It should be True."),
    (1.0, 0.0, "It is 1; that is too large."),
    (np.array([1, 2]), {"a": 2}, "It should be a dictionary"),
    (torch.zeros(0), torch.zeros(2, 0), "The shape is (0,); it should be (2, 0)"),
    (torch.zeros(2, dtype=torch.complex64), torch.zeros(2), "shape (2,), not a Tensor."),
    (["a", "b"], ["a", "b"], None),
    (("b", "a"), ["a", "b"], "The list is in the opposite order."),
    (["b", "c", "a"], ["a", "b", "c"], "The right entries, in another order."),
    (["a", "d"], ["a", "b"], "'d' should not be there."),
    (["a", "a"], ["a", "b"], "An entry is there twice."),
    (["a"], ["a", "b"], "The list should have 2 entries, yours has 1."),
    ([1, 2], ["a", "b"], "It should be a list of strings, not a list of int."),
    ("ab", ["a", "b"], "It should be a list of strings, not a str."),
    ((1.0, 2.0), (1.0, 2.0), None),
    ((1.0, 4.0), (1.0, 2.0), "Result 1 (from 0): The number is 2 times what it should be."),
    (1.0, (1.0, 2.0), "It should be 2 things, yours is a float."),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}, None),
    ({"a": 1}, {"a": 2}, "Entry 'a': It is 1; that is too small."),
    ({"a": 1}, {"b": 1}, "It should be a dictionary with the keys 'b'."),
    (None, None, None),
    (0, None, "It should be None."),
]  # fmt: skip


@pytest.mark.parametrize(("actual", "expected", "said"), DIFFERENCES)
def test_difference(actual: object, expected: object, said: str | None) -> None:
    found = difference(actual, expected)
    assert (found is None) == (said is None)
    assert said is None or (found is not None and said in found)


def test_beside() -> None:
    table = torch.zeros(4, 5)
    other = table.clone()
    other[2, 3:] = 1e-3
    assert beside(other, table) == ["first entry that differs: [2, 3]", "yours: 0.001", "should be: 0"]
    assert beside(table.log(), table)[1:] == ["yours: -inf", "should be: 0"]
    assert beside(table == 1, table == 0)[1:] == ["yours: 0", "should be: 1"]
    shape = "float64 of shape (4, 5)"
    assert beside(table, table) == [f"yours: {shape}", f"should be: {shape}"]
    assert beside(table[1:], table) == ["yours: float64 of shape (3, 5)", f"should be: {shape}"]
    assert beside("a", table) == ["yours: 'a'", f"should be: {shape}"]


def test_show() -> None:
    assert show(torch.tensor([[1.0, -0.0], [1 / 3, 1e-9]])) == "[[1, 0], [0.3333, 1e-09]]"
    assert show(torch.tensor([1, 2])) == "[1, 2]"
    assert show(torch.zeros(4, 5)) == "float64 of shape (4, 5)"
    assert show(["a"] * 40) == "40 strings"
    assert show(nn.Identity()) == "Identity"
    assert show(True) == "True"


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=3)
    | st.just(torch.zeros(2, 3)),
    lambda inner: (
        st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(st.text(max_size=1), inner)
    ),
    max_leaves=6,
)


@given(actual=ANYTHING, expected=ANYTHING)
@settings(max_examples=300, deadline=None)
def test_any_two_things_can_be_compared_and_shown(actual: object, expected: object) -> None:
    found = difference(actual, expected)
    assert found is None or found.endswith((".", "?"))
    assert (difference(actual, expected, cause=False) is None) == (found is None)
    assert "\n" not in show(actual)


@pytest.mark.parametrize("module", [bertviz_lite.exercises, _exercise, _feedback])
def test_the_examples_in_the_docstrings(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


# In a notebook


@pytest.mark.slow
def test_in_a_notebook(tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient").NotebookClient
    cells = [
        "from bertviz_lite import load\nfrom bertviz_lite.chapters.chapter_02 import exercises",
        "def lengths(table):\n    rows = table[:, 0, 0]\n    return rows",
        "exercises.lengths.check(lengths)",
        "exercises.lengths.check(...)",
        "assert exercises.lengths.check(lambda table: table.norm(dim=-1))\nexercises.lengths.passed",
        "exercises.lengths.hint()",
        "exercises.lengths.solution()",
        "load('no/such/folder')",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client(
        notebook, timeout=120, allow_errors=True, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    outputs = [cell.outputs for cell in notebook.cells]
    assert outputs[:2] == [[], []]
    (wrong,), (missing,), (right, passed), (hint,), (solution,), (error,) = outputs[2:]
    assert wrong.text == textwrap.dedent(
        """\
        lengths: not yet. Your code raised IndexError: too many indices for tensor of dimension 2
            in line 2: rows = table[:, 0, 0]
            input: table = [[3, 4, 0], [0, -2, 0]]
        """
    )
    assert missing.text.startswith("lengths: not answered yet.")
    assert right.text == "lengths: right, on 3 inputs.\n"
    assert passed.data["text/plain"] == "True"
    assert hint.text.startswith("lengths, hint 1 of 2: ")
    assert solution.data["text/html"].startswith("<details><summary>")
    assert solution.data["text/plain"].startswith("def lengths(table: Tensor) -> Tensor:\n")
    assert error.ename == "ModelError"
    assert error.traceback == [f"ModelError: {error.evalue}"]
