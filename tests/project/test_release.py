"""What is released: wheel and sdist hold what they should, and the wheel works where nothing else is."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path

import pytest
from notebook_checks.rules.markup import images, links

from bertviz_lite.basics.notebook_files import course_files

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bertviz_lite"
NOTEBOOKS = ROOT / "notebooks"
CHAPTERS = {file.relative_to(NOTEBOOKS).as_posix() for file in course_files(NOTEBOOKS)}
IN_THE_WHEEL = "bertviz_lite/chapters/notebooks/"


def package_files() -> set[str]:
    """Return the package's files, as the repository has them."""
    files = (path.relative_to(ROOT).as_posix() for path in PACKAGE.rglob("*") if path.is_file())
    return {name for name in files if "__pycache__" not in name}


def build(folder: Path, target: str) -> Path:
    """Build the wheel or the sdist, as for a release."""
    command = [sys.executable, "-m", "hatchling", "build", f"--target={target}", f"--directory={folder}"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("sdist"), "sdist")


def test_the_wheel_holds_the_package_the_bare_chapters_and_nothing_else(wheel: Path) -> None:
    files = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert files == package_files() | {IN_THE_WHEEL + name for name in CHAPTERS}
    assert "bertviz_lite/py.typed" in files
    assert wheel.stat().st_size < 11_000_000  # 7.2 million are models and their history
    assert {"config.json", "model.safetensors", "README.md"} <= names_below("models/pocket", files)
    views = names_below("views", files)
    folders = {name.removesuffix("/view.css") for name in views if re.fullmatch(r"\w+/view\.css", name)}
    assert folders, "no view"
    for name in folders:
        assert f"{name}/view.py" in views
        assert {f"{name}/view.js", f"{name}/js/view.js"} & views


def names_below(folder: str, files: set[str]) -> set[str]:
    start = f"bertviz_lite/{folder}/"
    return {name.removeprefix(start) for name in files if name.startswith(start)}


def test_the_wheels_chapters_are_the_repositorys_without_answers(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        for name in sorted(CHAPTERS):
            bare = json.loads(opened.read(IN_THE_WHEEL + name))
            whole = json.loads((NOTEBOOKS / name).read_text(encoding="utf-8"))
            assert [cell["source"] for cell in bare["cells"]] == [cell["source"] for cell in whole["cells"]]
            assert not any(cell.get("outputs") for cell in bare["cells"])


def said_by(wheel: Path, name: str) -> str:
    """Return a file that says something of the wheel: METADATA."""
    with zipfile.ZipFile(wheel) as opened:
        (file,) = [file for file in opened.namelist() if file.endswith(f".dist-info/{name}")]
        return opened.read(file).decode("utf-8")


def test_the_wheel_says_where_it_is_at_home(wheel: Path) -> None:
    assert "bertviz-lite = bertviz_lite.__main__:main" in said_by(wheel, "entry_points.txt")
    said = message_from_string(said_by(wheel, "METADATA"))
    labels = {line.partition(",")[0] for line in said.get_all("Project-URL")}
    assert labels == {"Homepage", "Documentation", "Repository", "Changelog", "Issues", "Security"}
    assert said["Description-Content-Type"] == "text/markdown"
    assert said["License-Expression"].startswith("MIT")
    assert "no fork" in said.get_payload()


def targets(markdown: str) -> list[str]:
    """Return where links and pictures lead."""
    return links(markdown) + [address for _, address in images(markdown)]


def test_links_and_pictures_of_the_readme_are_there_and_have_words() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    relative = [place for place in targets(readme) if not place.startswith(("https://", "#"))]
    assert len(relative) > 5
    for place in relative:
        assert (ROOT / place.partition("#")[0]).exists(), f"{place} is not there"
    pictures = [words for words, _ in images(readme)]
    assert len(pictures) == readme.count("![")
    assert all(pictures), "a picture without words for those who can't see it"


def test_on_pypi_no_link_or_picture_of_the_readme_is_relative(wheel: Path) -> None:
    text = message_from_string(said_by(wheel, "METADATA")).get_payload()
    home = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Homepage"]
    raw = home.replace("github.com", "raw.githubusercontent.com")
    places = targets(text)
    assert [place for place in places if not place.startswith(("https://", "#"))] == []
    assert f"{raw}/main/docs/fill_in.webp" in places
    assert f"{home}/blob/main/docs/install.md" in places


@pytest.mark.thorough
def test_the_readmes_examples_run(tmp_path: Path) -> None:
    script = ROOT / "tools" / "front_door" / "readme_examples.py"
    command = [sys.executable, str(script), str(ROOT / "README.md")]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    assert re.match(r"[3-9] examples ran", answer.stdout.splitlines()[-1])
    assert (tmp_path / "attention.html").stat().st_size > 100_000


def test_an_example_that_fails_names_the_readmes_line(tmp_path: Path) -> None:
    script = ROOT / "tools" / "front_door" / "readme_examples.py"
    (tmp_path / "README.md").write_text("# One\n\n```python\nx = 1\nlaod()\n```\n", encoding="utf-8")
    command = [sys.executable, str(script), "README.md"]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert answer.returncode == 1
    assert 'README.md", line 5' in answer.stderr


@pytest.mark.thorough
def test_the_sdist_holds_what_builds_tests_and_reads_the_course(sdist: Path) -> None:
    with tarfile.open(sdist) as opened:
        files = {name.partition("/")[2] for name in opened.getnames()}
    assert {f"notebooks/{name}" for name in CHAPTERS} <= files
    wanted = "README.md LICENSE CHANGELOG.md CITATION.cff CONTRIBUTING.md SECURITY.md Makefile pyproject.toml"
    assert set(wanted.split()) <= files
    assert {"environment.yml", "requirements.lock", "requirements-test.lock", "tests/conftest.py"} <= files
    assert {"tools/installation/bare_chapters.py", "docs/stability.md"} <= files
    assert package_files() <= files
    stray = [
        name for name in files if re.search(r"__pycache__|node_modules|\.venv|\.ipynb_checkpoints", name)
    ]
    assert stray == []
    assert sdist.stat().st_size < 27_000_000


WITHOUT_THE_CLONE = """
import pathlib, sys
import bertviz_lite, bertviz_lite.views
from bertviz_lite.chapters import lab
assert pathlib.Path(bertviz_lite.__file__).is_relative_to(sys.argv[1]), bertviz_lite.__file__
assert lab.prepare(pathlib.Path("my")) == []
tokenizer, model = bertviz_lite.load("pocket")
copies = [copy for copy in pathlib.Path("my").rglob("*.ipynb") if ".as_copied" not in copy.parts]
print(type(model).__name__, len(tokenizer) == model.config.vocab_size, len(copies))
"""


@pytest.mark.thorough
def test_the_wheel_works_installed_elsewhere(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--no-index",
        f"--target={site}",
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)
    environment = os.environ | {"PYTHONPATH": str(site)}
    command = [sys.executable, "-P", "-W", "error::UserWarning", "-c", WITHOUT_THE_CLONE, str(site)]
    answer = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.split() == ["BertForPreTraining", "True", str(len(CHAPTERS))]
