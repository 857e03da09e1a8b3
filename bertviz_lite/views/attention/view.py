"""The attention explorer: all heads at a glance, one as a matrix and as ribbons, one pair of tokens as why.

A capture holds what one forward pass did; the explorer shows it, and lets it run again with tokens
replaced or heads switched off. What it looks at and what it hides are traits, so that Python, the page and a
linked view read and set the same state.

The weights travel as 8-bit square-root codes, layer by layer as they are looked at; exact rows, queries and
keys are fetched when they are asked for. ``passes/weights.py`` has the arithmetic, ``picture.py`` what is
seen without scripts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import traitlets as t

from bertviz_lite.basics.text import readable
from bertviz_lite.views.attention import picture as pictures
from bertviz_lite.views.attention.look import State
from bertviz_lite.views.attention.passes.running import RunningView
from bertviz_lite.views.attention.passes.side import Side, is_self
from bertviz_lite.views.attention.passes.source import rounding, second_pass, source_of
from bertviz_lite.views.attention.passes.traits import HeadNumbers
from bertviz_lite.views.base.errors import ViewError, ViewTypeError, checked_flag
from bertviz_lite.views.base.sources import read_module, read_style
from bertviz_lite.views.base.static import Static
from bertviz_lite.views.base.traits import Choice, Flag, Index, Share
from bertviz_lite.views.engine.packed.in_page import page_model

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from matplotlib.figure import Figure

    from bertviz_lite.capture import Capture, Maps
    from bertviz_lite.views.base.page_model import PageModel
    from bertviz_lite.views.engine.interface import Engine

__all__ = ["Explorer"]

AGGREGATES = ("none", "mean heads", "max heads", "mean all", "max all", "rollout")
DIRECTIONS = ("all", "A→A", "A→B", "B→A", "B→B")
_RUNS = ("edits", "heads_off")
_SHOWN = {"first": (0,), "second": (1,), "both": (0, 1), "difference": (0, 1)}

_WHY_BYTES = 2_000_000
"""A saved page holds the queries and keys of every head if they are fewer bytes than this."""


def _count(shape: tuple[int, ...]) -> str:
    queries, keys = shape
    return f"{queries} tokens" if queries == keys else f"{queries} query and {keys} key tokens"


def _checked_names(names: object) -> tuple[str, str]:
    if isinstance(names, tuple | list) and all(isinstance(name, str) and name for name in names):
        called = [readable(name) for name in names]
        if len(called) == 2 and len({*called, "difference"}) == 3:
            return called[0], called[1]
    raise ViewError(f"names={names!r}: two names are needed, such as ('before', 'after').")


class Explorer(RunningView):
    """An interactive picture of the attention of a model on one text, or of two side by side.

    Parameters
    ----------
    attentions
        What :func:`bertviz_lite.capture` returns; or one array (1, num_heads, seq_len, seq_len) per layer,
        with `tokens`; or an engine (``views/engine``), with `text`.
    tokens
        The ``seq_len`` tokens of arrays; not given with a capture.
    text
        What an engine is to read: one text, or a pair of texts. The attributes ``text`` and ``text_pair``
        hold it, also that of a capture; set, they make the model read another text, and what was replaced in
        the text before is forgotten.
    other
        A second capture to compare with: another text, or another model on the same text.
    names
        What the two sides are called where they are compared.
    kind
        Which attention: "self", or "encoder", "decoder" and "cross".
    layer, head
        The map that is shown, numbered from 0.
    heads
        Heads drawn together as ribbons; none means only `head`.
    aggregate
        "none", or the "mean heads" or "max heads" of the layer, "mean all" or "max all" of all layers, or
        "rollout" up to the layer.
    query, key
        The position of a token that is picked out, or None.
    direction
        "all", or only from one segment to another: "A→A", "A→B", "B→A", "B→B".
    hide_special
        True hides special tokens; the view says which share of the weights is hidden.
    renormalise
        True draws what is left of a row as shares of what is left.
    threshold
        Weights below it are not drawn.
    mass
        Of each query only the largest weights are drawn that together hold this share.
    words
        True merges tokens to words: weights summed over the tokens of a key, averaged over those of a query.
    side
        "first", "second", "both" or "difference" (second minus first), where there is a second side.
    edits
        Tokens to replace, by position, such as ``{4: "[MASK]"}``: the model runs again, and the result is
        the second side.
    heads_off
        Heads that contribute nothing, such as ``[(0, 3)]``: the model runs again.

    Raises
    ------
    CaptureError
        If arrays and tokens do not fit, or hold what is no attention.
    ViewError
        If a value means nothing here, or a run is refused; the state stays as it was.

    Examples
    --------
    >>> view = Explorer(capture(model, tokenizer, "Ada finds a key."))  # doctest: +SKIP
    >>> view.layer, view.head = 2, 1  # doctest: +SKIP
    >>> view.edits = {4: "[MASK]"}  # doctest: +SKIP
    >>> view.text = "Ada finds a lock."  # doctest: +SKIP
    >>> view.save("attention.html")  # doctest: +SKIP
    """

    _esm = read_module("attention")
    _css = read_style("attention")
    title: ClassVar[str] = "What attends to what"
    about: ClassVar[str] = (
        "The attention weights of every head: "
        "choose a small picture, then a token to see which tokens it reads"
    )
    state: ClassVar[tuple[str, ...]] = (
        *("kind", "side", "layer", "head", "heads", "aggregate", "query", "key", "direction", "hide_special"),
        *("renormalise", "threshold", "mass", "words", "edits", "heads_off"),
    )

    kind = Choice("_kinds", "self").tag(sync=True)
    side = Choice("_side_names", "first").tag(sync=True)
    layer = Index("_num_layers", "layers").tag(sync=True)
    head = Index("_num_heads", "heads").tag(sync=True)
    heads = HeadNumbers().tag(sync=True)
    aggregate = Choice(AGGREGATES, "none").tag(sync=True)
    query = Index("_query_len", "query tokens", default=None, allow_none=True).tag(sync=True)
    key = Index("_key_len", "key tokens", default=None, allow_none=True).tag(sync=True)
    direction = Choice(DIRECTIONS, "all").tag(sync=True)
    hide_special = Flag().tag(sync=True)
    renormalise = Flag().tag(sync=True)
    threshold = Share(0.0).tag(sync=True)
    mass = Share(1.0, positive=True).tag(sync=True)
    words = Flag().tag(sync=True)

    def __init__(
        self,
        attentions: Capture | Sequence[Any] | Engine,
        tokens: Sequence[str] | None = None,
        *more: object,
        text: str | tuple[str, str] | None = None,
        other: Capture | None = None,
        names: tuple[str, str] = ("first", "second"),
        **state: Any,  # noqa: ANN401
    ) -> None:
        unknown = sorted(set(state) - set(self.state))
        if unknown:
            raise ViewTypeError(
                f"{unknown[0]}={state[unknown[0]]!r}: Explorer knows {', '.join(self.state)}."
            )
        names = _checked_names(names)
        source = source_of(attentions, tokens, text, more)
        first = Side(names[0] if other is not None else "before", source.first)
        compared = None if other is None else Side(names[1], second_pass(source.first, other))
        self.other = other
        self._wants_why: bool | None = None
        super().__init__(source, first, compared)
        # What runs the model is set first: it makes the second side, of which the rest may speak.
        for name in (*_RUNS, *(name for name in self.state if name not in _RUNS)):
            if name in state:
                setattr(self, name, state[name])

    def _summary(self) -> str:
        maps = self._first_maps
        parts = [
            readable(self.capture.model_name),
            f"{len(maps.query_tokens.tokens)} tokens",
            f"{len(maps.attentions)} layers of {len(maps.attentions[0])} heads",
        ]
        return ", ".join(filter(None, parts))

    def __repr__(self) -> str:
        # Of so many traits only those that were set: a reader sees what is special about this view.
        usual = {"kind": self._kinds[0], "side": "both" if self._second else "first"}
        values = {name: getattr(self, name) for name in self.state}
        shown = [
            f"{name}={value!r}"
            for name, value in values.items()
            if name in ("layer", "head") or value != usual.get(name, self.traits()[name].default(self))
        ]
        return f"{type(self).__name__}({', '.join([self._summary(), *shown])})"

    def _first_traits(self) -> dict[str, Any]:
        return {"kind": self._kinds[0], "side": "both" if self._second else "first"}

    def _page_model(self) -> PageModel | None:
        source = self._source
        fits = self._can_ask and source.engine is not None and source.input_ids is not None
        return page_model(source.engine) if fits and source.engine else None

    def _rounding(self) -> str:
        return rounding(side.capture for side in self._sides)

    # ------------------------------------------------------------------------------ what can be chosen

    @property
    def _first_maps(self) -> Maps:
        """The first kind of the first side: what edits and heads_off speak of."""
        return next(iter(self.capture.kinds.values()))

    @property
    def _sides(self) -> tuple[Side, ...]:
        return (self._first,) if self._second is None else (self._first, self._second)

    @property
    def _kinds(self) -> tuple[str, ...]:
        return tuple(
            kind for kind in self.capture.kinds if all(kind in side.capture.kinds for side in self._sides)
        )

    @property
    def _side_names(self) -> tuple[str, ...]:
        return ("first",) if self._second is None else tuple(_SHOWN)

    def _sides_shown(self) -> tuple[Side, ...]:
        sides = self._sides
        return tuple(sides[index] for index in _SHOWN[self.side] if index < len(sides))

    def _maps_shown(self) -> list[Maps]:
        return [side.capture.kinds[self.kind] for side in self._sides_shown()]

    @property
    def _num_layers(self) -> int:
        """Layers that every shown side has."""
        return min(len(maps.attentions) for maps in self._maps_shown())

    @property
    def _num_heads(self) -> int:
        return min(len(maps.attentions[0]) for maps in self._maps_shown())

    @property
    def _query_len(self) -> int:
        """Query tokens of the longest shown side."""
        return max(len(maps.query_tokens.tokens) for maps in self._maps_shown())

    @property
    def _key_len(self) -> int:
        return max(len(maps.key_tokens.tokens) for maps in self._maps_shown())

    def _why_not(self, name: str, value: object) -> str:
        """Return why a value, though well formed, means nothing for these tokens; empty if it does."""
        if name == "side" and value == "difference":
            first, second = (side.capture.kinds[self.kind].attentions[0].shape[1:] for side in self._sides)
            if first != second:
                return (
                    f"the first side has {_count(first)} and the second {_count(second)}, so their weights "
                    "have no partners: use 'both'."
                )
        if name == "aggregate" and value == "rollout" and not all(map(is_self, self._maps_shown())):
            return f"queries and keys of {self.kind!r} are not the same tokens, so layers cannot be chained."
        if name == "direction" and value != "all":
            for at, segment in zip(("query_tokens", "key_tokens"), str(value).split("→"), strict=True):
                if not all(
                    (getattr(maps, at).segments == "AB".index(segment)).any() for maps in self._maps_shown()
                ):
                    return f"there is no token of segment {segment} among the {at.replace('_', ' ')}."
        return ""

    @t.validate("side", "aggregate", "direction")
    def _check_meaning(self, proposal: Any) -> Any:  # noqa: ANN401
        name, value = proposal["trait"].name, proposal["value"]
        why_not = self._why_not(name, value)
        if why_not:
            raise ViewError(f"{name}={value!r}: {why_not}")
        return value

    @t.observe("kind", "side")
    def _fit(self, _: object = None) -> None:
        """Move what the shown sides do not have to the nearest that they have."""
        if self.kind not in self._kinds:
            self.kind = self._kinds[0]
        if self._why_not("side", self.side):
            self.side = "both"
        self.layer = min(self.layer, self._num_layers - 1)
        self.head = min(self.head, self._num_heads - 1)
        self.heads = [head for head in self.heads if head < self._num_heads]
        if self.query is not None and self.query >= self._query_len:
            self.query = None
        if self.key is not None and self.key >= self._key_len:
            self.key = None
        for name, least in (("aggregate", "none"), ("direction", "all")):
            if self._why_not(name, getattr(self, name)):
                setattr(self, name, least)

    # ------------------------------------------------------------------------------------ for the page

    def _describe(self, *, live: bool, why: bool = True) -> dict[str, Any]:
        """Return what `_meta` holds; `why` False says that queries and keys are not there."""
        sides = [side.meta() for side in self._sides]
        for side in sides:
            for kind in side["kinds"].values():
                kind["why"] = kind["why"] and why
        return {
            "error": max(side.error for side in self._sides),
            "live": live,
            "has_model": self._source.can_run,
            "can_run": live and self._source.can_run,
            "can_ask": live and self._can_ask,
            "mask_token": self._source.mask_token,
            "predicts": self._predicts,
            "texts": list(self._source.texts),
            "input_ids": None if self._compared else self._source.input_ids,
            "sides": sides,
        }

    def _block(self, name: str) -> bytes:
        number, _, rest = name.partition("/")
        kind, *parts = rest.split("/")
        try:
            block = self._sides[("0", "1").index(number)].block(kind, parts)
        except (IndexError, KeyError, ValueError):
            block = None
        return super()._block(name) if block is None else block

    @property
    def _saves_why(self) -> bool:
        """Whether a page holds queries and keys: as :meth:`save` was told, else if they are few."""
        if self._wants_why is not None:
            return self._wants_why
        return sum(side.why_bytes() for side in self._sides) < _WHY_BYTES

    def _saved_blocks(self) -> Iterator[str]:
        for number, side in enumerate(self._sides):
            yield from side.saved_blocks(str(number), why=self._saves_why)

    def _saved_state(self) -> dict[str, Any]:
        meta = self._describe(live=False, why=self._saves_why)
        return {**super()._saved_state(), "_meta": meta, "_busy": False, "_problem": self._notice}

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        title: str | None = None,
        live: bool | None = None,
        why: bool | None = None,
    ) -> None:
        """Write the view as one HTML file that needs no kernel, no network and no other file.

        Parameters
        ----------
        path
            The file to write; its folder must exist.
        title
            Heading of the page; the view's own if None.
        live
            Whether the model is put into the page, as :meth:`View.save` does.
        why
            Whether the page holds the queries and keys of every head, so that it can show where a weight
            comes from. None: if they are fewer than two megabytes.

        Raises
        ------
        FileNotFoundError
            If the folder does not exist.
        """
        checked_flag("why", why)
        self._wants_why = why
        try:
            super().save(path, title=title, live=live)
        finally:
            self._wants_why = None

    # --------------------------------------------------------------------------------- without scripts

    def _state(self) -> State:
        """Return what the picture is drawn from."""
        names = (name for name in self.state if name not in _RUNS)
        return State(
            sides=self._sides,
            sides_shown=self._sides_shown(),
            predictions=self._predictions,
            **{name: getattr(self, name) for name in names},
        )

    def _static(self) -> Static:
        return pictures.static(self._state())

    def fallback(self) -> str:
        """Return the script-free layer as HTML: ``<figure>`` with alt text, and tables in ``<details>``."""
        try:
            return super().fallback()
        except ValueError:  # weights like noise can take more than a notebook has room for
            return pictures.quick_picture(self._state(), pictures.LEAST)

    def _page_fallback(self) -> str:
        return pictures.quick_picture(self._state())

    def figure(self, layer: int | None = None, head: int | None = None) -> Figure:
        """Return one map as a matplotlib figure: the matrix beside its ribbons, as the state filters them.

        Parameters
        ----------
        layer, head
            Which map; the ones that are shown if None. With `aggregate`, `head` does not matter.

        Returns
        -------
        Figure
            Save it as PNG or SVG with ``figure.savefig("attention.svg")``. Of more than 256 tokens, a cell
            stands for the largest weight of a block.

        Raises
        ------
        ViewError
            If there is no such layer or head.
        """
        given = {"layer": layer, "head": head}
        numbers = {
            name: getattr(self, name) if number is None else self.traits()[name].validate(self, number)
            for name, number in given.items()
        }
        return pictures.figure(self._state(), **numbers)
