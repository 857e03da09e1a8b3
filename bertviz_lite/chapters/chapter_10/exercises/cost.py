"""Exercises of chapter 10, pre-training: days of computing."""

from bertviz_lite.exercises import question


@question(
    hints=(
        "Operations divided by operations per second are seconds.",
        "A day has 86,400 seconds: 1e20 / 5e10 / 86,400.",
    ),
    note="More than sixty years. All of BERT-Base was about a quarter of that.",
    rtol=0.02,
)
def days() -> float:
    """Say how many days 10²⁰ operations take on a machine that makes 50 billion of them in a second."""
    return 1e20 / 50e9 / 86_400


days.mistake("These are seconds.", 1e20 / 50e9)
days.mistake("These are hours.", 1e20 / 50e9 / 3_600)
days.mistake("These are years.", 1e20 / 50e9 / 86_400 / 365)
days.mistake("50 billion are 50 · 10⁹, not 50 · 10¹².", 1e20 / 50e12 / 86_400)
