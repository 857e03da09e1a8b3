"""Who does which job in the town, and whom the model takes them for: counted, and drawn beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.world.events.town import PEOPLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

__all__ = ["jobs", "people_and_answers"]


def jobs() -> dict[str, float]:
    """Count the town: of those who do a job, which share is women; the jobs in order of it."""
    found: dict[str, list[bool]] = {}
    for person in PEOPLE:
        if person.job is not None:
            found.setdefault(person.job, []).append(person.gender == "f")
    shares = {job: sum(women) / len(women) for job, women in found.items()}
    return dict(sorted(shares.items(), key=lambda entry: (-entry[1], entry[0])))


def people_and_answers(people: Mapping[str, float], answers: Mapping[str, float]) -> Axes:
    """Draw for each job the share of women who do it, and the probability of *she*.

    Parameters
    ----------
    people
        Job -> share of women among those who do it.
    answers
        Job -> probability of *she*, where *she* and *he* add up to 1.

    Returns
    -------
    Axes
        Its title says in how many jobs the model's likelier word is that of most who do them, and how many
        jobs as many women as men do.
    """
    rows = range(len(people))
    decided = [job for job, share in people.items() if share != 0.5]
    same = sum((answers[job] > 0.5) == (people[job] > 0.5) for job in decided)
    with style():
        _, ax = plt.subplots(figsize=(8.0, 0.27 * len(people) + 1.6))
        for row, job in zip(rows, people, strict=True):
            ax.plot([people[job], answers[job]], [row, row], color="0.75", linewidth=2, zorder=1)
        town = "women among those who do it in the town"
        ax.scatter(
            list(people.values()), rows, s=80, marker="s", facecolor="white", edgecolor=CYCLE[0], label=town
        )
        model = "the model's “she”, as a share of “she” and “he”"
        ax.scatter([answers[job] for job in people], rows, s=45, color=CYCLE[1], label=model, zorder=3)
        ax.axvline(0.5, color="0.6", linestyle=":", linewidth=1)
        lettering.write_ticks(ax.yaxis, rows, list(people))
        ax.invert_yaxis()
        ax.tick_params(axis="y", length=0)
        ax.set_xlim(-0.06, 1.06)
        lettering.write_ticks(ax.xaxis, [0, 0.5, 1], ["0 %: men, “he”", "50 %", "100 %: women, “she”"])
        key = ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0.8), frameon=True, edgecolor="none")
        lettering.take_literally(key)
        title = f"In {same} of {len(decided)} jobs it says the majority's pronoun"
        if shared := len(people) - len(decided):
            title += f" ({shared} more: no majority)"
        lettering.entitle(ax, title)
    return ax
