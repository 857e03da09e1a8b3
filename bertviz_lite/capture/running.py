"""One forward pass of a model: tokens in, a `Capture` out, its weights checked and explained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from bertviz_lite.capture.errors import CaptureError
from bertviz_lite.capture.forward_pass import Floats, Maps, Scores
from bertviz_lite.capture.limits import parameters_of
from bertviz_lite.capture.recorder import Call, Recorder, calls_of, recording
from bertviz_lite.capture.result import Capture
from bertviz_lite.capture.weights import layer_arrays

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel

    from bertviz_lite.capture.reading import Inputs
    from bertviz_lite.capture.tokens import Tokens

_NO_HEADS: Mapping[int, Sequence[int]] = {}
_LARGEST_ERROR = 1e-5
_LOWEST = float(torch.finfo(torch.float32).min)
_KINDS = {"self": "attentions"}
_KINDS_OF_BOTH = {
    "encoder": "encoder_attentions",
    "decoder": "decoder_attentions",
    "cross": "cross_attentions",
}


def forward(model: PreTrainedModel, inputs: Inputs, off: Mapping[int, Sequence[int]] = _NO_HEADS) -> Capture:
    """Run the model once; `off` gives heads by the number of the attention call."""
    tokens, decoder_tokens = inputs.tokens, inputs.decoder_tokens
    recorder = Recorder(off)
    with recording(model, recorder):
        outputs = model(
            **_given(model, inputs), output_attentions=True, output_hidden_states=True, return_dict=True
        )
    axes = {"self": (tokens, tokens)}
    if decoder_tokens is not None:
        axes = {
            "encoder": (tokens, tokens),
            "decoder": (decoder_tokens, decoder_tokens),
            "cross": (decoder_tokens, tokens),
        }
    names = _KINDS if decoder_tokens is None else _KINDS_OF_BOTH
    first = getattr(outputs, next(iter(names.values())), None) or ()
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
        _calls=calls_of(recorder, first),
    )


def _given(model: PreTrainedModel, inputs: Inputs) -> dict[str, Any]:
    """Return what the model is given: a batch of one, on the model's device."""
    arrays: dict[str, Any] = {
        "input_ids": inputs.tokens.input_ids,
        "attention_mask": inputs.tokens.attention_mask.astype(np.int64),
        "token_type_ids": inputs.token_type_ids,
        "decoder_input_ids": None if inputs.decoder_tokens is None else inputs.decoder_tokens.input_ids,
    }
    known = parameters_of(model)
    given: dict[str, Any] = {
        name: torch.tensor(values, device=model.device)[None]
        for name, values in arrays.items()
        if values is not None and name in known
    }
    if "use_cache" in known:
        given["use_cache"] = False
    return given


def _maps(
    outputs: Any,  # noqa: ANN401 - each model class has its own
    name: str,
    axes: tuple[Tokens, Tokens],
    recorder: Recorder,
    model: PreTrainedModel,
) -> Maps:
    """Return one kind of attention of a pass, checked."""
    if not hasattr(outputs, name):  # a state-space model, such as Mamba, has nothing of the kind
        raise CaptureError(
            f"{type(model).__name__} gives no attention weights: there is nothing to explore. "
            "trace(model, **tokenizer(text, return_tensors='pt')) reads it."
        )
    given = getattr(outputs, name)
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
    complete = tuple(layer for layer in scores if layer is not None)
    return Maps(layers, *axes, complete if len(complete) == len(layers) else None)


def _logits(outputs: Any, model: PreTrainedModel) -> Floats | None:  # noqa: ANN401
    """Return a language-model head's logits, (seq_len, vocab_size); None if the model has no such head."""
    logits = getattr(outputs, "prediction_logits", None)
    if logits is None:
        logits = getattr(outputs, "logits", None)
    if logits is None or logits.ndim != 3 or model.get_output_embeddings() is None:
        return None
    return array(logits[0])


def scores_of(call: Call) -> Scores | None:
    """Return what made the weights of a call; None if the formula gives other weights."""
    weights = call.weights[0].float().cpu()
    queries, keys = call.query[0].float().cpu(), call.key[0].float().cpu()
    if len(keys) != len(queries):
        keys = keys.repeat_interleave(len(queries) // len(keys), dim=0)
    terms = [term.expand(1, *term.shape[1:])[0].float().cpu() for term in call.bias]
    bias = sum(terms[1:], terms[0])[..., : keys.shape[1]].clamp(min=_LOWEST) if terms else None
    product = torch.matmul(queries, keys.transpose(1, 2)).mul_(call.scaling)
    if bias is not None:
        product += bias
    error = torch.softmax(product, dim=-1, out=product).sub_(weights).abs_().max()
    if not error <= _LARGEST_ERROR:
        return None
    if bias is not None and not bias.any():
        bias = None
    if bias is not None:
        bias = bias.expand(-1, queries.shape[1], -1)
    return Scores(array(queries), array(keys), call.scaling, None if bias is None else array(bias))


def array(tensor: Tensor) -> Floats:
    """Return a tensor as a read-only float32 array: a view where it is float32 on the CPU already."""
    values: Floats = tensor.detach().float().cpu().numpy()
    values.setflags(write=False)
    return values
