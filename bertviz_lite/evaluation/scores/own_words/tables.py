"""Both exams side by side, as Markdown tables."""

from __future__ import annotations

from collections.abc import Mapping

from bertviz_lite.evaluation.scores.own_words.results import (
    NEEDED_CHOICES,
    NEEDED_KIND,
    NEEDED_PAIRS,
    BothExams,
    Marks,
    Tally,
)

_SAME = {
    "agreement across a noun": "agreement-across-noun",
    "gender of a pronoun": "pronoun-gender",
    "need and consequence": "need-and-consequence",
    "number of a pronoun": "pronoun-number",
    "verb form": "verb-form",
}
"""The town's names of kinds that people's exam has too, under other names."""


def side_by_side(result: BothExams) -> str:
    """Return the totals with their rivals, then choices and pairs by kind, and what is missed."""
    own, town = result.own, result.town
    parts = [_totals(own, town), _kinds("choice", own.choices, town.choices, NEEDED_KIND)]
    parts.append(_kinds("pair", own.pairs, town.pairs, None))
    missed = ", ".join(result.missed) or "nothing"
    parts.append(f"Below what is needed in people's own words: {missed}.")
    return "\n\n".join(parts)


def _totals(own: Marks, town: Marks) -> str:
    rows = ["| | the town's own stories | people's own words | needed |", "| --- | --- | --- | --- |"]
    for title, needed, own_tally, town_tally in (
        ("choices between two words", NEEDED_CHOICES, own.all_choices, town.all_choices),
        ("next part", NEEDED_PAIRS, own.all_pairs, town.all_pairs),
    ):
        rows.append(
            f"| **{title}** | {_cell(town_tally)} | {_cell(own_tally)} | {_verdict(own_tally, needed)} |"
        )
        rows += [
            f"| {name} | {_share(town_tally, name)} | {_share(own_tally, name)} | |"
            for name in own_tally.rivals
        ]
    return "\n".join(rows)


def _kinds(title: str, own: Mapping[str, Tally], town: Mapping[str, Tally], needed: float | None) -> str:
    """Return a row for each kind of either exam; beside people's words, their best rival."""
    in_town = {_SAME.get(kind, kind): tally for kind, tally in town.items()}
    last = ("best rival there", *(["needed"] if needed else []))
    rows = [f"| {title} | the town's own stories | people's own words | {' | '.join(last)} |"]
    rows.append("| --- " * (3 + len(last)) + "|")
    for kind in sorted({*own, *in_town}):
        cells = [kind, _cell(in_town.get(kind)), _cell(own.get(kind)), _best_rival(own.get(kind))]
        if needed:
            cells.append(_verdict(own[kind], needed) if kind in own else "")
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _cell(tally: Tally | None) -> str:
    """Return accuracy, interval and number of items."""
    if tally is None or not tally.n:
        return ""
    low, high = tally.interval
    return f"{tally.accuracy:.3f} ({low:.2f} to {high:.2f}; {tally.n:,})"


def _share(tally: Tally, rival: str) -> str:
    return f"{tally.rivals[rival] / tally.n:.3f}" if tally.n and rival in tally.rivals else ""


def _best_rival(tally: Tally | None) -> str:
    if tally is None or not tally.rivals:
        return ""
    name = max(tally.rivals, key=lambda rival: tally.rivals[rival])
    return f"{name} {_share(tally, name)}"


def _verdict(tally: Tally, needed: float) -> str:
    return f"{needed:.2f} {'met' if tally.accuracy >= needed else 'MISSED'}"
