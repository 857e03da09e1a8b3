"""A clue followed through the layers: a vector of one sentence put into another."""

from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal

Layer = Callable[[Tensor], Tensor]


def _next_reads_last(x: Tensor) -> Tensor:
    """Let each place take over half of the place before it."""
    return (x + x.roll(1, dims=-2)) / 2


def _swap_cases() -> Iterator[Case]:
    layers = [_next_reads_last, torch.sin, _next_reads_last]
    for height, place in ((0, 0), (1, 2), (3, 1)):
        label = f"three layers, height {height}, place {place}"
        yield Case(layers, normal(3, 2, seed=1), normal(3, 2, seed=2), height, place, label=label)
    yield Case(layers, normal(2, 4, 3, seed=3), normal(2, 4, 3, seed=4), 2, 3, label="x of shape (2, 4, 3)")


@exercise(
    cases=_swap_cases,
    hints=(
        "Run the first `height` layers on x, and the same ones on the twin.",
        "Copy first, with clone(): then swapped[..., place, :] = twin[..., place, :].",
        "Only then run the layers that are left, layers[height:].",
    ),
    note="Only one vector changes hands. If the answer follows it, the clue is in that vector.",
)
def swap_vector(layers: Sequence[Layer], x: Tensor, twin: Tensor, height: int, place: int) -> Tensor:
    """Run x through all layers, but at one height take the vector of one place from the twin.

    `layers` are functions; each takes hidden states, (…, seq_len, hidden_size), and returns the same shape.
    Height 0 is the input, height i the result of the first i layers. `x` and `twin` stay as they are.
    """
    for layer in layers[:height]:
        x, twin = layer(x), layer(twin)
    swapped = x.clone()
    swapped[..., place, :] = twin[..., place, :]
    for layer in layers[height:]:
        swapped = layer(swapped)
    return swapped


def _run(layers: Sequence[Layer], x: Tensor) -> Tensor:
    for layer in layers:
        x = layer(x)
    return x


def _put(x: Tensor, twin: Tensor, place: int) -> Tensor:
    swapped = x.clone()
    swapped[..., place, :] = twin[..., place, :]
    return swapped


swap_vector.mistake(
    "The twin's vector is taken from its input: the twin has to go up to the same height first.",
    lambda layers, x, twin, height, place: _run(layers[height:], _put(_run(layers[:height], x), twin, place)),
)
swap_vector.mistake(
    "The swap comes one layer too late: height 0 is the input, before any layer.",
    lambda layers, x, twin, height, place: _run(
        layers[height + 1 :], _put(_run(layers[: height + 1], x), _run(layers[: height + 1], twin), place)
    ),
)
swap_vector.mistake(
    "The layers above the swap are not run.",
    lambda layers, x, twin, height, place: _put(_run(layers[:height], x), _run(layers[:height], twin), place),
)
swap_vector.mistake(
    "All layers are run again after the swap: only those above it are left.",
    lambda layers, x, twin, height, place: _run(
        layers, _put(_run(layers[:height], x), _run(layers[:height], twin), place)
    ),
)
swap_vector.mistake(
    "The other way round: one vector of x is put into the twin.",
    lambda layers, x, twin, height, place: _run(
        layers[height:], _put(_run(layers[:height], twin), _run(layers[:height], x), place)
    ),
)
swap_vector.mistake(
    "Nothing is swapped: this is x as it is.", lambda layers, x, twin, height, place: _run(layers, x)
)
swap_vector.mistake(
    "All vectors come from the twin: take the one at `place` only.",
    lambda layers, x, twin, height, place: _run(layers, twin),
)
