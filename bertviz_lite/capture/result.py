"""The class `Capture`: what one forward pass of a model showed, and the same again with changes.

:func:`bertviz_lite.capture` makes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from bertviz_lite.capture.errors import CaptureError, is_count, kind_of
from bertviz_lite.capture.forward_pass import Floats, Maps, Pass, Scores
from bertviz_lite.capture.tokens import plain_tokens
from bertviz_lite.capture.weights import layer_arrays

if TYPE_CHECKING:
    from bertviz_lite.capture.tokens import Bools, Ints

_NOTHING: Mapping[int, str] = {}


class Origin(Protocol):
    """Where a capture is from: a model with a tokenizer, and the text as they read it."""

    @property
    def mask_token(self) -> str | None:
        """What hides a word, as the tokenizer writes it."""

    @property
    def texts(self) -> tuple[str, str] | None:
        """The text and the one after it, empty without a pair; None where tokens were given."""

    def names(self, input_ids: Iterable[int]) -> list[str]:
        """Return tokens by id."""

    def id_of(self, token: str) -> int:
        """Return the id of one token of the vocabulary."""

    def run(
        self, edits: Mapping[int, str], heads_off: Sequence[tuple[int, int]], calls: Sequence[int]
    ) -> Capture:
        """Run the original text with some tokens replaced and some heads off.

        `calls` gives the number of the attention call that made each layer's weights.
        """


@dataclass(frozen=True, eq=False, repr=False)
class Capture(Pass):
    """What one forward pass showed: made by :func:`bertviz_lite.capture` or :meth:`from_arrays`.

    Attributes
    ----------
    kinds, model_name, logits
        As of :class:`Pass`: the maps by kind, the class of the model, what its language-model head gives. The
        properties below are those of the first kind.
    hidden_states
        float32, shape (seq_len, hidden_size) each: after the embeddings and after every layer. Those of the
        encoder where there are both. Empty for plain arrays.
    decoder_hidden_states
        The same of the decoder, shape (decoder_len, hidden_size); empty where there are not both.
    edits, heads_off
        What :meth:`rerun` was given.
    """

    hidden_states: tuple[Floats, ...] = ()
    decoder_hidden_states: tuple[Floats, ...] = ()
    edits: Mapping[int, str] = field(default_factory=dict)
    heads_off: tuple[tuple[int, int], ...] = ()
    _origin: Origin | None = None
    _calls: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        kinds: object = self.kinds
        if isinstance(kinds, dict) and kinds and all(isinstance(maps, Maps) for maps in kinds.values()):
            return
        raise CaptureError(
            f"Capture(): kinds is {kind_of(kinds)}, not Maps by kind: capture(model, tokenizer, text) makes "
            "a capture, or Capture.from_arrays(attentions, tokens)."
        )

    @classmethod
    def from_arrays(
        cls,
        attentions: Iterable[object],
        tokens: Sequence[str],
        key_tokens: Sequence[str] | None = None,
        segments: Sequence[int] | None = None,
    ) -> Capture:
        """Take weights that were made elsewhere.

        Parameters
        ----------
        attentions
            One array or tensor per layer, ``(1, num_heads, query_len, key_len)`` or ``(num_heads, query_len,
            key_len)``. What is float32 already is not copied.
        tokens
            One string per query.
        key_tokens
            One string per key, where the keys are another text (kind "cross"); without them they are the
            queries (kind "self").
        segments
            0 or 1 for every token of `tokens`; without it all are 0.

        Raises
        ------
        CaptureError
            If something is not what it should be, shapes and tokens do not fit, a weight is NaN or negative,
            or the sum of a row misses one by more than 0.02.

        Examples
        --------
        >>> Capture.from_arrays([np.full((1, 2, 3, 3), 1 / 3)], ["[CLS]", "hello", "[SEP]"])
        Capture(plain arrays; self: 1 layer × 2 heads, 3 × 3 tokens)
        """
        query_tokens = plain_tokens(tokens, segments)
        key_axis = query_tokens if key_tokens is None else plain_tokens(key_tokens, name="key_tokens")
        layers = layer_arrays(attentions, query_tokens, key_axis, rounded=True)
        return cls({"self" if key_tokens is None else "cross": Maps(layers, query_tokens, key_axis)})

    def __repr__(self) -> str:
        kinds = (
            f"{kind}: {maps.num_layers} layer{'s' * (maps.num_layers != 1)} × "
            f"{maps.num_heads} head{'s' * (maps.num_heads != 1)}, "
            f"{len(maps.query_tokens)} × {len(maps.key_tokens)} tokens"
            for kind, maps in self.kinds.items()
        )
        return f"Capture({'; '.join((self.model_name or 'plain arrays', *kinds))})"

    @property
    def segments(self) -> Ints:
        """0 for text A, 1 for text B: int64, shape (seq_len,)."""
        return self._first.query_tokens.segments

    @property
    def attention_mask(self) -> Bools:
        """False for padding: bool, shape (seq_len,)."""
        return self._first.query_tokens.attention_mask

    @property
    def attentions(self) -> tuple[Floats, ...]:
        """The weights of the first kind: float32, (num_heads, query_len, key_len) per layer."""
        return self._first.attentions

    @property
    def queries(self) -> tuple[Floats, ...]:
        """The query vectors of the first kind: float32, (num_heads, query_len, head_size) per layer."""
        return tuple(scores.queries for scores in self._scores)

    @property
    def keys(self) -> tuple[Floats, ...]:
        """The key vectors of the first kind: float32, (num_heads, key_len, head_size) per layer."""
        return tuple(scores.keys for scores in self._scores)

    @property
    def _scores(self) -> tuple[Scores, ...]:
        if self._first.scores is None:
            raise CaptureError(
                f"{self.model_name or 'plain arrays'}: no queries and keys with which "
                "softmax(scaling * queries @ keys.T + bias) gives the weights."
            )
        return self._first.scores

    @property
    def can_run(self) -> bool:
        """Whether it was made by a model, so that :meth:`rerun` works."""
        return self._origin is not None

    @property
    def mask_token(self) -> str | None:
        """What hides a word, as the tokenizer writes it; None without such a token, and for plain arrays."""
        return None if self._origin is None else self._origin.mask_token

    @property
    def texts(self) -> tuple[str, str] | None:
        """The text and the one after it, empty without a pair; None of arrays, inputs, lists of words."""
        return None if self._origin is None else self._origin.texts

    def predictions(self, position: int, k: int = 5) -> list[tuple[str, float]]:
        """Return the `k` most probable tokens at a position with their probabilities, the best first.

        Positions are those of :meth:`log_probabilities`: a causal model predicts a position from the vector
        before it. Nothing is run again.

        Raises
        ------
        CaptureError
            If the model has no language-model head, or the position is outside.
        """
        log_probabilities = self.log_probabilities(position)
        if not is_count(k) or k < 1:
            raise CaptureError(f"k={k!r}: it must be a whole number from 1.")
        assert self._origin is not None
        best = np.argsort(-log_probabilities, kind="stable")[:k]
        tokens = self._origin.names(best.tolist())
        return list(zip(tokens, np.exp(log_probabilities[best]).tolist(), strict=True))

    def loss(self, position: int, token: str) -> float:
        """Return ``-ln p(token)`` at a position, in nats; positions as in :meth:`log_probabilities`.

        Raises
        ------
        CaptureError
            As :meth:`predictions`, and if `token` is not one token of the vocabulary.
        """
        log_probabilities = self.log_probabilities(position)
        assert self._origin is not None
        return -float(log_probabilities[self._origin.id_of(token)])

    def rerun(
        self, edits: Mapping[int, str] = _NOTHING, heads_off: Iterable[tuple[int, int]] = ()
    ) -> Capture:
        """Run the model again on the original text, with some tokens replaced and some heads off.

        Always on the text that was captured first: ``seen.rerun(a).rerun(b)`` is ``seen.rerun(b)``.

        Parameters
        ----------
        edits
            Position -> one token of the vocabulary, as ``{4: "[MASK]"}``. A word without the mark of a space
            gets it where the token that it replaces has one: "dog" in place of "Ġcat" is "Ġdog".
        heads_off
            Pairs (layer, head) of the first kind. Such a head contributes nothing to what the layer gives
            on; its weights, which are still shown, depend on the layers before it only.

        Raises
        ------
        CaptureError
            If there is no model, or an edit or a head does not exist.
        """
        if self._origin is None:
            raise CaptureError("there is no model behind plain arrays: use capture(model, tokenizer, text).")
        chosen = _checked_heads(heads_off, self._first)
        if chosen and self._calls is None:
            raise CaptureError(
                f"heads_off: {self.model_name} does not choose its attention function by name, "
                "so a head of it cannot be switched off."
            )
        return self._origin.run(edits, chosen, self._calls or ())


def _checked_heads(heads_off: object, maps: Maps) -> tuple[tuple[int, int], ...]:
    """Return pairs of plain numbers, each once and in order."""
    pairs: list[Any] = list(heads_off) if isinstance(heads_off, Iterable) else [heads_off]
    chosen = set()
    for given in pairs:
        pair = tuple(given) if isinstance(given, Iterable) else (given,)
        if len(pair) != 2 or not all(map(is_count, pair)):
            raise CaptureError(f"heads_off: {given!r:.40} must be a pair (layer, head), as [(0, 3)].")
        layer, head = map(int, pair)
        if not 0 <= layer < maps.num_layers:
            raise CaptureError(
                f"layer={layer}: there are {maps.num_layers} layers, numbered 0 to {maps.num_layers - 1}."
            )
        if not 0 <= head < maps.num_heads:
            raise CaptureError(
                f"head={head}: layer {layer} has {maps.num_heads} heads, numbered 0 to {maps.num_heads - 1}."
            )
        chosen.add((layer, head))
    return tuple(sorted(chosen))
