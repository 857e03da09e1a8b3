"""The fill-in view: a sentence with [MASK], the words that BERT puts there, and how they rise layer by layer.

The language-model head reads the vectors after the embeddings and after every layer. Of each [MASK] the page
gets the words that lead at any layer, with their probability and rank at all of them, so that nothing is
computed when a layer, a word or another [MASK] is chosen. What is typed is computed by Python, see
``base/asking.py``.

Left out: words of several tokens at one [MASK], and pairs of texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

import traitlets as t

from bertviz_lite.basics.text import clip
from bertviz_lite.capture.errors import kind_of
from bertviz_lite.views.base.asking import AskingView, Text, check_text, spell_masks
from bertviz_lite.views.base.errors import ViewError, ViewTypeError
from bertviz_lite.views.base.sources import read_module, read_style
from bertviz_lite.views.base.static import Static
from bertviz_lite.views.base.traits import Choice, Index
from bertviz_lite.views.engine.choose import engine_for
from bertviz_lite.views.engine.packed.in_page import page_model
from bertviz_lite.views.fill_in import picture, readings
from bertviz_lite.views.fill_in.followed import Count, Followed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from bertviz_lite.views.base.page_model import PageModel
    from bertviz_lite.views.engine.interface import Engine

__all__ = ["FillIn"]


class FillIn(AskingView):
    """An interactive cloze test: what a BERT puts for each [MASK] of a sentence, at every layer.

    Parameters
    ----------
    model
        A BERT with an LM head: `BertForPreTraining` or `BertForMaskedLM`; it is left as it was. Or an
        engine (``views/engine``), which has its own tokenizer.
    tokenizer
        The tokenizer that belongs to the model.
    text
        A sentence with one or several [MASK]; the first of `examples` if None.
    examples
        Sentences to choose from. A saved page holds the numbers of all of them.
    heading
        What stands above the words, such as which model is asked; "What BERT puts for [MASK]" if empty.
    lines
        Whether lines show how the words rise from layer to layer, with ranks and a choice of the layer. False
        leaves the words and their bars.
    **state
        Any of the following.
    mask
        Which [MASK] is looked at, from 0.
    layer
        After how many layers the words are read, as `hidden_states` counts: 0 for the embeddings, 1 after the
        layer that the model (and the view) numbers 0, and so on; after all of them if None.
    k
        How many of the leading words are shown, from 1 to 20.
    follow
        Words to show besides, whatever their rank. Each must be one token of the vocabulary.
    word
        The word that is picked out, or None.
    scale
        What the lines show: "probability" or "rank".

    Raises
    ------
    TypeError
        If `model` has no LM head of BERT, `heading` is no string, or a name is none of the above.
    ViewError
        If a text is empty, too long, without [MASK] or not spelled by the vocabulary, if a word to follow is
        several tokens, or if another value means nothing here; the state stays as it was.

    Examples
    --------
    >>> view = FillIn(model, tokenizer, "Anna lost her [MASK] .", follow=["key"])  # doctest: +SKIP
    >>> view.text = "Anna found [MASK] key in the [MASK] ."  # doctest: +SKIP
    >>> view.save("fill_in.html")  # doctest: +SKIP
    """

    _esm = read_module("fill_in")
    _css = read_style("fill_in")
    title: ClassVar[str] = "What stands behind the mask"
    about: ClassVar[str] = (
        "What BERT expects in place of a hidden word, layer by layer: "
        "choose a word of the list and follow its line"
    )
    state: ClassVar[tuple[str, ...]] = ("text", "mask", "layer", "k", "follow", "word", "scale")
    asks: ClassVar[tuple[str, ...]] = ("text", "follow", "k")

    text = Text().tag(sync=True)
    follow = Followed().tag(sync=True)
    k = Count().tag(sync=True)
    mask = Index("_num_masks", "masks").tag(sync=True)
    layer = Index("_num_readings", "layers, the embeddings included").tag(sync=True)
    word = t.TraitType[Any, Any](None, allow_none=True).tag(sync=True)
    scale = Choice(("probability", "rank"), "probability").tag(sync=True)

    _examples = t.List(t.Unicode()).tag(sync=True)
    _mask_token = t.Unicode().tag(sync=True)
    _heading = t.Unicode().tag(sync=True)
    _lines = t.Bool(True).tag(sync=True)

    def __init__(
        self,
        model: PreTrainedModel | Engine,
        tokenizer: PreTrainedTokenizerBase | None = None,
        text: str | None = None,
        *,
        examples: Sequence[str] = (),
        heading: str = "",
        lines: bool = True,
        **state: Any,  # noqa: ANN401
    ) -> None:
        unknown = sorted(set(state) - set(self.state))
        if unknown:
            raise ViewTypeError(f"{unknown[0]}={state[unknown[0]]!r}: FillIn knows {', '.join(self.state)}.")
        self.engine = engine_for(model, tokenizer)
        facts = self.engine.facts
        if facts.mask_token is None:
            raise ViewTypeError(
                f"the tokenizer of {facts.model_name} has no [MASK], so there is nothing to fill in: "
                "give a BERT with its tokenizer, as load() does."
            )
        if isinstance(examples, str) or not isinstance(examples, Iterable):
            raise ViewTypeError(f"examples={clip(repr(examples), 40)}: a list of sentences is needed.")
        if not isinstance(heading, str):
            raise ViewTypeError(f"heading is {kind_of(heading)}: a string is needed.")
        given = [spell_masks(check_text("an example", example), facts.mask_token) for example in examples]
        if text is None:
            text = given[0] if given else f"Anna lost her {facts.mask_token} ."
        self._num_readings = facts.num_layers + 1
        for example in given:
            readings.encode(self.engine, example)
        first = {name: state.pop(name) for name in self.asks if name in state}
        if not isinstance(lines, bool):
            raise ViewTypeError(f"lines is {kind_of(lines)}: True or False is needed.")
        fixed = {
            "_examples": given,
            "_mask_token": facts.mask_token,
            "_heading": heading,
            "_lines": lines,
        }
        super().__init__(text=text, **fixed, **first)
        if state.get("layer") is None:
            state["layer"] = facts.num_layers
        for name in (name for name in self.state if name in state):
            setattr(self, name, state[name])

    def _page_model(self) -> PageModel | None:
        return page_model(self.engine)

    def _summary(self) -> str:
        return f"{self.engine.facts.model_name}, {self._num_readings - 1} layers"

    # -------------------------------------------------------------------------------- what is computed

    @t.validate("text", "follow", "k")
    def _check(self, proposal: Any) -> Any:  # noqa: ANN401
        return self._compute_first(proposal)

    @t.validate("word")
    def _check_word(self, proposal: Any) -> Any:  # noqa: ANN401
        word = proposal["value"]
        if word is not None and word not in self.table()[0]:
            raise ViewError(f"word={word!r} leads at no layer: follow it with follow=[{word!r}].")
        return word

    def _compute(self, asked: Mapping[str, Any]) -> bytes:
        return readings.read(self.engine, asked["text"], asked["follow"], asked["k"])

    @property
    def _num_masks(self) -> int:
        return len(self.found[0]["masks"]) if self._found else 1

    def _fit(self) -> None:
        self.mask = min(self.mask, self._num_masks - 1)
        if self.word is not None and self.word not in self.table()[0]:
            self.word = None

    @t.observe("mask")
    def _fit_word(self, _: object) -> None:
        if self._found:
            self._fit()

    def table(self) -> tuple[list[str], npt.NDArray[np.float64], npt.NDArray[np.int64]]:
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
        reading = readings.unpack(self._found)[self.mask]
        return reading.words, reading.probabilities, reading.ranks

    def _examples_asked(self) -> list[dict[str, Any]]:
        return [{"text": text} for text in self._examples]

    # --------------------------------------------------------------------------------- without scripts

    def _shown(self) -> picture.Shown:
        return picture.Shown(
            self.text,
            self._mask_token,
            readings.unpack(self._found),
            self.found[0]["follow"],
            self.mask,
            self.layer,
            self.k,
            self.scale,
            self.found[0]["vocab_size"],
            self._heading,
            self._lines,
        )

    def _static(self) -> Static:
        return picture.static(self._shown())
