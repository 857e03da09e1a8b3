"""Groups of words that belong together, as the town has them: names, animals, places, forms of verbs.

They serve to measure whether a model's vectors of such words lie together. Left out: words that belong to two
groups ("orange" is a colour and a fruit), so that every word has one right answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container

from bertviz_lite.basics.arguments import ArgumentError, a_or_an, shown
from bertviz_lite.world.events.town import ANIMALS, COLOURS, DAYS, PLACES, names, things
from bertviz_lite.world.towns import TOWN, stories_of

_READ = 300  # texts from which the verbs are taken


def word_groups(vocabulary: Container[str] | None = None) -> dict[str, list[str]]:
    """Return words of the town, lower-cased and in alphabetical order, by group.

    Names, animals, food, places, colours and days are those of the town's lists; the forms of verbs are taken
    from the marks of its texts.

    Parameters
    ----------
    vocabulary
        Keep only these words, such as ``tokenizer.get_vocab()``: those that are one token.

    Raises
    ------
    ArgumentError
        Where ``vocabulary`` cannot hold words.

    Examples
    --------
    >>> groups = word_groups()
    >>> list(groups)[:3], groups["days"][:2]
    (['women, girls', 'men, boys', 'animals'], ['friday', 'monday'])
    >>> any("orange" in words for words in groups.values())
    False
    """
    if vocabulary is not None and (
        isinstance(vocabulary, str | bytes) or not isinstance(vocabulary, Container)
    ):
        raise ArgumentError(
            f"vocabulary={shown(vocabulary)}: words in a set, list or dict are needed, as "
            f"tokenizer.get_vocab(), not {a_or_an(vocabulary)}."
        )
    verbs = [word for text in stories_of(TOWN, 0, _READ) for word in text.words if word.pos == "VERB"]
    lists = {
        "women, girls": names("f"),
        "men, boys": names("m"),
        "animals": [*ANIMALS["wild"], *ANIMALS["farm"]],
        "food, drink": things("food", "dish", "drink"),
        "places": [place.noun.partition(".")[0] for place in PLACES],
        "colours": COLOURS,
        "days": DAYS,
        "verbs, past": [word.text for word in verbs if word.form == "past"],
        "verbs, -ing": [word.text for word in verbs if word.form == "ing"],
    }
    sets = {name: {word.lower() for word in words} for name, words in lists.items()}
    listed = Counter(word for words in sets.values() for word in words)
    return {
        name: sorted(
            word for word in words if listed[word] == 1 and (vocabulary is None or word in vocabulary)
        )
        for name, words in sets.items()
    }
