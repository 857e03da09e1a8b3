"""Students' answers, graded: the right ones pass, no trick does, and nothing stops the others."""

from __future__ import annotations

import copy
import csv
import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bertviz_lite.exercises.grading.__main__ import main
from bertviz_lite.exercises.grading.grading import Limits, grade
from bertviz_lite.exercises.grading.results import FAILED, NOT_ANSWERED, PASSED, TAMPERED, UNREADABLE, Result
from bertviz_lite.exercises.grading.sandbox.parent import Sandbox
from tests.helpers.class_work import CHAPTER, handed_in, handout_at, student

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bertviz_lite.exercises.grading.submissions import Handout

RIGHT = {
    "weights_in_all": "my_weights_in_all = 7 * 7 * 5 * 3",
    "softmax_row": """
def softmax_row(scores):
    powers = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    return powers / powers.sum(-1, keepdim=True)
""",
    "split_heads": """
def split_heads(hidden_states, num_heads):
    b, n, h = hidden_states.shape
    return hidden_states.view(b, n, num_heads, -1).permute(0, 2, 1, 3)
""",
    "causal_head": """
def causal_head(query, key, value):
    n = query.shape[-2]
    scores = query @ key.mT / query.shape[-1] ** 0.5
    late = torch.ones(n, n).triu(1).bool()
    return softmax_row(scores.masked_fill(late, float("-inf"))) @ value
""",
}
SECONDS = 1.5  # of the processor's time: an endless loop takes as much


@pytest.fixture(scope="module")
def handout(tmp_path_factory: pytest.TempPathFactory) -> Handout:
    return handout_at(tmp_path_factory.mktemp("handout") / "03_attention.ipynb")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


@pytest.fixture(scope="module")
def graded(handout: Handout, sandbox: Sandbox) -> Callable[..., dict[str, Result]]:
    """Grade a notebook; return the results by exercises."""

    def run(notebook: dict[str, Any]) -> dict[str, Result]:
        limits = Limits(seconds=SECONDS, megabytes=1000)
        return {one.exercise: one for one in grade(handed_in(handout, notebook), sandbox, limits)}

    return run


def test_right_answers_pass_with_helpers_from_other_cells(
    handout: Handout, graded: Callable[..., dict[str, Result]]
) -> None:
    answers = RIGHT | {"split_heads": "split_heads = in_parts"}
    extra = RIGHT["split_heads"].replace("def split_heads", "def in_parts")
    results = graded(student(handout, answers, extra=extra))
    assert [(one.result, one.message) for one in results.values()] == [(PASSED, "")] * 4
    assert [one.student for one in results.values()] == ["ana"] * 4


def test_wrong_answers_are_told_what_is_wrong_and_empty_ones_are_no_mistakes(
    handout: Handout, graded: Callable[..., dict[str, Result]]
) -> None:
    results = graded(
        student(
            handout,
            {
                "weights_in_all": "my_weights_in_all = 5 * 7 * 7",
                "softmax_row": "def softmax_row(scores):\n    return scores.softmax(-1)",
                "split_heads": "def split_heads(hidden_states, num_heads):\n    return hidden_staets",
            },
        )
    )
    assert {name: one.result for name, one in results.items()} == {
        "weights_in_all": FAILED,
        "softmax_row": FAILED,
        "split_heads": FAILED,
        "causal_head": NOT_ANSWERED,
    }
    assert results["weights_in_all"].message == "That is one layer; there are three."
    assert "torch's own softmax" in results["softmax_row"].message
    assert results["split_heads"].message == (
        "its code raised NameError: name 'hidden_staets' is not defined in line 2: return hidden_staets"
    )


def during(*lines: str) -> str:
    """Return an answer that does something while it runs."""
    return "\n    ".join(["def split_heads(hidden_states, num_heads):", *lines, "return hidden_states"])


