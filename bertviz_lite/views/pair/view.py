"""The pair view: does B continue A? The next-sentence head's answer, and the words that carry it.

A word carries what changes when it is hidden (:func:`bertviz_lite.evaluation.pair_probes.occlusion`). Hidden
for good, it becomes as many [MASK] in the text as it has pieces, so the numbers go on from there. What is
typed is computed by Python, see ``_asking.py``: the answer at once, as ``_found``; the words, a pass for
each, when the page has a moment and asks for the block "words". A saved page has both.

Left out: words hidden two by two, and what the special tokens carry.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets as t

from bertviz_lite import plots
from bertviz_lite.basics.text import clip, readable
from bertviz_lite.views.base.asking import (
    AskingView,
    Text,
    check_no_unknown,
    check_room,
    check_text,
    pack_found,
    unpack_found,
)
from bertviz_lite.views.base.view import Choice, Index, Static, Table, ViewError, read_module, read_style

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from bertviz_lite.world import Story

    Floats = npt.NDArray[np.float64]

__all__ = ["PairView"]

_IN_PICTURE = 10
_LETTERS_OF_NAME = 40


class PairView(AskingView):
    """An interactive next-sentence test: two texts, how probable it is that B continues A, and why.

    Parameters
    ----------
    model
        A BERT with a next-sentence head: `BertForPreTraining` or `BertForNextSentencePrediction`. It is left
        as it was.
    tokenizer
        The fast tokenizer that belongs to it.
    first, second
        The texts A and B; those of the first of `examples` if None.
    examples
        Pairs to choose from: (name, first, second). A saved page holds the numbers of all of them.
    word
        Number of the word that is picked out, words of A first, or None.
    measure
        By what words are tinted: the change in "log-odds", which can be compared where the probability is
        pressed against 0 or 1, or in "probability".

    Raises
    ------
    TypeError
        If `model` has no next-sentence head.
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
    state: ClassVar[tuple[str, ...]] = ("first", "second", "word", "measure")
    asks: ClassVar[tuple[str, ...]] = ("first", "second")

    first = Text().tag(sync=True)
    second = Text().tag(sync=True)
    word = Index("_num_words", "words", default=None, allow_none=True).tag(sync=True)
    measure = Choice(("log-odds", "probability"), "log-odds").tag(sync=True)

    _examples: t.List[list[str]] = t.List().tag(sync=True)
    _stories: t.List[dict[str, Any]] = t.List().tag(sync=True)
    _mask_token = t.Unicode().tag(sync=True)

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        first: str | None = None,
        second: str | None = None,
        *,
        examples: Sequence[tuple[str, str, str]] = (),
        word: int | None = None,
        measure: str = "log-odds",
        stories: Sequence[Story] = (),
    ) -> None:
        if not hasattr(model, "config"):
            raise TypeError(f"model is a {type(model).__name__}: give a BertForPreTraining, as load() does.")
        self._model, self._tokenizer = model, tokenizer
        self._words_of: tuple[tuple[str, str], bytes] | None = None
        given = [_example(one) for one in examples]
        for _, one, other in given:
            self._check_pair(one, other)
        if given:
            first = given[0][1] if first is None else first
            second = given[0][2] if second is None else second
        if first is None or second is None:
            raise TypeError("PairView() needs two texts, first and second, or examples to take them from.")
        super().__init__(
            first=first,
            second=second,
            _examples=given,
            _stories=[_sentences(number, story) for number, story in enumerate(stories)],
            _mask_token=str(tokenizer.mask_token),
        )
        try:
            self.word, self.measure = word, measure
        except t.TraitError:
            self.close()
            raise

    @classmethod
    def from_stories(
        cls,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        stories: Sequence[Story],
        **state: Any,  # noqa: ANN401
    ) -> PairView:
        """Return a view in which A and B are picked from stories, by where each is cut.

        Parameters
        ----------
        model, tokenizer
            As for :class:`PairView`.
        stories
            Two or more stories of two or more sentences, as :func:`bertviz_lite.stories` tells them. The
            examples are made of the first two that fit into the model: the true next part, the other story's,
            the parts in wrong order, and other names.
        **state
            `word` and `measure`.

        Raises
        ------
        ViewError
            If there are fewer than two stories that can be cut and fit.
        """
        from bertviz_lite.data.story_pairs import StoryPair, other_people, swapped

        halves = []
        for number, story in enumerate(stories):
            cut = (len(story.sentences) + 1) // 2
            pair = StoryPair(story.sentences[:cut], story.sentences[cut:], number, number)
            if cut < len(story.sentences) and cls._fits(model, tokenizer, pair.texts):
                halves.append(pair)
        if len(halves) < 2:
            raise ViewError(
                f"{len(halves)} of {len(stories)} stories can be cut in two and fit into the model: give two."
            )
        mine, other = halves[:2]
        made = {
            "the true next part": mine.texts,
            "another story’s": (mine.texts[0], other.texts[1]),
            "the parts in wrong order": swapped([mine])[0].texts,
        }
        for renamed in other_people([mine], np.random.default_rng(0)):
            made["the true next part, other names"] = renamed.texts
        examples = [(name, *texts) for name, texts in made.items() if cls._fits(model, tokenizer, texts)]
        return cls(model, tokenizer, examples=examples, stories=stories, **state)

    @staticmethod
    def _fits(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, texts: tuple[str, str]) -> bool:
        encoded = tokenizer(*texts, verbose=False)
        return len(encoded["input_ids"]) <= int(model.config.max_position_embeddings)

    def _summary(self) -> str:
        return type(self._model).__name__

    # -------------------------------------------------------------------------------- what is computed

    @t.validate("first", "second")
    def _check(self, proposal: Any) -> Any:  # noqa: ANN401
        return self._compute_first(proposal)

    def _check_pair(self, first: str, second: str) -> None:
        """Raise :class:`ViewError`, in the words of this view, where the pair cannot be asked."""
        for name, text in (("A", first), ("B", second)):
            check_text(name, text)
            check_no_unknown(self._tokenizer, text)
        encoded = self._tokenizer(first, second, verbose=False)
        check_room(self._model, len(encoded["input_ids"]), "A and B are a pair")

    def _compute(self, asked: Mapping[str, Any]) -> bytes:
        from bertviz_lite.evaluation.pair_probes import pair_vectors

        texts = (asked["first"], asked["second"])
        self._check_pair(*texts)
        log_odds = float(pair_vectors(self._model, self._tokenizer, [texts]).log_odds[0])
        return pack_found(_answer_facts(texts, _sigmoid(log_odds), log_odds), [])

    def _compute_words(self, asked: Mapping[str, Any]) -> bytes:
        """Return the answer together with what hiding each word changes."""
        from bertviz_lite.evaluation.pair_probes import occlusion

        texts = (asked["first"], asked["second"])
        if self._words_of is None or self._words_of[0] != texts:
            seen = occlusion(self._model, self._tokenizer, *texts)
            tokenizer = self._tokenizer
            facts = {
                **_answer_facts(texts, seen.probability, seen.log_odds),
                "words": [
                    [word.text, word.segment, word.stop - word.start, int(word.text == tokenizer.mask_token)]
                    for word in seen.words
                ],
                "special": [
                    token for token in (tokenizer.cls_token, tokenizer.sep_token) if token in seen.tokens
                ],
            }
            numbers = np.stack([seen.hidden_probability, seen.hidden_log_odds])
            self._words_of = (texts, pack_found(facts, numbers))
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

    def table(self) -> tuple[list[str], npt.NDArray[np.int64], Floats]:
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
        facts, numbers = self.found
        hidden = numbers.reshape(2, -1).astype(np.float64)
        shown = np.array([facts["probability"], facts["log_odds"]])
        words = [word[0] for word in facts["words"]]
        return words, np.array([word[1] for word in facts["words"]], np.int64), shown - hidden.T

    # --------------------------------------------------------------------------------- without scripts

    def _static(self) -> Static:
        from matplotlib import pyplot as plt

        from bertviz_lite.plots.course_style import style

        words, segments, support = self.table()
        column, unit = (0, "points") if self.measure == "probability" else (1, "log-odds")
        values = support[:, column] * (100 if column == 0 else 1)
        strongest = np.argsort(-np.abs(values), kind="stable")[:_IN_PICTURE]
        names = [f"{readable(words[i])} ({'AB'[segments[i]]})" for i in strongest]
        with style():
            _, ax = plt.subplots(figsize=(8.0, 0.34 * max(len(names), 4) + 1.6))
        plots.bars(
            values[strongest],
            names,
            title=f"Probability that B continues A: {_percent(self.probability)}",
            label=f"what the word adds to “B continues A”, {unit}",
            ax=ax,
        )
        told = ", ".join(
            f"{name} {_signed(values[i])}" for name, i in zip(names[:5], strongest, strict=False)
        )
        alt = (
            f"BERT finds it {_percent(self.probability)} probable that B continues A (label 0); its answer: "
            f"B {_verdict(self.probability)}. "
            f"A: “{readable(clip(self.first, 300))}” B: “{readable(clip(self.second, 300))}” "
            f"Bars: the words that carry this most, by what hiding them takes away, in {unit}: {told}."
        )
        return Static(ax, alt, tables=(self._word_table(), *self._example_table()))

    def _word_table(self) -> Table:
        words, segments, support = self.table()
        p, log_odds = self.found[0]["probability"], self.found[0]["log_odds"]
        rows = [
            [
                readable(words[i]),
                "AB"[segments[i]],
                _percent(p - support[i, 0]),
                f"{_signed(100 * support[i, 0])} points",
                _signed(log_odds - support[i, 1]),
                _signed(support[i, 1]),
            ]
            for i in np.argsort(-np.abs(support[:, 1]), kind="stable")
        ]
        columns = (
            "word",
            "part",
            "probability without it",
            "it adds",
            "log-odds without it",
            "it adds to them",
        )
        return Table("Every word: what hiding it changes", columns, rows)

    def _example_table(self) -> list[Table]:
        if not self._examples:
            return []
        rows = []
        for name, first, second in self._examples:
            facts, _ = unpack_found(self._compute({"first": first, "second": second}))
            rows.append([readable(name), _percent(facts["probability"]), readable(first), readable(second)])
        return [Table("The examples", ("example", "B continues A", "A", "B"), rows)]


