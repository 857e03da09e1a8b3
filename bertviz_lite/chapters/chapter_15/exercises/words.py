"""Exercises of chapter 15: words that no space shows."""

from collections.abc import Iterator, Sequence

from bertviz_lite.exercises import Case, exercise


def _chosen_cases() -> Iterator[Case]:
    yield Case([1, 2], [False, True, False], label="白 | 天 鹅, with 天 alone chosen")
    yield Case([1, 2], [False, True, True], label="白 | 天 鹅, with 天鹅 chosen")
    yield Case([3, 2, 1, 2], [True, True, False, True, True, True, False, True], label="words of 3, 2, 1, 2")
    yield Case([1, 1, 1], [True, False, True], label="three words of one character")
    yield Case([2, 4], [False, False, True, False, True, False], label="words of 2 and 4")


@exercise(
    cases=_chosen_cases,
    hints=(
        "Cut the row of chosen characters into words first: slices of the given lengths.",
        "A word is torn where any() of its slice is true and all() is not.",
    ),
    note="After whole-word masking this must be 0: an assert that belongs into every data pipeline.",
)
def torn_words(lengths: list[int], chosen: list[bool]) -> int:
    """Count the words of which some characters are chosen, but not all.

    `lengths` are the words' numbers of characters, `chosen` says of each character whether it is chosen.
    """
    torn, start = 0, 0
    for length in lengths:
        word = chosen[start : start + length]
        torn += any(word) and not all(word)
        start += length
    return torn


def _slices(lengths: Sequence[int], chosen: Sequence[bool]) -> list[Sequence[bool]]:
    starts = [sum(lengths[:number]) for number in range(len(lengths))]
    return [chosen[start : start + length] for start, length in zip(starts, lengths, strict=True)]


torn_words.mistake(
    "A word that is chosen whole isn't torn.",
    lambda lengths, chosen: sum(any(word) for word in _slices(lengths, chosen)),
)
torn_words.mistake(
    "A word of which nothing is chosen isn't torn.",
    lambda lengths, chosen: sum(not all(word) for word in _slices(lengths, chosen)),
)
torn_words.mistake(
    "Count words, not their characters.",
    lambda lengths, chosen: sum(
        sum(word) for word in _slices(lengths, chosen) if any(word) and not all(word)
    ),
)


def _texts() -> Iterator[Case]:
    words = ["白", "天鹅", "白天", "鹅", "玩具", "玩具车", "把手", "手", "洗", "干净", "一", "只"]
    yield Case("一只白天鹅", words)
    yield Case("玩具车", words)
    yield Case("把手洗干净", words)
    yield Case("看见天鹅", words, label="看见天鹅: 看 and 见 are in no list")
    yield Case("玩具熊", words, label="玩具熊: 熊 is in no list")


@exercise(
    cases=_texts,
    hints=(
        "As WordPiece does: try all that is left, then one character less, and so on.",
        "If not even one character is listed, that character becomes a word on its own.",
        "`while text:` take the longest beginning, append it, and go on with text[len(word):].",
    ),
    note="It cuts 白天 | 鹅 and 把手 | 洗: no list of words can settle what only the sentence says.",
)
def longest_match(text: str, words: list[str]) -> list[str]:
    """Cut a text into words: always the longest listed word that it begins with, from left to right.

    A character with which no listed word begins is a word on its own.
    """
    found = []
    while text:
        sizes = range(len(text), 0, -1)
        size = next((size for size in sizes if text[:size] in words), 1)
        found.append(text[:size])
        text = text[size:]
    return found


@longest_match.mistake("Try the longest beginning first, not the shortest.")
def _shortest(text: str, words: list[str]) -> list[str]:
    found = []
    while text:
        size = next((size for size in range(1, len(text) + 1) if text[:size] in words), 1)
        found.append(text[:size])
        text = text[size:]
    return found


@longest_match.mistake("That's the search from the end of the text. Begin at its beginning.")
def _from_the_end(text: str, words: list[str]) -> list[str]:
    found: list[str] = []
    while text:
        size = next((size for size in range(len(text), 0, -1) if text[-size:] in words), 1)
        found.insert(0, text[-size:])
        text = text[:-size]
    return found


@longest_match.mistake("A character that is in no list is lost: keep it as a word on its own.")
def _lost(text: str, words: list[str]) -> list[str]:
    return [word for word in longest_match.reference(text, words) if word in words]  # type: ignore[attr-defined]


@longest_match.mistake("Characters that no list has are two words, not one.")
def _together(text: str, words: list[str]) -> list[str]:
    found: list[str] = []
    for word in longest_match.reference(text, words):  # type: ignore[attr-defined]
        if found and word not in words and found[-1] not in words:
            found[-1] += word
        else:
            found.append(word)
    return found
