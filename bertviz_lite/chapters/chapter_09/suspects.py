"""What may tell A's own B from a stranger: names, things, verbs, and the stories in which they can."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.data.story_pairs import other_story

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from bertviz_lite.data.story_pairs import StoryPair
    from bertviz_lite.world import Word

__all__ = ["come_back", "count_shared", "in_the_same_tense", "is_noun", "is_person", "is_verb"]


def is_person(word: Word) -> bool:
    """Say whether a word is a person's name."""
    return word.name == "person"


def is_noun(word: Word) -> bool:
    """Say whether a word is a noun; a name is none."""
    return word.pos == "NOUN"


def is_verb(word: Word) -> bool:
    """Say whether a word is a verb, an auxiliary one too."""
    return word.pos in ("VERB", "AUX")


def count_shared(pair: StoryPair, wanted: Callable[[Word], bool]) -> int:
    """Count the different wanted words of A that come back in B, in any form."""
    in_a, in_b = ({word.lemma for word in pair.words(part) if wanted(word)} for part in (0, 1))
    return len(in_a & in_b)


def come_back(
    pairs: Sequence[StoryPair], wanted: Callable[[Word], bool], most: int = 80
) -> tuple[list[StoryPair], list[StoryPair]]:
    """Return the first true pairs in which a wanted word of A comes back in B, and their strangers.

    Parameters
    ----------
    pairs
        True pairs, each of another story.
    wanted
        Says of a word whether it counts.
    most
        How many pairs are returned at most.

    Returns
    -------
    tuple
        Some of `pairs`; and the same As, each with the B of another of them.
    """
    some = [pair for pair in pairs if count_shared(pair, wanted)][:most]
    return some, other_story(some)


def in_the_same_tense(
    true: Sequence[StoryPair],
    own: npt.NDArray[np.float64],
    strangers: Sequence[StoryPair],
    theirs: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the log-odds of own Bs and of strangers, for each A whose stranger is in A's tense.

    Parameters
    ----------
    true, own
        True pairs, and the log-odds of each.
    strangers, theirs
        Pairs with a B of another story, some of the same As, and the log-odds of each.

    Returns
    -------
    tuple
        Those of A's own B and those of the stranger, row by row of the same A.
    """
    of_story = {pair.story: log_odds for pair, log_odds in zip(true, own, strict=True)}
    both = [
        (of_story[pair.story], log_odds)
        for pair, log_odds in zip(strangers, theirs, strict=True)
        if pair.tenses[0] == pair.tenses[1]
    ]
    ours, others = np.array(both, np.float64).reshape(-1, 2).T
    return ours, others
