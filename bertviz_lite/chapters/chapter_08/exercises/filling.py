"""Exercises of chapter 08, the LM head: a gap is filled with words that aren't in the text."""

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
        ("Tom lost his key. He looked for the [MASK].", 3),
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
        "Five steps: ids, vectors, the vector at [MASK], logits, probabilities. Where do you ban the words?",
        'The place: (batch["input_ids"][0] == tokenizer.mask_token_id).nonzero().item()',
        "A logit of -torch.inf becomes a probability of 0: logits[ids] = -torch.inf, before softmax.",
        "probabilities.topk(k) has .values and .indices; convert_ids_to_tokens turns ids into words.",
    ),
    note="A logit of −∞ is how libraries ban words: `bad_words_ids` of `generate` does it, too.",
)
def fill_mask(
    text: str, k: int, tokenizer: PreTrainedTokenizerBase, bert: BertModel, lm_head: nn.Module
) -> tuple[list[str], Tensor]:
    """Fill the one [MASK] with words that aren't in the text: the k best, and their probabilities, (k,).

    Best first. No id of the text may be said; all others share the whole probability. `bert` turns a batch
    into an output with last_hidden_state, `lm_head` turns vectors into logits.
    """
    batch = tokenizer(text, return_tensors="pt")
    ids = batch["input_ids"][0]
    place = (ids == tokenizer.mask_token_id).nonzero().item()
    logits = lm_head(bert(**batch).last_hidden_state[0, place])
    logits[ids] = -torch.inf
    best = logits.softmax(dim=-1).topk(k)
    return list(tokenizer.convert_ids_to_tokens(best.indices.tolist())), best.values


def _logits(
    text: str, tokenizer: PreTrainedTokenizerBase, bert: nn.Module, head: nn.Module, *, ban: bool = True
) -> Tensor:
    """Return the logits of all tokens, (seq_len, vocab_size), without the text's words."""
    batch = tokenizer(text, return_tensors="pt")
    logits = cast(Tensor, head(bert(**batch).last_hidden_state[0]))
    if ban:
        logits[:, batch["input_ids"][0]] = -torch.inf
    return logits


def _best(scores: Tensor, k: int, tokenizer: PreTrainedTokenizerBase) -> Found:
    best = scores.topk(k)
    return list(tokenizer.convert_ids_to_tokens(best.indices.tolist())), best.values


def _gap(text: str, tokenizer: PreTrainedTokenizerBase) -> int:
    ids: list[int] = tokenizer(text)["input_ids"]
    return ids.index(tokenizer.mask_token_id)


@fill_mask.mistake("No word is banned: those of the text may still be said.")
def _none_banned(text: str, k: int, tokenizer: PreTrainedTokenizerBase, *model: nn.Module) -> Found:
    logits = _logits(text, tokenizer, *model, ban=False)[_gap(text, tokenizer)]
    return _best(logits.softmax(dim=-1), k, tokenizer)


@fill_mask.mistake(
    "The words are banned after softmax, so the others don't sum to 1: ban them before, by a logit of −∞."
)
def _banned_late(text: str, k: int, tokenizer: PreTrainedTokenizerBase, *model: nn.Module) -> Found:
    found = _logits(text, tokenizer, *model, ban=False)[_gap(text, tokenizer)].softmax(dim=-1)
    found[tokenizer(text)["input_ids"]] = 0
    return _best(found, k, tokenizer)


@fill_mask.mistake("The words of the text are found, but their logit is 0, which is a score: −∞ bans them.")
def _zero(text: str, k: int, tokenizer: PreTrainedTokenizerBase, *model: nn.Module) -> Found:
    logits = _logits(text, tokenizer, *model)[_gap(text, tokenizer)]
    logits[logits == -torch.inf] = 0
    return _best(logits.softmax(dim=-1), k, tokenizer)


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
