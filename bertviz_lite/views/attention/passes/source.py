"""What the explorer is made of: a pass to show and, where there is a model, the engine that can repeat it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bertviz_lite.capture.errors import kind_of
from bertviz_lite.capture.forward_pass import Pass
from bertviz_lite.capture.weights import ROW_SUM_ERROR
from bertviz_lite.views.base.errors import ViewError, ViewTypeError, as_view_error
from bertviz_lite.views.engine.interface import Encoded, Engine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Source", "rounding", "second_pass", "source_of"]


@dataclass(frozen=True, eq=False)
class Source:
    """The pass that the explorer shows first, and what can run its text again."""

    first: Pass
    engine: Engine | None = None
    encoded: Encoded | None = None
    texts: tuple[str, str] = ("", "")
    """What was read, the second empty without a pair; both empty where it is not known as a text."""

    @property
    def can_run(self) -> bool:
        """Whether there is a model, so that :meth:`run` works."""
        return self.engine is not None

    @property
    def mask_token(self) -> str | None:
        """What hides a word; None without such a token, and for plain arrays."""
        return None if self.engine is None else self.engine.facts.mask_token

    @property
    def input_ids(self) -> list[int] | None:
        """What another engine needs to repeat the first pass; None of arrays, padding, heads that are off."""
        tokens = self.first.predicted_tokens
        changed = getattr(self.first, "heads_off", ()) or not tokens.attention_mask.all()
        if self.engine is None or tokens.input_ids is None or changed:
            return None
        input_ids: list[int] = tokens.input_ids.tolist()
        return input_ids

    def run(self, edits: Mapping[str, str], heads_off: Sequence[Sequence[int]]) -> Pass:
        """Run the text with tokens replaced and heads off, or raise :class:`ViewError`."""
        assert self.engine is not None
        assert self.encoded is not None
        with as_view_error():
            return self.engine.run(
                self.encoded,
                {int(position): token for position, token in edits.items()},
                [(layer, head) for layer, head in heads_off],
            )

    def reading(self, text: str, text_pair: str) -> Source:
        """Return the same engine's reading of another text, or raise :class:`ViewError`."""
        if self.engine is None:
            raise ViewError("there is no model behind arrays; capture(model, tokenizer, text) has one.")
        return _read(self.engine, (text, text_pair))

    def names(self, input_ids: Sequence[int]) -> list[str]:
        """Return tokens by id."""
        assert self.engine is not None
        return self.engine.names(input_ids)


def source_of(
    attentions: Pass | Sequence[Any] | Engine,
    tokens: Sequence[str] | None,
    text: str | tuple[str, str] | None,
    more: Sequence[object] = (),
) -> Source:
    """Return what the explorer was given: a capture, arrays with their tokens, or an engine with a text."""
    from bertviz_lite.capture import Capture

    is_other = not isinstance(attentions, Engine) and any(
        hasattr(attentions, name) for name in ("forward", "tokenize")
    )
    if more or is_other:
        raise ViewTypeError(
            f"Explorer() shows what capture() returns, not {kind_of(attentions)}"
            f"{' and other things' if tokens is not None or more else ''}: "
            "Explorer(capture(model, tokenizer, text))."
        )
    if isinstance(attentions, Engine):
        if tokens is not None or text is None:
            raise ViewTypeError('an engine needs a text: Explorer(engine, text="Ada finds a key.").')
        texts = (text, "") if isinstance(text, str) else tuple(text)
        return _read(attentions, texts)
    if text is not None:
        raise ViewTypeError("text is given with an engine only; a capture has its own.")
    if not isinstance(attentions, Pass):
        if tokens is None:
            raise ViewTypeError(
                "Explorer() shows what capture() returns, or arrays with their tokens: tokens is missing."
            )
        return Source(Capture.from_arrays(attentions, tokens))
    if tokens is not None:
        raise ViewTypeError("tokens: the capture has its own; they are given with arrays only.")
    if not isinstance(attentions, Capture) or not attentions.can_run:
        return Source(attentions)
    from bertviz_lite.views.engine.torch_engine import engine_behind

    behind = engine_behind(attentions)
    assert behind is not None
    changed = attentions.edits or attentions.heads_off
    return Source(attentions, *behind, (None if changed else attentions.texts) or ("", ""))


def _read(engine: Engine, texts: tuple[str, ...]) -> Source:
    with as_view_error():
        encoded = engine.encode(texts[0], *filter(None, texts[1:]))
        return Source(engine.run(encoded), engine, encoded, (texts[0], "".join(texts[1:])))


def rounding(passes: Iterable[Pass]) -> str:
    """Say by how much rows of rounded weights miss a sum of 1; nothing where no row misses it by 0.001."""
    error = max(maps.row_error for each in passes for maps in each.kinds.values())
    if error <= ROW_SUM_ERROR:
        return ""
    return f"The weights are rounded: the sum of a row misses 1 by {error:.2g} at most."


def second_pass(first: Pass, other: object) -> Pass:
    """Return `other` if it can be compared with the first pass."""
    if not isinstance(other, Pass):
        raise ViewTypeError(f"other is what capture() returns, not {kind_of(other)}.")
    if first.kinds.keys().isdisjoint(other.kinds):
        raise ViewError(
            f"other has attention of kind {', '.join(other.kinds)}, the first has {', '.join(first.kinds)}: "
            "only the same kind can be compared."
        )
    return other
