"""Five tests of the live model, five seeds after 35 steps: what was right, but not by which rule.

The reader sees the counts without the rules, and says which is whose.
"""

from __future__ import annotations

from bertviz_lite.chapters.chapter_10.live import ten_seeds

__all__ = ["RULES", "SEEDS", "STEP", "counts", "table"]

STEP = 35
"""Of the first test after training began: by then no seed has found the subject."""

SEEDS = {"A": 5, "B": 3, "C": 1, "D": 4, "E": 6}
"""Which of the ten recorded seeds each letter is."""


RULES = {
    "nearest": "the number of the nearest noun",
    "any plural": "any toy plural? say plural",
    "any singular": "any toy singular? say singular",
    "always plural": "",
    "always singular": "",
}
"""The rules that the models follow, one each, and what they say."""


def counts() -> dict[str, list[int]]:
    """Return how many of 50 were right, for each letter, as `Exam.counts` orders them."""
    record = ten_seeds.record()
    test = record["steps"].index(STEP)
    return {letter: record["right"][seed][test] for letter, seed in SEEDS.items()}


def table() -> str:
    """Write the counts in a table, a letter a line, with the sum of the four; below it, the rules."""
    lines = [
        "right, of 50  direct, with the subject       across, with a toy between         right",
        "             plural         singular         singular           plural     of all 200",
    ]
    for letter, right in counts().items():
        cells = "".join(f"{count:>{width}}" for count, width in zip(right, (18, 17, 17, 17), strict=True))
        lines.append(f"{letter}{cells}{sum(right):15}")
    lines += ["", "the rules, one each:"]
    quoted = {f'"{rule}"': words for rule, words in RULES.items()}
    lines += [f"    {rule:19}{words}".rstrip() for rule, words in quoted.items()]
    return "\n".join(lines)
