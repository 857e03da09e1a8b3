"""Inputs that a tokenizer made already: checked, and with their tokens.

What a tokenizer returns knows more than the ids: which word and which text each token is of. That is used
where it describes just these ids. For a plain dict of ids, the writing of the tokens says where words begin.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from transformers import BatchEncoding

from bertviz_lite.capture.errors import CaptureError, kind_of
from bertviz_lite.capture.reading import Inputs, make_tokens

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from bertviz_lite.capture.tokens import Ints

_READ = ("input_ids", "attention_mask", "token_type_ids", "decoder_input_ids")
_DESCRIBE = (
    *("special_tokens_mask", "offset_mapping", "length", "overflow_to_sample_mapping"),
    *("overflowing_tokens", "num_truncated_tokens"),
)
"""Entries that say something of the text and are not given to the model."""


def read_inputs(tokenizer: PreTrainedTokenizerBase, inputs: object) -> Inputs:
    """Return ready inputs of one text.

    Parameters
    ----------
    tokenizer
        The tokenizer that made them.
    inputs
        What ``tokenizer(text)`` or ``tokenizer.apply_chat_template(messages)`` returned, or a dict with
        ``input_ids``; lists, arrays or tensors of shape (seq_len,) or (1, seq_len).

    Raises
    ------
    CaptureError
        If they are something else, of several texts, or hold what the capture would have to leave out.
    """
    given: dict[str, Any] = {"input_ids": inputs}
    if isinstance(inputs, Mapping | BatchEncoding):
        given = dict(inputs.items())
    if "input_ids" not in given:
        raise CaptureError(
            f"inputs has {', '.join(map(str, given)) or 'nothing'}, but no input_ids: "
            "give what tokenizer(text) returns."
        )
    for name in given:
        if name not in (*_READ, *_DESCRIBE):
            raise CaptureError(
                f"inputs has {name!s:.40}, which capture() does not pass on to the model: take it out."
            )
    input_ids = _row("input_ids", given["input_ids"])
    _check_ids("input_ids", input_ids)
    mask = _row("attention_mask", given.get("attention_mask"), input_ids)
    if mask is not None and not (np.isin(mask, (0, 1)).all() and mask.any()):
        raise CaptureError(
            "inputs: attention_mask must be 1 for tokens and 0 for padding, with one 1 or more."
        )
    type_ids = _row("token_type_ids", given.get("token_type_ids"), input_ids)
    known = _row("special_tokens_mask", given.get("special_tokens_mask"), input_ids)
    encoding = _encoding_of(inputs, input_ids)
    special = known if encoding is None else encoding.encodings[0].special_tokens_mask  # type: ignore[index]
    tokens = make_tokens(
        tokenizer,
        input_ids,
        special=False if special is None else np.array(special, dtype=bool),
        type_ids=type_ids,
        attention_mask=None if mask is None else mask.astype(bool),
        encoding=encoding,
    )
    if tokens.special.all():
        raise CaptureError("inputs is as good as empty: there is nothing but special tokens.")
    decoder = given.get("decoder_input_ids")
    decoder_tokens = None
    if decoder is not None:
        decoder_ids = _row("decoder_input_ids", decoder)
        _check_ids("decoder_input_ids", decoder_ids)
        decoder_tokens = make_tokens(tokenizer, decoder_ids)
    return Inputs(tokens, type_ids, decoder_tokens, encoding)


def _row(name: str, value: Any, beside: Ints | None = None) -> Any:  # noqa: ANN401
    """Return an entry as int64, (seq_len,), as long as `beside`; None if there is no such entry."""
    if value is None and beside is not None:
        return None
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    try:
        array = np.asarray(value)
    except ValueError:
        raise CaptureError(
            f"inputs: {name} holds {len(value)} rows of different lengths: it must be one text, (seq_len,) "
            "or (1, seq_len). Capture several one by one."
        ) from None
    if array.dtype.kind not in "iub":
        raise CaptureError(
            f"inputs: {name} is {kind_of(value)} of {array.dtype}: whole numbers are needed, "
            "as tokenizer(text) returns them."
        )
    if array.ndim == 2 and len(array) == 1:
        array = array[0]
    if array.ndim != 1 or not len(array):
        raise CaptureError(
            f"inputs: {name} has shape {array.shape}: it must be one text, (seq_len,) or (1, seq_len). "
            "Capture several one by one."
        )
    if beside is not None and len(array) != len(beside):
        raise CaptureError(f"inputs: {name} has {len(array)} entries, input_ids {len(beside)}.")
    return array.astype(np.int64)


def _check_ids(name: str, ids: Ints) -> None:
    """Refuse what is the id of nothing, as the -100 that labels have."""
    wrong = ids[(ids < 0) | (ids >= 1 << 32)]
    if wrong.size:
        raise CaptureError(f"inputs: {name} holds {wrong[0]}, which is no token's id.")


def _encoding_of(inputs: object, input_ids: Ints) -> BatchEncoding | None:
    """Return `inputs` if a fast tokenizer made them and nobody changed the ids since."""
    if not isinstance(inputs, BatchEncoding) or not inputs.is_fast or len(inputs.encodings or ()) != 1:
        return None
    return inputs if inputs.encodings[0].ids == input_ids.tolist() else None  # type: ignore[index]
