"""Names of people among the tokens: another story's names are replaced by those of the first part.

Where only false pairs have new names in their second part, names alone give the answer away. Left out: names
of pets, families and streets, and names that the vocabulary splits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.data.vocabulary import check_tokenizer
from bertviz_lite.world.events.town import PEOPLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transformers import PreTrainedTokenizerFast

Ids = NDArray[np.integer[Any]]


def name_ids(tokenizer: PreTrainedTokenizerFast) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the ids of the town's names that are one token each: of women and girls, of men and boys."""
    vocabulary = check_tokenizer(tokenizer).get_vocab()
    female, male = (
        tuple(
            vocabulary[person.name.lower()]
            for person in PEOPLE
            if person.gender == gender and person.name.lower() in vocabulary
        )
        for gender in ("f", "m")
    )
    return female, male


def name_groups(names: Sequence[Sequence[int]]) -> NDArray[np.uint8]:
    """Return the group of each id that fits into 16 bits: 0 for what is no name, else 1, 2 and so on."""
    groups = np.zeros(1 << 16, np.uint8)
    for group, ids in enumerate(names, start=1):
        groups[list(ids)] = group
    return groups


def with_names_of(first: Ids, second: Ids, groups: NDArray[np.uint8]) -> Ids:
    """Return the second part with its names replaced by names of the same group in the first part.

    A name that both parts have stays. The others are replaced in the order in which they occur first, each by
    another name; those for which the first part has no name left stay. So two people never become one.

    Parameters
    ----------
    first, second
        Ids of the two parts.
    groups
        As ``name_groups`` returns them.
    """
    given, needed = _names(first, groups), _names(second, groups)
    free = [name for name in given if name not in needed]
    replaced = second.copy()
    for name in needed:
        if name in given:
            continue
        match = next((other for other in free if groups[other] == groups[name]), None)
        if match is not None:
            free.remove(match)
            replaced[second == name] = match
    return replaced


def same_but_for_names(one: Ids, other: Ids, groups: NDArray[np.uint8]) -> bool:
    """Say whether two texts are equal where names of one group count as one name."""
    if len(one) != len(other):
        return False
    return bool((((one == other) | (groups[one] > 0)) & (groups[one] == groups[other])).all())


def _names(ids: Ids, groups: NDArray[np.uint8]) -> list[int]:
    """Return the different names among some ids, in the order in which they occur first."""
    return list(dict.fromkeys(ids[groups[ids] > 0].tolist()))
