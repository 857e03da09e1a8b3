"""A small saved model for all tests of this folder."""

from pathlib import Path

import pytest
from transformers import BertForPreTraining

from tests.helpers.tiny_models import make, save


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Save a small BERT with both heads, and its tokenizer."""
    return save(tmp_path / "tiny", make(BertForPreTraining))
