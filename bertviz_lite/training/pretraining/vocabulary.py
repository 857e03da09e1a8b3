"""The vocabulary of a run, learned from its first stories, and the masking rules that go with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import torch
from transformers import (
    AutoTokenizer,
)

from bertviz_lite.data.masking import Masking
from bertviz_lite.data.pretraining.shards import SHARD_STORIES, story_seeds
from bertviz_lite.data.vocabulary import character_tokenizer, continuation_tokens, train_tokenizer
from bertviz_lite.training.pretraining.recipe import Recipe
from bertviz_lite.world.towns import stories_of, words_of

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


def load_or_train_tokenizer(
    folder: Path, recipe: Recipe, start: Path | None = None
) -> PreTrainedTokenizerFast:
    """Return the run's tokenizer: that of the model it starts with, or one learned from its first stories.

    It is saved on the first call.
    """
    if not (folder / "vocab.txt").exists():
        if start is not None:
            save_tokenizer(AutoTokenizer.from_pretrained(start), folder)  # type: ignore[arg-type]
            return load_or_train_tokenizer(folder, recipe)
        if recipe.characters:
            save_tokenizer(character_tokenizer(words_of(recipe.town)), folder)
            return load_or_train_tokenizer(folder, recipe)
        texts: list[str] = []
        for shard, first in enumerate(range(0, recipe.tokenizer_stories, SHARD_STORIES)):
            count = min(SHARD_STORIES, recipe.tokenizer_stories - first)
            seed = story_seeds(recipe.seed, shard)
            texts += [str(story) for story in stories_of(recipe.town, seed, count)]
        words = read_words(Path(recipe.words)) if recipe.words else words_of(recipe.town)
        save_tokenizer(train_tokenizer(texts, recipe.vocab_size, words), folder)
    tokenizer: PreTrainedTokenizerFast = AutoTokenizer.from_pretrained(folder)  # type: ignore[assignment]
    return tokenizer


def read_words(path: Path) -> list[str]:
    """Read a list of words: white space between them, lines that begin with # left out.

    Raises
    ------
    ValueError
        Where the file cannot be read, or holds no word.
    """
    try:
        rows = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"words={path}: the list of words cannot be read ({error}).") from None
    words = [word for row in rows if not row.startswith("#") for word in row.split()]
    if not words:
        raise ValueError(f"words={path}: the file holds no word.")
    return words


def save_tokenizer(tokenizer: PreTrainedTokenizerFast, folder: Path) -> None:
    """Save a tokenizer in the standard form, with ``vocab.txt`` (one token a line) written last."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save_pretrained(folder)
    tokens = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    (folder / "vocab.txt").write_text(
        "".join(f"{token}\n" for token in tokens), encoding="utf-8", newline="\n"
    )


def make_masking(tokenizer: PreTrainedTokenizerFast, recipe: Recipe) -> Masking:
    """Return the masking rules of a recipe."""
    return Masking(
        vocab_size=len(tokenizer),
        special_ids=tuple(tokenizer.all_special_ids),
        mask_id=tokenizer.mask_token_id,
        continuation=torch.from_numpy(continuation_tokens(tokenizer)) if recipe.whole_words else None,
        rate=recipe.mask_rate,
    )
