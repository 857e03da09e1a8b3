"""The embedding view: pick a token, see what its input embedding is made of.

Pick a token by click, touch or arrow keys: its token, position and segment vectors lie under each other,
bar by bar, with their sum and LayerNorm's result. Pin one (Space, Shift+click or the button) and choose
another: the rows show the difference. Switch a part off: the sum and the result are computed without it.
The numbers are computed in the page, in float64, from the model's own float32 vectors. Below them stands
what is near the token, or any word that is typed, in the whole vocabulary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets as t

from bertviz_lite.evaluation.embeddings import PART_NAMES, InputParts
from bertviz_lite.views.base.asking import pack_found
from bertviz_lite.views.base.errors import ViewError, ViewTypeError, checked_flag
from bertviz_lite.views.base.saved.blocks import pack
from bertviz_lite.views.base.sources import read_module, read_style
from bertviz_lite.views.base.static import Static
from bertviz_lite.views.base.traits import Flag, Index
from bertviz_lite.views.base.view import View
from bertviz_lite.views.embedding.picture import static, static_near
from bertviz_lite.views.embedding.rows import Shown

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["EmbeddingView"]

_MOST_WORDS = 8_000
"""Entries of a vocabulary whose neighbours are all sent; of a larger one, those of the text's tokens are."""

_STEPS = 100_000
"""In how many steps from 0 to 1 cosines travel."""


class _Parts(t.TraitType[Any, Any]):
    """A selection of token, position and segment, kept in that order."""

    default_value = PART_NAMES

    def validate(self, obj: object, value: Iterable[str]) -> tuple[str, ...]:  # noqa: ARG002
        wrong = ViewError(
            f"{self.name}={value!r}: a selection of {', '.join(map(repr, PART_NAMES))} is needed."
        )
        if isinstance(value, str) or not isinstance(value, list | tuple | set | frozenset):
            raise wrong
        if any(name not in PART_NAMES for name in value):
            raise wrong
        return tuple(name for name in PART_NAMES if name in value)


