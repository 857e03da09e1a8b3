"""Walks in as few bytes as will do, for the page: every text, shape and step once, by number."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from bertviz_lite.views.trace.walks import Hop, Shape, Walks, WalkStep

__all__ = ["packed"]


class _Once:
    """Values by number, each kept once."""

    def __init__(self) -> None:
        self.number: dict[Hashable, int] = {}
        self.values: list[Any] = []

    def __call__(self, value: Any, key: Hashable = None) -> int:  # noqa: ANN401
        key = value if key is None else key
        if key not in self.number:
            self.number[key] = len(self.values)
            self.values.append(value)
        return self.number[key]


def packed(walks: Walks) -> dict[str, Any]:
    """Return what the page needs of the walks, as JSON has it; see ``readPath`` in view.js."""
    texts, shapes, nodes = _Once(), _Once(), _Once()

    def number_of(shape: Shape | None) -> int:
        return -1 if shape is None else shapes([list(axis) for axis in shape.axes], shape.text)

    def packed_hop(hop: Hop) -> list[Any]:
        others = [texts(other) for other in hop.others]
        node = nodes(_node(hop.step, texts), hop.step.index)
        return [node, number_of(hop.before), number_of(hop.after), texts(hop.sentence), others]

    paths = {
        name: {"start": number_of(walk.start), "hops": [packed_hop(hop) for hop in walk.hops]}
        for name, walk in walks.walks.items()
    }
    return {
        "model": walks.model_name,
        "failure": walks.failure,
        "legend": walks.legend,
        "texts": texts.values,
        "shapes": shapes.values,
        "nodes": nodes.values,
        "paths": paths,
    }


def _node(step: WalkStep, texts: _Once) -> list[Any]:
    """Return a step as a list; ``readPath`` in view.js names its places."""
    return [
        step.index,
        int(step.is_module),
        texts(step.name),
        texts(step.path),  # as `collapsed` has it
        -1 if step.parent is None else step.parent,
        int(step.can_open),
        int(step.failed),
        step.parameters,
        texts(step.source),
        texts(step.line),
        texts(step.numbers),
        texts(step.weights),
    ]
