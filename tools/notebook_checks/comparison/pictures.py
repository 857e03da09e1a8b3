"""Compare two pictures as an eye does: ignore how text is hinted, see one changed cell of a heat map.

Both pictures are laid on white and cut into blocks of 16 by 16 pixels (the last row and column of blocks are
flush with the edge). For each block and colour the mean is taken, and compared with that of the same block of
the other picture, or of the block one pixel beside it, where that is nearer: a letter may be drawn a pixel
further on. The distance of two pictures is the largest difference that is left.

Measured on figures of the course (864 by 648 pixels, 144 per inch), of 255: text drawn without hinting
5.7 (15.9 if blocks could not move); a shift of one pixel 0; a cell changed by a fifth of the colour scale
47 in a map of 8 by 8 cells, 45 in 16 by 16, 19 in 24 by 24, 17 in 32 by 32; a curve moved by a hundredth
of the axis 14. Root-mean-square ranks them wrongly: on figures of 500 by 400 pixels 14.5 for hinting, 3.0
for a changed cell of 8 by 8.

What is smaller than that (one digit in a title: 1.6; two names of dots swapped: 4.8) is told by the record of
what the figure says, which its PNG carries: see `records`. With another matplotlib than the lock's, which
draws the same figure with other pixels, records alone are compared.
"""

import base64
import binascii
import io
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from bertviz_lite.basics.png import CHUNK, chunks, unsealed
from notebook_checks.comparison.records import record_difference
from notebook_checks.notebook import ROOT

BLOCK = 16  # pixels
TOLERANCE = 8.0  # of 255
# What a plain picture consists of. Others change what a browser shows: colours (iCCP, gAMA, cHRM, sRGB,
# cICP), the way up (eXIf), frames (acTL).
CHUNKS = {b"IHDR", b"PLTE", b"tRNS", b"pHYs", b"IDAT", b"IEND", CHUNK}


class PictureError(ValueError):
    """A picture that cannot be read."""


@lru_cache(maxsize=64)
def pixels(encoded: str) -> NDArray[np.int64]:
    """Decode a base64 PNG, laid on white.

    Parameters
    ----------
    encoded
        Base64, line breaks allowed.

    Returns
    -------
    (height, width, 3), 0 to 255, red, green, blue.

    Raises
    ------
    PictureError
        If it is no base64, no PNG, damaged, has more than one frame (only the first could be compared), or
        says how its colours are to be changed.
    """
    png = decoded(encoded)
    if strange := sorted({kind for kind, _ in chunks(png)} - CHUNKS):
        part = strange[0].decode("latin-1")
        raise PictureError(f"the picture has the part {part}, which may change what is seen: draw it anew")
    try:
        with Image.open(io.BytesIO(png), formats=["PNG"]) as image:
            if getattr(image, "n_frames", 1) != 1:
                raise PictureError("the picture has more than one frame")
            rgba = image.convert("RGBA")
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise PictureError(f"the picture cannot be read ({error})") from error
    white = Image.new("RGBA", rgba.size, "white")
    white.alpha_composite(rgba)
    return np.asarray(white.convert("RGB")).astype(np.int64)


def decoded(encoded: str) -> bytes:
    """Decode base64 with line breaks; raise PictureError where it is damaged."""
    try:
        return base64.b64decode("".join(encoded.split()), validate=True)
    except binascii.Error as error:
        raise PictureError(f"the picture is no base64 ({error})") from error


def block_means(image: NDArray[np.int64], down: int = 0, right: int = 0) -> NDArray[np.float64]:
    """Average a picture over its blocks.

    Parameters
    ----------
    image
        (height, width, 3).
    down, right
        How many pixels the blocks are moved, -1 to 1; beyond the edge the picture goes on as at its edge.

    Returns
    -------
    (rows of blocks, columns of blocks, 3).
    """
    height, width = image.shape[:2]
    padded = np.pad(image, ((1, 1), (1, 1), (0, 0)), mode="edge")
    moved = padded[1 + down : 1 + down + height, 1 + right : 1 + right + width]
    sums = np.pad(moved.cumsum(0).cumsum(1), ((1, 0), (1, 0), (0, 0)))
    top, left = np.array(_starts(height))[:, None], np.array(_starts(width))[None, :]
    bottom, end = top + min(BLOCK, height), left + min(BLOCK, width)
    total = sums[bottom, end] - sums[top, end] - sums[bottom, left] + sums[top, left]
    return np.asarray(total / (min(BLOCK, height) * min(BLOCK, width)))


def _starts(length: int) -> list[int]:
    """Give the first pixels of the blocks along an edge; the last block ends with the edge."""
    starts = list(range(0, length - BLOCK + 1, BLOCK)) or [0]
    if length > BLOCK and length % BLOCK:
        starts.append(length - BLOCK)
    return starts


def picture_difference(committed: str, fresh: str) -> str | None:
    """Say how two base64 PNGs differ to the eye, or None where they do not."""
    if committed == fresh:
        return None
    try:
        old, new = pixels(committed), pixels(fresh)
    except PictureError as error:
        return str(error)
    (_, said), (_, now) = unsealed(decoded(committed)), unsealed(decoded(fresh))
    if text := record_difference(said, now):
        return text
    if said is not None and not drawn_as_locked():
        return None
    if old.shape != new.shape:
        return f"is {_size(old)} pixels, now {_size(new)}"
    means = block_means(old)
    moves = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    distance = np.min([np.abs(means - block_means(new, *move)).max(axis=2) for move in moves], axis=0)
    row, column = np.unravel_index(int(distance.argmax()), distance.shape)
    worst = float(distance[row, column])
    if worst <= TOLERANCE:
        return None
    x, y = _starts(old.shape[1])[int(column)], _starts(old.shape[0])[int(row)]
    place = f"{BLOCK} pixels from x={x}, y={y}"
    return f"differs by {worst:.1f} of 255 in the block of {place} ({TOLERANCE:g} is allowed)"


@lru_cache(maxsize=1)
def drawn_as_locked() -> bool:
    """Whether figures are drawn here by the matplotlib of requirements.lock, as the committed ones were."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    return f"matplotlib=={version('matplotlib')}" in lock.splitlines()


def _size(image: NDArray[Any]) -> str:
    return f"{image.shape[1]} by {image.shape[0]}"
