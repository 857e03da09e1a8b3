"""Exercises of chapter 12, the whole BERT: the smallest test that finds all seven; one that misses one."""

from bertviz_lite.chapters.chapter_12.small_tests import small_test

_IDS = [[2, 41, 0]]


@small_test(
    passing=(),
    most=3,
    hints=(
        "Which patients are well on one text alone? Each of them needs a token that this text lacks.",
        "Patient 2 needs a token of the second text, patient 5 one of padding. And patient 7?",
        "Two tokens that are read and one that is padding, all in one row; one of them of segment 1.",
    ),
    note="With one token to read, every weight is 1 (patient 7); without padding, nothing is hidden (5).",
)
def finds_all() -> dict[str, list[list[int]]]:
    """Give the smallest batch on which all seven patients differ from the healthy model.

    Smallest is the fewest ids, padding included.
    """
    return {"input_ids": [[2, 41, 0]], "attention_mask": [[1, 1, 0]], "token_type_ids": [[0, 1, 0]]}


finds_all.mistake(
    "Patients 2 and 5 pass: what does each of them do wrong, and which token would show it?",
    {"input_ids": [[2, 41, 3]], "attention_mask": [[1, 1, 1]], "token_type_ids": [[0, 0, 0]]},
)
finds_all.mistake(
    "Patient 2 passes: it takes every token for one of the first text.",
    {"input_ids": _IDS, "attention_mask": [[1, 1, 0]], "token_type_ids": [[0, 0, 0]]},
)
finds_all.mistake(
    "Patient 5 passes: its mistake shows only where a token is hidden.",
    {"input_ids": _IDS, "attention_mask": [[1, 1, 1]], "token_type_ids": [[0, 1, 0]]},
)
finds_all.mistake(
    "Patient 7 passes: with one token to read, every weight is 1, whatever the queries and keys are.",
    {"input_ids": [[2, 0]], "attention_mask": [[1, 0]], "token_type_ids": [[0, 1]]},
)


@small_test(
    passing=(5,),
    most=3,
    hints=(
        "What does patient 5 do to padding, and what remains of that if there is none?",
        "Let every token be read: one number of the attention mask.",
    ),
    note="Such a test is green, and one of the patients goes home ill.",
)
def misses_5() -> dict[str, list[list[int]]]:
    """Change one number of that batch, so that patient 5 passes and the six others do not."""
    return {"input_ids": [[2, 41, 0]], "attention_mask": [[1, 1, 1]], "token_type_ids": [[0, 1, 0]]}


misses_5.mistake(
    "No patient passes, 5 neither: what does it do with tokens that are hidden?",
    {"input_ids": _IDS, "attention_mask": [[1, 1, 0]], "token_type_ids": [[0, 1, 0]]},
)
misses_5.mistake(
    "Patient 2 passes too: its token of the second text must stay.",
    {"input_ids": _IDS, "attention_mask": [[1, 1, 1]], "token_type_ids": [[0, 0, 0]]},
)
misses_5.mistake(
    "Patient 7 passes instead: with one token to read, every weight is 1.",
    {"input_ids": _IDS, "attention_mask": [[1, 0, 0]], "token_type_ids": [[0, 1, 0]]},
)
