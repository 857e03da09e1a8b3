"""What several tests of chapters begin with."""

import pytest
from transformers import BertForPreTraining, TokenizersBackend

from bertviz_lite import load


@pytest.fixture(scope="module")
def pocket() -> tuple[TokenizersBackend, BertForPreTraining]:
    tokenizer, model = load("pocket")
    assert isinstance(tokenizer, TokenizersBackend)
    assert isinstance(model, BertForPreTraining)
    return tokenizer, model
