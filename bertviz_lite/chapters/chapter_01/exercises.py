"""Exercises of chapter 01, tokens: from one question to the search for the fewest pieces.

`which_is_unknown`, `segments`, `plain_words`, `longest_first`, `pad`, `truncate_pair`, `fewest`.
"""

import unicodedata
from collections.abc import Iterator
from functools import partial

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, question


@question(
    hints=(
        "A word becomes [UNK] only if at some place not even a piece of one character fits.",
        "What happens to ï, to ' and to € before the search? A currency sign is no punctuation.",
    ),
    note="€ is neither a letter nor punctuation, so it stays in its word; there is no piece for it.",
)
def which_is_unknown() -> str:
    """Say which of these becomes [UNK]: "qqqqqq", "naïve", "don't" or "5€".

    The vocabulary has a piece for each small English letter, each digit and each mark of punctuation on an
    English keyboard, at the start of a word and, with ##, inside it.
    """
    return "5€"


which_is_unknown.mistake("It falls into six pieces of one letter: long, but known.", "qqqqqq")
which_is_unknown.mistake("The dots are dropped before the search, so it is “naive”.", "naïve")
which_is_unknown.mistake("It is cut at the apostrophe first: three words, each with its pieces.", "don't")


@exercise(
    cases=lambda: [Case(3, 2), Case(1, 4), Case(5, 5), Case(2, 0)],
    hints=(
        "The pair stands as [CLS] first [SEP] second [SEP]. How many tokens does each side have?",
        "[CLS] and the first [SEP] count to the first text, the last [SEP] to the second.",
    ),
)
def segments(first: int, second: int) -> list[int]:
    """Give the token_type_ids of a pair whose texts have `first` and `second` pieces: a list of 0s and 1s."""
    return [0] * (first + 2) + [1] * (second + 1)


segments.mistake(
    "The special tokens are missing: [CLS] and two [SEP] have segments too.", lambda a, b: [0] * a + [1] * b
)
segments.mistake(
    "One [SEP] is missing: each text is closed by one.", lambda a, b: [0] * (a + 1) + [1] * (b + 1)
)
segments.mistake(
    "The first [SEP] is in segment 1: it closes the first text, so it is in segment 0.",
    lambda a, b: [0] * (a + 1) + [1] * (b + 2),
)
segments.mistake(
    "The last [SEP] is in segment 0: it closes the second text.", lambda a, b: [0] * (a + 2) + [1] * b + [0]
)
segments.mistake("The segments are 1 and 2: they count from 0.", lambda a, b: [1] * (a + 2) + [2] * (b + 1))
segments.mistake("The two texts are the wrong way round.", lambda a, b: [1] * (a + 2) + [0] * (b + 1))
segments.mistake(
    "These are two lists, one for each text: the pair has one list, so join them.",
    lambda a, b: [[0] * (a + 2), [1] * (b + 1)],
)


def _plain_cases() -> Iterator[Case]:
    yield Case("Zoë and Éloïse")
    yield Case("Cafe\u0301 or Café")
    yield Case("Ångström ÑANDÚ façade")
    yield Case("straße ﬁn 猫")


def _without_marks(text: str, form: str = "NFD") -> str:
    apart = unicodedata.normalize(form, text)  # type: ignore[arg-type] # one of four, in words
    return "".join(letter for letter in apart if unicodedata.category(letter) != "Mn")


@exercise(
    cases=_plain_cases,
    hints=(
        'unicodedata.normalize("NFD", text) takes letters and their marks apart.',
        'A mark has the category "Mn": keep what has another. Then write all small, and split.',
    ),
    note="Letters that are not a letter and a mark, such as ß, stay as they are.",
)
def plain_words(text: str) -> list[str]:
    """Give the words of a text without accents and in small letters, cut at spaces only."""
    apart = unicodedata.normalize("NFD", text)
    letters = (letter for letter in apart if unicodedata.category(letter) != "Mn")
    return "".join(letters).lower().split()


plain_words.mistake(
    "The accents are still there: lower() changes no accent.", lambda text: text.lower().split()
)
plain_words.mistake("The capitals are still there.", lambda text: _without_marks(text).split())
plain_words.mistake(
    "NFC puts letters and marks together; they must come apart: NFD.",
    lambda text: _without_marks(text, "NFC").lower().split(),
)
plain_words.mistake(
    "NFKD changes more than marks: it makes ﬁ, which is one character, into f and i.",
    lambda text: _without_marks(text, "NFKD").lower().split(),
)
plain_words.mistake(
    "All that is not ASCII is dropped, ß and 猫 too; only marks should go.",
    lambda text: unicodedata.normalize("NFD", text).encode("ascii", "ignore").decode().lower().split(),
)
plain_words.mistake(
    "Letters with an accent are dropped whole: take them apart first, then drop the mark alone.",
    lambda text: text.encode("ascii", "ignore").decode().lower().split(),
)
plain_words.mistake(
    "The letters are apart, but the marks are still there.",
    lambda text: unicodedata.normalize("NFD", text).lower().split(),
)
plain_words.mistake(
    "casefold() goes further than small letters: it makes ß into ss.",
    lambda text: _without_marks(text).casefold().split(),
)


