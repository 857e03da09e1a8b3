"""Exercises of chapter 08, the LM head: one table or two, and how to tie them again."""

import copy
from collections.abc import Callable, Iterator

import torch
from torch import nn
from transformers import BertForMaskedLM

from bertviz_lite.chapters.chapter_08.exercises.small_models import small_model
from bertviz_lite.exercises import Case, exercise


def _apart(*, moved: float = 0.0) -> BertForMaskedLM:
    """Make a model whose head was copied alone: the decoder has its numbers in a tensor of its own."""
    model = small_model()
    model.cls = copy.deepcopy(model.cls)
    with torch.no_grad():
        model.cls.predictions.decoder.weight += moved
    return model


def _new_decoder() -> BertForMaskedLM:
    model = small_model()
    model.cls.predictions.decoder = nn.Linear(4, 9)
    return model


def _shared_memory() -> BertForMaskedLM:
    """Make a model with two parameters in one place: each has a gradient of its own."""
    model = small_model(tie=False)
    model.cls.predictions.decoder.weight.data = model.bert.embeddings.word_embeddings.weight.data
    return model


def _tied_by_hand() -> BertForMaskedLM:
    model = small_model(tie=False)
    model.cls.predictions.decoder.weight = model.bert.embeddings.word_embeddings.weight
    return model


def _tie_cases() -> Iterator[Case]:
    yield Case(small_model(), label="a model as it is made")
    yield Case(copy.deepcopy(small_model()), label="a copy of a whole model")
    yield Case(_apart(), label="a model whose head was copied alone: equal numbers, two tensors")
    yield Case(_new_decoder(), label="a model with a new nn.Linear as its decoder")
    yield Case(small_model(tie=False), label="a model made with tie_word_embeddings=False")
    yield Case(
        _shared_memory(), label="the same, then decoder.weight.data = table.data: two parameters share it"
    )
    yield Case(_tied_by_hand(), label="made with tie_word_embeddings=False, then tied by hand")


@exercise(
    cases=_tie_cases,
    hints=(
        "model.get_input_embeddings() and model.get_output_embeddings() give the two modules.",
        "Equal numbers are not enough: after one step of training they may differ. One parameter, two names?",
    ),
    note="One line in a test of your own, and a tie is not lost unseen.",
)
def is_tied(model: BertForMaskedLM) -> bool:
    """Say whether a model's word embeddings and its decoder use one and the same parameter."""
    return model.get_input_embeddings().weight is model.get_output_embeddings().weight


_TWO_PARAMETERS = (
    "two parameters that share memory are not one parameter. Each keeps its own gradient, and an optimizer "
    "moves the numbers twice."
)

is_tied.mistake(
    "Equal numbers can lie in two tensors: they part with the first step of training.",
    lambda model: torch.equal(model.get_input_embeddings().weight, model.get_output_embeddings().weight),
)
is_tied.mistake(
    f"Equal data_ptr() is shared memory, which is not yet a tie: {_TWO_PARAMETERS}",
    lambda model: (
        model.get_input_embeddings().weight.data_ptr() == model.get_output_embeddings().weight.data_ptr()
    ),
)
is_tied.mistake(
    "`==` compares number by number; give one answer, whether the two are the same parameter.",
    lambda model: model.get_input_embeddings().weight == model.get_output_embeddings().weight,
)
is_tied.mistake(
    "The config says what was wished for, not what is.", lambda model: model.config.tie_word_embeddings
)
is_tied.mistake(
    "It is True for every model: two equal shapes, or both keys in state_dict(), are no tie.",
    lambda model: model.get_input_embeddings().weight.shape == model.get_output_embeddings().weight.shape,
)
is_tied.mistake(
    "It is False for every model: the modules (as the objects in state_dict()) are two in any case.",
    lambda model: model.get_input_embeddings() is model.get_output_embeddings(),
)


def _retie_cases() -> Iterator[Case]:
    yield Case(_apart(), label="a model whose head was copied alone")
    yield Case(_apart(moved=0.1), label="the same, after training has moved the decoder by 0.1")


def _after(answer: Callable[[BertForMaskedLM], object], model: BertForMaskedLM) -> object:
    """Run an answer on a copy, and say what the two tables are now."""
    retied = answer(copy.deepcopy(model))
    if retied is None or retied is ...:
        return retied
    if not isinstance(retied, BertForMaskedLM):
        raise TypeError(f"{type(retied).__name__} was returned: it should be the model")
    # The modules themselves: a `get_output_embeddings` that an answer has put in place ties nothing.
    modules = (
        model.bert.embeddings.word_embeddings,
        retied.bert.embeddings.word_embeddings,
        retied.cls.predictions.decoder,
    )
    was, table, decoder = (module.weight for module in modules)
    return {
        "one parameter": table is decoder,
        "one place in memory": table.data_ptr() == decoder.data_ptr(),
        "the words' table as it was": torch.equal(table, was),
        "the decoder's numbers as the table's": torch.equal(decoder, table),
    }


@exercise(
    cases=_retie_cases,
    call=_after,
    hints=(
        "A module's parameter can be replaced: module.weight = another_parameter.",
        "The table stays; the decoder takes it: model.get_output_embeddings().weight = …",
    ),
    note="model.tie_weights() does the same, as long as the config says that the model is tied.",
)
def retie(model: BertForMaskedLM) -> BertForMaskedLM:
    """Tie a model's decoder to its word embeddings again, keep the embeddings' numbers, return the model."""
    model.get_output_embeddings().weight = model.get_input_embeddings().weight
    return model


@retie.mistake(
    "The numbers were copied: they are equal now, but lie in two places still, and training parts them."
)
def _copied(model: BertForMaskedLM) -> BertForMaskedLM:
    model.get_output_embeddings().weight.data.copy_(model.get_input_embeddings().weight.data)
    return model


@retie.mistake(f"The memory is shared, but nothing is tied: {_TWO_PARAMETERS}")
def _shares_memory(model: BertForMaskedLM) -> BertForMaskedLM:
    model.get_output_embeddings().weight.data = model.get_input_embeddings().weight.data
    return model


@retie.mistake("Tied, but the wrong way round: the words' table has taken the decoder's numbers.")
def _wrong_way(model: BertForMaskedLM) -> BertForMaskedLM:
    model.get_input_embeddings().weight = model.get_output_embeddings().weight
    return model


@retie.mistake(
    "The decoder has a tensor of its own still: neither the config nor a method put in its place moves one."
)
def _config_only(model: BertForMaskedLM) -> BertForMaskedLM:
    model.config.tie_word_embeddings = True
    return model
