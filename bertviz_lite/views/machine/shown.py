"""What the machine shows without scripts: a text's numbers, and what is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Any

from bertviz_lite.basics.text import clip, percent

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import numpy.typing as npt

    from bertviz_lite.views.machine.boxes import Box

    Floats = npt.NDArray[np.float32]

__all__ = ["NOT_THERE", "Shown"]

NOT_THERE = "not in this model"


@dataclass(frozen=True, eq=False)
class Shown:
    """What the view shows: what is known of the text, the numbers in the boxes, and what is chosen."""

    facts: Mapping[str, Any]
    arrays: Mapping[str, Floats]
    best: Floats | None
    """Probabilities of ``facts["best"]``; None without an LM head."""
    here: str | None
    layer: int
    num_layers: int
    token: int | None
    mask_token: str

    @property
    def focus(self) -> int:
        """The token that is looked at where one must be."""
        tokens = self.facts["tokens"]
        if self.token is not None:
            return self.token
        return tokens.index(self.mask_token) if self.mask_token in tokens else 1

    @property
    def after_layer(self) -> str:
        """Where the layer's result goes."""
        first, last = self.layer + 1, self.num_layers - 1
        if first > last:
            return "after the last layer"
        return f"on through layer {first}" if first == last else f"on through layers {first} … {last}"

    @property
    def continues(self) -> float | None:
        """The NSP head's probability; None without the head, or without a second text."""
        if "verdict" not in self.arrays or not self.facts["text_pair"]:
            return None
        first, second = self.arrays["verdict"].tolist()
        return float(1 / (1 + exp(second - first)))

    def has(self, box: str) -> bool:
        """Whether the model has what a box does."""
        if box == "tokens":
            return True
        return self.best is not None if box == "words" else box in self.arrays

    def answer(self, box: Box) -> list[str]:
        """Return what is written in a box that holds words in place of colours."""
        if not self.has(box.id):
            return [NOT_THERE]
        if box.id == "verdict":
            continues = self.continues
            return ["needs two texts"] if continues is None else [f"continues   {percent(continues)}"]
        assert self.best is not None
        words, shares = self.facts["best"][self.focus], self.best[self.focus]
        token = self.facts["tokens"][self.focus]
        return [
            f"{clip(token, 9)} → {clip(words[0], 9)}   {percent(shares[0])}",
            f"{clip(words[1], 9)} {percent(shares[1])}",
        ]

    def hint(self, box: Box) -> str:
        """Return what stands beside the name of a box."""
        if box.id == "words" and self.facts["is_tied"]:
            return f"tied table, {box.hint}"
        return box.hint.replace("{head_size}", str(self.facts["sizes"]["head_size"]))

    def shape(self, box: Box) -> list[tuple[str, int]]:
        """Return names and sizes of the axes of a box."""
        sizes = {**self.facts["sizes"], "query": self.facts["sizes"]["seq_len"]}
        sizes["key"] = sizes["seq_len"]
        return [("answers", int(axis)) if axis.isdecimal() else (axis, sizes[axis]) for axis in box.axes]
