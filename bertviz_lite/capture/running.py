"""The forward pass behind :func:`bertviz_lite.capture`: checked inputs in, a `Capture` out."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from transformers import BatchEncoding, PreTrainedModel, PreTrainedTokenizerBase

from bertviz_lite.capture import reading
from bertviz_lite.capture.maps import CaptureError, Floats, Ints, Maps, Tokens, kind_of, layer_arrays
from bertviz_lite.capture.recorder import Recorder, array, calls_of, recording, scores_of
from bertviz_lite.capture.result import Capture

_NO_EDITS: Mapping[int, str] = {}
_NO_HEADS: Mapping[int, Sequence[int]] = {}
_KINDS = {"self": "attentions"}
_KINDS_OF_BOTH = {
    "encoder": "encoder_attentions",
    "decoder": "decoder_attentions",
    "cross": "cross_attentions",
}


@dataclass(frozen=True, eq=False)
class Origin:
    """A model, its tokenizer, and a text as both read it: what every pass over the text starts from."""

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    tokens: Tokens
    token_type_ids: Ints | None
    decoder_tokens: Tokens | None
    encoding: BatchEncoding
    """What the tokenizer returned for the text."""

    @property
    def mask_token(self) -> str | None:
        """What hides a word, as the tokenizer writes it."""
        token: str | None = self.tokenizer.mask_token
        return token

    def names(self, input_ids: Iterable[int]) -> list[str]:
        """Return tokens by id."""
        return reading.token_names(self.tokenizer, input_ids)

    def id_of(self, token: str) -> int:
        """Return the id of one token of the vocabulary."""
        return reading.token_id(self.tokenizer, token)

    def check_fits(self) -> None:
        """Refuse what the model has no positions or no embeddings for."""
        if self.decoder_tokens is not None:
            reading.check_fits(self.decoder_tokens, self.model, "text_pair")
        reading.check_fits(self.tokens, self.model, "text", self.token_type_ids)

    def run(
        self,
        edits: Mapping[int, str] = _NO_EDITS,
        heads_off: Sequence[tuple[int, int]] = (),
        calls: Sequence[int] = (),
    ) -> Capture:
        """Run the text, with some tokens replaced and some heads off.

        `calls` gives the number of the attention call that made each layer's weights.
        """
        off: dict[int, list[int]] = {}
        for layer, head in heads_off:
            off.setdefault(calls[layer], []).append(head)
        tokens = reading.edited(self.tokens, self.tokenizer, edits)
        now = {position: tokens.tokens[position] for position in edits}
        return replace(forward(self, tokens, off), edits=now, heads_off=tuple(heads_off))


def first_pass(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    text: str,
    text_pair: str | None,
    pad_to: int | None,
) -> Capture:
    """Do what :func:`bertviz_lite.capture` says."""
    origin = read_for(model, tokenizer, text, text_pair, pad_to)
    origin.check_fits()
    return origin.run()


def read_for(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    text: str,
    text_pair: str | None = None,
    pad_to: int | None = None,
) -> Origin:
    """Tokenize a text, or a pair of texts, for a model; whether it fits into the model is not checked."""
    check_types(model, tokenizer)
    reading.check_text("text", text)
    if text_pair is not None:
        reading.check_text("text_pair", text_pair)
    known = inspect.signature(model.forward).parameters
    decoder_tokens = None
    if "decoder_input_ids" in known:
        tokens, type_ids, encoding = reading.read(tokenizer, text)
        decoder_tokens = reading.read_decoder(tokenizer, text_pair, model)
    else:
        tokens, type_ids, encoding = reading.read(tokenizer, text, text_pair)
    if "token_type_ids" not in known:
        type_ids = None
    if pad_to is not None:
        tokens, type_ids = reading.pad(tokens, type_ids, tokenizer, pad_to)
    return Origin(model, tokenizer, tokens, type_ids, decoder_tokens, encoding)


def check_types(model: object, tokenizer: object) -> None:
    """Refuse what is not a model of transformers and a tokenizer."""
    if isinstance(model, PreTrainedTokenizerBase) and isinstance(tokenizer, PreTrainedModel):
        raise CaptureError("model and tokenizer are swapped: it is capture(model, tokenizer, text).")
    if not isinstance(model, PreTrainedModel):
        raise CaptureError(
            f"model is {kind_of(model)}: it must be a model of transformers (a PreTrainedModel); "
            "of a wrapped one give what is inside."
        )
    if not isinstance(tokenizer, PreTrainedTokenizerBase):
        raise CaptureError(
            f"tokenizer is {kind_of(tokenizer)}: it must be the tokenizer of transformers that belongs to "
            f"{type(model).__name__}."
        )


def forward(origin: Origin, tokens: Tokens, off: Mapping[int, Sequence[int]] = _NO_HEADS) -> Capture:
    """Run the model once; `off` gives heads by the number of the attention call."""
    model, decoder_tokens = origin.model, origin.decoder_tokens
    recorder = Recorder(off)
    with recording(model, recorder):
        outputs = model(
            **_inputs(origin, tokens), output_attentions=True, output_hidden_states=True, return_dict=True
        )
    axes = {"self": (tokens, tokens)}
    if decoder_tokens is not None:
        axes = {
            "encoder": (tokens, tokens),
            "decoder": (decoder_tokens, decoder_tokens),
            "cross": (decoder_tokens, tokens),
        }
    names = _KINDS if decoder_tokens is None else _KINDS_OF_BOTH
    first = getattr(outputs, next(iter(names.values())))
    prefix = "" if decoder_tokens is None else "encoder_"
    return Capture(
        kinds={kind: _maps(outputs, names[kind], axes[kind], recorder, model) for kind in names},
        model_name=type(model).__name__,
        logits=_logits(outputs, model),
        hidden_states=tuple(
            array(states[0]) for states in getattr(outputs, f"{prefix}hidden_states", None) or ()
        ),
        decoder_hidden_states=tuple(
            array(states[0]) for states in getattr(outputs, "decoder_hidden_states", None) or ()
        ),
        _origin=origin,
        _calls=calls_of(recorder, first),
    )


def _inputs(origin: Origin, tokens: Tokens) -> dict[str, Any]:
    """Return what the model is given: a batch of one, on the model's device."""
    given: dict[str, Any] = {
        "input_ids": tokens.input_ids,
        "attention_mask": tokens.attention_mask.astype(np.int64),
        "token_type_ids": origin.token_type_ids,
        "decoder_input_ids": None if origin.decoder_tokens is None else origin.decoder_tokens.input_ids,
    }
    inputs: dict[str, Any] = {
        name: torch.tensor(values, device=origin.model.device)[None]
        for name, values in given.items()
        if values is not None
    }
    if "use_cache" in inspect.signature(origin.model.forward).parameters:
        inputs["use_cache"] = False
    return inputs


