"""The tables and texts of the model that the chapters load, as the exercises use them."""

from functools import lru_cache
from typing import Any, cast

import torch
from torch import Tensor, nn
from transformers import PreTrainedTokenizerBase
from transformers.models.bert.modeling_bert import BertEmbeddings

from bertviz_lite.exercises import loaded


def own_embeddings() -> BertEmbeddings:
    """Give the embedding layer of the model that the chapters load."""
    return cast(BertEmbeddings, loaded()[1].base_model.embeddings)


def rows_of(table: nn.Embedding, which: slice = slice(None)) -> Tensor:
    """Give some rows of a table, (rows, hidden_size), in float64."""
    return table.weight.detach()[which].double()


def vocabulary_tokens() -> tuple[str, ...]:
    """List the tokens of the model's vocabulary in the order of their ids."""
    return _tokens_of(loaded()[0])


@lru_cache(maxsize=2)
def _tokens_of(tokenizer: PreTrainedTokenizerBase) -> tuple[str, ...]:
    return tuple(cast(list[str], tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))))


def small_tables() -> tuple[Tensor, Tensor, Tensor]:
    """Make tables that can be added up in one's head: tokens, positions, segments."""
    words = torch.tensor([[0.0, 0.0], [1.0, 2.0], [3.0, 1.0], [5.0, 8.0]], dtype=torch.float64)
    positions = torch.tensor([[0.1, 0.2], [0.3, 0.5], [0.7, 0.4], [0.9, 0.6]], dtype=torch.float64)
    segments = torch.tensor([[10.0, 20.0], [30.0, 50.0]], dtype=torch.float64)
    return words, positions, segments


def _words() -> list[str]:
    """List whole words from the middle of the vocabulary, whatever its language."""
    words = [token for token in vocabulary_tokens() if token.isalpha()]
    return words[len(words) // 3 :]


def real_batch() -> Any:  # noqa: ANN401 - BatchEncoding, which is not typed
    """Make a batch of two pairs of texts, the second padded."""
    tokenizer, _ = loaded()
    words = _words()
    first, second = [" ".join(words[:3]), words[3]], [" ".join(words[4:6]), words[6]]
    return tokenizer(first, second, padding=True, return_tensors="pt")
