"""Call torch's functions by shape: what each would return, as a tensor that holds no numbers.

Whatever is computed from a parameter is a *meta tensor*: it has a shape, strides and a dtype. Inputs, masks
and positions keep their numbers, so code that looks at them decides as it always does. Code that wants the
numbers of a meta tensor, and every case that is not known well enough here, raises `NeedsNumbersError`, and
the pass is done again with arithmetic. So nothing here has to explain an error.

torch's own kernels for the meta device are used for views only: the others are written in Python and cost a
second of imports at the first call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from bertviz_lite.trace.meta_pass.meta_tensors import NeedsNumbersError, like
from bertviz_lite.trace.meta_pass.rules import RANGES, RULES
from bertviz_lite.trace.model.parts import ModelParts

_VIEWS = frozenset(
    """
    view transpose permute unsqueeze squeeze expand expand_as t swapaxes swapdims movedim moveaxis select
    narrow chunk split tensor_split unbind unflatten view_as diagonal detach __iter__
    """.split()  # noqa: SIM905 - a list of twenty strings reads badly
)
_WANT_NUMBERS = frozenset(
    """
    __bool__ __int__ __float__ __index__ __complex__ __contains__ item tolist numpy __array__ equal allclose
    is_nonzero nonzero argwhere unique unique_consecutive masked_select repeat_interleave bincount histc
    histogram multinomial copy_ set_ resize_ __reduce_ex__ __deepcopy__ data_ptr storage untyped_storage
    _assert _assert_async register_hook backward
    """.split()  # noqa: SIM905
)
_KNOWN_PLACES = ("torch", "torch.nn.functional", "torch._C._nn", "torch.functional", "torch.special")


class MetaFunctions:
    """Answers calls of torch's functions by shape, where an argument is a meta tensor or a parameter.

    Parameters
    ----------
    parts
        The parts of the model; its parameters are never read.
    checks
        Look whether ids and labels that are given lie in their range. Off for a model that is only used to
        find names and whose tables have other sizes.
    """

    def __init__(self, parts: ModelParts, *, checks: bool) -> None:
        self._meta_weights: dict[int, Tensor] = {}
        self._checks = checks
        self._weights = parts.parameters
        self.device = parts.device

    def concerns(self, tensors: Sequence[Tensor]) -> bool:
        """Return whether one of the tensors has no numbers to compute with."""
        return any(tensor.is_meta or id(tensor) in self._weights for tensor in tensors)

    def answer(self, func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:  # noqa: ANN401
        """Return what `func` would, without its numbers."""
        if self._checks and func in RANGES:
            _check_range(*RANGES[func](*args, **kwargs))
        rule = RULES.get(func)
        if rule is not None:
            result = rule(*args, **kwargs)
            if result is not NotImplemented:
                return result
        name = func.__name__
        if name in _VIEWS or (name == "__getitem__" and _is_basic(args[1])):
            return func(*map(self.without_numbers, args), **kwargs)
        if name in _WANT_NUMBERS or not _is_known(func):
            raise NeedsNumbersError(name)
        if changes_its_input(name):
            if not args[0].is_meta:
                raise NeedsNumbersError(name)
            self._with_zeros(func, args, kwargs)
            return None if name == "__setitem__" else args[0]
        return self._with_zeros(func, args, kwargs)

    def without_numbers(self, given: Any) -> Any:  # noqa: ANN401
        """Return a parameter without its numbers; anything else as it is."""
        if id(given) not in self._weights:
            return given
        if id(given) not in self._meta_weights:
            self._meta_weights[id(given)] = like(given)
        return self._meta_weights[id(given)]

    def _with_zeros(self, func: Callable[..., Any], args: Any, kwargs: Any) -> Any:  # noqa: ANN401
        """Let torch compute, on zeros, and keep the shapes of what comes out."""
        if func.__name__ == "__getitem__" and any(_is_meta_mask(part) for part in _leaves(args[1])):
            raise NeedsNumbersError("a mask without numbers")
        given: dict[int, tuple[Tensor, Tensor]] = {}

        def zero(tensor: Tensor) -> Tensor:
            if self.concerns((tensor,)):
                shape, stride = tensor.size(), tensor.stride()
                made = torch.empty_strided(shape, stride, dtype=tensor.dtype, device=self.device).zero_()
            else:
                made = tensor.clone()  # running statistics would be changed
            given[id(made)] = (made, tensor)
            return made

        def back(tensor: Tensor) -> Tensor:
            return given[id(tensor)][1] if id(tensor) in given else like(tensor)

        return _each(func(*_each(args, zero), **_each(kwargs, zero)), back)


def _check_range(ids: Tensor, size: int, ignored: int | None = None) -> None:
    """Raise where an id does not lie in 0 … size - 1."""
    if ids.is_meta or ids.numel() == 0:
        return
    if ignored is not None:
        ids = ids[ids != ignored]
    low, high = torch.aminmax(ids) if ids.numel() else (0, 0)
    if low < 0 or high >= size:
        raise NeedsNumbersError("out of range")


def changes_its_input(name: str) -> bool:
    """Return whether a function of that name writes into its first argument."""
    if name.startswith("__"):
        return name == "__setitem__" or name in _IN_PLACE_OPERATORS
    return name.endswith("_")


_IN_PLACE_OPERATORS = frozenset(
    f"__i{name}__"
    for name in "add sub mul truediv floordiv mod pow and or xor lshift rshift matmul div".split()  # noqa: SIM905
)


def _is_known(func: Callable[..., Any]) -> bool:
    owner = getattr(func, "__objclass__", None)
    if owner is not None:
        return issubclass(Tensor, owner)
    return func.__module__ in _KNOWN_PLACES or getattr(Tensor, func.__name__, None) is func


def _is_basic(index: Any) -> bool:  # noqa: ANN401
    """Return whether indexing gives a view, whatever the numbers are."""
    parts = index if isinstance(index, tuple) else (index,)
    return all(
        part is None or part is Ellipsis or isinstance(part, slice) or type(part) is int for part in parts
    )


def _is_meta_mask(index: Any) -> bool:  # noqa: ANN401
    return isinstance(index, Tensor) and index.is_meta and index.dtype in (torch.bool, torch.uint8)


def _leaves(given: Any) -> Iterator[Any]:  # noqa: ANN401
    if isinstance(given, list | tuple):
        for part in given:
            yield from _leaves(part)
    else:
        yield given


def _each(given: Any, change: Callable[[Tensor], Tensor]) -> Any:  # noqa: ANN401
    """Return the same lists, tuples and dicts with every tensor changed."""
    if isinstance(given, Tensor):
        return change(given)
    if isinstance(given, dict):
        return {key: _each(part, change) for key, part in given.items()}
    if isinstance(given, list):
        return [_each(part, change) for part in given]
    if isinstance(given, tuple):
        changed = [_each(part, change) for part in given]
        return tuple(changed) if type(given) is tuple else type(given)(changed)
    return given
