"""Watch one forward pass: every call of a module, and every operation as it is written.

Operations are seen by a mode of torch that gets each call of torch's functions before torch does; calls of
modules by standing in for ``nn.Module.__call__``. Both end with the pass, after an error too. What other
threads run meanwhile is not seen.
"""

from __future__ import annotations

import sys
import threading
import types
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import prod
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere
from torch.overrides import TorchFunctionMode

from bertviz_lite.trace.recording import written
from bertviz_lite.trace.recording.anatomy import Anatomy
from bertviz_lite.trace.recording.hollow import Hollow, changes_its_input
from bertviz_lite.trace.recording.steps import Kind, Numbers

_SILENT = frozenset(
    """
    size dim numel stride is_contiguous is_floating_point is_complex element_size ndimension nelement __len__
    storage_offset get_device __hash__ __repr__ __format__ is_pinned has_names __bool__ item tolist
    is_tensor is_grad_enabled __int__ __float__ __index__ register_hook requires_grad_
    """.split()  # noqa: SIM905 - a list of twenty strings reads badly
)
# What comes out holds the numbers that went in, in another shape or order.
_SAME_NUMBERS = frozenset(
    """
    view reshape transpose permute unsqueeze squeeze contiguous flatten unflatten t clone view_as movedim
    swapaxes
    .T .mT .H .mH
    """.split()  # noqa: SIM905
)
_VIEW_ATTRIBUTES = frozenset({"T", "mT", "H", "mH", "real", "imag", "data"})
_DTYPES: dict[torch.dtype, str] = {}


def _with_its_inside_seen() -> Callable[..., Any]:
    """Return F.multi_head_attention_forward without its first lines, which hand it to a mode as a whole."""
    func = F.multi_head_attention_forward
    names = {**func.__globals__, "has_torch_function": lambda _tensors: False}
    copy = types.FunctionType(func.__code__, names, func.__name__, func.__defaults__, func.__closure__)
    copy.__kwdefaults__ = func.__kwdefaults__
    return copy


_OPENED: dict[Callable[..., Any], Callable[..., Any]] = {
    F.multi_head_attention_forward: _with_its_inside_seen()
}


class RawValue:
    """A tensor of one pass: what is left of it."""

    __slots__ = ("dtype", "label", "number", "numbers", "shape")

    def __init__(self, number: int, shape: tuple[int, ...], dtype: str, label: str) -> None:
        self.number = number
        self.shape = shape
        self.dtype = dtype
        self.label = label
        self.numbers: Numbers | None = None


class RawStep:
    """A step of one pass; `key` is the same in another pass where `name` may hold other sizes."""

    __slots__ = (
        "call",
        "depth",
        "frame",
        "inputs",
        "key",
        "kind",
        "last",
        "module",
        "outputs",
        "parent",
        "path",
        "weights",
    )

    def __init__(self, kind: Kind, path: str, key: str, parent: int | None, depth: int) -> None:
        self.kind: Kind = kind
        self.path = path
        self.key = key
        self.parent = parent
        self.depth = depth
        self.last = -1
        self.inputs: tuple[RawValue, ...] = ()
        self.outputs: tuple[RawValue, ...] = ()
        self.weights: tuple[RawValue, ...] = ()
        self.module: nn.Module | None = None
        self.frame: tuple[str, int] | None = None
        self.call: str = key

    def __repr__(self) -> str:
        return f"{self.path}: {self.call}"