def _maps(
    outputs: Any,  # noqa: ANN401 - each model class has its own
    name: str,
    axes: tuple[Tokens, Tokens],
    recorder: Recorder,
    model: PreTrainedModel,
) -> Maps:
    """Return one kind of attention of a pass, checked."""
    given = getattr(outputs, name, None)
    if not given or any(weights is None for weights in given):
        raise CaptureError(
            f"{type(model).__name__} returned no {name}, in eager mode as well: "
            'load it with attn_implementation="eager", or capture a model that returns its weights.'
        )
    wanted = (len(axes[0]), len(axes[1]))
    if any(weights.ndim != 4 or weights.shape[2:] != wanted for weights in given):
        raise CaptureError(
            f"{type(model).__name__} returned {name} of shape {tuple(given[0].shape)} for {wanted[0]} "
            f"queries and {wanted[1]} keys: there is not one weight for every query and key."
        )
    layers = layer_arrays(given, *axes, name=name)
    scores = [scores_of(recorder.calls[number]) for number in calls_of(recorder, given) or ()]
    complete = tuple(one for one in scores if one is not None)
    return Maps(layers, *axes, complete if len(complete) == len(layers) else None)


def _logits(outputs: Any, model: PreTrainedModel) -> Floats | None:  # noqa: ANN401
    """Return a language-model head's logits, (seq_len, vocab_size); None if the model has no such head."""
    logits = getattr(outputs, "prediction_logits", None)
    if logits is None:
        logits = getattr(outputs, "logits", None)
    if logits is None or logits.ndim != 3 or model.get_output_embeddings() is None:
        return None
    return array(logits[0])
