"""The set-up on machines that lack something: one clear line, and never half an environment."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import setup_environment
from setup_environment import Environment, SetupError, last_line

ROOT = Path(__file__).resolve().parents[2]
SHELL = shutil.which("sh")
needs_shell = pytest.mark.skipif(
    os.name == "nt" or SHELL is None, reason="stand-ins for Python are shell scripts"
)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a folder, with a space in its name, that has what the set-up reads."""
    folder = tmp_path / "a clone"
    (folder / "tools").mkdir(parents=True)
    shutil.copy(ROOT / "tools/setup.sh", folder / "tools")
    for name in ("pyproject.toml", "requirements.lock", "requirements-real.lock"):
        shutil.copy(ROOT / name, folder)
    # stands in for the slow part: says which Python runs it and with what
    (folder / "tools/setup_environment.py").write_text(
        "import sys; print('set up by', '%d.%d' % sys.version_info[:2], *sys.argv[1:])", encoding="utf-8"
    )
    return folder


@pytest.fixture
def pythons(tmp_path: Path) -> Path:
    """Return the only folder on PATH: the few commands that the script needs, and no Python."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "dirname"):
        (folder / name).symlink_to(str(shutil.which(name)))
    return folder


def stand_in(folder: Path, name: str, change: str = "pass") -> Path:
    """Write a Python called ``name`` that runs ``change`` before the code given by -c."""
    path = folder / name
    code = f"import sys; {change}; exec(sys.argv[1])"
    judge = f'[ "$1" = -c ] && exec "{sys.executable}" -c "{code}" "$2"'
    path.write_text(f'#!{SHELL}\n{judge}\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


OLD, NEW = "sys.version_info = (3, 9, 2)", "sys.version_info = (3, 15, 0)"
NO_VENV = "sys.modules['ensurepip'] = None"


def set_up(
    clone: Path, pythons: Path, python: str = "", lock: str = "requirements.lock"
) -> tuple[int, str, str]:
    """Run setup.sh with ``pythons`` as PATH; return its status, output and errors."""
    answer = subprocess.run(
        [str(SHELL), str(clone / "tools/setup.sh"), lock],
        env={"PATH": str(pythons), "PYTHON": python},
        capture_output=True,
        text=True,
        check=False,
    )
    return answer.returncode, answer.stdout.strip(), answer.stderr.strip()


@needs_shell
def test_first_python_that_will_do_is_taken(clone: Path, pythons: Path) -> None:
    stand_in(pythons, "python3", OLD)
    stand_in(pythons, "python3.14", NO_VENV)
    stand_in(pythons, "python3.12")
    stand_in(pythons, "python3.11", OLD)
    version = "{}.{}".format(*sys.version_info[:2])
    assert set_up(clone, pythons) == (0, f"set up by {version} --lock requirements.lock", "")


@needs_shell
def test_named_python_is_taken(clone: Path, pythons: Path, tmp_path: Path) -> None:
    stand_in(pythons, "python3", OLD)
    (tmp_path / "my pythons").mkdir()
    named = stand_in(tmp_path / "my pythons", "python")
    status, output, _ = set_up(clone, pythons, str(named), lock="requirements-oldest.lock")
    assert status == 0
    assert output.endswith("--lock requirements-oldest.lock --this-python")


@needs_shell
@pytest.mark.parametrize(
    ("present", "named", "error"),
    [
        ({}, "", "No Python found: install Python 3.11 to 3.14"),
        ({"python3": OLD}, "", "Python 3.9 ({bin}/python3) is too old: install Python 3.11 to 3.14"),
        ({"python3": NEW}, "", "Python 3.15 ({bin}/python3) is too new: install Python 3.11 to 3.14"),
        (
            {"python3": NO_VENV},
            "",
            "({bin}/python3) has no venv: install it (Debian, Ubuntu: sudo apt install python3.",
        ),
        ({"python": OLD, "python3.12": NO_VENV}, "", "({bin}/python3.12) has no venv"),
        ({"python3": "pass", "mine": OLD}, "mine", "Python 3.9 ({bin}/mine) is too old"),
        ({"python3": "pass"}, "/no/python", "PYTHON=/no/python is no Python that runs"),
        ({"python3": "sys.exit(1)"}, "python3", "PYTHON=python3 is no Python that runs"),
    ],
)
def test_missing_python_is_one_line_that_says_what_to_do(
    clone: Path, pythons: Path, present: dict[str, str], named: str, error: str
) -> None:
    for name, change in present.items():
        stand_in(pythons, name, change)
    status, output, errors = set_up(clone, pythons, named)
    assert (status, output) == (1, "")
    assert error.format(bin=pythons) in errors
    assert len(errors.splitlines()) == 1


class Recorded(Environment):
    """An environment that notes its steps instead of taking them, and breaks off with ``fails``."""

    def __init__(self, root: Path, lock: str = "requirements.lock") -> None:
        super().__init__(root, lock)
        self.steps: list[str] = []
        self.fails: type[BaseException] | None = None
        self.present: tuple[int, int] | None = (3, 12) if self.folder.exists() else None

    def python_version(self) -> tuple[int, int] | None:
        return self.present

    def _create(self) -> None:
        assert not self.installed.exists(), "half an old environment would be taken for a finished one"
        self.steps.append("create")
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.present = (3, 12)

    def _pip(self, what: str, *arguments: str) -> None:
        self.steps.append(what)
        if self.fails is SetupError:
            self.installing.unlink()
        if self.fails:
            raise self.fails(f"{what} failed")

    def is_current(self) -> bool:
        return self.stamp() == self.wanted() and not self.installing.exists()


EVERYTHING = ["the packages", "the weights", "bertviz-lite"]


def test_install_is_done_once(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = Recorded(clone)
    first.make(None)
    assert first.steps == ["create", *EVERYTHING]
    assert first.is_current()
    said = capsys.readouterr().out
    assert "packages from requirements.lock" in said
    assert "Ready after" in said
    second = Recorded(clone)
    second.make(None)
    assert second.steps == []
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("file", "old", "new", "steps"),
    [
        ("requirements.lock", "torch==2.13.0", "torch==2.14.0", EVERYTHING),
        ("requirements-real.lock", "0.1.0", "0.2.0", EVERYTHING),
        ("pyproject.toml", 'version = "0.1.0"', 'version = "0.2.0"', ["bertviz-lite"]),
        ("pyproject.toml", "line-length = 110", "line-length = 100", []),
    ],
)
def test_install_is_redone_for_what_changed(
    clone: Path, file: str, old: str, new: str, steps: list[str]
) -> None:
    Recorded(clone).make(None)
    text = (clone / file).read_text(encoding="utf-8")
    assert old in text
    (clone / file).write_text(text.replace(old, new), encoding="utf-8")
    again = Recorded(clone)
    assert again.is_current() == (not steps)
    again.make(None)
    assert again.steps == steps
    assert again.is_current()


def test_moved_clone_is_installed_again(clone: Path, tmp_path: Path) -> None:
    Recorded(clone).make(None)
    moved = clone.rename(tmp_path / "moved")
    assert not Recorded(moved).is_current()


def test_interrupted_install_is_begun_afresh(clone: Path) -> None:
    broken_off = Recorded(clone)
    broken_off.fails = KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        broken_off.make(None)
    again = Recorded(clone)
    assert not again.is_current()
    again.make(None)
    assert again.steps == ["create", *EVERYTHING]


def test_failed_install_keeps_what_is_there_and_is_tried_again(clone: Path) -> None:
    failed = Recorded(clone)
    failed.fails = SetupError
    with pytest.raises(SetupError, match="the packages failed"):
        failed.make(None)
    again = Recorded(clone)
    assert not again.is_current()
    again.make(None)
    assert again.steps == EVERYTHING


def test_other_python_replaces_the_environment_only_if_named(clone: Path) -> None:
    Recorded(clone).make(None)
    other = Recorded(clone)
    other.make((3, 12))
    assert other.steps == []
    other.make((3, 13))
    assert other.steps == ["create", *EVERYTHING]


def test_lock_that_is_not_there_is_one_line(clone: Path) -> None:
    with pytest.raises(SetupError, match=r"^requirements-none.lock is not there: name a lock that is"):
        Environment(clone, "requirements-none.lock").wanted()


def test_damaged_stamp_is_no_stamp(clone: Path) -> None:
    environment = Environment(clone, "requirements.lock")
    environment.folder.mkdir()
    environment.installed.write_text('{"packages": ', encoding="utf-8")
    assert environment.stamp() == {}
    environment.installed.write_text(json.dumps(environment.wanted()), encoding="utf-8")
    assert environment.stamp() == environment.wanted()


def test_failing_pip_is_one_line_that_names_the_log(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    environment = Environment(clone, "requirements.lock")
    environment.folder.mkdir()
    pip = clone / "pip.py"
    pip.write_text(
        "print('  Downloading torch-2.13.0-cp311-none-any.whl (190.5 MB)')\n"
        "print('  Downloading six-1.17.0-py2.py3-none-any.whl (11 kB)')\n"
        "print('ERROR: No matching distribution found for torch==2.13.0')\n"
        "print('hint: none')\n"
        "raise SystemExit(1)\n",
        encoding="utf-8",
    )
    environment.python = Path(sys.executable)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(setup_environment.ENVIRONMENT, "PYTHONPATH", str(clone))
        patch.chdir(clone)
        with pytest.raises(SetupError) as error:
            environment._pip("the packages", "install")
    message = str(error.value)
    assert "\n" not in message
    assert "(ERROR: No matching distribution found for torch==2.13.0)" in message
    assert ".venv/install.log" in message
    assert "run make again" in message
    assert capsys.readouterr().out == "  downloading torch 2.13.0 (190.5 MB)\n"
    assert "hint: none" in environment.log.read_text(encoding="utf-8")


def test_last_line_prefers_the_one_asked_for() -> None:
    assert last_line("one\nERROR: two\n three \n\n", "ERROR") == "ERROR: two"
    assert last_line("one\n three \n\n", "ERROR") == "three"
    assert last_line("", "ERROR") == "no message"


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_alone_lists_every_command() -> None:
    answer = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True)
    listed = {line.split()[0] for line in answer.stdout.splitlines() if line.startswith("  ")}
    assert {"lab", "test", "refresh", "lint", "train", "bench", "clean"} <= listed


@pytest.mark.skipif(os.name == "nt", reason="Windows has no executable bit")
def test_ci_script_can_be_run_and_demands_a_browser() -> None:
    script = ROOT / ".ci/run"
    assert os.access(script, os.X_OK)
    text = script.read_text(encoding="utf-8")
    assert "set -euo pipefail" in text
    assert "BERTVIZ_LITE_REQUIRE_BROWSER=1" in text


@pytest.mark.skipif(shutil.which("bash") is None or os.name == "nt", reason="needs bash")
@pytest.mark.parametrize(
    ("present", "installed"),
    [
        (["chromium-headless-shell", "node", "npm"], ""),
        (["chromium", "node", "npm"], ""),
        (["google-chrome", "node", "npm"], ""),
        (["node"], "chromium-headless-shell npm"),
        ([], "chromium-headless-shell nodejs npm"),
    ],
)
def test_ci_script_installs_what_is_missing_and_no_more(
    tmp_path: Path, present: list[str], installed: str
) -> None:
    for name in ("bash", "dirname"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    for name in ["apt-get", "make", "sudo", *present]:
        tool = tmp_path / name
        last = '"$@"' if name == "sudo" else f'echo {name} "$@" browser=$BERTVIZ_LITE_REQUIRE_BROWSER >&2'
        tool.write_text(f"#!{SHELL}\n{last}\n", encoding="utf-8")
        tool.chmod(0o755)
    answer = subprocess.run(
        ["bash", str(ROOT / ".ci/run")],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    *apt, make = answer.stderr.splitlines()
    assert make == "make test browser=1"
    assert [line.split("--yes ")[-1] for line in apt[1:]] == ([f"{installed} browser="] if installed else [])
