"""Read and check the two files that a training run wrote: its history, and attention at its moments."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.capture.errors import kind_of
from bertviz_lite.views.base.errors import ViewError, ViewTypeError
from bertviz_lite.views.time_lapse.training_run import TrainingRun

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

__all__ = ["read_run"]

_LOSS = ("step", "mlm_loss", "nsp_loss")


def read_run(folder: str | os.PathLike[str]) -> TrainingRun:
    """Read ``history.json`` and ``history_attention.npz`` from a folder.

    Raises
    ------
    ViewError
        If a file is missing, or does not hold a history.
    """
    if not isinstance(folder, str | os.PathLike):
        raise ViewTypeError(f"folder is {kind_of(folder)}: give the folder that a training run wrote.")
    where = Path(folder)
    if not where.is_dir():
        raise ViewError(f"{where}: there is no such folder; give the one that a training run wrote.")
    for name in ("history.json", "history_attention.npz"):
        if not (where / name).is_file():
            raise ViewError(
                f"{where}: no {name} in it; give a folder that training.history.History.write filled."
            )
    try:
        record = json.loads((where / "history.json").read_text(encoding="utf-8"))
        moments = list(_moments(record["moments"]))
        losses = [{name: float(entry[name]) for name in _LOSS} for entry in record["losses"]]
        tokens = [[str(token) for token in text] for text in record["tokens"]]
        texts = [" ".join(map(str, pair)) for pair in record["texts"]]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ViewError(f"{where / 'history.json'}: this is no history ({_why(error)}).") from None
    if not moments or not texts or len(tokens) != len(texts):
        raise ViewError(
            f"{where / 'history.json'}: {len(moments)} moments, {len(texts)} texts and {len(tokens)} rows of "
            "tokens; one moment at least is needed, and tokens for each text."
        )
    attention = _attention(where / "history_attention.npz", len(moments), tokens)
    _check_heads(where / "history.json", moments, attention[0].shape)
    return TrainingRun(
        moments, losses, texts, tokens, attention, [str(note) for note in record.get("notes", [])]
    )


def _moments(entries: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    last = -1
    for entry in entries:
        step = int(entry["step"])
        if step <= last:
            raise ValueError(f"step {step} after step {last}")
        last = step
        scores = {
            str(name): None if value is None else float(value) for name, value in entry["scores"].items()
        }
        heads = {str(name): [int(number) for number in pair] for name, pair in entry.get("heads", {}).items()}
        tokens = entry.get("tokens")
        yield {
            "step": step,
            "tokens": None if tokens is None else int(tokens),
            "scores": scores,
            "heads": heads,
        }


def _check_heads(file: Path, moments: list[dict[str, Any]], shape: tuple[int, ...]) -> None:
    for moment in moments:
        for name, pair in moment["heads"].items():
            if len(pair) != 2 or not (0 <= pair[0] < shape[1] and 0 <= pair[1] < shape[2]):
                raise ViewError(
                    f"{file}: at step {moment['step']} the head of {name!r} is {pair}, but there are "
                    f"{shape[1]} layers of {shape[2]} heads."
                )


def _attention(file: Path, moments: int, tokens: list[list[str]]) -> list[npt.NDArray[np.uint8]]:
    try:
        with np.load(file, allow_pickle=False) as arrays:
            codes = [np.ascontiguousarray(arrays[f"text{number}"]) for number in range(len(tokens))]
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise ViewError(f"{file}: this is no history's attention ({_why(error)}).") from None
    for number, (code, names) in enumerate(zip(codes, tokens, strict=True)):
        wanted = (moments, *codes[0].shape[1:3], len(names), len(names))
        if code.dtype != np.uint8 or code.shape != wanted or 0 in code.shape:
            raise ViewError(
                f"{file}: text{number} is {code.dtype} {code.shape}, but uint8 ({moments}, layers, heads, "
                f"{len(names)}, {len(names)}) is needed: {moments} moments, {len(names)} tokens, the same "
                "layers and heads for every text."
            )
    return codes


def _why(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:80]}"
