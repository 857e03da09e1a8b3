"""Who does which job in the town's stories, and whom the model takes them for: counted, and drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.world import stories
from bertviz_lite.world.events.town import PEOPLE
from bertviz_lite.world.grammar.noun_phrases import PRONOUNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from matplotlib.axes import Axes

    from bertviz_lite.world.events.text import Story

__all__ = ["jobs", "people_and_answers", "women_by_job"]

_WOMEN, _MEN = frozenset(PRONOUNS["f"]), frozenset(PRONOUNS["m"])


def jobs(texts: int = 20_000) -> dict[str, float]:
    """Count the town's texts: of those who do a job, which share is women; the jobs in order of it."""
    return women_by_job(stories(seed=0, n=texts))


def women_by_job(texts: Iterable[Story]) -> dict[str, float]:
    """Return for each job the share of *she* among those who are called by it, and then *she* or *he*.

    A person counts once in a story. Jobs that nobody has are left out; the others come in order of the share,
    the highest first.

    Parameters
    ----------
    texts
        Texts of the town, whose words say who is meant.
    """
    known = {person.job for person in PEOPLE if person.job is not None}
    found: dict[str, list[bool]] = {}
    for story in texts:
        job_of: dict[int, str] = {}
        is_woman: dict[int, bool] = {}
        for word in story.words:
            if word.entity is None:
                continue
            if word.lemma in known and word.form == "singular":
                job_of.setdefault(word.entity, word.lemma)
            elif word.entity in job_of and word.text.lower() in _WOMEN | _MEN:
                is_woman[word.entity] = word.text.lower() in _WOMEN
        for person, woman in is_woman.items():
            found.setdefault(job_of[person], []).append(woman)
    shares = {job: sum(women) / len(women) for job, women in found.items()}
    return dict(sorted(shares.items(), key=lambda entry: (-entry[1], entry[0])))


def people_and_answers(people: Mapping[str, float], answers: Mapping[str, float]) -> Axes:
    """Draw for each job the share of women who do it, and the probability of *she*.

    Parameters
    ----------
    people
        Job -> share of women among those who do it in the stories.
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
        town = "in the town's texts"
        ax.scatter(
            list(people.values()), rows, s=80, marker="s", facecolor="white", edgecolor=CYCLE[0], label=town
        )
        model = "in the model's answers"
        ax.scatter([answers[job] for job in people], rows, s=45, color=CYCLE[1], label=model, zorder=3)
        ax.axvline(0.5, color="0.6", linestyle=":", linewidth=1)
        lettering.write_ticks(ax.yaxis, rows, list(people))
        ax.invert_yaxis()
        ax.tick_params(axis="y", length=0)
        ax.set_xlim(-0.06, 1.06)
        lettering.write_ticks(ax.xaxis, [0, 0.5, 1], ["0 %: all “he”", "50 %", "100 %: all “she”"])
        ax.set_xlabel("share of “she” among “she” and “he”")
        key = ax.legend(loc="lower right", bbox_to_anchor=(1.0, 0.06), frameon=True, edgecolor="none")
        lettering.take_literally(key)
        title = f"In {same} of {len(decided)} jobs the model says the majority's pronoun"
        if shared := len(people) - len(decided):
            title += f" ({shared} more: no majority)"
        lettering.entitle(ax, title)
    return ax
