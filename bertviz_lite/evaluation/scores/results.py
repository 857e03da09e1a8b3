"""Scores with what is needed and what simpler guesses reach, as a table and as JSON."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from typing import Any

from bertviz_lite.basics.arguments import ArgumentError

NEEDED = {
    "agreement": 0.97,
    "pronoun": 0.95,
    "mention": 0.90,
    "consequence": 0.95,
    "next_part": 0.95,
    "minimal_pairs": 0.95,
    "senses": 0.95,
}


TITLES = {
    "agreement": "masked word: agreement",
    "pronoun": "masked word: pronoun",
    "mention": "masked word: already mentioned",
    "consequence": "masked word: consequence of a need",
    "masked_words": "all masked words (15 % of them)",
    "next_part": "true next part or another story's",
    "minimal_pairs": "minimal pairs",
    "senses": "sense of a two-sense word",
    "head.subject": "best head: verb -> subject",
    "head.person": "best head: pronoun -> its person",
}

CHINESE_TITLES = {
    "classifier": "masked word: classifier",
    "count": "masked word: number that follows from others",
}
"""What only a model of Chinese is asked."""


@dataclass(frozen=True)
class Score:
    """One measured number.

    Attributes
    ----------
    value
        Accuracy, 0 to 1; not a number where there was nothing to score.
    n
        Number of items.
    needed
        The least value that will do, or None.
    baselines
        The accuracy of simpler ways to answer, by name.
    details
        More numbers, by name: accuracy on parts, the layer or head that was chosen.
    """

    value: float
    n: int
    needed: float | None = None
    baselines: dict[str, float] = field(default_factory=dict)
    details: dict[str, float] = field(default_factory=dict)

    @property
    def passed(self) -> bool | None:
        """Whether the value reaches what is needed; None where nothing is."""
        return None if self.needed is None else self.value >= self.needed


class Scores(dict[str, Score]):
    """Scores by name; see ``TITLES`` for what the names mean."""

    @property
    def missed(self) -> list[str]:
        """Names of the scores below what is needed."""
        return [name for name, score in self.items() if score.passed is False]

    def to_json(self) -> str:
        """Return the scores as JSON text; numbers with four digits."""
        return json.dumps({name: _rounded(asdict(score)) for name, score in self.items()}, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Scores:
        """Read what ``to_json`` wrote."""

        def number(value: float | None) -> float:
            return float("nan") if value is None else value

        try:
            entries = dict(json.loads(text))
        except (TypeError, ValueError) as error:
            raise ArgumentError(f"text holds no scores as to_json() writes them ({error}).") from None
        read = {}
        for name, entry in entries.items():
            parts = {
                part: {title: number(value) for title, value in entry[part].items()}
                for part in ("baselines", "details")
            }
            read[name] = Score(**{**entry, "value": number(entry["value"]), **parts})
        return cls(read)

    def table(self) -> str:
        """Return a Markdown table, one row a score."""
        rows = ["| what | score | needed | beside it | items |", "| --- | --- | --- | --- | --- |"]
        titles = TITLES | CHINESE_TITLES
        for name, score in self.items():
            needed = (
                "" if score.needed is None else f"{score.needed:.2f} {'met' if score.passed else 'MISSED'}"
            )
            beside = ", ".join(f"{title} {value:.3f}" for title, value in score.baselines.items())
            rows.append(
                f"| {titles.get(name, name)} | {score.value:.4f} | {needed} | {beside} | {score.n:,} |"
            )
        return "\n".join(rows)


def _rounded(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return {key: _rounded(entry) for key, entry in value.items()}
    if isinstance(value, float):
        return None if math.isnan(value) else round(value, 4)
    return value
