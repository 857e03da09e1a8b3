"""The doors for those who haven't installed anything: Colab, Binder, a devcontainer, nbgitpuller, Windows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest
import yaml
from front_door import colab
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CHAPTERS = sorted(file.name for file in (ROOT / "notebooks").glob("*.ipynb"))
HOME = "bertviz-lite/bertviz-lite"


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return colab.write(tmp_path_factory.mktemp("colab") / "made")


def test_each_chapter_has_a_copy_for_colab_that_begins_with_its_cell(copies: list[Path]) -> None:
    assert [copy.name for copy in copies] == CHAPTERS
    for copy in copies:
        made = nbformat.read(copy, as_version=4)
        nbformat.validate(made)
        chapter = nbformat.read(ROOT / "notebooks" / copy.name, as_version=4)
        first, *rest = made.cells
        assert first.source == colab.FIRST_CELL.rstrip("\n")
        assert [cell.cell_type for cell in rest] == [cell.cell_type for cell in chapter.cells]
        code = [cell for cell in rest if cell.cell_type == "code"]
        assert [cell.source for cell in code] == [
            cell.source for cell in chapter.cells if cell.cell_type == "code"
        ]
        assert not any(cell.outputs for cell in code)


def test_links_between_colabs_copies_lead_to_the_copies(copies: list[Path]) -> None:
    found = 0
    for copy in copies:
        for cell in nbformat.read(copy, as_version=4).cells:
            assert not re.search(r"\]\(\d\d_\w+\.ipynb", cell.source)
            for name in re.findall(rf"\]\({re.escape(colab.PLACE)}/(\w+\.ipynb)", cell.source):
                assert name in CHAPTERS
                found += 1
    assert found >= 2 * len(CHAPTERS) - 2, "each leads on, and back"


def run_first_cell(folder: Path, *kernel_options: str) -> str:
    """Run the cell in a kernel that finds stand-ins for Colab's module and pip; return what it prints."""
    for name, text in {
        "google/colab/__init__.py": "",
        "google/colab/output.py": "def enable_custom_widget_manager():\n    print('the views live')\n",
        "pip/__init__.py": "",
        "pip/__main__.py": "import sys\nprint('pip was asked:', *sys.argv[1:], sep='|')\n",
    }.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(colab.FIRST_CELL)])
    client = NotebookClient(
        notebook, timeout=600, kernel_name="python3", extra_arguments=list(kernel_options)
    )
    client.execute(env=os.environ | {"PYTHONPATH": str(folder)})
    return "".join(output.get("text", "") for output in notebook.cells[0].outputs)


def test_on_colab_the_first_cell_installs_the_course_and_turns_the_views_on(tmp_path: Path) -> None:
    said = run_first_cell(tmp_path, "--IPKernelApp.exec_lines=import google.colab")
    assert f"pip was asked:|install|--quiet|bertviz-lite @ git+https://github.com/{HOME}" in said
    assert said.rstrip().endswith("the views live")


def test_elsewhere_the_first_cell_does_nothing(tmp_path: Path) -> None:
    assert run_first_cell(tmp_path) == ""


def test_the_button_for_colab_opens_the_branch_that_the_workflow_writes() -> None:
    (link,) = re.findall(r"\((https://colab\.research\.google\.com/github/[^)]+)\)", README)
    assert link == f"{colab.PLACE}/{CHAPTERS[0]}"
    steps = yaml.safe_load((ROOT / ".github/workflows/colab.yml").read_text("utf-8"))["jobs"]["publish"][
        "steps"
    ]
    runs = [step["run"] for step in steps if "run" in step]
    assert runs[0] == "python tools/front_door/colab.py"
    assert "--initial-branch=colab" in runs[1]
    assert "/blob/colab" in colab.PLACE


def test_the_button_for_binder_opens_the_copy_that_binder_makes(tmp_path: Path) -> None:
    (link,) = re.findall(r"\((https://mybinder\.org/v2/[^)]+)\)", README)
    parts = urlsplit(link)
    assert parts.path == f"/v2/gh/{HOME}/main"
    assert parse_qs(parts.query) == {"urlpath": [f"lab/tree/my/{CHAPTERS[0]}"]}
    script = ROOT / "postBuild"
    assert os.name == "nt" or os.access(script, os.X_OK), "Binder runs it only if it may be run"
    (command,) = [line for line in script.read_text("utf-8").splitlines() if line.startswith("python")]
    assert copies_made_by(command, tmp_path) == CHAPTERS


def copies_made_by(command: str, folder: Path) -> list[str]:
    """Run `python -c "…"` in a folder; return the notebooks that it puts into my/."""
    (code,) = re.findall(r'-c "(.*)"$', command)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment, check=True)
    return sorted(file.name for file in (folder / "my").glob("*.ipynb"))


def test_the_devcontainer_installs_the_course_and_makes_the_copies(tmp_path: Path) -> None:
    said = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))
    assert said["onCreateCommand"] == "make setup"
    assert copies_made_by(said["postCreateCommand"], tmp_path) == CHAPTERS
    tools = said["customizations"]
    assert tools["vscode"]["settings"]["python.defaultInterpreterPath"].endswith("/.venv/bin/python")
    assert tools["codespaces"]["openFiles"] == [f"my/{CHAPTERS[0]}"]


def test_nbgitpullers_link_has_its_form() -> None:
    (link,) = re.findall(r"`(https://YOUR\.HUB/[^`]+)`", README)
    parts = urlsplit(link)
    assert parts.path == "/hub/user-redirect/git-pull"
    asked = parse_qs(parts.query)
    assert asked["repo"] == [f"https://github.com/{HOME}"]
    assert asked["branch"] == ["main"]
    folder, _, place = asked["urlpath"][0].removeprefix("lab/tree/").partition("/")
    assert folder == HOME.partition("/")[2]
    assert (ROOT / place).is_file()


def test_the_lines_for_windows_are_the_ones_that_windows_runs() -> None:
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```bat\n(.*?)```", page, re.DOTALL)
    *install, lab = block.splitlines()
    steps = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text("utf-8"))["jobs"]["windows"][
        "steps"
    ]
    runs = {step["name"]: step["run"] for step in steps if "run" in step}
    assert runs["Install"].splitlines() == install
    assert f"{lab} --version" in runs.values()
