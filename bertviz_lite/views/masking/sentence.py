"""One text of the masking lab: its tokens as the model reads them, its draws, and the guesses made so far."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from bertviz_lite.basics.text import readable
from bertviz_lite.views.base.errors import ViewError, as_view_error
from bertviz_lite.views.base.saved.blocks import pack
from bertviz_lite.views.masking.draws import Masking, TextDraws, continuation_of
from bertviz_lite.views.masking.guesses import Guess, guesses_at, guesses_of_draw

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torch import Tensor

    from bertviz_lite.views.engine.interface import Encoded, Engine

__all__ = ["Reader", "Sentence"]


class Reader:
    """Reads texts with one engine, and makes the rules of masking for its vocabulary.

    Parameters
    ----------
    engine
        What answers.
    words
        The words of one text, where the vocabulary does not say which tokens belong together, as in Chinese.

    Raises
    ------
    ViewError
        If the vocabulary has no [MASK].
    """

    def __init__(self, engine: Engine, words: Sequence[str] = ()) -> None:
        self.engine, self.words = engine, tuple(words)
        if engine.facts.mask_token is None or engine.facts.mask_id is None:
            raise ViewError(
                f"the tokenizer of {engine.facts.model_name} has no mask token: use that of a BERT."
            )

    @cached_property
    def continues_words(self) -> Tensor | None:
        """Which ids continue a word; None where no ``##`` says so, and no words are given either."""
        size = self.engine.facts.vocab_size
        marks = continuation_of(self.engine.names(range(size)))
        return torch.zeros(size, dtype=torch.bool) if marks is None and self.words else marks

    def continues(self, encoded: Encoded, text: str) -> Tensor | None:
        """Return which tokens go on with a given word, (1, seq_len); None for any other text than theirs."""
        if not self.words or text != "".join(self.words):
            return None
        starts, end = {0, *accumulate(map(len, self.words))}, 0
        marks = torch.zeros(1, len(encoded.tokens.tokens), dtype=torch.bool)
        for word in encoded.words:
            start = text.index(word.text, end)
            end = start + len(word.text)
            marks[0, word.start : word.stop] = True
            marks[0, word.start] = start not in starts
        return marks

    def rules(self, *, whole_words: bool, **shares: float) -> Masking:
        """Return the rules of masking for this vocabulary."""
        facts = self.engine.facts
        assert facts.mask_id is not None
        return Masking(
            vocab_size=facts.vocab_size,
            special_ids=facts.special_ids,
            mask_id=facts.mask_id,
            continuation=self.continues_words if whole_words else None,
            **shares,
        )

    def read(self, text: str) -> Sentence:
        """Read a text, or raise :class:`ViewError` in one line."""
        return Sentence(self, text)


class Sentence:
    """One text, with what every draw of it needs."""

    def __init__(self, reader: Reader, text: str) -> None:
        self.engine, self.text = reader.engine, text
        with as_view_error():
            self.encoded = self.engine.encode(text)
            self._run = run = self.engine.run(self.encoded)
        name = self.engine.facts.model_name
        if "self" not in run.kinds:
            raise ViewError(f"{name} reads with an encoder and a decoder: use an encoder, as BERT.")
        if len(run.tokens) > 1 and run.is_causal:
            raise ViewError(
                f"{name} reads only the tokens before a place, so it cannot guess a hidden one from both "
                "sides: use a masked language model, as BertForPreTraining."
            )
        self.predicts = run.predicts
        self.tokens = [readable(token) for token in self.encoded.tokens.tokens]
        input_ids = self.encoded.tokens.input_ids
        assert input_ids is not None
        self.input_ids = input_ids
        self.continues = reader.continues(self.encoded, text)
        self.draws = TextDraws(input_ids, reader.rules(whole_words=True), self.continues)
        self.ordinary, self.first = self.draws.ordinary, self.draws.first
        if not self.ordinary.any():
            raise ViewError("text has only special tokens: there is nothing to choose from.")
        self._guesses: dict[tuple[int, tuple[int, ...]], dict[str, Guess]] = {}

    def word_of(self, position: int) -> tuple[int, ...]:
        """Return the positions of all tokens of the word at a position."""
        same = self.ordinary & (self.first == self.first[position])
        return tuple(np.flatnonzero(same).tolist())

    def guesses(self, place: int, hidden: tuple[int, ...]) -> dict[str, Guess]:
        """Return what the model says at a place before and after tokens are hidden.

        Raises
        ------
        ViewError
            If the model has no language-model head, or the token is a special one.
        """
        self._check_predicts()
        if not self.ordinary[place]:
            raise ViewError(f"token {place} is {self.tokens[place]}, a special one: it is never hidden.")
        if (place, hidden) not in self._guesses:
            with as_view_error():
                guesses = guesses_at(self.engine, self.encoded, self._run, place, hidden)
            self._guesses[place, hidden] = guesses
        return self._guesses[place, hidden]

    def guesses_of_draw(self, drawn: Mapping[int, int]) -> dict[int, Guess]:
        """Return what the model says at the places of a draw, which holds the ids that stand there instead.

        Raises
        ------
        ViewError
            If the model has no language-model head.
        """
        self._check_predicts()
        with as_view_error():
            return guesses_of_draw(self.engine, self.encoded, drawn)

    def read_draw(self, text: str) -> dict[int, int] | None:
        """Read places with the ids that stand there, as "3:4,7:812"; None where they mean nothing here."""
        if not re.fullmatch(r"(?:\d+:\d+(?:,\d+:\d+)*)?", text, re.ASCII):
            return None
        drawn = {int(place): int(number) for place, number in re.findall(r"(\d+):(\d+)", text)}
        known = range(self.engine.facts.vocab_size)
        may = set(np.flatnonzero(self.ordinary).tolist())
        return drawn if drawn.keys() <= may and all(number in known for number in drawn.values()) else None

    def _check_predicts(self) -> None:
        if not self.predicts:
            name = self.engine.facts.model_name
            raise ViewError(f"{name} has no language-model head, so it guesses nothing.")

    def traits(self) -> dict[str, Any]:
        """Return the private traits that describe the text to the page."""
        choose_draw, replace_draw, random_id = self.draws.arrays()
        ids, places = np.unique(random_id, return_inverse=True)
        return {
            "_tokens": self.tokens,
            "_ids": self.input_ids.tolist(),
            "_ordinary": self.ordinary.tolist(),
            "_first": self.first.tolist(),
            "_luck": pack(choose_draw),
            "_fate": pack(replace_draw),
            "_drawn": pack(places.reshape(random_id.shape)),
            "_drawn_ids": ids.tolist(),
            "_drawn_names": [readable(name) for name in self.engine.names(ids.tolist())],
        }
