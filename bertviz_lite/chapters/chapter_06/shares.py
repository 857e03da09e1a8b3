"""How many tokens a masking has chosen and what became of them, held against what is expected."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.evaluation.intervals import binomial_interval

KINDS = ("[MASK]", "random", "stays")
"""What a chosen token may become."""


def tally(input_ids: Tensor, masked: Tensor, labels: Tensor, mask_id: int) -> dict[str, int]:
    """Count the chosen tokens by what the model reads there.

    A random token that happens to be the original one counts under "stays": nobody can tell them apart.

    Parameters
    ----------
    input_ids, masked, labels
        The original ids, what the model reads, and the labels with -100; of one shape.
    mask_id
        The id of [MASK].

    Returns
    -------
    dict
        One count for each of ``KINDS``.
    """
    chosen = labels != IGNORED
    reads, original = masked[chosen], input_ids[chosen]
    hidden, same = reads == mask_id, reads == original
    counts = (hidden, ~hidden & ~same, ~hidden & same)
    return {kind: int(places.sum()) for kind, places in zip(KINDS, counts, strict=True)}


def share_lines(counts: Mapping[str, int], expected: Sequence[float] = (0.8, 0.1, 0.1)) -> str:
    """Say for each kind its share, its count, and whether that lies in the range of 95 of 100 counts."""
    total = sum(counts[kind] for kind in KINDS)
    lines = []
    for kind, share in zip(KINDS, expected, strict=True):
        low, high = binomial_interval(total, share)
        verdict = "inside" if low <= counts[kind] <= high else "OUTSIDE"
        count = f"{counts[kind]:6,} of {total:,}"
        lines.append(f"{kind:7} {counts[kind] / total:7.2%} {count}, {verdict} {low:,} to {high:,}")
    return "\n".join(lines)


def choose_capped(
    ordinary: Tensor, lengths: Tensor, generator: torch.Generator, rate: float = 0.15, most: int = 20
) -> Tensor:
    """Choose tokens as the code of the BERT paper does: in each row a fixed count.

    Parameters
    ----------
    ordinary
        Boolean, (batch, seq_len): True where a token may be chosen; each row has one or more.
    lengths
        Whole numbers, (batch,): the tokens of each row, [CLS] and [SEP] included, [PAD] not.
    generator
        The source of randomness.
    rate, most
        The count is `rate` times the length, rounded, at least 1 and at most `most`.

    Returns
    -------
    Tensor
        Boolean, (batch, seq_len): True where a token is chosen.
    """
    chosen = torch.zeros_like(ordinary)
    for row, allowed in enumerate(ordinary):
        places = allowed.nonzero().flatten()
        count = min(most, max(1, round(rate * int(lengths[row]))))
        chosen[row, places[torch.randperm(len(places), generator=generator)[:count]]] = True
    return chosen
