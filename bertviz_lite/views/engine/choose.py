"""Which engine a view uses: the one that it was given, or one made for a model and its tokenizer."""

from __future__ import annotations

from bertviz_lite.capture.errors import kind_of
from bertviz_lite.views.base.errors import ViewTypeError
from bertviz_lite.views.engine.interface import Engine

__all__ = ["engine_for"]


def engine_for(model: object, tokenizer: object = None) -> Engine:
    """Return `model` if it is an engine already, else the engine of a model of ``transformers``.

    Raises
    ------
    ViewTypeError
        If they are neither an engine alone, nor a model with its tokenizer.
    """
    if isinstance(model, Engine):
        if tokenizer is not None:
            raise ViewTypeError("tokenizer: an engine has its own; give the engine alone.")
        return model
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from bertviz_lite.views.engine.torch_engine import TorchEngine

    if isinstance(model, PreTrainedTokenizerBase) and isinstance(tokenizer, PreTrainedModel):
        raise ViewTypeError("model and tokenizer are swapped: the model is given first.")
    if not isinstance(model, PreTrainedModel):
        raise ViewTypeError(f"model is {kind_of(model)}: give a BertForPreTraining, as load() does.")
    if not isinstance(tokenizer, PreTrainedTokenizerBase):
        raise ViewTypeError(
            f"tokenizer is {kind_of(tokenizer)}: give the tokenizer that belongs to {type(model).__name__}."
        )
    return TorchEngine(model, tokenizer)
