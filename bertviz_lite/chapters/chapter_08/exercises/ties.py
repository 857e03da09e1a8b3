"""Exercises of chapter 08, the LM head: how to tie one table again."""

import copy
from collections.abc import Callable, Iterator

import torch
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


_TWO_PARAMETERS = (
    "two parameters that share memory are not one parameter. Each keeps its own gradient, and an optimizer "
    "moves the numbers twice."
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
