"""A second model of the same class whose sizes all differ: it tells apart what coincides in the first.

It has no weights (they lie on the meta device) and is used once, to find names.
"""

from __future__ import annotations

import copy
import inspect
import logging
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from bertviz_lite.trace.recording.anatomy import Anatomy
from bertviz_lite.trace.recording.keep import configs_of

# How the configs call an axis -> the name that is shown.
_NAMES = {
    attribute: name
    for name, attributes in {
        "hidden_size": "hidden_size n_embd d_model dim",
        "num_heads": (
            "num_attention_heads n_head n_heads num_heads encoder_attention_heads decoder_attention_heads"
        ),
        "head_size": "head_dim d_kv",
        "num_key_value_heads": "num_key_value_heads",
        "intermediate_size": "intermediate_size hidden_dim n_inner d_ff encoder_ffn_dim decoder_ffn_dim",
        "embedding_size": "embedding_size",
        "vocab_size": "vocab_size",
        "num_labels": "num_labels",
        "max_position_embeddings": "max_position_embeddings n_positions",
        "type_vocab_size": "type_vocab_size",
        "relative_attention_num_buckets": "relative_attention_num_buckets",
    }.items()
    for attribute in attributes.split()
}
# Sizes that no model has, and that no product of two of them, no multiple and no neighbour meets.
HEADS, HEAD_SIZE = 13, 38
_SIZES = {
    "hidden_size": 502, "intermediate_size": 227, "embedding_size": 178, "vocab_size": 379, "num_labels": 41,
    "max_position_embeddings": 563, "type_vocab_size": 47, "relative_attention_num_buckets": 106,
}  # fmt: skip
# Layers that their class makes all alike from one config: one of them in the second model will do.
_ALIKE = {"BertLayer", "RobertaLayer", "ElectraLayer", "TransformerBlock"}
OF_INPUTS = {
    "batch": 17, "seq_len": 23, "num_choices": 29, "decoder_seq_len": 31, "encoder_seq_len": 37,
    "src_len": 23, "tgt_len": 31, "memory_len": 37, "query_len": 23, "key_len": 31,
}  # fmt: skip


class Shadow(NamedTuple):
    """The second model.

    ``sizes`` gives of every name its size in the first model and in the second, ``fixed`` that of names whose
    size had to stay.
    """

    model: nn.Module
    sizes: Mapping[str, tuple[int, int]]
    fixed: Mapping[str, int]


def stack_of(anatomy: Anatomy) -> str | None:
    """Return the path of a model's only stack of layers, where its class makes them all alike; else None."""
    model = anatomy.model
    count = getattr(getattr(model, "config", None), "num_hidden_layers", None)
    stacks = [
        module
        for module in anatomy.modules
        if isinstance(module, nn.ModuleList) and any(type(one).__name__ in _ALIKE for one in module)
    ]
    if len(stacks) != 1 or len(stacks[0]) != count or len({type(one) for one in stacks[0]}) != 1:
        return None
    ours = all(_is_of_library(one) for one in (model, stacks[0][0]))
    return anatomy.paths[id(stacks[0])][0] if ours else None


def _is_of_library(module: nn.Module) -> bool:
    return type(module).__module__.startswith("transformers.models.") and "forward" not in vars(module)


def shadow(model: nn.Module, *, careful: bool = False, one_layer: bool = False) -> Shadow | None:
    """Make the second model; None if there is no config, or the class is not made from a config alone.

    `careful` leaves the number of labels, which a model may take for granted, and embeddings as wide as the
    layers where they are so in the first: such an ELECTRA has no projection between them. `one_layer` makes
    one of the layers that :func:`stack_of` found.
    """
    configs = configs_of(model.modules())
    if not configs and not careful:
        return of_torch(model)
    if not configs or not (len(configs) == 1 or hasattr(model, "config")):
        return None
    config = copy.deepcopy(configs[0])
    if not _is_made_from_config(type(model)) or not {"hidden_size", "num_heads"} <= set(_of_config(config)):
        return None
    sizes = _change(config, careful=careful)
    if one_layer:
        config.num_hidden_layers = 1
    try:
        with _quiet(), _not_filled(), _NoWeights():
            made = type(model)(config, **_options(model))
    except Exception:  # noqa: BLE001 - whatever a class needs: then its names are found in another way
        return None
    _same_parts(model, made)
    fixed = {"num_labels": config.num_labels} if "num_labels" not in sizes else {}
    return Shadow(made, sizes, fixed)


