"""Where everything stands on the picture of the machine, in hundredths of an inch from its upper left corner.

The page has the same order (``view.css``, ``js/map/``), and finds the places anew for each width.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["BOXES_AT", "FRAMES_AT", "HEIGHT", "LAYER", "PORTS", "SIDE", "TRUNK", "WIDTH", "Place"]


class Place(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right side."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Its lower side."""
        return self.top + self.height

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle."""
        return self.left + self.width / 2, self.top + self.height / 2


def _row(names: str, left: float, top: float, height: float, *, widths: str, gap: float) -> dict[str, Place]:
    places = {}
    for name, width in zip(names.split(), map(float, widths.split()), strict=True):
        places[name] = Place(left, top, width, height)
        left += width + gap
    return places


WIDTH, HEIGHT = 1120.0, 668.0
SIDE = 15.0
"""Where the line of the shared table runs down."""

LAYER = Place(26, 200, 1082, 306)
TRUNK = 76.0
"""The middle of what leads from layer to layer."""

PORTS = {"attention": (146.0, 300.0), "feed_forward": (146.0, 438.0)}
"""Where the halves of a layer take in what they read."""

FRAMES_AT = {
    "tokens": Place(12, 10, 1096, 54),
    "embeddings": Place(26, 80, 1082, 106),
    "attention": Place(168, 222, 762, 136),
    "feed_forward": Place(168, 384, 762, 104),
    **_row("lm_head pooler nsp_head", 26, 536, 106, widths="516 262 268", gap=18),
}

BOXES_AT = {
    **_row("word position segment sum norm", 34, 105, 74, widths="192 192 192 192 192", gap=26.5),
    "query": Place(176, 247, 184, 32),
    "key": Place(176, 283, 184, 32),
    "value": Place(176, 319, 184, 32),
    "weights": Place(382, 247, 260, 90),
    "context": Place(664, 247, 118, 104),
    "projected": Place(804, 247, 118, 104),
    "attended": Place(962, 222, 136, 136),
    **_row("up activated down", 176, 409, 72, widths="248 248 202", gap=24),
    "output": Place(962, 384, 136, 104),
    **_row("transform words", 34, 561, 74, widths="250 226", gap=24),
    "pooler": Place(568, 561, 246, 74),
    "verdict": Place(848, 561, 252, 74),
}
