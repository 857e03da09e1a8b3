"""A reader's rule beside the chapter's: on how many pairs it is right, and one pair on which it errs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bertviz_lite.data.story_pairs import other_story

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bertviz_lite.data.story_pairs import StoryPair

__all__ = ["score_rule"]

_TARGET = 308  # what the chapter's own rule gets on 200 true pairs and 200 strangers


def score_rule(
    rule: Callable[[StoryPair], Any],
    true: Sequence[StoryPair],
    false: Sequence[StoryPair],
    target: int = _TARGET,
    others: Sequence[StoryPair] = (),
) -> str:
    """Say on how many pairs a rule is right, of which sort, and show a pair on which it errs.

    Then say whether it holds on other stories.

    Parameters
    ----------
    rule
        Takes a pair; what it returns counts as *yes* or *no*. ``...`` or None: not answered yet.
    true, false
        Pairs for which *yes* is right, and pairs for which *no* is.
    target
        How many are to be beaten.
    others
        True pairs of other stories. The rule is scored on these, and on their As with strangers, too.
    """
    answers = [rule(pair) for pair in (*true, *false)]
    if any(answer is None or answer is ... for answer in answers):
        return "not answered yet: return True or False for every pair."
    said = [bool(answer) for answer in answers]
    yes, no = said[: len(true)], said[len(true) :]
    refused = no.count(False)
    right = sum(yes) + refused
    lines = [
        f"right on {right} of {len(said)}: {sum(yes)} of {len(yes)} true, {refused} of {len(no)} false",
        f"beats {target}" if right > target else f"{target} aren't beaten yet",
    ]
    if len(set(said)) == 1:
        lines[1] += ": it gives every pair the same answer"
    if others:
        strangers = other_story(others)
        hits = sum(bool(rule(pair)) for pair in others) + sum(not rule(pair) for pair in strangers)
        n = 2 * len(others)
        lines.append(
            f"on other stories: right on {hits} of {n}, {hits / n:.0%}, here {right / len(said):.0%}"
        )
    worse = (true, yes.index(False)) if yes.count(False) >= sum(no) and False in yes else None
    if worse is None and any(no):
        worse = false, no.index(True)
    if worse is not None:
        a, b = worse[0][worse[1]].texts
        lines.append(f"wrong, for instance, on a pair that is {'true' if worse[0] is true else 'false'}:")
        lines.append(f"  A: {a}\n  B: {b}")
    return "\n".join(lines)
