"""The town's smallest stories, to be learned from within a minute, and an exam on their verbs.

A story has two sentences. In the first a child finds, sees, buys or draws a toy, or several; the second says
something of the toys, with a verb that must agree.

>>> for told in tiny_stories(seed=4, n=1):
...     print(told)
Sam saw four skateboards. The skateboards behind two dolls were new.

One toy and several come equally often, as subjects and, in half of the stories, in between (*the robot under
two kites was …*). So the words beside such a verb do not tell its number: only its subject does.

Left out: everything else that the town speaks of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor
from transformers import BertTokenizer

from bertviz_lite.data.batches import pad, ready
from bertviz_lite.data.encoded_stories import encode_stories
from bertviz_lite.data.vocabulary import MAX_LENGTH
from bertviz_lite.models.loading import load
from bertviz_lite.world.english.teller import Teller
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.scene import Referent
from bertviz_lite.world.events.text import Story, Word
from bertviz_lite.world.events.town import PEOPLE, things

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

Batch = dict[str, Tensor]

EXAM_SEED = 900_000_000
"""The exam's stories have seeds from here on; training uses those below."""

SINGULAR, PLURAL = ("is", "was", "has"), ("are", "were", "have")

_CHILDREN = tuple(one for one in PEOPLE if one.age == "child")
_FIRST = ("[A.n] <find> [T]", "[A.n] <see> [T]", "[A.n] <buy> [T]", "[A.n] <draw> [T]")
_SAID = ("<be@T!> $look", "<be@T!> very $look", "<have@T!> been there all day")
_BETWEEN = ("beside", "under", "near", "behind")
_LOOKS = ("fine", "new", "old", "dusty", "lovely", "strange", "plain", "heavy")
_MANY = ("two", "three", "four", "five")


# The text


def tiny_stories(seed: int, n: int) -> list[Story]:
    """Return the first ``n`` of a seed's stories of two sentences; story k does not depend on ``n``.

    Half of them have a noun between the second sentence's subject and its verb.

    Raises
    ------
    ValueError
        Where ``n`` is negative.
    """
    if n < 0:
        raise ValueError(f"n={n}: ask for 0 or more stories")
    return [_tiny_story(seed, index) for index in range(n)]


def _tiny_story(seed: int, index: int) -> Story:
    dice = Dice(f"tiny/{seed}/{index}")
    child = dice.pick(_CHILDREN)
    hero = Referent("person", "child", child.gender, child.name, chain=0)
    subject, other = (
        _toy(dice, noun, chain) for chain, noun in enumerate(dice.sample(things("toy"), 2), start=1)
    )
    roles, facts = {"A": hero, "T": subject, "U": other}, {"look": dice.pick(_LOOKS)}
    # *had* is one form for both numbers, so what has been there all day is told in the present
    said = dice.pick(_SAID)
    teller = Teller(dice, present="have" in said or dice.chance(0.3), referents=[hero, subject, other])
    between = f"{dice.pick(_BETWEEN)} [U] " if dice.chance(0.5) else ""
    sentences = (
        teller.render(dice.pick(_FIRST), roles, facts),
        teller.render(f"[T.the] {between}{said}", roles, facts, "attractor" if between else "simple"),
    )
    return Story(seed, index, sentences)


def _toy(dice: Dice, noun: str, chain: int) -> Referent:
    many = dice.chance(0.5)
    count = dice.pick(_MANY) if many else ""
    return Referent("thing", noun, "p" if many else "n", count=count, chain=chain)


def agreeing_verb(told: Story) -> Word:
    """Return the verb of a tiny story that agrees with its subject."""
    return next(word for word in told.sentences[1].words if word.determined == "agreement")


def neighbours(told: Story) -> tuple[str, str]:
    """Return the words before and after that verb, lower-cased."""
    words = told.sentences[1].words
    place = agreeing_verb(told).index
    return words[place - 1].text.lower(), words[place + 1].text.lower()


def _kind(told: Story) -> tuple[bool, bool] | None:
    """Say whether the subject is plural and whether one of the other number follows; None if of its own."""
    verb, words = agreeing_verb(told), told.sentences[1].words
    assert verb.subject is not None
    form = words[verb.subject].form
    between = {word.form for word in words[verb.subject + 1 : verb.index] if word.pos == "NOUN"}
    return None if form in between else (form == "plural", bool(between))


