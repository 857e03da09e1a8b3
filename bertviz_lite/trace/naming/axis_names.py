"""Find the names of axes: run the model a second time with other sizes, and see which axes changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from bertviz_lite.trace.model.parts import ModelParts
from bertviz_lite.trace.naming.config_sizes import sizes_of
from bertviz_lite.trace.naming.layer_axes import names_from_layers, weight_axes
from bertviz_lite.trace.naming.matching import matched, shapes_of_second
from bertviz_lite.trace.naming.second_passes import second_passes
from bertviz_lite.trace.naming.size_pairs import Names
from bertviz_lite.trace.recording.passes import Pass
from bertviz_lite.trace.recording.raw_steps import RawValue
from bertviz_lite.trace.steps.values import Axis


class AxisNames(NamedTuple):
    """Gives the axes of a tensor: from its shape in both passes, else from the layer that made it."""

    shapes: Mapping[int, tuple[int, ...] | None]
    names: Names
    from_layers: Mapping[tuple[int, int], str]

    def axes(self, value: RawValue) -> tuple[Axis, ...]:
        """Return the axes of a tensor of the first pass."""
        other = self.shapes.get(value.number)
        axes = []
        for dim, size in enumerate(value.shape):
            axis = self.names.axis(size, None if other is None else other[dim])
            name = self.from_layers.get((value.number, dim))
            if axis.name is None and name is not None and (other is None or other[dim] == size):
                axis = Axis(size, name)
            axes.append(axis)
        return tuple(axes)


def axis_names(parts: ModelParts, args: tuple[Any, ...], kwargs: Mapping[str, Any], first: Pass) -> AxisNames:
    """Return what names the axes of the first pass."""
    for second in second_passes(parts, args, kwargs, failed=first.error is not None):
        places, whole = matched(first.steps, second.run.steps, second.stack)
        if whole and (second.run.error is None or first.error is not None):
            shapes = shapes_of_second(first.steps, second.run.steps, places)
            return AxisNames(shapes, second.names, names_from_layers(first.steps, second.weights))
    model = parts.model
    from_layers = names_from_layers(first.steps, weight_axes(model))
    return AxisNames({}, Names({}, sizes_of(model)), from_layers)
