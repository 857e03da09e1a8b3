"""The chapter's figures, ready to be looked at: each says in its title what is to be seen, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.chapters.changes import changes
from bertviz_lite.chapters.chapter_08 import boxes, figures, hidden_words
from bertviz_lite.plots import bars
from bertviz_lite.plots.display import Picture, picture

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from torch import Tensor
    from transformers import PreTrainedTokenizerFast

    from bertviz_lite.evaluation.recorded.by_seed import BySeed

__all__ = [
    "bias_by_frequency",
    "head_in_parts",
    "kinds",
    "lens_and_probe",
    "lens_at_every_token",
    "one_table",
    "ranks",
    "seed_by_seed",
    "small_dictionary",
    "tied_or_not",
    "two_gradients",
    "two_ways_to_fill",
    "vector_to_word",
    "writers",
]


def small_dictionary(
    words: Sequence[str], table: npt.ArrayLike, wanted: npt.ArrayLike, names: Sequence[str]
) -> Picture:
    """Show words of two numbers as arrows, and how far each reaches along a vector."""
    best = words[int((np.asarray(table) @ np.asarray(wanted)).argmax())]
    title = f"Along the vector, “{best}” reaches farthest"
    ax = figures.small_dictionary(words, table, wanted, names, title=title)
    return picture(ax, f"Three words and the vector as arrows in a plane. {title}.")


def vector_to_word(
    vector: npt.ArrayLike,
    rephrased: npt.ArrayLike,
    rows: npt.ArrayLike,
    words: Sequence[str],
    scores: npt.ArrayLike,
    of: int,
) -> Picture:
    """Show the whole head; `scores` are each word's dot product, bias and probability."""
    title = "Rephrase, hold against every row, add a bias: “{}” {:.2f}"
    title = title.format(words[0], float(np.asarray(scores)[0, 2]))
    ax = figures.vector_to_word(vector, rephrased, rows, words, scores, of=of, title=title)
    return picture(ax, f"A vector becomes another, which meets {len(words)} of {of:,} rows. {title}.")


def one_table(
    words: Sequence[str],
    ids: Sequence[int],
    rows: npt.ArrayLike,
    rephrased: npt.ArrayLike,
    read: Sequence[int],
    of: int,
) -> Picture:
    """Show the table from both sides; `read` are the ids of the text."""
    title = "One table: each id picks a row, and the head uses all rows"
    ax = figures.one_table(words, ids, rows, rephrased, read=read, of=of, title=title)
    read_here = ", ".join(word for word, number in zip(words, ids, strict=True) if number in read)
    return picture(
        ax,
        f"{title}. Arrows lead from the ids of {read_here} into their rows, from these rows through all "
        "layers to [MASK]'s vector, from it to the table, and out of every row.",
    )


def tied_or_not(found: BySeed) -> Picture:
    """Show what share is right with one table and with two, for words in plain sight and for hidden ones."""
    variants = {"tied": found.beside("untied"), "not tied": "untied"}
    kinds = {"in plain sight": "as it stands", "hidden": "masked"}
    shares = [
        [float(found.values(key, "read", kind, "right").mean()) for kind in kinds.values()]
        for key in variants.values()
    ]
    (tied, tied_hidden), (untied, untied_hidden) = shares
    title = f"In plain sight, tied {tied:.2f} right, not tied {untied:.2f}"
    ax = bars(shares, list(kinds), list(variants), title=title, label="share right, mean of three trainings")
    for note, share in zip(ax.texts, np.asarray(shares).flatten(), strict=True):
        if share in (tied_hidden, untied_hidden):  # two decimals would show twice the difference
            note.set_text(f"{share:.3f}")
    return picture(ax, f"Two pairs of bars, in plain sight and hidden. {title}.")


def lens_at_every_token(logits: Tensor, tokens: Sequence[str], tokenizer: PreTrainedTokenizerFast) -> Picture:
    """Show the likeliest word after each layer; `logits` are (layers + 1, seq_len, vocab_size)."""
    shares, ids = logits.softmax(dim=-1).max(dim=-1)
    words = [tokenizer.convert_ids_to_tokens(row) for row in ids.tolist()]
    place = tokens.index("[MASK]")
    climb = " → ".join(f"“{row[place]}”" for row in words)
    title = f"At [MASK], from the input to the last layer: {climb}"
    ax = boxes.lens_at_every_token(words, shares, tokens, place, title=title)
    high, wide = shares.shape
    return picture(
        ax, f"A table of {high} heights and {wide} tokens, in each cell the likeliest word. {title}."
    )


def kinds(
    shares: Mapping[str, npt.ArrayLike],
    hidden: Mapping[str, hidden_words.Hidden],
    tokenizer: PreTrainedTokenizerFast,
) -> Picture:
    """Show shares right over the layers, a panel a kind, beside always saying the kind's commonest word.

    The word that is commonest in training stories.
    """
    usual = hidden_words.commonest(tokenizer, hidden)
    curves: dict[str, npt.ArrayLike] = {}
    habits: dict[str, tuple[str, float]] = {}
    for kind, those in hidden.items():
        name = f"{kind}: {len(those.answers)} gaps, {len(those.answers.unique())} words"
        always = float((those.answers == usual[kind]).double().mean())
        curves[name] = shares[kind]
        habits[name] = str(tokenizer.convert_ids_to_tokens(usual[kind])), always
    early, late = (float(np.asarray(shares[kind])[-2]) for kind in ("agreement", "mention"))
    before = len(np.asarray(shares["mention"])) - 3
    title = f"After layer {before} agreement is right in {early:.0%}, a mention in {late:.0%}"
    axes = figures.kinds_over_layers(curves, habits, title=title)
    return picture(axes, f"Four panels, one a kind, over the layers, each with a dashed baseline. {title}.")


