"""The masking lab: hide tokens of a sentence by the rules of BERT, and see what the model guesses.

The shares of [MASK], random and kept tokens, the rate, whole words and the seed are traits. The page draws
nothing at random itself: Python makes the draws of a hundred seeds (``draws.py``), and the page applies the
rules to them. So page and Python hide the same tokens, also where there is no Python: in a saved page.

What the model guesses where one word is hidden, and what it makes of a whole draw, is computed when the page
asks for it; for every word also when the view is saved.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets as t

from bertviz_lite.basics.text import clip, percent, readable
from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.views.base.asking import check_text, spell_masks
from bertviz_lite.views.base.errors import ViewError, ViewTypeError
from bertviz_lite.views.base.sources import read_module, read_style
from bertviz_lite.views.base.static import Static
from bertviz_lite.views.base.traits import Flag, Index, Share
from bertviz_lite.views.base.view import View
from bertviz_lite.views.engine.choose import engine_for
from bertviz_lite.views.engine.packed.in_page import page_model
from bertviz_lite.views.masking import words
from bertviz_lite.views.masking.counts import Count, count
from bertviz_lite.views.masking.draws import SEEDS, Masking
from bertviz_lite.views.masking.picture import draw
from bertviz_lite.views.masking.sentence import Reader
from bertviz_lite.views.masking.shares import SHARES, Rate, balance, fill_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from torch import Tensor
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from bertviz_lite.views.base.page_model import PageModel
    from bertviz_lite.views.engine.interface import Engine
    from bertviz_lite.views.masking.guesses import Guess

__all__ = ["MaskingLab"]


class MaskingLab(View):
    """A sentence whose tokens are chosen, hidden, replaced or kept, and the model's guesses for each word.

    The three shares always add up to 1: set one, and the other two divide the rest as they did before.

    Parameters
    ----------
    model
        A model of ``transformers`` that reads both ways; with a masked-language-model head it guesses hidden
        words. Or an engine (``views/engine``), which has its own tokenizer.
    tokenizer
        The tokenizer that belongs to the model, with a [MASK].
    text
        One sentence, or some.
    words
        The same text as a list of words, where none of its tokens says that it continues a word, as in
        Chinese: ``["白", "天鹅"]``. For `whole_words`; another text, put in later, has none.
    rate
        Share of the tokens (or words) that are chosen; above 0 and below 1.
    mask_share, random_share, keep_share
        Of the chosen tokens, the shares that become [MASK], a random token, and that stay as they are. Those
        that are not given are filled up by the rule above.
    whole_words
        True chooses words, with all their tokens.
    seed
        Which of 100 draws is shown, numbered from 0.
    selected
        Position of a token that is hidden to see what the model makes of it, or None. With `whole_words`
        all tokens of its word are hidden.

    Raises
    ------
    TypeError
        If a name is none of the above, or model and tokenizer are something else.
    ViewError
        If the model reads one way only, the tokenizer has no [MASK], the text is empty or too long, or a
        value means nothing here; the state stays as it was.

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
    about: ClassVar[str] = (
        "What BERT’s training hides, replaces or keeps: "
        "draw again, change the shares, or choose a token to see why"
    )
    state: ClassVar[tuple[str, ...]] = ("text", "rate", *SHARES, "whole_words", "seed", "selected")

    text = t.TraitType[Any, Any]("").tag(sync=True)  # not Any, which takes None unread
    rate = Rate(0.15, positive=True).tag(sync=True)
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
    _mask_id = t.Int().tag(sync=True)
    _has_words = t.Bool().tag(sync=True)
    _predicts = t.Bool().tag(sync=True)
    _problem = t.Unicode("").tag(sync=True)

    def __init__(
        self,
        model: PreTrainedModel | Engine,
        tokenizer: PreTrainedTokenizerBase | None = None,
        text: str = "",
        *,
        words: Sequence[str] | None = None,
        **state: Any,  # noqa: ANN401
    ) -> None:
        unknown = sorted(set(state) - set(self.state))
        if unknown:
            raise ViewTypeError(
                f"{unknown[0]}={state[unknown[0]]!r}: MaskingLab knows {', '.join(self.state)}."
            )
        self.engine = engine_for(model, tokenizer)
        self._reader = Reader(self.engine, _checked_words(words, text))
        text = spell_masks(check_text("text", text), self.engine.facts.mask_token)
        self._now = self._next = self._reader.read(text)
        super().__init__(
            text=text,
            _mask_token=readable(str(self.engine.facts.mask_token)),
            _mask_id=self.engine.facts.mask_id,
            _has_words=self._reader.continues_words is not None,
            _predicts=self._now.predicts,
            **self._now.traits(),
        )
        given = {name: state.pop(name) for name in SHARES if name in state}
        self._set_shares(given)
        for name in (name for name in self.state if name in state):
            setattr(self, name, state[name])

    def _page_model(self) -> PageModel | None:
        return page_model(self.engine)

    def _summary(self) -> str:
        return f"{len(self._now.tokens)} tokens"

    def __repr__(self) -> str:
        return super().__repr__().replace(repr(self.text), repr(clip(self.text, 60)), 1)

    # ------------------------------------------------------------------------------------ the state

    @property
    def _seeds(self) -> int:
        return SEEDS

    @property
    def _seq_len(self) -> int:
        return len(self._next.tokens)

    @t.validate("text")
    def _try_text(self, proposal: Any) -> str:  # noqa: ANN401
        """Read the text before the trait changes: a refusal then changes nothing."""
        text = spell_masks(check_text("text", proposal["value"]), self.engine.facts.mask_token)
        if text != self._now.text:
            self._next = self._reader.read(text)
        return text

    @t.observe("text")
    def _show_text(self, _: object) -> None:
        if self._next is self._now:
            return
        self._now = self._next
        with self.hold_sync():  # the page hears of everything at once
            self.selected = None
            for name, value in self._now.traits().items():
                setattr(self, name, value)

    def _set_shares(self, given: Mapping[str, float]) -> None:
        """Set one, two or all of the shares at once; those that are not given are filled up."""
        checked = {name: self.traits()[name].validate(self, value) for name, value in given.items()}
        with self.hold_trait_notifications():
            for name, value in fill_up(checked).items():
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
        if proposal["value"] and self._reader.continues_words is None:
            raise ViewError(
                "whole_words=True: no token of this vocabulary starts with ##, so words cannot be kept whole."
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
        return self._reader.rules(
            whole_words=self.whole_words,
            rate=self.rate,
            mask_share=self.mask_share,
            random_share=min(self.random_share, 1 - self.mask_share),
        )

    def masked(self, seed: int | None = None) -> tuple[Tensor, Tensor]:
        """Return ``(input_ids, labels)`` of a draw, shape (1, seq_len): the present one if `seed` is None.

        They are those of ``mask_tokens(input_ids, lab.masking, torch.Generator().manual_seed(seed))``; with
        `whole_words` and given words, ``mask_tokens`` is to be told which tokens continue a word.
        """
        return self._now.draws.masked(self.masking, self._checked_seed(seed))

    def outcomes(self, seed: int | None = None) -> list[str]:
        """Return what becomes of each token: "special", "left", "mask", "random" or "keep"."""
        return self._now.draws.outcomes(self.masking, self._checked_seed(seed))

    def _checked_seed(self, seed: int | None) -> int:
        number: int = self.seed if seed is None else self.traits()["seed"].validate(self, seed)
        return number

    def counts(self, *, every_seed: bool = False) -> list[Count]:
        """Return how many were chosen, and what became of them, beside what is to be expected.

        Parameters
        ----------
        every_seed
            True counts over the draws of all seeds, False over the present one.
        """
        rules, seeds = self.masking, range(SEEDS) if every_seed else [self.seed]
        units = np.flatnonzero(self._now.ordinary).tolist()
        if self.whole_words:
            units = sorted({self._now.word_of(place)[0] for place in units})
        return count(
            [self._now.draws.outcomes(rules, seed) for seed in seeds],
            units,
            "words" if self.whole_words else "tokens",
            self.rate,
            [getattr(self, name) for name in SHARES],
        )

    def guesses(self, position: int | None = None) -> dict[str, Guess]:
        """Return what the model says at a position with the token in its place, and with it hidden.

        Parameters
        ----------
        position
            `selected` if None. With `whole_words` all tokens of its word are hidden.

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
        return self._now.guesses(place, self._now.word_of(place) if self.whole_words else (place,))

    def answers(self, seed: int | None = None) -> dict[int, Guess]:
        """Return what the model says to a draw: at each chosen place, with all of it masked as drawn.

        Parameters
        ----------
        seed
            The present one if None.

        Returns
        -------
        dict
            Position -> Guess; what training scores are these places.

        Raises
        ------
        ViewError
            If the model has no language-model head.
        """
        return self._now.guesses_of_draw(self._drawn_at(seed))

    def _drawn_at(self, seed: int | None) -> dict[int, int]:
        """Return the chosen places with the ids that stand there."""
        input_ids, labels = (part[0].tolist() for part in self.masked(seed))
        return {place: input_ids[place] for place, label in enumerate(labels) if label != IGNORED}

    # --------------------------------------------------------------------------------------- for the page

    def _take(self, values: object) -> None:
        if not isinstance(values, dict) or set(values) != {"text"}:
            raise ViewError(f"{values!r}: a new value of text is needed.")
        self.text = values["text"]

    def _block(self, name: str) -> bytes:
        kind, _, number = name.partition("/")
        if kind == "drawn" and (drawn := self._now.read_draw(number)) is not None:
            guesses = self._now.guesses_of_draw(drawn).items()
            return json.dumps([[place, *guess] for place, guess in guesses], ensure_ascii=False).encode()
        names = [str(place) for place in range(len(self._now.tokens))]
        if kind not in ("piece", "word") or number not in names:
            return super()._block(name)
        place = int(number)
        hidden = self._now.word_of(place) if kind == "word" else (place,)
        return json.dumps(self._now.guesses(place, hidden), ensure_ascii=False).encode("utf-8")

    def _saved_blocks(self) -> Iterator[str]:
        if not self._now.predicts:
            return
        if drawn := self._drawn_at(None):
            yield "drawn/" + ",".join(f"{place}:{number}" for place, number in drawn.items())
        for place in np.flatnonzero(self._now.ordinary).tolist():
            yield f"piece/{place}"
            if self._has_words and len(self._now.word_of(place)) > 1:
                yield f"word/{place}"

    def _saved_state(self) -> dict[str, Any]:
        return {**super()._saved_state(), "_problem": ""}

    def _static(self) -> Static:
        counts, place = self.counts(), self.selected
        answered = self.answers() if self._now.predicts else {}
        tokens = self._shown_tokens(answered)
        guesses: Mapping[str, Guess] = {}
        if place is not None and self._now.predicts and self._now.ordinary[place]:
            guesses = self.guesses()
        sentences = words.guess_sentences(tokens[place or 0].text, guesses)
        if answered:
            right = [tokens[at].is_right for at in answered]
            sentences = [words.score_sentence(list(answered.values()), right), *sentences]
        alt = " ".join([words.alt_text(tokens, self.seed, counts[0]), *sentences])
        tables = [words.token_table(tokens), words.count_table(counts, self.counts(every_seed=True))]
        return Static(draw(tokens, guesses, place), alt, tables=tables)

    def _shown_tokens(self, answered: Mapping[int, Guess]) -> list[words.ShownToken]:
        input_ids, labels = (part[0].tolist() for part in self.masked())
        reads = self.engine.names(input_ids)
        return [
            words.ShownToken(
                token,
                outcome,
                read,
                "−100" if label == IGNORED else str(label),
                *_guessed(answered.get(at), token),
            )
            for at, (token, outcome, read, label) in enumerate(
                zip(self._now.tokens, self.outcomes(), reads, labels, strict=True)
            )
        ]


def _checked_words(words: Any, text: str) -> Sequence[str]:  # noqa: ANN401 - checked here
    """Return the words of a text, none if they are not given, or raise :class:`ViewError` in one line."""
    if words is None:
        return ()
    if not isinstance(words, list | tuple) or not all(isinstance(word, str) and word for word in words):
        raise ViewError("words is the text as a list of words, as ['白', '天鹅'].")
    if "".join(words) != text:
        raise ViewError("words, put together without spaces, must be the text, letter for letter.")
    return tuple(words)


def _guessed(guess: Guess | None, token: str) -> tuple[str, bool]:
    """Return what is written under a chosen token, and whether the guess is right."""
    if guess is None:
        return "", False
    best, share = guess.top[0]
    return f"→ {clip(best, 12)} {percent(share)}", best == token
