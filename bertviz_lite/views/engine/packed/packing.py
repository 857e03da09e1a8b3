"""A model and its tokenizer as bytes for a page, and the JavaScript that runs them.

The bytes: the length of the header (four, little-endian), the header in JSON, then all weights one after
another, row after row. They are float16 where that keeps every weight exactly as it is, else float32, so that
a page computes with the numbers that Python has. Of float16 the low bytes of all weights come first, then the
high ones: signs and exponents side by side are alike, so that a page that is deflated saves a seventh.

Left out: quantised weights.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.capture.limits import positions_of
from bertviz_lite.views.base.errors import ViewError
from bertviz_lite.views.base.sources import read_module
from bertviz_lite.views.engine.interface import Facts
from bertviz_lite.views.engine.packed.model import SIZES, check_model, config_facts, weights_of
from bertviz_lite.views.engine.packed.tokenizer import tokenizer_facts

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["MOST_MEGABYTES", "PackedModel", "engine_source", "pack_model", "pack_tokenizer"]

MOST_MEGABYTES = 100
"""What a page may hold: all-MiniLM-L6-v2 in float32 fits, BERT-base does not."""


@dataclass(frozen=True)
class PackedModel:
    """A model and its tokenizer as a page holds them."""

    data: bytes = field(repr=False)
    precision: str
    """``"float16"`` or ``"float32"``; either holds the model's weights exactly."""

    @property
    def megabytes(self) -> float:
        """Size in 10⁶ bytes; as base64, in a page, it is a third more."""
        return len(self.data) / 1e6


def pack_model(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, most_megabytes: float = MOST_MEGABYTES
) -> PackedModel:
    """Pack a BERT and its tokenizer for a page.

    Parameters
    ----------
    model
        A BERT of ``transformers``, with or without heads: see :func:`check_model`. One that computes in
        float64 is run in float32, where its weights are float32's.
    tokenizer
        Its WordPiece tokenizer.
    most_megabytes
        How large the result may be, in 10⁶ bytes.

    Raises
    ------
    ViewError
        In one line, if the page's engine cannot run the model or the tokenizer, or they are too large.
    """
    check_model(model)
    header = {
        "facts": _facts(model, tokenizer),
        "config": config_facts(model),
        "tokenizer": tokenizer_facts(tokenizer),
        "boundary_ids": _boundary_ids(tokenizer),
    }
    weights = weights_of(model)
    precision = "float16" if all(map(_is_half, weights.values())) else "float32"
    numbers = sum(weight.size for weight in weights.values())
    size = numbers * (2 if precision == "float16" else 4) / 1e6
    if size > most_megabytes:
        raise ViewError(
            f"{type(model).__name__}: a page would have {size * 4 / 3:,.0f} MB, and may have "
            f"{most_megabytes * 4 / 3:,.0f}: take a smaller model."
        )
    header |= {"precision": precision, "weights": [[name, w.size] for name, w in weights.items()]}
    return PackedModel(_joined(header, weights, precision), precision)


def pack_tokenizer(tokenizer: PreTrainedTokenizerBase) -> PackedModel:
    """Pack a tokenizer without a model: the page's engine then cuts texts, and runs nothing.

    Raises
    ------
    ViewError
        In one line, if the page's engine cannot run the tokenizer.
    """
    header = {
        "facts": vars(Facts.of(tokenizer, model_name="", num_layers=0, positions=None)),
        "config": {"model_name": "", **dict.fromkeys(SIZES, 0), "hidden_act": "gelu", "labels": []},
        "tokenizer": tokenizer_facts(tokenizer),
        "boundary_ids": _boundary_ids(tokenizer),
        "precision": "float16",
        "weights": [],
    }
    return PackedModel(_joined(header, {}, "float16"), "float16")


def engine_source() -> str:
    """Return the page's engine as one ES module; its default export opens what :func:`pack_model` packed."""
    return read_module("engine", "js/serving.js")


def _is_half(weight: npt.NDArray[np.float32]) -> bool:
    with np.errstate(over="ignore"):
        return bool((weight.astype(np.float16).astype(np.float32) == weight).all())


def _joined(
    header: Mapping[str, object], weights: Mapping[str, npt.NDArray[np.float32]], precision: str
) -> bytes:
    text = json.dumps(header, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    kind = "<f2" if precision == "float16" else "<f4"
    numbers = b"".join(np.ascontiguousarray(weight, dtype=kind).tobytes() for weight in weights.values())
    parts = [numbers[::2], numbers[1::2]] if precision == "float16" else [numbers]
    return b"".join([len(text).to_bytes(4, "little"), text, *parts])


def _facts(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> dict[str, object]:
    """Return the fields of :class:`Facts`, as the engine of torch fills them."""
    from bertviz_lite.views.engine.torch_engine import TorchEngine

    facts = TorchEngine(model, tokenizer).facts
    return {**vars(facts), "positions": positions_of(model)}


def _boundary_ids(tokenizer: PreTrainedTokenizerBase) -> list[int]:
    from bertviz_lite.capture.vocabulary import is_boundary

    ids = np.arange(len(tokenizer))
    return [int(number) for number in ids[is_boundary(tokenizer, ids)]]
