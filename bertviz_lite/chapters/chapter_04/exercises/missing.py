"""Which of three copies of a model misses which part."""

from bertviz_lite.exercises import question


@question(
    hints=(
        "Start with the easy one: which part does a token need to hear of another word at all?",
        "What keeps the stream from growing? And what carries a token's own notes past attention?",
    ),
    note="Hearing is attention's, the length is LayerNorm's, and the residuals keep tokens apart.",
)
def which_part_is_missing() -> str:
    """Give the letters of the copies without attention, without LayerNorms and without residuals."""
    # without attention it's B: another word moves nothing
    # without LayerNorms it's C: the stream grows from layer to layer
    # without residuals it's A: soon all tokens are the same
    return "BCA"


which_part_is_missing.mistake(
    "Exchange A and C: which stream grows and grows, and in which do all tokens become the same?", "BAC"
)
which_part_is_missing.mistake(
    "C is right. But another word moves the tokens of A: it has its attention. Which copy hears nothing?",
    "ACB",
)
which_part_is_missing.mistake(
    "A is right. But another word moves the tokens of C, so it has its attention. Which copy hears nothing?",
    "CBA",
)
which_part_is_missing.mistake(
    "None is right yet. Which copy's tokens don't move at all when another word changes?", "ABC"
)
which_part_is_missing.mistake(
    "None is right yet. B's tokens don't hear another word, C's stream grows and grows.", "CAB"
)
