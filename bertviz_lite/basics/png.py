"""Put a record into a PNG and read it back: a chunk of text, sealed with a digest of the rest of the file.

Whoever changes the picture afterwards, or paints it anew, breaks the seal. Standard library only.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["CHUNK", "chunks", "sealed", "unsealed"]

CHUNK = b"iTXt"
"""The type of the chunk that holds the record: text that browsers pass over."""

_KEYWORD = b"bertviz_lite\0"
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def sealed(png: bytes, said: dict[str, Any]) -> bytes:
    """Return the PNG with the record inside, and with a digest of what it held before."""
    plain, _ = unsealed(png)
    body = json.dumps({**said, "seal": _digest(plain)}, ensure_ascii=False, separators=(",", ":"))
    data = _KEYWORD + b"\1\0\0\0" + zlib.compress(body.encode(), 9)
    chunk = struct.pack(">I", len(data)) + CHUNK + data + struct.pack(">I", zlib.crc32(CHUNK + data))
    end = plain.rindex(b"IEND") - 4
    return plain[:end] + chunk + plain[end:]


def unsealed(png: bytes) -> tuple[bytes, dict[str, Any] | None]:
    """Return the PNG without its record, and the record; None where it has none that belongs to it."""
    for kind, chunk in chunks(png):
        if kind != CHUNK or not chunk[8:].startswith(_KEYWORD):
            continue
        plain = png.replace(chunk, b"", 1)
        try:
            said = dict(json.loads(zlib.decompress(chunk[8 + len(_KEYWORD) + 4 : -4])))
        except (ValueError, zlib.error):
            return plain, None
        return plain, said if said.pop("seal", None) == _digest(plain) else None
    return png, None


def chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield (type, all bytes) of each chunk of a PNG; its last may be cut off."""
    place = len(_SIGNATURE)
    while place + 8 <= len(png):
        (length,) = struct.unpack_from(">I", png, place)
        yield png[place + 4 : place + 8], png[place : place + 12 + length]
        place += 12 + length


def _digest(png: bytes) -> str:
    return hashlib.sha256(png).hexdigest()[:32]
