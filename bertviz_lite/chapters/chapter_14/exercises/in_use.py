"""Exercises of chapter 14: a model in use, without gradients, without dropout, several texts at once."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from transformers import BertConfig, BertForMaskedLM

from bertviz_lite.exercises import Case, exercise

PAD, MASK = 0, 4


def small_model(*, training: bool = False, seed: int = 0) -> BertForMaskedLM:
    """Make a tiny BERT with an LM head and strong dropout, the same each time."""
    config = BertConfig(
        vocab_size=12,
        hidden_size=8,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=12,
        max_position_embeddings=16,
        hidden_dropout_prob=0.5,
        initializer_range=0.6,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = BertForMaskedLM(config).double()
    model.train(mode=training)
    return model


def _batch(*rows: list[int]) -> dict[str, Tensor]:
    """Put rows of ids into a padded batch."""
    longest = max(map(len, rows))
    ids = torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])
    lengths = torch.tensor([len(row) for row in rows])
    return {"input_ids": ids, "attention_mask": (torch.arange(longest) < lengths[:, None]).long()}


def _trace_cases() -> Iterator[Case]:
    batch = _batch([2, 7, 4, 3], [2, 5, 3])
    yield Case(small_model(), batch, label="a model in evaluation mode, and a batch of two texts")
    yield Case(small_model(training=True), batch, label="a model in training mode, and the same batch")


def _outcome(answer: Callable[..., object], model: BertForMaskedLM, batch: dict[str, Tensor]) -> object:
    """Run an answer on a copy, and say what came out and what is left of it."""
    own = copy.deepcopy(model)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        with torch.enable_grad():
            logits = answer(own, batch)
    if logits is None or logits is ...:
        return logits
    if not isinstance(logits, Tensor):
        raise TypeError(f"{type(logits).__name__} was returned: it should be the logits, a tensor")
    return {
        "logits": logits.detach().clone(),
        "logits ask for gradients": logits.requires_grad,
        "model is in training mode afterwards": own.training,
    }


@exercise(
    cases=_trace_cases,
    call=_outcome,
    hints=(
        "Two things are to be switched off: dropout, by the model's mode, and the record for gradients.",
        "`model.training` says which mode it was in; `model.train(mode)` sets it back.",
        "was = model.training; model.eval(); with torch.no_grad(): ...; model.train(was)",
    ),
    note="In real code the last step belongs in a `finally:`, so that an error can't skip it.",
)
def without_a_trace(model: BertForMaskedLM, batch: dict[str, Tensor]) -> Tensor:
    """Return the logits of a batch: no dropout, no gradients, and the model's mode afterwards as before."""
    was = model.training
    model.eval()
    with torch.no_grad():
        logits: Tensor = model(**batch).logits
    model.train(was)
    return logits


@without_a_trace.mistake("Dropout is still on where the model comes in training mode.")
def _still_dropping(model: BertForMaskedLM, batch: dict[str, Tensor]) -> Tensor:
    with torch.no_grad():
        logits: Tensor = model(**batch).logits
    return logits


@without_a_trace.mistake("The model is left in evaluation mode, also if it came in training mode.")
def _left_in_eval(model: BertForMaskedLM, batch: dict[str, Tensor]) -> Tensor:
    model.eval()
    with torch.no_grad():
        logits: Tensor = model(**batch).logits
    return logits


@without_a_trace.mistake("eval() switches dropout off, not the record for gradients.")
def _with_gradients(model: BertForMaskedLM, batch: dict[str, Tensor]) -> Tensor:
    was = model.training
    model.eval()
    logits: Tensor = model(**batch).logits
    model.train(was)
    return logits


@without_a_trace.mistake("The model is left in training mode, also if it came in evaluation mode.")
def _always_train(model: BertForMaskedLM, batch: dict[str, Tensor]) -> Tensor:
    model.eval()
    with torch.no_grad():
        logits: Tensor = model(**batch).logits
    model.train()
    return logits


@without_a_trace.mistake("The attention_mask is not passed on, so padding is read as text.")
def _unmasked(model: BertForMaskedLM, batch: dict[str, Tensor]) -> Tensor:
    return without_a_trace.reference(model, {"input_ids": batch["input_ids"]})  # type: ignore[return-value]


