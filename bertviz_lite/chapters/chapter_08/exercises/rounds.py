"""Exercises of chapter 08, the LM head: many gaps filled in a few rounds, the least sure asked again."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor
from transformers import BertForPreTraining

from bertviz_lite.exercises import Case, exercise
from bertviz_lite.exercises.course_model import load_once

Speaker = Callable[[Tensor], Tensor]


def _texts() -> Iterator[Case]:
    tokenizer, model = load_once("pocket")
    assert isinstance(model, BertForPreTraining)
    for start, gaps, rounds in (
        ("Anna is hungry, so she", 5, 3),
        ("Tom wants to bake a cake, so he", 8, 4),
        ("One evening", 3, 1),
    ):
        text = f"{start} {' '.join(['[MASK]'] * gaps)}."
        ids = tokenizer(text, return_tensors="pt")["input_ids"][0]
        label = f'ids of "{start} …" with {gaps} gaps, rounds = {rounds}, [MASK]\'s id, the pocket model'
        yield Case(ids, rounds, tokenizer.mask_token_id, _speaker(model), label=label)


def _speaker(model: BertForPreTraining) -> Speaker:
    def say(input_ids: Tensor) -> Tensor:
        with torch.no_grad():
            probabilities: Tensor = model(input_ids[None]).prediction_logits[0].softmax(dim=-1)
        return probabilities

    return say


@exercise(
    cases=_texts,
    hints=(
        "Note the gaps' places first, `(input_ids == mask_id).nonzero().flatten()`, and work on a copy.",
        "Keep one number for each gap: the probability that its word had when it was said.",
        "In a round only the gaps that are masked now get a word and a number; the others keep theirs.",
        "After round r, `again = len(gaps) * (rounds - r) // rounds`; `sure.argsort()[:again]` are masked.",
    ),
    note="A sentence in a few passes, however long it is: that is why translators and image models use it.",
)
def mask_predict(input_ids: Tensor, rounds: int, mask_id: int, say: Speaker) -> Tensor:
    """Fill the gaps of a text in some rounds, asking again about the least sure, and return all its ids.

    `input_ids` is (seq_len,); `say` turns such ids into probabilities, (seq_len, vocab_size). In a round each
    [MASK] becomes its likeliest word. After round r, gaps · (rounds − r) // rounds of the gaps, those whose
    words had the lowest probabilities when they were said, become [MASK] again.
    """
    ids = input_ids.clone()
    gaps = (ids == mask_id).nonzero().flatten()
    sure = torch.zeros(len(gaps))
    for number in range(1, rounds + 1):
        masked = ids[gaps] == mask_id
        best = say(ids)[gaps[masked]].max(dim=-1)
        ids[gaps[masked]], sure[masked] = best.indices, best.values.float()
        again = sure.argsort()[: len(gaps) * (rounds - number) // rounds]
        ids[gaps[again]] = mask_id
    return ids


def _in_rounds(
    input_ids: Tensor,
    rounds: int,
    mask_id: int,
    say: Speaker,
    *,
    surest: bool = False,
    every: bool = False,
    short: int = 0,
) -> Tensor:
    """Fill the gaps with a mistake: the surest are asked again, all words are said anew, or a round lacks."""
    ids, gaps = input_ids.clone(), (input_ids == mask_id).nonzero().flatten()
    sure = torch.zeros(len(gaps))
    for number in range(1, rounds + 1 - short):
        masked = torch.ones(len(gaps), dtype=torch.bool) if every else ids[gaps] == mask_id
        best = say(ids)[gaps[masked]].max(dim=-1)
        ids[gaps[masked]], sure[masked] = best.indices, best.values.float()
        again = sure.argsort(descending=surest)[: len(gaps) * (rounds - number) // rounds]
        ids[gaps[again]] = mask_id
    return ids


mask_predict.mistake(
    "All gaps are filled in one round: nothing is asked again.",
    lambda input_ids, rounds, mask_id, say: _in_rounds(input_ids, 1, mask_id, say),
)
mask_predict.mistake(
    "The surest are asked again: it's the least sure that should be.",
    lambda *case: _in_rounds(*case, surest=True),
)
mask_predict.mistake(
    "In each round all gaps get a new word: only those that are [MASK] now should.",
    lambda *case: _in_rounds(*case, every=True),
)
mask_predict.mistake(
    "Some [MASK] are left: after the last round none is masked again.",
    lambda *case: _in_rounds(*case, short=1),
)
