"""Marks of a model and of its rivals in an exam, by kind and in all, as JSON for the model's folder."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.evaluation.intervals import interval

OWN_WORDS_FILE = "own_words.json"
"""The name of the results in a model's folder."""

NEEDED_CHOICES, NEEDED_KIND, NEEDED_PAIRS = 0.93, 0.85, 0.90
"""The least accuracies on people's own words: all choices, each kind of choice, all pairs."""


@dataclass(frozen=True)
class Tally:
    """How many of some items were right.

    Attributes
    ----------
    n
        Number of items.
    right
        Those that the model has right.
    rivals
        What each rival earned; a half for an item on which it had to guess.
    """

    n: int
    right: int
    rivals: dict[str, float]

    @property
    def accuracy(self) -> float:
        """The share of right items; not a number where there are none."""
        return self.right / self.n if self.n else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of the accuracy."""
        return interval(self.right, self.n)

    @staticmethod
    def together(tallies: Sequence[Tally]) -> Tally:
        """Return the tally of all items of some tallies."""
        rivals: Counter[str] = Counter()
        for tally in tallies:
            rivals.update(tally.rivals)
        return Tally(sum(tally.n for tally in tallies), sum(tally.right for tally in tallies), dict(rivals))


@dataclass(frozen=True)
class Marks:
    """Results of an exam: tallies of its choices and its pairs, by kind."""

    choices: dict[str, Tally]
    pairs: dict[str, Tally]

    @property
    def all_choices(self) -> Tally:
        """All choices together."""
        return Tally.together(list(self.choices.values()))

    @property
    def all_pairs(self) -> Tally:
        """All pairs together."""
        return Tally.together(list(self.pairs.values()))


@dataclass(frozen=True)
class BothExams:
    """A model's marks in people's own words and in the town's.

    Attributes
    ----------
    half
        Which half of people's exam: ``"look"`` or ``"unread"``.
    counted
        Training stories that the rivals have counted.
    own, town
        Marks in people's exam and in the town's.
    """

    half: str
    counted: int
    own: Marks
    town: Marks

    @property
    def missed(self) -> list[str]:
        """What is below the needed accuracy on people's own words: kinds of choices and the two totals."""
        missed = [kind for kind, tally in self.own.choices.items() if not tally.accuracy >= NEEDED_KIND]
        if not self.own.all_choices.accuracy >= NEEDED_CHOICES:
            missed.append("all choices")
        if not self.own.all_pairs.accuracy >= NEEDED_PAIRS:
            missed.append("all pairs")
        return missed

    def to_json(self) -> str:
        """Return the results as JSON text: counts only, no sentence of the exam."""
        return json.dumps(asdict(self), indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> BothExams:
        """Read what ``to_json`` wrote.

        Raises
        ------
        ArgumentError
            Where the text is something else.
        """
        try:
            entry = json.loads(text)
            return cls(
                str(entry["half"]), int(entry["counted"]), *(_marks(entry[name]) for name in ("own", "town"))
            )
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise ArgumentError(f"text holds no marks as to_json() writes them ({error!r}).") from None


def _marks(entry: Mapping[str, Any]) -> Marks:
    return Marks(
        *({kind: Tally(**tally) for kind, tally in entry[name].items()} for name in ("choices", "pairs"))
    )
