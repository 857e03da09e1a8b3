"""Exercises of chapter 14: a model in use, without gradients and without dropout."""

import copy
from collections.abc import Callable, Iterator

import torch
from torch import Tensor
from transformers import BertConfig, BertForMaskedLM

from bertviz_lite.exercises import Case, exercise

PAD = 0


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
    too_long = _batch([2, *[7] * 20, 3])
    yield Case(
        small_model(training=True), too_long, label="a model in training mode, and a text too long for it"
    )


def _outcome(answer: Callable[..., object], model: BertForMaskedLM, batch: dict[str, Tensor]) -> object:
    """Run an answer on a copy, and say what came out and what is left of it."""
    own = copy.deepcopy(model)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        with torch.enable_grad():
            try:
                logits = answer(own, batch)
            except RuntimeError:
                if batch["input_ids"].shape[1] <= own.config.max_position_embeddings:
                    raise
                return {"the call fails; model is in training mode afterwards": own.training}
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
        "was = model.training; model.eval(); try: with torch.no_grad(): ...; finally: model.train(was)",
    ),
    note="`finally:` runs also if the model raises an error, here of a text that's too long. Where a frozen "
    "part is in eval() and the rest in train(), note each module's mode: was = {part: part.training for part "
    "in model.modules()}, and set part.training back.",
)
def without_a_trace(model: BertForMaskedLM, batch: dict[str, Tensor]) -> Tensor:
    """Return the logits of a batch: no dropout, no gradients, and the model's mode afterwards as before."""
    was = model.training
    model.eval()
    try:
        with torch.no_grad():
            logits: Tensor = model(**batch).logits
    finally:
        model.train(was)
    return logits


@without_a_trace.mistake(
    "An error skips the last line, and leaves the model in evaluation mode: try, finally."
)
def _left_after_an_error(model: BertForMaskedLM, batch: dict[str, Tensor]) -> Tensor:
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
