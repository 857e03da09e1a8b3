"""What a page needs of a WordPiece tokenizer, read from the library's own description of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bertviz_lite.capture.errors import kind_of
from bertviz_lite.views.base.errors import ViewError, ViewTypeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transformers import PreTrainedTokenizerBase

    Part = Mapping[str, Any]

__all__ = ["tokenizer_facts"]

_PARTS = {
    "normalizer": ("BertNormalizer",),
    "pre_tokenizer": ("BertPreTokenizer",),
    "model": ("WordPiece",),
    "post_processor": ("TemplateProcessing", "BertProcessing"),
}
_FLAGS = ("lstrip", "rstrip", "single_word", "normalized")


def tokenizer_facts(tokenizer: PreTrainedTokenizerBase) -> dict[str, object]:
    """Return a tokenizer's vocabulary and rules, as ``js/text/tokenizer.js`` takes them.

    Raises
    ------
    ViewError
        In one line, if it is of another kind than BERT's.
    """
    described = _described(tokenizer)
    for part, kinds in _PARTS.items():
        kind = (described[part] or {}).get("type")
        if kind not in kinds:
            raise ViewError(
                f"the tokenizer's {part} is {kind or 'missing'}: a page runs {' or '.join(kinds)}."
            )
    for token in described["added_tokens"]:
        set_flags = [flag for flag in _FLAGS if token[flag]]
        if set_flags:
            raise ViewError(
                f"the tokenizer's {token['content']} has {set_flags[0]}: a page does not do this."
            )
    model, rules = described["model"], dict(described["normalizer"])
    if rules["strip_accents"] is None:
        rules["strip_accents"] = rules["lowercase"]
    rules.pop("type")
    single, pair = _templates(described["post_processor"])
    return {
        "vocab": _by_id(model["vocab"]),
        "added": [[token["content"], token["id"]] for token in described["added_tokens"]],
        "unk_token": model["unk_token"],
        "continuing_subword_prefix": model["continuing_subword_prefix"],
        "max_input_chars_per_word": model["max_input_chars_per_word"],
        "normalizer": rules,
        "single": single,
        "pair": pair,
    }


def _described(tokenizer: PreTrainedTokenizerBase) -> dict[str, Any]:
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise ViewTypeError(
            f"tokenizer is {kind_of(tokenizer)}: give a fast tokenizer, as AutoTokenizer and load() do."
        )
    described: dict[str, Any] = json.loads(backend.to_str())
    return described


def _by_id(vocab: Mapping[str, int]) -> list[str]:
    tokens = sorted(vocab, key=vocab.__getitem__)
    if [vocab[token] for token in tokens] != list(range(len(tokens))):
        raise ViewError("the tokenizer's ids are not 0, 1, 2 and so on, each once: a page cannot hold it.")
    return tokens


def _templates(processor: Part) -> tuple[list[Part], list[Part]]:
    """Return what stands around one text, and around a pair: ids, and the texts 0 and 1, with segments."""
    if processor["type"] == "BertProcessing":
        cls, sep = (int(processor[name][1]) for name in ("cls", "sep"))
        single: list[Part] = [{"id": cls, "type_id": 0}, {"text": 0, "type_id": 0}, {"id": sep, "type_id": 0}]
        return single, [*single, {"text": 1, "type_id": 1}, {"id": sep, "type_id": 1}]
    ids = {name: token["ids"] for name, token in processor["special_tokens"].items()}
    return _slots(processor["single"], ids), _slots(processor["pair"], ids)


def _slots(template: Sequence[Part], ids: Mapping[str, Sequence[int]]) -> list[Part]:
    slots: list[Part] = []
    for piece in template:
        ((kind, slot),) = piece.items()
        if kind == "Sequence":
            slots.append({"text": "AB".index(slot["id"]), "type_id": slot["type_id"]})
        else:
            slots += [{"id": number, "type_id": slot["type_id"]} for number in ids[slot["id"]]]
    return slots
