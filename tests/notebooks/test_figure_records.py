"""What two figures say is compared letter for letter; their pixels, if the same matplotlib has drawn both."""

import base64
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from notebook_checks.comparison import pictures
from notebook_checks.comparison.pictures import picture_difference
from notebook_checks.comparison.records import record_difference

from bertviz_lite import plots
from bertviz_lite.basics.png import sealed, unsealed
from bertviz_lite.plots.display import picture


def encoded(figure: Any) -> str:  # noqa: ANN401 - a figure or axes
    return base64.b64encode(picture(figure, "something to be seen").png).decode()


def plain(png: str) -> str:
    return base64.b64encode(unsealed(base64.b64decode(png))[0]).decode()


def dots(names: list[str]) -> str:
    places = np.array([[0.0, 0.0], [0.1, 0.9], [1.0, 0.2], [0.9, 0.8]])
    return encoded(plots.scatter_map(places, names, title="Four heads", annotate=range(4)))


def heat_map(value: float) -> str:
    values = np.full((6, 6), 0.5)
    values[2, 3] = value
    tokens = list("abcdef")
    return encoded(plots.heatmap(values, tokens, tokens, title="A map", limit=1))


def test_two_names_of_a_scatter_are_not_swapped_unseen() -> None:
    """By its pixels alone they were: "3.2" and "3.0" differ by less than another hinting may."""
    honest, swapped = dots(["1.0", "3.2", "2.1", "3.0"]), dots(["1.0", "3.0", "2.1", "3.2"])
    assert picture_difference(plain(honest), plain(swapped)) is None
    assert picture_difference(honest, dots(["1.0", "3.2", "2.1", "3.0"])) is None
    assert picture_difference(honest, swapped) == "says ['3.2', '3.0'], now ['3.0', '3.2']"


def test_a_number_written_in_a_cell_is_not_changed_unseen() -> None:
    honest, changed = heat_map(0.5), heat_map(0.51)
    assert picture_difference(plain(honest), plain(changed)) is None
    assert picture_difference(honest, changed) == "says ['0.50'], now ['0.51']"


def curve(top: float, colour: str = "black", **options: Any) -> str:  # noqa: ANN401 - passed on
    figure, axes = plt.subplots(**options)
    axes.plot([0, 1, 2], [0, 10, top], color=colour)
    axes.set(xlim=(0, 2), ylim=(0, 20), xticks=[], yticks=[])
    return encoded(figure)


@pytest.mark.parametrize(
    ("now", "message"),
    [
        ({"top": 10.0}, None),
        ({"top": 10.02}, None),
        ({"top": 10.1}, "line 2 of 2 has 10, now 10.1 (number 3 of 3)"),
        ({"top": np.nan}, "line 2 of 2 has numbers in other places"),
        ({"top": 10.0, "colour": "red"}, "line 2 of 2 has 0, now 1 (number 1 of 4)"),
    ],
)
def test_numbers_may_differ_by_less_than_is_seen(
    now: dict[str, Any], message: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "drawn_as_locked", lambda: False)
    assert picture_difference(curve(10.0), curve(**now)) == message


def test_another_line_is_told() -> None:
    one, two = ({"texts": [], "drawn": [["line", [0, 1, [0, 1000]]]] * count} for count in (1, 2))
    assert record_difference(one, two) == "drew 1 line, now 2 line"
    longer = {"texts": [], "drawn": [["line", [0, 1, [0, 500, 1000]]]]}
    assert record_difference(one, longer) == "line 1 of 1 has 2 numbers, now 3"
    assert record_difference(one, None) == "has a record of what it says, now no record"


def test_another_matplotlib_may_draw_the_same_in_other_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, elsewhere = curve(10.0), curve(10.0, figsize=(7, 4))
    monkeypatch.setattr(pictures, "drawn_as_locked", lambda: True)
    assert "pixels, now" in str(picture_difference(drawn, elsewhere))
    monkeypatch.setattr(pictures, "drawn_as_locked", lambda: False)
    assert picture_difference(drawn, elsewhere) is None
    assert picture_difference(plain(drawn), plain(elsewhere)), "pixels are all that these two have"


def test_where_a_title_is_broken_does_not_matter() -> None:
    broken = {"texts": ["a title of self- attention"], "drawn": []}
    assert record_difference(broken, {"texts": ["a title of self-attention"], "drawn": []}) is None
    assert record_difference(broken, {"texts": ["a title of self-attentino"], "drawn": []})


def test_a_picture_that_was_changed_after_it_was_drawn_has_no_record() -> None:
    figure = Figure()
    figure.add_subplot().plot([0, 1])
    png = picture(figure, "a straight line").png
    body, said = unsealed(png)
    assert said is not None
    forged = png.replace(body[-30:-20], b"\0" * 10)
    assert forged != png
    assert unsealed(forged)[1] is None
    assert unsealed(sealed(body, said))[1] == said
