"""Exercises of chapter 11, fine-tuning: what a new head adds."""

from bertviz_lite.exercises import question


@question(
    hints=(
        "The pooler belongs to the pre-trained body; only the head is new.",
        "A linear map from 768 numbers to 3 has 3 rows of 768 weights, and 3 biases.",
    ),
    note="Of BERT-Base's 109 million, that is one in 47,000. All the others are trained before.",
)
def new_parameters() -> int:
    """Say how many parameters are new when BERT-Base (hidden_size 768) gets a head for 3 labels of texts."""
    return 3 * 768 + 3


new_parameters.mistake("The biases are missing: one for each label.", 3 * 768)
new_parameters.mistake(
    "The pooler is counted too; but it has been pre-trained, it is not new.", 768**2 + 768 + 3 * 768 + 3
)
new_parameters.mistake("The whole body is counted too; it has been pre-trained.", 109_482_240 + 3 * 768 + 3)
