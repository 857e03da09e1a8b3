"""Look up the three vectors behind every token of a text, in a model's own tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.evaluation.checks import check_model_and_tokenizer
from bertviz_lite.evaluation.embeddings.parts import InputParts
from bertviz_lite.evaluation.embeddings.word_table import WordTable

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch.nn import Embedding
    from transformers import PreTrainedModel, PreTrainedTokenizerBase
    from transformers.models.bert.modeling_bert import BertEmbeddings

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

_TABLES = ("word_embeddings", "position_embeddings", "token_type_embeddings", "LayerNorm")


def input_parts(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, text: str, text_pair: str | None = None
) -> InputParts:
    """Look up the three vectors behind every token of a text.

    Parameters
    ----------
    model
        A BERT of ``transformers`` (``BertModel``, ``BertForPreTraining``, …), with its tables in
        ``model.base_model.embeddings``.
    tokenizer
        The tokenizer that belongs to it.
    text, text_pair
        One sentence, or two: the second gets segment 1.

    Returns
    -------
    InputParts
        With ``normalised`` equal to ``model.base_model.embeddings(…)`` in eval mode.

    Raises
    ------
    TypeError
        If `text` is not a string, or `model` has no such embeddings.
    ValueError
        If a text is empty, or has more tokens than the model has positions.

    Examples
    --------
    >>> parts = input_parts(model, tokenizer, "Ada finds a key.")  # doctest: +SKIP
    >>> parts.tokens  # doctest: +SKIP
    ('[CLS]', 'ada', 'finds', 'a', 'key', '.', '[SEP]')
    >>> abs(parts.total - parts.token - parts.position - parts.segment).max()  # doctest: +SKIP
    0.0
    """
    check_model_and_tokenizer(model, tokenizer)
    for name, given in (("text", text), ("text_pair", text_pair)):
        if given is None and name == "text_pair":
            continue
        if not isinstance(given, str):
            raise ArgumentError(f"{name} must be one string, not {type(given).__name__}.")
        if not given.strip():
            raise ArgumentError(f"{name} is empty: there is nothing to look up.")
    embeddings = _bert_embeddings(model)
    try:
        encoded = tokenizer(text, text_pair, return_token_type_ids=True, verbose=False)
    except (TypeError, UnicodeEncodeError):
        raise ArgumentError("a text holds half a character: give whole ones.") from None
    input_ids = list(encoded["input_ids"])
    token_type_ids = list(encoded["token_type_ids"])
    longest = embeddings.position_embeddings.num_embeddings
    if len(input_ids) > longest:
        raise ArgumentError(
            f"the text has {len(input_ids)} tokens, the model has {longest} positions: "
            "shorten it, or cut it in parts."
        )
    known = embeddings.word_embeddings.num_embeddings
    if max(input_ids) >= known:
        raise ArgumentError(
            f"the tokenizer gives id {max(input_ids)}, {type(model).__name__} knows ids up to {known - 1}: "
            "this tokenizer belongs to another model."
        )
    position_ids = list(range(len(input_ids)))
    return InputParts(
        tokens=tuple(tokenizer.convert_ids_to_tokens(input_ids)),
        input_ids=np.array(input_ids),
        token_type_ids=np.array(token_type_ids),
        position_ids=np.array(position_ids),
        token=_rows(embeddings.word_embeddings, input_ids),
        position=_rows(embeddings.position_embeddings, position_ids),
        segment=_rows(embeddings.token_type_embeddings, token_type_ids),
        gain=embeddings.LayerNorm.weight.detach().double().cpu().numpy(),
        bias=embeddings.LayerNorm.bias.detach().double().cpu().numpy(),
        eps=embeddings.LayerNorm.eps,
        word_table=_word_table(embeddings.word_embeddings, tokenizer),
    )


def _word_table(table: Embedding, tokenizer: PreTrainedTokenizerBase) -> WordTable:
    """Return the table of words with its entries' names; what is not in the vocabulary has its id as name."""
    names = tokenizer.convert_ids_to_tokens(list(range(min(len(tokenizer), table.num_embeddings))))
    rest = range(len(names), table.num_embeddings)
    vectors: npt.NDArray[np.float32] = table.weight.detach().cpu().numpy()
    return WordTable((*map(str, names), *(f"id {number}" for number in rest)), vectors)


def _bert_embeddings(model: PreTrainedModel) -> BertEmbeddings:
    """Return the ``BertEmbeddings`` of a model, or say why there are none."""
    embeddings: Any = getattr(getattr(model, "base_model", model), "embeddings", None)
    missing = [name for name in _TABLES if not hasattr(embeddings, name)]
    if missing:
        raise ArgumentError(
            f"{type(model).__name__} has no {' and no '.join(missing)} in model.base_model.embeddings: "
            "input_parts() reads models with BERT's embeddings."
        )
    if embeddings.position_embeddings.padding_idx is not None:
        raise ArgumentError(
            f"{type(model).__name__} counts its positions from the padding id, as RoBERTa does: "
            "input_parts() reads models with BERT's embeddings."
        )
    return cast("BertEmbeddings", embeddings)


def _rows(table: Embedding, ids: list[int]) -> Floats:
    """Return the rows `ids` of an ``nn.Embedding``, (len(ids), hidden_size), without copying it all."""
    rows: Floats = table.weight.detach()[ids].double().cpu().numpy()
    return rows
