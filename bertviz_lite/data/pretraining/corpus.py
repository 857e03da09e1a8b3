"""Training text: all stories of a run as ids in memory.

The stories are written once (``shards``) and kept as 16-bit ids. ``pairs`` cuts them into inputs.

Left out on purpose: anything that looks at the gold marks, but for where words end, if a recipe wants that
(``continues``): to mask whole words of Chinese, which are not marked in the text. The model learns from plain
text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.basics.files import write_text
from bertviz_lite.data.pretraining.forbidden import PIECES, TrainingTown
from bertviz_lite.data.pretraining.shards import (
    SHARD_STORIES,
    Shard,
    ShardJob,
    read_shard,
    town_fingerprint,
    write_shards,
)

Array = NDArray[np.int64]


class Corpus:
    """All stories of a run, as ids in memory (2 bytes a token).

    Attributes
    ----------
    ids
        uint16, all tokens.
    sentence_starts
        int64, shape (sentences + 1,): where each sentence starts in ``ids``.
    story_starts
        int64, shape (stories + 1,): the first sentence of each story.
    fingerprints
        uint64, shape (stories,).
    left_out
        int, stories with a forbidden sentence in whose places these stories are.
    left_out_before
        uint16, shape (stories,): how many of them just before each story.
    continues
        bool, as long as ``ids``: whether a token goes on with the word of the token before; None where the
        shards do not say it.
    """

    def __init__(self, shards: Sequence[Shard]) -> None:
        if not shards:
            raise ValueError("a corpus needs at least one shard")
        self.ids = np.concatenate([shard.ids for shard in shards])
        self.sentence_starts = _starts([shard.sentence_lengths for shard in shards])
        self.story_starts = _starts([shard.story_lengths for shard in shards])
        self.fingerprints = np.concatenate([shard.fingerprints for shard in shards])
        marks = [shard.continues for shard in shards if shard.continues is not None]
        self.continues = np.concatenate(marks) if len(marks) == len(shards) else None
        self.left_out_before = np.concatenate(
            [
                np.zeros(len(shard.story_lengths), np.uint16) if shard.left_out is None else shard.left_out
                for shard in shards
            ]
        )

    def __len__(self) -> int:
        return len(self.story_starts) - 1

    @property
    def left_out(self) -> int:  # noqa: D102 - see Attributes
        return int(self.left_out_before.sum())

    @classmethod
    def prepare(
        cls,
        folder: Path,
        tokenizer_folder: Path,
        seed: int,
        count: int,
        processes: int,
        progress: bool = True,
        *,
        town: TrainingTown | None = None,
    ) -> Corpus:
        """Write the shards that are missing and read all of them.

        Parameters
        ----------
        folder
            Folder of the shards; made when missing.
        tokenizer_folder
            A saved tokenizer.
        seed
            The run's seed.
        count
            Number of stories.
        processes
            Number of processes that write.
        progress
            Show a progress bar.
        town
            Which town's stories, and what they may not hold; the course's, whatever they hold, when not
            given.

        Raises
        ------
        ValueError
            Where the folder holds shards of another town, seed or vocabulary, or with other sentences
            forbidden.
        """
        town = town or TrainingTown()
        folder.mkdir(parents=True, exist_ok=True)
        vocabulary = (tokenizer_folder / "vocab.txt").read_bytes()
        size = min(SHARD_STORIES, count)
        recipe = {
            "seed": seed,
            "shard_stories": size,
            "town": town_fingerprint(town.name),
            "vocabulary": hashlib.sha256(vocabulary).hexdigest()[:16],
        }
        if town.forbidden:
            recipe["forbidden"] = town.forbidden.digest
        if town.boundaries != PIECES:
            recipe["boundaries"] = town.boundaries
        if town.by_hand:
            recipe["by_hand"] = town.by_hand.digest
        note = folder / "corpus.json"
        if note.exists() and json.loads(note.read_text(encoding="utf-8")) != recipe:
            raise ValueError(
                f"{folder} holds stories of another town, seed, size or vocabulary, or written with another "
                "--exam, --by-hand or none: remove it, or give another --output"
            )
        write_text(note, json.dumps(recipe, indent=1) + "\n")
        paths = [folder / f"shard-{shard:05d}.npz" for shard in range(-(-count // size))]
        jobs = [
            ShardJob(str(path), str(tokenizer_folder / "tokenizer.json"), seed, shard, size, town)
            for shard, path in enumerate(paths)
            if not path.exists()
        ]
        write_shards(jobs, processes, progress)
        return cls([read_shard(path) for path in paths]).first(count)

    def first(self, count: int) -> Corpus:
        """Return the corpus of the first ``count`` stories (views, not copies)."""
        short = object.__new__(Corpus)
        short.story_starts = self.story_starts[: count + 1]
        short.sentence_starts = self.sentence_starts[: short.story_starts[-1] + 1]
        short.ids = self.ids[: short.sentence_starts[-1]]
        short.fingerprints = self.fingerprints[:count]
        short.left_out_before = self.left_out_before[:count]
        short.continues = None if self.continues is None else self.continues[: len(short.ids)]
        return short

    def token_ids(self, first_sentence: int, last_sentence: int) -> NDArray[np.uint16]:
        """Return the ids of some sentences, numbered over all stories; ``last_sentence`` is left out."""
        return self.ids[self.sentence_starts[first_sentence] : self.sentence_starts[last_sentence]]

    def word_marks(self, first_sentence: int, last_sentence: int) -> NDArray[np.bool_]:
        """Return ``continues`` for the tokens of ``token_ids``."""
        assert self.continues is not None
        return self.continues[self.sentence_starts[first_sentence] : self.sentence_starts[last_sentence]]


def _starts(lengths: Sequence[NDArray[np.uint16]]) -> Array:
    joined = np.concatenate(lengths).astype(np.int64)
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(joined)])
