"""An exam on the verbs of tiny stories: whether they are singular or plural.

Left out: every other word, and texts other than tiny stories.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from bertviz_lite.chapters.chapter_10.live.tiny_stories import (
    PLURAL,
    SINGULAR,
    agreeing_verb,
    kind_of,
    neighbours,
)
from bertviz_lite.data.batches import pad, ready
from bertviz_lite.data.encoded_stories import encode_stories
from bertviz_lite.world.events.text import Story

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

EXAM_SEED = 900_000_000
"""The exam's stories have seeds from here on; training uses those below."""

FIRSTS = ("another of the same number", "one of the other number")
"""Which other first sentence a question may be given."""


@dataclass(frozen=True)
class Exam:
    """Stories with the verb hidden, to be filled in with a form for one thing or for several.

    Half of the subjects are plural. In half of the questions the verb is beside its subject; in the
    others a noun of the *other* number is between them, so that the nearest noun is always wrong.

    Attributes
    ----------
    stories
        One for each question.
    batch
        ``input_ids``, ``attention_mask``, ``token_type_ids``, shape (questions, seq_len); the verb is [MASK].
    places
        int64, shape (questions,): the verb's.
    plural, between
        bool, shape (questions,): whether the subject is plural; whether a noun of the other number
        follows it.
    """

    stories: tuple[Story, ...]
    batch: dict[str, Tensor]
    places: Tensor
    plural: Tensor
    between: Tensor

    @classmethod
    def make(
        cls,
        tokenizer: PreTrainedTokenizerFast,
        source: Iterator[Story],
        each: int = 50,
        unlike: Sequence[Story] = (),
    ) -> Exam:
        """Take ``each`` questions of each of the four kinds from a source of stories.

        Parameters
        ----------
        tokenizer
            The model's tokenizer.
        source
            Stories, as many as it takes.
        each
            Questions of a kind.
        unlike
            Stories whose text must not be in a question: those of training.

        Raises
        ------
        ValueError
            Where the source ends too soon.
        """
        read = {str(story) for story in unlike}
        taken: dict[tuple[bool, bool], list[Story]] = {
            (plural, between): [] for plural in (False, True) for between in (False, True)
        }
        while any(len(some) < each for some in taken.values()):
            story = next(source, None)
            if story is None:
                raise ValueError(
                    f"too few stories for {each} questions of each kind: give more, or take fewer"
                )
            kind = kind_of(story)
            if kind is not None and len(taken[kind]) < each and str(story) not in read:
                taken[kind].append(story)
        kinds = torch.tensor([kind for kind, some in taken.items() for _ in some])
        chosen = [story for some in taken.values() for story in some]
        return cls(tuple(chosen), *_hidden_verbs(chosen, tokenizer), kinds[:, 0], kinds[:, 1])

    def right(self, model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast) -> Tensor:
        """Return for each question whether the right number gets more probability: bool, shape (questions,).

        That of the forms of one number is added up: *is*, *was*, *has* against *are*, *were*, *have*.
        """
        singular, plural = self._probabilities(model, tokenizer)
        guess: Tensor = plural > singular
        return guess == self.plural

    def _probabilities(
        self, model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast
    ) -> tuple[Tensor, Tensor]:
        """Return each question's probability of a form for one thing, and for several."""
        singular, plural = (
            torch.tensor(tokenizer.convert_tokens_to_ids([*forms])) for forms in (SINGULAR, PLURAL)
        )
        with ready(model):
            states = model.bert(**self.batch).last_hidden_state[torch.arange(len(self.places)), self.places]
            probabilities = model.cls.predictions(states).softmax(-1)
        return probabilities[:, singular].sum(-1), probabilities[:, plural].sum(-1)

    def _kinds(self) -> list[Tensor]:
        """Return which questions are direct plural ones, direct singular, across plural, across singular."""
        return [
            (self.between == between) & (self.plural == plural)
            for between in (False, True)
            for plural in (True, False)
        ]

    def after(self, first: str) -> Exam:
        """Return the same questions with another first sentence, or with none.

        Parameters
        ----------
        first
            "one of the other number": that of another question, whose toy has the other number than this
            question's subject. "another of the same number": that of another question, whose toy is another
            one, and has the same number. "none": the second sentence stands alone.

        Raises
        ------
        ValueError
            Where ``first`` is none of these.
        """
        if first not in {*FIRSTS, "none"}:
            raise ValueError(f"first={first!r}: it is one of {', '.join(map(repr, FIRSTS))}, or 'none'")
        ids, second, real = (self.batch[name] for name in ("input_ids", "token_type_ids", "attention_mask"))
        starts = second.argmax(dim=1)
        firsts = [row[:start] for row, start in zip(ids, starts, strict=True)]
        if first == "none":
            given = [row[:1] for row in firsts]  # [CLS]
        else:
            partner = self._partners(same_number=first == "another of the same number")
            given = [firsts[partner[k]] for k in range(len(firsts))]
        ends = [row[start:end] for row, start, end in zip(ids, starts, real.sum(dim=1), strict=True)]
        rows = [torch.cat(both).numpy() for both in zip(given, ends, strict=True)]
        moved = torch.tensor([len(row) for row in given]) - starts
        input_ids, attention_mask = pad(rows, torch.device("cpu"))
        places = torch.arange(input_ids.shape[1])
        later = (places >= (starts + moved)[:, None]) & (first != "none")
        batch = {
            "input_ids": input_ids, "attention_mask": attention_mask, "token_type_ids": later * attention_mask
        }  # fmt: skip
        return replace(self, batch=batch, places=self.places + moved)

    def _partners(self, *, same_number: bool) -> dict[int, int]:
        """Return another question for each: of the other number, or the next of its own with another toy."""
        one, many = ((self.plural == plural).nonzero().flatten().tolist() for plural in (False, True))
        if not same_number:
            return dict(zip([*one, *many], [*many, *one], strict=True))
        toys = [_toy(story) for story in self.stories]
        found = {}
        for some in (one, many):
            for place, k in enumerate(some):
                others = (*some[place + 1 :], *some[:place])
                found[k] = next(other for other in others if toys[other] != toys[k])
        return found

    def counts(self, right: Tensor) -> list[int]:
        """Return how many are right: of direct plural and singular subjects, and of those across."""
        return [int(right[kind].sum()) for kind in self._kinds()]

    def shares(self, right: Tensor) -> dict[str, float]:
        """Return the share that is right of the questions of either kind: "direct" and "across"."""
        right = right.double()
        return {"direct": right[~self.between].mean().item(), "across": right[self.between].mean().item()}

    def by_neighbours(self, stories: Sequence[Story]) -> Tensor:
        """Answer by counts of training stories: the number that is commoner between the same two words.

        Where the two were never seen together, the word before decides; where that is new, singular.
        """
        both: Counter[tuple[str, ...]] = Counter()
        for story in stories:
            before, after = neighbours(story)
            vote = 1 if agreeing_verb(story).text in PLURAL else -1
            both[before, after] += vote
            both[before,] += vote
        votes = [both[near] or both[near[:1]] for near in map(neighbours, self.stories)]
        return (torch.tensor(votes) > 0) == self.plural


def _toy(story: Story) -> str:
    """Return what a tiny story is about: the lemma of its verb's subject."""
    verb = agreeing_verb(story)
    assert verb.subject is not None
    return str(story.sentences[1].words[verb.subject].lemma)


def _hidden_verbs(
    stories: Sequence[Story], tokenizer: PreTrainedTokenizerFast
) -> tuple[dict[str, Tensor], Tensor]:
    """Encode stories as pairs with the verb as [MASK]; return the batch and the verbs' places."""
    rows, firsts, places = [], [], []
    for encoded in encode_stories(stories, tokenizer):
        start = encoded.of(1, 0)[0]
        row = np.insert(encoded.input_ids, start, tokenizer.sep_token_id)
        place = encoded.of(1, agreeing_verb(encoded.story).index)[0] + 1
        row[place] = tokenizer.mask_token_id
        rows.append(row)
        firsts.append(start + 1)
        places.append(place)
    input_ids, attention_mask = pad(rows, torch.device("cpu"))
    second = torch.arange(input_ids.shape[1]) >= torch.tensor(firsts)[:, None]
    batch = {
        "input_ids": input_ids, "attention_mask": attention_mask, "token_type_ids": second * attention_mask
    }  # fmt: skip
    return batch, torch.tensor(places)
