"""The safetensors files of a model: which they are, and the names and shapes that they hold."""

import json
import struct
from pathlib import Path

from bertviz_lite.models.config_file import read_json
from bertviz_lite.models.shapes import Shapes
from bertviz_lite.models.source import Source

_LONGEST_HEADER = 100_000_000  # bytes; the limit of the safetensors format itself
_FLOATS = frozenset({"F64", "F32", "F16", "BF16"})


def find_weights(source: Source) -> tuple[Path, ...]:
    """List the weight files of a folder; pickles are refused."""
    folder = source.folder
    if (folder / "model.safetensors").is_file():
        return (folder / "model.safetensors",)
    index = folder / "model.safetensors.index.json"
    if index.is_file():
        parts = read_json(source, index).get("weight_map")
        if not isinstance(parts, dict) or not parts:
            raise source.error(f"{index.name} has no weight_map.")
        files = tuple(folder / Path(str(part)).name for part in sorted(set(parts.values())))
        lost = [file.name for file in files if not file.is_file()]
        if lost:
            raise source.lacks(f"{len(lost)} of {len(files)} weight files are missing (first: {lost[0]}).")
        return files
    pickles = sorted(
        file.name for ending in ("*.bin", "*.pt", "*.ckpt", "*.pkl") for file in folder.glob(ending)
    )
    if pickles:
        raise source.lacks(
            f"the weights are there only as {pickles[0]}, a pickle, which can run code and is never opened.",
            "Find a version with model.safetensors, or make one where you trust it: model.save_pretrained().",
        )
    raise source.lacks("model.safetensors is missing.")


def read_header(source: Source, file: Path) -> Shapes:
    """Read names and shapes from a safetensors file, and see that all its bytes are there."""
    size = file.stat().st_size
    with file.open("rb") as stream:
        first = stream.read(8)
        if first == b"version ":
            raise source.error(f"{file.name} is a Git LFS pointer, not the weights.", "Run: git lfs pull")
        length = struct.unpack("<Q", first)[0] if len(first) == 8 else size
        text = stream.read(length) if length < min(_LONGEST_HEADER, size) else b""
    try:
        header = json.loads(text)
        header.pop("__metadata__", None)
        end = 8 + length + max((entry["data_offsets"][1] for entry in header.values()), default=0)
        shapes = {key: tuple(entry["shape"]) for key, entry in header.items()}
        kinds = {str(entry["dtype"]) for key, entry in header.items() if not key.endswith("position_ids")}
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        raise source.error(f"{file.name} is damaged: its header cannot be read.") from None
    if size != end:
        raise source.error(f"{file.name} is damaged: it has {size:,} bytes and should have {end:,}.")
    if not kinds <= _FLOATS:
        raise source.error(
            f"{file.name} holds weights of type {min(kinds - _FLOATS)}.",
            "Choose a version in floating point (F32, F16, BF16), not a quantised one.",
        )
    return shapes
