"""Patient 8 of chapter 12: a tokenizer whose vocabulary is in another order than the model's table.

>>> from bertviz_lite import load
>>> tokenizer, _ = load("pocket")
>>> other = foreign_tokenizer(tokenizer)
>>> right, wrong = (kind("Anna sleeps.")["input_ids"] for kind in (tokenizer, other))
>>> tokenizer.decode(right) == other.decode(wrong)
True
>>> right == wrong
False
"""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from transformers import AutoTokenizer, PreTrainedTokenizerBase

__all__ = ["foreign_tokenizer"]


def foreign_tokenizer(tokenizer: PreTrainedTokenizerBase) -> PreTrainedTokenizerBase:
    """Return a tokenizer that cuts alike and numbers otherwise, as from a file whose lines were sorted.

    Special tokens keep their ids, so that nothing is seen at the edges of a text.
    """
    with TemporaryDirectory() as folder:
        tokenizer.save_pretrained(folder)
        file = Path(folder) / "tokenizer.json"
        saved = json.loads(file.read_text(encoding="utf-8"))
        special = set(tokenizer.all_special_tokens)
        ordinary = [token for token in saved["model"]["vocab"] if token not in special]
        places = sorted(saved["model"]["vocab"][token] for token in ordinary)
        saved["model"]["vocab"].update(zip(sorted(ordinary), places, strict=True))
        file.write_text(json.dumps(saved, ensure_ascii=False), encoding="utf-8")
        other: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(folder)
    return other
