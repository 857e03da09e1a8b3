"""The time-lapse in words: which moment it is, what can be seen there, tables of the whole run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.basics.text import clip, readable
from bertviz_lite.views.base.static import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bertviz_lite.views.time_lapse.ability import Ability
    from bertviz_lite.views.time_lapse.moment import Moment
    from bertviz_lite.views.time_lapse.training_run import TrainingRun

__all__ = ["LOSSES", "alt_text", "count", "loss_table", "score_table", "since", "when"]

LOSSES = (("mlm_loss", "loss: masked words"), ("nsp_loss", "loss: next sentence"))
_IN_ALT = 3


def count(number: int) -> str:
    """Write a large count in words: three digits that matter.

    >>> count(5_790_267)
    '5.79 million'
    """
    for unit, name in ((10**9, "billion"), (10**6, "million")):
        if number >= unit:
            return f"{float(f'{number / unit:.3g}'):g} {name}"
    return f"{number:,}"


def when(moment: Moment) -> str:
    """Say which moment is shown: "Step 1,124 of 13,500, 5.79 million tokens read"."""
    entry = moment.entry
    read = "" if entry["tokens"] is None else f", {count(entry['tokens'])} tokens read"
    return f"Step {entry['step']:,} of {moment.run.steps[-1]:,}{read}"


def since(run: TrainingRun, ability: Ability) -> str:
    """Say between which steps an ability appeared."""
    if ability.first is None:
        return ability.absence
    until = f"{run.steps[ability.first]:,}"
    return f"at {until}" if ability.below is None else f"{run.steps[ability.below]:,} – {until}"


def alt_text(moment: Moment) -> str:
    """Say what is to be seen at a moment."""
    losses = moment.run.losses_at(moment.index)
    parts = [f"{when(moment)}."]
    if losses is not None:
        shown = ", ".join(f"{title.removeprefix('loss: ')} {losses[name]:.2f}" for name, title in LOSSES)
        parts.append(f"Losses: {shown}.")
    there = [ability for ability in moment.abilities if moment.is_there(ability)]
    share = f"{100 * moment.threshold:.0f} %"
    parts.append(
        f"{len(there)} of {len(moment.abilities)} abilities have made {share} of their way"
        + (": " if there else ".")
        + "; ".join(f"{readable(ability.title)} ({since(moment.run, ability)})" for ability in there)
        + ("." if there else "")
    )
    for ability, head in moment.best_heads.items():
        parts.append(f"Best at “{readable(ability.title)}”: {_pair(head)}.")
    weights = moment.weights[moment.layer, moment.head]
    tokens = moment.tokens
    largest = np.argsort(-weights, axis=None, kind="stable")[:_IN_ALT].tolist()
    pairs = "; ".join(
        f"{readable(clip(tokens[query]))} → {readable(clip(tokens[key]))} {weights[query, key]:.2f}"
        for query, key in (divmod(index, len(tokens)) for index in largest)
    )
    run = moment.run
    parts.append(
        f"Attention maps of {run.num_layers} layers of {run.num_heads} heads for "
        f"“{readable(clip(run.texts[moment.text], 200))}”; the largest weights of layer {moment.layer}, "
        f"head {moment.head}: {pairs}."
    )
    return " ".join(parts)


def score_table(moment: Moment) -> Table:
    """Return every score at every moment."""
    rows = [
        [
            readable(ability.title),
            *("–" if value is None else f"{value:.4f}" for value in ability.values),
            "–" if ability.level is None else f"{ability.level:.4f}",
            ability.absence if ability.first is None else f"{moment.run.steps[ability.first]:,}",
        ]
        for ability in moment.abilities
    ]
    columns = ("score", *(f"step {step:,}" for step in moment.run.steps), "there at", "from step")
    return Table("Every score at every moment", columns, rows)


def loss_table(run: TrainingRun) -> Table:
    """Return the losses and the best heads at every moment."""
    rows = []
    for index, entry in enumerate(run.moments):
        losses = run.losses_at(index)
        shown = ["–" if losses is None else f"{losses[name]:.3f}" for name, _ in LOSSES]
        read = "–" if entry["tokens"] is None else f"{entry['tokens']:,}"
        heads = [_pair(entry["heads"].get(name)) for name in ("subject", "person")]
        rows.append([f"{entry['step']:,}", read, *shown, *heads])
    columns = (
        "step", "tokens read", *(title for _, title in LOSSES), "best head: verb → subject",
        "best head: pronoun → person",
    )  # fmt: skip
    return Table("Losses and best heads at every moment", columns, rows)


def _pair(head: Sequence[int] | None) -> str:
    return "–" if head is None else f"layer {head[0]}, head {head[1]}"
