"""Four kinds of coins by which small BERTs were trained, and what these models name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from bertviz_lite.evaluation.recorded.by_seed import BySeed

__all__ = ["COINS", "sense_table", "share_named", "task_table"]

COINS = {
    "80/10/10": "as in BERT",
    "100/0/0": "only hides",
    "80/0/20": "none random",
    "80/20/0": "none stays",
}
"""The shares of [MASK], random tokens and those that stay, and what is special about them."""

_ASKED = {"hidden": "masked", "in plain sight": "as it stands", "behind a random token": "replaced"}

_RECORDED_AS = {
    "feelings, fine-tuned": "feelings",
    "names, fine-tuned": "names",
    "names, frozen": "names, vectors as they are",
}


def share_named(by_seed: BySeed) -> dict[str, dict[str, npt.NDArray[np.float64]]]:
    """Return, for each question and each of `COINS`, the shares of tokens that are named right, by seed."""
    return {
        question: {name: by_seed.values(name, "read", kind, "right") for name in COINS}
        for question, kind in _ASKED.items()
    }


def task_table(by_seed: BySeed) -> str:
    """Write what the models score on three tasks, in percent, a number for each seed."""
    tasks = ("feelings, fine-tuned", "names, fine-tuned", "names, frozen")
    lines = [f"{'':10}" + "".join(f"{task:24}" for task in tasks)]
    for name in COINS:
        row = (100 * by_seed.values(name, "tasks", _RECORDED_AS.get(task, task), "score") for task in tasks)
        written = ("  ".join(f"{score:.1f}" for score in scores) for scores in row)
        lines.append(f"{name:10}" + "".join(f"{scores:24}" for scores in written))
    return "\n".join(lines)


def sense_table(by_seed: BySeed) -> str:
    """Write what share of words with two senses a probe tells apart at each height, means of the seeds."""
    lines = [f"{'sense after':12}" + "".join(f"{name:>10}" for name in COINS)]
    for height, name in enumerate(("input", "layer 0", "layer 1", "layer 2", "layer 3")):
        means = (by_seed.values(way, "senses by layer", height).mean() for way in COINS)
        lines.append(f"{name:12}" + "".join(f"{share:10.2f}" for share in means))
    return "\n".join(lines)
