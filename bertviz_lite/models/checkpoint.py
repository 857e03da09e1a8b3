"""What a model folder holds, found out before any library is asked to load it.

Reading `config.json` and the header of a safetensors file (eight bytes of length, then JSON) takes a few
milliseconds and no torch, and says in one line what a stack of library errors would hide: the wrong kind of
model, a half-copied file, weights that do not fit the configuration.

Left out: everything that is not BERT, and every weight format but safetensors.
"""

import json
import re
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bertviz_lite.basics.one_line_error import OneLineError

Shapes = dict[str, tuple[int, ...]]

_LONGEST_HEADER = 100_000_000  # bytes; the limit of the safetensors format itself
_FLOATS = frozenset({"F64", "F32", "F16", "BF16"})
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
_CLASSIFIERS = frozenset(
    {"BertForMultipleChoice", "BertForSequenceClassification", "BertForTokenClassification"}
)
_WITHOUT_POOLER = frozenset({"BertForMaskedLM", "BertForQuestionAnswering", "BertForTokenClassification"})


class ModelError(OneLineError, ValueError):
    """A model could not be loaded; the message is one line and says what to do next."""

    __module__ = "bertviz_lite"


class IncompleteError(ModelError):
    """A file of the model is not there (from the hub it may still come)."""

    __module__ = "bertviz_lite"

    def _render_traceback_(self) -> list[str]:
        """Show the name that a reader catches it by."""
        return [f"{ModelError.__name__}: {self}"]


@dataclass(frozen=True)
class Source:
    """A folder to read, what the reader called it, and how to get its files afresh."""

    folder: Path
    name: str
    again: str

    def error(self, what: str, advice: str | None = None) -> ModelError:
        """Make the error that names the model, what is wrong with it, and what to do."""
        return ModelError(f"{self.name}: {what} {self.again if advice is None else advice}")

    def lacks(self, what: str, advice: str | None = None) -> IncompleteError:
        """Make the error for a file that is not there."""
        return IncompleteError(f"{self.name}: {what} {self.again if advice is None else advice}")


