"""Names of people among the tokens: another story's names are replaced by those of the first part.

Where only false pairs have new names in their second part, names alone give the answer away. A Chinese name
is two tokens, and two stand for two. Left out: names of pets, families and streets, English names that the
vocabulary splits, and Chinese ones that are words as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.data.vocabulary import check_tokenizer
from bertviz_lite.world.events.town import names
from bertviz_lite.world.towns import CHINESE, TOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transformers import PreTrainedTokenizerFast

Ids = NDArray[np.integer[Any]]


Name = int | tuple[int, int]
"""The id of a name, or both ids of one."""


def name_ids(
    tokenizer: PreTrainedTokenizerFast, town: str = TOWN
) -> tuple[tuple[Name, ...], tuple[Name, ...]]:
    """Return the ids of a town's names: of women and girls, of men and boys.

    In English those that are one token each, in Chinese those of two tokens.
    """
    vocabulary = check_tokenizer(tokenizer).get_vocab()
    if town == CHINESE:
        from bertviz_lite.world.chinese.lexicon.names import names_that_are_no_words

        girls, boys = (
            tuple(
                (vocabulary[name[0]], vocabulary[name[1]])
                for name in names_that_are_no_words(gender)
                if len(name) == 2 and vocabulary.keys() >= set(name)
            )
            for gender in "fm"
        )
        return girls, boys
    female, male = (
        tuple(vocabulary[name.lower()] for name in names(gender) if name.lower() in vocabulary)
        for gender in ("f", "m")
    )
    return female, male


@dataclass(frozen=True)
class NameGroups:
    """The group of each id that fits into 16 bits: 0 for what is no name, else 1, 2 and so on.

    A name of two ids has a number of its own beyond the vocabulary, which stands for both in ``folded`` ids.

    Attributes
    ----------
    of
        The group by id or number.
    numbers
        Number by the two ids of a name.
    """

    of: NDArray[np.uint8]
    numbers: Mapping[tuple[int, int], int]

    def __getitem__(self, ids: Any) -> Any:  # noqa: ANN401 - as an array of groups
        return self.of[ids]

    def folded(self, ids: Ids) -> Ids:
        """Return the ids with one number for each name of two ids."""
        if not self.numbers or len(ids) < 2:
            return ids
        kept: list[int] = []
        rest = ids.tolist()
        place = 0
        while place < len(rest):
            number = self.numbers.get((rest[place], rest[place + 1])) if place + 1 < len(rest) else None
            kept.append(rest[place] if number is None else number)
            place += 1 if number is None else 2
        return np.array(kept, ids.dtype)

    def unfolded(self, ids: Ids) -> Ids:
        """Return what ``folded`` was made of."""
        if not self.numbers:
            return ids
        spelled = {number: both for both, number in self.numbers.items()}
        return np.array([each for one in ids.tolist() for each in spelled.get(one, (one,))], ids.dtype)


def name_groups(names: Sequence[Sequence[Name]]) -> NameGroups:
    """Return the groups of names."""
    groups = np.zeros(1 << 16, np.uint8)
    numbers: dict[tuple[int, int], int] = {}
    for group, ids in enumerate(names, start=1):
        for one in ids:
            if isinstance(one, tuple):
                numbers[one] = len(groups) - 1 - len(numbers)
            groups[numbers[one] if isinstance(one, tuple) else one] = group
    return NameGroups(groups, numbers)


def with_names_of(first: Ids, second: Ids, groups: NameGroups) -> Ids:
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
    first, second = groups.folded(first), groups.folded(second)
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
    return groups.unfolded(replaced)


def same_but_for_names(one: Ids, other: Ids, groups: NameGroups) -> bool:
    """Say whether two texts are equal where names of one group count as one name."""
    one, other = groups.folded(one), groups.folded(other)
    if len(one) != len(other):
        return False
    return bool((((one == other) | (groups[one] > 0)) & (groups[one] == groups[other])).all())


def _names(ids: Ids, groups: NameGroups) -> list[int]:
    """Return the different names among some ids, in the order in which they occur first."""
    return list(dict.fromkeys(ids[groups[ids] > 0].tolist()))