TRICKS = {
    "an endless loop": during("while True: pass"),
    "the end of Python": during("import sys; sys.exit(0)"),
    "the end of the process": during("import os; os._exit(0)"),
    "a crash": during("import faulthandler; faulthandler._sigsegv()"),
    "all memory": during("x = torch.ones(10**9)"),
    "killing the grader": during("import os; os.kill(os.getppid(), 9)"),
    "a shell": during("import subprocess; subprocess.run(['ls'])"),
    "the network": during("import socket; socket.create_connection(('127.0.0.1', 9))"),
    "a file elsewhere": during("open('/tmp/left_behind', 'w')"),
    "the reference": "split_heads = exercises.split_heads.reference",
    "the reference, called": "split_heads = lambda *a: exercises.split_heads.reference(*a)",
    "the reference, in secret": "split_heads = getattr(exercises.split_heads, 'refer' + 'ence')",
    "the module of the solution": """
from bertviz_lite.chapters.chapter_03.exercises import splitting
split_heads = splitting.split_heads""",
    "the file of the solution": """
import bertviz_lite, pathlib
place = pathlib.Path(bertviz_lite.__file__).parent / "chapters/chapter_03/exercises/splitting.py"
split_heads = compile(place.read_text(), "answer", "exec")""",
    "the garbage of Python": """
import gc
split_heads = [f for f in gc.get_objects() if getattr(f, "__name__", "") == "split_heads"][0]""",
    "the exercise itself": "split_heads = exercises.split_heads",
    "another check": "exercises.split_heads.check = lambda answer: True\n" + during(),
    "a comparison that is always right": """
class Same(torch.Tensor):
    def __eq__(self, other): return True
    detach = cpu = double = lambda self: self
def split_heads(hidden_states, num_heads):
    return Same(hidden_states)""",
    "no Python": "def split_heads(hidden_states, num_heads)\n    return 1",
    "nothing": "",
}
OUTCOMES = {
    "an endless loop": (FAILED, "ran longer than 1.5 seconds"),
    "the end of Python": (FAILED, "its code raised SystemExit: 0"),
    "the end of the process": (FAILED, "ended the process"),
    "a crash": (FAILED, "ended the process"),
    "all memory": (FAILED, "its code raised" if sys.platform == "linux" else ""),  # elsewhere it has no limit
    "killing the grader": (TAMPERED, "call os.kill"),
    "a shell": (TAMPERED, "call subprocess.Popen"),
    "the network": (FAILED, "may not use the network"),
    "a file elsewhere": (FAILED, "may not write left_behind"),
    "the reference": (TAMPERED, "takes exercises.split_heads.reference"),
    "the reference, called": (TAMPERED, "takes exercises.split_heads.reference"),
    "the reference, in secret": (TAMPERED, "tried to use split_heads.reference"),
    "the module of the solution": (TAMPERED, "tried to use exercises.splitting"),
    "the file of the solution": (TAMPERED, "tried to read splitting.py"),
    "the garbage of Python": (TAMPERED, "call gc.get_objects"),
    "the exercise itself": (FAILED, "Give the function itself"),
    "another check": (TAMPERED, "replaces exercises.split_heads.check"),
    "a comparison that is always right": (FAILED, ""),
    "no Python": (FAILED, "its cell is no Python"),
    "nothing": (NOT_ANSWERED, "the cell for the answer is missing"),
}


@pytest.mark.parametrize("trick", TRICKS)
def test_no_trick_passes(trick: str, handout: Handout, graded: Callable[..., dict[str, Result]]) -> None:
    result, message = OUTCOMES[trick]
    found = graded(student(handout, {"split_heads": TRICKS[trick]}))["split_heads"]
    assert found.result == result, found
    assert message in found.message


def test_a_copied_solution_does_not_pass(handout: Handout, graded: Callable[..., dict[str, Result]]) -> None:
    from bertviz_lite.chapters.chapter_03 import exercises

    source = "from torch import Tensor\n\n" + repr(exercises.split_heads.solution())
    found = graded(student(handout, {"split_heads": source}))["split_heads"]
    assert found.result == TAMPERED
    assert found.message == "it is the course's own solution (the answer itself would pass)"