@dataclass(frozen=True)
class Checkpoint:
    """A BERT on disk whose parts are known to fit together.

    Attributes
    ----------
    source : Source
        Where it lies.
    config : dict
        What `config.json` says.
    class_name : str
        The class of `transformers` that has a place for every weight in the files and for no other.
    add_pooling_layer : bool
        Whether the files hold a pooler (asked by `BertModel` alone).
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
    weight_files = _find_weights(source)
    _check_tokenizer(source, config)
    shapes: Shapes = {}
    for file in weight_files:
        shapes |= _read_header(source, file)
    class_name = _choose_class(source, config, shapes)
    pooler = any("pooler." in key for key in shapes)
    expected = expected_shapes(config, class_name, add_pooling_layer=pooler)
    names = _match(source, config, class_name, shapes, expected)
    return Checkpoint(source, config, class_name, pooler, weight_files, names)


def read_config(source: Source) -> dict[str, Any]:
    """Read `config.json` and see that it describes a BERT whose sizes make sense.

    Raises
    ------
    ModelError
        If there is none, or it is no JSON, or of another kind of model, or its sizes cannot be.
    """
    path = source.folder / "config.json"
    if not path.is_file():
        found = ", ".join(sorted(entry.name for entry in source.folder.iterdir())[:3]) or "nothing"
        raise source.lacks(
            "no model here: a model folder holds config.json, tokenizer.json (or vocab.txt) and "
            f"model.safetensors; this one holds {found}."
        )
    config = _read_json(source, path)
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
    if kind is None:  # configurations from before 2020 do not say
        architectures = config.get("architectures") or []
        kind = "bert" if any(_BERT_CLASS.fullmatch(str(one)) for one in architectures) else None
    if kind != "bert":
        raise source.error(
            f'no BERT: config.json says "model_type": {json.dumps(kind)}.',
            'Choose a BERT, as load("pocket") or load("bert-base-uncased").',
        )


def _read_json(source: Source, path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise source.error(f"{path.name} cannot be read ({error}).") from None
    if not isinstance(content, dict):
        raise source.error(f"{path.name} must hold a JSON object, not a {type(content).__name__}.")
    return content


def _find_weights(source: Source) -> tuple[Path, ...]:
    folder = source.folder
    if (folder / "model.safetensors").is_file():
        return (folder / "model.safetensors",)
    index = folder / "model.safetensors.index.json"
    if index.is_file():
        parts = _read_json(source, index).get("weight_map")
        if not isinstance(parts, dict) or not parts:
            raise source.error(f"{index.name} has no weight_map.")
        files = tuple(folder / Path(str(part)).name for part in sorted(set(parts.values())))
        lost = [file.name for file in files if not file.is_file()]
        if lost:
            raise source.lacks(f"{len(lost)} of {len(files)} weight files are missing (first: {lost[0]}).")
        return files
    pickles = sorted(
        file.name for ending in ("*.bin", "*.pt", "*.ckpt", "*.pkl") for file in folder.glob(ending)
    )
    if pickles:
        raise source.lacks(
            f"the weights are there only as {pickles[0]}, a pickle, which can run code and is never opened.",
            "Find a version with model.safetensors, or make one where you trust it: model.save_pretrained().",
        )
    raise source.lacks("model.safetensors is missing.")


def _check_tokenizer(source: Source, config: dict[str, Any]) -> None:
    fast, plain = source.folder / "tokenizer.json", source.folder / "vocab.txt"
    if fast.is_file():
        model = _read_json(source, fast).get("model")
        size = len(model.get("vocab") or ()) if isinstance(model, dict) else 0
        if not size:
            raise source.error("tokenizer.json holds no vocabulary.")
    elif plain.is_file():
        size = len(plain.read_bytes().splitlines())
    else:
        raise source.lacks(
            "no tokenizer: tokenizer.json or vocab.txt must lie beside the weights.",
            "Save it there too: tokenizer.save_pretrained(folder).",
        )
    if size > config["vocab_size"]:
        raise source.error(
            f"the tokenizer has {size:,} pieces, but the model has rows for {config['vocab_size']:,} only.",
            "Put the tokenizer there that the model was trained with.",
        )


def _read_header(source: Source, file: Path) -> Shapes:
    """Read names and shapes from a safetensors file, and see that all its bytes are there."""
    size = file.stat().st_size
    with file.open("rb") as stream:
        first = stream.read(8)
        if first == b"version ":
            raise source.error(f"{file.name} is a Git LFS pointer, not the weights.", "Run: git lfs pull")
        length = struct.unpack("<Q", first)[0] if len(first) == 8 else size
        text = stream.read(length) if length < min(_LONGEST_HEADER, size) else b""
    try:
        header = json.loads(text)
        header.pop("__metadata__", None)
        end = 8 + length + max((entry["data_offsets"][1] for entry in header.values()), default=0)
        shapes = {key: tuple(entry["shape"]) for key, entry in header.items()}
        kinds = {str(entry["dtype"]) for key, entry in header.items() if not key.endswith("position_ids")}
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        raise source.error(f"{file.name} is damaged: its header cannot be read.") from None
    if size != end:
        raise source.error(f"{file.name} is damaged: it has {size:,} bytes and should have {end:,}.")
    if not kinds <= _FLOATS:
        raise source.error(
            f"{file.name} holds weights of type {min(kinds - _FLOATS)}.",
            "Choose a version in floating point (F32, F16, BF16), not a quantised one.",
        )
    return shapes


def _choose_class(source: Source, config: dict[str, Any], shapes: Shapes) -> str:
    """Find the class that has a place for the heads in the files, so that none is made up at random."""
    heads = {".".join(key.split(".")[: 2 if key.startswith("cls.") else 1]) for key in shapes}
    if "cls.predictions" in heads:
        return "BertForPreTraining" if "cls.seq_relationship" in heads else "BertForMaskedLM"
    if "cls.seq_relationship" in heads:
        return "BertForNextSentencePrediction"
    if "qa_outputs" in heads:
        return "BertForQuestionAnswering"
    if "classifier" in heads:
        said = sorted(_CLASSIFIERS.intersection(config.get("architectures") or ()))
        if len(said) != 1:
            raise source.error(
                'the weights hold a classifier; "architectures" in config.json must say of what kind.',
                f"Write one of these there: {', '.join(sorted(_CLASSIFIERS))}.",
            )
        return said[0]
    return "BertModel"


def _linear(name: str, out_features: int, in_features: int) -> Shapes:
    return {f"{name}.weight": (out_features, in_features), f"{name}.bias": (out_features,)}


def _layer_norm(name: str, size: int) -> Shapes:
    return {f"{name}.LayerNorm.weight": (size,), f"{name}.LayerNorm.bias": (size,)}


def expected_shapes(config: dict[str, Any], class_name: str, *, add_pooling_layer: bool) -> Shapes:
    """List the weights that a class needs, by name, with their shapes.

    Written out here so that an error needs no import of torch; a test compares it with `transformers`.
    """
    hidden_size, intermediate_size = config["hidden_size"], config["intermediate_size"]
    body: Shapes = {
        "embeddings.word_embeddings.weight": (config["vocab_size"], hidden_size),
        "embeddings.position_embeddings.weight": (config["max_position_embeddings"], hidden_size),
        "embeddings.token_type_embeddings.weight": (config["type_vocab_size"], hidden_size),
        **_layer_norm("embeddings", hidden_size),
    }
    for layer in range(config["num_hidden_layers"]):
        block = f"encoder.layer.{layer}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            body |= _linear(f"{block}.attention.{part}", hidden_size, hidden_size)
        body |= _layer_norm(f"{block}.attention.output", hidden_size)
        body |= _linear(f"{block}.intermediate.dense", intermediate_size, hidden_size)
        body |= _linear(f"{block}.output.dense", hidden_size, intermediate_size)
        body |= _layer_norm(f"{block}.output", hidden_size)
    if class_name not in _WITHOUT_POOLER and (add_pooling_layer or class_name != "BertModel"):
        body |= _linear("pooler.dense", hidden_size, hidden_size)
    if class_name == "BertModel":
        return body
    return {f"bert.{key}": shape for key, shape in body.items()} | _head_shapes(config, class_name)


def _head_shapes(config: dict[str, Any], class_name: str) -> Shapes:
    hidden_size, vocab_size = config["hidden_size"], config["vocab_size"]
    num_labels = 1 if class_name == "BertForMultipleChoice" else len(config.get("id2label") or (0, 1))
    if class_name in _CLASSIFIERS:
        return _linear("classifier", num_labels, hidden_size)
    if class_name == "BertForQuestionAnswering":
        return _linear("qa_outputs", num_labels, hidden_size)
    head: Shapes = {}
    if class_name in {"BertForPreTraining", "BertForMaskedLM"}:
        head |= _linear("cls.predictions.transform.dense", hidden_size, hidden_size)
        head |= _layer_norm("cls.predictions.transform", hidden_size)
        head["cls.predictions.bias"] = (vocab_size,)
        if not config.get("tie_word_embeddings", True):
            head |= _linear("cls.predictions.decoder", vocab_size, hidden_size)
    if class_name in {"BertForPreTraining", "BertForNextSentencePrediction"}:
        head |= _linear("cls.seq_relationship", 2, hidden_size)
    return head


def _match(
    source: Source, config: dict[str, Any], class_name: str, shapes: Shapes, expected: Shapes
) -> dict[str, str]:
    """Pair the names in the files with the names in the model; every weight must find its place."""
    spare, tied = set(), config.get("tie_word_embeddings", True)
    if tied:  # the same numbers as the word embeddings and cls.predictions.bias
        spare |= {"cls.predictions.decoder.weight", "cls.predictions.decoder.bias"}
    if class_name in _WITHOUT_POOLER:
        spare |= {"bert.pooler.dense.weight", "bert.pooler.dense.bias"}  # these classes have no use for it
    names = {}
    for stored in shapes:
        key = stored.replace(".gamma", ".weight").replace(".beta", ".bias")  # as the first BERT named them
        if class_name == "BertModel":
            key = key.removeprefix("bert.")
        if tied and key == "cls.predictions.decoder.bias" and "cls.predictions.bias" not in shapes:
            key = "cls.predictions.bias"
        if key not in spare and not key.endswith("position_ids"):
            names[stored] = key
    missing = sorted(set(expected) - set(names.values()))
    unexpected = sorted(set(names.values()) - set(expected))
    said = [f"{len(missing)} missing (first: {missing[0]})"] if missing else []
    said += [f"{len(unexpected)} without a place (first: {unexpected[0]})"] if unexpected else []
    if said:
        raise source.error(
            f"the weights do not fit config.json, read as {class_name}: {', '.join(said)}.",
            "Take both from the same place.",
        )
    for stored, key in names.items():
        if shapes[stored] != expected[key]:
            raise source.error(
                f"the weights do not fit config.json: {key} is {shapes[stored]}, "
                f"the configuration asks for {expected[key]}.",
                "Take both from the same place.",
            )
    return names
