"""What a model folder holds, found out before any library is asked to load it.

Reading `config.json` and the header of a safetensors file (eight bytes of length, then JSON) takes a few
milliseconds and no torch, and says in one line what a stack of library errors would hide: the wrong kind of
model, a half-copied file, weights that do not fit the configuration.

Left out: everything that is not BERT, and every weight format but safetensors.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bertviz_lite.models.config_file import read_config, read_json
from bertviz_lite.models.shapes import Shapes, choose_class, expected_shapes, match_names
from bertviz_lite.models.source import Source
from bertviz_lite.models.weight_files import find_weights, read_header


@dataclass(frozen=True)
class Checkpoint:
    """A BERT on disk whose parts are known to fit together.

    Attributes
    ----------
    source : Source
        The folder, and how to get its files afresh.
    config : dict
        The content of `config.json`.
    class_name : str
        The class of `transformers` that has a place for every weight in the files and for no other.
    add_pooling_layer : bool
        Whether the files hold a pooler (`BertModel` alone can do without).
    weight_files : tuple of Path
        The safetensors files.
    names : dict of str to str
        Name in the files -> name in the model, for the weights that the model takes.
    """

    source: Source
    config: dict[str, Any]
    class_name: str
    add_pooling_layer: bool
    weight_files: tuple[Path, ...]
    names: dict[str, str]


def read_checkpoint(source: Source) -> Checkpoint:
    """Check a model folder without loading it.

    Raises
    ------
    ModelError
        If it is no model, no BERT, incomplete or damaged, or if its parts do not fit together.
    """
    config = read_config(source)
    weight_files = find_weights(source)
    _check_tokenizer(source, config)
    shapes: Shapes = {}
    for file in weight_files:
        shapes |= read_header(source, file)
    class_name = choose_class(source, config, shapes)
    pooler = any("pooler." in key for key in shapes)
    expected = expected_shapes(config, class_name, add_pooling_layer=pooler)
    names = match_names(source, config, class_name, shapes, expected)
    return Checkpoint(source, config, class_name, pooler, weight_files, names)


def _check_tokenizer(source: Source, config: dict[str, Any]) -> None:
    fast, plain = source.folder / "tokenizer.json", source.folder / "vocab.txt"
    if fast.is_file():
        model = read_json(source, fast).get("model")
        size = len(model.get("vocab") or ()) if isinstance(model, dict) else 0
        if not size:
            raise source.error("tokenizer.json holds no vocabulary.")
    elif plain.is_file():
        size = len(plain.read_bytes().splitlines())
        if not size:
            raise source.error("vocab.txt holds no vocabulary.")
    else:
        raise source.lacks(
            "no tokenizer: tokenizer.json or vocab.txt must lie beside the weights.",
            "Save it there too: tokenizer.save_pretrained(folder).",
        )
    if size > config["vocab_size"]:
        raise source.error(
            f"the tokenizer has {size:,} tokens, but the model has rows for {config['vocab_size']:,} only.",
            "Put the tokenizer there that the model was trained with.",
        )
