"""A batch drawn: what of each text the model reads, what is padding, and what has been cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import CYCLE, INK, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from transformers import PreTrainedTokenizerBase

__all__ = ["draw_batch"]

_LETTERS = 22
"""So many of a text's letters stand beside its row."""
_TALL = 0.55


def draw_batch(tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], *, title: str) -> Axes:
    """Draw a row of places for each text of a batch that is padded and truncated.

    Parameters
    ----------
    tokenizer
        It says where texts are cut off, by its `model_max_length`, and which tokens are gaps.
    texts
        The texts, of which at least one is no longer than that.
    title
        The finding, in a sentence.

    Returns
    -------
    Axes
        In each row the tokens, the padding, what is cut off, and a mark for each gap; in a row that is cut,
        [SEP] at the last place that is left.
    """
    whole = [tokenizer(text, truncation=False, verbose=False)["input_ids"] for text in texts]
    longest = max(map(len, whole))
    width = min(tokenizer.model_max_length, longest)
    with style():
        _, ax = plt.subplots(figsize=(9.6, 0.62 * len(texts) + 1.5))
        for row, ids in enumerate(whole):
            kept = min(len(ids), width)
            gaps = [place for place, number in enumerate(ids) if number == tokenizer.mask_token_id]
            # the last place of a text that is cut is [SEP]'s, whatever stood there
            read = [place for place in gaps if place < kept - 1]
            lost = [place for place in gaps if place not in read]
            ax.barh(row, kept, _TALL, color=CYCLE[0], alpha=0.35, label="tokens")
            ax.barh(row, width - kept, _TALL, kept, color="0.9", label="padding")
            ax.barh(
                row, len(ids) - kept, _TALL, kept, facecolor="white", edgecolor="0.55", hatch="///",
                linewidth=0, label="cut off",
            )  # fmt: skip
            for places, face, name in ((read, CYCLE[1], "gap, read"), (lost, "white", "gap, lost")):
                for place in places:
                    ax.barh(row, 2, _TALL + 0.2, place - 0.5, facecolor=face, edgecolor=CYCLE[1], label=name)
            if kept < len(ids):
                ax.barh(row, 1.4, _TALL, kept - 1.4, color=INK, label="[SEP], kept")
        ax.axvline(width, color=INK, linewidth=1.5, linestyle=":")
        lettering.write_ticks(ax.yaxis, range(len(texts)), [*map(_short, texts)])
        ax.invert_yaxis()
        ax.set(xlabel="place", xlim=(0, longest + 2))
        ax.set_xticks([0, width, longest])
        ax.tick_params(axis="y", length=0)
        # a name once, however many rows have it
        found = dict(zip(*ax.get_legend_handles_labels()[::-1], strict=True))
        lettering.legend(ax, handles=[*found.values()], labels=[*found])
        lettering.entitle(ax, title)
    return ax


def _short(text: str) -> str:
    """Leave out the middle of a long text."""
    return text if len(text) <= _LETTERS else f"{text[:15].rstrip()} … {text[-7:].lstrip()}"
