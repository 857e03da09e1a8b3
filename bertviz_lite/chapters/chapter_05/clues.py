"""Where is a clue? Two sentences that differ in one word, and vectors of the one put into the other."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from bertviz_lite.chapters.chapter_05.reading_layers import heights_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from torch import Tensor, nn
    from transformers import BertForPreTraining, TokenizersBackend

__all__ = [
    "NAMES",
    "Looker",
    "ahead_without",
    "answers_without",
    "article_twins",
    "deaf_cases",
    "follow_clue",
    "head_that_looks",
    "layer_of_arrival",
    "run_layers",
    "tense_twins",
    "trace",
    "who_twins",
]

_WOMEN = ("Anna", "Mia", "Nora", "Lucy", "Eva", "Ivy", "Rosa", "Clara")
_MEN = ("Tom", "Max", "Paul", "Hugo", "Ben", "David", "Finn", "Leo")
NAMES = _WOMEN + _MEN
"""Names of one token each: eight of women, eight of men."""


def article_twins() -> tuple[list[str], list[str]]:
    """Return a sentence for each name, with what is bought hidden; its twin has *an* for *a*."""
    texts = [f"{name} is hungry, so {_pronoun(name)} buys a [MASK]." for name in NAMES]
    return texts, [text.replace(" a ", " an ") for text in texts]


def tense_twins() -> tuple[list[str], list[str]]:
    """Return a sentence for each name, with the verb hidden; its twin has *was* for *is*."""
    texts = [f"{name} is tired, so {_pronoun(name)} [MASK] to bed." for name in NAMES]
    return texts, [text.replace(" is ", " was ") for text in texts]


def who_twins() -> tuple[list[str], list[str]]:
    """Return a sentence for each name, with the pronoun hidden; its twin has a name of the other kind."""
    texts = [f"{name} is tired, so [MASK] goes to bed." for name in NAMES]
    return texts, texts[len(_WOMEN) :] + texts[: len(_WOMEN)]


def _pronoun(name: str) -> str:
    return "she" if name in _WOMEN else "he"


def run_layers(model: BertForPreTraining, hidden_states: Tensor, first: int = 0) -> list[Tensor]:
    """Return the hidden states at every height from `first` on, those that are given as the first.

    Nothing is padding.
    """
    heights = [hidden_states]
    with torch.no_grad():
        for block in model.bert.encoder.layer[first:]:
            heights.append(block(heights[-1], None))
    return heights


def follow_clue(
    model: BertForPreTraining,
    tokenizer: TokenizersBackend,
    texts: Sequence[str],
    twins: Sequence[str],
) -> tuple[list[str], npt.NDArray[np.float64]]:
    """Say how far a twin's vector, at one place and one height, moves the guess at [MASK] to the twin's.

    The measure is the logit difference of two words: the twin's own guess, less the text's own.

    Parameters
    ----------
    model, tokenizer
        A BERT with an LM head, and the tokenizer that belongs to it.
    texts, twins
        Sentences, each with one [MASK], all of the same number of tokens, with [MASK] at the same place.

    Returns
    -------
    tokens
        The tokens of the first text.
    shares
        Shape (heights, seq_len): how far the logit difference goes if, at this height, the vector of this
        one place comes from the twin, in the mean of the pairs: 0 stays where the text has it, 1 goes to
        where the twin has it. Height 0 is the input, height i + 1 after layer i.

    Raises
    ------
    ValueError
        If a text has another number of tokens, or its [MASK] elsewhere, than the first; if there is not one
        [MASK]; or if text and twin get the same guess.
    """
    ids, twin_ids = (_ids(tokenizer, given) for given in (texts, twins))
    is_mask = ids == tokenizer.mask_token_id
    if ids.shape != twin_ids.shape or not torch.equal(is_mask, twin_ids == tokenizer.mask_token_id):
        raise ValueError("texts and twins differ in length, or in the place of [MASK]: line them up.")
    if not bool((is_mask.sum(dim=1) == 1).all()):
        raise ValueError("each sentence needs one [MASK].")
    place = int(is_mask[0].nonzero()[0, 0])

    def logits_of(hidden_states: Tensor) -> Tensor:
        with torch.no_grad():
            logits: Tensor = model.cls.predictions(hidden_states[:, place])
        return logits

    with torch.no_grad():
        own, other = (run_layers(model, model.bert.embeddings(given)) for given in (ids, twin_ids))
    own_logits, other_logits = logits_of(own[-1]), logits_of(other[-1])
    guess, twin_guess = (logits.argmax(dim=-1, keepdim=True) for logits in (own_logits, other_logits))
    for one, two in zip(guess.flatten().tolist(), twin_guess.flatten().tolist(), strict=True):
        if one == two:
            word = tokenizer.decode(one)
            raise ValueError(f"both get “{word}”: the word that differs decides nothing here.")

    def difference(logits: Tensor) -> Tensor:
        return logits.gather(1, twin_guess) - logits.gather(1, guess)

    start, way = difference(own_logits), difference(other_logits) - difference(own_logits)
    shares = np.zeros((len(own), ids.shape[1]))
    for height, position in np.ndindex(shares.shape):
        swapped = own[height].clone()
        swapped[:, position] = other[height][:, position]
        moved = difference(logits_of(run_layers(model, swapped, height)[-1])) - start
        shares[height, position] = (moved / way).double().mean().item()
    tokens = [str(token) for token in tokenizer.convert_ids_to_tokens(ids[0].tolist())]
    return tokens, shares


def layer_of_arrival(tokens: Sequence[str], shares: npt.NDArray[np.float64]) -> int:
    """Return the layer after which, for the first time, [MASK] holds more than half of the way.

    `tokens` and `shares` are what `follow_clue` returns.
    """
    follows = shares[:, list(tokens).index("[MASK]")] > 0.5
    return int(follows.argmax()) - 1  # the first height is the input


def trace(
    model: BertForPreTraining, tokenizer: TokenizersBackend, text: str, twin: str, least: float = 0.1
) -> str:
    """Say in words where the clue is at each height, by which two sentences differ; else why there is none.

    Parameters
    ----------
    model, tokenizer
        A BERT with an LM head, and the tokenizer that belongs to it.
    text, twin
        Two sentences, each with one [MASK], that differ in one word.
    least
        The smallest share of the way, as `follow_clue` has it, for a token to be named.
    """
    try:
        tokens, shares = follow_clue(model, tokenizer, [text], [twin])
    except ValueError as error:
        return f"No clue to follow: {error}"
    guesses = [next(iter(answers_without(model, tokenizer, [given]))) for given in (text, twin)]
    lines = [f"[MASK]: “{guesses[0]}”, the twin's “{guesses[1]}”"]
    for height, row in zip(heights_of(len(shares) - 1), shares, strict=True):
        carriers = [f"{tokens[i]} {row[i]:.2f}" for i in np.argsort(-row) if abs(row[i]) >= least]
        lines.append(f"{height:15}" + ", ".join(carriers))
    return "\n".join(lines)


@dataclass(frozen=True)
class Looker:
    """The head that looks hardest from [MASK] at one word, and what it has to read.

    Attributes
    ----------
    layer, head
        Its numbers.
    size
        How many numbers its queries and keys have.
    place, target
        Where [MASK] is, and where the word.
    hidden_states
        Of the sentences, (batch, seq_len, hidden_size) for each height up to the one that the head reads.
    attention
        The self-attention of its layer.
    """

    layer: int
    head: int
    size: int
    place: int
    target: int
    hidden_states: tuple[Tensor, ...]
    attention: nn.Module

    @property
    def name(self) -> str:
        """Its layer and its number in it, as "3.1"."""
        return f"{self.layer}.{self.head}"

    def query(self, vectors: Tensor) -> Tensor:
        """Return what the head asks in the place of such vectors, (..., hidden_size) -> (..., size)."""
        return self._map("query", vectors)

    def key(self, vectors: Tensor) -> Tensor:
        """Return the labels that the head sees on such vectors, (..., hidden_size) -> (..., size)."""
        return self._map("key", vectors)

    def _map(self, name: str, vectors: Tensor) -> Tensor:
        rows = slice(self.head * self.size, (self.head + 1) * self.size)
        weight, bias = (self.attention.get_parameter(f"{name}.{kind}")[rows] for kind in ("weight", "bias"))
        return vectors @ weight.T + bias


def head_that_looks(
    model: BertForPreTraining, tokenizer: TokenizersBackend, texts: Sequence[str], word: str
) -> Looker:
    """Find the head with the largest weight from [MASK] to a word, in the mean of the texts.

    Parameters
    ----------
    model, tokenizer
        A BERT, and the tokenizer that belongs to it.
    texts
        Sentences of the same number of tokens, each with one [MASK] at the same place.
    word
        A token of the first of them; in the others, what is at its place is meant.
    """
    ids = _ids(tokenizer, texts)
    tokens = tokenizer.convert_ids_to_tokens(ids[0].tolist())
    place, target = tokens.index("[MASK]"), tokens.index(word)
    with torch.no_grad():
        output = model.base_model(ids, output_hidden_states=True, output_attentions=True)
    weights = torch.stack(output.attentions)[:, :, :, place, target].mean(dim=1)
    layer, head = divmod(int(weights.argmax()), weights.shape[1])
    return Looker(
        layer,
        head,
        model.config.hidden_size // model.config.num_attention_heads,
        place,
        target,
        tuple(output.hidden_states[: layer + 1]),
        model.base_model.get_submodule(f"encoder.layer.{layer}.attention.self"),
    )


def deaf_cases(head: Looker, seq_len: int) -> dict[str, list[dict[int, list[int]]]]:
    """Say who is made deaf, case by case, as `hearing_bias` takes it: the gap, the word it looks for, others.

    Each case has one way or, for "some bystander", one for each word between [CLS] and [SEP] that is neither
    the gap nor the word that is looked for.
    """
    gap, label = head.place, head.target
    near = [gap - 1, gap + 1]
    far = [place for place in range(seq_len) if place not in near]
    others = [place for place in range(1, seq_len - 1) if place not in (gap, label)]
    return {
        "only [CLS] and [SEP] deaf": [{}],
        "gap deaf": [{gap: []}],
        "gap hears only its neighbours": [{gap: near}],
        "gap hears all but its neighbours": [{gap: far}],
        "label deaf": [{label: []}],
        "both deaf": [{gap: [], label: []}],
        f"some bystander deaf, the worst of {len(others)}": [{place: []} for place in others],
    }


def answers_without(
    model: BertForPreTraining,
    tokenizer: TokenizersBackend,
    texts: Sequence[str],
    layer: int | None = None,
    head: int | None = None,
) -> Counter[str]:
    """Count the guesses at [MASK] while a layer is left out, or one head of it hands on nothing.

    Parameters
    ----------
    model, tokenizer
        A BERT with an LM head, and the tokenizer that belongs to it.
    texts
        Sentences, each with one [MASK], all of the same number of tokens.
    layer
        The layer that is changed; none if None.
    head
        The head of that layer whose context is set to 0; the whole layer is left out if None.
    """
    best = _logits_without(model, tokenizer, texts, layer, head).argmax(dim=-1)
    return Counter(str(token) for token in tokenizer.convert_ids_to_tokens(best.tolist()))


def ahead_without(
    model: BertForPreTraining,
    tokenizer: TokenizersBackend,
    texts: Sequence[str],
    words: Sequence[str],
    layer: int | None = None,
    head: int | None = None,
) -> int:
    """Count the texts in which the first of two words has the higher logit at [MASK], with a part left out.

    So it is seen whether the choice between the two is lost, even where another word beats both.

    Parameters
    ----------
    model, tokenizer, texts, layer, head
        As `answers_without` takes them.
    words
        Two tokens: the one that is right in these texts, and the one that is right in their twins.
    """
    logits = _logits_without(model, tokenizer, texts, layer, head)
    right, wrong = (int(tokenizer.convert_tokens_to_ids(word)) for word in words)  # type: ignore[arg-type]
    return int((logits[:, right] > logits[:, wrong]).sum())


def _logits_without(
    model: BertForPreTraining,
    tokenizer: TokenizersBackend,
    texts: Sequence[str],
    layer: int | None,
    head: int | None,
) -> Tensor:
    """Return the logits at [MASK], (texts, vocab_size), with a layer or one head of it left out."""
    ids = _ids(tokenizer, texts)
    size = model.config.hidden_size // model.config.num_attention_heads
    with torch.no_grad():
        hidden_states = model.bert.embeddings(ids)
        for number, block in enumerate(model.bert.encoder.layer):
            if number != layer:
                hidden_states = block(hidden_states, None)
            elif head is not None:
                rows = slice(head * size, (head + 1) * size)
                hidden_states = _without_head(block, rows, hidden_states)
        logits: Tensor = model.cls.predictions(hidden_states[ids == tokenizer.mask_token_id])
    return logits


def _without_head(block: nn.Module, rows: slice, hidden_states: Tensor) -> Tensor:
    """Run a layer while the context of one of its heads, some rows of all, is 0 before they are mixed."""

    def silence(_: nn.Module, args: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        context = args[0].clone()
        context[..., rows] = 0
        return context, *args[1:]

    hook = block.get_submodule("attention.output").register_forward_pre_hook(silence)
    try:
        changed: Tensor = block(hidden_states, None)
    finally:
        hook.remove()
    return changed


def _ids(tokenizer: TokenizersBackend, texts: Sequence[str]) -> Tensor:
    rows: list[Any] = tokenizer(list(texts))["input_ids"]
    if len({len(row) for row in rows}) > 1:
        raise ValueError("the texts differ in length: line them up, one token under the other.")
    return torch.tensor(rows)
