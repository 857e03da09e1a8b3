"""Watch one forward pass: every call of a module, and every operation as it is written.

Operations are seen by a mode of torch that gets each call of torch's functions before torch does; calls of
modules by standing in for ``nn.Module.__call__``. Both end with the pass, after an error too. What other
threads run meanwhile is not seen.
"""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import prod
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere
from torch.overrides import TorchFunctionMode

from bertviz_lite.trace.meta_pass.meta_functions import MetaFunctions, changes_its_input
from bertviz_lite.trace.model.parts import ModelParts
from bertviz_lite.trace.recording.nested_tensors import collect, holds_ids, range_of
from bertviz_lite.trace.recording.raw_steps import RawStep
from bertviz_lite.trace.recording.source_text import frame_of_operation, line_of_call, operation_text
from bertviz_lite.trace.recording.value_table import ValueTable
from bertviz_lite.trace.steps.values import Numbers

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


class Recorder(TorchFunctionMode):
    """The steps of one pass.

    Parameters
    ----------
    parts
        The parts of the model that is called.
    labels
        The names of tensors given to it, by ``id``.
    meta
        Answers functions by shape; None to let torch compute.
    measure
        Returns the four numbers of a tensor; None to leave them out.
    wording
        Write operations as they stand in the code, with their lines; False for a pass that only finds names.
    """

    def __init__(
        self,
        parts: ModelParts,
        labels: Mapping[int, str],
        *,
        meta: MetaFunctions | None,
        measure: Callable[[Tensor], Numbers | None] | None = None,
        wording: bool = True,
    ) -> None:
        super().__init__()
        self.steps: list[RawStep] = []
        self.failed: tuple[RawStep, BaseException] | None = None
        self.ranges: dict[int, tuple[int, int]] = {}
        self._meta = meta
        self._wording = wording
        self._thread = threading.get_ident()
        self._open: list[int] = []
        self._weights = parts.parameters
        self._paths = parts.paths
        self.table = ValueTable(parts, labels, measure)

    # Modules

    def enter(self, module: nn.Module, args: Any, kwargs: Any, frame: Any) -> RawStep:  # noqa: ANN401
        """Begin a call of a module."""
        parent = self._open[-1] if self._open else None
        step = RawStep("module", self._path(module, parent), type(module).__name__, parent, len(self._open))
        step.module = module
        step.inputs = self.table.values((args, kwargs))
        step.weights = tuple(
            self.table.value(weight) for weight in module._parameters.values() if weight is not None
        )
        if self._wording and parent is not None:
            step.frame = line_of_call(frame)
        self._open.append(len(self.steps))
        self.steps.append(step)
        return step

    def leave(self, step: RawStep, result: Any) -> None:  # noqa: ANN401
        """End it; `result` is what it returned."""
        step.outputs = self.table.values(result)
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
        """Record one call of a function of torch."""
        kwargs = kwargs or {}
        name = func.__name__
        if name == "__get__":
            return self._attribute(func, args)
        meta = self._meta
        if name in _SILENT:
            return func(*args, **kwargs)
        if func in _OPENED:
            with self:
                return _OPENED[func](*args, **kwargs)
        if meta is not None and not self._open:
            return func(*args, **kwargs)
        tensors: list[Tensor] = []
        collect(args, tensors)
        if kwargs:
            collect(kwargs, tensors)
        step = self._begin(func, name, args, kwargs, tensors)
        try:
            if meta is not None and meta.concerns(tensors):
                result = meta.answer(func, args, kwargs)
            else:
                result = func(*args, **kwargs)
        except Exception as error:
            self.fail(step, error)
            self.ranges = {
                self.table.value(tensor).number: range_of(tensor) for tensor in tensors if holds_ids(tensor)
            }
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
        value = self.table.value
        weights = [tensor for tensor in tensors if id(tensor) in self._weights]
        if weights:
            step.inputs = tuple(value(tensor) for tensor in tensors if id(tensor) not in self._weights)
            step.weights = tuple(map(value, weights))
        else:
            step.inputs = tuple(map(value, tensors))
        if self._wording:
            frame = frame_of_operation(sys._getframe(2))
            step.frame = (frame.f_code.co_filename, frame.f_lineno)
            step.call = operation_text(func, name, args, kwargs, frame)
        step.last = len(self.steps)
        self.steps.append(step)
        return step

    def _end(self, step: RawStep, name: str, args: Any, result: Any) -> None:  # noqa: ANN401
        if changes_its_input(name):
            step.outputs = (self.table.value(args[0], anew=True),)
            return
        made: list[Tensor] = []
        collect(result, made)
        if made:
            numbers = step.inputs[0].numbers if step.key in _SAME_NUMBERS and step.inputs else None
            if numbers is not None and made[0].numel() == prod(step.inputs[0].shape):
                step.outputs = (self.table.value(made[0], numbers=numbers),)
            else:
                step.outputs = tuple(map(self.table.value, made))
        elif self.steps[-1] is step:
            self.steps.pop()  # a size, a dtype or a bool: not a tensor

    def _attribute(self, func: Any, args: Any) -> Any:  # noqa: ANN401
        """Return an attribute: mostly a shape, a dtype or a device; a view is a step."""
        name = func.__self__.__name__
        if name == "device" and self._meta is not None and args[0].is_meta:
            return self._meta.device
        if name not in _VIEW_ATTRIBUTES:
            return func(*args)
        step = self._begin(func, f".{name}", args, {}, [args[0]])
        owner = args[0] if self._meta is None else self._meta.without_numbers(args[0])
        result = func(owner, *args[1:])
        self._end(step, name, args, result)
        return result

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Record what this thread does inside the ``with`` block."""
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
