"""Pictures with alt text: the same bytes, white, small enough, escaped, refused without words."""

from __future__ import annotations

import base64
import io
import re
import subprocess
import sys
from html.parser import HTMLParser

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from bertviz_lite import plots
from bertviz_lite.plots import display
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.display import MAX_BYTES, Picture, picture, show


def drawn() -> plt.Figure:
    with style():
        figure, axes = plt.subplots()
        axes.plot([0, 1, 4, 9], label="squares")
        axes.set_title("Squares grow faster and faster")
    return figure


def test_the_same_figure_gives_the_same_bytes() -> None:
    assert picture(drawn(), "squares").png == picture(drawn(), "squares").png


def test_png_says_nothing_about_when_or_with_what_it_was_made() -> None:
    with Image.open(io.BytesIO(picture(drawn(), "squares").png)) as image:
        assert "Software" not in image.info
        assert "Creation Time" not in image.info


def test_picture_is_on_a_white_card_and_sharp() -> None:
    made = picture(drawn(), "squares")
    with Image.open(io.BytesIO(made.png)) as image:
        assert image.convert("RGBA").getpixel((0, 0)) == (255, 255, 255, 255)
        assert image.width == 1.5 * made.width


class Attributes(HTMLParser):
    """Collects the tags and attributes of a piece of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_alt_text_is_in_the_html_escaped_and_is_the_plain_text() -> None:
    alt = "The \"sum\" is <b>long</b> & 'red'"
    made = picture(drawn(), alt)
    bundle = made._repr_mimebundle_()
    parser = Attributes()
    parser.feed(bundle["text/html"])
    assert [tag for tag, _ in parser.found] == ["figure", "img"]
    assert parser.found[1][1]["alt"] == alt
    assert bundle["text/plain"] == alt
    assert repr(made) == alt


def test_picture_in_the_html_is_the_picture() -> None:
    made = picture(drawn(), "squares")
    found = re.search(r'src="data:image/png;base64,([^"]+)"', made.html())
    assert found
    assert base64.b64decode(found[1]) == made.png


def test_caption_is_escaped() -> None:
    assert "<figcaption>a &lt; b</figcaption>" in Picture(b"", "alt", 10).html("a < b")


def test_alt_text_is_one_line() -> None:
    assert picture(drawn(), "  two\n   lines ").alt == "two lines"


@pytest.mark.parametrize("alt", ["", "  \n"])
def test_empty_alt_is_refused(alt: str) -> None:
    with pytest.raises(ValueError, match=r"^alt is empty: say in a sentence what is to be seen"):
        picture(drawn(), alt)


def test_alt_that_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^alt=None: say in a sentence what is to be seen"):
        show(drawn(), alt=None)  # type: ignore[arg-type]


@pytest.mark.parametrize("thing", [[1, 2], "figure", None, []])
def test_what_is_no_figure_is_refused_by_its_type(thing: object) -> None:
    with pytest.raises(TypeError, match=rf"not {type(thing).__name__}\.$"):
        picture(thing, "alt")  # type: ignore[arg-type]


def test_axes_and_grids_of_axes_are_drawn_with_their_figure() -> None:
    figure, grid = plt.subplots(2, 2)
    assert len(picture(grid, "four").png) > 0
    figure, axes = plt.subplots()
    assert len(picture([axes], "one").png) > 0
    figure, axes = plt.subplots()
    assert len(picture(axes, "one").png) > 0
    assert not plt.fignum_exists(figure.number)


def test_figure_is_closed_so_that_it_is_not_shown_twice() -> None:
    before = plt.get_fignums()
    picture(drawn(), "squares")
    assert plt.get_fignums() == before


def test_large_picture_loses_colours_not_its_size() -> None:
    figure, axes = plt.subplots()
    axes.imshow(np.random.default_rng(0).random((150, 150)), cmap="viridis")
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=144)
    made = picture(figure, "noise")
    assert len(made.png) <= MAX_BYTES < len(buffer.getvalue())
    with Image.open(io.BytesIO(made.png)) as image:
        assert image.width >= made.width


def test_picture_that_cannot_be_made_small_is_refused_with_its_size() -> None:
    figure, axes = plt.subplots(figsize=(7, 7))
    axes.imshow(np.random.default_rng(0).random((600, 600, 3)))
    with pytest.raises(
        ValueError, match=r"^the figure is \d{3,4} kB as PNG, at most 100 kB are shown: make it smaller"
    ):
        picture(figure, "noise")
    plt.close(figure)


def test_style_is_put_back() -> None:
    before = dict(mpl.rcParams)
    with style():
        assert mpl.rcParams["font.family"][0] == "DejaVu Sans"
        assert mpl.rcParams["font.size"] >= 12
    assert dict(mpl.rcParams) == before


def test_style_is_put_back_after_an_error() -> None:
    before = dict(mpl.rcParams)
    with pytest.raises(ZeroDivisionError), style():
        _ = 1 / 0
    assert dict(mpl.rcParams) == before


def test_show_without_a_notebook_prints_the_alt_text(capsys: pytest.CaptureFixture[str]) -> None:
    show(drawn(), "Squares grow")
    assert capsys.readouterr().out == "Squares grow\n"


def test_importing_it_does_not_import_torch() -> None:
    code = "import sys, bertviz_lite.plots; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_large_picture_loses_colours_only_where_nobody_sees_it() -> None:
    def drawn(cells: int) -> tuple[bytes, bytes]:
        """Draw cells, each of its own colour, and letters; return the picture whole and as shown."""
        figure, ax = plt.subplots(figsize=(9, 7))
        values = np.random.default_rng(1).random((cells, cells))
        ax.imshow(values, cmap=plots.UNSIGNED, vmin=0, vmax=1)
        for row in range(6):
            ax.text(0.2 * cells, row * cells / 6, "letters with soft edges", rotation=row)
        return display._png(figure, display.DPI), picture(figure, "Many cells.").png

    whole, shown = drawn(5)  # 25 colours, and those of soft edges
    assert display._LARGE < len(whole) < MAX_BYTES
    assert len(shown) < 0.7 * len(whole)
    assert display._look_alike(whole, shown)
    whole, shown = drawn(40)  # 1,600 colours
    assert display._LARGE < len(whole) < MAX_BYTES
    with Image.open(io.BytesIO(whole)) as one, Image.open(io.BytesIO(shown)) as other:
        assert np.array_equal(np.asarray(one.convert("RGB")), np.asarray(other.convert("RGB")))


def test_a_drawing_of_many_colours_keeps_the_colours_of_its_areas() -> None:
    cells = np.random.default_rng(0).random((12, 12))
    cells.flat[:5] = 0.0, 1.0, 0.1, 0.11, 0.12  # alike, and the ends of the scale
    figure, ax = plt.subplots(figsize=(11, 9))
    ax.imshow(cells, cmap=plots.UNSIGNED, vmin=0, vmax=1)
    for (row, column), value in np.ndenumerate(cells):  # letters on every colour: thousands of soft edges
        ax.text(column, row, f"{value:.9f}", ha="center", va="center", fontsize=6, rotation=33)
    png = display._png(figure, 144)
    whole, few = (
        np.asarray(Image.open(io.BytesIO(data)).convert("RGB")) for data in (png, display._fewer_colours(png))
    )
    colours = [len(np.unique(drawn.reshape(-1, 3).astype(int) @ [65536, 256, 1])) for drawn in (whole, few)]
    assert colours[0] > 256 >= colours[1]
    places = ax.transData.transform([(k % 12 + 0.42, k // 12 - 0.42) for k in range(144)]) * 144 / figure.dpi
    for across, up in places.round().astype(int):
        at = whole.shape[0] - 1 - up, across
        assert np.abs(whole[at].astype(int) - few[at]).max() <= 8  # of 255; Pillow 13 keeps them as they are
    assert display._fewer_colours(png) == display._fewer_colours(png)
    plt.close(figure)
