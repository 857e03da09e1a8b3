"""What a resized copy of the model is, whatever it was made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from torch import nn


class ResizedModel(NamedTuple):
    """The second model: the same class, with other sizes.

    ``sizes`` holds for each name its size in the first model and in the second, ``fixed`` that of names whose
    size had to stay.
    """

    model: nn.Module
    sizes: Mapping[str, tuple[int, int]]
    fixed: Mapping[str, int]


def take_out_missing(model: nn.Module, made: nn.Module) -> None:
    """Take out of the copy what the model does not have (a pooler); train or evaluate as it does."""
    made.training = model.training
    for name, part in made._modules.items():
        other = model._modules.get(name)
        if other is None:
            made._modules[name] = None
        elif part is not None:
            take_out_missing(other, part)
