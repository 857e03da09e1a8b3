"""Names of axes from layers: what a layer of torch calls the axes of its weight and of its output.

For axes that no second pass could name: a layer of torch says what the axes of its weight are, and a linear
map, a convolution or a table of embeddings gives that axis to its output. Functions that treat each number by
itself pass the name on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set as AbstractSet

from torch import nn

from bertviz_lite.trace.naming.input_axes import Layout
from bertviz_lite.trace.recording.raw_steps import RawStep, RawValue

_EACH_BY_ITSELF = frozenset(
    """
    relu gelu tanh sigmoid silu elu leaky_relu softplus dropout softmax log_softmax layer_norm batch_norm add
    sub mul div contiguous to float relu_ add_ mul_ exp log neg sqrt clamp
    """.split()  # noqa: SIM905 - a list of thirty strings reads badly
)
_AXIS_OF_LAYER = {"linear": -1, "conv1d": 1, "conv2d": 1, "conv3d": 1}
_POOLS = ("max_pool", "avg_pool", "adaptive_avg_pool", "adaptive_max_pool")


def weight_axes(model: nn.Module) -> dict[str, Layout]:
    """Return what layers of torch call the axes of their weights, by the name of the parameter."""
    axes: dict[str, Layout] = {}
    for path, module in model.named_modules():
        for name, layout in _axes_of_layer(module):
            axes[f"{path}.{name}" if path else name] = layout
    return axes


def _axes_of_layer(module: nn.Module) -> Iterator[tuple[str, Layout]]:
    if isinstance(module, nn.Linear):
        yield "weight", ("out_features", "in_features")
        yield "bias", ("out_features",)
    elif isinstance(module, nn.Embedding):
        yield "weight", ("num_embeddings", "embedding_dim")
    elif isinstance(module, nn.Conv1d | nn.Conv2d | nn.Conv3d):
        yield (
            "weight",
            ("out_channels", None if module.groups > 1 else "in_channels", *(None,) * module.weight.ndim),
        )
        yield "bias", ("out_channels",)


def names_from_layers(steps: Sequence[RawStep], weights: Mapping[str, Layout]) -> dict[tuple[int, int], str]:
    """Return names for axes of tensors, by the number of the tensor and of the axis."""
    names: dict[tuple[int, int], str] = {}
    made: set[int] = set()
    for step in steps:
        for value, dim, name in _given(step, weights, names, made):
            if name is not None and value.shape:
                names.setdefault((value.number, dim % len(value.shape)), name)
        if step.kind == "operation":
            made |= {output.number for output in step.outputs}
    return names


def _given(
    step: RawStep,
    weights: Mapping[str, Layout],
    known: Mapping[tuple[int, int], str],
    made: AbstractSet[int],
) -> Iterator[tuple[RawValue, int, str | None]]:
    """Yield the names that a step shows: tensor, axis and its name."""
    for weight in step.weights:
        for dim, name in enumerate(weights.get(weight.label, ())[: len(weight.shape)]):
            yield weight, dim, name
    if step.kind != "operation" or not step.outputs:
        return
    output = step.outputs[0]
    layout = weights.get(step.weights[0].label, ()) if step.weights else ()
    if len(layout) > 1 and step.inputs and step.key in _AXIS_OF_LAYER:
        dim = _AXIS_OF_LAYER[step.key]
        if step.inputs[0].number not in made:  # given to the model: there is no layer whose output it is
            yield step.inputs[0], dim, layout[1]
        yield output, dim, layout[0]
    elif len(layout) > 1 and step.key == "embedding":
        yield output, -1, layout[1]
    given = [value for value in step.inputs if value.shape == output.shape]
    if step.key.startswith(_POOLS):
        given = list(step.inputs[:1])
    elif step.key not in _EACH_BY_ITSELF:
        given = []
    for dim in range(2 if step.key.startswith(_POOLS) else len(output.shape)):
        names = {known.get((value.number, dim)) for value in given}
        if len(names) == 1:
            yield output, dim, names.pop()
