"""Training text: the vocabulary, and stories of the town as word pieces on disk.

The stories are written once, in several processes, and kept as 16-bit ids. ``pairs`` cuts them into inputs.

Left out on purpose: anything that looks at the gold marks. The model learns from plain text.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import ascii_lowercase, digits
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.basics.files import write_text
from bertviz_lite.world import stories

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
MAX_LENGTH = 128
SHARD_STORIES = 2_000
SEEDS_PER_RUN = 100_000
"""A run with seed s writes its stories with the town's seeds s * 100,000 … s * 100,000 + 99,999."""

Array = NDArray[np.int64]


def train_tokenizer(texts: Iterable[str], vocab_size: int = 2000) -> PreTrainedTokenizerFast:
    """Learn a lower-cased WordPiece vocabulary.

    The ids are: the five special tokens, the printable ASCII characters, the same letters and digits as
    ``##`` continuations, then the learned pieces, the earliest joined first. The same texts give the same
    vocabulary in every process: the trainer of ``tokenizers`` numbers continuations in the order of a hash
    table and breaks ties by these numbers, so they are given to it beforehand.

    Parameters
    ----------
    texts
        Any number of texts.
    vocab_size
        Number of pieces at most; fewer where the texts hold no more.

    Returns
    -------
    PreTrainedTokenizerFast
        A ``BertTokenizer``, padding to at most 128 positions.

    Raises
    ------
    ValueError
        Where ``vocab_size`` leaves no room for the alphabet.
    """
    from tokenizers import Tokenizer, normalizers, pre_tokenizers
    from tokenizers.models import WordPiece
    from tokenizers.trainers import WordPieceTrainer
    from transformers import BertTokenizer

    characters = [chr(code) for code in range(33, 127) if not chr(code).isupper()]
    continuations = [f"##{character}" for character in digits + ascii_lowercase]
    alphabet = [*SPECIAL_TOKENS, *characters, *continuations]
    if vocab_size < len(alphabet):
        raise ValueError(
            f"vocab_size={vocab_size}: the special tokens and characters alone are {len(alphabet)}"
        )
    learner = Tokenizer(WordPiece(unk_token="[UNK]"))
    learner.normalizer = normalizers.BertNormalizer(lowercase=True)
    learner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = WordPieceTrainer(
        vocab_size=vocab_size,
        special_tokens=alphabet,
        initial_alphabet=[],
        limit_alphabet=0,
        show_progress=False,
    )
    learner.train_from_iterator(texts, trainer)
    vocabulary = learner.get_vocab()
    pieces = [
        *alphabet,
        *sorted(vocabulary.keys() - set(alphabet), key=lambda piece: (vocabulary[piece], piece)),
    ]
    tokenizer: PreTrainedTokenizerFast = BertTokenizer(
        vocab={piece: index for index, piece in enumerate(pieces)},
        do_lower_case=True,
        model_max_length=MAX_LENGTH,
    )
    return tokenizer


def continuation_pieces(tokenizer: PreTrainedTokenizerFast) -> NDArray[np.bool_]:
    """Say which ids are ``##`` pieces: boolean, shape (vocab_size,)."""
    pieces = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    return np.array([piece.startswith("##") for piece in pieces])


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


@lru_cache(maxsize=1)
def town_fingerprint() -> str:
    """Return a hash of the town as it writes today: with another one, older shards are of another town."""
    text = "\n".join(str(story) for story in stories(seed=0, n=50))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Shard:
    """Some stories as ids.

    Attributes
    ----------
    ids
        uint16, all pieces one after the other, without special tokens.
    sentence_lengths
        uint16, pieces in each sentence.
    story_lengths
        uint16, sentences in each story.
    fingerprints
        uint64, one per story: see ``fingerprint``.
    """

    ids: NDArray[np.uint16]
    sentence_lengths: NDArray[np.uint16]
    story_lengths: NDArray[np.uint16]
    fingerprints: NDArray[np.uint64]

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]], tokenizer: Tokenizer) -> Shard:
        """Encode stories given as lists of sentences; the tokenizer is ``tokenizer.backend_tokenizer``."""
        flat = [sentence for story in sentences for sentence in story]
        encoded = [encoding.ids for encoding in tokenizer.encode_batch(flat, add_special_tokens=False)]
        return cls(
            ids=np.fromiter((piece for sentence in encoded for piece in sentence), np.uint16),
            sentence_lengths=np.array([len(sentence) for sentence in encoded], np.uint16),
            story_lengths=np.array([len(story) for story in sentences], np.uint16),
            fingerprints=np.array([fingerprint(" ".join(story)) for story in sentences], np.uint64),
        )


