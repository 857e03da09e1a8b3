"""The errors of `whole_bert.py` for a config and for input that does not fit, one line each."""

from torch import Tensor
from transformers import BertConfig

_KNOWN = {"hidden_act": "gelu", "is_decoder": False, "tie_word_embeddings": True}


def check_config(config: BertConfig, with_heads: bool) -> None:
    """See that the page computes what the config asks for: else it would run, and give other numbers.

    Raises
    ------
    ValueError
        One line: what it is, and what the page knows. (Without heads there is nothing to tie.)
    """
    for name, known in _KNOWN.items():
        value = getattr(config, name)
        if value != known and (with_heads or name != "tie_word_embeddings"):
            raise ValueError(f"{name} is {value!r}: this page knows {known!r} only.")


def check_shapes(
    config: BertConfig, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor
) -> None:
    """See that all three are (batch, seq_len), and no longer than the position table.

    Raises
    ------
    ValueError
        One line: what it is, what is needed, the fix.
    """
    shape, rows = tuple(input_ids.shape), config.max_position_embeddings
    if len(shape) != 2:
        raise ValueError(f"input_ids is {shape}: (batch, seq_len) is needed. For one text: input_ids[None].")
    for name, ids in (("attention_mask", attention_mask), ("token_type_ids", token_type_ids)):
        if tuple(ids.shape) != shape:
            raise ValueError(
                f"{name} is {tuple(ids.shape)}, input_ids {shape}: take both from one tokenizer call."
            )
    if shape[1] > rows:
        raise ValueError(f"seq_len is {shape[1]}, the position table has {rows} rows: cut the text.")


def no_such_row(config: BertConfig, input_ids: Tensor, token_type_ids: Tensor) -> ValueError:
    """Make the error for an id that has no row in its table (looked for only when a look-up has failed)."""
    name, ids, rows = "input_ids", input_ids, config.vocab_size
    if 0 <= int(ids.min()) <= int(ids.max()) < rows:
        name, ids, rows = "token_type_ids", token_type_ids, config.type_vocab_size
    return ValueError(
        f"{name} go from {int(ids.min())} to {int(ids.max())}, their table has the rows 0 to {rows - 1}: "
        "take them from this model's tokenizer."
    )
