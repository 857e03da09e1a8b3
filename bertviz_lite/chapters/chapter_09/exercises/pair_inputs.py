"""Exercises of chapter 09, the NSP head: how two texts become one input."""

from bertviz_lite.exercises import Case, exercise


@exercise(
    cases=lambda: [
        Case([11, 12, 13], [21, 22], 2, 3),
        Case([5], [6, 7, 8, 9], 101, 102),
        Case([7, 7], [7], 1, 0),
    ],
    hints=(
        "The order is [CLS] A [SEP] B [SEP].",
        "The first [SEP] still belongs to segment 0, the last one to segment 1.",
    ),
    note="It is what tokenizer(a, b) makes of two texts.",
)
def pair_input(first: list[int], second: list[int], cls_id: int, sep_id: int) -> tuple[list[int], list[int]]:
    """Make (input_ids, token_type_ids) of the ids of A and those of B, as two lists."""
    input_ids = [cls_id, *first, sep_id, *second, sep_id]
    return input_ids, [0] * (len(first) + 2) + [1] * (len(second) + 1)


pair_input.mistake(
    "The first [SEP] is in segment 1; it closes A, so it belongs to segment 0.",
    lambda a, b, c, s: ([c, *a, s, *b, s], [0] * (len(a) + 1) + [1] * (len(b) + 2)),
)
pair_input.mistake(
    "The last [SEP] is in segment 0; it closes B, so it belongs to segment 1.",
    lambda a, b, c, s: ([c, *a, s, *b, s], [0] * (len(a) + 2) + [1] * len(b) + [0]),
)
pair_input.mistake(
    "All positions are in segment 0: that is one text, not a pair.",
    lambda a, b, c, s: ([c, *a, s, *b, s], [0] * (len(a) + len(b) + 3)),
)
pair_input.mistake(
    "The [SEP] at the end is missing.",
    lambda a, b, c, s: ([c, *a, s, *b], [0] * (len(a) + 2) + [1] * len(b)),
)
pair_input.mistake(
    "The [SEP] between A and B is missing.",
    lambda a, b, c, s: ([c, *a, *b, s], [0] * (len(a) + 1) + [1] * (len(b) + 1)),
)
pair_input.mistake(
    "B has a [CLS] of its own; there is one [CLS], at the start.",
    lambda a, b, c, s: ([c, *a, s, c, *b, s], [0] * (len(a) + 2) + [1] * (len(b) + 2)),
)
pair_input.mistake(
    "The [CLS] at the start is missing.",
    lambda a, b, c, s: ([*a, s, *b, s], [0] * (len(a) + 1) + [1] * (len(b) + 1)),
)
