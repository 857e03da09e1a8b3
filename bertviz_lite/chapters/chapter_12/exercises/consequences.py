"""Exercises of chapter 12, the whole BERT: what follows from a patient's mistake, said before it is seen."""

from bertviz_lite.exercises import question


@question(
    hints=(
        "In the exam, patient 2 lost the pairs. Which of its tables tells a first text from a second?",
        "Every token gets the vector of segment 0. How many numbers has the row that is left over?",
    ),
    note="It is one row of the segment table. No file and no shape shows that nothing reads it.",
)
def unused_2() -> int:
    """Say how many of patient 2's learned numbers it never uses, whatever the text."""
    hidden_size = 192
    return 1 * hidden_size  # of the segment table's two rows, row 1


unused_2.mistake("That is the whole segment table: one of its two rows is used for every token.", 2 * 192)
unused_2.mistake("It is one row of a table, but a row holds many numbers.", 1)
unused_2.mistake("That is the position table: every position still gets its own row.", 128 * 192)
unused_2.mistake(
    "One of its tables is not read as it should be: which rows are looked up, for a second text too?", 0
)


@question(
    hints=(
        "A weight gets a gradient if a loss depends on it. Which part's result does no head read here?",
        "The NSP head should read pooler_output, and reads the vector of [CLS].",
    ),
    note="The pooled vector is computed, and compare finds it right. But no head reads it.",
)
def untrained_6() -> str:
    """Name the class whose weights get no gradient if patient 6 is trained on hidden words and pairs."""
    return "Pooler"  # its result reaches no loss


for _name, _why in {
    "Heads": "Its classifier does read something, though the wrong vector: so it gets a gradient.",
    "LMHead": "The loss of the hidden words comes straight from it.",
    "Transform": "The LM head's decoder reads it, so the loss of the hidden words depends on it.",
    "Embeddings": "All that comes later depends on them, so both losses do.",
    "Encoder": "Both heads read its last hidden state, so both losses depend on it.",
}.items():
    untrained_6.mistake(_why, _name)
