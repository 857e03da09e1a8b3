"""Whole inputs into rows: first fit, in random order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.names import NameGroups
from bertviz_lite.data.pretraining.pairs import PairBlock, parts
from bertviz_lite.data.vocabulary import MAX_LENGTH

MOST_PAIRS = 9
"""Pairs of a row, on average, that a step has room for; a row holds some four inputs."""


class Ends(NamedTuple):
    """The ids of [CLS] and [SEP]."""

    cls: int
    sep: int


class Steps(NamedTuple):
    """The inputs of some steps.

    Attributes
    ----------
    rows
        int16, shape (steps, 4, rows, 128): ids, positions within the input, segments, and the number of the
        input within its row, from 1; 0 where nothing stands.
    places, labels
        Shape (steps, rows x MOST_PAIRS): where a pair's [CLS] stands in the flattened rows, and whether its
        second part continues the first (0) or not (1); label -100 where there is no pair.
    inputs, tokens
        How many of them there are.
    """

    rows: NDArray[np.int16]
    places: NDArray[np.int32]
    labels: NDArray[np.int64]
    inputs: int
    tokens: int


def fitted(lengths: NDArray[np.int64], order: NDArray[np.int64], length: int = MAX_LENGTH) -> list[list[int]]:
    """Put inputs into rows, each into the row with the least room in which it fits.

    Parameters
    ----------
    lengths
        Positions of each input, at most ``length``.
    order
        The inputs in the order in which they are put.
    length
        Positions of a row.
    """
    rows: list[list[int]] = []
    with_room: list[list[int]] = [[] for _ in range(length + 1)]
    for each in order.tolist():
        needed = int(lengths[each])
        room = next((room for room in range(needed, length + 1) if with_room[room]), None)
        if room is None:
            rows.append([each])
            with_room[length - needed].append(len(rows) - 1)
        else:
            row = with_room[room].pop()
            rows[row].append(each)
            with_room[room - needed].append(row)
    return rows


def packed(
    corpus: Corpus,
    block: PairBlock,
    groups: NameGroups,
    ends: Ends,
    rows_a_step: int,
    rng: np.random.Generator,
) -> Steps:
    """Pack the inputs of a block; those that would fill less than a step are left out, the emptiest first."""
    rows = fitted(block.lengths, rng.permutation(len(block)))
    rows.sort(key=lambda row: -int(block.lengths[row].sum()))
    steps = len(rows) // rows_a_step
    chosen = [rows[number] for number in rng.permutation(steps * rows_a_step)]
    filled = np.zeros((steps, 4, rows_a_step, MAX_LENGTH), np.int16)
    places = np.zeros((steps, rows_a_step * MOST_PAIRS), np.int32)
    labels = np.full((steps, rows_a_step * MOST_PAIRS), IGNORED, np.int64)
    positions = np.arange(MAX_LENGTH, dtype=np.int16)
    inputs = tokens = 0
    for step in range(steps):
        pairs = 0
        for row in range(rows_a_step):
            start = 0
            for number, each in enumerate(chosen[step * rows_a_step + row], start=1):
                first, second = parts(corpus, block, each, groups)
                ids = [ends.cls, *first.tolist(), ends.sep]
                segment = len(ids)
                if len(second):
                    ids += [*second.tolist(), ends.sep]
                stop = start + len(ids)
                filled[step, 0, row, start:stop] = ids
                filled[step, 1, row, start:stop] = positions[: len(ids)]
                filled[step, 2, row, start + segment : stop] = 1
                filled[step, 3, row, start:stop] = number
                if block.labels[each] != IGNORED and pairs < places.shape[1]:
                    places[step, pairs], labels[step, pairs] = row * MAX_LENGTH + start, block.labels[each]
                    pairs += 1
                start, inputs = stop, inputs + 1
            tokens += start
    return Steps(filled, places, labels, inputs, tokens)