def _example(one: object) -> list[str]:
    if not isinstance(one, Sequence) or isinstance(one, str) or len(one) != 3:
        raise TypeError(f"examples: {clip(repr(one), 60)} is no (name, first, second).")
    name, first, second = one
    return [check_text("an example’s name", name), check_text("first", first), check_text("second", second)]


def _sentences(number: int, story: Story) -> dict[str, Any]:
    told = [str(sentence) for sentence in story.sentences]
    return {"name": f"{number + 1}: {clip(told[0], _LETTERS_OF_NAME)}", "sentences": told}


def _answer_facts(texts: tuple[str, str], probability: float, log_odds: float) -> dict[str, Any]:
    return {"first": texts[0], "second": texts[1], "probability": probability, "log_odds": log_odds}


def _sigmoid(log_odds: float) -> float:
    """1 / (1 + e^-x), without overflow at either end."""
    small = math.exp(-abs(log_odds))
    return (1.0 if log_odds >= 0 else small) / (1.0 + small)


def _verdict(probability: float) -> str:
    return "continues A (label 0)" if probability >= 0.5 else "is of another story (label 1)"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _signed(number: float) -> str:
    text = f"{abs(number):.2f}"
    return text if float(text) == 0 else f"{'+' if number > 0 else '−'}{text}"
