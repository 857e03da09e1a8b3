"""Make a model quickly: without weights, without filling them at random, without warnings."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import torch
from torch.overrides import TorchFunctionMode


@contextmanager
def quiet() -> Iterator[None]:
    """Keep transformers and torch from repeating their warnings about the first model."""
    handlers = logging.getLogger("transformers").handlers

    def nothing(_record: logging.LogRecord) -> bool:
        return False

    for handler in handlers:
        handler.addFilter(nothing)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for handler in handlers:
            handler.removeFilter(nothing)


def not_filled() -> AbstractContextManager[Any]:
    """Return transformers' own way to make a model without random weights, where it has one: it is faster."""
    try:
        from transformers.initialization import no_init_weights
    except ImportError:
        return nullcontext()
    without_init: AbstractContextManager[Any] = no_init_weights()
    return without_init


class NoWeights(TorchFunctionMode):
    """Make parameters without numbers; leave out what would fill them at random."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Any,  # noqa: ANN401
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401
        """Make or fill a tensor."""
        kwargs = kwargs or {}
        if func is torch.empty:
            kwargs = {**kwargs, "device": "meta"}
        elif func.__name__.endswith("_") and not func.__name__.startswith("__"):
            filled = args[0] if args else kwargs.get("tensor")
            if isinstance(filled, torch.Tensor) and filled.is_meta:
                return filled
        return func(*args, **kwargs)
