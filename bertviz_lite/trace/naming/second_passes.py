"""Passes of the same steps with other sizes: of a resized copy of the model, or on other inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from torch import Tensor, nn

from bertviz_lite.trace.model.parts import ModelParts
from bertviz_lite.trace.naming.config_sizes import INPUT_SIZES, sizes_of
from bertviz_lite.trace.naming.input_axes import Layout, layouts, resized
from bertviz_lite.trace.naming.layer_axes import weight_axes
from bertviz_lite.trace.naming.resized_copy import ResizedModel
from bertviz_lite.trace.naming.resized_model import resized_model, stack_of
from bertviz_lite.trace.naming.size_pairs import Names
from bertviz_lite.trace.recording.call import Change, call
from bertviz_lite.trace.recording.passes import Pass, arithmetic, by_shape

Args = tuple[Any, ...]
Kwargs = Mapping[str, Any]


class SecondPass(NamedTuple):
    """A pass with other sizes, and what names its axes.

    ``weights`` holds names for the axes of parameters; ``stack`` is the path of the layers of which the pass
    took the first only, None if it took all.
    """

    run: Pass
    names: Names
    weights: Mapping[str, Layout]
    stack: str | None


def second_passes(parts: ModelParts, args: Args, kwargs: Kwargs, *, failed: bool) -> Iterator[SecondPass]:
    """Yield passes with other sizes, the quickest and most telling first, until one takes the same steps."""
    model = parts.model
    input_axes, sizes = layouts(model, call(model, args, kwargs).tensors)
    other_sizes = {name: INPUT_SIZES[name] for name in sizes}
    pairs = {name: (sizes[name], other_sizes[name]) for name in sorted(sizes, key="batch".__ne__)}
    weights: Mapping[str, Layout] = {}
    stack = None if failed or not _is_plain(args, kwargs) else stack_of(parts)
    for careful, one_stack in ((False, stack), (False, None), (True, None))[stack is None :]:
        copy = resized_model(model, careful=careful, one_layer=one_stack is not None)
        if copy is None:
            break
        # Vectors that are given are as wide as the layers, or else as some other size says; not so where
        # the width may be what is wrong.
        width = {"hidden_size": copy.sizes["hidden_size"]}
        by_size = dict([*(() if failed else copy.sizes.values()), *width.values()])
        given = call(model, args, kwargs, _resizing(input_axes, other_sizes, by_size))
        second = by_shape(ModelParts(copy.model), given, checks=False, wording=False)
        yield SecondPass(second, Names({**pairs, **copy.sizes}, copy.fixed), weights, one_stack)
        if one_stack is None:
            weights = weights or _axes_of_weights(model, copy)
    weights = {**weight_axes(model), **weights}
    for chosen in (list(sizes), ["batch"], []):
        other = {name: _another(sizes[name], place) for place, name in enumerate(sizes) if name in chosen}
        change = _resizing(input_axes, other, {})
        second = by_shape(parts, call(model, args, kwargs, change), wording=False)
        if second.error is not None:
            second = arithmetic(parts, call(model, args, kwargs, change), wording=False)
        fixed = sizes_of(model) | {name: size for name, size in sizes.items() if name not in other}
        names = Names({name: (sizes[name], size) for name, size in other.items()}, fixed)
        yield SecondPass(second, names, weights, None)


def _is_plain(args: Args, kwargs: Kwargs) -> bool:
    """Return whether nothing is given that could hold one part for each layer, as a cache does."""
    given = (*args, *kwargs.values())
    return "head_mask" not in kwargs and all(
        argument is None or isinstance(argument, Tensor | bool | int | float | str) for argument in given
    )


def _axes_of_weights(model: nn.Module, copy: ResizedModel) -> dict[str, Layout]:
    """Return names for the axes of weights, which differ in the second model even where it does not run."""
    names = Names(copy.sizes, copy.fixed)
    others = dict(copy.model.named_parameters())
    return {
        name: tuple(
            names.axis(*sizes).name for sizes in zip(parameter.shape, others[name].shape, strict=True)
        )
        for name, parameter in model.named_parameters()
        if name in others and others[name].ndim == parameter.ndim
    }


def _resizing(axes: Mapping[str, Layout], sizes: Mapping[str, int], by_size: Mapping[int, int]) -> Change:
    def change(label: str, tensor: Tensor) -> Tensor:
        return resized(tensor, axes[label], sizes, by_size if tensor.is_floating_point() else {})

    return change


def _another(size: int, place: int) -> int:
    """Return another size for an axis of an input."""
    return (17, 5, 7, 11, 13)[place % 5] if size > 13 or place == 0 else (19, 13, 11, 17, 7)[place % 5]
