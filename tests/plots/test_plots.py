"""Figures: the data in the artists, the names beside them, and errors that say what was given."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.text import Annotation, Text

from bertviz_lite import plots
from bertviz_lite.evaluation.embeddings import InputParts
from bertviz_lite.plots.course_style import CYCLE
from bertviz_lite.plots.lettering import with_decimals

if TYPE_CHECKING:
    from collections.abc import Callable


def names(axis: object) -> list[str]:
    return [text.get_text() for text in axis.get_ticklabels()]  # type: ignore[attr-defined]


def data_of(ax: Axes) -> np.ndarray:
    return np.asarray(ax.images[0].get_array())


def random_parts(seq_len: int = 5, hidden_size: int = 16) -> InputParts:
    draw = np.random.default_rng(0)
    return InputParts(
        tokens=tuple(f"t{i}" for i in range(seq_len)),
        input_ids=np.arange(seq_len),
        token_type_ids=np.zeros(seq_len, dtype=int),
        position_ids=np.arange(seq_len),
        token=draw.normal(scale=0.1, size=(seq_len, hidden_size)),
        position=draw.normal(scale=0.05, size=(seq_len, hidden_size)),
        segment=draw.normal(scale=0.01, size=(seq_len, hidden_size)),
        gain=np.ones(hidden_size),
        bias=np.zeros(hidden_size),
    )


# ---- heatmap


def test_heatmap_holds_the_matrix_and_the_names() -> None:
    matrix = np.array([[0.0, 0.25, 0.5], [1.0, 0.75, 0.1]])
    ax = plots.heatmap(matrix, ["the", "cat"], ["a", "b", "c"], title="b is seen", label="weight")
    assert np.array_equal(data_of(ax), matrix)
    assert names(ax.yaxis) == ["the", "cat"]
    assert names(ax.xaxis) == ["a", "b", "c"]
    assert ax.get_title(loc="left") == "b is seen"
    assert ax.images[0].get_clim() == (0.0, 1.0)
    written = {tuple(text.get_position()): text.get_text() for text in ax.texts}
    assert written[1, 0] == "0.25"
    assert written[0, 1] == "1"


def test_heatmap_with_a_negative_number_is_white_at_zero() -> None:
    ax = plots.heatmap([[-1.0, 3.0]], ["r"], ["a", "b"])
    assert ax.images[0].get_clim() == (-3.0, 3.0)
    red, green, blue, _ = ax.images[0].cmap(ax.images[0].norm(0.0))
    assert min(red, green, blue) > 0.95
    assert ax.texts[0].get_text() == "−1"


def test_heatmap_of_many_cells_writes_no_numbers_and_thins_the_names() -> None:
    many = [f"token{i}" for i in range(90)]
    ax = plots.heatmap(np.ones((90, 90)), many, many)
    assert not ax.texts
    assert names(ax.yaxis) == many[::3]
    assert ax.get_yticks().tolist() == list(range(0, 90, 3))


def test_heatmap_draws_into_the_axes_it_is_given() -> None:
    _, ax = plt.subplots()
    assert plots.heatmap([[1.0]], ["r"], ["c"], limit=2, ax=ax) is ax
    assert ax.images[0].get_clim() == (0.0, 2.0)


def test_heatmap_writes_a_tiny_number_beside_large_ones_without_an_exponent() -> None:
    matrix = [[0.97, 0.0002], [-0.0002, 0.004]]
    written = [text.get_text() for text in plots.heatmap(matrix, ["a", "b"], ["c", "d"]).texts]
    assert written == ["0.97", "0.000", "0.000", "0.004"]
    small = plots.heatmap([[2e-4, 1e-4]], ["a"], ["c", "d"])
    assert [text.get_text() for text in small.texts] == ["2.0e−04", "1.0e−04"]


def test_every_number_of_a_heatmap_can_have_as_many_decimals() -> None:
    ax = plots.heatmap([[0.08, 1.0], [-0.006, 0.984]], ["a", "b"], ["c", "d"])
    with_decimals(ax, 2)
    assert [text.get_text() for text in ax.texts] == ["0.08", "1.00", "−0.01", "0.98"]


def test_heatmap_of_zeros() -> None:
    assert plots.heatmap(np.zeros((2, 2)), ["a", "b"], ["a", "b"]).images[0].get_clim() == (0.0, 1.0)


@pytest.mark.parametrize(
    ("matrix", "rows", "columns", "message"),
    [
        (
            [[1, 2]],
            "ab",
            "ab",
            r"^matrix is \(1, 2\) but there are 2 rows: its first axis must equal len\(rows\)\.$",
        ),
        (
            [[1, 2]],
            "a",
            "abc",
            r"^matrix is \(1, 2\) but there are 3 columns: its second axis must equal len\(col",
        ),
        ([1, 2], "a", "ab", r"^matrix is \(2,\): two axes are needed, neither empty\.$"),
        ([[1, np.nan]], "a", "ab", r"^matrix\[0, 1\] is nan: every number must be finite\.$"),
    ],
)
def test_heatmap_refuses(matrix: list, rows: str, columns: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plots.heatmap(matrix, list(rows), list(columns))


# ---- similarity_map


def test_similarity_map_holds_cosines() -> None:
    ax = plots.similarity_map([[1.0, 0.0], [0.0, 2.0], [-3.0, 0.0], [1.0, 1.0]], ["a", "b", "c", "d"])
    half = 0.5**0.5
    cosines = np.array([[1, 0, -1, half], [0, 1, 0, half], [-1, 0, 1, -half], [half, half, -half, 1]])
    assert data_of(ax) == pytest.approx(cosines, abs=1e-12)
    assert ax.images[0].get_clim() == (-1.0, 1.0)
    assert names(ax.xaxis) == names(ax.yaxis) == ["a", "b", "c", "d"]


def test_similarity_map_names_some_or_numbers_them() -> None:
    vectors = np.random.default_rng(0).normal(size=(128, 8))
    assert names(plots.similarity_map(vectors, {0: "first", 127: "last"}).xaxis) == ["first", "last"]
    assert names(plots.similarity_map(vectors).xaxis)[:3] == ["0", "10", "20"]


def test_similarity_map_refuses_a_vector_without_direction() -> None:
    with pytest.raises(ValueError, match=r"^vectors\[1\] is zero and has no direction: leave it out"):
        plots.similarity_map([[1.0, 0.0], [0.0, 0.0]])
    with pytest.raises(ValueError, match=r"^vectors is \(1, 2\) but there are 2 ticks"):
        plots.similarity_map([[1.0, 0.0]], ["a", "b"])


# ---- decomposition


def test_decomposition_holds_the_five_strips_on_one_scale_before_layernorm() -> None:
    parts = random_parts()
    axes = plots.decomposition(parts, title="Token vectors are longest")
    for ax, rows in zip(axes, parts.vectors().values(), strict=True):
        assert np.array_equal(data_of(ax), rows)
        assert names(ax.yaxis) == list(parts.tokens)
    limits = [ax.images[0].get_clim()[1] for ax in axes]
    assert (
        limits[:4]
        == [max(np.abs(rows).max() for name, rows in parts.vectors().items() if name != "result")] * 4
    )
    assert limits[4] == np.abs(parts.normalised).max()
    assert axes[0].figure.get_suptitle() == "Token vectors are longest"


def test_decomposition_names_every_token_of_a_pair_of_short_sentences() -> None:
    parts = random_parts(14)
    for ax in plots.decomposition(parts):
        assert names(ax.yaxis) == list(parts.tokens)
    assert len(names(plots.decomposition(random_parts(30))[0].yaxis)) < 30


def test_decomposition_on_one_scale_for_all() -> None:
    parts = random_parts(5, 400)
    limits = {ax.images[0].get_clim() for ax in plots.decomposition(parts, one_scale=True)}
    most = np.abs(parts.normalised).max()
    assert limits == {(-most, most)}


def test_decomposition_is_not_blinded_by_a_few_large_components() -> None:
    good = random_parts(5, 400)
    token = good.token.copy()
    token[:, 7] = 30.0
    fields = {
        name: getattr(good, name) for name in ("input_ids", "token_type_ids", "position_ids", "position")
    }
    fields |= {name: getattr(good, name) for name in ("tokens", "segment", "gain", "bias")}
    axes = plots.decomposition(InputParts(token=token, **fields))
    assert axes[3].images[0].get_clim()[1] < 1
    assert [bar.extend for bar in (axes[3].images[0].colorbar, axes[4].images[0].colorbar)] == [
        "both",
        "both",
    ]
    assert plots.decomposition(good)[3].images[0].colorbar.extend == "neither"


# ---- pca


def test_pca_finds_the_axes_of_an_ellipse() -> None:
    draw = np.random.default_rng(0)
    turn = np.linalg.qr(draw.normal(size=(6, 6)))[0]
    flat = draw.normal(size=(4000, 6)) * [5, 3, 0.1, 0.1, 0.1, 0.1]
    axes = plots.pca(flat @ turn + 7, k=2)
    assert np.abs(axes.components @ turn.T)[:, :2] == pytest.approx(np.eye(2), abs=0.05)
    assert axes.explained == pytest.approx([25 / 34, 9 / 34], abs=0.02)
    assert axes.mean == pytest.approx(np.full(6, 7), abs=0.3)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 12), st.integers(1, 12), st.integers(0, 2**31))
def test_pca_is_an_orthogonal_change_of_axes(n: int, size: int, seed: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(n, size))
    k = min(n, size)
    axes = plots.pca(vectors, k)
    assert axes.components @ axes.components.T == pytest.approx(np.eye(k), abs=1e-9)
    assert axes.points == pytest.approx((vectors - vectors.mean(axis=0)) @ axes.components.T)
    assert axes.explained.sum() == pytest.approx(1.0)
    assert (np.diff(axes.explained) <= 1e-12).all()
    strongest = np.abs(axes.components).argmax(axis=1)
    assert (axes.components[np.arange(k), strongest] > 0).all()


def test_pca_by_svd_and_by_covariance_are_the_same() -> None:
    vectors = np.random.default_rng(0).normal(size=(30, 30)) * np.linspace(1, 3, 30)
    wide = plots.pca(np.pad(vectors, ((0, 0), (0, 5))), k=3)  # 30 × 35: by SVD
    tall = plots.pca(vectors, k=3)  # 30 × 30: by covariance
    assert wide.points == pytest.approx(tall.points)
    assert wide.explained == pytest.approx(tall.explained)


def test_pca_does_not_depend_on_the_sign_that_lapack_gives() -> None:
    vectors = np.random.default_rng(1).normal(size=(50, 5))
    mirror = np.diag([1.0, -1.0, 1.0, -1.0, 1.0])
    assert np.abs(plots.pca(vectors @ mirror).points) == pytest.approx(np.abs(plots.pca(vectors).points))
    assert plots.pca(vectors[::-1]).components == pytest.approx(plots.pca(vectors).components)


@pytest.mark.parametrize(
    ("vectors", "k", "message"),
    [
        (np.zeros((3, 2)), 3, r"^k=3: vectors is \(3, 2\), so 1 to 2 axes can be found\.$"),
        (np.zeros((3, 2)), 0, r"^k=0"),
        (np.ones((3, 2)), 1, r"^all 3 vectors are the same: they vary along no direction\.$"),
    ],
)
def test_pca_refuses(vectors: np.ndarray, k: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plots.pca(vectors, k)


# ---- scatter_map


def notes(ax: Axes) -> dict[str, tuple[float, float]]:
    return {text.get_text(): tuple(text.xy) for text in ax.texts if isinstance(text, Annotation)}


def test_scatter_map_holds_the_points_by_group_with_a_marker_each() -> None:
    points = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.5], [3.0, 2.0]])
    ax = plots.scatter_map(points, list("abcd"), ["x", "y", "x", "y"], explained=[0.62, 0.2])
    first, second = ax.collections
    assert np.asarray(first.get_offsets()).tolist() == [[0.0, 0.0], [2.0, 0.5]]
    assert np.asarray(second.get_offsets()).tolist() == [[1.0, 1.0], [3.0, 2.0]]
    assert not np.array_equal(first.get_facecolor(), second.get_facecolor())
    assert not np.array_equal(first.get_paths()[0].vertices, second.get_paths()[0].vertices)
    assert [text.get_text() for text in ax.figure.legends[0].get_texts()] == ["x (2)", "y (2)"]
    assert ax.get_xlabel() == "axis 1: 62.0% of the variance"
    assert ax.get_ylabel() == "axis 2: 20.0% of the variance"
    assert notes(ax) == {"a": (0, 0), "b": (1, 1), "c": (2, 0.5), "d": (3, 2)}


def test_titles_stay_inside_the_figure_and_off_the_legend() -> None:
    title = "A title that says what was found, and that says it in more words than fit on one line of it"
    for ax in (
        plots.bars([[1, 2], [2, 1]], ["a", "b"], ["one", "two"], title=title),
        plots.similarity_map(np.eye(3) + 1, title=title),
        plots.scatter_map(np.arange(6.0).reshape(3, 2), list("abc"), list("xyx"), title=title),
        plots.heatmap(np.eye(2), ["a", "b"], ["c", "d"], title=title),
    ):
        ax.figure.draw_without_rendering()
        written = ax.get_title(loc="left")
        assert written.replace("\n", " ") == title
        assert "\n" in written
        (box,) = [text.get_window_extent() for text in ax.findobj(Text) if text.get_text() == written]
        assert box.x1 <= ax.figure.bbox.x1
        assert not any(box.overlaps(legend.get_window_extent()) for legend in ax.figure.legends)
        plt.close(ax.figure)


def test_scatter_map_draws_hollow_marks_for_groups_beyond_the_seven_colours() -> None:
    kinds = [f"group {k}" for k in range(len(CYCLE) + 1)]
    ax = plots.scatter_map(np.arange(2.0 * len(kinds)).reshape(-1, 2), kinds, kinds)
    first, last = ax.collections[0], ax.collections[-1]
    assert np.array_equal(first.get_facecolor(), last.get_edgecolor())  # one colour, two kinds of mark
    assert not last.get_facecolor().size


def test_scatter_map_takes_groups_as_an_array() -> None:
    groups = np.array(["x", "y", "x"])
    ax = plots.scatter_map(np.arange(6.0).reshape(3, 2), np.array(list("abc")), groups)
    assert [text.get_text() for text in ax.figure.legends[0].get_texts()] == ["x (2)", "y (1)"]


def test_scatter_map_names_do_not_overlap() -> None:
    points = np.random.default_rng(0).normal(size=(300, 2))
    ax = plots.scatter_map(points, [f"word{i}" for i in range(300)], annotate=60)
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert len(boxes) > 25
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:i])


def test_scatter_map_names_the_points_in_annotate() -> None:
    points = np.zeros((5, 2)) + np.arange(5)[:, None] * 1e-6
    ax = plots.scatter_map(points, list("abcde"), annotate=[3, 1])
    assert sorted(notes(ax)) == ["b", "d"]
    assert not notes(plots.scatter_map(points, list("abcde"), annotate=0))


@pytest.mark.parametrize(
    ("points", "labels", "groups", "message"),
    [
        (np.zeros((2, 3)), "ab", None, r"^points is \(2, 3\): a map needs \(n, 2\)\.$"),
        (np.zeros((2, 2)), "a", None, r"^points is \(2, 2\) but there are 1 labels"),
        (np.zeros((2, 2)), "ab", "abc", r"^points is \(2, 2\) but there are 3 groups"),
    ],
)
def test_scatter_map_refuses(points: np.ndarray, labels: str, groups: str | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plots.scatter_map(points, list(labels), None if groups is None else list(groups))


# ---- bars


def test_bars_hold_the_values_top_to_bottom() -> None:
    ax = plots.bars([0.97, 0.5], ["pronouns", "verbs"], label="top-1", reference={"chance": 0.25})
    assert [bar.get_width() for bar in ax.patches] == [0.97, 0.5]
    assert [text.get_text() for text in ax.texts] == ["0.97", "0.50"]
    assert names(ax.yaxis) == ["pronouns", "verbs"]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    assert ax.lines[0].get_xdata() == [0.25, 0.25]
    assert [text.get_text() for text in ax.figure.legends[0].get_texts()] == ["chance"]


@pytest.mark.parametrize(
    ("row", "written"),
    [
        ([1, 0.97, 0.0001], ["1.00", "0.97", "0.00"]),
        ([1, 12, -3], ["1", "12", "−3"]),
        ([0.02, 0.005], ["0.02", "5.0e−03"]),
    ],
)
def test_bars_write_alike_numbers_alike(row: list[float], written: list[str]) -> None:
    ax = plots.bars(row, list("abc")[: len(row)])
    assert [text.get_text() for text in ax.texts] == written


def test_one_series_needs_no_legend() -> None:
    assert plots.bars([[1, 2]], ["a", "b"], ["only"]).get_legend() is None


def test_bars_in_series_do_not_cover_each_other() -> None:
    ax = plots.bars([[1, -2], [3, 4]], ["a", "b"], ["model", "baseline"])
    spans = sorted((bar.get_y(), bar.get_y() + bar.get_height()) for bar in ax.patches)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert [container.get_label() for container in ax.containers] == ["model", "baseline"]
    assert sorted(bar.get_width() for bar in ax.patches) == [-2, 1, 3, 4]
    assert "−2" in [text.get_text() for text in ax.texts]


def test_bars_refuse_names_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match=r"^values is \(1, 2\) but there are 1 series and 3 labels"):
        plots.bars([1, 2], list("abc"))
    with pytest.raises(ValueError, match=r"^values is \(2, 1\) but there are 1 series and 1 labels"):
        plots.bars([[1], [2]], ["a"])


def test_intervals_hold_dots_and_bounds() -> None:
    ax = plots.intervals(
        [0.9, 0.25], [[0.8, 0.95], [0.2, 0.5]], ["in order", "shuffled"], title="one falls", label="share",
        reference={"guessing": 0.5},
    )  # fmt: skip
    assert np.array_equal(ax.lines[0].get_xydata(), [[0.9, 0], [0.25, 1]])
    (bounds,) = ax.collections
    assert np.array_equal(
        [[end[0] for end in line] for line in bounds.get_segments()], [[0.8, 0.95], [0.2, 0.5]]
    )
    assert [text.get_text() for text in ax.texts] == ["0.90", "0.25"]
    assert names(ax.yaxis) == ["in order", "shuffled"]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    assert [text.get_text() for text in ax.figure.legends[0].get_texts()] == ["guessing"]
    assert (ax.get_title(loc="left"), ax.get_xlabel()) == ("one falls", "share")


def test_intervals_refuse_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match=r"2 values and 2 labels, and bounds is \(1, 2\)"):
        plots.intervals([1, 2], [[0, 3]], ["a", "b"])
    with pytest.raises(ValueError, match=r"2 values and 1 labels"):
        plots.intervals([1, 2], [[0, 3], [0, 3]], ["a"])
    with pytest.raises(ValueError, match=r"values\[1\] is 5, outside its interval 0 to 3"):
        plots.intervals([1, 5], [[0, 3], [0, 3]], ["a", "b"])


def test_lines_hold_the_values_and_differ_in_dash() -> None:
    ax = plots.lines(
        [1, 2, 4], [[0.0, 1.0, 2.0], [3.0, 1.0, -1.0]], ["up", "down"], title="they cross", across="n",
        reference={"here": 2},
    )  # fmt: skip
    up, down, here = ax.lines
    assert np.array_equal(up.get_xydata(), [[1, 0], [2, 1], [4, 2]])
    assert np.array_equal(down.get_ydata(), [3, 1, -1])
    assert up.get_linestyle() != down.get_linestyle()
    assert list(here.get_xdata()) == [2, 2]
    assert [text.get_text() for text in ax.figure.legends[0].get_texts()] == ["up", "down", "here"]
    assert (ax.get_title(loc="left"), ax.get_xlabel()) == ("they cross", "n")


def test_lines_refuse_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match=r"values is \(1, 2\) but there are 1 series and 3 places"):
        plots.lines([1, 2, 3], [[1, 2]], ["one"])
    with pytest.raises(ValueError, match=r"values\[0, 1\] is nan: every number must be finite"):
        plots.lines([1, 2], [[1, np.nan]], ["one"])


def test_a_histogram_is_bars_of_shares_over_their_bins() -> None:
    ax = plots.histogram([[0.0, 0.5], [0.5, 3.0]], [0, 0.25, 1.0], title="most are small", label="value")
    bars = [(bar.get_x(), bar.get_width(), bar.get_height()) for bar in ax.patches]
    assert bars == [(0.0, 0.25, 0.25), (0.25, 0.75, 0.5)]  # 3.0 lies beyond the bins
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("value", "share")
    with pytest.raises(ValueError, match=r"^edges is \(2,\): two numbers or more are needed, each above"):
        plots.histogram([1.0], [1, 1])
    with pytest.raises(ValueError, match=r"^values is empty"):
        plots.histogram([], [0, 1])


# ---- attention_map and ribbons

WEIGHTS = np.array([[0.5, 0.5, 0.0], [0.0, 0.75, 0.25]])


def test_attention_map_names_its_axes_and_leaves_out_what_is_not_drawn() -> None:
    ax = plots.attention_map(
        WEIGHTS, ["a", "b"], ["x", "y", "z"], focus=plots.Focus(drawn=WEIGHTS > 0.3), title="b looks at y"
    )
    assert np.array_equal(data_of(ax), np.where(WEIGHTS > 0.3, WEIGHTS, 0.0))
    assert (names(ax.yaxis), names(ax.xaxis)) == (["a", "b"], ["x", "y", "z"])
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("← query", "key →")
    assert ax.xaxis.get_ticks_position() == "top"
    written = {tuple(text.get_position()): text.get_text() for text in ax.texts}
    assert written == {(0, 0): ".50", (1, 0): ".50", (2, 0): "", (0, 1): "", (1, 1): ".75", (2, 1): ""}


def test_attention_map_frames_a_query_and_a_key() -> None:
    ax = plots.attention_map(WEIGHTS, ["a", "b"], ["x", "y", "z"], focus=plots.Focus(query=1, key=2))
    row, column = (patch.get_bbox() for patch in ax.patches)
    assert (row.y0, row.y1) == (0.5, 1.5)
    assert (column.x0, column.x1) == (1.5, 2.5)


def test_a_map_by_the_root_shows_a_quarter_half_as_strong_as_one() -> None:
    scale = plots.Scale("weight", 1.0, by_root=True)
    image = plots.attention_map([[0.25, 1.0]], ["a"], ["x", "y"], scale=scale).images[0]
    assert np.asarray(image.norm([0.0, 0.25, 1.0])) == pytest.approx([0.0, 0.5, 1.0])
    signed = plots.attention_map([[-0.25, 1.0]], ["a"], ["x", "y"], scale=scale).images[0]
    assert np.asarray(signed.norm([-1.0, -0.25, 0.0, 0.25])) == pytest.approx([0.0, 0.25, 0.5, 0.75])


def test_all_heads_stand_in_one_image_a_row_for_each_layer() -> None:
    weights = np.random.default_rng(0).dirichlet(np.ones(4), size=(2, 3, 4))
    _, ax = plt.subplots()
    plots.draw_heads(ax, weights, (range(1, 2), range(2, 3)))
    image = data_of(ax)
    places = [int(np.flatnonzero(~np.isnan(image[0]))[0]), 5, 10]
    for layer, head in np.ndindex(2, 3):
        at = image[5 * layer : 5 * layer + 4, places[head] : places[head] + 4]
        assert np.array_equal(at, weights[layer, head])
    assert np.isnan(image[4]).all()
    assert (names(ax.yaxis), names(ax.xaxis)) == (["0", "1"], ["0", "1", "2"])
    bold = [label.get_text() for label in ax.get_xticklabels() if label.get_fontweight() == "bold"]
    assert bold == ["2"]
    (frame,) = ax.lines
    assert (min(frame.get_xdata()), min(frame.get_ydata())) == (9, 4)


def lines_of(ax: Axes) -> LineCollection:
    (lines,) = (artist for artist in ax.collections if isinstance(artist, LineCollection))
    return lines


def coloured(ax: Axes) -> list[tuple[list[int], float, tuple[float, ...]]]:
    """Return the ends, width and colour of each line that is no white edge of the next."""
    lines = lines_of(ax)
    drawn = zip(lines.get_segments(), lines.get_linewidths(), lines.get_colors(), strict=True)
    return [
        ([round(float(curve[0][1])), round(float(curve[-1][1]))], width, tuple(colour[:3]))
        for curve, width, colour in drawn
        if min(colour[:3]) < 1
    ]


def test_ribbons_run_from_query_to_key_the_strongest_last() -> None:
    ax = plots.ribbons(WEIGHTS, ["a", "b"], ["x", "y", "z"])
    ends = [places for places, _, _ in coloured(ax)]
    assert sorted(ends) == [[0, 0], [0, 1], [1, 1], [1, 2]]  # a weight of zero has no line
    assert (ends[0], ends[-1]) == ([1, 2], [1, 1])
    widths = [width for _, width, _ in coloured(ax)]
    assert widths[0] < widths[1]
    assert widths[-1] / widths[0] == pytest.approx(3, rel=0.2)  # as the weights, 0.75 and 0.25, in steps
    curve = lines_of(ax).get_segments()[-1]
    assert curve[:, 0] == pytest.approx(np.sort(curve[:, 0]))
    assert (curve[0, 0], curve[-1, 0]) == (0.0, 1.0)
    left, right = ax.figure.axes
    assert (names(left.yaxis), names(right.yaxis)) == (["a", "b"], ["x", "y", "z"])
    assert left.get_ylim() == right.get_ylim() == (2.5, -0.5)


def test_ribbons_of_one_query_or_one_key_and_not_too_many() -> None:
    def ends(query: int | None = None, key: int | None = None, most: int = 9) -> list[list[int]]:
        focus, look = plots.Focus(query, key), plots.RibbonLook(most=most)
        ax = plots.ribbons(WEIGHTS, ["a", "b"], ["x", "y", "z"], focus=focus, look=look)
        return [places for places, _, _ in coloured(ax)]

    assert sorted(ends(query=1)) == [[1, 1], [1, 2]]
    assert sorted(ends(key=1)) == [[0, 1], [1, 1]]
    assert ends(query=0, key=2) == []
    assert ends(most=1) == [[1, 1]]


def test_ribbons_of_heads_have_a_colour_each_and_a_legend() -> None:
    heads = {"head 0": WEIGHTS, "head 1": WEIGHTS[::-1]}
    ax = plots.ribbons(heads, ["a", "b"], ["x", "y", "z"])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["head 0", "head 1"]
    strongest = [colour for _, _, colour in coloured(ax)[-2:]]
    assert len(set(strongest)) == 2


def test_ribbons_of_differences_are_blue_below_zero_and_orange_above() -> None:
    drawn = coloured(plots.ribbons([[1.0, -1.0]], ["a"], ["x", "y"]))
    by_end = {end: colour for (_, end), _, colour in drawn}
    assert by_end[0][0] > by_end[0][2]
    assert by_end[1][2] > by_end[1][0]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (WEIGHTS.T, r"^weights is \(3, 2\) but there are 2 queries and 3 keys: it must be"),
        (np.stack([WEIGHTS, WEIGHTS]), r"^weights is \(2, 2, 3\): two axes are needed, neither empty\.$"),
        ([[np.nan] * 3] * 2, r"^weights\[0, 0\] is nan: every number must be finite\.$"),
        ({"head 4": WEIGHTS, "head 5": WEIGHTS.T}, r"^weights\['head 5'\] is \(3, 2\) but there are 2"),
        ({}, r"^weights is an empty dictionary: give the weights of one head or more\.$"),
    ],
)
def test_ribbons_refuse_what_does_not_fit(weights: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plots.ribbons(weights, ["a", "b"], ["x", "y", "z"])


def test_ribbons_can_be_drawn_for_chosen_weights_only() -> None:
    ax = plots.ribbons(WEIGHTS, ["a", "b"], ["x", "y", "z"], focus=plots.Focus(drawn=WEIGHTS > 0.6))
    assert [places for places, _, _ in coloured(ax)] == [[1, 1]]


# ---- what was accepted silently, or refused in a riddle

MASKED = np.ma.masked_array([[1.0, 99.0]], [[False, True]])


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (
            lambda: plots.heatmap(MASKED, ["r"], ["a", "b"]),
            r"^matrix\[0, 1\] is masked: give a number for it",
        ),
        (lambda: plots.bars(MASKED[0], ["a", "b"]), r"^values\[1\] is masked: give a number for it"),
        (
            lambda: plots.heatmap([[1.0, 2j]], ["r"], ["a", "b"]),
            r"^matrix holds complex numbers: give their \.real, their \.imag or abs\(matrix\)\.$",
        ),
        (lambda: plots.heatmap([["x"]], ["r"], ["a"]), r"^matrix cannot be read as an array of numbers: "),
        *(
            (
                lambda limit=limit: plots.heatmap([[1.0]], ["r"], ["a"], limit=limit),
                rf"^limit={limit}: a finite number above 0 is needed, or None",
            )
            for limit in (0, -1, np.nan, np.inf, True)
        ),
        (
            lambda: plots.ribbons(WEIGHTS, "ab", "xyz", look=plots.RibbonLook(limit=0)),
            r"^limit=0: a finite number above 0 is needed, or None",
        ),
        (lambda: plots.head_colour(-1, 4), r"^head=-1: of 4 heads the numbers are 0 to 3\.$"),
        (lambda: plots.head_colour(4, 4), r"^head=4: of 4 heads the numbers are 0 to 3\.$"),
        (
            lambda: plots.attention_map(WEIGHTS, "ab", "xyz", focus=plots.Focus(drawn=np.ones(3))),
            r"^focus: drawn is \(3,\) but weights is \(2, 3\): give True or False for each weight\.$",
        ),
        (
            lambda: plots.attention_map(WEIGHTS, "ab", "xyz", focus=plots.Focus(query=2)),
            r"^focus: query=2, but they are numbered 0 to 1\.$",
        ),
        (
            lambda: plots.ribbons(WEIGHTS, "ab", "xyz", look=plots.RibbonLook(["red", "blue"])),
            r"^look: there are 2 colours, but 1 heads: one for each\.$",
        ),
        (lambda: plots.ribbons(WEIGHTS, "ab", "xyz", look=plots.RibbonLook(most=0)), r"^look: most=0: "),
        (
            lambda: plots.scatter_map([[0, 1], [1, 0]], "ab", annotate=[2]),
            r"^annotate names point 2, but they are numbered 0 to 1\.$",
        ),
        (
            lambda: plots.scatter_map([[0, 1], [1, 0]], "ab", explained=[0.5]),
            r"^explained is \(1,\): a share for each of the two axes is needed\.$",
        ),
        (
            lambda: plots.similarity_map(np.eye(2), {2: "c"}),
            r"^ticks names vector 2, but vectors is \(2, 2\): 0 to 1 are there\.$",
        ),
        (lambda: plots.lines([[1, 2]], [[1, 2]], ["a"]), r"^places is \(1, 2\): one axis is needed"),
    ],
)
def test_values_without_a_meaning_are_refused_in_one_line(draw: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        draw()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plots.heatmap([[1.0]], ["r"], None), r"^columns=None: a list of names is needed\.$"),
        (lambda: plots.bars([1.0], 3), r"^labels=3: a list of names is needed\.$"),
        (lambda: plots.lines([1], [[1]], None), r"^series=None: a list of names is needed\.$"),
        (
            lambda: plots.decomposition("x"),
            r"^decomposition\(\) draws what input_parts\(\) returns, not str\.$",
        ),
    ],
)
def test_what_has_another_type_is_refused_in_one_line(draw: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        draw()


def test_refused_lines_leave_no_figure_open() -> None:
    with pytest.raises(ValueError, match="series"):
        plots.lines([1, 2], [[1]], ["a"])
    assert not plt.get_fignums()


def test_names_that_are_numbers_are_written() -> None:
    assert names(plots.heatmap([[1.0, 2.0]], ["r"], range(2)).xaxis) == ["0", "1"]  # type: ignore[arg-type]


def test_twenty_heads_are_told_apart() -> None:
    colours = np.array([to_rgb(plots.head_colour(head, 20)) for head in range(20)])
    apart = [float(np.abs(colours[i] - colours[j]).max()) for i in range(20) for j in range(i)]
    assert min(apart) > 0.09
    assert (colours.mean(axis=1) < 0.75).all()  # seen on white


def test_names_are_text_not_formulas_and_without_missing_glyphs(recwarn: pytest.WarningsRecorder) -> None:
    tokens = ["$x_1$ $", "\x00\ud800", "\ue000", "Ġthe"]
    ax = plots.heatmap(np.eye(4), tokens, tokens)
    ax.figure.draw_without_rendering()  # type: ignore[union-attr]
    assert names(ax.yaxis) == ["$x_1$ $", "□�", "□", "Ġthe"]
    assert not recwarn


def test_every_plot_leaves_the_style_as_it_was() -> None:
    before = dict(plt.rcParams)
    plots.bars([1.0], ["a"])
    plots.decomposition(random_parts())
    assert dict(plt.rcParams) == before


def test_names_are_text_in_every_plot_and_never_formulas() -> None:
    """``$x_1$`` would be set as mathematics, ``$x_$`` be an error, a control character a warning."""
    names = ["$x_1$", "$x_$", "a\x1bb"]
    parts = dataclasses.replace(random_parts(3), tokens=tuple(names))
    eye = np.eye(3)
    title = "$x_1$ before $x_$"
    drawn = [
        plots.bars([1.0, 2.0, 3.0], names),
        plots.bars(eye, names, names, title=title, label=title, reference={"$x_$ of old": 1}),
        plots.lines(range(3), eye, names, title=title, across=title, label=title, reference={r"$\foo$": 1}),
        plots.intervals([1.0, 2.0, 3.0], [[1, 3]] * 3, names, title=title, label=title),
        plots.ribbons(dict(zip(names, [eye] * 3, strict=True)), names, names, title=title),
        plots.attention_map(eye, names, names, title=title, scale=plots.Scale(title)),
        plots.scatter_map(eye[:, :2], names, names, title=title),
        plots.scatter_map(eye[:, :2], names, annotate=3),
        plots.similarity_map(eye, names),
        plots.heatmap(eye, names, names),
        *plots.decomposition(parts)[:1],
    ]
    for ax in drawn:
        ax.figure.canvas.draw()
        found = {text.get_text(): text.get_parse_math() for text in ax.figure.findobj(Text)}
        assert found["$x_1$"] is False
        assert found["$x_$"] is False
        assert not any("\x1b" in text for text in found)
        assert not any(parsed for text, parsed in found.items() if "$" in text)


def test_a_series_named_like_a_broken_formula_is_drawn() -> None:
    ax = plots.lines([0, 1], [[0, 1]], [r"$\foo$"])
    ax.figure.canvas.draw()
    assert [text.get_text() for text in ax.figure.legends[0].get_texts()] == [r"$\foo$"]
