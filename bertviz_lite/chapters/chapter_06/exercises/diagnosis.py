"""Four collators, some of them sick: what each has, by the counts of what comes out."""

from bertviz_lite.exercises import question

_RIGHT = {"A": "one row", "B": "others", "C": "nothing", "D": "labels"}


@question(
    hints=(
        "What would `mask_tokens` have in each line? 1,000 rows have 100 ordinary tokens each.",
        "If each row has coins of its own, how many of the 104 places are asked at least once in 1,000 rows?",
        "D: its three shares are of all 104,000 tokens. Divide those of the first two by 0.15.",
        "B: labels and shares are as they should be. What should stand in the line below the shares?",
    ),
    note="None of the three stops with an error, and the loss would notice neither A nor B.",
)
def diagnosis() -> dict[str, str]:
    """Say what is wrong with each of the collators A to D, in the words of the table."""
    return {"A": "one row", "B": "others", "C": "nothing", "D": "labels"}


diagnosis.mistake(
    "A has 15 labels in each row, as the paper's code would. But that draws other places for each row: in "
    "1,000 rows it would reach all 100.",
    _RIGHT | {"A": "fixed"},
)
diagnosis.mistake(
    "A's shares are fine. But each row has as many labels as the others, and most places never have one.",
    _RIGHT | {"A": "nothing"},
)
diagnosis.mistake(
    "B's labels and shares are fine. But it changes tokens for which it never asks.",
    _RIGHT | {"B": "nothing"},
)
diagnosis.mistake(
    "C's three shares are each within half a point of 80/10/10; 81/10/9 is a whole one away.",
    _RIGHT | {"C": "order"},
)
diagnosis.mistake(
    "C has no fault: each of its numbers is as near to that of `mask_tokens` as chance allows.",
    _RIGHT | {"C": "special"},
)
diagnosis.mistake(
    "D has labels at special tokens, yes. But 15 % of these would be 600, and here it's all of them.",
    _RIGHT | {"D": "special"},
)
diagnosis.mistake(
    "D's three shares are of all tokens, not of the chosen ones: divide by 0.15.",
    _RIGHT | {"D": "order"},
)
diagnosis.mistake(
    "A and B look healthy as long as one counts labels and shares only: read the last three lines.",
    _RIGHT | {"A": "nothing", "B": "nothing"},
)
