"""The SHA-256 of shipped weights: written when a model is installed, checked whenever it is loaded."""

import hashlib
from functools import lru_cache
from pathlib import Path

WEIGHTS = "model.safetensors"
PIN = "SHA256SUMS"
"""The file beside the weights; ``sha256sum --check SHA256SUMS`` understands it too."""

MINILM = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of the weights of all-MiniLM-L6-v2, as their authors published them."""


def sha256(file: Path) -> str:
    """Return the SHA-256 of a file as 64 hexadecimal digits; computed again only if the file has changed."""
    status = file.stat()
    return _sha256(file, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=4)
def _sha256(file: Path, size: int, mtime_ns: int) -> str:  # noqa: ARG001 - a changed file is a new key
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_pin(folder: Path) -> str:
    """Write the SHA-256 of a folder's weights beside them, and return it."""
    digest = sha256(folder / WEIGHTS)
    (folder / PIN).write_text(f"{digest}  {WEIGHTS}\n", encoding="utf-8", newline="\n")
    return digest


def read_pin(folder: Path) -> str:
    """Return what :func:`write_pin` wrote."""
    return (folder / PIN).read_text(encoding="utf-8").split()[0]
