"""Exercises of chapter 08, the LM head: a text with a gap becomes words with their probabilities."""

from collections.abc import Callable, Iterator
from typing import cast

import torch
from torch import Tensor, nn
from transformers import BertForPreTraining, BertModel, PreTrainedTokenizerBase

from bertviz_lite.exercises import Case, exercise
from bertviz_lite.exercises.course_model import load_once

Found = tuple[list[str], Tensor]


def _gaps() -> Iterator[Case]:
    tokenizer, model = load_once("pocket")
    assert isinstance(model, BertForPreTraining)
    for text, k in (
        ("Anna is hungry, so [MASK] eats an apple.", 3),
        ("[MASK] lost his key.", 5),
        ("The keys [MASK] on the table.", 1),
    ):
        label = f'text = "{text}", k = {k}, the pocket model\'s tokenizer, bert and lm_head'
        yield Case(text, k, tokenizer, model.bert, model.cls.predictions, label=label)


def _without_gradients(answer: Callable[..., object], *arguments: object) -> object:
    with torch.no_grad():
        return answer(*arguments)


@exercise(
    cases=_gaps,
    call=_without_gradients,
    hints=(
        "Five steps: ids, vectors, the vector under [MASK], logits, probabilities. You made each above.",
        'The place: (batch["input_ids"][0] == tokenizer.mask_token_id).nonzero().item()',
        "probabilities.topk(k) has .values and .indices; convert_ids_to_tokens turns ids into words.",
    ),
    note="transformers' fill-mask pipeline gives the same words and the same numbers.",
)
def fill_mask(
    text: str, k: int, tokenizer: PreTrainedTokenizerBase, bert: BertModel, lm_head: nn.Module
) -> tuple[list[str], Tensor]:
    """Fill the one [MASK] of a text: the k best words, best first, and their probabilities, (k,).

    `bert` turns a batch into an output with last_hidden_state, `lm_head` turns vectors into logits.
    """
    batch = tokenizer(text, return_tensors="pt")
    place = (batch["input_ids"][0] == tokenizer.mask_token_id).nonzero().item()
    vector = bert(**batch).last_hidden_state[0, place]
    best = lm_head(vector).softmax(dim=-1).topk(k)
    return list(tokenizer.convert_ids_to_tokens(best.indices.tolist())), best.values


def _logits(text: str, tokenizer: PreTrainedTokenizerBase, bert: nn.Module, head: nn.Module) -> Tensor:
    """Return the logits of all tokens, (seq_len, vocab_size)."""
    return cast(Tensor, head(bert(**tokenizer(text, return_tensors="pt")).last_hidden_state[0]))


def _best(scores: Tensor, k: int, tokenizer: PreTrainedTokenizerBase) -> Found:
    best = scores.topk(k)
    return list(tokenizer.convert_ids_to_tokens(best.indices.tolist())), best.values


def _gap(text: str, tokenizer: PreTrainedTokenizerBase) -> int:
    ids: list[int] = tokenizer(text)["input_ids"]
    return ids.index(tokenizer.mask_token_id)


fill_mask.mistake(
    "These are logits: softmax is missing.",
    lambda text, k, tokenizer, *model: _best(
        _logits(text, tokenizer, *model)[_gap(text, tokenizer)], k, tokenizer
    ),
)
fill_mask.mistake(
    "That is what the head says at [CLS], token 0: find where [MASK] stands.",
    lambda text, k, tokenizer, *model: _best(
        _logits(text, tokenizer, *model)[0].softmax(dim=-1), k, tokenizer
    ),
)


@fill_mask.mistake("The k best words alone share the probability: softmax first, over all words, then topk.")
def _among_the_best(text: str, k: int, tokenizer: PreTrainedTokenizerBase, *model: nn.Module) -> Found:
    words, logits = _best(_logits(text, tokenizer, *model)[_gap(text, tokenizer)], k, tokenizer)
    return words, logits.softmax(dim=-1)


@fill_mask.mistake("These are ids: convert_ids_to_tokens turns them into words.")
def _ids(
    text: str, k: int, tokenizer: PreTrainedTokenizerBase, *model: nn.Module
) -> tuple[list[int], Tensor]:
    best = _logits(text, tokenizer, *model)[_gap(text, tokenizer)].softmax(dim=-1).topk(k)
    return best.indices.tolist(), best.values
