"""A small notebook with one output of every kind that the checks know, for their tests to lie about."""

from typing import Any

CELLS = [
    "# Does this notebook tell the truth?\n\nIt shows one output of each kind.",
    """\
import anywidget
from IPython.display import HTML, display
from matplotlib.figure import Figure
from bertviz_lite.plots.display import show

def draw(values, title):
    figure = Figure(figsize=(4, 3))
    axes = figure.add_subplot(title=title)
    axes.imshow(values, cmap="cividis", vmin=0, vmax=1)
    return figure""",
    "Text that was printed, before and after a picture.",
    """\
print("accuracy 0.97")
show(draw([[0, 1, 0], [1, 0, 1]], "A checkerboard"), alt="A checkerboard of six cells, three of them light")
print("loss 2.31")
print("measured: took 0.12 s")""",
    "Two pictures in one cell.",
    """\
show(draw([[0, 0, 0], [1, 1, 1]], "Two rows"), alt="Two rows of three cells, the lower one light")
show(draw([[1, 0, 0], [1, 0, 0]], "One column"), alt="Two rows of three cells, the first column light")""",
    "A table, and the last value of a cell.",
    """\
display(HTML("<table><tr><td>queries</td><td>144</td></tr></table>"))
[round(0.25 * k, 2) for k in range(4)]""",
    "A view, which is a table where no kernel runs.",
    """\
class View(anywidget.AnyWidget):
    _esm = "export default { render({ el }) { el.textContent = 'live'; } };"

    def __repr__(self):
        return "View(heads=12)"

    def _repr_mimebundle_(self, **options):
        data, metadata = super()._repr_mimebundle_(**options)
        return data | {"text/html": "<p>12 heads, told apart by a line each</p>"}, metadata

View()""",
    "A mistake, and what it says.",
    """\
try:
    [1, 2, 3][7]
except IndexError as error:
    print(type(error).__name__, error)
"this value is silenced";""",
]


def honest_notebook() -> dict[str, Any]:
    """Give the notebook as an author leaves it: never run, with ids."""
    cells: list[dict[str, Any]] = []
    for number, source in enumerate(CELLS):
        cell = {"id": f"cell-{number}", "metadata": {}, "source": source}
        if number % 2:
            cells.append({**cell, "cell_type": "code", "execution_count": None, "outputs": []})
        else:
            cells.append({**cell, "cell_type": "markdown"})
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
