"""The file `config.json`: whether it is a BERT's, and whether its sizes make sense."""

import json
import re
from pathlib import Path
from typing import Any

from bertviz_lite.models.source import Source

_SIZES = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "max_position_embeddings",
    "type_vocab_size",
)
_BERT_CLASS = re.compile(r"Bert(Model|LMHeadModel|For[A-Z]\w+)")


def read_config(source: Source) -> dict[str, Any]:
    """Read `config.json` and see that it describes a BERT whose sizes make sense.

    Raises
    ------
    ModelError
        If there is none, or it is no JSON, or of another kind of model, or its sizes cannot be.
    """
    path = source.folder / "config.json"
    if not path.is_file():
        names = ", ".join(sorted(entry.name for entry in source.folder.iterdir())[:3]) or "nothing"
        raise source.lacks(
            "no model here: a model folder holds config.json, tokenizer.json (or vocab.txt) and "
            f"model.safetensors; this one holds {names}."
        )
    config = read_json(source, path)
    _check_kind(source, config)
    config.setdefault("type_vocab_size", 2)
    for key in _SIZES:
        size = config.get(key)
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise source.error(f"config.json says {key}={size!r}; it must be a whole number, 1 or more.")
    hidden_size, num_heads = config["hidden_size"], config["num_attention_heads"]
    if hidden_size % num_heads:
        raise source.error(
            f"config.json says hidden_size={hidden_size} and num_attention_heads={num_heads}: "
            "the first must be a multiple of the second."
        )
    return config


def _check_kind(source: Source, config: dict[str, Any]) -> None:
    kind = config.get("model_type")
    if kind is None:  # configurations from before 2020 have none
        architectures = config.get("architectures") or []
        kind = "bert" if any(_BERT_CLASS.fullmatch(str(name)) for name in architectures) else None
    if kind != "bert":
        what = f'no BERT: config.json says "model_type": {json.dumps(kind)}.'
        if not isinstance(kind, str):
            raise source.error(what, 'Choose a BERT, as load("pocket") or load("bert-base-uncased").')
        raise source.error(
            what,
            "load() opens BERTs only; capture(), Explorer and trace() take other models that read text, too: "
            "open it with AutoModel.from_pretrained() and AutoTokenizer.from_pretrained() of transformers.",
        )


def read_json(source: Source, path: Path) -> dict[str, Any]:
    """Read a JSON object."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise source.error(f"{path.name} cannot be read ({error}).") from None
    if not isinstance(content, dict):
        raise source.error(f"{path.name} must hold a JSON object, not a {type(content).__name__}.")
    return content
