"""The curves of a training that is running, drawn anew every few steps.

An ipywidgets `HTML` with a bar, a line of numbers and two charts in SVG: it costs a millisecond, where a
matplotlib figure would cost as much as several steps of training. Without a kernel only a
sentence is seen: what stays in a notebook is the figure that is drawn at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ipywidgets import HTML

from bertviz_lite.plots.course_style import CYCLE
from bertviz_lite.views.base.static import LIVE, show_both, watcher

__all__ = ["LiveCurve"]

_WIDTH, _HEIGHT = 400, 200
_LEFT, _TOP, _BOTTOM = 34, 10, 24
_FALLBACK = (
    "<p>While this cell runs in a notebook, a bar and two curves move here. "
    "What they show at the end is drawn below.</p>"
)

Point = tuple[float, float]


class Scored(Protocol):
    """The scores at a moment of the training."""

    @property
    def step(self) -> int: ...
    @property
    def direct(self) -> float: ...
    @property
    def across(self) -> float: ...


class LiveCurve(HTML):  # type: ignore[misc]
    """Losses and scores so far, and how far the training is.

    Parameters
    ----------
    steps
        Of the whole training.
    """

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.steps = steps

    @classmethod
    def shown(cls, steps: int) -> LiveCurve | None:
        """Make one and display it; None where no notebook is there to display it."""
        from IPython.core.getipython import get_ipython
        from IPython.display import display

        shell = get_ipython()
        if shell is None or not hasattr(shell, "kernel"):
            return None
        curve = cls(steps)
        display(curve)  # type: ignore[no-untyped-call]
        return curve

    def __repr__(self) -> str:
        return f"LiveCurve({self.steps:,} steps)"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:  # noqa: ANN401
        forms = {**super()._repr_mimebundle_(**kwargs), "text/plain": repr(self), "text/html": _FALLBACK}
        if watcher() == "a program":
            forms.pop(LIVE, None)
        return forms

    def _ipython_display_(self, **kwargs: Any) -> None:  # noqa: ANN401
        if watcher() != "a reader":
            raise NotImplementedError
        show_both(self._repr_mimebundle_(**kwargs), {})

    def draw(self, losses: Sequence[tuple[float, float]], moments: Sequence[Scored], seconds: float) -> None:
        """Show the training so far.

        Parameters
        ----------
        losses
            The loss of the words and that of the pairs, for each step.
        moments
            The scores so far.
        seconds
            Time taken.
        """
        step, last = len(losses), moments[-1]
        recent = losses[-20:]
        words, pairs = (sum(column) / len(recent) for column in zip(*recent, strict=True))
        text = (
            f"step {step:,} of {self.steps:,}, {seconds:.0f} s. Loss of the words {words:.2f}, of the pairs "
            f"{pairs:.2f}. Right number: direct {last.direct:.0%}, across {last.across:.0%}"
        )
        smooth = _smoothed(losses)
        top = max(8.0, *(loss for _, loss in smooth[0]))
        scores = [
            [(moment.step, getattr(moment, kind)) for moment in moments] for kind in ("direct", "across")
        ]
        self.value = (
            f'<progress max="{self.steps}" value="{step}" style="width: 100%" aria-label="steps"></progress>'
            f"<div>{text}</div>"
            '<div style="display: flex; flex-wrap: wrap; gap: 12px">'
            + self._chart("losses", smooth, ("words", "pairs"), top, names_at=14)
            + self._chart("verbs with the right number", scores, ("direct", "across"), 1.0, names_at=120)
            + "</div>"
        )

    def _chart(
        self,
        title: str,
        series: Sequence[Sequence[Point]],
        names: Sequence[str],
        top: float,
        names_at: int,
    ) -> str:
        """Draw one chart; the names of its lines are at a height, in pixels, where no line will end."""
        width, height = _WIDTH - _LEFT - 10, _HEIGHT - _TOP - _BOTTOM
        grid = ""
        for share in (0.0, 0.5, 1.0):
            y = _TOP + height * (1 - share)
            grid += (
                f'<line x1="{_LEFT}" x2="{_LEFT + width}" y1="{y}" y2="{y}" stroke="currentColor" '
                'opacity="0.2"/>'
                f'<text x="{_LEFT - 4}" y="{y + 4}" text-anchor="end">{top * share:g}</text>'
            )
        drawn = ""
        for k, (points, name) in enumerate(zip(series, names, strict=True)):
            path = " ".join(
                f"{_LEFT + width * x / self.steps:.1f},{_TOP + height * (1 - y / top):.1f}" for x, y in points
            )
            dash = ("none", "7 4")[k]
            drawn += (
                f'<polyline points="{path}" fill="none" stroke="{CYCLE[k]}" stroke-width="2.5" '
                f'stroke-dasharray="{dash}"/>'
                f'<text x="{_LEFT + width - 6}" y="{_TOP + names_at + 16 * k}" text-anchor="end" '
                f'fill="{CYCLE[k]}" font-weight="bold">{name}</text>'
            )
        return (
            f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="{title}" font-size="12" '
            f'fill="currentColor">{grid}{drawn}'
            f'<text x="{_LEFT}" y="{_HEIGHT - 6}">{title}, over {self.steps:,} steps</text></svg>'
        )


def _smoothed(losses: Sequence[tuple[float, float]], most: int = 100) -> list[list[Point]]:
    """Return at most about ``most`` points a loss, each the mean of the steps around it."""
    size = max(5, -(-len(losses) // most))
    chunks = [losses[start : start + size] for start in range(0, len(losses), size)]
    return [
        [
            (k * size + len(chunk) / 2, sum(pair[part] for pair in chunk) / len(chunk))
            for k, chunk in enumerate(chunks)
        ]
        for part in range(2)
    ]