def _write_shard(job: tuple[str, str, int, int, int]) -> str:
    """Write one shard (in a worker process): the file appears only when it is whole."""
    folder, tokenizer_file, seed, shard, count = job
    told = [
        [str(sentence) for sentence in story.sentences] for story in stories(story_seeds(seed, shard), count)
    ]
    path = Path(folder) / f"shard-{shard:05d}.npz"
    partial = path.with_suffix(f".{os.getpid()}.tmp")
    with partial.open("wb") as file:
        np.savez(file, **vars(Shard.of(told, _worker_tokenizer(tokenizer_file))))
    partial.replace(path)
    return path.name


@lru_cache(maxsize=1)
def _worker_tokenizer(path: str) -> Tokenizer:
    from tokenizers import Tokenizer

    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    return Tokenizer.from_file(path)


class Corpus:
    """All stories of a run, as word pieces in memory (2 bytes a piece).

    Attributes
    ----------
    ids
        uint16, all pieces.
    sentence_starts
        int64, shape (sentences + 1,): where each sentence starts in ``ids``.
    story_starts
        int64, shape (stories + 1,): the first sentence of each story.
    fingerprints
        uint64, shape (stories,).
    """

    def __init__(self, shards: Sequence[Shard]) -> None:
        if not shards:
            raise ValueError("a corpus needs at least one shard")
        self.ids = np.concatenate([shard.ids for shard in shards])
        self.sentence_starts = _starts([shard.sentence_lengths for shard in shards])
        self.story_starts = _starts([shard.story_lengths for shard in shards])
        self.fingerprints = np.concatenate([shard.fingerprints for shard in shards])

    def __len__(self) -> int:
        return len(self.story_starts) - 1

    @classmethod
    def prepare(
        cls,
        folder: Path,
        tokenizer_folder: Path,
        seed: int,
        count: int,
        processes: int,
        progress: bool = True,
    ) -> Corpus:
        """Write the shards that are missing and read all of them.

        Parameters
        ----------
        folder
            Where the shards live; made when missing.
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

        Raises
        ------
        ValueError
            Where the folder holds shards of another town, seed or vocabulary.
        """
        folder.mkdir(parents=True, exist_ok=True)
        vocabulary = (tokenizer_folder / "vocab.txt").read_bytes()
        size = min(SHARD_STORIES, count)
        recipe = {
            "seed": seed,
            "shard_stories": size,
            "town": town_fingerprint(),
            "vocabulary": hashlib.sha256(vocabulary).hexdigest()[:16],
        }
        note = folder / "corpus.json"
        if note.exists() and json.loads(note.read_text(encoding="utf-8")) != recipe:
            raise ValueError(
                f"{folder} holds stories of another town, seed, size or vocabulary: "
                "remove it, or give another --output"
            )
        write_text(note, json.dumps(recipe, indent=1) + "\n")
        paths = [folder / f"shard-{shard:05d}.npz" for shard in range(-(-count // size))]
        jobs = [
            (str(folder), str(tokenizer_folder / "tokenizer.json"), seed, shard, size)
            for shard, path in enumerate(paths)
            if not path.exists()
        ]
        _run_jobs(jobs, processes, progress)
        return cls([_read_shard(path) for path in paths]).first(count)

    def first(self, count: int) -> Corpus:
        """Return the corpus of the first ``count`` stories (views, not copies)."""
        short = object.__new__(Corpus)
        short.story_starts = self.story_starts[: count + 1]
        short.sentence_starts = self.sentence_starts[: short.story_starts[-1] + 1]
        short.ids = self.ids[: short.sentence_starts[-1]]
        short.fingerprints = self.fingerprints[:count]
        return short

    def pieces(self, first_sentence: int, last_sentence: int) -> NDArray[np.uint16]:
        """Return the ids of some sentences, numbered over all stories, without ``last_sentence`` itself."""
        return self.ids[self.sentence_starts[first_sentence] : self.sentence_starts[last_sentence]]


def _starts(lengths: Sequence[NDArray[np.uint16]]) -> Array:
    joined = np.concatenate(lengths).astype(np.int64)
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(joined)])


def _read_shard(path: Path) -> Shard:
    with np.load(path, allow_pickle=False) as file:
        return Shard(**{name: file[name] for name in file.files})


def _run_jobs(jobs: Sequence[tuple[str, str, int, int, int]], processes: int, progress: bool) -> None:
    from tqdm.auto import tqdm

    with tqdm(total=len(jobs), desc="stories", unit="shard", disable=not progress or not jobs) as bar:
        if processes <= 1 or len(jobs) <= 1:
            for job in jobs:
                _write_shard(job)
                bar.update()
            return
        context = multiprocessing.get_context(
            "spawn"
        )  # alike on every system, and safe beside torch's threads
        with context.Pool(min(processes, len(jobs))) as pool:
            for _ in pool.imap_unordered(_write_shard, jobs):
                bar.update()
