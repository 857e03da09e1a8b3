"""A pair of texts: which token belongs to which."""

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
