"""The modules, parameters and buffers of a model, listed once."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor, nn


@dataclass(eq=False, repr=False)
class ModelParts:
    """What a model is made of.

    ``paths`` gives each module's paths (several where it is shared), ``parameters`` and ``buffers`` the name
    of each tensor, by ``id``; the tensors themselves are held, so that no ``id`` can be another's.
    """

    model: nn.Module
    modules: list[nn.Module] = field(default_factory=list)
    paths: dict[int, list[str]] = field(default_factory=dict)
    parameters: dict[int, tuple[str, Tensor]] = field(default_factory=dict)
    buffers: dict[int, tuple[str, Tensor]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._visit(self.model, "")

    def _visit(self, module: nn.Module, path: str) -> None:
        known = self.paths.setdefault(id(module), [])
        known.append(path)
        before = f"{path}." if path else ""
        if len(known) == 1:
            self.modules.append(module)
            for name, parameter in module._parameters.items():
                if parameter is not None:
                    self.parameters.setdefault(id(parameter), (before + name, parameter))
            for name, buffer in module._buffers.items():
                if buffer is not None:
                    self.buffers.setdefault(id(buffer), (before + name, buffer))
        for name, child in module._modules.items():
            if child is not None:
                self._visit(child, before + name)

    @property
    def device(self) -> torch.device:
        """Where the parameters are; a model without numbers counts as one on the CPU."""
        first = next(iter(self.parameters.values()), None)
        return torch.device("cpu") if first is None or first[1].is_meta else first[1].device

    def counts(self) -> dict[int, int]:
        """Return how many numbers the parameters inside each module have, each counted once."""
        sizes_inside: dict[int, dict[int, int]] = {}

        def inside(module: nn.Module) -> dict[int, int]:
            if id(module) not in sizes_inside:
                sizes = {
                    id(weight): weight.numel() for weight in module._parameters.values() if weight is not None
                }
                for child in module._modules.values():
                    if child is not None:
                        sizes |= inside(child)
                sizes_inside[id(module)] = sizes
            return sizes_inside[id(module)]

        inside(self.model)
        return {key: sum(sizes.values()) for key, sizes in sizes_inside.items()}
