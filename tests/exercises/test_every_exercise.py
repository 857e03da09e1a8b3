"""Every exercise of every chapter: its solution passes, each typical mistake gets its own sentence."""

from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from torch import nn
from transformers import BertForPreTraining

from bertviz_lite import ModelError
from bertviz_lite.exercises import Exercise, course_model, loaded
from tests.helpers.exercises import ALL, CHAPTERS, answer_of, exercises_of, is_question, own_answer
from tests.helpers.tiny_models import make, save

FUNCTIONS = [entry.values[0] for entry in ALL if not is_question(entry.values[0])]
MISTAKES = [
    pytest.param(*entry.values, index, id=f"{entry.id}-{index}")
    for entry in ALL
    for index in range(len(entry.values[0].mistakes))
]


@pytest.fixture(scope="module", autouse=True)
def _small_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let the exercises load a model of a few thousand weights."""
    folder = save(tmp_path_factory.mktemp("model") / "tiny", make(BertForPreTraining))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BERTVIZ_LITE_MODEL", str(folder))
        yield
    course_model.load_once.cache_clear()


@pytest.mark.parametrize(("exercise", "name"), ALL)
def test_an_answer_as_the_solution_passes(
    exercise: Exercise, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    verdict = exercise.check(own_answer(exercise))
    assert verdict
    assert exercise.passed is True
    assert capsys.readouterr().out.startswith(f"{name}: right")


@pytest.mark.parametrize(("exercise", "name", "index"), MISTAKES)
def test_a_typical_mistake_gets_its_own_sentence(exercise: Exercise, name: str, index: int) -> None:
    mistake = exercise.mistakes[index]
    verdict = exercise.check(answer_of(exercise, mistake.wrong))
    assert not verdict
    assert exercise.passed is False
    assert verdict.text.splitlines()[0] == f"{name}: not yet. {mistake.feedback}"


@pytest.mark.parametrize(("exercise", "name"), ALL)
def test_no_answer_is_no_mistake(exercise: Exercise, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for answer in (..., None):
        verdict = exercise.check(answer)
        assert not verdict
        assert exercise.passed is None
    assert not exercise.check()
    message = f"{name}: not answered yet. For a hint: exercises.{name}.hint()\n"
    assert capsys.readouterr().out == 3 * message


@pytest.mark.parametrize(("exercise", "name"), ALL)
def test_an_exercise_has_mistakes_hints_a_statement_and_a_solution(exercise: Exercise, name: str) -> None:
    assert exercise.name == name
    assert len(exercise.mistakes) >= 3
    assert len({mistake.feedback for mistake in exercise.mistakes}) == len(exercise.mistakes)
    assert len(exercise.hints) >= 2
    assert exercise.statement.splitlines()[0].endswith(".")
    assert repr(exercise).startswith(f"{name}: ")
    source = repr(exercise.solution())
    assert source.startswith(("def ", "class "))
    compile(source, "solution", "exec")


@pytest.mark.parametrize("exercise", FUNCTIONS, ids=lambda exercise: exercise.name)
def test_a_stub_counts_as_no_answer(exercise: Exercise) -> None:
    head = repr(exercise.solution()).split('"""')[0]
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
        exercise.check(space["Stub" if "Stub" in space else "stub"])
        assert exercise.passed is None, stub


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("name", ["pocket", "minilm"])
def test_the_same_holds_on_trained_models(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERTVIZ_LITE_MODEL", name)
    try:
        loaded()
    except ModelError as error:
        pytest.skip(str(error))
    read_by = []
    for chapter in CHAPTERS:
        for exercise in exercises_of(chapter).values():
            before = sum(course_model.load_once.cache_info()[:2])
            assert exercise.check(own_answer(exercise))
            if sum(course_model.load_once.cache_info()[:2]) == before:
                continue  # no model is loaded: the same on any, and tested above
            read_by.append(exercise.name)
            for mistake in exercise.mistakes:
                assert mistake.feedback in exercise.check(answer_of(exercise, mistake.wrong)).text
    assert {"embedding_layer", "encoder_layer", "max_pool"} <= set(read_by)


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


@pytest.mark.parametrize(("exercise", "name"), ALL)
def test_a_solution_is_folded_and_complete(exercise: Exercise, name: str) -> None:
    solution = exercise.solution()
    html = solution._repr_html_()
    parser = Parser()
    parser.feed(html)
    assert parser.text == f"One solution of {name}{solution!r}"
    assert parser.tags[:4] == ["details", "summary", "code", "pre"]
    assert set(parser.tags) == {"details", "summary", "code", "pre", "span"}
    assert "<details open" not in html
    assert '<span style="color: #0000c0">return</span>' in html
