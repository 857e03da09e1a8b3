"""Heads where simple rules mislead: the numbers of a score's details, and their table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bertviz_lite.evaluation.scores.results import TITLES, Score

if TYPE_CHECKING:
    from bertviz_lite.evaluation.probes import HeadResult

OFFSET, NEAREST = "fixed offset", "nearest noun"
_MARK = " wrong: "


def misleading_details(result: HeadResult) -> dict[str, float]:
    """Return the details of a score: a head and both rules where one of the rules is wrong."""
    details: dict[str, float] = {}
    for rule, there in ((OFFSET, result.offset_misleads), (NEAREST, result.nearest_misleads)):
        if there is not None:
            values = {
                "items": there.occurrences,
                "head": there.accuracy,
                OFFSET: there.guess,
                NEAREST: there.nearest,
                "best head": there.best,
                "its layer": there.layer,
                "its head": there.head,
            }
            details |= {f"{rule}{_MARK}{title}": value for title, value in values.items()}
    return details


def other_details(score: Score) -> dict[str, float]:
    """Return a score's details without those of ``misleading_details``."""
    return {title: value for title, value in score.details.items() if _MARK not in title}


def heads_table(scores: Mapping[str, Score]) -> str:
    """Return a Markdown table of the heads against both rules, misleading cases apart; empty without them."""
    rows = []
    for name, score in scores.items():
        details = score.details
        if not any(_MARK in title for title in details):
            continue
        head = f"{details['layer']:.0f}.{details['head']:.0f}"
        rules = [f"{score.baselines[rule]:.3f}" for rule in (OFFSET, NEAREST)]
        best = f"{score.value:.3f} ({head})"
        rows.append([TITLES.get(name, name), f"{score.n:,}", best, best, *rules])
        for rule in (OFFSET, NEAREST):
            there = {
                title.removeprefix(rule + _MARK): value
                for title, value in details.items()
                if title.startswith(rule + _MARK)
            }
            if there:
                best = f"{there['best head']:.3f} ({there['its layer']:.0f}.{there['its head']:.0f})"
                rules = [f"{there[OFFSET]:.3f}", f"{there[NEAREST]:.3f}"]
                rows.append(
                    [f"– {rule} wrong", f"{there['items']:,.0f}", f"{there['head']:.3f}", best, *rules]
                )
    if not rows:
        return ""
    header = ["relation", "items", "this head", "best head there", OFFSET, NEAREST]
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows))