def test_a_copy_of_the_chapter_is_graded_like_the_handout(graded: Callable[..., dict[str, Result]]) -> None:
    notebook = copy.deepcopy(CHAPTER)
    cells = {cell["id"]: cell for cell in notebook["cells"]}
    cells["ex-count"]["source"] = "exercises.weights_in_all.check(5 * 3 * 49)"
    cells["ex-split"]["source"] = "exercises.split_heads.check(exercises.split_heads.reference)"
    cells["ex-softmax"]["source"] = f"{RIGHT['softmax_row']}\nexercises.softmax_row.check(softmax_row)"
    for cell in notebook["cells"]:
        del cell["id"]  # an older form of notebooks
    results = graded(notebook)
    assert [one.result for one in results.values()] == [PASSED, PASSED, TAMPERED, NOT_ANSWERED]


def test_a_changed_or_missing_check_does_not_pass(
    handout: Handout, graded: Callable[..., dict[str, Result]]
) -> None:
    notebook = student(handout, RIGHT)
    cells = {cell["id"]: cell for cell in notebook["cells"]}
    cells["check-split_heads"]["source"] = "exercises.split_heads.check(exercises.split_heads.reference)"
    notebook["cells"].remove(cells["check-softmax_row"])
    results = graded(notebook)
    assert [one.result for one in results.values()] == [PASSED, TAMPERED, TAMPERED, PASSED]
    assert results["softmax_row"].message.startswith("the cell that checks it is missing")
    assert results["split_heads"].message.startswith("the cell that checks it was changed")


@pytest.mark.slow
def test_an_endless_loop_is_ended_where_no_process_can_fork(handout: Handout) -> None:
    notebook = student(handout, {"split_heads": TRICKS["an endless loop"]})
    with Sandbox(fork=False) as sandbox:
        results = list(grade(handed_in(handout, notebook), sandbox, Limits(seconds=SECONDS)))
    assert [one.result for one in results] == [NOT_ANSWERED, NOT_ANSWERED, FAILED, NOT_ANSWERED]


def test_a_class_is_graded_to_a_table_whatever_one_of_them_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    handout = handout_at(tmp_path / "handout" / "03_attention.ipynb", CHAPTER)
    handout.path.parent.mkdir()
    handout.path.write_text(json.dumps(handout.notebook), encoding="utf-8")
    folder = tmp_path / "class"
    kill = during("import os", "for each in (os.getppid(), os.getpid()): os.kill(each, 9)")
    look = during("open('" + (folder / "=ana" / "03_attention.ipynb").as_posix() + "').read()")
    for name, answers in {
        "=ana": RIGHT,
        "ben": {"split_heads": kill},
        "carla": RIGHT,
        "eve": {"split_heads": look},
    }.items():
        (folder / name).mkdir(parents=True)
        text = json.dumps(student(handout, answers))
        (folder / name / "03_attention.ipynb").write_text(text, encoding="utf-8")
    (folder / "dan_03_attention.ipynb").write_text("{", encoding="utf-8")
    assert main([str(folder), "--handout", str(handout.path.parent), "--seconds", str(SECONDS)]) == 1
    printed = capsys.readouterr()
    assert "is not JSON" in printed.err
    assert "split_heads     2 of 5" in printed.out
    _, _, of_tampered = printed.out.partition("tampered  chapter")
    assert [line.split()[0] for line in of_tampered.splitlines()[1:3]] == ["ben", "eve"]
    assert "its code tried to read 03_attention.ipynb" in of_tampered
    assert printed.out.endswith("grades.csv: 20 answers\n")
    with (folder / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["student", "chapter", "exercise", "result", "message"]
    assert len(rows) == 1 + 5 * 4
    assert {tuple(row[:4]) for row in rows if row[0] == "'=ana"} == {
        ("'=ana", "03_attention", name, PASSED) for name in RIGHT
    }
    assert [row[3] for row in rows if row[0] == "ben"] == [NOT_ANSWERED, NOT_ANSWERED, TAMPERED, NOT_ANSWERED]
    assert [row[3] for row in rows if row[0] == "carla"] == [PASSED] * 4
    assert [row[3:] for row in rows if row[0] == "eve"][2] == [
        TAMPERED,
        "its code tried to read 03_attention.ipynb",
    ]
    assert [row[3] for row in rows if row[0] == "dan"] == [UNREADABLE] * 4
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no/folder"], "there is no folder no/folder."),
        (["."], "there is no handout in none"),
    ],
)
def test_what_cannot_be_graded_is_said_in_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--handout", "none"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
