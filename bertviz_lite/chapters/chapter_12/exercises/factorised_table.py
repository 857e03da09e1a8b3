"""Exercises of chapter 12, a real BERT: ALBERT's factorised table."""

from bertviz_lite.exercises import Case, exercise


@exercise(
    cases=lambda: [Case(10, 2, 5), Case(30_000, 128, 768), Case(30_522, 64, 1024)],
    hints=(
        "First the table: a row of embedding_size numbers for each token of the vocabulary.",
        "A linear map from a to b numbers has a · b weights and b biases.",
    ),
    note="For ALBERT's sizes, under 4 million; one table of 30,000 rows of 768 has 23 million.",
)
def factorised(vocab_size: int, embedding_size: int, hidden_size: int) -> int:
    """Count ALBERT's word embedding: a table of narrow rows, and a linear map with bias to `hidden_size`."""
    return vocab_size * embedding_size + embedding_size * hidden_size + hidden_size


factorised.mistake("That is BERT's table; ALBERT's rows are embedding_size long.", lambda v, e, h: v * h)
factorised.mistake("The bias of the linear map is missing.", lambda v, e, h: v * e + e * h)
factorised.mistake("That is the table alone; the linear map follows.", lambda v, e, h: v * e)
factorised.mistake(
    "The bias has a number for each output, and there are hidden_size outputs.",
    lambda v, e, h: v * e + e * h + e,
)