class Recorder(TorchFunctionMode):
    """The steps of one pass.

    Parameters
    ----------
    anatomy
        Of the model that is called.
    labels
        The names of tensors given to it, by ``id``.
    hollow
        What answers by shape; None to let torch compute.
    measure
        Returns the four numbers of a tensor; None to leave them out.
    wording
        Write operations as they stand in the code, with their lines; False for a pass that only finds names.
    """

    def __init__(
        self,
        anatomy: Anatomy,
        labels: Mapping[int, str],
        *,
        hollow: Hollow | None,
        measure: Callable[[Tensor], Numbers | None] | None = None,
        wording: bool = True,
    ) -> None:
        super().__init__()
        self.steps: list[RawStep] = []
        self.failed: tuple[RawStep, BaseException] | None = None
        self.ranges: dict[int, tuple[int, int]] = {}
        self._hollow = hollow
        self._measure = measure
        self._wording = wording
        self._thread = threading.get_ident()
        self._open: list[int] = []
        self._known: dict[int, tuple[Any, RawValue]] = {}
        self._count = 0
        self._weights = anatomy.parameters
        self._paths = anatomy.paths
        self._labels = {key: name for key, (name, _) in (anatomy.buffers | anatomy.parameters).items()}
        self._labels |= labels

    # Values

    def value(self, tensor: Tensor, *, anew: bool = False, numbers: Numbers | None = None) -> RawValue:
        """Return what stands for a tensor: `anew` if it was written into, with its numbers if known."""
        key = id(tensor)
        known = self._known.get(key)
        if known is not None and known[0]() is tensor:
            if not anew:
                return known[1]
            number = known[1].number
        else:
            self._count += 1
            number = self._count
        dtype = _DTYPES.get(tensor.dtype) or _DTYPES.setdefault(tensor.dtype, str(tensor.dtype)[6:])
        made = RawValue(number, tuple(tensor.shape), dtype, self._labels.get(key, ""))
        self._known[key] = (weakref.ref(tensor), made)
        if self._measure is not None and key not in self._weights:
            made.numbers = numbers or self._measure(tensor)
        return made

    def _values(self, given: Any) -> tuple[RawValue, ...]:  # noqa: ANN401
        return tuple(self.value(one) for one in tensors_in(given))

    # Modules

    def enter(self, module: nn.Module, args: Any, kwargs: Any, frame: Any) -> RawStep:  # noqa: ANN401
        """Begin a call of a module."""
        parent = self._open[-1] if self._open else None
        step = RawStep("module", self._path(module, parent), type(module).__name__, parent, len(self._open))
        step.module = module
        step.inputs = tuple(self.value(one) for one in tensors_in((args, kwargs)))
        step.weights = tuple(self.value(one) for one in module._parameters.values() if one is not None)
        if self._wording and parent is not None:
            step.frame = written.place(frame)
        self._open.append(len(self.steps))
        self.steps.append(step)
        return step

    def leave(self, step: RawStep, result: Any) -> None:  # noqa: ANN401
        """End it; `result` is what it returned."""
        step.outputs = self._values(result)
        self._close(step)

    def _close(self, step: RawStep) -> None:
        while self.steps[self._open.pop()] is not step:
            continue
        step.last = len(self.steps) - 1

    def fail(self, step: RawStep, error: BaseException) -> None:
        """Note that a step ended early; the innermost counts."""
        if self.failed is None or self.failed[1] is not error:
            self.failed = (step, error)
        if step.kind == "module":
            self._close(step)

    def _path(self, module: nn.Module, parent: int | None) -> str:
        """Return the path of a module; of one that has several, one inside the module that calls it."""
        paths = self._paths.get(id(module))
        if not paths:
            return f"({type(module).__name__})"  # made during the pass
        if len(paths) > 1 and parent is not None:
            above = self.steps[parent].path
            inside = [path for path in paths if path.startswith(f"{above}.")]
            if inside:
                return inside[0]
        return paths[0]

    # Operations

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Any,  # noqa: ANN401
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401
        """See one call of a function of torch."""
        kwargs = kwargs or {}
        name = func.__name__
        if name == "__get__":
            return self._attribute(func, args)
        hollow = self._hollow
        if name in _SILENT:
            return func(*args, **kwargs)
        if func in _OPENED:
            with self:
                return _OPENED[func](*args, **kwargs)
        if hollow is not None and not self._open:
            return func(*args, **kwargs)
        tensors: list[Tensor] = []
        _collect(args, tensors)
        if kwargs:
            _collect(kwargs, tensors)
        step = self._begin(func, name, args, kwargs, tensors)
        try:
            if hollow is not None and hollow.concerns(tensors):
                result = hollow.answer(func, args, kwargs)
            else:
                result = func(*args, **kwargs)
        except Exception as error:
            self.fail(step, error)
            self.ranges = {self.value(one).number: range_of(one) for one in tensors if _is_of_ids(one)}
            raise
        self._end(step, name, args, result)
        return result

    def _begin(
        self,
        func: Callable[..., Any],
        name: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        tensors: list[Tensor],
    ) -> RawStep:
        parent = self._open[-1] if self._open else None
        path = self.steps[parent].path if parent is not None else ""
        step = RawStep("operation", path, name, parent, len(self._open))
        weights = [one for one in tensors if id(one) in self._weights]
        if weights:
            step.inputs = tuple(self.value(one) for one in tensors if id(one) not in self._weights)
            step.weights = tuple(map(self.value, weights))
        else:
            step.inputs = tuple(map(self.value, tensors))
        if self._wording:
            frame = written.frame_of_call(sys._getframe(2))
            step.frame = (frame.f_code.co_filename, frame.f_lineno)
            step.call = written.operation(func, name, args, kwargs, frame)
        step.last = len(self.steps)
        self.steps.append(step)
        return step

    def _end(self, step: RawStep, name: str, args: Any, result: Any) -> None:  # noqa: ANN401
        if changes_its_input(name):
            step.outputs = (self.value(args[0], anew=True),)
            return
        found: list[Tensor] = []
        _collect(result, found)
        if found:
            numbers = step.inputs[0].numbers if step.key in _SAME_NUMBERS and step.inputs else None
            if numbers is not None and found[0].numel() == prod(step.inputs[0].shape):
                step.outputs = (self.value(found[0], numbers=numbers),)
            else:
                step.outputs = tuple(map(self.value, found))
        elif self.steps[-1] is step:
            self.steps.pop()  # a size, a dtype, a truth: not a tensor

    def _attribute(self, func: Any, args: Any) -> Any:  # noqa: ANN401
        """See an attribute: mostly a shape, a dtype, a device; seldom a view."""
        name = func.__self__.__name__
        if name == "device" and self._hollow is not None and args[0].is_meta:
            return self._hollow.device
        if name not in _VIEW_ATTRIBUTES:
            return func(*args)
        step = self._begin(func, f".{name}", args, {}, [args[0]])
        twin = args[0] if self._hollow is None else self._hollow.twin(args[0])
        result = func(twin, *args[1:])
        self._end(step, name, args, result)
        return result

    @contextmanager
    def watching(self) -> Iterator[None]:
        """See what this thread does, for a while."""
        original = nn.Module.__call__

        def call(module: nn.Module, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
            if threading.get_ident() != self._thread:
                return original(module, *args, **kwargs)
            with torch._C.DisableTorchFunction():
                step = self.enter(module, args, kwargs, sys._getframe(1))
            try:
                result = original(module, *args, **kwargs)
            except Exception as error:
                self.fail(step, error)
                raise
            with torch._C.DisableTorchFunction():
                self.leave(step, result)
            return result

        nn.Module.__call__ = call  # type: ignore[method-assign]
        try:
            with self:
                yield
        finally:
            nn.Module.__call__ = original  # type: ignore[method-assign]

    def values_of(self, tensors: Any) -> tuple[RawValue, ...]:  # noqa: ANN401
        """Return what stands for the tensors in a structure."""
        return self._values(tensors)


def _is_of_ids(tensor: Tensor) -> bool:
    return tensor.dtype in (torch.int64, torch.int32) and tensor.numel() > 0 and not tensor.is_meta


def range_of(ids: Tensor) -> tuple[int, int]:
    """Return the lowest and the highest id."""
    low, high = torch.aminmax(ids)
    return int(low), int(high)


def _collect(given: Any, found: list[Tensor]) -> None:  # noqa: ANN401
    for one in given if isinstance(given, list | tuple) else (given,):
        if isinstance(one, Tensor):
            found.append(one)
        elif isinstance(one, list | tuple):
            _collect(one, found)
        elif isinstance(one, dict):
            _collect(list(one.values()), found)
        elif isinstance(one, slice):
            _collect((one.start, one.stop, one.step), found)


def tensors_in(given: Any) -> list[Tensor]:  # noqa: ANN401
    """Return the tensors in nested lists, tuples and dicts, each once, in order."""
    found: list[Tensor] = []
    _collect(given if isinstance(given, list | tuple) else (given,), found)
    return list({id(one): one for one in found}.values())
