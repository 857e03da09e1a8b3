"""Stories and minimal pairs on which models are scored, encoded once for many models.

Their seeds are set apart: training may use those below 900 million (``corpus.story_seeds``), the scores use
those above.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bertviz_lite.data.encoded_stories import EncodedStory, encode_stories
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.shards import Shard, fingerprint, story_seeds
from bertviz_lite.evaluation.scores.neighbours import Neighbours
from bertviz_lite.world import minimal_pairs
from bertviz_lite.world.towns import CHINESE, FIRST, TOWN, stories_of

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

    from bertviz_lite.world import MinimalPair

EVALUATION_SEED = 900_000_000


@dataclass(frozen=True)
class Size:
    """How many stories, words and pairs an evaluation set holds.

    Attributes
    ----------
    stories
        Stories for the test half, and as many for choosing layers and heads and for centroids.
    per_kind
        Masked words at most for each kind of determined word.
    random_stories
        Stories for the random masks.
    head_stories
        Stories for attention.
    minimal_pairs
        Pairs of each kind.
    part_pairs
        Stories cut into pairs of parts for each detail of the next-sentence head; for its score, 1,000.
    counted
        Training stories counted for the unigram and bigram guesses.
    """

    stories: int = 2_000
    per_kind: int = 1_200
    random_stories: int = 400
    head_stories: int = 300
    minimal_pairs: int = 100
    part_pairs: int = 1_000
    counted: int = 4_000


FULL = Size()
QUICK = Size(stories=700, per_kind=200, random_stories=60, head_stories=80, minimal_pairs=20, counted=1_000)


def size_of(town: str, *, quick: bool = False) -> Size:
    """Return how much a town's evaluation set holds: four times as many stories where these are short.

    Quick scores are taken at many moments of a training run. Of the second town they have more details, and
    fewer pairs of parts for each.
    """
    size = QUICK if quick else FULL
    if town == FIRST:
        return size
    if town == CHINESE and not quick:
        return replace(size, stories=3 * size.stories, random_stories=2 * size.random_stories)
    if town == CHINESE:
        return replace(size, part_pairs=400)
    return replace(
        size,
        stories=4 * size.stories,
        random_stories=4 * size.random_stories,
        head_stories=4 * size.head_stories,
        part_pairs=400 if quick else size.part_pairs,
    )


@dataclass(frozen=True)
class EvaluationSet:
    """Everything that a model is scored on, encoded once for many models that share a tokenizer.

    Attributes
    ----------
    test, choosing
        Stories that are scored, and stories that only choose (layer, head) and give centroids.
    fitting
        Share of the test stories that fit into the model and are therefore used.
    corpus
        The test stories as a corpus, for pairs.
    pairs
        Minimal pairs.
    words
        Counts of training text, for the baselines of masked words.
    size
        How much of everything.
    town
        Whose stories they are: see ``world.towns``.
    """

    test: list[EncodedStory]
    choosing: list[EncodedStory]
    fitting: float
    corpus: Corpus
    pairs: list[MinimalPair]
    words: Neighbours
    size: Size
    town: str = TOWN

    @classmethod
    def make(
        cls,
        tokenizer: PreTrainedTokenizerFast,
        size: Size | None = None,
        seed: int = EVALUATION_SEED,
        training_seed: int = 0,
        town: str = TOWN,
    ) -> EvaluationSet:
        """Write the stories and encode them; without ``size`` as many as ``size_of`` the town says.

        Raises
        ------
        ValueError
            Where ``seed`` may be one that training uses.
        """
        if seed < EVALUATION_SEED:
            raise ValueError(f"seed={seed}: training may have used it; take {EVALUATION_SEED:,} or more")
        size = size or size_of(town)
        test_stories = stories_of(town, seed, size.stories)
        test = encode_stories(test_stories, tokenizer)
        sentences = [[str(sentence) for sentence in story.sentences] for story in test_stories]
        return cls(
            test=test,
            choosing=encode_stories(stories_of(town, seed + 1, size.stories), tokenizer),
            fitting=len(test) / len(test_stories),
            corpus=Corpus([Shard.of(sentences, tokenizer.backend_tokenizer)]),
            pairs=minimal_pairs(seed + 2, size.minimal_pairs, town=town),
            words=Neighbours.count(stories_of(town, story_seeds(training_seed, 0), size.counted)),
            size=size,
            town=town,
        )

    def fingerprints(self) -> set[int]:
        """Return a fingerprint of each story, to compare with ``Corpus.fingerprints``."""
        return {fingerprint(str(encoded.story)) for encoded in [*self.test, *self.choosing]}
