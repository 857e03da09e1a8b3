"""Find the names of axes: run the model a second time with other sizes, and look what changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from torch import Tensor, nn

from bertviz_lite.trace.naming.axes import Names, matched, shapes_of_second
from bertviz_lite.trace.naming.origins import Layout, of_layers, origins
from bertviz_lite.trace.naming.shadow import OF_INPUTS, Shadow, shadow, sizes_of, stack_of
from bertviz_lite.trace.recording import inputs
from bertviz_lite.trace.recording.anatomy import Anatomy
from bertviz_lite.trace.recording.passes import Pass, arithmetic, by_shape
from bertviz_lite.trace.recording.record import RawValue
from bertviz_lite.trace.recording.steps import Axis

Args = tuple[Any, ...]
Kwargs = Mapping[str, Any]


class Naming(NamedTuple):
    """Gives the axes of a tensor: from its shape in both passes, else from the layer that made it."""

    shapes: Mapping[int, tuple[int, ...] | None]
    names: Names
    origins: Mapping[tuple[int, int], str]

    def axes(self, value: RawValue) -> tuple[Axis, ...]:
        """Return the axes of a tensor of the first pass."""
        other = self.shapes.get(value.number)
        found = []
        for dim, size in enumerate(value.shape):
            axis = self.names.axis(size, None if other is None else other[dim])
            name = self.origins.get((value.number, dim))
            if axis.name is None and name is not None and (other is None or other[dim] == size):
                axis = Axis(size, name)
            found.append(axis)
        return tuple(found)


def naming(anatomy: Anatomy, args: Args, kwargs: Kwargs, first: Pass) -> Naming:
    """Return what names the axes of the first pass."""
    for second, names, weights, stack in _second_passes(
        anatomy, args, kwargs, failed=first.error is not None
    ):
        places, whole = matched(first.steps, second.steps, stack)
        if whole and (second.error is None or first.error is not None):
            shapes = shapes_of_second(first.steps, second.steps, places)
            return Naming(shapes, names, origins(first.steps, weights))
    model = anatomy.model
    return Naming({}, Names({}, sizes_of(model)), origins(first.steps, of_layers(model)))


def _second_passes(
    anatomy: Anatomy, args: Args, kwargs: Kwargs, *, failed: bool = False
) -> Iterator[tuple[Pass, Names, Mapping[str, Layout], str | None]]:
    """Yield passes with other sizes, the quickest and most telling first, until one takes the same steps.

    With each comes the path of the layers of which it took the first only, None if it took all.
    """
    model = anatomy.model
    layouts, sizes = inputs.layouts(model, inputs.call(model, args, kwargs).tensors)
    of_inputs = {name: OF_INPUTS[name] for name in sizes}
    pairs = {name: (sizes[name], of_inputs[name]) for name in sorted(sizes, key="batch".__ne__)}
    weights: Mapping[str, Layout] = {}
    stack = None if failed or not _is_plain(args, kwargs) else stack_of(anatomy)
    for careful, of_stack in ((False, stack), (False, None), (True, None))[stack is None :]:
        made = shadow(model, careful=careful, one_layer=of_stack is not None)
        if made is None:
            break
        # Vectors that are given are as wide as the layers, or else as some other size says; not so where
        # the width may be what is wrong.
        known = {"hidden_size": made.sizes["hidden_size"]}
        by_size = dict([*(() if failed else made.sizes.values()), *known.values()])
        change = _resizing(layouts, of_inputs, by_size)
        second = by_shape(
            Anatomy(made.model), inputs.call(model, args, kwargs, change), checks=False, wording=False
        )
        yield second, Names({**pairs, **made.sizes}, made.fixed), weights, of_stack
        if of_stack is None:
            weights = weights or _of_weights(model, made)
    weights = {**of_layers(model), **weights}
    for chosen in (list(sizes), ["batch"], []):
        other = {name: _another(sizes[name], place) for place, name in enumerate(sizes) if name in chosen}
        call = inputs.call(model, args, kwargs, _resizing(layouts, other, {}))
        second = by_shape(anatomy, call, wording=False)
        if second.error is not None:
            call = inputs.call(model, args, kwargs, _resizing(layouts, other, {}))
            second = arithmetic(anatomy, call, wording=False)
        fixed = sizes_of(model) | {name: size for name, size in sizes.items() if name not in other}
        yield second, Names({name: (sizes[name], size) for name, size in other.items()}, fixed), weights, None


def _is_plain(args: Args, kwargs: Kwargs) -> bool:
    """Return whether nothing is given that could hold one part for each layer, as a cache does."""
    given = (*args, *kwargs.values())
    return "head_mask" not in kwargs and all(
        one is None or isinstance(one, Tensor | bool | int | float | str) for one in given
    )


def _of_weights(model: nn.Module, made: Shadow) -> dict[str, Layout]:
    """Return names for the axes of weights, which differ in the second model even where it does not run."""
    names = Names(made.sizes, made.fixed)
    others = dict(made.model.named_parameters())
    return {
        name: tuple(
            names.axis(*sizes).name for sizes in zip(parameter.shape, others[name].shape, strict=True)
        )
        for name, parameter in model.named_parameters()
        if name in others and others[name].ndim == parameter.ndim
    }


def _resizing(
    layouts: Mapping[str, Layout], sizes: Mapping[str, int], by_size: Mapping[int, int]
) -> inputs.Change:
    def change(label: str, tensor: Tensor) -> Tensor:
        return inputs.resized(tensor, layouts[label], sizes, by_size if tensor.is_floating_point() else {})

    return change


def _another(size: int, place: int) -> int:
    """Return another size for an axis of an input."""
    return (17, 5, 7, 11, 13)[place % 5] if size > 13 or place == 0 else (19, 13, 11, 17, 7)[place % 5]
