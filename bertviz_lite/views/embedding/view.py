"""The embedding view: pick a token, see what its input embedding is made of.

Pick a token by click, touch or arrow keys: its token, position and segment vectors stand under each other,
bar by bar, with their sum and LayerNorm's result. Pin one (Space, Shift+click or the button) and choose
another: the rows show the difference. Switch a part off: the sum and the result are computed without it.
The numbers are computed in the page, in float64, from the model's own float32 vectors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets as t

from bertviz_lite.basics.text import clip
from bertviz_lite.evaluation.embeddings import PART_NAMES, InputParts
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.lettering import drawable
from bertviz_lite.views.base.view import Index, Static, Table, View, ViewError, pack, read_module, read_style

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt
    from matplotlib.axes import Axes

    Floats = npt.NDArray[np.float64]

__all__ = ["EmbeddingView"]

_ROWS = ("token", "position", "segment", "sum", "bias", "result")
_SIGNS = {"token": "", "position": "+ ", "segment": "+ ", "sum": "= ", "bias": "+ ", "result": "= "}
_COLOURS = {
    "token": "#0072b2",
    "position": "#c27400",
    "segment": "#00875f",
    "sum": "#3b4350",
    "bias": "#767d86",
    "result": "#9c4f94",
}
_TOKENS_IN_PICTURE = 24
_ROWS_IN_TABLE = 64


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

    Raises
    ------
    TypeError
        If `parts` is no InputParts.
    ViewError
        If a value means nothing here; the state stays as it was.

    Examples
    --------
    >>> view = EmbeddingView(input_parts(model, tokenizer, "Ada finds a key."))  # doctest: +SKIP
    >>> view.token = 4  # doctest: +SKIP
    >>> view.save("embedding.html")  # doctest: +SKIP
    """

    _esm = read_module("embedding")
    _css = read_style("embedding")
    title: ClassVar[str] = "What an input embedding is made of"
    state: ClassVar[tuple[str, ...]] = ("token", "pinned", "parts_on", "component", "scaled", "one_scale")

    token = Index("_seq_len", "tokens").tag(sync=True)
    pinned = Index("_seq_len", "tokens", default=None, allow_none=True).tag(sync=True)
    parts_on = _Parts().tag(sync=True)
    component = Index("_hidden_size", "components").tag(sync=True)
    scaled = t.Bool(False).tag(sync=True)
    one_scale = t.Bool(False).tag(sync=True)

    _tokens = t.List(t.Unicode()).tag(sync=True)
    _ids = t.Dict().tag(sync=True)
    _hidden_size = t.Int(1).tag(sync=True)
    _eps = t.Float().tag(sync=True)
    _row_of = t.Dict().tag(sync=True)
    _token_rows = t.Bytes().tag(sync=True)
    _position_rows = t.Bytes().tag(sync=True)
    _segment_rows = t.Bytes().tag(sync=True)
    _layer_norm = t.Bytes().tag(sync=True)

    def __init__(self, parts: InputParts, **state: Any) -> None:  # noqa: ANN401
        if not isinstance(parts, InputParts):
            raise TypeError(f"EmbeddingView() shows what input_parts() returns, not {type(parts).__name__}.")
        unknown = sorted(set(state) - set(self.state))
        if unknown:
            raise TypeError(
                f"{unknown[0]}={state[unknown[0]]!r}: EmbeddingView knows {', '.join(self.state)}."
            )
        self.parts = parts
        self._seq_len = len(parts)
        row_of: dict[str, list[int]] = {}
        rows: dict[str, bytes] = {}
        for name in PART_NAMES:
            # A token that comes twice, and the one or two segments, travel once.
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
        )
        for name, value in state.items():
            setattr(self, name, value)

    def _summary(self) -> str:
        return f"{len(self.parts)} tokens, hidden_size={self.parts.hidden_size}"

    def _on(self) -> InputParts:
        """Return the parts with those that are off set to zero."""
        parts = self.parts
        rows = {
            name: getattr(parts, name) if name in self.parts_on else np.zeros_like(parts.token)
            for name in PART_NAMES
        }
        return InputParts(
            parts.tokens,
            parts.input_ids,
            parts.token_type_ids,
            parts.position_ids,
            **rows,
            gain=parts.gain,
            bias=parts.bias,
            eps=parts.eps,
        )

    def _rows(self, index: int, on: InputParts) -> dict[str, Floats]:
        """Return the six rows of the token at `index`, each (hidden_size,), as the view draws them."""
        if self.scaled:
            rows = {name: on.contributions[name][index] for name in PART_NAMES}
            rows["sum"] = on.normalised[index] - on.bias
        else:
            rows = {name: getattr(self.parts, name)[index] for name in PART_NAMES}
            rows["sum"] = on.total[index]
        return {**rows, "bias": on.bias, "result": on.normalised[index]}

    def _static(self) -> Static:
        import matplotlib.pyplot as plt

        parts, index = self.parts, self.token
        on = self._on()
        rows = self._rows(index, on)
        name = f"token {index} “{parts.tokens[index]}”"
        if self.pinned is not None and self.pinned != index:
            other = self._rows(self.pinned, on)
            rows = {key: rows[key] - other[key] for key in rows}
            name += f" minus token {self.pinned} “{parts.tokens[self.pinned]}”"
        lengths = {key: float(np.linalg.norm(row)) for key, row in rows.items()}
        with style():
            figure, axes = plt.subplots(7, 1, figsize=(9.0, 7.6), height_ratios=[2.2, 1, 1, 1, 1, 1, 1])
            _draw_shares(axes[0], on, index)
            _draw_rows(axes[1:], rows, lengths, one_scale=self.one_scale or self.scaled)
            axes[1].set_title(drawable(name[:1].upper() + name[1:]), parse_math=False)
        shares = ", ".join(f"{key} {_percent(on.shares[key][index])}" for key in on.shares)
        sizes = ", ".join(f"{key} {_number(lengths[key])}" for key in _ROWS)
        alt = f"Input embedding of {name}, bar by bar. Lengths: {sizes}. Shares of the result: {shares}."
        return Static(figure, alt, tables=(self._row_table(on, lengths, name), self._token_table(on)))

    def _row_table(self, on: InputParts, lengths: dict[str, float], name: str) -> Table:
        cosines = on.cosines(self.token)
        at = {"token": 0, "position": 1, "segment": 2, "sum": 3, "result": 4}
        lines = []
        for row in _ROWS:
            share = _percent(on.shares[row][self.token]) if row in on.shares else ""
            angles = [_number(cosines[at[row], at[to]]) if row in at else "" for to in ("sum", "result")]
            lines.append([row, _number(lengths[row]), "100.0 %" if row == "result" else share, *angles])
        columns = (
            "row",
            "length",
            f"share of the result of token {self.token}",
            "cosine with sum",
            "cosine with result",
        )
        return Table(f"The rows of {name} in numbers", columns, lines)

    def _token_table(self, on: InputParts) -> Table:
        parts = self.parts
        shown = min(len(parts), _ROWS_IN_TABLE)
        ids = zip(parts.input_ids, parts.position_ids, parts.token_type_ids, strict=True)
        lines = [
            [f"{i} {parts.tokens[i]}", *map(str, of), *(_percent(on.shares[key][i]) for key in on.shares)]
            for i, of in zip(range(shown), ids, strict=False)
        ]
        what = "All tokens" if shown == len(parts) else f"The first {shown} of {len(parts)} tokens"
        return Table(
            f"{what} in numbers", ("token", "input_ids", "position_ids", "token_type_ids", *on.shares), lines
        )


