"""The time-lapse: a training run, moment by moment.

A slider goes through the moments at which the run was measured. The losses are drawn whole, with a mark
that moves; the score of each ability is a line that appears up to the moment; all heads of all layers show
the attention of a watched input at that moment, one of them enlarged.

**When does an ability appear?** At the first moment at which its score has made a share of its way, from the
first score that was measured to the best one of the run: `threshold`, half if not set. It then lies between
two moments, and both are said. A score that was not measured at some moment leaves a gap.

Left out: learning rates, and texts other than those that the run watched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import traitlets as t

from bertviz_lite.models import POCKET
from bertviz_lite.views.base.errors import ViewError, ViewTypeError
from bertviz_lite.views.base.sources import read_module, read_style
from bertviz_lite.views.base.static import Static
from bertviz_lite.views.base.traits import Index, Share
from bertviz_lite.views.base.view import View
from bertviz_lite.views.time_lapse.ability import LEAST_RISE
from bertviz_lite.views.time_lapse.moment import Moment
from bertviz_lite.views.time_lapse.picture import draw
from bertviz_lite.views.time_lapse.reading import read_run
from bertviz_lite.views.time_lapse.words import alt_text, loss_table, score_table

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

__all__ = ["TimeLapse"]


class TimeLapse(View):
    """An interactive look back at a training run.

    Parameters
    ----------
    folder
        The folder with ``history.json`` and ``history_attention.npz``, as
        :meth:`bertviz_lite.training.history.History.write` writes them; the pocket model's if None.
    moment
        Index of the moment that is shown; the last if not given.
    text
        Index of the watched input.
    layer, head
        The head that is enlarged; if neither is given, the one that looks from pronouns to their persons best
        at the end of the run, where the history knows it.
    threshold
        What share of its way a score must have made for its ability to count as there, above 0.

    Raises
    ------
    TypeError
        If a name is none of the above.
    ViewError
        If the folder holds no history, or a value means nothing here; the state stays as it was.

    Examples
    --------
    >>> view = TimeLapse()  # doctest: +SKIP
    >>> view.moment = 3  # doctest: +SKIP
    >>> view.save("training.html")  # doctest: +SKIP
    """

    _esm = read_module("time_lapse")
    _css = read_style("time_lapse")
    title: ClassVar[str] = "A training run, moment by moment"
    about: ClassVar[str] = (
        "How BERT learned, from the first step to the last: "
        "move through the training and watch abilities appear"
    )
    state: ClassVar[tuple[str, ...]] = ("moment", "text", "layer", "head", "threshold")

    moment = Index("_num_moments", "moments").tag(sync=True)
    text = Index("_num_texts", "texts").tag(sync=True)
    layer = Index("_num_layers", "layers").tag(sync=True)
    head = Index("_num_heads", "heads").tag(sync=True)
    threshold = Share(0.5, positive=True).tag(sync=True)

    _run = t.Dict().tag(sync=True)

    def __init__(self, folder: str | os.PathLike[str] | None = None, **state: Any) -> None:  # noqa: ANN401
        unknown = sorted(set(state) - set(self.state))
        if unknown:
            raise ViewTypeError(
                f"{unknown[0]}={state[unknown[0]]!r}: TimeLapse knows {', '.join(self.state)}."
            )
        self.run = read_run(POCKET if folder is None else folder)
        self._num_moments, self._num_texts = len(self.run.moments), len(self.run.texts)
        self._num_layers, self._num_heads = self.run.num_layers, self.run.num_heads
        if not {"layer", "head"} & set(state):
            best = self.run.moments[-1]["heads"].get("person", [0, 0])
            state = {"layer": best[0], "head": best[1], **state}
        titles = {ability.name: ability.title for ability in self.run.abilities(0.5)}
        super().__init__(
            _run={
                "moments": self.run.moments,
                "losses": self.run.losses,
                "texts": self.run.texts,
                "tokens": self.run.tokens,
                "notes": self.run.notes,
                "titles": titles,
                "layers": self.run.num_layers,
                "heads": self.run.num_heads,
                "least_rise": LEAST_RISE,
            }
        )
        for name, value in {"moment": self._num_moments - 1, **state}.items():
            setattr(self, name, value)

    def _summary(self) -> str:
        steps = self.run.steps
        return f"{len(steps)} moments of {steps[-1]:,} steps"

    def _block(self, name: str) -> bytes:
        kind, _, number = name.partition("/")
        if kind != "text" or number not in map(str, range(self._num_texts)):
            raise ViewError(f"{name!r}: there are text/0 to text/{self._num_texts - 1}.")
        return self.run.attention[int(number)].tobytes()

    def _saved_blocks(self) -> Iterable[str]:
        return [f"text/{number}" for number in range(self._num_texts)]

    def _static(self) -> Static:
        shown = Moment(self.run, self.moment, self.text, self.layer, self.head, self.threshold)
        tables = (score_table(shown), loss_table(self.run))
        return Static(draw(shown), alt_text(shown), " ".join(self.run.notes), tables)
