"""Checkpoints of a run: the newest one that can be read is resumed; damaged ones are passed over."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load_file
from transformers import TrainerState

_NEEDED = ("trainer_state.json", "model.safetensors", "optimizer.pt", "scheduler.pt", "rng_state*.pth")


def last_checkpoint(folder: Path, report: Callable[[str], object] | None = None) -> Path | None:
    """Return the newest checkpoint of which every file can be read; None where there is none.

    Parameters
    ----------
    folder
        Where the checkpoints are, ``checkpoint-…``.
    report
        Called with one line for each newer checkpoint that is passed over: one that was damaged, or that a
        kill has left unfinished.
    """
    paths = folder.glob("checkpoint-*")
    for path in sorted(paths, key=lambda path: int(path.name.rpartition("-")[2]), reverse=True):
        reason = damage(path)
        if reason is None:
            return path
        if report is not None:
            report(f"{path.name} cannot be read ({reason}): an older one is tried")
    return None


def damage(checkpoint: Path) -> str | None:
    """Return which file of a checkpoint cannot be read, and why; None where all can be."""
    for pattern in _NEEDED:
        files = sorted(checkpoint.glob(pattern))
        if not files:
            return f"{pattern} is missing"
        for file in files:
            try:
                _read(file)
            except (OSError, ValueError, TypeError, SafetensorError, zipfile.BadZipFile) as error:
                lines = str(error).splitlines() or [type(error).__name__]
                return f"{file.name}: {lines[0]}"
    return None


def _read(file: Path) -> None:
    """Read a file as its name says; raise where that fails."""
    if file.suffix == ".json":
        TrainerState.load_from_json(str(file))
    elif file.suffix == ".safetensors":
        load_file(file)
    else:  # torch writes zip archives, with a checksum of every part
        with zipfile.ZipFile(file) as archive:
            broken = archive.testzip()
        if broken is not None:
            raise ValueError(f"{broken} has another checksum than when it was written")
