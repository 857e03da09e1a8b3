"""The attention explorer as far as Python reaches: state, runs, blocks, pages, pictures."""

from __future__ import annotations

import base64
import dataclasses
import gc
import html
import io
import json
import re
import tracemalloc
import warnings
import weakref
import zlib
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
import pytest
import traitlets
from hypothesis import given, strategies as st
from matplotlib.figure import Figure
from PIL import Image

from bertviz_lite import Explorer, capture, load
from bertviz_lite.basics.text import clip, isolated, readable
from bertviz_lite.capture import Capture, CaptureError
from bertviz_lite.plots.display import MAX_BYTES
from bertviz_lite.views import ViewError
from bertviz_lite.views.attention import weights as _weights
from bertviz_lite.views.attention.look import axis_of
from bertviz_lite.views.base.blocks import compress
from bertviz_lite.views.base.sources import read_module
from tests.helpers.tiny_families import MODELS, TEXT, family
from tests.views.test_views import KEPT, Reader

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


@pytest.fixture(scope="module")
def seen() -> Capture:
    tokenizer, model = load()
    return capture(model, tokenizer, "The farmer finds the key.", "She opens the door.")


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


# ---- what it is given


def test_arrays_with_tokens_and_a_capture_of_them_are_the_same() -> None:
    layers = random_layers()
    view = Explorer([layer[None] for layer in layers], TOKENS)
    assert repr(view) == "Explorer(10 tokens, 3 layers of 2 heads, layer=0, head=0)"
    other = Explorer(Capture.from_arrays(layers, TOKENS))
    assert view._meta == other._meta
    assert view._block("0/self/layer/1") == other._block("0/self/layer/1")


def test_what_cannot_be_shown_is_refused() -> None:
    with pytest.raises(
        TypeError, match=r"^Explorer\(\) shows what capture\(\) returns, or arrays with their"
    ):
        Explorer(random_layers())
    with pytest.raises(TypeError, match=r"^tokens: the capture has its own"):
        Explorer(plain(), TOKENS)
    with pytest.raises(TypeError, match=r"^layers=2: Explorer knows kind, side, layer, head, heads"):
        Explorer(plain(), layers=2)
    with pytest.raises(TypeError, match=r"^other is what capture\(\) returns, not a list\.$"):
        Explorer(plain(), other=[1])  # type: ignore[arg-type]
    with pytest.raises(CaptureError, match="8 tokens"):
        Explorer(random_layers(), TOKENS[:8])
    with pytest.raises(
        ViewError, match=r"^other has attention of kind encoder, decoder, cross, the first has"
    ):
        Explorer(plain(), other=crossed())


def test_a_view_that_is_refused_leaves_nothing_behind() -> None:
    import ipywidgets

    ipywidgets.Widget.close_all()
    with pytest.raises(ViewError):
        Explorer(plain(), layer=7)
    left = ipywidgets.widgets.widget._instances.values()
    assert not [widget for widget in left if isinstance(widget, Explorer)]


# ---- state

DEFAULTS: dict[str, Any] = {
    "kind": "self",
    "side": "first",
    "layer": 0,
    "head": 0,
    "heads": [],
    "aggregate": "none",
    "query": None,
    "key": None,
    "direction": "all",
    "hide_special": False,
    "renormalise": False,
    "threshold": 0.0,
    "mass": 1.0,
    "words": False,
    "edits": {},
    "heads_off": [],
}


def state_of(view: Explorer) -> dict[str, Any]:
    return {name: getattr(view, name) for name in view.state}


def test_state_starts_plain_and_can_be_given() -> None:
    assert state_of(Explorer(plain())) == DEFAULTS
    given = {
        "layer": np.int64(2),
        "heads": (1, 0, 1),
        "query": 3,
        "direction": "A→B",
        "hide_special": np.True_,
        "threshold": np.float32(0.25),
        "mass": 1,
        "words": True,
    }
    view = Explorer(plain(), **given)
    assert state_of(view) == DEFAULTS | given | {"heads": [0, 1], "mass": 1.0}
    json.dumps(state_of(view))
    assert repr(view) == (
        "Explorer(10 tokens, 3 layers of 2 heads, layer=2, head=0, heads=[0, 1], query=3, direction='A→B', "
        "hide_special=True, threshold=0.25, words=True)"
    )


def test_views_do_not_share_their_lists() -> None:
    one, two = Explorer(plain()), Explorer(plain())
    assert one.heads is not two.heads
    assert one.edits is not two.edits


