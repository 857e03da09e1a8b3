"""The exam that people wrote: kind by kind, what the model and the best of its rivals get right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import CYCLE, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bertviz_lite.evaluation.scores.own_words.results import Marks

__all__ = ["draw_exam"]

_EXAMPLES = {
    "agreement-across-clause": "The shoes Ella wants are/is …",
    "agreement-across-noun": "The eggs in Vera's basket were/was …",
    "agreement-coordination": "Ruby and her goat are/is …",
    "agreement-near": "My socks are/is wet again.",
    "agreement-question": "Was/were it cold in the cave?",
    "belongs-together": "Carl milks the cows/hens.",
    "determiner-noun": "Leo ate an/a apple …",
    "mention": "A pearl fell. We looked for the pearl/feather.",
    "need-and-consequence": "The glass fell and broke/burned.",
    "negation": "The house is empty: nobody/somebody …",
    "pronoun-gender": "My sister is ill, so she/he …",
    "pronoun-number": "The boys wash their/his own socks.",
    "pronoun-person": "“I/me am not sleepy,” said Ella.",
    "pronoun-possessive": "Have you seen my/mine comb?",
    "pronoun-two-people": "When Grace fell, Tom ran to her/him.",
    "quantifier": "Max closed both/each eyes.",
    "reflexive": "a picture of himself/themselves",
    "sense": "We lost the match by one goal/candle.",
    "tense-and-time": "Yesterday Oscar caught/catches four fish.",
    "verb-form": "Somebody has eaten/ate my cake!",
    "word-order": "Ben is not old enough/too to drive.",
}
"""A choice of each kind, shortened, the right word first; none is of the half that is scored."""


def draw_exam(exam: Marks) -> Axes:
    """Draw for each kind of choice an example and the share that is right, the model's and the best rival's.

    Parameters
    ----------
    exam
        The recorded answers; the title says how many are right in all.
    """
    kinds = sorted(exam.choices.items(), key=lambda kind: (-kind[1].accuracy, kind[0]))
    rows = range(len(kinds))
    best_of_kind = "the best of three rivals"
    model = [marks.accuracy for _, marks in kinds]
    rivals = [max(marks.rivals.values()) / marks.n for _, marks in kinds]
    with style():
        _, ax = plt.subplots(figsize=(11.0, 0.27 * len(kinds) + 1.7))
        for row in rows:
            ax.plot([rivals[row], model[row]], [row, row], color="0.75", linewidth=2, zorder=1)
        ax.scatter(rivals, rows, s=80, marker="s", facecolor="white", edgecolor=CYCLE[0], label=best_of_kind)
        ax.scatter(model, rows, s=45, color=CYCLE[1], label="the model", zorder=3)
        ax.axvline(0.5, color="0.6", linestyle=":", linewidth=1)
        names = [f"{name.replace('-', ' ')} ({marks.n})" for name, marks in kinds]
        lettering.write_ticks(ax.yaxis, rows, names)
        for row, (name, _) in enumerate(kinds):
            ax.text(1.06, row, _EXAMPLES.get(name, ""), va="center", fontsize=10.5, color="#59636e")
        ax.invert_yaxis()
        ax.tick_params(axis="y", length=0)
        ax.set_xlim(0, 1.04)
        lettering.write_ticks(ax.xaxis, [0, 0.5, 1], ["0 %", "50 %: guessing", "100 % right"])
        lettering.take_literally(
            ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.06), ncol=2, frameon=False)
        )
        every = exam.all_choices
        best = max(every.rivals.values()) / every.n
        title = f"Right in {every.accuracy:.0%} of {every.n} choices; the best rival over all, in {best:.0%}"
        lettering.entitle(ax, title)
    return ax
