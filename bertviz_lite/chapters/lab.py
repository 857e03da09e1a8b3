"""Open the course: a reader's copies of the chapters, in JupyterLab."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from bertviz_lite.basics.notebook_files import FIRST_CHAPTER, find_chapters
from bertviz_lite.basics.one_line_error import OneLineError
from bertviz_lite.chapters.copies import copy_chapters

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ADDRESS", "LabError", "chapters_folder", "lab_options", "open_lab", "prepare"]

ADDRESS = "https://github.com/bertviz-lite/bertviz-lite"
SETTINGS = Path(__file__).parent / "lab_settings"


class LabError(OneLineError):
    """The course could not be opened; the message is one line and says what to do next."""


def chapters_folder() -> Path:
    """Return where the chapters are: with the installed package, else in the clone that this is.

    >>> (chapters_folder() / FIRST_CHAPTER).is_file()
    True

    Raises
    ------
    LabError
        If they are in neither place.
    """
    folder = find_chapters()
    if folder is None:
        raise LabError(f"The chapters are not installed here. Read them at {ADDRESS}/tree/main/notebooks")
    return folder


def lab_options(folder: Path) -> list[str]:
    """Return how JupyterLab is started: on this machine only, at the first copy, without asking for news.

    >>> lab_options(Path("/home/ada/my course"))[1]
    '--LabApp.default_url=/lab/tree/my%20course/00_start_here.ipynb'
    """
    # news_url=None alone still asks the reader about news: the settings answer no. For root: containers.
    return [
        "--ip=127.0.0.1",
        f"--LabApp.default_url=/lab/tree/{quote(folder.name)}/{FIRST_CHAPTER}",
        f"--ServerApp.root_dir={folder.parent}",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
        f"--LabApp.app_settings_dir={SETTINGS}",
        *(["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
    ]


def prepare(folder: Path) -> list[str]:
    """Put the copies into a folder; return a line for each that was left because it has the reader's work.

    Raises
    ------
    LabError
        If the chapters are not here, or the folder can't be written.
    """
    chapters = chapters_folder()
    if folder.exists() and chapters.exists() and folder.resolve() == chapters:
        raise LabError(f"{folder} holds the chapters themselves. Name another folder for your copies.")
    try:
        return copy_chapters(chapters, folder)
    except OSError as error:
        reason = error.strerror or error
        raise LabError(
            f"{folder}: cannot be written ({reason}). Name another: bertviz-lite lab FOLDER"
        ) from None


def open_lab(folder: Path, more: Sequence[str] = ()) -> None:
    """Copy the chapters to a folder and run JupyterLab there, until it is stopped.

    Parameters
    ----------
    folder : Path
        For the copies; made if it is missing.
    more : sequence of str
        What else JupyterLab is told, such as ``--no-browser``.

    Raises
    ------
    LabError
        If JupyterLab is missing, or the copies can't be made.
    """
    if find_spec("jupyterlab") is None:
        raise LabError("JupyterLab is not installed. Run: pip install 'bertviz-lite[notebooks]'")
    folder = folder.expanduser().resolve()
    for line in prepare(folder):
        sys.stderr.write(f"{line}\n")
    sys.stdout.write(f"Starting JupyterLab at {folder.name}/{FIRST_CHAPTER}. Stop it with Ctrl-C.\n")
    sys.stdout.flush()
    from jupyterlab.labapp import LabApp

    LabApp.launch_instance(argv=[*lab_options(folder), *more])
