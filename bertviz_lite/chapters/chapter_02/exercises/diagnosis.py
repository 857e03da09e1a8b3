"""Which of three broken embedding layers has which mistake."""

from bertviz_lite.exercises import question


@question(
    hints=(
        "A table gives the same row for the same number. Which layer can't tell two places, which two texts?",
        "Before the first layer no word has looked at another. Which one changes with its neighbour?",
        "LayerNorm across the tokens takes a mean over all of them: it's the only way in for a neighbour.",
    ),
    note="So you can test any embedding layer: change one fact, and see whether its vector moves.",
)
def which_is_broken() -> str:
    """Give the letters of three broken layers, in the order of the three mistakes.

    1 every position is 0; 2 the segments are left out; 3 LayerNorm runs across the tokens.
    """
    # 1 is C: the same word has the same vector at another place
    # 2 is A: the same word has the same vector in the other text
    # 3 is B: the vector moves when only a neighbour has changed
    return "CAB"


which_is_broken.mistake(
    "Exchange A and C: without positions another *place* changes nothing, without segments another *text*.",
    "ACB",
)
which_is_broken.mistake(
    "B isn't the first: its vector moves with the place. What else moves it, that shouldn't?", "BAC"
)
which_is_broken.mistake(
    "B isn't the second: its vector moves from one text to the other. What else moves it, that shouldn't?",
    "CBA",
)
which_is_broken.mistake(
    "Neither of the first two: A sees the place, B the text. Which stands still for another place?", "ABC"
)
which_is_broken.mistake(
    "Neither of the first two: B sees the place, C the text. Which stands still for another place?", "BCA"
)
which_is_broken.mistake("The letters in the order of the three mistakes, not the numbers of A to C.", "312")
