"""What a figure says travels inside its picture."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

from bertviz_lite.basics.figure_record import STEPS, record
from bertviz_lite.basics.png import sealed, unsealed
from bertviz_lite.plots.display import picture


def said_by(figure: Any) -> dict[str, Any]:  # noqa: ANN401 - a figure or axes
    _, said = unsealed(picture(figure, "something to be seen").png)
    assert said is not None
    return said


def test_every_text_that_is_seen_is_in_the_record_and_no_other() -> None:
    figure, (left, right) = plt.subplots(1, 2)
    figure.suptitle("Both")
    left.set(title="Left", xlabel="step")
    left.set_xticks([0, 1, 2], ["none", "one", "two"])
    left.set_yticks([0, 9], ["here", "out of sight"])
    left.set(xlim=(0, 2), ylim=(0, 2))
    left.plot([0, 1], [0, 1], label="a curve")
    left.legend(title="Kinds")
    left.text(0.5, 0.5, "two\nlines")
    left.text(0.5, 0.5, "hidden").set_visible(False)
    right.set_axis_off()
    right.set_title("Right", loc="left")
    right.set_xlabel("not drawn")
    right.annotate("here", (0.5, 0.5), (0.1, 0.1), arrowprops={"arrowstyle": "->"})
    assert said_by(figure)["texts"] == [
        *("Both", "Left", "step", "none", "one", "two", "here", "two lines", "Kinds", "a curve"),
        *("Right", "here"),
    ]


def test_numbers_are_kept_in_steps_of_their_range() -> None:
    figure, axes = plt.subplots()
    axes.plot([0, 1, 2], [10.0, np.nan, 30.0], color="black")
    _, (kind, x, y, colour) = said_by(figure)["drawn"]
    assert kind == "line"
    assert x == [0.0, 2.0, [0, STEPS // 2, STEPS]]
    assert y == [10.0, 30.0, [0, -1, STEPS]]
    assert colour[2] == [0, 0, 0, STEPS]


def test_of_ticks_that_matplotlib_chooses_the_limits_are_kept() -> None:
    """How many there are depends on the room for them, and so on the release."""
    figure, axes = plt.subplots()
    axes.set(xlim=(0, 3), ylim=(-1, 1), xticks=[0, 3])
    assert said_by(figure) == {
        "texts": ["0", "3"],
        "drawn": [["axes", [0.0, 3.0, [0, STEPS]], [-1.0, 1.0, [0, STEPS]]]],
    }


def draw_bars(axes: Any, top: float) -> None:  # noqa: ANN401 - axes
    axes.bar([0, 1], [1, top])


def draw_dots(axes: Any, top: float) -> None:  # noqa: ANN401 - axes
    axes.scatter([0, 1, 2], [0, 3, top])


def draw_map(axes: Any, top: float) -> None:  # noqa: ANN401 - axes
    axes.figure.colorbar(axes.imshow([[0, top], [3, 1]], vmin=0, vmax=3), ax=axes)


def draw_mesh(axes: Any, top: float) -> None:  # noqa: ANN401 - axes
    axes.pcolormesh(np.array([[0, top], [3, 1]]))


def draw_lines(axes: Any, top: float) -> None:  # noqa: ANN401 - axes
    axes.hlines([0, top], 0, 1)


def draw_area(axes: Any, top: float) -> None:  # noqa: ANN401 - axes
    axes.fill_between([0, 1, 2], [0, 3, top])


def draw_colours(axes: Any, top: float) -> None:  # noqa: ANN401 - axes
    axes.scatter([0, 1], [0, 1], c=["black", (top / 3, 0, 0)])


@pytest.mark.parametrize(
    "draw", [draw_bars, draw_dots, draw_map, draw_mesh, draw_lines, draw_area, draw_colours]
)
def test_other_numbers_make_another_record(draw: Any) -> None:  # noqa: ANN401 - a function
    records = []
    for top in (2.0, 2.0, 2.1):
        figure, axes = plt.subplots()
        draw(axes, top)
        records.append(said_by(figure)["drawn"])
    first, same, other = records
    assert len(first) >= 2
    assert first == same != other


def test_of_many_numbers_the_means_of_neighbours_are_kept() -> None:
    figure, axes = plt.subplots()
    axes.imshow(np.arange(10_000).reshape(100, 100))
    _, (_, (low, high, steps), *_) = said_by(figure)["drawn"]
    assert (low, high) == (0.0, 9999.0)
    assert len(steps) == 2048
    assert steps == sorted(steps)


def test_a_record_is_of_its_picture_alone() -> None:
    figure, axes = plt.subplots()
    axes.plot([0, 1], [0, 1])
    png = picture(figure, "a straight line").png
    plain, said = unsealed(png)
    assert said == record(figure)
    assert sealed(plain, said) == png
    assert sealed(png, said) == png, "an older record goes"
    assert unsealed(plain) == (plain, None)
    changed = png.replace(b"pHYs", b"pHYz")
    assert changed != png
    assert unsealed(changed)[1] is None
    assert unsealed(png + b"more")[1] is None
    assert unsealed(png[:50])[1] is None