_PIECES = (
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
_VOCABULARY = {piece: 10 + index for index, piece in enumerate(_PIECES)}


def _word_cases() -> Iterator[Case]:
    seen = ", ".join(_PIECES)
    for word in ("unties", "ties", "unwrapped", "tied", "wrap", "s", "unwrapp", "unx"):
        yield Case(word, dict(_VOCABULARY), label=f"word = {word!r}, the vocabulary: {seen}")


@exercise(
    cases=_word_cases,
    hints=(
        "Two loops: the outer runs while there is a rest of the word, the inner makes the candidate shorter.",
        "A candidate at the start of the word is word[:stop]; later it is '##' + word[start:stop].",
        "If not even one character is in the vocabulary, forget what was found: the answer is ['[UNK]'].",
    ),
    note="This is all that a WordPiece tokenizer does with a word.",
)
def longest_first(word: str, vocabulary: dict[str, int]) -> list[str]:
    """Cut a word into pieces: the longest that is in the vocabulary, then the same again for the rest.

    Pieces inside a word carry ## in the vocabulary. Where nothing fits, the whole word is ["[UNK]"].
    """
    pieces, start = [], 0
    while start < len(word):
        for stop in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:stop]
            if piece in vocabulary:
                break
        else:
            return ["[UNK]"]
        pieces.append(piece)
        start = stop
    return pieces


def _cut(
    word: str,
    vocabulary: dict[str, int],
    *,
    prefix: str = "##",
    shortest: bool = False,
    partly: str = "",
    bare: bool = False,
    mixed: bool = False,
    whole: bool = True,
) -> list[str]:
    pieces: list[str] = []
    start = 0
    while start < len(word):
        stops = range(start + 1, len(word) + 1) if shortest else range(len(word) - (not whole), start, -1)
        begin = prefix if start else ""
        found = [stop for stop in stops if begin + word[start:stop] in vocabulary]
        if mixed and not found:
            begin = "" if start else "##"
            found = [stop for stop in stops if begin + word[start:stop] in vocabulary]
        if not found:
            return {"": ["[UNK]"], "keep": pieces, "end": [*pieces, "[UNK]"]}[partly]
        pieces.append(("" if bare else begin) + word[start : found[0]])
        start = found[0]
    return pieces


longest_first.mistake(
    "The candidates inside a word have no ##: there, the vocabulary writes them with it.",
    partial(_cut, prefix=""),
)
longest_first.mistake(
    "This takes the shortest piece that fits: begin with the whole rest and make it shorter.",
    partial(_cut, shortest=True),
)
longest_first.mistake(
    "Where the search fails, the pieces found before are kept: the whole word is one [UNK].",
    partial(_cut, partly="end"),
)
longest_first.mistake(
    "Where the search fails, the rest of the word is lost without a trace: give ['[UNK]'].",
    partial(_cut, partly="keep"),
)
longest_first.mistake(
    "The pieces are right but for their ##, which is a part of their name.", partial(_cut, bare=True)
)
longest_first.mistake(
    "At the start of a word, pieces with ## are taken, or plain ones inside: these are other pieces.",
    partial(_cut, mixed=True),
)
longest_first.mistake(
    "The whole rest of the word is never tried: the first candidate is the rest with its last letter.",
    partial(_cut, whole=False),
)
longest_first.mistake(
    "These are the letters one by one: the search looks for the longest piece.",
    lambda word, vocabulary: [word[0], *("##" + letter for letter in word[1:])],
)


def _pad_cases() -> Iterator[Case]:
    yield Case([[2, 7, 8, 3], [2, 9, 3]], 0)
    yield Case([[2, 3], [2, 5, 6, 7, 3], [2, 4, 3]], 1)
    yield Case([[101, 0, 102], [101, 12, 13, 14, 102]], 0)


def _longest(rows: list[list[int]]) -> int:
    return max(map(len, rows))


def _masked(rows: list[list[int]], real: int = 1) -> Tensor:
    return torch.tensor([[real] * len(row) + [1 - real] * (_longest(rows) - len(row)) for row in rows])


def _filled(rows: list[list[int]], pad_id: int) -> Tensor:
    return torch.tensor([row + [pad_id] * (_longest(rows) - len(row)) for row in rows])


