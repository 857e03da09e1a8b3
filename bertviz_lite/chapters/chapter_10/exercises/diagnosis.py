"""Exercises of chapter 10, pre-training: which log belongs to which training."""

from bertviz_lite.exercises import question


@question(
    hints=(
        "No text tells every hidden word for sure; but one in sight can be copied, a text learned by heart.",
        "A model that can't tell one gap from another learns how frequent each word is; then it stops.",
        "D has only one batch to learn, by heart. B copies what is in sight. E never comes as low as A.",
    ),
    note="D and B end far below C, and are the worse trainings. A ends where the words' frequencies alone "
    "would bring it: 3.83. D is of use all the same: a loop that can't learn one batch by heart has a bug. "
    "Try that before any long run.",
)
def diagnosis() -> str:
    """Give the letters of five logs, in the order of the five trainings.

    1 as it should be; 2 a learning rate of a hundredth; 3 the same batch at every step; 4 the answers mixed
    up among the gaps; 5 every token scored, hidden or not.
    """
    # 1 is C: it falls far, and stays above 0, since no text tells every hidden word for sure
    # 2 is E: it falls as if in slow motion, and hasn't even come down to the words' frequencies
    # 3 is D: it comes to 0, which only the same gaps, learned by heart, allow
    # 4 is A: it stops at 3.83, where the words' frequencies alone bring it
    # 5 is B: it ends between C and D, for most of what is scored stands in sight, to be copied
    return "CEDAB"


diagnosis.mistake(
    "D isn't the good one: it comes to 0, and no text tells every hidden word for sure.", "DECAB"
)
diagnosis.mistake(
    "B isn't the good one: it's the loss of tokens in sight, too, and these can be copied.", "BEDAC"
)
diagnosis.mistake(
    "Exchange B and D: to copy what's in sight leaves the hidden words as hard as before; one batch can be "
    "learned by heart, hidden words and all.",
    "CEBAD",
)
diagnosis.mistake(
    "Exchange A and E: A falls fast, then stops, as if there were nothing more to learn; E is slow.",
    "CADEB",
)
diagnosis.mistake("The letters in the order of the five trainings, not the numbers of A to E.", "45132")
diagnosis.mistake(
    "These are the curves from the highest to the lowest; give them in the order of the five trainings.",
    "EACBD",
)
