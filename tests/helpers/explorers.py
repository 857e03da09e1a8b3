"""What the tests of the explorer share: small captures, and what a view or its page says."""

from __future__ import annotations

import base64
import dataclasses
import json
import re
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bertviz_lite import Explorer
from bertviz_lite.capture import Capture
from tests.views.test_views import Reader

if TYPE_CHECKING:
    from pathlib import Path


TOKENS = ("[CLS]", "the", "bank", "##er", "walks", "[SEP]", "she", "sees", "it", "[SEP]")
SEGMENTS = (0, 0, 0, 0, 0, 0, 1, 1, 1, 1)


def random_layers(
    queries: int = 10, keys: int | None = None, *, layers: int = 3, heads: int = 2, seed: int = 0
) -> tuple[np.ndarray, ...]:
    draw = np.random.default_rng(seed)
    logits = draw.normal(scale=2.0, size=(layers, heads, queries, keys or queries))
    weights = np.exp(logits)
    return tuple((weights / weights.sum(axis=-1, keepdims=True)).astype(np.float32))


def plain(seed: int = 0, **sizes: int) -> Capture:
    return Capture.from_arrays(random_layers(seed=seed, **sizes), TOKENS, segments=SEGMENTS)


def crossed() -> Capture:
    """Return three kinds, as an encoder-decoder gives: 6 tokens in, 4 out, 3 and 2 layers."""
    source, target = ["[CLS]", "a", "##b", "c", "d", "[SEP]"], ["<s>", "x", "y", "</s>"]
    encoder = Capture.from_arrays(random_layers(6), source).kinds["self"]
    decoder = Capture.from_arrays(random_layers(4, layers=2), target).kinds["self"]
    cross = Capture.from_arrays(random_layers(4, 6, layers=2), target, source).kinds["cross"]
    return dataclasses.replace(plain(), kinds={"encoder": encoder, "decoder": decoder, "cross": cross})


def codes(view: Explorer, name: str, *shape: int) -> np.ndarray:
    return np.frombuffer(view._block(name), dtype=np.uint8).reshape(shape)


def floats(view: Explorer, name: str) -> np.ndarray:
    return np.frombuffer(view._block(name), dtype="<f4")


def said(view: Explorer) -> str:
    """Return the script-free layer with its picture built but not painted, which takes most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bertviz_lite.plots.display._png", lambda *_: b"a PNG")
        return view.fallback()


def alt_of(text: str) -> str:
    alt = dict(Reader(text).attributes)["alt"]
    assert alt
    return alt


def page_of(view: Explorer, folder: Path, **options: object) -> str:
    view.save(folder / "page.html", **options)  # type: ignore[arg-type]
    return (folder / "page.html").read_bytes().decode("utf-8")


def data_of(page: str) -> dict[str, Any]:
    found = re.findall(r'<script type="application/json" data-bvl="(\w+)">(.*?)</script>', page, re.DOTALL)
    return {kind: json.loads(text) for kind, text in found}


def blocks_of(page: str) -> dict[str, bytes]:
    found = re.findall(r'<script type="text/plain" data-bvl-block="([^"]+)">([^<]*)</script>', page)
    return {name: zlib.decompress(base64.b64decode(text)) for name, text in found}


def state_of(view: Explorer) -> dict[str, Any]:
    return {name: getattr(view, name) for name in view.state}