def _left(rows: list[list[int]], fill: int, real: int | None = None) -> Tensor:
    inner = rows if real is None else [[real] * len(row) for row in rows]
    return torch.tensor([[fill] * (_longest(rows) - len(row)) + row for row in inner])


@exercise(
    cases=_pad_cases,
    hints=(
        "How long is the longest row? Every other gets as many pad_id at its end as it lacks.",
        "The mask has the shape of the ids: 1 for what was in the row, 0 for what was added.",
        "torch.tensor(list of equally long lists) makes the rectangle.",
    ),
    note="The mask comes from the lengths, not from the ids: the id of [PAD] may stand in a text.",
)
def pad(rows: list[list[int]], pad_id: int) -> tuple[Tensor, Tensor]:
    """Make a rectangle of rows of ids: (input_ids, attention_mask), both of shape (batch, longest row).

    Short rows are filled up at the end with `pad_id`; the mask is 1 for real tokens and 0 for padding.
    """
    longest = max(len(row) for row in rows)
    input_ids = [row + [pad_id] * (longest - len(row)) for row in rows]
    attention_mask = [[1] * len(row) + [0] * (longest - len(row)) for row in rows]
    return torch.tensor(input_ids), torch.tensor(attention_mask)


pad.mistake(
    "The mask is the wrong way round: 1 is for real tokens.",
    lambda rows, pad_id: (_filled(rows, pad_id), _masked(rows, real=0)),
)
pad.mistake(
    "The rows are filled up at the start; positions count from the first token, so fill up at the end.",
    lambda rows, pad_id: (_left(rows, pad_id), _left(rows, 0, real=1)),
)
pad.mistake(
    "The rows are cut to the shortest: nothing may be lost, so fill the others up.",
    lambda rows, pad_id: (
        torch.tensor([row[: min(map(len, rows))] for row in rows]),
        torch.ones(len(rows), min(map(len, rows)), dtype=torch.int64),
    ),
)
pad.mistake(
    "The padding is always 0: use pad_id, which is another number in another vocabulary.",
    lambda rows, pad_id: (_filled(rows, 0), _masked(rows)),
)
pad.mistake(
    "The mask is made from the ids, so a real token with the id pad_id is masked: go by the lengths.",
    lambda rows, pad_id: (_filled(rows, pad_id), (_filled(rows, pad_id) != pad_id).long()),
)
pad.mistake(
    "The mask is 1 everywhere: the model would read the padding.",
    lambda rows, pad_id: (_filled(rows, pad_id), torch.ones_like(_filled(rows, pad_id))),
)
pad.mistake(
    "Only the ids are given: the mask is asked for too, as (input_ids, attention_mask).",
    _filled,
)
pad.mistake(
    "The two are the wrong way round: input_ids come first, then attention_mask.",
    lambda rows, pad_id: (_masked(rows), _filled(rows, pad_id)),
)
pad.mistake(
    "The rows still differ in length, so they make no rectangle.",
    lambda rows, pad_id: (rows, [[1] * len(row) for row in rows]),
)


def _pair_cases() -> Iterator[Case]:
    yield Case(["the", "red", "kite", "flies"], ["it", "is", "new"], 8)
    yield Case(["tom", "eats"], ["he", "was", "hungry", "all", "day"], 6)
    yield Case(["a", "b", "c", "d", "e", "f"], ["u", "v", "w", "x", "y", "z"], 12)
    yield Case(["a", "b"], ["c"], 9)
    yield Case(["tom", "eats"], ["he", "was", "so", "very", "hungry", "this", "morning"], 10)


def _cut_pair(
    first: list[str], second: list[str], room: int, *, tie: int = 1, front: bool = False
) -> tuple[list[str], list[str]]:
    pair = (list(first), list(second))
    while len(pair[0]) + len(pair[1]) > room:
        longer = tie if len(pair[0]) == len(pair[1]) else int(len(pair[1]) > len(pair[0]))
        del pair[longer][0 if front else -1]
    return pair


@exercise(
    cases=_pair_cases,
    hints=(
        "How many tokens are left for pieces once [CLS] and two [SEP] have theirs?",
        "while len(first) + len(second) > room: take the last piece off the longer one.",
        "Work on copies, such as list(first): the lists that are given should stay as they are.",
    ),
    note="Google's code does it so: a piece of a short text says more than one more piece of a long one.",
)
def truncate_pair(first: list[str], second: list[str], max_length: int) -> tuple[list[str], list[str]]:
    """Shorten two texts until [CLS] first [SEP] second [SEP] has at most `max_length` tokens.

    Take one piece at a time off the end of the longer text; if both are equally long, off the second.
    """
    first, second = list(first), list(second)
    while len(first) + len(second) + 3 > max_length:
        if len(first) > len(second):
            first.pop()
        else:
            second.pop()
    return first, second


