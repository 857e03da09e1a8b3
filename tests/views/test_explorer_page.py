"""The explorer's blocks and its saved page; hostile tokens; several views and their end."""

from __future__ import annotations

import base64
import gc
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
from PIL import Image

from bertviz_lite import Explorer, capture, load
from bertviz_lite.basics.text import clip, isolated, readable
from bertviz_lite.capture import Capture
from bertviz_lite.plots.display import MAX_BYTES
from bertviz_lite.views import ViewError, save_page
from bertviz_lite.views.attention.passes import weights as _weights
from bertviz_lite.views.base.saved.blocks import compress
from bertviz_lite.views.base.sources import read_module
from tests.helpers.tiny_families import family
from tests.views.test_views import KEPT, Reader

if TYPE_CHECKING:
    from pathlib import Path
from tests.helpers.explorers import alt_of, blocks_of, data_of, floats, page_of, plain, random_layers, said


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
    names = {f"0/self/why/{layer}/{head}" for layer in range(4) for head in range(6)}
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


def test_pages_of_several_views_hold_the_reasons_of_a_weight_too(seen: Capture, tmp_path: Path) -> None:
    view = Explorer(seen)
    save_page(tmp_path / "page.html", {"One": view}, live=False)
    assert "/self/why/3/3" in (tmp_path / "page.html").read_text(encoding="utf-8")
    # What one page was told is not what the next one does.
    page_of(view, tmp_path, why=False)
    assert any("/why/" in name for name in blocks_of(page_of(view, tmp_path)))


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


@pytest.mark.sampled
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
    names = [text for ax in figure.axes[1:3] for text in ax.get_yticklabels()]
    assert [name.get_text() for name in names][:2] == ["$a$", "$\\alpha$"]
    assert not any(name.get_parse_math() for name in names)


def test_several_views_live_side_by_side() -> None:
    one, two = Explorer(plain(), layer=1), Explorer(plain(1))
    assert one.model_id != two.model_id
    assert one.layer != two.layer
    assert one._block("0/self/mean") != two._block("0/self/mean")


@pytest.mark.thorough
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
