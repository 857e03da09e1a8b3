"""Who does which job in the town's stories, and whom the model takes them for: counted, and drawn."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

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

__all__ = ["Counted", "jobs", "people_and_answers", "women_by_job"]

_WOMEN, _MEN = frozenset(PRONOUNS["f"]), frozenset(PRONOUNS["m"])


class Counted(NamedTuple):
    """Of `people` who do a job, `women` are called *she* and the others *he*."""

    women: int
    people: int

    @property
    def share(self) -> float:
        """The share of women, from 0 to 1."""
        return self.women / self.people

    @property
    def leans(self) -> bool:
        """Whether the share is further from a half than coins tossed for as many people would bring it.

        Two standard errors: 19 times of 20, the coins would stay nearer.
        """
        return abs(self.share - 0.5) > 1 / math.sqrt(self.people)


def jobs(texts: int = 20_000) -> dict[str, Counted]:
    """Count the program's texts: of those who do a job, how many are women; jobs in order of the share."""
    return women_by_job(stories(seed=0, n=texts))


def women_by_job(texts: Iterable[Story]) -> dict[str, Counted]:
    """Return for each job how many of those who are called by it, and then *she* or *he*, are a *she*.

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
    counted = {job: Counted(sum(women), len(women)) for job, women in found.items()}
    return dict(sorted(counted.items(), key=lambda entry: (-entry[1].share, entry[0])))


def people_and_answers(people: Mapping[str, Counted], answers: Mapping[str, float]) -> Axes:
    """Draw for each job the share of women who do it, and the probability of *she*.

    Parameters
    ----------
    people
        Job -> how many do it in the stories, and how many of them are women; behind its name stands how many.
    answers
        Job -> probability of *she*, where *she* and *he* add up to 1.

    Returns
    -------
    Axes
        Its title says in how many of the jobs with a clear lean (`Counted.leans`) the model's likelier word
        is that of most who do them; the squares of the others are grey.
    """
    rows = range(len(people))
    shares = {job: counted.share for job, counted in people.items()}
    decided = [job for job, counted in people.items() if counted.leans]
    same = sum((answers[job] > 0.5) == (shares[job] > 0.5) for job in decided)
    with style():
        _, ax = plt.subplots(figsize=(8.0, 0.27 * len(people) + 1.6))
        for row, job in zip(rows, people, strict=True):
            ax.plot([shares[job], answers[job]], [row, row], color="0.75", linewidth=2, zorder=1)
        town = "in the program's texts"
        for clear, ink, label in ((True, CYCLE[0], town), (False, "0.6", "… no clear lean: perhaps chance")):
            here = [(shares[job], row) for row, job in enumerate(people) if people[job].leans is clear]
            if here:
                across, down = zip(*here, strict=True)
                square = ax.scatter(across, down, s=80, marker="s", facecolor="white", label=label)
                square.set(edgecolor=ink, linewidth=1.8)
        model = "in the model's answers"
        ax.scatter([answers[job] for job in people], rows, s=45, color=CYCLE[1], label=model, zorder=3)
        ax.axvline(0.5, color="0.6", linestyle=":", linewidth=1)
        names = [f"{job} ({counted.people})" for job, counted in people.items()]
        lettering.write_ticks(ax.yaxis, rows, names)
        ax.invert_yaxis()
        ax.tick_params(axis="y", length=0)
        ax.set_xlim(-0.06, 1.06)
        lettering.write_ticks(ax.xaxis, [0, 0.5, 1], ["0 %: all “he”", "50 %", "100 %: all “she”"])
        ax.set_xlabel("share of “she” among “she” and “he” (in brackets: people counted)")
        key = ax.legend(loc="lower right", bbox_to_anchor=(1.0, 0.06), frameon=True, edgecolor="none")
        lettering.take_literally(key)
        of_jobs = f"{same} of {len(decided)} jobs with a clear lean"
        lettering.entitle(ax, f"In {of_jobs}, the model leans as the program's texts do")
    return ax