def _word_cases() -> Iterator[Case]:
    model = small_model(seed=3)
    yield Case(model, _batch([2, 4, 9, 4, 3]), MASK, label="one text: ids [[2, 4, 9, 4, 3]], mask_token_id 4")
    yield Case(
        model,
        _batch([2, 7, 4, 8, 4, 3], [2, 4, 4, 3], [2, 4, 5, 4, 3]),
        MASK,
        label="ids [[2, 7, 4, 8, 4, 3], [2, 4, 4, 3, 0, 0], [2, 4, 5, 4, 3, 0]], mask_token_id 4",
    )
    rows = [2, 6, 4, 10, 11, 4, 3], [2, 4, 6, 4, 3], [2, 8, 4, 4, 3], [2, 4, 9, 9, 4, 3]
    yield Case(small_model(seed=5), _batch(*rows), MASK, label="four texts of 5 to 7 ids, another model")


def _answers(answer: Callable[..., object], model: BertForMaskedLM, *rest: object) -> object:
    with torch.no_grad():
        return answer(model, *rest)


@exercise(
    cases=_word_cases,
    call=_answers,
    hints=(
        "Pass the whole batch: model(**batch).logits is (batch, seq_len, vocab_size).",
        "logits[batch['input_ids'] == mask_token_id] has two rows for each text: .view(-1, 2, vocab_size).",
        "Softmax along the words, then max(dim=-1) gives values and indices.",
    ),
    note='pipeline("fill-mask") does the same, one text after the other. Neither word knows of the other.',
)
def best_words(model: BertForMaskedLM, batch: dict[str, Tensor], mask_token_id: int) -> tuple[Tensor, Tensor]:
    """Fill the two gaps of each text: (ids of the best words, their probabilities), both (batch, 2).

    `batch` has input_ids and attention_mask; each text has two gaps, at places of its own.
    """
    model.eval()
    with torch.no_grad():
        logits = model(**batch).logits
    at_gaps = logits[batch["input_ids"] == mask_token_id].view(-1, 2, logits.shape[-1])
    best = at_gaps.softmax(dim=-1).max(dim=-1)
    return best.indices, best.values


_Batch = dict[str, Tensor]
_Two = tuple[Tensor, Tensor]


def _at_gaps(model: BertForMaskedLM, batch: _Batch, mask_token_id: int) -> Tensor:
    """Return the logits at the gaps, (2 · batch, vocab_size)."""
    logits: Tensor = model(**batch).logits
    return logits[batch["input_ids"] == mask_token_id]


@best_words.mistake("The attention_mask is not passed on: the shorter texts read their padding.")
def _padding_read(model: BertForMaskedLM, batch: _Batch, mask_token_id: int) -> _Two:
    return best_words.reference(model, {"input_ids": batch["input_ids"]}, mask_token_id)  # type: ignore[return-value]


@best_words.mistake("These are logits; softmax makes probabilities of them.")
def _logits(model: BertForMaskedLM, batch: _Batch, mask_token_id: int) -> _Two:
    best = _at_gaps(model, batch, mask_token_id).max(dim=-1)
    return best.indices.view(-1, 2), best.values.view(-1, 2)


@best_words.mistake("The gaps stand in one long row: two columns are wanted, a row for each text.")
def _in_one_row(model: BertForMaskedLM, batch: _Batch, mask_token_id: int) -> _Two:
    best = _at_gaps(model, batch, mask_token_id).softmax(dim=-1).max(dim=-1)
    return best.indices, best.values


@best_words.mistake("The gaps go text after text, two by two: view(-1, 2, ...), a text in each row.")
def _in_columns(model: BertForMaskedLM, batch: _Batch, mask_token_id: int) -> _Two:
    best = _at_gaps(model, batch, mask_token_id).softmax(dim=-1).max(dim=-1)
    return best.indices.view(2, -1).T, best.values.view(2, -1).T


@best_words.mistake("The places of the gaps in the first text are taken for all texts.")
def _one_place(model: BertForMaskedLM, batch: _Batch, mask_token_id: int) -> _Two:
    places = (batch["input_ids"][0] == mask_token_id).nonzero()[:, 0]
    best = model(**batch).logits[:, places].softmax(dim=-1).max(dim=-1)
    return best.indices, best.values


@best_words.mistake("Softmax runs along the gaps; along the words is dim=-1.")
def _along_gaps(model: BertForMaskedLM, batch: _Batch, mask_token_id: int) -> _Two:
    best = _at_gaps(model, batch, mask_token_id).softmax(dim=0).max(dim=-1)
    return best.indices.view(-1, 2), best.values.view(-1, 2)


@best_words.mistake("The two results are in the other order: first the ids, then the probabilities.")
def _turned(model: BertForMaskedLM, batch: _Batch, mask_token_id: int) -> _Two:
    right: Any = best_words.reference(model, batch, mask_token_id)
    return right[1], right[0]
