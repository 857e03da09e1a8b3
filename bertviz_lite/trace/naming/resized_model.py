"""A resized copy of the model: the same class, all its sizes different, which tells apart what coincides.

It has no weights (they lie on the meta device) and is used once, to find names.
"""

from __future__ import annotations

import copy
import inspect
from typing import Any

from torch import nn

from bertviz_lite.trace.model.parts import ModelParts
from bertviz_lite.trace.model.restore import configs_of
from bertviz_lite.trace.naming.config_sizes import change_sizes, sizes_of_config
from bertviz_lite.trace.naming.resized_copy import ResizedModel, take_out_missing
from bertviz_lite.trace.naming.resized_torch import resized_torch_model
from bertviz_lite.trace.naming.without_weights import NoWeights, not_filled, quiet

# Layers that their class makes all alike from one config: one of them in the copy is enough.
_ALIKE = {"BertLayer", "RobertaLayer", "ElectraLayer", "TransformerBlock"}


def stack_of(parts: ModelParts) -> str | None:
    """Return the path of a model's only stack of layers, where its class makes them all alike; else None."""
    model = parts.model
    count = getattr(getattr(model, "config", None), "num_hidden_layers", None)
    stacks = [
        module
        for module in parts.modules
        if isinstance(module, nn.ModuleList) and any(type(layer).__name__ in _ALIKE for layer in module)
    ]
    if len(stacks) != 1 or len(stacks[0]) != count or len({type(layer) for layer in stacks[0]}) != 1:
        return None
    ours = all(map(_is_of_library, (model, stacks[0][0])))
    return parts.paths[id(stacks[0])][0] if ours else None


def _is_of_library(module: nn.Module) -> bool:
    return type(module).__module__.startswith("transformers.models.") and "forward" not in vars(module)


def resized_model(model: nn.Module, *, careful: bool = False, one_layer: bool = False) -> ResizedModel | None:
    """Make a resized copy; None if there is no config, or the class needs more than a config.

    `careful` leaves the number of labels, which a model may take for granted, and embeddings as wide as the
    layers where they are so in the first: such an ELECTRA has no projection between them. `one_layer` makes
    one of the layers that :func:`stack_of` found.
    """
    configs = configs_of(model.modules())
    if not configs and not careful:
        return resized_torch_model(model)
    if not configs or not (len(configs) == 1 or hasattr(model, "config")):
        return None
    config = copy.deepcopy(configs[0])
    if not _is_made_from_config(type(model)) or not {"hidden_size", "num_heads"} <= set(
        sizes_of_config(config)
    ):
        return None
    sizes = change_sizes(config, careful=careful)
    if one_layer:
        config.num_hidden_layers = 1
    try:
        with quiet(), not_filled(), NoWeights():
            made = type(model)(config, **_options(model))
    except Exception:  # noqa: BLE001 - whatever a class needs: then its names are found in another way
        return None
    take_out_missing(model, made)
    fixed = {"num_labels": config.num_labels} if "num_labels" not in sizes else {}
    return ResizedModel(made, sizes, fixed)


def _is_made_from_config(kind: type[nn.Module]) -> bool:
    starred = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    needed = [
        parameter
        for parameter in list(inspect.signature(kind.__init__).parameters.values())[1:]
        if parameter.default is parameter.empty and parameter.kind not in starred
    ]
    return len(needed) == 1 and needed[0].name == "config"


def _options(model: nn.Module) -> dict[str, Any]:
    """Return the other arguments of the class that the model keeps as attributes, as ``layer_idx``."""
    known = inspect.signature(type(model).__init__).parameters
    return {
        name: vars(model)[name]
        for name, parameter in known.items()
        if parameter.default is not parameter.empty and isinstance(vars(model).get(name), bool | int | str)
    }
