"""A model saved to a folder and loaded again: what is in the file, what is missing, what the library says."""

from __future__ import annotations

from io import StringIO
from logging import StreamHandler
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import torch
from safetensors import safe_open
from transformers import BertForPreTraining
from transformers.utils import logging

if TYPE_CHECKING:
    from transformers import PreTrainedModel

__all__ = ["keys_in_file", "load_from_file"]


def keys_in_file(model: PreTrainedModel) -> set[str]:
    """Save a model for a moment, and return the names of the tensors that the file holds."""
    with TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        with safe_open(Path(folder, "model.safetensors"), "pt") as file:
            return set(file.keys())


def load_from_file(
    saved: PreTrainedModel,
    **options: Any,  # noqa: ANN401 - from_pretrained's own
) -> tuple[BertForPreTraining, list[str], str]:
    """Save a model and load it as a `BertForPreTraining`, in float64.

    Parameters
    ----------
    saved
        The model.
    **options
        For ``from_pretrained``, such as ``tie_word_embeddings=False``.

    Returns
    -------
    model
        What was loaded.
    missing
        The names of the weights that the file lacks; they are made at random, the same each time.
    said
        What the library wrote to its log.
    """
    logger, heard = logging.get_logger("transformers"), StringIO()
    usual, logger.handlers = logger.handlers, [StreamHandler(heard)]
    bar = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        with TemporaryDirectory() as folder, torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            saved.save_pretrained(folder)
            loading: Any = BertForPreTraining  # with its report, it returns two things
            found, report = loading.from_pretrained(
                folder, output_loading_info=True, dtype=torch.float64, **options
            )
    finally:
        logger.handlers = usual
        if bar:
            logging.enable_progress_bar()
    return found, sorted(report["missing_keys"]), heard.getvalue()
