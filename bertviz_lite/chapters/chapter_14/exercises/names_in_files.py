"""Exercises of chapter 14: which numbers a class finds in a folder, and which it makes up."""

from bertviz_lite.exercises import question


@question(
    hints=(
        "Which boxes of the diagram are orange for this class? Only those are new.",
        "A Linear layer has a matrix, (labels, hidden_size), and a bias, one number for each label.",
    ),
    note="Of 108.9 million: all others come from the folder. And these few decide what the model says.",
    rtol=1e-9,
)
def new_numbers() -> int:
    """Say how many numbers the library has to make up, since no file holds them.

    AutoModelForTokenClassification opens bert-base-uncased (hidden_size 768, saved from BertForPreTraining)
    with num_labels=9.
    """
    labels, hidden_size = 9, 768
    return labels * hidden_size + labels


new_numbers.mistake("The bias is missing: one number for each label.", 9 * 768)
new_numbers.mistake("The class has two labels only if nothing is said; here there are 9.", 2 * 768 + 2)
new_numbers.mistake("The pooler isn't made up: this class has none.", 9 * 769 + 768 * 769)
new_numbers.mistake("The bias has one number for each label, not for each of hidden_size.", 9 * 768 + 768)


@question(
    hints=(
        "Compare two columns of the diagram: which part has the one class, and not the other?",
        "BertForMaskedLM has no pooler, so the folder holds none. BertModel has one.",
    ),
    note="So pooler_output of such a model is noise, until it is trained. Take last_hidden_state.",
)
def made_up() -> str:
    """Say which part the library makes up: "embeddings", "encoder", "pooler", "LM head" or "nothing".

    Somebody trained a BertForMaskedLM and saved it. You open the folder with AutoModel.
    """
    return "pooler"


made_up.mistake(
    "AutoModel has no LM head. The folder holds one, which is left there: nothing is made up for it.",
    "LM head",
)
made_up.mistake("Every part of BertModel must be in the folder for that. Is it?", "nothing")
made_up.mistake("Both classes have the encoder, so its numbers are in the folder.", "encoder")
made_up.mistake("Both classes have the embeddings, so their numbers are in the folder.", "embeddings")