class EmbeddingView(View):
    """An interactive picture of BERT's input embeddings, one token at a time.

    Parameters
    ----------
    parts
        What :func:`bertviz_lite.evaluation.embeddings.input_parts` returns.
    token
        Index of the token that is shown.
    pinned
        Index of the token that it is compared with, or None.
    parts_on
        Which of "token", "position" and "segment" are added.
    component
        Which of the ``hidden_size`` numbers is read out.
    scaled
        True shows the rows as they arrive in the result: centred, over the standard deviation, times gain.
    one_scale
        True draws the bias and the result on the scale of the rows above. They are about ten times longer,
        so by default they have a scale of their own, written beside them.
    near_only
        True shows nothing but what is near the token, or a word that is typed.

    Raises
    ------
    TypeError
        If `parts` is no InputParts.
    ViewError
        If a value means nothing here: the state stays as it was. Or if `near_only` is True, and there is no
        table of words.

    Examples
    --------
    >>> view = EmbeddingView(input_parts(model, tokenizer, "Ada finds a key."))  # doctest: +SKIP
    >>> view.token = 4  # doctest: +SKIP
    >>> view.save("embedding.html")  # doctest: +SKIP
    """

    _esm = read_module("embedding")
    _css = read_style("embedding")
    title: ClassVar[str] = "What an input embedding is made of"
    about: ClassVar[str] = (
        "An input embedding as the sum of word, position and segment: "
        "choose a token to see what each of them adds"
    )
    state: ClassVar[tuple[str, ...]] = ("token", "pinned", "parts_on", "component", "scaled", "one_scale")

    token = Index("_seq_len", "tokens").tag(sync=True)
    pinned = Index("_seq_len", "tokens", default=None, allow_none=True).tag(sync=True)
    parts_on = _Parts().tag(sync=True)
    component = Index("_hidden_size", "components").tag(sync=True)
    scaled = Flag().tag(sync=True)
    one_scale = Flag().tag(sync=True)

    _tokens = t.List(t.Unicode()).tag(sync=True)
    _ids = t.Dict().tag(sync=True)
    _hidden_size = t.Int(1).tag(sync=True)
    _eps = t.Float().tag(sync=True)
    _row_of = t.Dict().tag(sync=True)
    _token_rows = t.Bytes().tag(sync=True)
    _position_rows = t.Bytes().tag(sync=True)
    _segment_rows = t.Bytes().tag(sync=True)
    _layer_norm = t.Bytes().tag(sync=True)
    _table_shape = t.List(t.Int()).tag(sync=True)
    _has_words = t.Bool().tag(sync=True)
    _near = t.Dict().tag(sync=True)
    _near_only = t.Bool().tag(sync=True)

    def __init__(self, parts: InputParts, *, near_only: bool = False, **state: Any) -> None:  # noqa: ANN401
        if not isinstance(parts, InputParts):
            raise ViewTypeError(
                f"EmbeddingView() shows what input_parts() returns, not {type(parts).__name__}."
            )
        unknown = sorted(set(state) - set(self.state))
        if unknown:
            raise ViewTypeError(
                f"{unknown[0]}={state[unknown[0]]!r}: EmbeddingView knows {', '.join(self.state)}."
            )
        checked_flag("near_only", near_only)
        if near_only and parts.word_table is None:
            raise ViewError("near_only=True: these parts have no table of words that could be near.")
        self.parts = parts
        self._seq_len = len(parts)
        row_of: dict[str, list[int]] = {}
        rows: dict[str, bytes] = {}
        for name in PART_NAMES:
            # A token that occurs twice, and the one or two segments, travel once.
            table, index = np.unique(getattr(parts, name), axis=0, return_inverse=True)
            rows[f"_{name}_rows"] = pack(table)
            row_of[name] = [int(i) for i in index.ravel()]
        super().__init__(
            _tokens=list(parts.tokens),
            _ids={
                name: getattr(parts, name).tolist()
                for name in ("input_ids", "position_ids", "token_type_ids")
            },
            _hidden_size=parts.hidden_size,
            _eps=parts.eps,
            _row_of=row_of,
            _layer_norm=pack(np.stack([parts.gain, parts.bias])),
            **rows,
            **_near(parts),
            _near_only=bool(near_only),
        )
        for name, value in state.items():
            setattr(self, name, value)

    def _block(self, name: str) -> bytes:
        table = self.parts.word_table
        if name != "words" or table is None or not self._has_words:
            return super()._block(name)
        ids, cosines = table.all_nearest()
        is_near = cosines > -np.inf
        steps = np.round(np.where(is_near, cosines, 0.0) * _STEPS)  # whole numbers: they compress
        near = np.stack([np.where(is_near, ids, -1), steps], axis=1)
        return pack_found({"tokens": table.tokens, "steps": _STEPS}, near)

    def _saved_blocks(self) -> tuple[str, ...]:
        return ("words",) if self._has_words else ()

    def _summary(self) -> str:
        return f"{len(self.parts)} tokens, hidden_size={self.parts.hidden_size}"

    def _static(self) -> Static:
        shown = Shown(
            self.parts, self.token, self.pinned, self.parts_on, scaled=self.scaled, one_scale=self.one_scale
        )
        return static_near(shown) if self._near_only else static(shown)


def _near(parts: InputParts) -> dict[str, Any]:
    """Return the traits that tell what is near a word: of a large table, those of the text's tokens."""
    table = parts.word_table
    if table is None:
        return {}
    fits = len(table.tokens) <= _MOST_WORDS
    known = () if fits else sorted(set(parts.tokens) & set(table.tokens))
    return {
        "_table_shape": list(table.vectors.shape),
        "_has_words": fits,
        "_near": {token: table.nearest(token) for token in known},
    }
