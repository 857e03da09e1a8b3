"""What the explorer shows without scripts: picture, alt text, tables, figures."""

from __future__ import annotations

import base64
import dataclasses
import html
import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from bertviz_lite import Explorer
from bertviz_lite.capture import Capture
from bertviz_lite.plots import SIGNED, UNSIGNED, head_colour
from bertviz_lite.plots.display import MAX_BYTES
from bertviz_lite.views import ViewError
from bertviz_lite.views.attention.look import axis_of
from tests.helpers.explorers import TOKENS, alt_of, plain, random_layers, said
from tests.helpers.javascript import printed_by
from tests.views.test_views import KEPT, Reader


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


def test_the_numbers_of_a_head_say_that_they_are_of_tokens_where_these_are_joined() -> None:
    for words in (False, True):
        page = said(Explorer(plain(), words=words))
        assert ("By token: entropy" in alt_of(page)) == words
        assert ("in numbers, by token" in page) == words


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


@pytest.mark.sampled
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


@pytest.mark.thorough
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
    overview, lines, matrix = (figure.axes[index] for index in (0, 1, 2))
    assert np.array_equal(np.asarray(matrix.images[0].get_array()), layers[2][1].astype(np.float64))
    assert figure.subfigs[1].subfigs[0].get_suptitle() == "Layer 2, head 1"
    assert [text.get_text() for text in lines.get_legend().get_texts()] == ["head 0", "head 1"]
    small = np.asarray(overview.images[0].get_array())
    assert small[22:32, 11:21] == pytest.approx(layers[2][1])
    assert [text.get_text() for text in overview.get_yticklabels()] == ["0", "1", "2"]
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
    overview, _, matrix = view.figure(1).axes[:3]
    expected = random_layers(seed=1)[1].mean(axis=0) - random_layers()[1].mean(axis=0)
    assert np.asarray(matrix.images[0].get_array()) == pytest.approx(expected, abs=1e-6)
    small = random_layers(seed=1)[2][0] - random_layers()[2][0]
    assert np.asarray(overview.images[0].get_array())[22:32, :10] == pytest.approx(small, abs=1e-6)
    for ax in (overview, matrix):
        assert ax.images[0].get_clim() == (-1.0, 1.0)


def test_both_sides_are_drawn_on_one_scale() -> None:
    axes = Explorer(plain(), other=plain(1)).figure().axes
    limits = [ax.images[0].get_clim() for ax in axes if ax.images]
    assert limits == [(0.0, 1.0)] * 3  # all heads, and the matrix of each side


def test_segments_are_told_apart_in_ribbons_and_matrix() -> None:
    axes = Explorer(plain()).figure().axes
    bars = [line for line in axes[1].lines if len(line.get_xdata()) == 2 and line.get_linewidth() == 2.5]
    assert [line.get_color() for line in bars] == ["#0072b2", "#c27400"] * 2
    first, second = (np.asarray(bar.get_ydata()) for bar in bars[:2])
    assert (first[1], second[0]) == pytest.approx((5.5, 5.57))  # B begins at token 6
    borders = [line for line in axes[2].lines if line.get_color() == "#59636e"]
    assert [set(line.get_ydata()) for line in borders[:1]] == [{5.5}]
    assert [set(line.get_xdata()) for line in borders[1:]] == [{5.5}]


def test_the_page_and_the_picture_have_the_same_colours() -> None:
    script = (
        "import { load } from './load.mjs'; const view = await load('attention');"
        "const heads = [1, 4, 7, 12, 16].map((count) =>"
        " Array.from({ length: count }, (_, head) => view.headColour(head, count, false)));"
        "console.log(JSON.stringify([heads, ...[false, true].map((is) =>"
        " [...view.colourTable(is, false)])]));"
    )
    heads, unsigned, signed = printed_by(script)
    for colours in heads:
        for head, colour in enumerate(colours):
            assert head_colour(head, len(colours)) == "#{:02x}{:02x}{:02x}".format(*colour)
    for table, palette, codes in (
        (unsigned, UNSIGNED, np.arange(256) / 255),
        (signed[1:], SIGNED, np.arange(255) / 254),
    ):
        shown = [[pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255] for pixel in table]
        assert np.array(shown) == pytest.approx(255 * palette(codes)[:, :3], abs=3)
