"""Verbs that a noun of another number stands before: *the sky in the pictures was white*."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from bertviz_lite.chapters.chapter_03.contributions import contribution_moves
from bertviz_lite.evaluation.probes import best_head, hide_words, largest_weights
from bertviz_lite.world.english.wrong_words import TALKING_KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from torch import Tensor
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

    from bertviz_lite.data.encoded_stories import EncodedStory
    from bertviz_lite.evaluation.probes import Relation

    Floats = npt.NDArray[np.float64]

__all__ = ["HiddenVerbs", "form_is_right", "hidden_verbs", "misleading_verbs", "swap_moves"]


def misleading_verbs(
    encoded: Sequence[EncodedStory], relations: Sequence[Relation], tokenizer: PreTrainedTokenizerFast
) -> list[Relation]:
    """Return the verbs whose nearest noun would ask for another form than the subject does.

    Parameters
    ----------
    encoded
        The stories.
    relations
        Their verbs, as ``subject_relations(encoded, joined=True)`` returns them.
    tokenizer
        Both forms must be one token of it.
    """
    found = []
    for relation in relations:
        story = encoded[relation.story]
        words = {start: word for word, start, _ in story.words}
        verb = words[relation.start]
        wrong = _wrong_form(story, relation)
        if wrong is None or verb.subject is None or not relation.nearest:
            continue
        subject = story.story.sentences[verb.sentence].words[verb.subject].form
        nearest = words[relation.nearest[0]].form
        known = len(tokenizer.tokenize(f"{verb.text} {wrong}")) == 2
        if known and {subject, nearest} == {"singular", "plural"}:
            found.append(relation)
    return found


def _wrong_form(story: EncodedStory, relation: Relation) -> str | None:
    """Return *were* for *was* where a noun of the other number is between the verb and its subject."""
    verb = next(word for word, start, _ in story.words if start == relation.start)
    return TALKING_KINDS["agreement across a noun"](story.story.sentences[verb.sentence], verb.index)


def form_is_right(
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerFast,
    encoded: Sequence[EncodedStory],
    verb: Relation,
) -> bool:
    """Hide a verb, and say whether its right form is likelier than the other one.

    Parameters
    ----------
    model
        With a masked-language-model head.
    tokenizer
        Of that model.
    encoded
        The stories.
    verb
        One of what :func:`misleading_verbs` returns for them.
    """
    story = encoded[verb.story]
    right = int(story.input_ids[verb.start])
    form = _wrong_form(story, verb)
    assert form is not None, "not one of misleading_verbs"
    wrong = tokenizer.convert_tokens_to_ids(form)
    with torch.no_grad():
        input_ids = _hidden(story, verb, tokenizer)
        vector = model.base_model(input_ids).last_hidden_state[0, verb.start]
        logits = model.cls.predictions(vector)
    return bool(logits[right] > logits[wrong])


def swap_moves(
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerFast,
    encoded: Sequence[EncodedStory],
    verbs: Sequence[Relation],
) -> Floats:
    """Say how far each head's contribution to a hidden verb moves if subject and nearest noun swap keys.

    The result is a mean of :func:`contribution_moves` over the verbs, of shape (layers, heads).

    Parameters
    ----------
    model
        With weights to be had: its attention is "eager".
    tokenizer
        Of that model.
    encoded
        The stories.
    verbs
        What :func:`misleading_verbs` returns for them.
    """
    far = []
    for verb in verbs:
        batch = {"input_ids": _hidden(encoded[verb.story], verb, tokenizer)}
        at, spots = torch.tensor([verb.start]), (verb.targets[0], verb.nearest[0])
        far.append(contribution_moves(model, batch, at, *spots)[0].numpy())
    mean: Floats = np.mean(far, axis=0)
    return mean


def _hidden(story: EncodedStory, verb: Relation, tokenizer: PreTrainedTokenizerFast) -> Tensor:
    """Return a story's ids with a verb hidden: (1, seq_len)."""
    input_ids = torch.as_tensor(story.input_ids)[None].clone()
    input_ids[0, verb.start] = tokenizer.mask_token_id
    return input_ids


@dataclass(frozen=True)
class HiddenVerbs:
    """Hidden verbs of one half of the stories: forms that are right, and subjects found; all of them shares.

    Attributes
    ----------
    n
        How many verbs there are.
    right
        For the model, the right form is likelier than the other.
    usual
        Verbs of the more frequent number: right for who always says this one.
    head
        Subjects on which the best head's largest weight falls, [CLS] and [SEP] left out.
    best
        That head, as (layer, head), chosen on the other half.
    guess
        Subjects at a fixed distance from the verb.
    offset
        This distance in tokens, chosen on the other half.
    chance
        Words that are subjects, for who points at any word of the text.
    """

    n: int
    right: float
    usual: float
    head: float
    best: tuple[int, int]
    guess: float
    offset: int
    chance: float


def hidden_verbs(
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerFast,
    encoded: Sequence[EncodedStory],
    verbs: Sequence[Relation],
) -> HiddenVerbs:
    """Hide each verb; the stories of even number choose a head and a distance, the others score.

    Parameters
    ----------
    model
        With a masked-language-model head.
    tokenizer
        Of that model.
    encoded
        The stories.
    verbs
        What :func:`misleading_verbs` returns for them.
    """
    hidden = hide_words(encoded, verbs, tokenizer.mask_token_id)
    result = best_head(verbs, *largest_weights(model, *hidden))
    scored = [verb for verb in verbs if verb.story % 2]
    # The nearest noun has the other number: where it is plural, the verb is singular.
    singular = np.mean([_form(encoded[verb.story], verb.nearest[0]) == "plural" for verb in scored])
    words = [len(encoded[verb.story].input_ids) - 2 for verb in scored]
    return HiddenVerbs(
        n=len(scored),
        right=float(np.mean([form_is_right(model, tokenizer, encoded, verb) for verb in scored])),
        usual=float(max(singular, 1 - singular)),
        head=result.accuracy,
        best=(result.layer, result.head),
        guess=result.guess,
        offset=result.offset,
        chance=float(np.mean([len(v.targets) / n for v, n in zip(scored, words, strict=True)])),
    )


def _form(story: EncodedStory, position: int) -> str | None:
    """Return the form of the word that begins at a position."""
    return next(word.form for word, start, _ in story.words if start == position)
