"""Exercises of chapter 11, the whole BERT: repairs of patients 4 to 6."""

# ruff: noqa: ANN401 - a repair may replace any part by anything

from collections.abc import Callable
from functools import partial
from typing import Any

from torch import Tensor, nn

from bertviz_lite.chapters.chapter_11.exercises.shared import FORWARD_HINT, Repair
from bertviz_lite.chapters.chapter_11.treatment import treatment


@treatment(
    4,
    hints=(
        "No code is wrong here, but a tensor. patient.parameters are 256,000 too many: which table is that?",
        "Chapter 07: one tensor with two names, bert.embeddings.word_embeddings.weight and …",
        "Set patient.cls.predictions.decoder.weight to the token table itself, not to a copy.",
    ),
    note="A file stores the table once. Whoever loads it without tying is left with random numbers.",
)
def repair_4(patient: Any) -> Any:
    """Mend patient 4, and return it."""
    patient.cls.predictions.decoder.weight = patient.bert.embeddings.word_embeddings.weight
    return patient


@repair_4.mistake("The decoder holds a copy: the first step of training would part the two. Tie them.")
def _copied_table(patient: Any) -> Any:
    table = patient.bert.embeddings.word_embeddings.weight
    patient.cls.predictions.decoder.weight = nn.Parameter(table.detach().clone())
    return patient


@repair_4.mistake(
    "Tied, but the wrong way round: the table that was trained is lost, the random one is kept."
)
def _tied_to_random(patient: Any) -> Any:
    patient.bert.embeddings.word_embeddings.weight = patient.cls.predictions.decoder.weight
    return patient


def _decoded(forward: Callable[[Any, Tensor, Tensor], Tensor]) -> Repair:
    def repair(patient: Any) -> Any:
        head, table = patient.cls.predictions, patient.bert.embeddings.word_embeddings
        head.forward = lambda hidden_states: forward(head, hidden_states, table.weight)
        return patient

    return repair


repair_4.mistake(
    "The bias of the words is missing.", _decoded(lambda head, x, table: head.transform(x) @ table.T)
)
repair_4.mistake("The transform is missing.", _decoded(lambda head, x, table: x @ table.T + head.bias))


@treatment(
    5,
    hints=(
        FORWARD_HINT,
        "It is one module only, patient.bert.encoder.layer[1].attention.self, given (hidden_states, bias).",
        "Chapter 03: `bias` is added to the scores before the softmax. Return two things: context, weights.",
    ),
    note="Weights set to 0 after the softmax leave rows that sum to less than 1; only padding shows it.",
)
def repair_5(patient: Any) -> Any:
    """Mend patient 5, and return it."""
    part = patient.bert.encoder.layer[1].attention.self

    def forward(hidden_states: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        query, key, value = (part.split(one(hidden_states)) for one in (part.query, part.key, part.value))
        scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
        weights = (scores + bias).softmax(dim=-1)
        return (weights @ value).transpose(1, 2).flatten(2), weights

    part.forward = forward
    return patient


def _attended(
    weigh: Callable[[Tensor, Tensor], Tensor],
    *,
    divide: Callable[[int], float] = lambda size: size**0.5,
    result: Callable[[Tensor, Tensor], object] = lambda context, weights: (context, weights),
) -> Repair:
    def repair(patient: Any) -> Any:
        part = patient.bert.encoder.layer[1].attention.self

        def forward(hidden_states: Tensor, bias: Tensor) -> object:
            query, key, value = (part.split(one(hidden_states)) for one in (part.query, part.key, part.value))
            scores = query @ key.transpose(-1, -2) / divide(query.shape[-1])
            weights = weigh(scores, bias)
            return result((weights @ value).transpose(1, 2).flatten(2), weights)

        part.forward = forward
        return patient

    return repair


def _masked(scores: Tensor, bias: Tensor) -> Tensor:
    return (scores + bias).softmax(dim=-1)


repair_5.mistake(
    "The bias is not used: padding is read like words.", _attended(lambda scores, _: scores.softmax(dim=-1))
)
repair_5.mistake("The scores are not divided.", _attended(_masked, divide=lambda _: 1.0))
repair_5.mistake(
    "The bias is added after the softmax; it belongs to the scores.",
    _attended(lambda scores, bias: scores.softmax(dim=-1) + bias),
)
repair_5.mistake(
    "It gives one thing; SelfAttention gives two: what the heads have read, and their weights.",
    _attended(_masked, result=lambda context, _: context),
)


@treatment(
    6,
    hints=(
        FORWARD_HINT,
        "patient.cls is called with (last_hidden_state, pooler_output), and gives (LM logits, NSP logits).",
        "Each head has its own input: words come from every token's vector, pairs from one vector a text.",
    ),
    note="Both vectors are (batch, hidden_size), so no shape gives it away: chapter 06's two names.",
)
def repair_6(patient: Any) -> Any:
    """Mend patient 6, and return it."""
    heads = patient.cls
    heads.forward = lambda states, pooled: (heads.predictions(states), heads.seq_relationship(pooled))
    return patient


def _headed(forward: Callable[[Any, Tensor, Tensor], object]) -> Repair:
    def repair(patient: Any) -> Any:
        patient.cls.forward = partial(forward, patient.cls)
        return patient

    return repair


repair_6.mistake(
    "The NSP head reads the hidden states of all tokens; it reads the pooled vector.",
    _headed(lambda heads, states, _: (heads.predictions(states), heads.seq_relationship(states))),
)
repair_6.mistake(
    "tanh is done twice: what is handed to the heads is pooled already.",
    _headed(lambda heads, states, pooled: (heads.predictions(states), heads.seq_relationship(pooled.tanh()))),
)
repair_6.mistake(
    "The tanh of the vector at [CLS] is not the pooled vector: the pooler's linear map is missing.",
    _headed(
        lambda heads, states, _: (heads.predictions(states), heads.seq_relationship(states[:, 0].tanh()))
    ),
)
repair_6.mistake(
    "The two results have changed places: first the LM logits, then the NSP logits.",
    _headed(lambda heads, states, pooled: (heads.seq_relationship(pooled), heads.predictions(states))),
)
