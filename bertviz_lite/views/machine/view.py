"""The machine: one page on which a text goes through the whole BERT, and the map of the course.

The page gets all vectors outside the layers with the text (``_found``), and those inside a layer when it is
looked at (block "layer/0"). What is typed is computed by Python, see ``base/asking.py``, or in a page
without Python by ``js/answers.js``.

Left out: heads that are switched off (the Explorer does that), other heads than BERT's own two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import traitlets as t

from bertviz_lite.views.base.asking import AskingView, Text
from bertviz_lite.views.base.errors import ViewError, ViewTypeError
from bertviz_lite.views.base.sources import read_module, read_style
from bertviz_lite.views.base.static import Static
from bertviz_lite.views.base.traits import Index
from bertviz_lite.views.engine.choose import engine_for
from bertviz_lite.views.engine.packed.in_page import page_model
from bertviz_lite.views.machine import picture, readings
from bertviz_lite.views.machine.boxes import BOXES, PLACES, as_facts, opened_by
from bertviz_lite.views.machine.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    import numpy.typing as npt
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from bertviz_lite.views.base.page_model import PageModel
    from bertviz_lite.views.engine.interface import Engine

__all__ = ["Machine"]

_MOST_SAVED = 40_000_000


class _SecondText(Text):
    """A trait for a text that may be missing: None and the empty text are the same."""

    def validate(self, obj: Any, value: object) -> str:  # noqa: ANN401
        """Return `value` with its masks spelled out, or raise :class:`ViewError` in one line."""
        return "" if value is None or value == "" else super().validate(obj, value)


class _Place(t.TraitType[Any, Any]):
    """A trait for a place on the map, or None."""

    def __init__(self, places: tuple[str, ...]) -> None:
        super().__init__(default_value=None, allow_none=True)
        self.places = places

    def validate(self, obj: Any, value: object) -> str:  # noqa: ANN401, ARG002
        """Return `value`, or raise :class:`ViewError` in one line."""
        if not isinstance(value, str) or value not in self.places:
            raise ViewError(f"{self.name}={value!r:.60}: one of {', '.join(self.places)} is needed, or None.")
        return value


class Machine(AskingView):
    """A text on its way through a whole BERT, box by box: each with its vectors, its shape and its chapter.

    Parameters
    ----------
    model
        A BERT of ``transformers``, with or without its heads; it is left as it was. Or an engine
        (``views/engine``), which has its own tokenizer.
    tokenizer
        The tokenizer that belongs to the model.
    text
        What goes through it.
    text_pair
        A second text, for the segments and the NSP head; None for none.
    here
        Where the reader is: a box, or a group of them: "tokens", "embeddings", "attention",
        "feed_forward", "lm_head", "pooler", "nsp_head". It is marked on the map, and opened.
    **state
        Any of the following.
    box
        The box that is open, by its name on the map as "query" or "weights"; None for an overview.
    layer, head
        Which layer's inside is shown, and which of its heads, from 0.
    token
        The token whose path is lit, from 0; None for all of them.

    Raises
    ------
    TypeError
        If `model` is no BERT, or a name is none of the above.
    ViewError
        If a text is empty or too long, or another value means nothing here; the state stays as it was.

    Examples
    --------
    >>> from bertviz_lite import Machine, load
    >>> tokenizer, model = load("pocket")
    >>> view = Machine(model, tokenizer, "Anna lost her [MASK].", here="attention")
    >>> view.box
    'weights'
    >>> view.read("query").shape
    (7, 192)
    >>> view.save("machine.html")  # doctest: +SKIP
    """

    _esm = read_module("machine")
    _css = read_style("machine")
    title: ClassVar[str] = "A text goes through BERT"
    about: ClassVar[str] = (
        "A text on its way through a whole BERT: "
        "choose a box to see its numbers, or a token to follow it through"
    )
    state: ClassVar[tuple[str, ...]] = ("text", "text_pair", "here", "box", "layer", "head", "token")
    asks: ClassVar[tuple[str, ...]] = ("text", "text_pair")

    text = Text().tag(sync=True)
    text_pair = _SecondText().tag(sync=True)
    here = _Place(PLACES).tag(sync=True)
    box = _Place(tuple(box.id for box in BOXES)).tag(sync=True)
    layer = Index("_num_layers", "layers").tag(sync=True)
    head = Index("_num_heads", "heads").tag(sync=True)
    token = Index("_num_tokens", "tokens", default=None, allow_none=True).tag(sync=True)

    _map = t.Dict().tag(sync=True)
    _model = t.Dict().tag(sync=True)
    _mask_token = t.Unicode().tag(sync=True)

    def __init__(
        self,
        model: PreTrainedModel | Engine,
        tokenizer: PreTrainedTokenizerBase | None = None,
        text: str = "Anna is hungry, so [MASK] eats an apple.",
        text_pair: str | None = None,
        *,
        here: str | None = None,
        **state: Any,  # noqa: ANN401
    ) -> None:
        unknown = sorted(set(state) - set(self.state))
        if unknown:
            raise ViewTypeError(f"{unknown[0]}={state[unknown[0]]!r}: Machine knows {', '.join(self.state)}.")
        self.engine = engine_for(model, tokenizer)
        facts = self.engine.facts
        self._layer_read: tuple[tuple[str, str, int], bytes] | None = None
        self._tokens_before: list[str] = []
        super().__init__(
            text=text,
            text_pair=text_pair or "",
            _map=as_facts(),
            _model={"name": facts.model_name, "layers": facts.num_layers, "positions": facts.positions},
            _mask_token=str(facts.mask_token),
        )
        if here is not None and "box" not in state and isinstance(here, str):
            state["box"] = opened_by(here)
        self.here = here
        for name in (name for name in self.state if name in state):
            setattr(self, name, state[name])

    def _page_model(self) -> PageModel | None:
        return page_model(self.engine)

    def _summary(self) -> str:
        return f"{self.engine.facts.model_name}, {self._num_layers} layers"

    # -------------------------------------------------------------------------------- what is computed

    @t.validate("text", "text_pair")
    def _check(self, proposal: Any) -> Any:  # noqa: ANN401
        return self._compute_first(proposal)

    def _compute(self, asked: Mapping[str, Any]) -> bytes:
        return readings.read(self.engine, asked["text"], asked["text_pair"])

    def _compute_layer(self, layer: int) -> bytes:
        key = (self.text, self.text_pair, layer)
        if self._layer_read is None or self._layer_read[0] != key:
            self._layer_read = (key, readings.read_layer(self.engine, *key))
        return self._layer_read[1]

    @property
    def _num_layers(self) -> int:
        return self.engine.facts.num_layers

    @property
    def _num_heads(self) -> int:
        return int(self.found[0]["sizes"]["num_heads"]) if self._found else 1

    @property
    def _num_tokens(self) -> int:
        return int(self.found[0]["sizes"]["seq_len"]) if self._found else 1

    def _fit(self) -> None:
        """Let go of a token that is another one in the text that was read now; one that was hidden is not."""
        tokens, before = self.found[0]["tokens"], self._tokens_before
        self._tokens_before = tokens
        if self.token is None or not before:
            return
        both = {before[self.token], tokens[self.token] if self.token < len(tokens) else None}
        if len(both) > 1 and (self._mask_token not in both or None in both):
            self.token = None

    def read(self, box: str) -> npt.NDArray[np.float32]:
        """Return the numbers in a box, of the layer that is shown.

        Parameters
        ----------
        box
            A box of the map that holds vectors, by its name there: "word", "query", "weights", "output", …

        Returns
        -------
        ndarray
            float32, of the shape that the map names.

        Raises
        ------
        ViewError
            If there is no such box, or it holds no vectors in this model.
        """
        arrays = self._arrays()
        if box not in arrays:
            raise ViewError(f"box={box!r:.60}: one of {', '.join(arrays)} is needed.")
        return arrays[box]

    def _arrays(self) -> dict[str, npt.NDArray[np.float32]]:
        """Return what can be drawn, by box, in the order of the map."""
        steps = readings.unpack(self._found)[1] | readings.unpack(self._compute_layer(self.layer))[1]
        tables = ("word_embeddings", "position_embeddings", "token_type_embeddings")
        steps["sum"] = sum((steps[name] for name in tables[1:]), steps[tables[0]])
        names = {box.id: box.step or box.id for box in BOXES}
        return {place: steps[name] for place, name in names.items() if name in steps}

    # --------------------------------------------------------------------------------------- for the page

    def _block(self, name: str) -> bytes:
        kind, _, number = name.partition("/")
        if kind != "layer" or not number.isdecimal() or int(number) >= self._num_layers:
            return super()._block(name)
        return self._compute_layer(int(number))

    def _saved_blocks(self) -> Iterable[str]:
        """Return all layers, or of a large model the one that is shown."""
        fits = self._num_layers * len(self._compute_layer(self.layer)) <= _MOST_SAVED
        return [f"layer/{number}" for number in (range(self._num_layers) if fits else [self.layer])]

    # ---------------------------------------------------------------------------------- without scripts

    def _static(self) -> Static:
        facts, outside = readings.unpack(self._found)
        shown = Shown(
            facts,
            self._arrays(),
            outside.get("best"),
            self.here,
            self.layer,
            self._num_layers,
            self.token,
            self._mask_token,
        )
        return picture.static(shown)