BAD = [
    ("layer", 3, r"^layer=3: there are 3 layers, numbered 0 to 2\.$"),
    ("head", -1, r"^head=-1: there are 2 heads, numbered 0 to 1\.$"),
    ("head", True, r"^head=True: a whole number from 0 to 1 is needed\.$"),
    ("heads", [0, 2], r"^heads: head 2: there are 2 heads, numbered 0 to 1\.$"),
    ("heads", "01", r"^heads='01': a list of head numbers is needed"),
    ("heads", [0.5], r"^heads: head 0\.5: a whole number from 0 to 1 is needed\.$"),
    ("query", 10, r"^query=10: there are 10 query tokens, numbered 0 to 9\.$"),
    ("key", 1.5, r"^key=1\.5: a whole number from 0 to 9 is needed, or None\.$"),
    ("kind", "cross", r"^kind='cross': one of 'self' is needed\.$"),
    ("aggregate", "mean", r"^aggregate='mean': one of 'none', 'mean heads', 'max heads', 'mean all', "),
    ("aggregate", ["none"], r"^aggregate=\['none'\]: one of"),
    ("direction", "A->B", r"^direction='A->B': one of 'all', 'A→A', 'A→B', 'B→A', 'B→B' is needed\.$"),
    ("side", "both", r"^side='both': one of 'first' is needed\.$"),
    ("hide_special", 1, r"^hide_special=1: True or False is needed\.$"),
    ("threshold", 1.5, r"^threshold=1\.5: a number from 0 to 1 is needed\.$"),
    ("threshold", float("nan"), r"^threshold=nan: a number from 0 to 1 is needed\.$"),
    ("threshold", "0", r"^threshold='0': a number from 0 to 1 is needed\.$"),
    ("mass", 0, r"^mass=0: a number above 0, at most 1, is needed\.$"),
    ("mass", None, r"^mass=None: a number above 0, at most 1, is needed\.$"),
    ("edits", {10: "a"}, r"^edits: token 10: there are 10 tokens, numbered 0 to 9\.$"),
    ("edits", {"x": "a"}, r"^edits: token 'x': a whole number from 0 to 9 is needed\.$"),
    ("edits", {1: ""}, r"^edits=\{1: ''\}: a vocabulary token is needed, such as '\[MASK\]'\.$"),
    ("edits", ["a"], r"^edits=\['a'\]: positions and their new tokens are needed"),
    ("edits", {1: "a"}, r"^edits=\{'1': 'a'\}: there is no model behind arrays; capture\("),
    ("heads_off", [3], r"^heads_off=\[3\]: a list of \(layer, head\) is needed, such as"),
    ("heads_off", [(0, 2)], r"^heads_off: head 2: there are 2 heads, numbered 0 to 1\.$"),
    ("heads_off", [(3, 0)], r"^heads_off: layer 3: there are 3 layers, numbered 0 to 2\.$"),
    ("heads_off", [(0, 0)], r"^heads_off=\[\[0, 0\]\]: there is no model behind arrays"),
]


@pytest.mark.parametrize(("name", "value", "message"), BAD, ids=lambda value: str(value)[:20])
def test_bad_values_are_refused_in_one_line_and_change_nothing(
    name: str, value: object, message: str
) -> None:
    view = Explorer(plain(), layer=1, query=2, heads=[1])
    before = state_of(view)
    with pytest.raises(ViewError, match=message) as caught:
        setattr(view, name, value)
    assert "\n" not in str(caught.value)
    assert state_of(view) == before
    with pytest.raises(ViewError, match=message):
        Explorer(plain(), **{name: value})


def test_what_has_no_meaning_for_these_tokens_is_refused() -> None:
    view = Explorer(random_layers(), TOKENS)
    with pytest.raises(
        ViewError, match=r"^direction='A→B': there is no token of segment B among the key tokens"
    ):
        view.direction = "A→B"
    view = Explorer(crossed(), kind="cross")
    with pytest.raises(
        ViewError, match=r"^aggregate='rollout': queries and keys of 'cross' are not the same"
    ):
        view.aggregate = "rollout"
    assert (view.direction, view.aggregate) == ("all", "none")


def test_another_kind_moves_what_it_does_not_have() -> None:
    view = Explorer(crossed(), layer=2, query=5, key=5, aggregate="rollout")
    assert view._kinds == ("encoder", "decoder", "cross")
    view.kind = "cross"
    assert (view.layer, view.query, view.key, view.aggregate) == (1, None, 5, "none")
    view.kind = "decoder"
    assert view.key is None
    with pytest.raises(ViewError, match=r"^query=4: there are 4 query tokens"):
        view.query = 4


def test_what_the_page_sets_arrives_and_what_is_refused_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Explorer(plain())
    view.set_state({"layer": 2, "heads": [1, 0], "query": 4})
    assert (view.layer, view.heads, view.query, view._problem) == (2, [0, 1], 4, "")
    sent: list[Any] = []
    monkeypatch.setattr(view, "send_state", lambda key=None: sent.append(key))
    view.set_state({"layer": 9, "query": 1})
    assert (view.layer, view.query) == (2, 4)
    assert view._problem == "layer=9: there are 3 layers, numbered 0 to 2."
    assert ["layer", "query"] in sent
    view.set_state({"layer": 1})
    assert (view.layer, view._problem) == (1, "")


def test_views_can_be_linked_also_when_one_has_fewer_layers() -> None:
    one, two = Explorer(plain()), Explorer(plain(1, layers=2))
    link = traitlets.link((one, "layer"), (two, "layer"))
    heads = traitlets.link((one, "heads"), (two, "heads"))
    one.layer, one.heads = 1, [0, 1]
    assert (two.layer, two.heads) == (1, [0, 1])
    two.layer = 0
    assert one.layer == 0
    with pytest.raises(ViewError, match=r"^layer=2: there are 2 layers, numbered 0 to 1\.$"):
        one.layer = 2
    assert two.layer == 0
    one.layer = 1
    assert two.layer == 1
    link.unlink()
    heads.unlink()


# ---- two sides


def test_two_captures_are_compared() -> None:
    view = Explorer(plain(), other=plain(1))
    assert view.side == "both"
    assert [side["name"] for side in view._meta["sides"]] == ["first", "second"]
    assert view._block("0/self/layer/0") != view._block("1/self/layer/0")
    view.side = "difference"
    assert "The largest differences: " in alt_of(view.fallback())
    assert repr(view).endswith("side='difference', layer=0, head=0)")


def test_sides_of_other_sizes_have_no_difference() -> None:
    other = Capture.from_arrays(random_layers(4, layers=2, heads=1), ["[CLS]", "a", "b", "[SEP]"])
    view = Explorer(plain(), other=other)
    with pytest.raises(
        ViewError, match=r"^side='difference': the first side has 10 tokens and the second 4 tokens, so"
    ):
        view.side = "difference"
    with pytest.raises(ViewError, match=r"^layer=2: there are 2 layers"):
        view.layer = 2
    view.query = 9  # of the longer side
    view.side = "first"
    view.layer, view.head, view.heads = 2, 1, [0, 1]
    view.side = "second"
    assert (view.layer, view.head, view.heads, view.query) == (1, 0, [0], None)
    assert "4 queries" in alt_of(view.fallback())


