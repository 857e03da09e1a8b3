"""The chapter's figures, ready to be looked at: each says in its title what is to be seen, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.text import Annotation

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
    "lens_by_clue",
    "near_misses",
    "one_table",
    "small_dictionary",
    "tied_or_not",
    "two_gradients",
    "two_ways_to_fill",
    "vector_to_word",
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
    """Show the likeliest word after each layer, and frame each that isn't the word in plain sight there.

    `logits` are (layers + 1, seq_len, vocab_size).
    """
    shares, ids = logits.softmax(dim=-1).max(dim=-1)
    words = [tokenizer.convert_ids_to_tokens(row) for row in ids.tolist()]
    place = tokens.index("[MASK]")
    climb = " → ".join(f"“{row[place]}”" for row in words)
    seen = [number for number, token in enumerate(tokens) if token not in tokenizer.all_special_tokens]
    framed = [(row, at) for row, line in enumerate(words) for at in seen if line[at] != tokens[at]]
    last = sum(row == len(words) - 1 for row, _ in framed)
    title = f"Framed: a word in plain sight isn't named. After layer {len(words) - 2}, "
    title += f"{last or 'none'} {'is' if last < 2 else 'are'} framed"
    ax = boxes.lens_at_every_token(words, shares, tokens, framed, title=title)
    high, wide = shares.shape
    return picture(
        ax,
        f"A table of {high} heights and {wide} tokens, in each cell the likeliest word. {title}. "
        f"At [MASK], from the input to the last layer: {climb}.",
    )


def lens_by_clue(firsts: Mapping[str, Sequence[tuple[str, float]]], right: Mapping[str, str]) -> Picture:
    """Show the likeliest word at one gap after each layer, a row for each clue.

    `firsts` are by clue (the word, its probability) from the input up; `right` is each clue's right word.
    """
    parts = []
    for clue, words in firsts.items():
        wrong = [place for place, (word, _) in enumerate(words) if word != right[clue]]
        since = wrong[-1] + 1 if wrong else 0
        where = f"from layer {since - 1} on" if since else "from the input on"
        parts.append(f"with {clue} “{right[clue]}” {where if since < len(words) else 'never'}")
    title = f"First: {', '.join(parts)}"
    ax = boxes.lens_by_clue(firsts, right, title=title)
    climbs = (
        f"{clue}: " + " → ".join(f"“{word}” {share:.2f}" for word, share in words)
        for clue, words in firsts.items()
    )
    return picture(ax, f"Two rows of boxes, from the input to the last layer. {'. '.join(climbs)}.")


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
    """Show what share is right with each part of the head left out; "always …" is a line to compare with."""
    drawn = {part: share for part, share in shares.items() if not part.startswith("always")}
    lines = {part: share for part, share in shares.items() if part not in drawn}
    whole, gelu, dense = (shares[p] for p in ("the whole head", "without GELU", "without the linear map"))
    numbers = f"Without GELU {gelu:.2f} are right, without the linear map {dense:.2f}"
    plain = gelu > whole - 0.01 and dense < max(lines.values())
    title = "GELU can be spared, the linear map can't" if plain else numbers
    ax = bars(list(drawn.values()), list(drawn), title=title, label="share right", reference=lines)
    for note in ax.texts:
        if isinstance(note, Annotation) and note.xy[0] < (line := max(lines.values())):
            note.xy = line, note.xy[1]  # beyond the dashed line, which would cross it
    beside = ", ".join(f"dashed: {part}, {share:.2f}" for part, share in lines.items())
    return picture(ax, f"Bars, from the whole head, {whole:.2f}, to none; {beside}. {numbers}.")


def near_misses(counts: Mapping[str, Mapping[str, int]], always: Mapping[str, tuple[str, int]]) -> Picture:
    """Show how near guesses are, a stacked bar a row; the first two of the four parts are right or nearly.

    `always` is by row: a word, and how many would be right or nearly if it were said every time.
    """
    near = {row: sum(list(parts.values())[:2]) for row, parts in counts.items()}
    last = list(counts)[-1].partition(", ")[2]
    named = {row: row.partition(", ")[0] for row in counts if row.endswith(last)}
    found = " and ".join(f"{near[row]} of {sum(counts[row].values())} {name}" for row, name in named.items())
    title = f"{last.capitalize()}, {found} are right or nearly"
    ax = figures.near_misses(counts, near, always, title=title)
    said = "; ".join(
        f"{row}: {times} of {sum(counts[row].values())} (always “{always[row][0]}”: {always[row][1]})"
        for row, times in near.items()
    )
    return picture(ax, f"Stacked bars. Right or nearly: {said}.")


def lens_and_probe(curves: Mapping[str, npt.ArrayLike], of: int) -> Picture:
    """Show shares right by lens, by the lens that must choose, by a probe, and by habit."""
    whole, among, probed, _ = (float(np.asarray(curve)[1]) for curve in curves.values())
    title = (
        f"Pronouns right after layer 0: {whole:.0%} by lens, "
        f"{among:.0%} if it must say a pronoun, {probed:.0%} by probe"
    )
    ax = figures.shares_over_layers(curves, title=title, label=f"share right, of {of} pronouns")
    return picture(ax, f"Four lines over the layers: two lenses, probe, habit. {title}.")


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


def bias_by_frequency(bias: npt.ArrayLike, count: npt.ArrayLike) -> Picture:
    """Show the middle bias of words that are equally frequent."""
    ax = figures.bias_by_frequency(bias, count)
    return picture(
        ax,
        "A dot with a bar for each of six ranges of frequency; rarer, lower. Hollow dots: where the log of "
        "the frequency would put the bias.",
    )
