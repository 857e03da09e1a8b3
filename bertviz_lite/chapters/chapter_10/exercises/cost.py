"""Exercises of chapter 10, pre-training: days of computing."""

from bertviz_lite.exercises import question


@question(
    hints=(
        "In training, a token takes about six operations a parameter.",
        "That times the tokens is all operations; divided by those of a second, it's seconds.",
        "A day has 86,400 seconds: 6 · 1e7 · 2e9 / 5e10 / 86,400.",
    ),
    note="A month. BERT-Base, with eleven times the parameters and 21 times the tokens: fifteen years.",
    rtol=0.02,
)
def days() -> float:
    """Say how many days a core takes for 2 billion tokens of a BERT with 10 million parameters.

    The core does 50 billion operations a second, and training takes six a parameter and token.
    """
    return 6 * 10e6 * 2e9 / 50e9 / 86_400


days.mistake("These are seconds.", 6 * 10e6 * 2e9 / 50e9)
days.mistake("These are hours.", 6 * 10e6 * 2e9 / 50e9 / 3_600)
days.mistake(
    "Two operations a parameter are reading alone; training takes six.", 2 * 10e6 * 2e9 / 50e9 / 86_400
)
days.mistake("Each token takes six operations a parameter, not one.", 10e6 * 2e9 / 50e9 / 86_400)
days.mistake("50 billion are 50 · 10⁹, not 50 · 10¹².", 6 * 10e6 * 2e9 / 50e12 / 86_400)