truncate_pair.mistake("The three special tokens are forgotten: they need room too.", _cut_pair)
truncate_pair.mistake(
    "Only two special tokens are counted: [CLS] and a [SEP] for each text are three.",
    lambda a, b, most: _cut_pair(a, b, most - 2),
)
truncate_pair.mistake(
    "If both are equally long, the first is cut; it should be the second.",
    lambda a, b, most: _cut_pair(a, b, most - 3, tie=0),
)
truncate_pair.mistake(
    "Pieces are taken off the start of a text; take them off its end.",
    lambda a, b, most: _cut_pair(a, b, most - 3, front=True),
)
truncate_pair.mistake(
    "Only the second text is cut, however short it is; take from the longer one.",
    lambda a, b, most: (list(a), b[: max(0, most - 3 - len(a))]),
)
truncate_pair.mistake(
    "Both get half of the room, even where one does not need it.",
    lambda a, b, most: (a[: (most - 3) // 2], b[: (most - 3) // 2]),
)
truncate_pair.mistake(
    "One piece too many is taken off: the pair may have max_length tokens, not one less.",
    lambda a, b, most: _cut_pair(a, b, most - 4),
)
truncate_pair.mistake(
    "Only the text that is longer at first is cut; look again after each piece which one is longer.",
    lambda a, b, most: (
        (a[: most - 3 - len(b)], list(b)) if len(a) > len(b) else (list(a), b[: most - 3 - len(a)])
    ),
)
truncate_pair.mistake("Nothing is cut.", lambda a, b, most: (list(a), list(b)))


def _fewest_cases() -> Iterator[Case]:
    caught = ("ca", "##ug", "##h", "##t", "##ught", "c", "##a", "caug")
    falls = ("f", "##al", "##l", "##s", "##alls", "fa", "##lls", "fal")
    for word, pieces in (
        ("caught", caught),
        ("falls", falls),
        ("fall", falls),
        ("tug", caught),
        ("f", falls),
    ):
        vocabulary = {piece: 10 + index for index, piece in enumerate(pieces)}
        yield Case(word, vocabulary, label=f"word = {word!r}, the vocabulary: {', '.join(pieces)}")


@exercise(
    cases=_fewest_cases,
    hints=(
        "Let best[i] be the fewest pieces for word[:i]; best[0] is 0.",
        "word[:i] ends with some piece word[j:i]: best[i] is the smallest best[j] + 1 of all j that fit.",
        "Start with infinity for what cannot be reached; give 1, for [UNK], if the end cannot be.",
    ),
    note="For n letters this takes n(n + 1)/2 looks; the greedy search takes that many only for a word of "
    "single letters, but it never goes back, so it can miss the fewest.",
)
def fewest(word: str, vocabulary: dict[str, int]) -> int:
    """Give the smallest number of pieces that a word can be cut into; 1, for [UNK], if it cannot be cut.

    As ever, pieces inside a word carry ##. The greedy search does not always find that few.
    """
    best = [0.0] + [float("inf")] * len(word)
    for stop in range(1, len(word) + 1):
        for start in range(stop):
            if ("##" if start else "") + word[start:stop] in vocabulary:
                best[stop] = min(best[stop], best[start] + 1)
    return int(best[-1]) if best[-1] < float("inf") else 1


def _fewest(
    word: str, vocabulary: dict[str, int], *, prefix: str = "##", none: float = 1, most: bool = False
) -> float:
    missing = -1 if most else len(word) + 1
    best = [0] + [missing] * len(word)
    for stop in range(1, len(word) + 1):
        ways = [
            best[start] + 1
            for start in range(stop)
            if (prefix if start else "") + word[start:stop] in vocabulary and best[start] != missing
        ]
        if ways:
            best[stop] = max(ways) if most else min(ways)
    return none if best[-1] == missing else best[-1]


fewest.mistake(
    "This is the number that the greedy search finds; there is a way with fewer.",
    lambda word, vocabulary: len(_cut(word, vocabulary)),
)
fewest.mistake("This is the largest number of pieces, not the smallest.", partial(_fewest, most=True))
fewest.mistake(
    "The pieces inside the word have no ##: there, the vocabulary writes them with it.",
    partial(_fewest, prefix=""),
)
fewest.mistake(
    "A word that cannot be cut becomes one token, [UNK], so it counts 1.", partial(_fewest, none=0)
)
fewest.mistake(
    "What cannot be reached is still infinity at the end: such a word is one token, [UNK].",
    partial(_fewest, none=float("inf")),
)