def test_a_kind_of_other_sizes_ends_the_difference() -> None:
    first = crossed()
    kinds = dict(first.kinds)
    kinds["cross"] = Capture.from_arrays(random_layers(4, 5, layers=2), ["x"] * 4, ["y"] * 5).kinds["cross"]
    view = Explorer(first, other=dataclasses.replace(first, kinds=kinds), side="difference")
    view.kind = "cross"
    assert view.side == "both"


# ---- running again


def test_an_edit_runs_the_model_and_shows_both_sides(seen: Capture) -> None:
    view = Explorer(seen)
    place = seen.tokens.index("key")
    busy: list[bool] = []
    view.observe(lambda change: busy.append(change["new"]), "_busy")
    view.edits = {place: "[MASK]"}
    assert view.edits == {str(place): "[MASK]"}
    assert busy == [True, False]
    assert (view.side, view._version, view._problem) == ("both", 1, "")
    after = seen.rerun({place: "[MASK]"})
    sides = view._meta["sides"]
    assert [side["name"] for side in sides] == ["before", "after"]
    assert sides[1]["kinds"]["self"]["queries"]["tokens"] == list(after.tokens)
    assert np.array_equal(floats(view, "1/self/exact/2/1/3"), after.attentions[2][1, 3])
    (told,) = view._predictions["positions"]
    assert (told["position"], told["token"]) == (place, "key")
    assert told["before"] == [[token, share] for token, share in seen.predictions(place, 5)]
    assert told["after"] == [[token, share] for token, share in after.predictions(place, 5)]
    assert told["loss"] == [seen.loss(place, "key"), after.loss(place, "key")]
    assert told["loss"][1] > told["loss"][0]


def test_edits_and_heads_off_together_are_told_apart(seen: Capture) -> None:
    place = seen.tokens.index("key")
    view = Explorer(seen, edits={place: "[MASK]"})
    view.side = "difference"
    view.heads_off = [(2, 1), (0, np.int64(3)), (2, 1)]
    assert view.heads_off == [[0, 3], [2, 1]]
    assert view.side == "difference"
    (told,) = view._predictions["positions"]
    masked = seen.rerun({place: "[MASK]"})
    off = seen.rerun({place: "[MASK]"}, [(0, 3), (2, 1)])
    expected = [run.loss(place, "key") for run in (seen, off, masked)]
    assert told["loss"] == pytest.approx(expected, abs=1e-6)
    assert told["heads_on"][0][0] == masked.predictions(place, 1)[0][0]
    assert "after, all heads on" in said(view)


def test_without_edits_the_second_side_is_gone(seen: Capture) -> None:
    view = Explorer(seen, edits={3: "[MASK]"}, heads_off=[(1, 0)])
    view.layer = 3
    view.edits = {}
    assert len(view._meta["sides"]) == 2
    view.heads_off = []
    assert (view.side, len(view._meta["sides"]), view._predictions, view.layer) == ("first", 1, {}, 3)
    with pytest.raises(ViewError, match=r"^'1/self/mean': Explorer has no such block\.$"):
        view._block("1/self/mean")


def test_a_token_that_stays_what_it_is_is_no_edit(seen: Capture) -> None:
    view = Explorer(seen)
    view.edits = {3: seen.tokens[3]}
    assert (view.edits, view._version, view.side) == ({}, 0, "first")


def test_a_refused_edit_loses_nothing(seen: Capture) -> None:
    view = Explorer(seen, edits={3: "[MASK]"}, layer=2)
    before = state_of(view), view._meta, view._version, view._predictions
    with pytest.raises(ViewError, match="not one token of the vocabulary"):
        view.edits = {3: "qwertzuiop"}
    assert (state_of(view), view._meta, view._version, view._predictions) == before
    view.set_state({"edits": {"3": "qwertzuiop"}})
    assert (state_of(view), view._meta, view._version, view._predictions) == before
    assert "not one token of the vocabulary" in view._problem
    assert not view._busy
    view.set_state({"edits": {"4": "[MASK]"}})
    assert (view.edits, view._problem, view._version) == ({"4": "[MASK]"}, "", 2)


