"""What a figure cannot draw is refused in one line, which names the argument."""

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

from bertviz_lite import plots
from bertviz_lite.basics.one_line_error import OneLineError

W: Any = np.full((2, 2), 0.5)
AB = ["a", "b"]
P: Any = plots

CALLS: list[tuple[Callable[[], object], str]] = [
    (lambda: P.heatmap(None, AB, AB), "matrix is None: an array of numbers is needed"),
    (lambda: P.heatmap(W, {"a", "b"}, AB), "rows={"),
    (lambda: P.heatmap(W, AB, AB, ax=3), "ax=3: matplotlib's Axes are needed"),
    (lambda: P.heatmap(W, AB, AB, title=3), "title=3: a string is needed, not an int"),
    (lambda: P.heatmap(W, AB, AB, title=None), "title=None: a string is needed"),
    (lambda: P.heatmap(1j * W, AB, AB), "matrix holds complex numbers"),
    (lambda: P.attention_map(W, AB, AB, focus=None), "focus=None: a Focus is needed"),
    (lambda: P.attention_map(W, AB, AB, focus=P.Focus(key="a")), "focus: key='a': a whole number is needed"),
    (lambda: P.attention_map(W, AB, AB, scale=None), "scale=None: a Scale is needed"),
    (lambda: P.ribbons(W, AB, AB, look=None), "look=None: a RibbonLook is needed"),
    (lambda: P.ribbons(W, AB, AB, look=P.RibbonLook(most="a")), "look: most='a': a whole number is needed"),
    (lambda: P.ribbons(W, AB, AB, focus=3), "focus=3: a Focus is needed"),
    (lambda: P.ribbons(W, AB, AB, ax="x"), "ax='x': matplotlib's Axes are needed"),
    (lambda: P.ribbons(W, AB, AB, look=P.RibbonLook(["zzz"])), "look: colours=['zzz']: a list of colours"),
    (lambda: P.ribbons(W, AB, AB, look=P.RibbonLook(3)), "look: colours=3: a list of colours is needed"),
    (lambda: P.head_colour("a", 4), "head='a': a whole number is needed"),
    (lambda: P.head_colour(0, "a"), "count='a': a whole number is needed"),
    (lambda: P.head_colour(10**400, 4), "head has too many digits"),
    (lambda: P.bars([1, 2], AB, reference=3), "reference=3: a dictionary of numbers by name is needed"),
    (lambda: P.bars([1, 2], AB, reference={3: 1}), "reference: a name=3: a string is needed"),
    (lambda: P.bars([1, 2], AB, reference={"half": np.nan}), "reference['half'][] is nan"),
    (lambda: P.bars([1, 2], AB, ax=3), "ax=3: matplotlib's Axes are needed"),
    (lambda: P.intervals([1, 2], [[0, 2]] * 2, AB, ax=3), "ax=3: matplotlib's Axes are needed"),
    (lambda: P.lines([1, 2], [[1, 2]], ["a"], reference="x"), "reference='x': a dictionary of numbers"),
    (lambda: P.draw_lines(None, [1, 2], [[1, 2]], ["a"]), "ax=None: matplotlib's Axes"),
    (lambda: P.scatter_map(W, AB, annotate=None), "annotate=None: a number of points is needed"),
    (lambda: P.scatter_map(W, AB, annotate=["a"]), "annotate='a': a whole number is needed"),
    (lambda: P.scatter_map(W, AB, ax=3), "ax=3: matplotlib's Axes are needed"),
    (lambda: P.similarity_map(W, ax=3), "ax=3: matplotlib's Axes are needed"),
    (lambda: P.similarity_map(W, {"a": "b"}), "ticks='a': a whole number is needed"),
    (lambda: P.pca(W, k=1.5), "k=1.5: a whole number is needed"),
    (lambda: P.pca([[1e200, 0], [0, 1e200]]), "vectors holds numbers whose squares overflow"),
    (lambda: P.decomposition(None), "decomposition() draws what input_parts() returns"),
    (lambda: P.show(None, "x"), "show() draws a matplotlib Figure or Axes, not NoneType"),
    (lambda: P.picture(plt.figure(), None), "alt=None: say in a sentence"),
]


@pytest.mark.parametrize(("call", "message"), CALLS)
def test_a_wrong_argument_is_one_line_in_a_notebook(call: Callable[[], object], message: str) -> None:
    with pytest.raises(OneLineError) as caught:
        call()
    assert str(caught.value).startswith(message)
