"""A hub without a network: a cache folder as `huggingface_hub` has it, with several commits of a model."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["publish", "swapped"]


def publish(cache: Path, name: str, tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel) -> str:
    """Put a model into a cache folder as the newest commit under a name, as if it had been downloaded.

    Parameters
    ----------
    cache
        The folder to give as ``cache_dir``.
    name
        A name as the hub has it, ``"owner/model"``.
    tokenizer, model
        What is published.

    Returns
    -------
    str
        The commit: forty hexadecimal digits, here made of the weights.
    """
    repository = cache / f"models--{name.replace('/', '--')}"
    new = cache / "new"
    model.save_pretrained(new)
    tokenizer.save_pretrained(new)
    commit = hashlib.sha1((new / "model.safetensors").read_bytes(), usedforsecurity=False).hexdigest()
    snapshot = repository / "snapshots" / commit
    if snapshot.exists():
        shutil.rmtree(snapshot)
    snapshot.parent.mkdir(parents=True, exist_ok=True)
    new.rename(snapshot)
    (repository / "refs").mkdir(exist_ok=True)
    (repository / "refs" / "main").write_text(commit, encoding="utf-8")
    return commit


def swapped(model: PreTrainedModel, one: int, other: int) -> PreTrainedModel:
    """Return the model after its authors' "small update": two words have changed their vectors.

    Parameters
    ----------
    model
        A model; it is changed.
    one, other
        Ids of two word pieces.
    """
    embeddings = model.get_input_embeddings()
    assert isinstance(embeddings, torch.nn.Embedding)
    with torch.no_grad():
        embeddings.weight[[one, other]] = embeddings.weight[[other, one]]
    return model
