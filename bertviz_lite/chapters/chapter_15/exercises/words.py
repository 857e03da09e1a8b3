"""Exercises of chapter 15: words that no space shows."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise

_DRAWS = torch.tensor([0.9, 0.1, 0.5, 0.2, 0.05, 0.7, 0.3, 0.12], dtype=torch.float64)


def _draw_cases() -> Iterator[Case]:
    yield Case([1, 2], _DRAWS[:3], 0.15, label="白 | 天 鹅, with draws 0.9, 0.1, 0.5 and rate 0.15")
    yield Case([2, 1], _DRAWS[:3], 0.15, label="白 天 | 鹅, with the same draws: 0.9 decides for 白 and 天")
    yield Case([3, 2, 1, 2], _DRAWS, 0.4, label="words of 3, 2, 1, 2, with rate 0.4")
    yield Case([1, 1, 1], _DRAWS[2:5], 0.3, label="three words of one character, with rate 0.3")
    yield Case([2, 4], _DRAWS[1:7], 0.15, label="words of 2 and 4, with rate 0.15")


@exercise(
    cases=_draw_cases,
    hints=(
        "The first word begins at 0, and each of the others where those before it end.",
        "With sizes = torch.tensor(lengths), the words begin at sizes.cumsum(0) - sizes.",
        "A word of three needs its beginning three times: first = begins.repeat_interleave(sizes).",
        "Then draws[first] < rate.",
    ),
    note="jieba.lcut(text) gives words; their lengths and these lines are all that whole-word masking needs.",
)
def choose_words(lengths: list[int], draws: Tensor, rate: float) -> Tensor:
    """Say of each character whether it is chosen: all of a word follow the draw of its first character.

    `lengths` are the words' numbers of characters, from left to right, and `draws` has a random number for
    each character. A word is chosen where the draw of its first character is smaller than `rate`.
    """
    sizes = torch.tensor(lengths)
    first = (sizes.cumsum(0) - sizes).repeat_interleave(sizes)
    return draws[first] < rate


@choose_words.mistake("Each character follows its own draw: words are torn.")
def _each_alone(lengths: list[int], draws: Tensor, rate: float) -> Tensor:  # noqa: ARG001
    return draws < rate


@choose_words.mistake("Each word follows the draw of its last character. The first one decides.")
def _by_the_last(lengths: list[int], draws: Tensor, rate: float) -> Tensor:
    sizes = torch.tensor(lengths)
    return draws[(sizes.cumsum(0) - 1).repeat_interleave(sizes)] < rate


@choose_words.mistake(
    "You looked the draws up by the number of the word (0, 1, 2 …), not by the place where it begins."
)
def _by_number(lengths: list[int], draws: Tensor, rate: float) -> Tensor:
    return draws[torch.arange(len(lengths)).repeat_interleave(torch.tensor(lengths))] < rate


@choose_words.mistake(
    "A word is chosen as soon as one of its characters has a small draw, so longer words are chosen more "
    "often. Only the first one decides."
)
def _by_any(lengths: list[int], draws: Tensor, rate: float) -> Tensor:
    return torch.cat([(part.min() < rate).expand(len(part)) for part in draws.split(lengths)])


@choose_words.mistake("That's one answer for each word. Give it to each of its characters.")
def _a_word_each(lengths: list[int], draws: Tensor, rate: float) -> Tensor:
    sizes = torch.tensor(lengths)
    return draws[sizes.cumsum(0) - sizes] < rate


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
