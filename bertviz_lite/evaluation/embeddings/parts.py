"""The three vectors behind every input embedding, and how they add up through LayerNorm."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from bertviz_lite.basics.arguments import ArgumentError, a_or_an, is_number, members, shown, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from bertviz_lite.evaluation.embeddings.word_table import WordTable

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

T = TypeVar("T")

PART_NAMES = ("token", "position", "segment")
"""The three vectors that are added, in the order in which the course names them."""


@dataclass(frozen=True, eq=False)
class InputParts:
    """The three vectors behind every input embedding of one text, and LayerNorm's own numbers.

    All arrays are read-only, the vectors float64. ``seq_len`` counts ``[CLS]`` and ``[SEP]`` as well.

    Parameters
    ----------
    tokens
        The tokens, ``seq_len`` strings.
    input_ids, token_type_ids, position_ids
        The rows that were looked up, each of shape (seq_len,).
    token, position, segment
        The vectors in these rows, each of shape (seq_len, hidden_size).
    gain, bias
        LayerNorm's ``weight`` and ``bias``, each of shape (hidden_size,).
    eps
        What LayerNorm adds to the variance.
    word_table
        The table that the tokens' vectors were looked up in, if it is at hand.

    Raises
    ------
    ValueError
        If the shapes do not fit together.
    """

    tokens: tuple[str, ...]
    input_ids: Ints = field(repr=False)
    token_type_ids: Ints = field(repr=False)
    position_ids: Ints = field(repr=False)
    token: Floats = field(repr=False)
    position: Floats = field(repr=False)
    segment: Floats = field(repr=False)
    gain: Floats = field(repr=False)
    bias: Floats = field(repr=False)
    eps: float = 1e-12
    word_table: WordTable | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "tokens", tuple(members("tokens", self.tokens, str, "a list of tokens")))
        if not is_number(self.eps):
            raise ArgumentError(f"eps={shown(self.eps)}: a number is needed, not {a_or_an(self.eps)}.")
        put(self, "eps", float(self.eps))
        for name in ("input_ids", "token_type_ids", "position_ids"):
            put(self, name, _checked(name, getattr(self, name), _ints))
        for name in (*PART_NAMES, "gain", "bias"):
            put(self, name, _checked(name, getattr(self, name), _floats))
        self._check_shapes()

    def _check_shapes(self) -> None:
        seq_len = len(self.tokens)
        if self.token.ndim != 2 or len(self.token) != seq_len or seq_len == 0:
            raise ArgumentError(
                f"token is {self.token.shape} but there are {seq_len} tokens: "
                "it must be (seq_len, hidden_size), with at least one token."
            )
        wanted: dict[str, tuple[int, ...]] = {
            "position": self.token.shape,
            "segment": self.token.shape,
            "gain": self.token.shape[1:],
            "bias": self.token.shape[1:],
            "input_ids": (seq_len,),
            "token_type_ids": (seq_len,),
            "position_ids": (seq_len,),
        }
        for name, shape in wanted.items():
            given = getattr(self, name).shape
            if given != shape:
                raise ArgumentError(
                    f"{name} is {given}, but token is {self.token.shape}: {name} must be {shape}."
                )

    def __len__(self) -> int:
        return len(self.tokens)

    def __repr__(self) -> str:
        return f"InputParts({len(self)} tokens, hidden_size={self.hidden_size})"

    @property
    def hidden_size(self) -> int:
        """Number of components of every vector."""
        return int(self.token.shape[1])

    @cached_property
    def total(self) -> Floats:
        """``token + position + segment``, shape (seq_len, hidden_size)."""
        return _floats(self.token + self.position + self.segment)

    @cached_property
    def std(self) -> Floats:
        """What LayerNorm divides by: ``sqrt(variance of total + eps)`` of each row, shape (seq_len,)."""
        return _floats(np.sqrt(self.total.var(axis=1) + self.eps))

    @cached_property
    def normalised(self) -> Floats:
        """``LayerNorm(total)``, what enters the encoder's first layer, shape (seq_len, hidden_size)."""
        return _floats(_scaled(self.total, self.std, self.gain) + self.bias)

    @cached_property
    def contributions(self) -> dict[str, Floats]:
        """What "token", "position", "segment" and LayerNorm's "bias" contribute to `normalised`.

        Each is (seq_len, hidden_size); by the formula of the package's docstring the four add up to
        `normalised`.
        """
        parts = {name: _scaled(getattr(self, name), self.std, self.gain) for name in PART_NAMES}
        parts["bias"] = np.broadcast_to(self.bias, self.total.shape)
        return {name: _floats(rows) for name, rows in parts.items()}

    @cached_property
    def shares(self) -> dict[str, Floats]:
        """The same four as shares of the result, each (seq_len,), together 1.

        The share of a part is the projection of its contribution c on the result r, ``(c · r) / (r · r)``.
        It is negative where a part pulls the other way. A result of zero length has no shares: they are 0.
        """
        length = np.einsum("sh,sh->s", self.normalised, self.normalised)
        safe = np.where(length > 0, length, 1.0)
        return {
            name: _floats(np.einsum("sh,sh->s", rows, self.normalised) / safe)
            for name, rows in self.contributions.items()
        }

    def vectors(self) -> dict[str, Floats]:
        """Return the rows "token", "position", "segment", "sum", "result": (seq_len, hidden_size) each."""
        return {
            "token": self.token,
            "position": self.position,
            "segment": self.segment,
            "sum": self.total,
            "result": self.normalised,
        }

    def norms(self) -> dict[str, Floats]:
        """Return the Euclidean length of each of :meth:`vectors`, each (seq_len,)."""
        return {name: np.linalg.norm(rows, axis=1) for name, rows in self.vectors().items()}

    def cosines(self, index: int) -> Floats:
        """Return the (5, 5) cosines between the vectors of token `index`; nan where one has no length."""
        index = whole_number("index", index)
        if not -len(self) <= index < len(self):
            raise ArgumentError(f"index={index}: there are {len(self)} tokens, 0 to {len(self) - 1}.")
        rows = np.stack([vectors[index] for vectors in self.vectors().values()])
        lengths = np.linalg.norm(rows, axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            cosines: Floats = np.clip((rows @ rows.T) / np.outer(lengths, lengths), -1.0, 1.0)
        return cosines


def _scaled(rows: Floats, std: Floats, gain: Floats) -> Floats:
    """Centre each row, divide by `std`, multiply by `gain`: LayerNorm without its bias."""
    scaled: Floats = gain * (rows - rows.mean(axis=1, keepdims=True)) / std[:, None]
    return scaled


def _checked(name: str, given: npt.ArrayLike, convert: Callable[[npt.ArrayLike], T]) -> T:
    """Convert an argument, or refuse it by its name."""
    try:
        return convert(given)
    except (TypeError, ValueError):
        raise ArgumentError(
            f"{name}={shown(given)}: an array of numbers is needed, not {a_or_an(given)}."
        ) from None


def _floats(array: npt.ArrayLike) -> Floats:
    """Return a read-only float64 copy of `array`."""
    copy = np.array(array, dtype=np.float64)
    copy.setflags(write=False)
    return copy


def _ints(array: npt.ArrayLike) -> Ints:
    """Return a read-only int64 copy of `array`."""
    copy = np.array(array, dtype=np.int64)
    copy.setflags(write=False)
    return copy