def head_in_parts(shares: Mapping[str, float]) -> Picture:
    """Show what share is right with each part of the head left out."""
    shown = "the whole head", "without GELU", "without the linear map"
    title = "Right with {}: {:.2f}, {}: {:.2f}, {}: {:.2f}"
    title = title.format(*(word for part in shown for word in (part, shares[part])))
    ax = bars(list(shares.values()), list(shares), title=title, label="share right")
    return picture(ax, f"Bars, from the whole head to none. {title}.")


def ranks(medians: Mapping[str, npt.ArrayLike], of: int) -> Picture:
    """Show middle ranks after each layer, a line a kind."""
    climb = " → ".join(f"{rank:,.0f}" for rank in np.asarray(medians["mention"]))
    title = f"The middle rank of the mentions: {climb}"
    ax = figures.ranks_over_layers(medians, of=of, title=title)
    return picture(ax, f"Four lines, one a kind, climb with every layer. {title}.")


def lens_and_probe(curves: Mapping[str, npt.ArrayLike], of: int) -> Picture:
    """Show shares right by lens, by the lens that must choose, by a probe, and by habit."""
    whole, among, probed, _ = (float(np.asarray(curve)[1]) for curve in curves.values())
    title = (
        f"Pronouns right after layer 0: {whole:.0%} by lens, "
        f"{among:.0%} if it must say a pronoun, {probed:.0%} by probe"
    )
    ax = figures.shares_over_layers(curves, title=title, label=f"share right, of {of} pronouns")
    return picture(ax, f"Four lines over the layers: two lenses, probe, habit. {title}.")


def seed_by_seed(found: BySeed, measures: Mapping[str, tuple[str, ...]]) -> Picture:
    """Show what an untied table changes, a mark for each seed."""
    points = -100 * found.gain("untied", *next(iter(measures.values()))).mean
    title = f"Not tied: {points:.1f} points fewer hidden words right"
    label = "percentage points: not tied minus tied, same seed"
    ax = changes(found, {"untied": "not tied"}, measures, title=title, label=label)
    return picture(ax, f"A mark for each seed, {len(measures)} measures. {title}.")


def two_gradients(lengths: npt.ArrayLike, words: Sequence[str]) -> Picture:
    """Show how long the gradient of each row is by reading and by saying, shape (2, words)."""
    title = "“she” and “he” are moved by being said, “anna” and “hungry” by being read"
    label = "length of the row's gradient, one text"
    numbers = np.asarray(lengths, np.float64)
    ax = bars(numbers, words, ["reading", "saying"], title=title, label=label)
    for note, length in zip(ax.texts, numbers.flatten(), strict=True):
        if length < 0.005:
            note.set_text("0" if length == 0 else "< 0.01")
    return picture(ax, f"Two bars for each of six words, reading and saying. {title}.")


def two_ways_to_fill(
    before: Sequence[str], at_once: Sequence[str], one_by_one: Sequence[str], after: Sequence[str]
) -> Picture:
    """Show gaps between `before` and `after` that are filled in one pass, and one by one, a pass for each."""
    title = "All at once, no gap knows the others' words; one by one, each knows those before it"
    ax = boxes.two_ways_to_fill(before, at_once, one_by_one, after, title=title)
    ways = f"In one pass: {' '.join(at_once)}. In {len(one_by_one)} passes: {' '.join(one_by_one)}."
    return picture(ax, f"Words in boxes, gaps between them. {ways} {title}.")


_WRITERS = {
    "the town": "the town itself",
    "left to right": "left to right",
    "one mask at a time": "BERT, one by one",
    "all masks at once": "BERT, all at once",
}


def writers(runs: Mapping[str, tuple[int, int]], sentences: int) -> Picture:
    """Show what share of each writer's runs of three tokens is known; `runs` are known ones, and all."""
    shares = {key: known / of for key, (known, of) in runs.items()}
    title = "Known runs: the town {:.2f}, BERT one by one {:.2f}, left to right {:.2f}"
    title = title.format(*(shares[key] for key in ("the town", "one mask at a time", "left to right")))
    rows = [f"{name} ({runs[key][1]:,} runs)" for key, name in _WRITERS.items()]
    label = f"share of their runs known, {sentences} sentences"
    ax = bars([shares[key] for key in _WRITERS], rows, title=title, label=label)
    return picture(ax, f"Four bars: the town, left to right, and BERT in two ways. {title}.")


def bias_by_frequency(bias: npt.ArrayLike, count: npt.ArrayLike) -> Picture:
    """Show the middle bias of words that are equally frequent."""
    ax = figures.bias_by_frequency(bias, count)
    return picture(
        ax,
        "A dot with a bar for each of six ranges of frequency; rarer, lower. Hollow dots: where the log of "
        "the frequency would put the bias.",
    )
