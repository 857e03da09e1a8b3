"""A word cut into word pieces: the longest first but from its end, and the fewest."""

from collections.abc import Iterator
from functools import partial

from bertviz_lite.exercises import Case, exercise

_WORD_PIECES = (
    "un",
    "untie",
    "##ti",
    "##tie",
    "##ties",
    "##s",
    "##e",
    "ti",
    "ties",
    "t",
    "s",
    "##wrap",
    "##ped",
    "##p",
)


_VOCABULARY = {piece: 10 + index for index, piece in enumerate(_WORD_PIECES)}


def _word_cases() -> Iterator[Case]:
    seen = ", ".join(_WORD_PIECES)
    for word in ("unties", "ties", "tie", "unwrapped", "stie", "tied", "s", "unwrapp", "xties"):
        yield Case(word, dict(_VOCABULARY), label=f"word = {word!r}, the vocabulary: {seen}")


@exercise(
    cases=_word_cases,
    hints=(
        "Two loops: the outer runs while a rest of the word is left, the inner makes the candidate shorter.",
        "Try word[0:stop], then word[1:stop], and so on. All but word[0:stop] carry '##' in the vocabulary.",
        "Each new token stands before those you have. If no candidate fits, the answer is ['[UNK]'].",
    ),
    note="The direction matters: unties is untie ##s from the start and un ##ties from the end. Neither way "
    "looks for the fewest tokens.",
)
def from_the_end(word: str, vocabulary: dict[str, int]) -> list[str]:
    """Cut a word from its end: the longest word piece that ends it, then the same for what stands before.

    Word pieces inside a word carry ## in the vocabulary. Where nothing fits, the whole word is ["[UNK]"].
    """
    tokens: list[str] = []
    stop = len(word)
    while stop > 0:
        for start in range(stop):
            token = ("##" if start else "") + word[start:stop]
            if token in vocabulary:
                break
        else:
            return ["[UNK]"]
        tokens.insert(0, token)
        stop = start
    return tokens


def _cut(word: str, vocabulary: dict[str, int]) -> list[str]:
    """Cut a word from its start, as BERT does."""
    tokens: list[str] = []
    start = 0
    while start < len(word):
        begin = "##" if start else ""
        stops = range(len(word), start, -1)
        fitting = [stop for stop in stops if begin + word[start:stop] in vocabulary]
        if not fitting:
            return ["[UNK]"]
        tokens.append(begin + word[start : fitting[0]])
        start = fitting[0]
    return tokens


def _cut_back(
    word: str,
    vocabulary: dict[str, int],
    *,
    prefix: str = "##",
    shortest: bool = False,
    partly: str = "",
    bare: bool = False,
    as_found: bool = False,
) -> list[str]:
    tokens: list[str] = []
    stop = len(word)
    while stop > 0:
        starts = range(stop - 1, -1, -1) if shortest else range(stop)
        fitting = [start for start in starts if (prefix if start else "") + word[start:stop] in vocabulary]
        if not fitting:
            return {"": ["[UNK]"], "keep": tokens, "end": ["[UNK]", *tokens]}[partly]
        start = fitting[0]
        token = ("" if bare or not start else prefix) + word[start:stop]
        tokens = [*tokens, token] if as_found else [token, *tokens]
        stop = start
    return tokens


from_the_end.mistake("This cuts from the start, as BERT does: begin with what ends the word.", _cut)
from_the_end.mistake(
    "The tokens are in the order in which they were found: the last one of the word should stand last.",
    partial(_cut_back, as_found=True),
)
from_the_end.mistake(
    "The candidates inside a word have no ##: there, the vocabulary writes them with it.",
    partial(_cut_back, prefix=""),
)
from_the_end.mistake(
    "This takes the shortest word piece that fits: begin with all that is left and make it shorter.",
    partial(_cut_back, shortest=True),
)
from_the_end.mistake(
    "Where the search fails, the tokens so far are kept: the whole word is one [UNK].",
    partial(_cut_back, partly="end"),
)
from_the_end.mistake(
    "Where the search fails, a part of the word is lost without a trace: give ['[UNK]'].",
    partial(_cut_back, partly="keep"),
)
from_the_end.mistake(
    "The tokens are right but for their ##, which is a part of their name.", partial(_cut_back, bare=True)
)


def _fewest_cases() -> Iterator[Case]:
    caught = ("ca", "##ug", "##h", "##t", "##ught", "c", "##a", "caug")
    falls = ("f", "##al", "##l", "##s", "##alls", "fa", "##lls", "fal")
    for word, word_pieces in (
        ("caught", caught),
        ("falls", falls),
        ("fall", falls),
        ("tug", caught),
        ("f", falls),
    ):
        vocabulary = {piece: 10 + index for index, piece in enumerate(word_pieces)}
        yield Case(word, vocabulary, label=f"word = {word!r}, the vocabulary: {', '.join(word_pieces)}")


@exercise(
    cases=_fewest_cases,
    hints=(
        "Let best[i] be the fewest tokens for word[:i]; best[0] is 0.",
        "word[:i] ends with a word piece word[j:i]: best[i] is the smallest best[j] + 1 of all j that fit.",
        "Start with infinity for what cannot be reached; give 1, for [UNK], if the end cannot be.",
    ),
    note="For n letters this always takes n(n + 1)/2 look-ups. The greedy search takes so many only where "
    "it gets on letter by letter to the last; for a word that is an entry it takes one, and most words of a "
    "text are. "
    "The price: it never goes back, so it can miss the fewest.",
)
def fewest(word: str, vocabulary: dict[str, int]) -> int:
    """Give the smallest number of tokens that a word can be cut into; 1, for [UNK], if it cannot be cut.

    As ever, word pieces inside a word carry ##. The greedy search does not always find that few.
    """
    # Look-ups: 1 + 2 + ... + n = n(n + 1)/2, whatever the word. The greedy search takes so many only where
    # it gets on letter by letter to the last, and one for a word that is an entry.
    best = [0.0] + [float("inf")] * len(word)
    for stop in range(1, len(word) + 1):
        for start in range(stop):
            if ("##" if start else "") + word[start:stop] in vocabulary:
                best[stop] = min(best[stop], best[start] + 1)
    return int(best[-1]) if best[-1] < float("inf") else 1


def _fewest(word: str, vocabulary: dict[str, int], *, prefix: str = "##", none: float = 1) -> float:
    missing = len(word) + 1
    best = [0] + [missing] * len(word)
    for stop in range(1, len(word) + 1):
        ways = [
            best[start] + 1
            for start in range(stop)
            if (prefix if start else "") + word[start:stop] in vocabulary and best[start] != missing
        ]
        if ways:
            best[stop] = min(ways)
    return none if best[-1] == missing else best[-1]


fewest.mistake(
    "This is the number that the greedy search finds; there is a way with fewer.",
    lambda word, vocabulary: len(_cut(word, vocabulary)),
)
fewest.mistake(
    "The word pieces inside the word have no ##: there, the vocabulary writes them with it.",
    partial(_fewest, prefix=""),
)
fewest.mistake(
    "A word that cannot be cut becomes one token, [UNK], so it counts 1.", partial(_fewest, none=0)
)
fewest.mistake(
    "What cannot be reached is still infinity at the end: such a word is one token, [UNK].",
    partial(_fewest, none=float("inf")),
)
