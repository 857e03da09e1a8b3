"""The masking lab: hide pieces of a sentence by the rules of BERT, toss by toss, and ask for them.

The shares of [MASK], random and kept pieces, the rate, whole words and the seed are traits. The page draws
nothing at random itself: Python makes the draws of a hundred seeds with
:func:`bertviz_lite.data.masking.draw`, and the page applies the rules to them. So page and Python hide the
same pieces, also where there is no Python: in a saved page. ``_masking_picture.py`` has what is seen without
scripts.

What the model says where one word is hidden is computed when it is asked for, and for every word when the
view is saved.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import torch
import traitlets as t

from bertviz_lite.basics.text import clip, readable
from bertviz_lite.capture import capture
from bertviz_lite.data.masking import OUTCOMES, Draws, Masking, apply_draws, draw, first_tokens, outcomes
from bertviz_lite.data.vocabulary import continuation_tokens
from bertviz_lite.evaluation.intervals import binomial_interval
from bertviz_lite.views.base.blocks import pack
from bertviz_lite.views.base.errors import ViewError
from bertviz_lite.views.base.sources import read_module, read_style
from bertviz_lite.views.base.static import Static
from bertviz_lite.views.base.traits import Flag, Index, Share
from bertviz_lite.views.base.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor
    from transformers import PreTrainedModel, PreTrainedTokenizerFast

    from bertviz_lite.capture import Capture, Tokens

__all__ = ["SHARES", "Count", "MaskingLab", "balance"]

SHARES = ("mask_share", "random_share", "keep_share")
"""The three shares, in the order in which the second toss goes through them."""

SEEDS = 100
"""Seeds whose draws the page has, numbered from 0."""

_TOP = 5


def balance(shares: tuple[float, float, float], moved: int, value: float) -> tuple[float, float, float]:
    """Set one of three shares and make all of them add up to 1 again.

    The other two divide what is left as they did before: they keep their ratio, to the fourth decimal. If
    both were 0, each takes half.

    >>> balance((0.8, 0.1, 0.1), 0, 0.6)
    (0.6, 0.2, 0.2)
    """
    first, second = (share for place, share in enumerate(shares) if place != moved)
    rest = 1.0 - value
    part = rest / 2 if first + second == 0 else rest * first / (first + second)
    part = min(rest, floor(part * 1e4 + 0.5) / 1e4)
    others = [part, floor((rest - part) * 1e12 + 0.5) / 1e12]
    others.insert(moved, value)
    return others[0], others[1], others[2]


class _Rate(Share):
    """A share above 0 and below 1: neither nothing nor everything is hidden."""

    def validate(self, obj: Any, value: object) -> float:  # noqa: ANN401
        rate = super().validate(obj, value)
        if rate == 1:
            raise ViewError("rate=1: a number above 0 and below 1 is needed: something must be left to read.")
        return rate


class _Text:
    """One sentence, with what every draw of it needs."""

    def __init__(self, text: str, seen: Capture, rules: Masking, whole: Masking | None) -> None:
        self.seen = seen
        self.text = text
        tokens: Tokens = seen.kinds["self"].query_tokens
        assert tokens.input_ids is not None
        self.tokens = [readable(token) for token in tokens.tokens]
        self.input_ids = torch.from_numpy(tokens.input_ids.copy())[None]
        self.ordinary = rules.ordinary[self.input_ids[0]]
        self.first = first_tokens(self.input_ids, whole or rules)[0]
        self.draws = [
            draw(tuple(self.input_ids.shape), rules, torch.Generator().manual_seed(seed))
            for seed in range(SEEDS)
        ]
        self.guesses: dict[tuple[int, tuple[int, ...]], dict[str, Guess]] = {}

    def word_of(self, position: int) -> tuple[int, ...]:
        """Return the positions of all pieces of the word at a position."""
        return tuple(
            place
            for place in range(len(self.tokens))
            if self.ordinary[place] and self.first[place] == self.first[position]
        )

    def traits(self) -> dict[str, Any]:
        """Return the private traits that describe the sentence to the page."""
        choose_draw, replace_draw, random_id = (
            torch.cat([getattr(draws, name) for draws in self.draws]).numpy() for name in vars(self.draws[0])
        )
        ids, places = np.unique(random_id, return_inverse=True)
        names = self.seen._origin.tokenizer.convert_ids_to_tokens(ids.tolist())  # type: ignore[union-attr]
        return {
            "_tokens": self.tokens,
            "_ids": self.input_ids[0].tolist(),
            "_ordinary": self.ordinary.tolist(),
            "_first": self.first.tolist(),
            "_luck": pack(choose_draw),
            "_fate": pack(replace_draw),
            "_drawn": pack(places.reshape(random_id.shape)),
            "_drawn_ids": ids.tolist(),
            "_drawn_names": [readable(str(name)) for name in names],
        }


class Count(NamedTuple):
    """How often something came, and how often it is to be expected."""

    what: str
    of: str
    """What was tried: "words" or "pieces"."""
    hits: int
    tries: int
    expected: float
    low: int
    """With `high`: the range in which 95 % of such counts lie."""
    high: int


class Guess(NamedTuple):
    """What the model says at one place: the most probable tokens, and the probability of the true one."""

    top: list[tuple[str, float]]
    truth: float


class MaskingLab(View):
    """A sentence whose pieces are chosen, hidden, replaced or kept, and the model's guesses for each word.

    The three shares always add up to 1: set one, and the other two divide the rest as they did before.

    Parameters
    ----------
    model
        A model of ``transformers``; with a masked-language-model head it guesses hidden words.
    tokenizer
        Its tokenizer, with a [MASK].
    text
        One sentence, or some.
    rate
        Share of the pieces (or words) that are chosen; above 0 and below 1.
    mask_share, random_share, keep_share
        Of the chosen pieces, the shares that become [MASK], a random piece, and that stay as they are. Those
        that are not given are filled up by the rule above.
    whole_words
        True chooses words, with all their pieces.
    seed
        Which of 100 draws is shown, numbered from 0.
    selected
        Position of a token that is hidden to see what the model makes of it, or None. With `whole_words`
        all pieces of its word are hidden.

    Raises
    ------
    CaptureError
        If model, tokenizer or text are not what they should be.
    ViewError
        If a value means nothing here; the state stays as it was.

    Examples
    --------
    >>> lab = MaskingLab(model, tokenizer, "Anna finds her key in the park.")  # doctest: +SKIP
    >>> lab.mask_share = 1.0  # 100/0/0  # doctest: +SKIP
    >>> lab.masked()  # what the model would be given, and the labels  # doctest: +SKIP
    >>> lab.save("masking.html")  # doctest: +SKIP
    """

    _esm = read_module("masking")
    _css = read_style("masking")
    title: ClassVar[str] = "What masking does to a sentence"
    state: ClassVar[tuple[str, ...]] = ("text", "rate", *SHARES, "whole_words", "seed", "selected")

    text = t.Any("").tag(sync=True)
    rate = _Rate(0.15, positive=True).tag(sync=True)
    mask_share = Share(0.8).tag(sync=True)
    random_share = Share(0.1).tag(sync=True)
    keep_share = Share(0.1).tag(sync=True)
    whole_words = Flag().tag(sync=True)
    seed = Index("_seeds", "draws").tag(sync=True)
    selected = Index("_seq_len", "tokens", default=None, allow_none=True).tag(sync=True)

    _tokens = t.List(t.Unicode()).tag(sync=True)
    _ids = t.List(t.Int()).tag(sync=True)
    _ordinary = t.List(t.Bool()).tag(sync=True)
    _first = t.List(t.Int()).tag(sync=True)
    _luck = t.Bytes().tag(sync=True)
    _fate = t.Bytes().tag(sync=True)
    _drawn = t.Bytes().tag(sync=True)
    _drawn_ids = t.List(t.Int()).tag(sync=True)
    _drawn_names = t.List(t.Unicode()).tag(sync=True)
    _mask_token = t.Unicode().tag(sync=True)
    _has_words = t.Bool().tag(sync=True)
    _predicts = t.Bool().tag(sync=True)
    _live = t.Bool(True).tag(sync=True)
    _problem = t.Unicode("").tag(sync=True)

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerFast,
        text: str,
        **state: Any,  # noqa: ANN401
    ) -> None:
        unknown = sorted(set(state) - set(self.state))
        if unknown:
            raise TypeError(f"{unknown[0]}={state[unknown[0]]!r}: MaskingLab knows {', '.join(self.state)}.")
        self.model, self.tokenizer = model, tokenizer
        self._now = self._next = self._read(text)
        super().__init__(
            text=text,
            _mask_token=readable(tokenizer.mask_token),
            _has_words=self._continuation is not None,
            _predicts=self._now.seen.predicts,
            **self._now.traits(),
        )
        try:
            given = {name: state.pop(name) for name in SHARES if name in state}
            self._set_shares(given)
            for name in (name for name in self.state if name in state):
                setattr(self, name, state[name])
        except t.TraitError:
            self.close()  # else the widget would stay open, unseen
            raise

    def _summary(self) -> str:
        return f"{len(self._now.tokens)} tokens"

    def __repr__(self) -> str:
        return super().__repr__().replace(repr(self.text), repr(clip(self.text, 60)), 1)

    # ----------------------------------------------------------------------------------------- the text

    @property
    def _seeds(self) -> int:
        return SEEDS

    @property
    def _seq_len(self) -> int:
        return len(self._next.tokens)

    @cached_property
    def _continuation(self) -> Tensor | None:
        """Which ids continue a word; None where no piece of the vocabulary starts with ``##``."""
        marks = continuation_tokens(self.tokenizer)
        return torch.from_numpy(marks) if marks.any() else None

    def _rules(self, *, whole_words: bool, **shares: float) -> Masking:
        tokenizer = self.tokenizer
        return Masking(
            vocab_size=len(tokenizer),
            special_ids=tuple(tokenizer.all_special_ids),
            mask_id=tokenizer.mask_token_id,
            continuation=self._continuation if whole_words else None,
            **shares,
        )

    def _read(self, text: str) -> _Text:
        seen = capture(self.model, self.tokenizer, text)
        if self.tokenizer.mask_token_id is None:
            raise ViewError(
                f"{type(self.tokenizer).__name__} has no mask token: use the tokenizer of a BERT."
            )
        if "self" not in seen.kinds:
            raise ViewError(
                f"{seen.model_name} reads with an encoder and a decoder: use an encoder, as BERT."
            )
        found = _Text(text, seen, self._rules(whole_words=False), self._rules(whole_words=True))
        if not found.ordinary.any():
            raise ViewError("text has only special tokens: there is nothing to choose from.")
        return found

    @t.validate("text")
    def _try_text(self, proposal: Any) -> str:  # noqa: ANN401
        """Read the text before the trait changes: a refusal then changes nothing."""
        text = proposal["value"]
        if text != self._now.text:
            from bertviz_lite.capture import CaptureError

            try:
                self._next = self._read(text)
            except CaptureError as error:
                raise ViewError(str(error)) from error
        return str(text)

    @t.observe("text")
    def _show_text(self, _: object) -> None:
        if self._next is self._now:
            return
        self._now = self._next
        with self.hold_sync():  # the page hears of everything at once
            self.selected = None
            for name, value in self._now.traits().items():
                setattr(self, name, value)

    # --------------------------------------------------------------------------------------- the shares

    def _set_shares(self, given: Mapping[str, float]) -> None:
        """Set one, two or all of the shares at once; those that are not given are filled up."""
        shares = {name: self.traits()[name].validate(self, value) for name, value in given.items()}
        total = sum(shares.values())
        if (len(shares) == 3 and abs(total - 1) > 1e-9) or total > 1 + 1e-9:
            said = ", ".join(f"{name}={value:g}" for name, value in shares.items())
            raise ViewError(f"{said}: the three shares must add up to 1, and these add up to {total:g}.")
        if len(shares) == 2:
            (missing,) = set(SHARES) - set(shares)
            shares[missing] = max(0.0, round(1 - total, 12))
        with self.hold_trait_notifications():
            for name, value in shares.items():
                setattr(self, name, value)

    @t.observe(*SHARES)
    def _keep_sum(self, change: Any) -> None:  # noqa: ANN401
        """Let the other two shares fill up to 1, unless all three were set together."""
        shares = (self.mask_share, self.random_share, self.keep_share)
        if abs(sum(shares) - 1) <= 1e-9:
            return
        moved = SHARES.index(change["name"])
        with self.hold_trait_notifications():
            for name, value in zip(SHARES, balance(shares, moved, shares[moved]), strict=True):
                setattr(self, name, value)

    @t.validate("whole_words")
    def _check_words(self, proposal: Any) -> bool:  # noqa: ANN401
        if proposal["value"] and self._continuation is None:
            raise ViewError(
                f"whole_words=True: no piece of {type(self.tokenizer).__name__} starts with ##, "
                "so words cannot be told from pieces."
            )
        return bool(proposal["value"])

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take over what the page has set; what is refused goes back to it, with the reason in `_problem`."""
        try:
            super().set_state(sync_data)
        except ViewError as error:
            self._problem = readable(str(error))
            self.send_state([name for name in sync_data if name in self.keys])
        else:
            self._problem = ""

    # ------------------------------------------------------------------------------------ what comes out

    @property
    def tokens(self) -> tuple[str, ...]:
        """The ``seq_len`` tokens of the text, special ones included."""
        return tuple(self._now.tokens)

    @property
    def masking(self) -> Masking:
        """The rules of the present state, as :func:`bertviz_lite.data.masking.mask_tokens` takes them."""
        return self._rules(
            whole_words=self.whole_words,
            rate=self.rate,
            mask_share=self.mask_share,
            random_share=min(self.random_share, 1 - self.mask_share),
        )

    def masked(self, seed: int | None = None) -> tuple[Tensor, Tensor]:
        """Return ``(input_ids, labels)`` of a draw, shape (1, seq_len): the present one if `seed` is None.

        They are those of ``mask_tokens(input_ids, lab.masking, torch.Generator().manual_seed(seed))``.
        """
        number = self.seed if seed is None else self.traits()["seed"].validate(self, seed)
        return apply_draws(self._now.input_ids, self.masking, self._draws(number))

    def _draws(self, seed: int) -> Draws:
        return self._now.draws[seed]

    def fates(self, seed: int | None = None) -> list[str]:
        """Return what becomes of each token: "special", "left", "mask", "random" or "keep"."""
        number = self.seed if seed is None else seed
        numbers = outcomes(self._now.input_ids, self.masking, self._draws(number))
        return [OUTCOMES[index] for index in numbers[0].tolist()]

    def counts(self, *, every_seed: bool = False) -> list[Count]:
        """Return how many were chosen, and what became of them, beside what is to be expected.

        Parameters
        ----------
        every_seed
            True counts over the draws of all seeds, False over the present one.
        """
        seeds = range(SEEDS) if every_seed else [self.seed]
        units = np.flatnonzero(self._now.ordinary).tolist()
        if self.whole_words:
            units = sorted({self._now.word_of(place)[0] for place in units})
        fates = [self.fates(seed) for seed in seeds]
        chosen = sum(each[unit] not in ("left", "special") for each in fates for unit in units)
        pieces = [fate for each in fates for fate in each if fate in ("mask", "random", "keep")]
        rows = [
            ("chosen", "words" if self.whole_words else "pieces", chosen, len(units) * len(seeds), self.rate)
        ]
        rows += [
            (name, "pieces", pieces.count(name), len(pieces), getattr(self, f"{name}_share"))
            for name in ("mask", "random", "keep")
        ]
        return [
            Count(what, of, hits, tries, tries * share, *binomial_interval(tries, share))
            for what, of, hits, tries, share in rows
        ]

    def guesses(self, position: int | None = None) -> dict[str, Guess]:
        """Return what the model says at a position with the token in its place, and with it hidden.

        Parameters
        ----------
        position
            `selected` if None. With `whole_words` all pieces of its word are hidden.

        Returns
        -------
        dict
            ``{"before": Guess, "after": Guess}``.

        Raises
        ------
        ViewError
            If no token is selected, it is a special one, or the model has no language-model head.
        """
        place = self.selected if position is None else self.traits()["selected"].validate(self, position)
        if place is None:
            raise ViewError("position=None and selected=None: say which token is to be hidden.")
        return self._guess(place, self._now.word_of(place) if self.whole_words else (place,))

    def _guess(self, place: int, hidden: tuple[int, ...]) -> dict[str, Guess]:
        now = self._now
        if not now.seen.predicts:
            raise ViewError(f"{now.seen.model_name} has no language-model head, so it guesses nothing.")
        if not now.ordinary[place]:
            raise ViewError(f"token {place} is {now.tokens[place]}, a special one: it is never hidden.")
        if (place, hidden) not in now.guesses:
            token = now.seen.tokens[place]
            after = now.seen.rerun(dict.fromkeys(hidden, self.tokenizer.mask_token))
            now.guesses[place, hidden] = {
                name: Guess(
                    [(readable(piece), share) for piece, share in run.predictions(place, _TOP)],
                    float(np.exp(-run.loss(place, token))),
                )
                for name, run in (("before", now.seen), ("after", after))
            }
        return now.guesses[place, hidden]

    # --------------------------------------------------------------------------------------- for the page

    def _block(self, name: str) -> bytes:
        kind, _, number = name.partition("/")
        names = [str(place) for place in range(len(self._now.tokens))]
        if kind not in ("piece", "word") or number not in names:
            return super()._block(name)
        place = int(number)
        hidden = self._now.word_of(place) if kind == "word" else (place,)
        return json.dumps(self._guess(place, hidden), ensure_ascii=False).encode("utf-8")

    def _saved_blocks(self) -> Iterator[str]:
        if not self._now.seen.predicts:
            return
        for place in np.flatnonzero(self._now.ordinary).tolist():
            yield f"piece/{place}"
            if self._has_words and len(self._now.word_of(place)) > 1:
                yield f"word/{place}"

    def _saved_state(self) -> dict[str, Any]:
        return {**super()._saved_state(), "_live": False, "_problem": ""}

    def _static(self) -> Static:
        from bertviz_lite.views.masking import picture as _masking_picture

        return _masking_picture.static(self)
