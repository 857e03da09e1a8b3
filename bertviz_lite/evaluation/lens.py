"""A logit lens: the LM head, trained to read the last layer, reads every layer.

>>> from bertviz_lite import load
>>> from bertviz_lite.evaluation.lens import lens
>>> tokenizer, model = load("pocket")
>>> input_ids = tokenizer("Anna lost [MASK] key.", return_tensors="pt")["input_ids"]
>>> lens(model, input_ids).shape  # (layers + 1, seq_len, vocab_size)
torch.Size([5, 7, 3750])

Left out: models without BERT's LM head, and a head trained for each layer (a "tuned lens").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import PreTrainedModel
from transformers.models.bert.modeling_bert import BertLMPredictionHead

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.data.batches import batches, pad
from bertviz_lite.data.cloze import Cloze

if TYPE_CHECKING:
    from transformers import BertForPreTraining

__all__ = ["Readings", "lens", "read_answers", "vectors_at"]


def lens(
    model: PreTrainedModel,
    input_ids: Tensor,
    attention_mask: Tensor | None = None,
    token_type_ids: Tensor | None = None,
) -> Tensor:
    """Apply a model's LM head to the hidden states of every layer, for one input.

    The idea is nostalgebraist's ("interpreting GPT: the logit lens", 2020). The result shows what *this
    head* computes from a layer's vectors: how near they already are to the form in which the last layer holds
    a word. It does not show what a layer contains. The head was trained on the last layer only: the lens does
    not see a word that a lower layer holds in another form, and the layers above need not use what it sees.

    Parameters
    ----------
    model
        A BERT with an LM head: `BertForPreTraining` or `BertForMaskedLM`.
    input_ids
        Whole numbers, shape (seq_len,) or (1, seq_len).
    attention_mask, token_type_ids
        Of the same shape; None: nothing is padding, everything is segment 0, as in the model itself.

    Returns
    -------
    Tensor
        Logits, shape (layers + 1, seq_len, vocab_size), in the model's dtype and on its device: row 0 from
        the input embeddings (after their LayerNorm), row i + 1 from the output of layer i. The last row is
        the model's own logits in evaluation mode, bit for bit. No gradients.

    Raises
    ------
    TypeError
        If `model` has no LM head of BERT, or an input is no tensor of whole numbers.
    ValueError
        If an input is more than one text, has another shape than `input_ids`, is too long for the model, or
        has an id outside the vocabulary.

    Examples
    --------
    >>> from bertviz_lite import load
    >>> tokenizer, model = load("pocket")
    >>> text = "Anna is [MASK], so she eats an apple."
    >>> input_ids = tokenizer(text, return_tensors="pt")["input_ids"]
    >>> best = lens(model, input_ids)[:, input_ids[0] == tokenizer.mask_token_id].argmax(-1)
    >>> tokenizer.convert_ids_to_tokens(best.flatten())[-1]
    'hungry'
    """
    head = _head(model)
    given = {"input_ids": input_ids, "attention_mask": attention_mask, "token_type_ids": token_type_ids}
    inputs = {name: _one_row(name, ids) for name, ids in given.items() if ids is not None}
    _check(inputs, model)
    with _reading(model):
        states = model.base_model(
            **{name: ids.to(model.device) for name, ids in inputs.items()}, output_hidden_states=True
        ).hidden_states
        # One layer at a time, with the shapes of an ordinary pass: another shape may round differently.
        return torch.cat([head(layer) for layer in states])


def vectors_at(model: BertForPreTraining, clozes: Sequence[Cloze], mask_id: int) -> Tensor:
    """Return the vectors of all hidden positions, before the LM head, at every layer.

    Parameters
    ----------
    model
        As in :func:`lens`. Its own kind of attention is used.
    clozes
        Inputs with hidden positions; segment 0 everywhere.
    mask_id
        The id of [MASK].

    Returns
    -------
    Tensor
        Shape (layers + 1, positions, hidden_size): the positions that the clozes ask for, end to end in
        their order; on the CPU, in the model's dtype, without gradients.
    """
    lengths = [len(cloze.positions) for cloze in clozes]
    ends = np.cumsum(lengths)
    config = model.config
    vectors = torch.zeros(config.num_hidden_layers + 1, sum(lengths), config.hidden_size, dtype=model.dtype)
    with _reading(model):
        for batch in batches([len(cloze.input_ids) for cloze in clozes]):
            chosen = [clozes[index] for index in batch]
            input_ids, attention_mask = pad([_hidden(cloze, mask_id) for cloze in chosen], model.device)
            states = model.base_model(
                input_ids, attention_mask=attention_mask, output_hidden_states=True
            ).hidden_states
            rows = np.repeat(np.arange(len(chosen)), [lengths[index] for index in batch])
            places = np.concatenate([cloze.positions for cloze in chosen])
            into = np.concatenate([np.arange(ends[index] - lengths[index], ends[index]) for index in batch])
            for number, layer in enumerate(states):
                vectors[number, into] = layer[rows, places].cpu()
    return vectors


class Readings(NamedTuple):
    """What the lens reads at hidden words; arrays of shape (clozes, layers + 1).

    ``rank`` is the place of the right token in the whole vocabulary, 1 for the first (int64), and
    ``log_probability`` its natural logarithm of probability (float64). Of a word of several tokens: the worst
    rank, and the sum.
    """

    rank: NDArray[np.int64]
    log_probability: NDArray[np.float64]


def read_answers(
    model: BertForPreTraining, clozes: Sequence[Cloze], mask_id: int, vectors: Tensor | None = None
) -> Readings:
    """Find the place of the right word at every layer, for many hidden words.

    Parameters are those of :func:`vectors_at`; `vectors` is its result, if it has been computed already.

    Raises
    ------
    TypeError
        As :func:`lens`.
    """
    head = _head(model)
    owners = np.repeat(np.arange(len(clozes)), [len(cloze.positions) for cloze in clozes])
    answers = torch.from_numpy(np.concatenate([_answers(cloze) for cloze in clozes]))[:, None]
    shape = len(clozes), model.config.num_hidden_layers + 1
    rank, log_probability = np.zeros(shape, np.int64), np.zeros(shape)
    for number, layer in enumerate(vectors_at(model, clozes, mask_id) if vectors is None else vectors):
        with torch.no_grad():
            logits = head(layer.to(model.device)).double().cpu()
        right = logits.gather(1, answers)
        np.maximum.at(rank[:, number], owners, 1 + (logits > right).sum(-1).numpy())
        scored = (right - logits.logsumexp(-1, keepdim=True))[:, 0]
        np.add.at(log_probability[:, number], owners, scored.numpy())
    return Readings(rank, log_probability)


def _hidden(cloze: Cloze, mask_id: int) -> NDArray[np.int64]:
    row = cloze.input_ids.copy()
    row[cloze.positions if cloze.hidden is None else cloze.hidden] = mask_id
    return row


def _answers(cloze: Cloze) -> NDArray[np.int64]:
    return cloze.input_ids[cloze.positions] if cloze.answers is None else cloze.answers


def _head(model: object) -> BertLMPredictionHead:
    if not isinstance(model, PreTrainedModel):
        raise ArgumentError(f"model is a {type(model).__name__}: give a BertForPreTraining, as load() does.")
    head = getattr(getattr(model, "cls", None), "predictions", None)
    if not isinstance(head, BertLMPredictionHead):
        raise ArgumentError(
            f"{type(model).__name__} has no LM head of BERT to read the layers with: "
            "give a BertForPreTraining or a BertForMaskedLM, as load() does."
        )
    return head


def _one_row(name: str, ids: object) -> Tensor:
    if not isinstance(ids, Tensor) or ids.is_floating_point() or ids.is_complex():
        kind = ids.dtype if isinstance(ids, Tensor) else type(ids).__name__
        raise ArgumentError(
            f'{name} is {kind}: give a tensor of whole numbers, as tokenizer(…, return_tensors="pt") does.'
        )
    row = ids[None] if ids.ndim == 1 else ids
    if row.ndim != 2 or row.shape[0] != 1 or row.shape[1] == 0:
        raise ArgumentError(
            f"{name} has shape {tuple(ids.shape)}: the lens reads one input, (seq_len,) or (1, seq_len); "
            "call it once for each text."
        )
    return row


def _check(inputs: dict[str, Tensor], model: PreTrainedModel) -> None:
    input_ids, config = inputs["input_ids"], model.config
    for name, ids in inputs.items():
        if ids.shape != input_ids.shape:
            raise ArgumentError(
                f"{name} has {ids.shape[1]} entries, input_ids {input_ids.shape[1]}: "
                "both must come from one call of the tokenizer."
            )
    if input_ids.shape[1] > config.max_position_embeddings:
        raise ArgumentError(
            f"input_ids has {input_ids.shape[1]} tokens, the model's position table "
            f"{config.max_position_embeddings} rows: cut the text, as with truncation=True."
        )
    least, most = int(input_ids.min()), int(input_ids.max())
    if least < 0 or most >= config.vocab_size:
        wrong = least if least < 0 else most
        raise ArgumentError(
            f"input_ids holds {wrong}, the vocabulary runs from 0 to {config.vocab_size - 1}: "
            "is the tokenizer that of the model?"
        )


@contextmanager
def _reading(model: PreTrainedModel) -> Iterator[None]:
    """Switch dropout and gradients off for a while; every module gets its mode back."""
    modes = [(module, module.training) for module in model.modules()]
    try:
        model.eval()
        with torch.no_grad():
            yield
    finally:
        for module, training in modes:
            module.training = training
