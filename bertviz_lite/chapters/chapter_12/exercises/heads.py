"""Exercises of chapter 12, the whole BERT: the parameters of the heads."""

from bertviz_lite.exercises import question


@question(
    hints=(
        "The LM head: a linear map, a LayerNorm, the decoder, a bias for each word. Which of them is new?",
        "The decoder is the token table, which is counted already. The NSP head has two rows and two biases.",
    ),
    note="110,106,428 with the heads, 109,482,240 without: this is what lies between.",
    rtol=1e-9,
)
def head_parameters() -> int:
    """Say how many parameters the two heads of pre-training add to BERT-Base.

    hidden_size is 768, vocab_size 30,522; the decoder is tied; the pooler is no part of the heads.
    """
    hidden_size, vocab_size = 768, 30_522
    transform = hidden_size * hidden_size + hidden_size + 2 * hidden_size
    return transform + vocab_size + 2 * hidden_size + 2


_H, _V = 768, 30_522
_TABLE, _ALL = _V * _H, 624_188
head_parameters.mistake(
    "The decoder is counted; it is the token table, which is there already.", _ALL + _TABLE
)
head_parameters.mistake("The pooler is counted; it belongs to the model without heads.", _ALL + _H * _H + _H)
head_parameters.mistake("The LM head has a bias for each word.", _ALL - _V)
head_parameters.mistake("The LayerNorm of the transform is missing.", _ALL - 2 * _H)
head_parameters.mistake("The NSP head is missing.", _ALL - 2 * _H - 2)
