"""The fill-in view: a sentence with [MASK], the words that BERT puts there, and how they rise layer by layer.

The LM head reads the vectors after the embeddings and after every layer
(:func:`bertviz_lite.evaluation.lens.lens`). Of each [MASK] the page gets the words that lead at any layer,
with their probability and rank at all of them, so that choosing a layer, a word or another [MASK] asks
nobody. What is typed is computed by Python, see ``_asking.py``.

Left out: words of several pieces at one [MASK], and pairs of texts.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets as t

from bertviz_lite import plots
from bertviz_lite.basics.text import clip, readable
from bertviz_lite.plots import lettering
from bertviz_lite.views.base.asking import (
    AskingView,
    Text,
    check_no_unknown,
    check_room,
    check_text,
    pack_found,
)
from bertviz_lite.views.base.view import Choice, Index, Static, Table, ViewError, read_module, read_style

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    Floats = npt.NDArray[np.float64]

__all__ = ["FillIn"]

_MOST_WORDS, _MOST_FOLLOWED = 20, 6
_IN_PICTURE = 7


class _Count(t.TraitType[Any, Any]):
    """A trait for how many words are shown."""

    default_value = 8

    def validate(self, obj: object, value: object) -> int:  # noqa: ARG002
        wrong = ViewError(f"{self.name}={value!r}: a whole number from 1 to {_MOST_WORDS} is needed.")
        try:
            count = operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            raise wrong from None
        if isinstance(value, bool) or not 1 <= count <= _MOST_WORDS:
            raise wrong
        return count


class _Followed(t.TraitType[Any, Any]):
    """A trait for some words of one piece each, as the vocabulary writes them."""

    default_value = ()

    def validate(self, obj: FillIn, value: object) -> tuple[str, ...]:
        words = (value,) if isinstance(value, str) else value
        if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
            raise ViewError(f"{self.name}={value!r}: a list of words is needed, such as ['key'].")
        pieces = tuple(dict.fromkeys(_piece(obj._tokenizer, word) for word in words))
        if len(pieces) > _MOST_FOLLOWED:
            raise ViewError(f"{self.name}: {len(pieces)} words, at most {_MOST_FOLLOWED} are followed.")
        return pieces


def _piece(tokenizer: PreTrainedTokenizerBase, word: str) -> str:
    """Return the one piece of the vocabulary that is `word`, or raise :class:`ViewError` in one line."""
    if word in tokenizer.get_vocab():
        return word
    pieces = tokenizer.tokenize(word[:100])
    name = clip(word.strip(), 30)
    if not pieces:
        raise ViewError("follow: type a word.")
    if tokenizer.unk_token in pieces:
        raise ViewError(f"follow: “{name}” cannot be spelled with this vocabulary.")
    if len(pieces) > 1:
        cut = clip(" + ".join(pieces), 60)
        raise ViewError(
            f"follow: “{name}” is {len(pieces)} pieces ({cut}), and a [MASK] holds one: take one piece."
        )
    return str(pieces[0])


class FillIn(AskingView):
    """An interactive cloze test: what a BERT puts for each [MASK] of a sentence, at every layer.

    Parameters
    ----------
    model
        A BERT with an LM head: `BertForPreTraining` or `BertForMaskedLM`. It is left as it was.
    tokenizer
        The fast tokenizer that belongs to it.
    text
        A sentence with one or several [MASK]; the first of `examples` if None.
    examples
        Sentences to choose from. A saved page holds the numbers of all of them.
    mask
        Which [MASK] is looked at, from 0.
    layer
        After how many layers the words are read: 0 for the embeddings, 1 after the layer that the model
        numbers 0, and so on; after all of them if None.
    k
        How many of the leading words are shown, from 1 to 20.
    follow
        Words to show besides, wherever they stand. Each must be one piece of the vocabulary.
    word
        The word that is picked out, or None.
    scale
        What the lines show: "probability" or "rank".

    Raises
    ------
    TypeError
        If `model` has no LM head of BERT.
    ViewError
        If a text is empty, too long, without [MASK] or not spelled by the vocabulary, if a word to follow is
        several pieces, or if another value means nothing here; the state stays as it was.

    Examples
    --------
    >>> view = FillIn(model, tokenizer, "Anna lost her [MASK] .", follow=["key"])  # doctest: +SKIP
    >>> view.text = "Anna found [MASK] key in the [MASK] ."  # doctest: +SKIP
    >>> view.save("fill_in.html")  # doctest: +SKIP
    """

    _esm = read_module("fill_in")
    _css = read_style("fill_in")
    title: ClassVar[str] = "What stands behind the mask"
    state: ClassVar[tuple[str, ...]] = ("text", "mask", "layer", "k", "follow", "word", "scale")
    asks: ClassVar[tuple[str, ...]] = ("text", "follow", "k")

    text = Text().tag(sync=True)
    follow = _Followed().tag(sync=True)
    k = _Count().tag(sync=True)
    mask = Index("_num_masks", "masks").tag(sync=True)
    layer = Index("_num_readings", "layers, the embeddings included").tag(sync=True)
    word = t.Unicode(None, allow_none=True).tag(sync=True)
    scale = Choice(("probability", "rank"), "probability").tag(sync=True)

    _examples = t.List(t.Unicode()).tag(sync=True)
    _mask_token = t.Unicode().tag(sync=True)

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        text: str | None = None,
        *,
        examples: Sequence[str] = (),
        follow: Sequence[str] = (),
        k: int = 8,
        mask: int = 0,
        layer: int | None = None,
        word: str | None = None,
        scale: str = "probability",
    ) -> None:
        if not hasattr(model, "config"):
            raise TypeError(f"model is a {type(model).__name__}: give a BertForPreTraining, as load() does.")
        self._model, self._tokenizer = model, tokenizer
        if isinstance(examples, str):
            raise TypeError(f"examples={clip(examples, 40)!r}: a list of sentences is needed.")
        given = [check_text("an example", example) for example in examples]
        if text is None:
            text = given[0] if given else f"Anna lost her {tokenizer.mask_token} ."
        self._num_readings = int(model.config.num_hidden_layers) + 1
        for example in given:
            self._encode(example)
        super().__init__(
            text=text,
            follow=follow,
            k=k,
            _examples=given,
            _mask_token=str(tokenizer.mask_token),
        )
        later = {
            "mask": mask,
            "layer": self._num_readings - 1 if layer is None else layer,
            "word": word,
            "scale": scale,
        }
        try:
            for name, value in later.items():
                setattr(self, name, value)
        except t.TraitError:
            self.close()
            raise

    def _summary(self) -> str:
        return f"{type(self._model).__name__}, {self._num_readings - 1} layers"

    # -------------------------------------------------------------------------------- what is computed

    @t.validate("text", "follow", "k")
    def _check(self, proposal: Any) -> Any:  # noqa: ANN401
        return self._compute_first(proposal)

    @t.validate("word")
    def _check_word(self, proposal: Any) -> Any:  # noqa: ANN401
        word = proposal["value"]
        if word is not None and word not in self._words():
            raise ViewError(f"word={word!r} leads at no layer: follow it with follow=[{word!r}].")
        return word

    def _encode(self, text: str) -> Any:  # noqa: ANN401 - BatchEncoding
        """Return the text as tensors, once it is known to be what can be asked."""
        tokenizer = self._tokenizer
        check_text("text", text)
        encoded = tokenizer(text, return_tensors="pt", verbose=False)
        count = encoded["input_ids"].shape[1]
        check_room(self._model, count, "text")
        check_no_unknown(tokenizer, text)
        if tokenizer.mask_token_id not in encoded["input_ids"]:
            raise ViewError(
                f"text has no {tokenizer.mask_token}: click a word to hide it, or write "
                f"{tokenizer.mask_token} where the model is to guess."
            )
        return encoded

    def _compute(self, asked: Mapping[str, Any]) -> bytes:
        from bertviz_lite.evaluation.lens import lens

        text, follow, k = asked["text"], asked["follow"], asked["k"]
        encoded = self._encode(text)
        positions = (encoded["input_ids"][0] == self._tokenizer.mask_token_id).nonzero()[:, 0].tolist()
        logits = lens(self._model, encoded["input_ids"])[:, positions].double().cpu()
        followed = [int(self._tokenizer.get_vocab()[piece]) for piece in follow]
        masks, numbers = [], []
        for number, position in enumerate(positions):
            ids, shares, ranks = _leading(logits[:, number].numpy(), k, followed)
            names = [readable(name) for name in self._tokenizer.convert_ids_to_tokens(ids)]
            masks.append({"position": position, "words": names})
            numbers += [shares.ravel(), ranks.ravel()]
        facts = {
            "text": text,
            "k": k,
            "follow": [readable(word) for word in follow],
            "layers": self._num_readings,
            "vocab_size": int(logits.shape[-1]),
            "masks": masks,
        }
        return pack_found(facts, np.concatenate(numbers))

    @property
    def _num_masks(self) -> int:
        return len(self.found[0]["masks"]) if self._found else 1

    def _fit(self) -> None:
        self.mask = min(self.mask, self._num_masks - 1)
        if self.word is not None and self.word not in self._words():
            self.word = None

    @t.observe("mask")
    def _fit_word(self, _: object) -> None:
        if self._found:
            self._fit()

    def _words(self) -> list[str]:
        """Return all words that the page knows at the chosen [MASK]."""
        words: list[str] = self.found[0]["masks"][self.mask]["words"]
        return words

    def table(self) -> tuple[list[str], Floats, npt.NDArray[np.int64]]:
        """Return the words at the chosen [MASK], with probabilities and ranks.

        Returns
        -------
        words : list of str
            Those among the `k` most probable ones at any layer, and those that are followed.
        probabilities : ndarray
            float64 (of float32 precision), shape (words, layers + 1).
        ranks : ndarray
            int64, the same shape: 1 is the most probable of the vocabulary.
        """
        facts, numbers = self.found
        start = sum(2 * facts["layers"] * len(mask["words"]) for mask in facts["masks"][: self.mask])
        words = self._words()
        shape = (2, len(words), facts["layers"])
        shares, ranks = numbers[start : start + int(np.prod(shape))].reshape(shape)
        return words, shares.astype(np.float64), ranks.astype(np.int64)

    def _examples_asked(self) -> list[dict[str, Any]]:
        return [{"text": text} for text in self._examples]

    # --------------------------------------------------------------------------------- without scripts

    def _shown(self) -> list[int]:
        """Return the rows of :meth:`table` that the view lists: the k best, then the followed."""
        words, shares, _ = self.table()
        best: list[int] = np.argsort(-shares[:, self.layer], kind="stable")[: self.k].tolist()
        return best + [words.index(word) for word in self.found[0]["follow"] if words.index(word) not in best]

    def _static(self) -> Static:
        import matplotlib.pyplot as plt

        from bertviz_lite.plots.course_style import style

        words, shares, ranks = self.table()
        shown = self._shown()
        names = [words[row] for row in shown]
        with style():
            figure, (left, right) = plt.subplots(1, 2, figsize=(11.0, 0.32 * max(len(shown), 9) + 1.4))
        plots.bars(
            100 * shares[shown, self.layer], names, label=f"probability after {self._place()}, %", ax=left
        )
        lines = shown[:_IN_PICTURE]
        is_rank = self.scale == "rank"
        plots.draw_lines(
            right,
            range(shares.shape[1]),
            ranks[lines] if is_rank else 100 * shares[lines],
            [words[row] for row in lines],
        )
        unit = "rank in the vocabulary" if is_rank else "probability, %"
        lettering.describe_axes(right, "layers before the reading (0: the embeddings)", unit)
        lettering.legend(right)
        right.set_xticks(range(shares.shape[1]))
        if is_rank:
            right.set_yscale("log")
            right.invert_yaxis()
        at = f"mask {self.mask + 1} of {self._num_masks}" if self._num_masks > 1 else self._mask_token
        best = ", ".join(f"{words[row]} {_percent(shares[row, self.layer])}" for row in shown[:5])
        path = ", ".join(f"{rank:,}" for rank in ranks[shown[0]])
        alt = (
            f"Left, bars: the words that BERT puts for {at} in “{readable(clip(self.text, 200))}”, "
            f"read after {self._place()}: {best}. Right, lines: their {self.scale} after every layer; "
            f"{names[0]} has rank {path} from the embeddings to the last layer."
        )
        return Static(figure, alt, tables=(self._layer_table(shown), *self._other_masks()))

    def _place(self) -> str:
        """Say after how many layers the words are read: the model's own names of its layers begin at 0."""
        if self.layer == 0:
            return "0 layers, the embeddings"
        return f"{self.layer} of {self._num_readings - 1} layers"

    def _layer_table(self, shown: Sequence[int]) -> Table:
        words, shares, ranks = self.table()
        rows = [
            [
                words[row],
                *(f"{_percent(p)} ({rank:,})" for p, rank in zip(shares[row], ranks[row], strict=True)),
            ]
            for row in shown
        ]
        passed = (f"{i} layer{'s' * (i > 1)}" for i in range(1, shares.shape[1]))
        columns = ("word", "embeddings", *passed)
        return Table("Probability (and rank) after every layer", columns, rows)

    def _other_masks(self) -> list[Table]:
        if self._num_masks == 1:
            return []
        facts, numbers = self.found
        rows, start = [], 0
        for number, mask in enumerate(facts["masks"]):
            size = facts["layers"] * len(mask["words"])
            last = numbers[start : start + size].reshape(-1, facts["layers"])[:, -1]
            start += 2 * size
            best = np.argsort(-last, kind="stable")[:3]
            rows.append([str(number + 1), *(f"{mask['words'][i]} {_percent(last[i])}" for i in best)])
        columns = ("mask", "first", "second", "third")[: len(rows[0])]
        return [Table("Every mask of the sentence, after the last layer", columns, rows)]


def _leading(logits: Floats, k: int, followed: Sequence[int]) -> tuple[list[int], Floats, Floats]:
    """Choose the words that lead at any layer, and say how they stand at all of them.

    Parameters
    ----------
    logits
        Shape (layers + 1, vocab_size), of one position.
    k
        How many of each layer.
    followed
        Ids to take besides.

    Returns
    -------
    tuple
        Ids, those of the last layer first; probabilities and ranks, each (ids, layers + 1).
    """
    order = np.argsort(-logits, axis=1, kind="stable")
    ids = list(dict.fromkeys([*order[-1, :k].tolist(), *followed, *order[:-1, :k].ravel().tolist()]))
    ranks = 1 + np.argsort(order, axis=1, kind="stable")[:, ids]
    exact = np.exp(logits - logits.max(1, keepdims=True))
    shares = (exact / exact.sum(1, keepdims=True))[:, ids]
    return ids, shares.T, ranks.T.astype(np.float64)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
