"""The training text of all variants with one vocabulary: made once, and shared by their runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.forbidden import Forbidden, TrainingTown
from bertviz_lite.data.vocabulary import train_tokenizer
from bertviz_lite.training.pretraining.vocabulary import load_or_train_tokenizer, save_tokenizer
from bertviz_lite.world.events.town import PEOPLE
from bertviz_lite.world.towns import stories_of

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

    from bertviz_lite.training.pretraining.recipe import Recipe

SMALLEST_WITH_ALL_WORDS = 3_500
"""A vocabulary that is smaller has no room for the town's list of words: of them it has the names."""

_LEARNED_FROM = 5_000  # texts


@dataclass(frozen=True)
class Texts:
    """A tokenizer, and the texts of training as its ids."""

    tokenizer: PreTrainedTokenizerFast
    corpus: Corpus

    @classmethod
    def prepare(
        cls,
        recipe: Recipe,
        runs: Path,
        forbidden: Forbidden | None = None,
        *,
        processes: int = 1,
        progress: bool = False,
    ) -> Texts:
        """Make what is missing, and read it.

        Whatever the seed of a run, the texts are the same: seeds differ in how they are cut, masked and read.

        Parameters
        ----------
        recipe
            Its town, vocabulary and number of texts.
        runs
            The folder of all runs.
        forbidden
            What no text may hold; all are allowed where it is None.
        processes, progress
            Of the making.
        """
        folder, vocabulary = (runs / f"texts-{recipe.vocab_size}" / name for name in ("texts", "tokenizer"))
        tokenizer = _tokenizer(recipe, vocabulary)
        town = TrainingTown(recipe.town, forbidden or Forbidden(), recipe.boundaries)
        corpus = Corpus.prepare(folder, vocabulary, 0, recipe.stories, processes, progress, town=town)
        return cls(tokenizer, corpus)


def _tokenizer(recipe: Recipe, folder: Path) -> PreTrainedTokenizerFast:
    """Return the vocabulary of the recipe; a smaller one is learned from texts and the names of people."""
    lists_words = not recipe.characters
    if lists_words and recipe.vocab_size < SMALLEST_WITH_ALL_WORDS and not (folder / "vocab.txt").exists():
        texts = [str(text) for text in stories_of(recipe.town, 0, _LEARNED_FROM)]
        names = [person.name for person in PEOPLE]
        save_tokenizer(train_tokenizer(texts, recipe.vocab_size, names), folder)
    return load_or_train_tokenizer(folder, recipe)
