"""Exercises of chapter 11, fine-tuning: which parameters are trained."""

from collections.abc import Callable

from bertviz_lite.exercises import Case, exercise

_PARTS = ("attention.self.query.weight", "output.dense.bias")
_NAMES = [
    "bert.embeddings.word_embeddings.weight",
    "bert.embeddings.LayerNorm.bias",
    *(f"bert.encoder.layer.{layer}.{part}" for layer in range(12) for part in _PARTS),
    "bert.pooler.dense.weight",
    "bert.pooler.dense.bias",
    "classifier.weight",
    "classifier.bias",
]
_SHORT = [name for name in _NAMES if ".layer." not in name or name.split(".")[3] in "0123"]


@exercise(
    cases=lambda: [
        Case(_SHORT, 2, label="the names of a model with 4 layers, frozen = 2"),
        Case(_NAMES, 1, label="the names of a model with 12 layers, frozen = 1"),
        Case(_NAMES, 10, label="the names of a model with 12 layers, frozen = 10"),
    ],
    hints=(
        'name.startswith("bert.embeddings.") says that a parameter belongs to the embeddings.',
        'For those of the layers, "bert.encoder.layer.7.output.dense.bias".split(".")[3] is "7".',
        "Compare the layers as numbers: int(…) < frozen is frozen.",
    ),
    note="To freeze in torch: parameter.requires_grad_(name in trained), for every named parameter.",
)
def trained_names(names: list[str], frozen: int) -> list[str]:
    """Build the variant: of a model's parameters, list those still trained when its bottom is frozen.

    Frozen are the embeddings and the lowest `frozen` layers; the layers above, the pooler and the head are
    trained. Keep the order of `names`.
    """

    def is_trained(name: str) -> bool:
        if name.startswith("bert.embeddings."):
            return False
        return not name.startswith("bert.encoder.layer.") or int(name.split(".")[3]) >= frozen

    return [name for name in names if is_trained(name)]


def _layer_of(name: str) -> int | None:
    return int(name.split(".")[3]) if ".layer." in name else None


def _kept(names: list[str], is_frozen: Callable[[int], bool], *, embeddings: bool = False) -> list[str]:
    """Leave out the layers that are frozen, and the embeddings unless they are to stay."""
    return [
        name
        for name in names
        if not ((layer := _layer_of(name)) is not None and is_frozen(layer))
        and (embeddings or "embeddings" not in name)
    ]


trained_names.mistake(
    "The embeddings are still trained; they are below the lowest layer, so they are frozen with it.",
    lambda names, frozen: _kept(names, lambda layer: layer < frozen, embeddings=True),
)
trained_names.mistake(
    "One layer too many is frozen: they are counted from 0, so the lowest `frozen` are 0 … frozen - 1.",
    lambda names, frozen: _kept(names, lambda layer: layer <= frozen),
)
trained_names.mistake(
    "The top is frozen, and the bottom is trained: it is the other way round.",
    lambda names, frozen: _kept(names, lambda layer: layer >= frozen),
)
trained_names.mistake(
    "These are the frozen ones; give those that are trained.",
    lambda names, frozen: [name for name in names if name not in trained_names.reference(names, frozen)],  # type: ignore[operator]
)
trained_names.mistake(
    "The layers are compared as text, so that “10” comes before “2”: make numbers of them.",
    lambda names, frozen: [
        name
        for name in names
        if "embeddings" not in name and (".layer." not in name or name.split(".")[3] >= str(frozen))
    ],
)
trained_names.mistake(
    "“layer.1” is also how “layer.10” and “layer.11” begin: compare the whole number.",
    lambda names, frozen: [
        name
        for name in names
        if "embeddings" not in name and not any(f"layer.{number}" in name for number in range(frozen))
    ],
)
trained_names.mistake(
    "Only layers are listed; the pooler and the head lie above them, and are trained.",
    lambda names, frozen: [
        name for name in _kept(names, lambda layer: layer < frozen) if _layer_of(name) is not None
    ],
)
trained_names.mistake(
    "The pooler is left out; it lies above the layers, and is trained.",
    lambda names, frozen: [
        name for name in _kept(names, lambda layer: layer < frozen) if "pooler" not in name
    ],
)