def test_edits_and_heads_off_set_at_once_run_once(seen: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    view = Explorer(seen)
    runs: list[Any] = []
    rerun = Capture.rerun
    monkeypatch.setattr(Capture, "rerun", lambda *given: runs.append(given[1:]) or rerun(*given))
    with view.hold_trait_notifications():
        view.edits = {3: "[MASK]"}
        view.heads_off = [(0, 0)]
    assert runs[0] == ({3: "[MASK]"}, [(0, 0)])
    assert [run for run in runs if run == runs[0]] == [runs[0]]
    assert view._version == 1


def test_an_edit_stands_in_for_what_was_compared(seen: Capture) -> None:
    view = Explorer(seen, other=seen.rerun({2: "bank"}))
    view.edits = {3: "[MASK]"}
    assert [side["name"] for side in view._meta["sides"]] == ["before", "after"]
    view.edits = {}
    assert [side["name"] for side in view._meta["sides"]] == ["first", "second"]
    assert (view.side, view._meta["sides"][1]["kinds"]["self"]["queries"]["tokens"][2]) == ("both", "bank")


def test_a_mask_of_the_text_itself_is_followed_when_a_head_goes_off() -> None:
    tokenizer, model = load()
    view = Explorer(capture(model, tokenizer, "The farmer finds the [MASK]."))
    view.heads_off = [(0, 0)]
    (told,) = view._predictions["positions"]
    assert told["position"] == 5
    assert told["token"] == told["before"][0][0]
    assert told["loss"][0] == pytest.approx(-np.log(told["before"][0][1]), abs=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_every_family_of_models_can_be_explored(name: str, tmp_path: Path) -> None:
    model, tokenizer = family(name)
    given = capture(model, tokenizer, TEXT)
    view = Explorer(given)
    for kind in given.kinds:
        view.kind = kind
        assert alt_of(view._page_fallback()).startswith("Attention of layer 0, head 0, a row for each of ")
        view.aggregate = "mean all"
        view._page_fallback()
        view.aggregate = "none"
    place = next(i for i, word in enumerate(given._first.query_tokens.words) if word >= 2)
    view.edits = {place: given.tokens[place - 1]}
    if given._first.scores is None:  # the T5 of the oldest release
        with pytest.raises(ViewError, match="does not choose its attention function by name"):
            view.heads_off = [(0, 1)]
        return
    view.heads_off = [(0, 1)]
    view.side = "difference"
    assert len(view._meta["sides"]) == 2
    assert bool(view._predictions) == (given.predicts and len(given.kinds) == 1)
    page = page_of(view, tmp_path)
    blocks = blocks_of(page)
    for side in ("0", "1"):
        assert {block.split("/")[1] for block in blocks if block.startswith(side)} == set(given.kinds)
    assert all(view._block(name) == block for name, block in blocks.items())


# ---- arithmetic


@given(st.floats(0, 1, width=32))
def test_no_drawn_weight_is_off_by_more_than_half_a_step(weight: float) -> None:
    drawn = float(_weights.decode(_weights.encode(np.array([weight])))[0])
    assert abs(drawn - weight) <= 0.004
    assert (drawn == weight) or weight not in (0.0, 1.0)


def test_the_error_that_is_told_is_the_error_that_is_drawn() -> None:
    view = Explorer(plain())
    layers = random_layers()
    drawn = [(codes(view, f"0/self/layer/{layer}", 2, 10, 10) / 255.0) ** 2 for layer in range(3)]
    errors = [np.abs(drawn[layer] - layers[layer]).max() for layer in range(3)]
    assert view._meta["error"] == pytest.approx(max(errors), abs=1e-6)
    assert 0.001 < view._meta["error"] <= 0.004
    rows = [np.abs(drawn[layer].sum(-1) - layers[layer].sum(-1)).max(-1) for layer in range(3)]
    stats = floats(view, "0/self/stats").reshape(3, 2, 4)
    assert stats[:, :, 3] == pytest.approx(np.stack(rows), abs=1e-5)


def test_long_rows_sum_to_one_where_a_linear_code_would_lose_them() -> None:
    uniform = np.full((1, 1, 512, 512), 1 / 512, np.float32)
    view = Explorer([uniform, *random_layers(512, layers=1, heads=1)], ["t"] * 512)
    assert floats(view, "0/self/stats").reshape(2, 1, 4)[:, :, 3].max() <= 0.05
    assert view._meta["error"] <= 0.004


@given(st.integers(1, 700), st.floats(0, 0.9), st.integers(0, 100))
def test_no_row_is_drawn_with_another_sum(size: int, largest: float, noise: int) -> None:
    draw = np.random.default_rng(noise)
    row = np.full(size, 1.0) + 1e-3 * noise * draw.random(size)
    row[0] += largest * size / (1 - largest)
    row = (row / row.sum()).astype(np.float32)
    drawn = _weights.decode(_weights.encode_rows(row[None]))[0]
    assert abs(drawn.sum() - row.sum()) <= 0.021
    assert np.abs(drawn - row).max() <= 0.004


def test_numbers_of_a_head_worked_out_by_hand() -> None:
    weights = np.array([[[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.25, 0.25, 0.5]]], np.float32)
    view = Explorer([weights], ["[CLS]", "a", "b"])
    entropy, distance, special, _ = floats(view, "0/self/stats")
    assert entropy == pytest.approx((1 + 0 + 1.5) / 3)
    assert distance == pytest.approx((0.5 + 0 + 0.25 * 2 + 0.25) / 3)
    assert special == pytest.approx((0.5 + 0 + 0.25) / 3)


def test_padding_does_not_count() -> None:
    tokens = ["[CLS]", "a", "[PAD]"]
    weights = np.array([[[1, 0, 0], [0, 1, 0], [1 / 3, 1 / 3, 1 / 3]]], np.float32)
    view = Explorer([weights], tokens)
    assert view._meta["sides"][0]["kinds"]["self"]["queries"]["padding"] == [0, 0, 1]
    entropy, distance, _, _ = floats(view, "0/self/stats")
    assert (entropy, distance) == (0.0, 0.0)


def test_there_is_no_distance_between_two_texts() -> None:
    stats = floats(Explorer(crossed()), "0/cross/stats").reshape(2, 2, 4)
    assert np.isnan(stats[:, :, 1]).all()
    assert np.isfinite(stats[:, :, [0, 2, 3]]).all()


def test_rollout_is_the_product_of_half_attention_and_half_identity() -> None:
    layers = random_layers()
    view = Explorer(layers, TOKENS)
    expected = np.eye(10)
    for number, layer in enumerate(layers):
        expected = (0.5 * layer.mean(axis=0) + 0.5 * np.eye(10)) @ expected
        drawn = (codes(view, f"0/self/rollout/{number}", 10, 10) / 255.0) ** 2
        assert np.abs(drawn - expected).max() <= 0.004
    assert expected.sum(axis=1) == pytest.approx(np.ones(10))
    with pytest.raises(ViewError):
        Explorer(crossed())._block("0/cross/rollout/0")


def test_thumbs_hold_the_largest_weight_of_each_block() -> None:
    layers = random_layers(50, layers=2)
    view = Explorer(layers, ["t"] * 50)
    assert view._meta["sides"][0]["kinds"]["self"]["thumb"] == [24, 24]
    thumbs = codes(view, "0/self/thumbs", 2, 2, 24, 24)
    edges = [row * 50 // 24 for row in range(25)]
    for row, column in ((0, 0), (5, 17), (23, 23)):
        block = layers[1][0, edges[row] : edges[row + 1], edges[column] : edges[column + 1]]
        assert thumbs[1, 0, row, column] == round(255 * float(np.sqrt(block.max())))


def test_mean_and_max_are_over_all_layers_and_heads() -> None:
    layers = np.stack(random_layers())
    view = Explorer(layers, TOKENS)
    assert np.array_equal(codes(view, "0/self/mean", 10, 10), _weights.encode(layers.mean(axis=(0, 1))))
    assert np.array_equal(codes(view, "0/self/max", 10, 10), _weights.encode(layers.max(axis=(0, 1))))


def test_words_sum_over_keys_and_average_over_queries() -> None:
    weights = np.array([[0.1, 0.2, 0.3, 0.4], [0.5, 0.1, 0.1, 0.3], [0.0, 0.5, 0.25, 0.25], [1, 0, 0, 0]])
    starts = _weights.word_starts(np.array([-1, 0, 0, -1]))
    assert starts.tolist() == [0, 1, 3]
    merged = _weights.merge_words(weights, starts, starts)
    assert merged == pytest.approx(np.array([[0.1, 0.5, 0.4], [0.25, 0.475, 0.275], [1, 0, 0]]))
    assert merged.sum(axis=1) == pytest.approx(np.ones(3))


@given(st.integers(0, 10_000), st.floats(0.01, 1))
def test_the_kept_weights_are_the_fewest_that_hold_the_share(seed: int, mass: float) -> None:
    row = random_layers(1, 9, layers=1, heads=1, seed=seed)[0][0]
    keep = _weights.keep_mass(row, mass)[0]
    kept = np.sort(row[0][keep].astype(np.float64))
    assert kept.sum() >= mass * row.sum() - 1e-6
    assert kept[1:].sum() < mass * row.sum()
    assert row[0][~keep].max(initial=0) <= kept[0]


# ---- blocks


def test_exact_rows_and_the_reasons_of_a_weight(seen: Capture) -> None:
    view = Explorer(seen)
    assert np.array_equal(floats(view, "0/self/exact/3/2/1"), seen.attentions[3][2, 1])
    n, d = len(seen.tokens), seen.queries[0].shape[2]
    numbers = floats(view, "0/self/why/1/2")
    assert numbers.size == 2 * n * d
    queries, keys = numbers.reshape(2, n, d)
    kind = view._meta["sides"][0]["kinds"]["self"]
    assert (kind["why"], kind["head_size"]) == (True, d)
    scores = kind["scaling"][1] * queries @ keys.T
    softmax = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    assert softmax == pytest.approx(seen.attentions[1][2], abs=1e-5)


def test_the_mask_is_among_the_reasons() -> None:
    tokenizer, model = load()
    padded = capture(model, tokenizer, "The farmer finds the key.", pad_to=12)
    view = Explorer(padded)
    d = padded.queries[0].shape[2]
    bias = floats(view, "0/self/why/0/0")[2 * 12 * d :].reshape(12, 12)
    assert (bias[:, 8:] < -1e4).all()
    assert not bias[:, :8].any()


@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            "0",
            "0/self",
            "2/self/mean",
            "-1/self/mean",
            "0/cross/mean",
            "0/self/mean/0",
            "0/self/summaries",
        ),
        *("0/self/layer", "0/self/layer/3", "0/self/layer/-1", "0/self/layer/x", "0/self/exact/0/0/10"),
        "0/self/why/0/0",
    ],
)
def test_blocks_that_there_are_not(name: str) -> None:
    with pytest.raises(ViewError, match=r"^'.*': Explorer has no such block\.$"):
        Explorer(plain())._block(name)


