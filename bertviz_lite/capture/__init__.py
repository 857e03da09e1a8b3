"""One honest forward pass: tokens, attention weights, hidden states, and why the weights are what they are.

>>> from bertviz_lite import capture, load
>>> tokenizer, model = load("pocket")
>>> seen = capture(model, tokenizer, "The farmer finds the key.")
>>> seen.tokens
('[CLS]', 'the', 'farmer', 'finds', 'the', 'key', '.', '[SEP]')
>>> len(seen.attentions), seen.attentions[0].shape
(4, (6, 8, 8))

The weights are those of the library's own eager attention, never None and never of a second run. Left out:
batches (capture one text at a time), generation, and models that do not read text.

This file imports nothing heavy; the rest is imported on first use. The room and the function have one name:
the module can be called.
"""

from __future__ import annotations

from importlib import import_module

from bertviz_lite.basics.callable_module import make_callable

TYPE_CHECKING = False  # as typing.TYPE_CHECKING; importing that would take longer than all the rest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from bertviz_lite.capture.errors import CaptureError
    from bertviz_lite.capture.forward_pass import Maps, Pass, Scores
    from bertviz_lite.capture.result import Capture
    from bertviz_lite.capture.tokens import Tokens

_MODULE_OF = {
    "Capture": "result",
    "CaptureError": "errors",
    "Maps": "forward_pass",
    "Pass": "forward_pass",
    "Scores": "forward_pass",
    "Tokens": "tokens",
}

__all__ = ["Capture", "CaptureError", "Maps", "Pass", "Scores", "Tokens", "capture"]


def capture(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    text: str | Sequence[str] | None = None,
    text_pair: str | Sequence[str] | None = None,
    *,
    inputs: object = None,
    is_split_into_words: bool = False,
    pad_to: int | None = None,
) -> Capture:
    """Run a model once over a text, and keep what it attends to.

    Whatever attention the model runs on (SDPA, flash, …), it runs on eager attention for this one pass:
    in evaluation mode, without gradients, on the device that it is on. All of that is put back, after an
    error too. The text is tokenized as ``tokenizer(text, text_pair)`` does it, and nothing is cut off.

    Parameters
    ----------
    model
        A model of ``transformers`` that reads text: an encoder (BERT, RoBERTa, DistilBERT, ALBERT, ELECTRA,
        ModernBERT, …), a decoder (GPT-2, Llama, …) or both (T5, BART, …), with or without a head.
    tokenizer
        The tokenizer that belongs to it.
    text
        One string; with `is_split_into_words` a list of words. What a tokenizer returned already is no text:
        ``capture(model, tokenizer, inputs=batch)``. Of a model with an encoder and a decoder the encoder
        reads it.
    text_pair
        A second text, which gets segment 1. A decoder beside an encoder reads it after its start token (the
        token that ends it left out); without it, such a decoder reads its start token only.
    inputs
        In place of a text: what ``tokenizer(text, …)`` or ``tokenizer.apply_chat_template(messages, …)``
        returned for one text (truncated and padded as you like), or a dict with ``input_ids`` and, if there
        are such, ``attention_mask``, ``token_type_ids``, ``decoder_input_ids``; of shape (seq_len,) or
        (1, seq_len).
    is_split_into_words
        True if `text` and `text_pair` are lists of words, as data sets for tagging have them.
    pad_to
        Fill up with padding on the right to that many tokens.

    Returns
    -------
    Capture
        All weights and vectors as float32, whatever the model computes in. ``Maps.scores`` is None where
        ``softmax(scaling * queries @ keys.T + bias)``, computed in float32, is not within 1e-5 of the
        weights (half precision), and for a model that does not choose its attention function by name.

    Raises
    ------
    CaptureError
        One line: if something is not what it should be, a text is empty or too long for the model, the model
        reads no text or knows no pairs, or it returns no weights, or weights that are NaN, negative or do not
        sum to one.

    Examples
    --------
    >>> from bertviz_lite import capture, load
    >>> tokenizer, model = load("pocket")
    >>> batch = tokenizer("The farmer finds the key.", truncation=True, max_length=5, return_tensors="pt")
    >>> capture(model, tokenizer, inputs=batch).tokens
    ('[CLS]', 'the', 'farmer', 'finds', '[SEP]')
    """
    from bertviz_lite.capture.origin import read_for, take_for

    if inputs is not None:
        origin = take_for(model, tokenizer, inputs, beside=(text, text_pair, is_split_into_words))
    else:
        origin = read_for(model, tokenizer, text, text_pair, split=is_split_into_words)
    if pad_to is not None:
        origin = origin.padded(pad_to)
    origin.check_fits()
    return origin.run()


def _refuse_loose_inputs(named: Mapping[str, object]) -> None:
    """Say how a batch is given where its entries came one by one, as a model takes them."""
    if "input_ids" in named:
        from bertviz_lite.capture.errors import CaptureError

        raise CaptureError(
            "input_ids: what a tokenizer returned is given as one, not with **: "
            "capture(model, tokenizer, inputs=batch)."
        )


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"bertviz_lite.capture.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


make_callable(__name__, _refuse_loose_inputs)