def _draw_shares(ax: Axes, parts: InputParts, index: int) -> None:
    """Draw every token's shares as stacked bars, those around `index` if there are many."""
    first = max(0, min(index - _TOKENS_IN_PICTURE // 2, len(parts) - _TOKENS_IN_PICTURE))
    shown = list(range(first, min(len(parts), first + _TOKENS_IN_PICTURE)))
    above, below = np.zeros(len(shown)), np.zeros(len(shown))
    for name, shares in parts.shares.items():
        values = 100 * shares[shown]
        ax.bar(
            range(len(shown)),
            values,
            bottom=np.where(values >= 0, above, below),
            color=_COLOURS[name],
            label=name,
            width=0.7,
        )
        above += np.clip(values, 0, None)
        below += np.clip(values, None, 0)
    names = [drawable(clip(parts.tokens[i], 10)) for i in shown]
    ax.set_xticks(range(len(shown)), names, fontsize=10, parse_math=False)
    if len(shown) > 12:
        for name_below in ax.get_xticklabels():
            name_below.set(rotation=45, ha="right", rotation_mode="anchor")
    ax.get_xticklabels()[shown.index(index)].set_fontweight("bold")
    ax.tick_params(axis="x", length=0)
    ax.axhline(0, color="#59636e", linewidth=1)
    ax.set_ylabel("share, %")
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def _draw_rows(
    axes: Iterable[Axes], rows: dict[str, Floats], lengths: dict[str, float], *, one_scale: bool
) -> None:
    """Draw the six rows as bars; the four above LayerNorm share a scale, the two below it do."""
    upper = max(float(np.abs(rows[name]).max()) for name in ("token", "position", "segment", "sum"))
    lower = max(float(np.abs(rows[name]).max()) for name in ("bias", "result"))
    if one_scale:
        upper = lower = max(upper, lower)
    for ax, name in zip(axes, _ROWS, strict=True):
        limit = (lower if name in ("bias", "result") else upper) or 1.0
        ax.stairs(
            rows[name], fill=True, baseline=0, color=_COLOURS[name], linewidth=0
        )  # one shape, not 768 bars
        ax.axhline(0, color="#59636e", linewidth=0.8)
        ax.set(xlim=(0, len(rows[name])), ylim=(-limit, limit), xticks=[], yticks=[])
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.set_facecolor("#f3f5f7")
        ax.set_ylabel(
            _SIGNS[name] + name, rotation=0, ha="right", va="center", color=_COLOURS[name], weight="bold"
        )
        ax.text(
            1.01,
            0.5,
            f"length {_number(lengths[name])}\n±{_number(limit)}",
            transform=ax.transAxes,
            va="center",
        )


def _number(value: float) -> str:
    """Write a number as the page does: four digits that matter, a true minus sign, a dash for none."""
    if not np.isfinite(value):
        return "–"
    size = abs(value)
    digits = 0 if size >= 1000 else 3 - max(0, int(np.floor(np.log10(size)))) if size > 0 else 0
    text = f"{size:.{digits}f}" if size >= 0.001 or size == 0 else f"{size:.2e}"
    return f"−{text}" if value < 0 and float(text) != 0 else text


def _percent(share: float) -> str:
    text = f"{abs(100 * share):.1f}"
    return f"−{text} %" if share < 0 and text != "0.0" else f"{text} %"