@lru_cache(maxsize=1)
def small_tokenizer() -> PreTrainedTokenizerFast:
    """Return the pocket model's tokenizer with a vocabulary of what tiny stories need."""
    pocket: Any = load("pocket")[0]
    used = set(pocket.all_special_ids)
    for one in tiny_stories(0, 2_000):
        used |= set(pocket(str(one))["input_ids"])
    pieces = pocket.convert_ids_to_tokens(sorted(used))
    tokenizer: PreTrainedTokenizerFast = BertTokenizer(
        vocab={piece: index for index, piece in enumerate(pieces)},
        do_lower_case=True,
        model_max_length=MAX_LENGTH,
    )
    return tokenizer


# The exam


@dataclass(frozen=True)
class Exam:
    """Stories with the verb hidden, to be asked whether it is a form for one thing or for several.

    Half of the subjects are plural. In half of the questions the verb stands beside its subject; in the
    others a noun of the *other* number stands between them, so that the nearest noun is always wrong.

    Attributes
    ----------
    told
        The stories.
    batch
        ``input_ids``, ``attention_mask``, ``token_type_ids``, shape (questions, seq_len); the verb is [MASK].
    places
        int64, shape (questions,): where it stood.
    plural, between
        bool, shape (questions,): whether the subject is plural; whether one of the other number follows it.
    """

    told: tuple[Story, ...]
    batch: Batch
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
            Stories whose text must not be asked about: those of training.

        Raises
        ------
        ValueError
            Where the source ends too soon.
        """
        known = {str(one) for one in unlike}
        found: dict[tuple[bool, bool], list[Story]] = {
            (plural, between): [] for plural in (False, True) for between in (False, True)
        }
        while any(len(some) < each for some in found.values()):
            told = next(source, None)
            if told is None:
                raise ValueError(f"too few stories for {each} questions of each kind: give more, or ask less")
            kind = _kind(told)
            if kind is not None and len(found[kind]) < each and str(told) not in known:
                found[kind].append(told)
        kinds = torch.tensor([kind for kind, some in found.items() for _ in some])
        chosen = [one for some in found.values() for one in some]
        return cls(tuple(chosen), *_hidden_verbs(chosen, tokenizer), kinds[:, 0], kinds[:, 1])

    def right(self, model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast) -> Tensor:
        """Say for each question whether the right number gets more probability: bool, shape (questions,).

        That of the forms of one number is added up: *is*, *was*, *has* against *are*, *were*, *have*.
        """
        singular, plural = (
            torch.tensor(tokenizer.convert_tokens_to_ids([*some])) for some in (SINGULAR, PLURAL)
        )
        with ready(model):
            states = model.bert(**self.batch).last_hidden_state[torch.arange(len(self.places)), self.places]
            shares = model.cls.predictions(states).softmax(-1)
        said: Tensor = shares[:, plural].sum(-1) > shares[:, singular].sum(-1)
        return said == self.plural

    def shares(self, right: Tensor) -> dict[str, float]:
        """Return the share that is right of the questions of either kind: "beside" and "across"."""
        right = right.double()
        return {"beside": right[~self.between].mean().item(), "across": right[self.between].mean().item()}

    def by_neighbours(self, told: Sequence[Story]) -> Tensor:
        """Answer by counts of training stories: the number that is commoner between the same two words.

        Where the two were never seen together, the word before decides; where that is new, singular.
        """
        both: Counter[tuple[str, ...]] = Counter()
        for one in told:
            before, after = neighbours(one)
            vote = 1 if agreeing_verb(one).text in PLURAL else -1
            both[before, after] += vote
            both[before,] += vote
        votes = [both[near] or both[near[:1]] for near in map(neighbours, self.told)]
        return (torch.tensor(votes) > 0) == self.plural


def _hidden_verbs(told: Sequence[Story], tokenizer: PreTrainedTokenizerFast) -> tuple[Batch, Tensor]:
    """Encode stories as pairs with the verb as [MASK]; return the batch and the verbs' places."""
    rows, firsts, places = [], [], []
    for one in encode_stories(told, tokenizer):
        start = one.of(1, 0)[0]
        row = np.insert(one.input_ids, start, tokenizer.sep_token_id)
        place = one.of(1, agreeing_verb(one.story).index)[0] + 1
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