def test_a_page_that_asks_is_answered_with_compressed_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Explorer(plain())
    sent: list[tuple[Any, Any]] = []
    monkeypatch.setattr(view, "send", lambda content, buffers=None: sent.append((content, buffers)))
    view._handle_custom_msg({"type": "block", "name": "0/self/layer/1", "ticket": "a-1"}, [])
    view._handle_custom_msg({"type": "block", "name": "0/self/nothing", "ticket": "a-2"}, [])
    view._handle_custom_msg({"type": "something else"}, [])
    view._handle_custom_msg("no dictionary", [])
    (answer, buffers), refusal = sent
    assert answer == {"type": "block", "ticket": "a-1"}
    assert zlib.decompress(buffers[0]) == view._block("0/self/layer/1")
    message = "'0/self/nothing': Explorer has no such block."
    assert refusal == ({"type": "error", "ticket": "a-2", "message": message}, None)


@pytest.mark.parametrize("size", [0, 1, 16_384, 16_385, 300_000])
def test_blocks_survive_compression(size: int) -> None:
    noise = np.random.default_rng(size).integers(0, 60, size, dtype=np.uint8).tobytes()
    for block in (noise, bytes(size), b"abc" * (size // 3)):
        assert zlib.decompress(compress(block)) == block


def test_noise_and_repetition_are_compressed_as_suits_each() -> None:
    noise = _weights.encode(np.concatenate(random_layers(64, layers=2, heads=8))).tobytes()
    assert len(compress(noise)) < 0.97 * len(zlib.compress(noise))
    assert len(compress(bytes(100_000))) < 1000


def test_only_what_is_looked_at_is_sent() -> None:
    layers = random_layers(128, layers=12, heads=12)
    view = Explorer(layers, ["t"] * 128)
    state = {name: value for name, value in view.get_state().items() if name not in {"_esm", "_css"}}
    names = ["0/self/thumbs", "0/self/stats", "0/self/layer/0"]
    sent = len(json.dumps(state, default=str)) + sum(len(compress(view._block(name))) for name in names)
    assert sent <= 300_000


# ---- the saved page


def page_of(view: Explorer, folder: Path, **options: object) -> str:
    view.save(folder / "page.html", **options)  # type: ignore[arg-type]
    return (folder / "page.html").read_bytes().decode("utf-8")


def data_of(page: str) -> dict[str, Any]:
    found = re.findall(r'<script type="application/json" data-bvl="(\w+)">(.*?)</script>', page, re.DOTALL)
    return {kind: json.loads(text) for kind, text in found}


def blocks_of(page: str) -> dict[str, bytes]:
    found = re.findall(r'<script type="text/plain" data-bvl-block="([^"]+)">([^<]*)</script>', page)
    return {name: zlib.decompress(base64.b64decode(text)) for name, text in found}


def test_saved_page_holds_every_map_and_no_exact_numbers(tmp_path: Path) -> None:
    view = Explorer(plain(), layer=2, threshold=0.1)
    page = page_of(view, tmp_path, title="Ada & the key")
    assert "<title>Ada &amp; the key</title>" in page
    blocks = blocks_of(page)
    expected = {
        "thumbs",
        "stats",
        "mean",
        "max",
        *(f"{kind}/{i}" for kind in ("layer", "rollout") for i in range(3)),
    }
    assert blocks.keys() == {f"0/self/{name}" for name in expected}
    assert all(view._block(name) == block for name, block in blocks.items())
    state = data_of(page)["state"]
    assert (state["layer"], state["threshold"]) == (2, 0.1)
    assert state["_meta"] == view._meta | {"live": False}
    assert {"layout", "_esm", "_css", "_model_id", "tabbable"}.isdisjoint(state)
    assert data_of(page)["module"] == read_module("attention")


def test_saved_page_holds_the_reasons_if_they_are_few_or_asked_for(seen: Capture, tmp_path: Path) -> None:
    view = Explorer(seen)
    names = {f"0/self/why/{layer}/{head}" for layer in range(4) for head in range(4)}
    for why, there in ((None, True), (False, False), (True, True)):
        page = page_of(view, tmp_path, why=why)
        assert {name for name in blocks_of(page) if "/why/" in name} == (names if there else set())
        meta = data_of(page)["state"]["_meta"]
        assert meta["sides"][0]["kinds"]["self"]["why"] is there
        assert (meta["live"], meta["can_run"]) == (False, False)
    assert view._meta["live"]
    assert view._meta["can_run"]


def test_many_reasons_are_left_out_unless_asked_for(
    seen: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bertviz_lite.views.attention.view._WHY_BYTES", 10_000)
    view = Explorer(seen)
    assert not any("/why/" in name for name in blocks_of(page_of(view, tmp_path)))
    assert any("/why/" in name for name in blocks_of(page_of(view, tmp_path, why=True)))


def test_saved_page_of_two_sides_holds_both(seen: Capture, tmp_path: Path) -> None:
    view = Explorer(seen, edits={3: "[MASK]"})
    page = page_of(view, tmp_path)
    assert {name[:2] for name in blocks_of(page)} == {"0/", "1/"}
    assert data_of(page)["state"]["_predictions"] == view._predictions


def test_saved_page_has_a_picture_and_tables_for_browsers_without_scripts(tmp_path: Path) -> None:
    page = page_of(Explorer(plain(), layer=1), tmp_path)
    shown = re.search(r"<noscript>(.*)</noscript>", page, re.DOTALL)
    assert shown
    assert alt_of(shown[1]) == alt_of(Explorer(plain(), layer=1).fallback())
    png = re.search(r"base64,([^\"]+)", shown[1])
    assert png
    with Image.open(io.BytesIO(base64.b64decode(png[1]))) as image:
        assert image.size == (480, 480)
        colours = image.convert("RGB")
    weights = random_layers()[1][0]
    darkest = np.unravel_index(weights.argmax(), weights.shape)
    sums = np.asarray(colours).astype(int).sum(axis=2)[24::48, 24::48]
    assert np.unravel_index(sums.argmin(), sums.shape) == darkest
    assert "Layer 1, head 0: a row for each query, a column for each key; the darkest is" in shown[1]
    assert '<th scope="row">3</th><td>3 “##er”</td><td>3 “##er”</td>' in shown[1]
    assert shown[1].count("<table>") == 3


def test_saved_page_is_the_same_every_time_and_names_no_other_place(tmp_path: Path) -> None:
    one, two = (page_of(Explorer(plain()), tmp_path) for _ in range(2))
    assert one == two
    without_module = re.sub(r'data-bvl="module">[^<]*', "", one)
    assert without_module != one
    assert "http" not in without_module.replace("http-equiv", "")
    assert "default-src 'none'" in one


def test_a_failure_leaves_the_page_that_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = page_of(Explorer(plain()), tmp_path)
    view = Explorer(plain(1))
    monkeypatch.setattr(view, "_block", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        view.save(tmp_path / "page.html")
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert (tmp_path / "page.html").read_bytes().decode() == before
    with pytest.raises(
        FileNotFoundError, match=r"page\.html: there is no folder .*nowhere; make it first\.$"
    ):
        view.save(tmp_path / "nowhere" / "page.html")


# ---- without scripts


def test_alt_text_says_the_head_its_largest_weights_and_its_numbers() -> None:
    layers = random_layers()
    view = Explorer(layers, TOKENS, layer=1, head=1)
    alt = alt_of(said(view))
    weights = layers[1][1]
    row, column = np.unravel_index(weights.argmax(), weights.shape)
    pair = f"{row} “{TOKENS[row]}” → {column} “{TOKENS[column]}” {weights.max():.2f}"
    start = "Attention of layer 1, head 1, a row for each of 10 queries, a column for each of 10 keys."
    assert alt.startswith(f"{start} The largest weights: {pair}; ")
    entropy = -(weights * np.log2(weights)).sum(axis=1).mean()
    special = weights[:, [0, 5, 9]].sum(axis=1).mean()
    assert f"Entropy {entropy:.2f} bits, mean distance " in alt
    assert alt.endswith(f"{100 * special:.1f} % of the weights on special tokens.")


def test_filters_are_seen_and_what_they_hide_is_said() -> None:
    weights = random_layers()[0][0].astype(np.float64)
    view = Explorer(plain(), hide_special=True, direction="A→B")
    alt = alt_of(said(view))
    rows, columns = [1, 2, 3, 4], [6, 7, 8]
    hidden = 1 - weights[np.ix_(rows, columns)].sum() / weights[rows].sum()
    assert "a row for each of 4 queries, a column for each of 3 keys" in alt
    assert f"Hidden: {100 * hidden:.1f} % of the weights of these queries." in alt
    view.renormalise = True
    text = said(view)
    assert "shares of what is left" in text
    largest = (weights[np.ix_(rows, columns)] / weights[np.ix_(rows, columns)].sum(1, keepdims=True)).max()
    assert f"{largest:.2f};" in alt_of(text)
    view.threshold = 1.0
    assert "No weight is large enough to be drawn." in alt_of(said(view))


def test_a_pinned_query_is_what_the_words_speak_of() -> None:
    view = Explorer(plain(), query=4)
    listed = re.findall(r"(\d+) “\S+” → ", alt_of(said(view)))
    assert set(listed) == {"4"}
    view.key = 6
    assert len(re.findall(r" → ", alt_of(said(view)))) == 1


def test_words_are_named_by_their_pieces() -> None:
    view = Explorer(plain(), words=True, query=3)  # ##er: the word that holds it is meant
    alt = alt_of(said(view))
    assert "a row for each of 9 queries" in alt
    assert set(re.findall(r"(\d+ “\S+”) → ", alt)) == {"2 “banker”"}


@pytest.mark.parametrize(
    ("pieces", "word"),
    [
        (("bank", "##er"), "banker"),
        (("Ġwalk", "ing"), "walking"),
        (("▁the",), "the"),
        (("Ġ",), "Ġ"),
        (("a@@", "b"), "ab"),
    ],
)
def test_words_lose_the_marks_of_their_pieces(pieces: tuple[str, ...], word: str) -> None:
    given = Capture.from_arrays(random_layers(len(pieces)), pieces).kinds["self"].query_tokens
    axis = axis_of(dataclasses.replace(given, words=np.zeros(len(pieces), np.int64)), words=True)
    assert axis.names == (word,)


@pytest.mark.parametrize("aggregate", ["mean heads", "max heads", "mean all", "max all", "rollout"])
def test_aggregates_say_what_they_may_claim(aggregate: str) -> None:
    text = said(Explorer(plain(), aggregate=aggregate, layer=1))
    claim = html.unescape(text)
    assert (
        "rows do not sum to one" in claim
        if "max" in aggregate
        else "rows sum" in claim or "not a cause" in claim
    )
    assert "Entropy" not in alt_of(text)


def test_everything_hidden_is_said_and_drawn() -> None:
    view = Explorer(random_layers(2), ["[CLS]", "[SEP]"], hide_special=True)
    assert alt_of(view.fallback()).endswith("Every token is hidden: nothing is left to draw.")
    assert isinstance(view.figure(), Figure)
    assert "nothing is left" in view._page_fallback()


def test_fallback_uses_only_what_untrusted_viewers_keep() -> None:
    found = Reader(said(Explorer(plain(), aggregate="rollout")))
    assert set(found.tags) <= KEPT
    bundle, _ = Explorer(plain())._repr_mimebundle_()
    assert set(bundle) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert bundle["text/html"] == Explorer(plain()).fallback()


@pytest.mark.parametrize("seq_len", [1, 2, 17, 150])
@pytest.mark.parametrize("sides", [1, 2])
def test_pictures_are_small_enough_for_a_notebook(seq_len: int, sides: int) -> None:
    first, second = (
        Capture.from_arrays(random_layers(seq_len, layers=1, seed=seed), ["word"] * seq_len)
        for seed in range(2)
    )
    view = Explorer(first, heads=[0, 1], other=second if sides == 2 else None)
    png = re.search(r"base64,([^\"]+)", view.fallback())
    assert png
    assert len(base64.b64decode(png[1])) <= MAX_BYTES


def test_a_picture_too_large_gives_way_to_plain_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Explorer(plain())
    alt = alt_of(view.fallback())
    monkeypatch.setattr("bertviz_lite.plots.display.MAX_BYTES", 1000)
    assert alt_of(view.fallback()) == alt


def test_figure_is_one_map_as_matrix_and_ribbons(tmp_path: Path) -> None:
    import matplotlib.pyplot as plt

    layers = random_layers()
    view = Explorer(layers, TOKENS, heads=[0, 1])
    figure = view.figure(2, 1)
    matrix, lines = figure.axes[:2]
    assert np.array_equal(np.asarray(matrix.images[0].get_array()), layers[2][1].astype(np.float64))
    assert matrix.get_title(loc="left") == "Layer 2, head 1"
    assert [text.get_text() for text in lines.get_legend().get_texts()] == ["head 0", "head 1"]
    for kind, start in (("png", b"\x89PNG"), ("svg", b"<?xml")):
        figure.savefig(tmp_path / f"picture.{kind}")
        assert (tmp_path / f"picture.{kind}").read_bytes().startswith(start)
    assert not plt.get_fignums()
    assert (view.layer, view.head) == (0, 0)
    with pytest.raises(ViewError, match=r"^layer=3: there are 3 layers"):
        view.figure(3)
    with pytest.raises(ViewError, match=r"^head='x': a whole number"):
        view.figure(0, "x")  # type: ignore[arg-type]


def test_figure_of_a_difference_is_signed() -> None:
    view = Explorer(plain(), other=plain(1), side="difference", aggregate="mean heads")
    matrix = view.figure(1).axes[0]
    expected = random_layers(seed=1)[1].mean(axis=0) - random_layers()[1].mean(axis=0)
    assert np.asarray(matrix.images[0].get_array()) == pytest.approx(expected, abs=1e-6)
    low, high = matrix.images[0].get_clim()
    assert low == -high


def test_both_sides_are_drawn_on_one_scale() -> None:
    axes = Explorer(plain(), other=plain(1)).figure().axes
    limits = {ax.images[0].get_clim() for ax in axes if ax.images}
    assert len([ax for ax in axes if ax.images]) == 2
    assert len(limits) == 1


# ---- hostile tokens

HOSTILE = {
    "script": "</script><script>alert(1)</script>",
    "image": "<img src=x onerror=alert(1)>",
    "braces": "{{title}}{0}%s",
    "maths": "$\\frac{$ $x_1$",
    "pipe": "a|b\\|c",
    "right to left": "\u202eאבג\u2066 שלום",
    "combining": "e" + "\u0301" * 40,
    "emoji": "👩\u200d👩\u200d👧🏽",
    "rare script": "𓀀 漢 \ue000",
    "control": "a\x00b\x01\x1b[31m\x7f\x85\r\n\t\u2028",
    "half": "\ud83d x \udc00",
    "long": "x" * 10_000,
    "empty": "",
    "comment": "<!--<script>",
    "quote": "\"'&quot;`",
}


@pytest.mark.parametrize("token", HOSTILE.values(), ids=HOSTILE)
def test_hostile_tokens_are_text_everywhere(token: str, tmp_path: Path) -> None:
    tokens = ["[CLS]", token, f"{token}{token}", "[SEP]"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        view = Explorer(random_layers(4), tokens, query=1)
        assert repr(view).isprintable()
        text = view.fallback()
        view.figure().savefig(tmp_path / "picture.svg")  # a PNG is in the text
    json.dumps(view._meta, ensure_ascii=False, allow_nan=False).encode("utf-8")
    text.encode("utf-8")
    found = Reader(text)
    assert set(found.tags) <= KEPT
    assert {name for name, _ in found.attributes} <= {"alt", "width", "src", "scope"}
    assert len(text) < 60_000 + MAX_BYTES * 4 / 3
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u202a-\u202e]", text)
    assert "\u2066" not in text.replace("\u2068", "")
    page = page_of(view, tmp_path)
    assert page.count("</script>") == 4 + len(blocks_of(page))
    assert "<img src=x" not in page
    assert "<!--" not in page
    shown = data_of(page)["state"]["_meta"]["sides"][0]["kinds"]["self"]["queries"]["tokens"]
    assert shown[1] == readable(token)
    view.words = True
    said(view)


def test_a_hostile_title_is_text(tmp_path: Path) -> None:
    page = page_of(Explorer(plain()), tmp_path, title="</title><script>\ud800{x}")
    assert "<title>&lt;/title&gt;&lt;script&gt;?{x}</title>" in page


def test_readable_text_is_short_and_does_not_turn_what_is_around_it() -> None:
    assert readable("plain") == "plain"
    assert readable("\x00\x1b\x7f\x85\ud800\u202e") == "␀␛␡���"
    assert clip("x" * 100) == "x" * 39 + "…"
    assert isolated("abc") == "abc"
    assert isolated("שלום") == "\u2068שלום\u2069"


def test_dollars_are_no_formula() -> None:
    figure = Explorer(random_layers(3), ["$a$", "$\\alpha$", "c"]).figure()
    names = [text for axis in (figure.axes[0].yaxis, figure.axes[1].yaxis) for text in axis.get_ticklabels()]
    assert [name.get_text() for name in names][:2] == ["$a$", "$\\alpha$"]
    assert not any(name.get_parse_math() for name in names)


# ---- several views, and their end


def test_several_views_live_side_by_side() -> None:
    one, two = Explorer(plain(), layer=1), Explorer(plain(1))
    assert one.model_id != two.model_id
    assert one.layer != two.layer
    assert one._block("0/self/mean") != two._block("0/self/mean")


def test_closing_lets_go_of_everything() -> None:
    tokenizer, model = load()
    given = capture(model, tokenizer, "The farmer finds the key.")
    view = Explorer(given, edits={3: "[MASK]"})
    view.fallback()
    view.figure()
    followed = [weakref.ref(view), weakref.ref(given), weakref.ref(view._second.capture)]  # type: ignore[union-attr]
    view.close()
    del view, given
    gc.collect()
    assert [reference() for reference in followed] == [None, None, None]


def test_fonts_and_settings_are_put_back() -> None:
    before = dict(mpl.rcParams)
    Explorer(plain()).fallback()
    assert dict(mpl.rcParams) == before


def test_building_a_page_takes_little_memory(tmp_path: Path) -> None:
    layers = random_layers(128, layers=12, heads=12)
    given = Capture.from_arrays(layers, ["t"] * 128)
    tracemalloc.start()
    try:
        Explorer(given).save(tmp_path / "page.html")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak <= 40 * 2**20


@pytest.mark.parametrize(("name", "token"), [("bert", "[MASK]"), ("roberta", "<mask>"), ("gpt2", None)])
def test_the_page_is_told_what_hides_a_word(name: str, token: str | None) -> None:
    model, tokenizer = family(name)
    view = Explorer(capture(model, tokenizer, "the cat sees the dog"))
    assert view._meta["mask_token"] == token
