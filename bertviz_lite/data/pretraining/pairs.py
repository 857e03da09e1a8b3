"""Inputs for next-sentence prediction: stories cut in two, half of them with another story's second part.

A mix may also have pairs whose parts change places, and may give the people of another story's second part
the names of those in the first part.

A pass over a ``Corpus`` cuts every story anew and pairs it anew, so that no input is seen twice. Everything
is a pure function of the random source: a run that was stopped goes on with exactly the input it would have
seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.pretraining.names import (
    Name,
    NameGroups,
    name_groups,
    same_but_for_names,
    with_names_of,
)
from bertviz_lite.data.vocabulary import MAX_LENGTH

if TYPE_CHECKING:
    from bertviz_lite.data.pretraining.corpus import Corpus

Array = NDArray[np.int64]


@dataclass(frozen=True)
class PairBlock:
    """Inputs as ranges of sentences; arrays of shape (inputs,).

    Input i is ``[CLS] sentences a_first … a_last-1 [SEP] sentences b_first … b_last-1 [SEP]``; without a
    second part (``b_first == b_last``) it is ``[CLS] … [SEP]`` and its label is -100.

    Attributes
    ----------
    a_first, a_last, b_first, b_last
        Sentence numbers in the corpus.
    labels
        0 where the second part continues the first, 1 where it is of another story or comes before the first,
        -100 for a single part.
    lengths
        Positions, special tokens included.
    renamed
        Whether the names in the second part are replaced by names of the first part (``names``).
    """

    a_first: Array
    a_last: Array
    b_first: Array
    b_last: Array
    labels: Array
    lengths: Array
    renamed: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, order: Array) -> PairBlock:
        """Return the inputs ``order``, in this order."""
        return PairBlock(**{name: values[order] for name, values in vars(self).items()})


@dataclass(frozen=True)
class Mix:
    """What share of the inputs is what; the rest are whole stories, cut in two.

    Attributes
    ----------
    single
        Whole stories in one part.
    short_pair
        Two to four neighbouring sentences, cut in two.
    short_single
        One or two sentences in one part.
    fewest
        Sentences that a cut leaves in either part, where the story has twice as many.
    other
        Share of the pairs, not of the inputs, that get another story's second part.
    swapped
        Share of the pairs whose two parts change places; with ``other`` it should add up to a half.
    renamed
        Share of the pairs with another story's second part in which its names become those of the first part.
    names
        Ids of names in groups, such as women's and men's: a name is replaced by one of its own group.
    most_single
        Sentences of a short single part at most.
    spread
        An input that is shorter than this share of the median length is put into any step; the others are put
        together with inputs of their length. With many short stories a smaller share wastes less padding;
        with infinity, all lengths are mixed.
    """

    single: float = 0.20
    short_pair: float = 0.08
    short_single: float = 0.04
    fewest: int = 1
    other: float = 0.5
    swapped: float = 0.0
    renamed: float = 0.0
    names: tuple[tuple[Name, ...], ...] = ()
    most_single: int = 2
    spread: float = 0.6

    def __post_init__(self) -> None:
        for name in ("single", "short_pair", "short_single", "other", "swapped", "renamed"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name}={getattr(self, name)}: a share from 0 to 1 is needed")
        if not self.spread >= 0:
            raise ValueError(f"spread={self.spread}: 0 or more is needed")
        if self.single + self.short_pair + self.short_single > 1:
            raise ValueError("single, short_pair and short_single add up to more than 1: lower one of them")
        if self.other + self.swapped > 1:
            raise ValueError("other and swapped add up to more than 1: lower one of them")
        if min(self.fewest, self.most_single) < 1:
            raise ValueError(
                f"fewest={self.fewest}, most_single={self.most_single}: at least 1 of each is needed"
            )
        if self.renamed and not self.names:
            raise ValueError(f"renamed={self.renamed}: names are needed, as name_ids(tokenizer) returns them")


def pair_block(
    corpus: Corpus,
    chosen: Array,
    rng: np.random.Generator,
    mix: Mix | None = None,
    max_length: int = MAX_LENGTH,
) -> PairBlock:
    """Cut each of the stories ``chosen`` (all different) into one input.

    Half of the pairs (``mix.other``), and no single part, get the second part of another story. For that,
    second parts of equal length change places two by two, so lengths say nothing about the label: the first
    parts, the second parts and their sums are distributed alike for both. Two that read the same are left
    where they are, being true.

    In some of these false pairs the names are to be replaced (``mix.renamed``). In some of the true ones that
    are left the parts change places (``mix.swapped``).

    Parameters
    ----------
    corpus
        The stories.
    chosen
        Story numbers.
    rng
        Source of all choices.
    mix
        Shares of the kinds of inputs.
    max_length
        Positions at most; a longer story loses whole sentences at its start or end.
    """
    mix = mix or Mix()
    starts = corpus.sentence_starts
    count = len(chosen)
    kind = rng.random(count)
    single = kind < mix.single
    short_pair = (kind >= mix.single) & (kind < mix.single + mix.short_pair)
    short_single = (kind >= mix.single + mix.short_pair) & (
        kind < mix.single + mix.short_pair + mix.short_single
    )
    short = short_pair | short_single
    budget = max_length - 3

    # The window: the longest one that fits, from a random sentence out of those from which it reaches the
    # end.
    story_first, story_end = corpus.story_starts[chosen], corpus.story_starts[chosen + 1]
    last_first = np.searchsorted(starts, starts[story_end] - budget, side="left")
    last_first = np.clip(last_first, story_first, story_end - 1)
    first = story_first + (rng.random(count) * (last_first - story_first + 1)).astype(np.int64)
    wanted = np.where(short_pair, rng.integers(2, 5, count), rng.integers(1, mix.most_single + 1, count))
    wanted = np.minimum(wanted, story_end - story_first)
    short_start = story_first + (rng.random(count) * (story_end - story_first - wanted + 1)).astype(np.int64)
    first = np.where(short, short_start, first)
    end = np.minimum(np.where(short, first + wanted, story_end), _last_fitting(starts, first, budget))

    # The cut: after any sentence that leaves enough of them. A window of one sentence cannot be cut.
    pair = ~(single | short_single) & (end - first >= 2)
    fewest = np.where(end - first >= 2 * mix.fewest, mix.fewest, 1)
    places = np.maximum(end - first - 2 * fewest + 1, 1)
    cut = first + fewest + (rng.random(count) * places).astype(np.int64)
    cut = np.where(pair, cut, end)
    b_first, b_end = cut.copy(), end.copy()
    labels = np.where(pair, 0, IGNORED)

    a_length, b_length = starts[cut] - starts[first], starts[end] - starts[cut]
    for left, right in _partners(b_length, pair, mix.other, rng):
        too_long = max(a_length[left] + b_length[right], a_length[right] + b_length[left]) > budget
        if too_long or np.array_equal(
            corpus.token_ids(cut[left], end[left]), corpus.token_ids(cut[right], end[right])
        ):
            continue
        b_first[left], b_end[left], b_first[right], b_end[right] = (
            cut[right],
            end[right],
            cut[left],
            end[left],
        )
        labels[left] = labels[right] = 1
    lengths = a_length + starts[b_end] - starts[b_first] + 2 + pair
    renamed = (
        _renamed(corpus, (first, cut, end), (b_first, b_end), mix, rng)
        if mix.renamed
        else np.zeros(count, np.bool_)
    )
    block = PairBlock(first, cut, b_first, b_end, labels, lengths, renamed)
    return _swapped(block, int(mix.swapped * pair.sum()), rng) if mix.swapped else block


def _renamed(
    corpus: Corpus,
    own: tuple[Array, Array, Array],
    second: tuple[Array, Array],
    mix: Mix,
    rng: np.random.Generator,
) -> NDArray[np.bool_]:
    """Draw a share of the false pairs, but for those that would become true with other names."""
    (_, cut, end), (b_first, b_end) = own, second
    false = np.flatnonzero(b_first != cut)
    renamed = np.zeros(len(cut), np.bool_)
    groups = name_groups(mix.names)
    for row in rng.permutation(false)[: int(mix.renamed * len(false))]:
        true = corpus.token_ids(cut[row], end[row])
        other = corpus.token_ids(b_first[row], b_end[row])
        renamed[row] = not same_but_for_names(true, other, groups)
    return renamed


def _swapped(block: PairBlock, count: int, rng: np.random.Generator) -> PairBlock:
    """Let the two parts of some true pairs change places."""
    rows = rng.permutation(np.flatnonzero(block.labels == 0))[:count]
    changed = {name: values.copy() for name, values in vars(block).items()}
    for one, other in (("a_first", "b_first"), ("a_last", "b_last")):
        changed[one][rows], changed[other][rows] = getattr(block, other)[rows], getattr(block, one)[rows]
    changed["labels"][rows] = 1
    return PairBlock(**changed)


def parts(
    corpus: Corpus, block: PairBlock, row: int, groups: NameGroups | None = None
) -> tuple[NDArray[np.integer[Any]], NDArray[np.integer[Any]]]:
    """Return the ids of the two parts of an input; the second is empty where there is none.

    ``groups`` are those of the mix's names (``names.name_groups``), needed where a row is renamed.
    """
    first = corpus.token_ids(block.a_first[row], block.a_last[row])
    second = corpus.token_ids(block.b_first[row], block.b_last[row])
    if block.renamed[row]:
        assert groups is not None
        return first, with_names_of(first, second, groups)
    return first, second


def _last_fitting(starts: Array, first: Array, budget: int) -> Array:
    """Return the end of the longest window from ``first``; a sentence that is longer is an error."""
    end = np.searchsorted(starts, starts[first] + budget, side="right") - 1
    if (end <= first).any():
        raise ValueError(
            f"a sentence of more than {budget} tokens does not fit: shorten it, or raise max_length"
        )
    return end


def _partners(
    b_length: Array, pair: NDArray[np.bool_], share: float, rng: np.random.Generator
) -> list[tuple[int, int]]:
    """Draw a share of the pairs and match each with one whose second part is as long."""
    candidates = np.flatnonzero(pair)
    drawn = rng.permutation(candidates)[: int(share * len(candidates)) // 2 * 2]
    ordered = drawn[np.lexsort((rng.random(len(drawn)), b_length[drawn]))]
    matched = ordered.reshape(-1, 2)
    return [(int(left), int(right)) for left, right in matched]