def _is_made_from_config(kind: type[nn.Module]) -> bool:
    needed = [
        one
        for one in list(inspect.signature(kind.__init__).parameters.values())[1:]
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]
    return len(needed) == 1 and needed[0].name == "config"


def _options(model: nn.Module) -> dict[str, Any]:
    """Return what else the class takes and the model remembers, as ``layer_idx``."""
    known = inspect.signature(type(model).__init__).parameters
    return {
        name: vars(model)[name]
        for name, one in known.items()
        if one.default is not one.empty and isinstance(vars(model).get(name), bool | int | str)
    }


def _change(config: Any, *, careful: bool) -> dict[str, tuple[int, int]]:  # noqa: ANN401
    """Give a config other sizes; return of every name both."""
    before = _of_config(config)
    hidden, heads = before["hidden_size"], before["num_heads"]
    has_head_size = "head_size" in before
    before.setdefault("head_size", hidden // heads)
    groups = heads // before.get("num_key_value_heads", heads)
    after = {name: size for name, size in _SIZES.items() if name in before}
    after |= {"num_heads": HEADS * groups, "head_size": HEAD_SIZE}
    if "num_key_value_heads" in before:
        after["num_key_value_heads"] = HEADS
    if not has_head_size:
        after["hidden_size"] = after["num_heads"] * HEAD_SIZE
    if careful or before.get("num_labels") == 1:  # of one label, a model computes another loss
        after.pop("num_labels", None)
    if careful and before.get("embedding_size") == hidden:
        after["embedding_size"] = after["hidden_size"]
    for name, attribute in _attributes(config):
        if name in after:
            setattr(config, attribute, after[name])
    if after.get("embedding_size") == after["hidden_size"]:
        del after["embedding_size"]  # one size, one name
    if groups == 1:
        before.pop("num_key_value_heads", None)
    return {name: (size, after[name]) for name, size in before.items() if name in after}


def _attributes(config: Any) -> list[tuple[str, str]]:  # noqa: ANN401
    return [(name, attribute) for attribute, name in _NAMES.items() if _has(config, attribute)]


def _has(config: Any, attribute: str) -> bool:  # noqa: ANN401
    if attribute == "n_inner":
        return hasattr(config, "n_inner")
    value = getattr(config, attribute, None)
    return isinstance(value, int) and value > 0


def _of_config(config: Any) -> dict[str, int]:  # noqa: ANN401
    """Return the sizes that a config gives, by name; a name that it gives two sizes is left out."""
    found: dict[str, set[int]] = {}
    for name, attribute in _attributes(config):
        size = getattr(config, attribute)
        if attribute == "n_inner" and size is None:
            size = 4 * config.n_embd  # as GPT2Config says
        found.setdefault(name, set()).add(size)
    return {name: sizes.pop() for name, sizes in found.items() if len(sizes) == 1}


def sizes_of(model: nn.Module) -> dict[str, int]:
    """Return the sizes that the configs of a model give, by name."""
    found: dict[str, set[int]] = {}
    for config in configs_of(model.modules()):
        for name, size in _of_config(config).items():
            found.setdefault(name, set()).add(size)
    return {name: sizes.pop() for name, sizes in found.items() if len(sizes) == 1}


def of_torch(model: nn.Module) -> Shadow | None:
    """Make the second model of one of torch's own transformers; None for any other module."""
    recipe = next((recipe for kind, recipe in _RECIPES if type(model) is kind), None)
    if recipe is None:
        return None
    attention = next(one for one in model.modules() if isinstance(one, nn.MultiheadAttention))
    before = {"hidden_size": attention.embed_dim, "num_heads": attention.num_heads}
    before["head_size"] = attention.head_dim
    after = {"hidden_size": HEADS * HEAD_SIZE, "num_heads": HEADS, "head_size": HEAD_SIZE}
    inner = next((one.linear1 for one in model.modules() if hasattr(one, "linear1")), None)
    if isinstance(inner, nn.Linear):
        before["intermediate_size"] = inner.out_features
        after["intermediate_size"] = _SIZES["intermediate_size"]
    try:
        with _quiet(), _NoWeights():
            made = recipe(model, attention, after)
    except Exception:  # noqa: BLE001 - a custom part
        return None
    _same_parts(model, made)
    return Shadow(made, {name: (size, after[name]) for name, size in before.items()}, {})


def _attention(_model: Any, like: nn.MultiheadAttention, sizes: Mapping[str, int]) -> nn.Module:  # noqa: ANN401
    return nn.MultiheadAttention(sizes["hidden_size"], sizes["num_heads"], batch_first=like.batch_first)


def _layer(model: Any, like: nn.MultiheadAttention, sizes: Mapping[str, int]) -> nn.Module:  # noqa: ANN401
    made: nn.Module = type(model)(
        sizes["hidden_size"],
        sizes["num_heads"],
        sizes["intermediate_size"],
        activation=model.activation,
        batch_first=like.batch_first,
        norm_first=model.norm_first,
        bias=model.linear1.bias is not None,
    )
    return made


def _stack(model: Any, like: nn.MultiheadAttention, sizes: Mapping[str, int]) -> nn.Module:  # noqa: ANN401
    norm = None if model.norm is None else nn.LayerNorm(sizes["hidden_size"])
    made: nn.Module = type(model)(_layer(model.layers[0], like, sizes), len(model.layers), norm)
    return made


def _whole(model: Any, like: nn.MultiheadAttention, sizes: Mapping[str, int]) -> nn.Module:  # noqa: ANN401
    return nn.Transformer(
        sizes["hidden_size"],
        sizes["num_heads"],
        custom_encoder=_stack(model.encoder, like, sizes),
        custom_decoder=_stack(model.decoder, like, sizes),
        batch_first=model.batch_first,
    )


_RECIPES: tuple[tuple[type, Callable[[Any, nn.MultiheadAttention, Mapping[str, int]], nn.Module]], ...] = (
    (nn.MultiheadAttention, _attention),
    (nn.TransformerEncoderLayer, _layer),
    (nn.TransformerDecoderLayer, _layer),
    (nn.TransformerEncoder, _stack),
    (nn.TransformerDecoder, _stack),
    (nn.Transformer, _whole),
)


def _same_parts(model: nn.Module, made: nn.Module) -> None:
    """Take out what the model does not have (a pooler), and train or evaluate as it does."""
    made.training = model.training
    for name, part in made._modules.items():
        other = model._modules.get(name)
        if other is None:
            made._modules[name] = None
        elif part is not None:
            _same_parts(other, part)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep transformers and torch from saying again what they said about the first model."""
    handlers = logging.getLogger("transformers").handlers

    def nothing(_record: logging.LogRecord) -> bool:
        return False

    for handler in handlers:
        handler.addFilter(nothing)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for handler in handlers:
            handler.removeFilter(nothing)


def _not_filled() -> AbstractContextManager[Any]:
    """Return transformers' own way to make a model without random weights, where it has one: it is faster."""
    try:
        from transformers.initialization import no_init_weights
    except ImportError:
        return nullcontext()
    found: AbstractContextManager[Any] = no_init_weights()
    return found


class _NoWeights(TorchFunctionMode):
    """Make parameters without numbers; leave out what would fill them at random."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Any,  # noqa: ANN401
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401
        """Make or fill a tensor."""
        kwargs = kwargs or {}
        if func is torch.empty:
            kwargs = {**kwargs, "device": "meta"}
        elif func.__name__.endswith("_") and not func.__name__.startswith("__"):
            filled = args[0] if args else kwargs.get("tensor")
            if isinstance(filled, torch.Tensor) and filled.is_meta:
                return filled
        return func(*args, **kwargs)
