"""Which models the page's engine can run, their sizes, and their weights by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from bertviz_lite.capture.errors import kind_of
from bertviz_lite.views.base.errors import ViewError, ViewTypeError

if TYPE_CHECKING:
    import numpy.typing as npt
    import torch
    from transformers import PreTrainedModel

__all__ = ["CLASSES", "SIZES", "check_model", "config_facts", "weights_of"]

CLASSES = (
    "BertModel",
    "BertForPreTraining",
    "BertForMaskedLM",
    "BertForNextSentencePrediction",
    "BertForSequenceClassification",
    "BertForTokenClassification",
)
"""The classes of ``transformers`` that ``js/engine.js`` runs."""

SIZES = (
    *("vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size"),
    *("max_position_embeddings", "type_vocab_size", "layer_norm_eps"),
)
"""What the arithmetic needs to know, by the names of ``transformers``' config."""

_DTYPES = ("torch.float32", "torch.float64")
_EXACT, _TANH = ("gelu", "gelu_python"), ("gelu_new", "gelu_pytorch_tanh", "gelu_fast")
_UNUSED = ("position_ids", "token_type_ids", "cls.predictions.bias")  # the last is the decoder's


def check_model(model: object) -> None:
    """Refuse a model that the page's engine cannot run.

    Raises
    ------
    ViewError
        One line that says what is another and what can be run.
    """
    from transformers import PreTrainedModel

    if not isinstance(model, PreTrainedModel):
        raise ViewTypeError(f"model is {kind_of(model)}: give a BERT of transformers, as load() does.")
    name, config = type(model).__name__, cast("Any", model.config)
    if name not in CLASSES or config.model_type != "bert":
        raise ViewError(f"{name}: a page runs {', '.join(CLASSES[:-1])} and {CLASSES[-1]}, nothing else.")
    if config.is_decoder:
        raise ViewError(f"{name} is a decoder (is_decoder=True): a page runs encoders only.")
    if getattr(config, "position_embedding_type", None) not in (None, "absolute"):
        raise ViewError(
            f"{name} has position_embedding_type={config.position_embedding_type!r}: "
            "a page runs absolute positions only."
        )
    if config.hidden_act not in (*_EXACT, *_TANH):
        raise ViewError(
            f"{name} has hidden_act={config.hidden_act!r:.40}: a page runs {', '.join((*_EXACT, *_TANH))}."
        )
    if str(model.dtype) not in _DTYPES:
        raise _another_dtype(model)


def config_facts(model: PreTrainedModel) -> dict[str, object]:
    """Return what the arithmetic needs to know, by the names of ``transformers``' config."""
    config = cast("Any", model.config)
    labels = config.id2label or {}
    return {
        "model_name": type(model).__name__,
        **{name: getattr(config, name) for name in SIZES},
        "hidden_act": "gelu" if config.hidden_act in _EXACT else "gelu_new",
        "labels": [str(labels[number]) for number in sorted(labels)],
    }


def weights_of(model: PreTrainedModel) -> dict[str, npt.NDArray[np.float32]]:
    """Return the weights that a page needs, by their names without ``bert.`` before them.

    The LM head's matrix is left out where it is the word embeddings'.

    Raises
    ------
    ViewError
        If the model computes in float64 with weights that are not float32's. (Those of a model that was
        loaded in float32 and then made ``model.double()`` are.)
    """
    decoder = model.get_output_embeddings()
    import torch  # here, so that a view without a model of torch needs none

    words = cast("torch.Tensor", model.get_input_embeddings().weight)
    tied = decoder is not None and torch.equal(cast("torch.Tensor", decoder.weight), words)
    found = {}
    for name, weight in model.state_dict().items():
        short = name.removeprefix("bert.")
        unused = short.endswith(_UNUSED) or (tied and short == "cls.predictions.decoder.weight")
        if not unused:
            given = weight.detach().cpu().numpy()
            found[short] = given.astype(np.float32)
            if not np.array_equal(found[short], given, equal_nan=True):
                raise _another_dtype(model)
    return found


def _another_dtype(model: PreTrainedModel) -> ViewError:
    return ViewError(
        f"{type(model).__name__} computes in {str(model.dtype).removeprefix('torch.')}, a page in float32: "
        "give model.float()."
    )
