"""The mutants can be made, and the tool that tries them tells caught from survived, slow and broken."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest
from mutants import command, stored
from mutants.changed_import import MADE, VARIABLE
from mutants.changes import MUTANTS
from mutants.mutant import Mutant
from mutants.trying import ROOT, STARTUP, Outcome, judge, run

THE_LOCKS = (
    f"transformers=={version('transformers')}" in (ROOT / "requirements.lock").read_text("utf-8").split()
)
MINE = Mutant("mine", "wrong", "bertviz_lite.evaluation.intervals", "z * z", "z", ("tests/a.py::test",))


def test_there_are_sixty_or_more_half_of_each_and_every_name_is_once() -> None:
    rooms = Counter(mutant.room for mutant in MUTANTS)
    assert set(rooms) == {"bertviz_lite", "transformers"}
    assert min(rooms.values()) >= 30
    assert max(Counter(mutant.name for mutant in MUTANTS).values()) == 1


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_can_be_made_and_its_tests_are_there(mutant: Mutant) -> None:
    for test in mutant.tests:
        file, _, name = test.partition("::")
        assert (ROOT / file).is_file(), test
        assert not name or re.search(rf"^def {name}\(", (ROOT / file).read_text("utf-8"), re.MULTILINE), test
    if mutant.room == "transformers" and not THE_LOCKS:
        pytest.skip("they are made for the lock's transformers")
    source = stored.file_of(mutant.module).read_text(encoding="utf-8")
    assert source.count(mutant.old) == 1
    assert mutant.new != mutant.old
    compile(source.replace(mutant.old, mutant.new), mutant.name, "exec")


@pytest.mark.parametrize(
    ("old", "printed", "note"),
    [("1", "2", MADE), ("3", "", "the piece to change is 0 times in some_module, not once"), ("", "1", None)],
)
def test_a_fresh_process_imports_the_changed_source_and_the_file_stays(
    old: str, printed: str, note: str | None, tmp_path: Path
) -> None:
    module = tmp_path / "some_module.py"
    module.write_text("number = 1\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(STARTUP), str(tmp_path)))}
    change = {"module": "some_module", "old": old, "new": "2", "note": str(tmp_path / "note")}
    if old:
        environment[VARIABLE] = json.dumps(change)
    for _ in range(2):  # stored bytecode must not bring the old source back
        result = subprocess.run(
            [sys.executable, "-c", "import some_module; print(some_module.number)"],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert result.stdout.strip() == printed
    assert module.read_text(encoding="utf-8") == "number = 1\n"
    assert ((tmp_path / "note").read_text("utf-8") if note else None) == note


@pytest.mark.parametrize(
    ("code", "output", "note", "kind", "by"),
    [
        (1, "FAILED tests/a.py::test_b - assert\n1 failed", MADE, "caught", "tests/a.py::test_b"),
        (0, "1 passed", MADE, "survived", ""),
        (None, "", MADE, "too slow", "the time limit came first"),
        (2, "1 error", MADE, "broken", "exit status 2: 1 error"),
        (1, "1 failed", None, "broken", "the changed module was not imported: 1 failed"),
        (1, "1 failed", "no Python", "broken", "no Python"),
    ],
)
def test_only_a_test_that_ran_and_failed_has_noticed(
    code: int | None, output: str, note: str | None, kind: str, by: str
) -> None:
    assert judge(code, output, note) == (kind, by)


def test_what_takes_too_long_is_ended_with_all_that_it_started() -> None:
    program = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"
    begun = time.monotonic()
    assert run([sys.executable, "-c", program], dict(os.environ), 0.3)[0] is None
    assert time.monotonic() - begun < 30


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Have two mutants, which are not really tried; return the names of those that were."""
    names: list[str] = []

    def try_mutant(mutant: Mutant, limit: float) -> Outcome:
        names.append(mutant.name)
        kinds = {"other": "survived", "slow": "too slow"}
        return Outcome(kinds.get(mutant.name, "caught"), "", limit)

    monkeypatch.setattr(command, "MUTANTS", (MINE, replace(MINE, name="other")))
    monkeypatch.setattr(command, "try_mutant", try_mutant)
    monkeypatch.setattr(stored, "STORE", tmp_path / "mutants.json")
    return names


def test_what_was_tried_is_kept_and_what_has_changed_is_tried_again(
    tried: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--no-baseline", "--only", "mine"]) == 0
    assert command.main(["--no-baseline"]) == 1  # one of two survived
    assert tried == ["mine", "other"]
    assert "1 of 2 caught" in capsys.readouterr().out
    monkeypatch.setattr(command, "MUTANTS", (replace(MINE, new="2 * z"),))
    assert command.main(["--no-baseline"]) == 0
    assert tried == ["mine", "other", "mine"]


def test_what_was_too_slow_is_tried_again(tried: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "MUTANTS", (replace(MINE, name="slow"),))
    assert command.main(["--no-baseline"]) == 1
    assert command.main(["--no-baseline"]) == 1
    assert tried == ["slow", "slow"]


def test_without_tests_that_pass_nothing_is_tried(tried: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> tuple[int, str]:
        return 1, "1 failed"

    monkeypatch.setattr(command, "run", fails)
    assert command.main([]) == 2
    assert tried == []


def test_a_name_that_no_mutant_has_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--only", "zzz"]) == 2
    assert capsys.readouterr().err == "no mutant is called zzz: --list names them\n"


def test_a_mutant_that_is_broken_or_too_many_that_survive_fail_the_run() -> None:
    def verdict(caught: int, other: str) -> int:
        kinds = [*["caught"] * caught, other]
        return command.verdict(
            {replace(MINE, name=str(n)): Outcome(kind, "", 1) for n, kind in enumerate(kinds)}
        )

    assert verdict(19, "survived") == 0
    assert verdict(18, "survived") == 1
    assert verdict(18, "too slow") == 1
    assert verdict(99, "broken") == 1
