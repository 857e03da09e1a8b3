"""Stories of a town as ids on disk, in files of 2,000 stories that several processes write."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.data.encoded_stories import word_spans
from bertviz_lite.data.pretraining.forbidden import GOLD, TrainingTown
from bertviz_lite.world.towns import FIRST, TOWN, stories_of

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SHARD_STORIES = 2_000
Spans = Sequence[tuple[int, int]]
SEEDS_PER_RUN = 100_000
"""A run with seed s writes its stories with the town's seeds s * 100,000 … s * 100,000 + 99,999."""


def story_seeds(seed: int, shard: int) -> int:
    """Return the town's seed for shard ``shard`` of the run ``seed``."""
    if not 0 <= shard < SEEDS_PER_RUN:
        raise ValueError(
            f"shard={shard}: a run has at most {SEEDS_PER_RUN:,} shards of {SHARD_STORIES:,} stories"
        )
    return seed * SEEDS_PER_RUN + shard


def fingerprint(text: str) -> int:
    """Return 64 bits that stand for a text (to tell whether two sets of stories share one)."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


@lru_cache(maxsize=4)
def town_fingerprint(town: str = TOWN) -> str:
    """Return a hash of a town as it writes today: with another one, older shards are of another town.

    It is a hash of 50 stories of the first town, and of 400 of another, which says more things in more ways.
    """
    text = "\n".join(str(story) for story in stories_of(town, seed=0, n=50 if town == FIRST else 400))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Shard:
    """Some stories as ids.

    Attributes
    ----------
    ids
        uint16, all tokens one after the other, without special tokens.
    sentence_lengths
        uint16, tokens in each sentence.
    story_lengths
        uint16, sentences in each story.
    fingerprints
        uint64, one per story: see ``fingerprint``.
    left_out
        uint16, how many stories with a forbidden sentence were left out just before each; None where all are
        allowed.
    continues
        bool, one per token: whether it goes on with the word of the token before it; None where the tokens
        say it themselves.
    """

    ids: NDArray[np.uint16]
    sentence_lengths: NDArray[np.uint16]
    story_lengths: NDArray[np.uint16]
    fingerprints: NDArray[np.uint64]
    left_out: NDArray[np.uint16] | None = None
    continues: NDArray[np.bool_] | None = None

    @classmethod
    def of(
        cls,
        sentences: Sequence[Sequence[str]],
        tokenizer: Tokenizer,
        left_out: Sequence[int] | None = None,
        words: Sequence[Sequence[Spans]] | None = None,
    ) -> Shard:
        """Encode stories given as lists of sentences; the tokenizer is ``tokenizer.backend_tokenizer``.

        ``words`` are the first character of each word and the one after it, for every sentence.
        """
        flat = [sentence for story in sentences for sentence in story]
        encodings = tokenizer.encode_batch(flat, add_special_tokens=False)
        encoded = [encoding.ids for encoding in encodings]
        marks = None
        if words is not None:
            spans = [spans for story in words for spans in story]
            rows = zip(flat, spans, (encoding.offsets for encoding in encodings), strict=True)
            marks = np.concatenate([_continues(*row) for row in rows])
        return cls(
            ids=np.fromiter((token for sentence in encoded for token in sentence), np.uint16),
            sentence_lengths=np.array([len(sentence) for sentence in encoded], np.uint16),
            story_lengths=np.array([len(story) for story in sentences], np.uint16),
            fingerprints=np.array([fingerprint(" ".join(story)) for story in sentences], np.uint64),
            left_out=None if left_out is None else np.array(left_out, np.uint16),
            continues=marks,
        )

    def write(self, path: Path) -> None:
        """Write the shard's file; it appears only when it is whole."""
        unfinished = path.with_suffix(f".{os.getpid()}.tmp")
        with unfinished.open("wb") as file:
            np.savez(file, **{name: value for name, value in vars(self).items() if value is not None})
        unfinished.replace(path)


def read_shard(path: Path) -> Shard:
    """Read a shard's file."""
    with np.load(path, allow_pickle=False) as file:
        return Shard(**{name: file[name] for name in file.files})


class ShardJob(NamedTuple):
    """A shard to be written: the number ``shard`` of the run ``seed``, with ``size`` stories of a town."""

    path: str
    tokenizer_file: str
    seed: int
    shard: int
    size: int
    town: TrainingTown = TrainingTown()


def _write_shard(job: ShardJob) -> None:
    """Write one shard (in a worker process)."""
    written, left_out = job.town.stories_and_left_out(story_seeds(job.seed, job.shard), job.size)
    sentences = [[str(sentence) for sentence in story.sentences] for story in written]
    words = None
    if job.town.boundaries == GOLD:
        words = [[sentence.spans for sentence in story.sentences] for story in written]
    tokenizer = _worker_tokenizer(job.tokenizer_file)
    Shard.of(sentences, tokenizer, left_out if job.town.forbidden else None, words).write(Path(job.path))


def _continues(text: str, words: Spans, tokens: Spans) -> NDArray[np.bool_]:
    """Return which tokens of a sentence go on with a word, given the characters of both."""
    marks = np.zeros(len(tokens), np.bool_)
    for first, last in word_spans(text, words, tokens, 0):
        marks[first + 1 : last] = True
    return marks


@lru_cache(maxsize=1)
def _worker_tokenizer(path: str) -> Tokenizer:
    from tokenizers import Tokenizer

    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    return Tokenizer.from_file(path)


def write_shards(jobs: Sequence[ShardJob], processes: int, progress: bool) -> None:
    """Write shards in some processes."""
    from tqdm.auto import tqdm

    with tqdm(total=len(jobs), desc="stories", unit="shard", disable=not progress or not jobs) as bar:
        if processes <= 1 or len(jobs) <= 1:
            for job in jobs:
                _write_shard(job)
                bar.update()
            return
        context = multiprocessing.get_context("spawn")  # as on every system, and safe beside torch's threads
        with context.Pool(min(processes, len(jobs))) as pool:
            for _ in pool.imap_unordered(_write_shard, jobs):
                bar.update()
