"""A model or a tokenizer as a page holds it: one for all views, as long as it stays as it is."""

from __future__ import annotations

import re
import sys
import weakref
from typing import TYPE_CHECKING, Any

from bertviz_lite.basics.text import clip, readable
from bertviz_lite.views.base.errors import ViewError
from bertviz_lite.views.base.page_model import PageModel
from bertviz_lite.views.engine.packed.packing import engine_source, pack_model, pack_tokenizer

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    _Version = tuple[int, ...]

__all__ = ["page_model", "page_tokenizer"]

_MADE: weakref.WeakKeyDictionary[PreTrainedModel, tuple[_Version, PageModel]] = weakref.WeakKeyDictionary()
_TOKENIZERS: weakref.WeakKeyDictionary[Any, tuple[int, PageModel]] = weakref.WeakKeyDictionary()


def page_model(engine: object) -> PageModel | None:
    """Return what a page needs to answer as `engine` does; None for an engine without a model of torch.

    A model that was trained further since is another one.
    """
    torch_engine = sys.modules.get("bertviz_lite.views.engine.torch_engine")
    if torch_engine is None or not isinstance(engine, torch_engine.TorchEngine):
        return None  # not imported: torch stays away from a view that does without
    version = _version(engine.model, engine.tokenizer)
    if engine.model not in _MADE or _MADE[engine.model][0] != version:
        _MADE[engine.model] = version, _make(engine.model, engine.tokenizer)
    return _MADE[engine.model][1]


def page_tokenizer(tokenizer: Any) -> PageModel:  # noqa: ANN401 - tokenizers have no types
    """Return what a page needs to cut texts as `tokenizer` does; one that was changed is another one."""
    version = hash(tokenizer.backend_tokenizer.to_str())
    if tokenizer not in _TOKENIZERS or _TOKENIZERS[tokenizer][0] != version:
        behind = weakref.ref(tokenizer)  # else what is made here would keep it for ever

        def pack() -> bytes:
            there = behind()
            if there is None:
                raise ViewError("the tokenizer is gone: make the view again.")
            return pack_tokenizer(there).data

        megabytes = 15 * len(tokenizer) / 1e6  # of vocabulary, roughly
        _TOKENIZERS[tokenizer] = (
            version,
            PageModel(pack, engine_source, megabytes, _called(tokenizer.name_or_path, tokenizer)),
        )
    return _TOKENIZERS[tokenizer][1]


def _make(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> PageModel:
    behind = weakref.ref(model)  # else what is made here would keep the model for ever

    def pack() -> bytes:
        there = behind()
        if there is None:
            raise ViewError("the model is gone: make the view again.")
        return pack_model(there, tokenizer).data

    return PageModel(
        pack,
        engine_source,
        4 * model.num_parameters() / 1e6,
        _called(model.config.name_or_path, model),
    )


def _called(name: object, of: object) -> str:
    """Return what a reader is told: a name, or of a path the last part, with the class."""
    last = re.split(r"[\\/]", str(name or "").rstrip("\\/"))[-1]
    kind = type(of).__name__
    return f"{readable(clip(last, 40))} ({kind})" if last else kind


def _version(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> _Version:
    """Return numbers of which one is another after a step of training, or with another tokenizer."""
    weights = list(model.state_dict(keep_vars=True).values())
    return id(tokenizer), *(weight.data_ptr() for weight in weights), *(weight._version for weight in weights)
