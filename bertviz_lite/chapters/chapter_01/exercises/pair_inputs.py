"""A pair of texts: its segments, and what is cut off where it is too long."""

from collections.abc import Iterator

from bertviz_lite.exercises import Case, exercise


@exercise(
    cases=lambda: [Case(3, 2), Case(1, 4), Case(5, 5), Case(2, 0)],
    hints=(
        "The pair is [CLS] first [SEP] second [SEP]. How many tokens does each side have?",
        "[CLS] and the first [SEP] count to the first text, the last [SEP] to the second.",
    ),
)
def segments(first: int, second: int) -> list[int]:
    """Give the token_type_ids of a pair whose texts have `first` and `second` tokens: a list of 0s and 1s."""
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
        "How many tokens are left for the texts once [CLS] and two [SEP] have theirs?",
        "while len(first) + len(second) > room: take the last token off the longer one.",
        "Work on copies, such as list(first): the lists that are given should stay as they are.",
    ),
    note="Google's code does it so: a token of a short text says more than one more of a long one.",
)
def truncate_pair(first: list[str], second: list[str], max_length: int) -> tuple[list[str], list[str]]:
    """Shorten two texts until [CLS] first [SEP] second [SEP] has at most `max_length` tokens.

    Take one token at a time off the end of the longer text; if both are equally long, off the second.
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
    "Only the second text is cut, however short it is; take from the longer one.",
    lambda a, b, most: (list(a), b[: max(0, most - 3 - len(a))]),
)
truncate_pair.mistake(
    "Both get half of the room, even where one does not need it.",
    lambda a, b, most: (a[: (most - 3) // 2], b[: (most - 3) // 2]),
)
truncate_pair.mistake(
    "One token too many is taken off: the pair may have max_length tokens, not one less.",
    lambda a, b, most: _cut_pair(a, b, most - 4),
)
truncate_pair.mistake(
    "Only the text that is longer at first is cut; look again after each token which one is longer.",
    lambda a, b, most: (
        (a[: most - 3 - len(b)], list(b)) if len(a) > len(b) else (list(a), b[: most - 3 - len(a)])
    ),
)
