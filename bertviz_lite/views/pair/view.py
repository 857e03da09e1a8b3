"""The pair view: does B continue A? The next-sentence head's answer, and the words that carry it.

A word carries what changes when it is hidden. Hidden for good, it becomes as many [MASK] in the text as it
has tokens, so the numbers go on from there. What is typed is computed by Python, see ``base/asking.py``: the
answer at once, as ``_found``; the words, a pass for each, when the page has a moment and asks for the block
"words". A saved page has both.

Left out: words hidden two by two, and what the special tokens carry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import traitlets as t

from bertviz_lite.views.base.asking import AskingView, Text, spell_masks, unpack_found
from bertviz_lite.views.base.errors import ViewTypeError
from bertviz_lite.views.base.sources import read_module, read_style
from bertviz_lite.views.base.static import Static
from bertviz_lite.views.base.traits import Choice, Index
from bertviz_lite.views.engine.choose import engine_for
from bertviz_lite.views.engine.packed.in_page import page_model
from bertviz_lite.views.pair import picture, verdicts
from bertviz_lite.views.pair.examples import check_examples, check_stories, examples_of, sentences_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from bertviz_lite.views.base.page_model import PageModel
    from bertviz_lite.views.engine.interface import Engine
    from bertviz_lite.world import Story

__all__ = ["PairView"]


class PairView(AskingView):
    """An interactive next-sentence test: two texts, how probable it is that B continues A, and why.

    Parameters
    ----------
    model
        A BERT with a next-sentence head: `BertForPreTraining` or `BertForNextSentencePrediction`; it is left
        as it was. Or an engine (``views/engine``), which has its own tokenizer.
    tokenizer
        The tokenizer that belongs to the model.
    first, second
        The texts A and B; those of the first of `examples` if None.
    examples
        Pairs to choose from: (name, first, second). A saved page holds the numbers of all of them.
    stories
        Stories whose parts can be picked as A and B, as :meth:`from_stories` gives them.
    **state
        Any of the following.
    word
        Number of the word that is picked out, words of A first, or None.
    measure
        By what words are tinted: the change in "log-odds", which can be compared where the probability is
        pressed against 0 or 1, or in "probability".

    Raises
    ------
    TypeError
        If `model` has no next-sentence head, or a name is none of the above.
    ViewError
        If a text is empty, not spelled by the vocabulary, or both are too long together; the state stays as
        it was.

    Examples
    --------
    >>> view = PairView(model, tokenizer, "Ada lost her key.", "She looked for it.")  # doctest: +SKIP
    >>> view.second = "He looked for it."  # doctest: +SKIP
    >>> view = PairView.from_stories(model, tokenizer, stories(seed=1, n=6))  # doctest: +SKIP
    """

    _esm = read_module("pair")
    _css = read_style("pair")
    title: ClassVar[str] = "Does B continue A?"
    about: ClassVar[str] = (
        "Whether text B continues text A, as BERT sees it: choose a word to see how the answer depends on it"
    )
    state: ClassVar[tuple[str, ...]] = ("first", "second", "word", "measure")
    asks: ClassVar[tuple[str, ...]] = ("first", "second")

    first = Text("A").tag(sync=True)
    second = Text("B").tag(sync=True)
    word = Index("_num_words", "words", default=None, allow_none=True).tag(sync=True)
    measure = Choice(("log-odds", "probability"), "log-odds").tag(sync=True)

    _examples: t.List[list[str]] = t.List().tag(sync=True)
    _stories: t.List[dict[str, Any]] = t.List().tag(sync=True)
    _mask_token = t.Unicode().tag(sync=True)

    def __init__(
        self,
        model: PreTrainedModel | Engine,
        tokenizer: PreTrainedTokenizerBase | None = None,
        first: str | None = None,
        second: str | None = None,
        *,
        examples: Sequence[tuple[str, str, str]] = (),
        stories: Sequence[Story] = (),
        **state: Any,  # noqa: ANN401
    ) -> None:
        unknown = sorted(set(state) - set(self.state))
        if unknown:
            raise ViewTypeError(
                f"{unknown[0]}={state[unknown[0]]!r}: PairView knows {', '.join(self.state)}."
            )
        self.engine = engine_for(model, tokenizer)
        self._words_of: tuple[tuple[str, str], bytes] | None = None
        mask = self.engine.facts.mask_token
        given = [
            [name, *(spell_masks(text, mask) for text in texts)] for name, *texts in check_examples(examples)
        ]
        for _, given_first, given_second in given:
            verdicts.encode(self.engine, given_first, given_second)
        if given:
            first = given[0][1] if first is None else first
            second = given[0][2] if second is None else second
        if first is None or second is None:
            raise ViewTypeError(
                "PairView() needs two texts, first and second, or examples to take them from."
            )
        super().__init__(
            first=first,
            second=second,
            _examples=given,
            _stories=sentences_of(check_stories(stories)),
            _mask_token=str(self.engine.facts.mask_token),
        )
        for name, value in state.items():
            setattr(self, name, value)

    @classmethod
    def from_stories(
        cls,
        model: PreTrainedModel | Engine,
        tokenizer: PreTrainedTokenizerBase | None,
        stories: Sequence[Story],
        **state: Any,  # noqa: ANN401
    ) -> PairView:
        """Return a view in which A and B are picked from stories, by where each is cut.

        Parameters
        ----------
        model, tokenizer
            As for :class:`PairView`.
        stories
            Stories as :func:`bertviz_lite.stories` returns them, two or more of two or more sentences; one
            of a single sentence cannot be cut and is left out. The examples are made of the first two
            that fit into the model: the true next part, the other story's, the parts in wrong order,
            and other names.
        **state
            `word` and `measure`.

        Raises
        ------
        ViewError
            If there are fewer than two stories that can be cut and fit.
        """
        engine, checked = engine_for(model, tokenizer), check_stories(stories)
        return cls(engine, examples=examples_of(engine, checked), stories=checked, **state)

    def _page_model(self) -> PageModel | None:
        return page_model(self.engine)

    def _summary(self) -> str:
        return self.engine.facts.model_name

    # -------------------------------------------------------------------------------- what is computed

    @t.validate("first", "second")
    def _check(self, proposal: Any) -> Any:  # noqa: ANN401
        return self._compute_first(proposal)

    def _compute(self, asked: Mapping[str, Any]) -> bytes:
        return verdicts.judge(self.engine, asked["first"], asked["second"])

    def _compute_words(self, asked: Mapping[str, Any]) -> bytes:
        """Return the answer together with what hiding each word changes."""
        texts = (asked["first"], asked["second"])
        if self._words_of is None or self._words_of[0] != texts:
            self._words_of = (texts, verdicts.judge_words(self.engine, *texts))
        return self._words_of[1]

    @property
    def found(self) -> tuple[dict[str, Any], npt.NDArray[np.float32]]:
        """What is shown now: the facts, and both numbers of every word in float32."""
        return unpack_found(self._compute_words(self._asked()))

    @property
    def _num_words(self) -> int:
        return len(self.found[0]["words"])

    def _fit(self) -> None:
        self.word = None  # another text has other words

    def _block(self, name: str) -> bytes:
        if name == "words":
            return self._compute_words(self._asked())
        return super()._block(name)

    def _compute_example(self, asked: Mapping[str, Any]) -> bytes:
        return self._compute_words(asked)

    def _saved_state(self) -> dict[str, Any]:
        return {**super()._saved_state(), "_found": self._compute_words(self._asked())}

    def _examples_asked(self) -> list[dict[str, Any]]:
        return [{"first": first, "second": second} for _, first, second in self._examples]

    @property
    def probability(self) -> float:
        """How probable the head finds it that B continues A (label 0)."""
        return float(unpack_found(self._found)[0]["probability"])

    def table(self) -> tuple[list[str], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Return every word with what hiding it changes.

        Returns
        -------
        words : list of str
            Those of A, then those of B; [CLS] and [SEP] are none.
        segments : ndarray
            int64, shape (words,): 0 for A, 1 for B.
        support : ndarray
            float64 (of float32 precision), shape (words, 2): by how much the probability and the log-odds of
            "B continues A" fall when the word is hidden. Positive: the word speaks for it.
        """
        verdict = verdicts.unpack(self._compute_words(self._asked()))
        return verdict.words, verdict.segments, verdict.support

    # --------------------------------------------------------------------------------- without scripts

    def _static(self) -> Static:
        examples = []
        for name, first, second in self._examples:
            facts, _ = unpack_found(verdicts.judge(self.engine, first, second))
            examples.append(picture.Example(name, first, second, facts["probability"]))
        verdict = verdicts.unpack(self._compute_words(self._asked()))
        shown = picture.Shown(self.first, self.second, verdict, self.measure, examples)
        return picture.static(shown)
