"""Take BERT's input embedding apart: token + position + segment, then LayerNorm.

``BertEmbeddings`` looks up one vector in each of three tables, adds them and normalises the sum. With the
standard deviation of the sum held at its value, LayerNorm is linear, so the result splits *exactly* into
what each part brings:

    normalised = gain * (total - mean(total)) / std + bias
               = gain * (token - mean(token)) / std          (contribution of the token)
               + gain * (position - mean(position)) / std    (of the position)
               + gain * (segment - mean(segment)) / std      (of the segment)
               + bias                                        (of LayerNorm itself)

because the mean of a sum is the sum of the means. Left out: dropout, which does nothing in eval mode, and
models whose embeddings are not BERT's (RoBERTa counts its positions differently, DistilBERT has no
segments).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from bertviz_lite.basics.arguments import ArgumentError, whole_number
from bertviz_lite.evaluation.checks import check_model_and_tokenizer

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch.nn import Embedding
    from transformers import PreTrainedModel, PreTrainedTokenizerBase
    from transformers.models.bert.modeling_bert import BertEmbeddings

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

__all__ = ["PART_NAMES", "InputParts", "input_parts"]

PART_NAMES = ("token", "position", "segment")
"""The three vectors that are added, in the order in which the course names them."""

_TABLES = ("word_embeddings", "position_embeddings", "token_type_embeddings", "LayerNorm")


@dataclass(frozen=True, eq=False)
class InputParts:
    """The three vectors behind every input embedding of one text, and LayerNorm's own numbers.

    All arrays are read-only, the vectors float64. ``seq_len`` counts ``[CLS]`` and ``[SEP]`` as well.

    Parameters
    ----------
    tokens
        The word pieces, ``seq_len`` strings.
    input_ids, token_type_ids, position_ids
        The rows that were looked up, each of shape (seq_len,).
    token, position, segment
        The vectors that were found there, each of shape (seq_len, hidden_size).
    gain, bias
        LayerNorm's ``weight`` and ``bias``, each of shape (hidden_size,).
    eps
        What LayerNorm adds to the variance.

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

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "tokens", tuple(self.tokens))
        put(self, "eps", float(self.eps))
        for name in ("input_ids", "token_type_ids", "position_ids"):
            put(self, name, _ints(getattr(self, name)))
        for name in (*PART_NAMES, "gain", "bias"):
            put(self, name, _floats(getattr(self, name)))
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
            found = getattr(self, name).shape
            if found != shape:
                raise ArgumentError(
                    f"{name} is {found}, but token is {self.token.shape}: {name} must be {shape}."
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
        """What "token", "position", "segment" and LayerNorm's "bias" bring to `normalised`.

        Each is (seq_len, hidden_size); by the formula at the top of the module the four add up to
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


def input_parts(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, text: str, text_pair: str | None = None
) -> InputParts:
    """Look up the three vectors behind every token of a text.

    Parameters
    ----------
    model
        A BERT of ``transformers`` (``BertModel``, ``BertForPreTraining``, …), with its tables in
        ``model.base_model.embeddings``.
    tokenizer
        The tokenizer that belongs to it.
    text, text_pair
        One sentence, or two: the second gets segment 1.

    Returns
    -------
    InputParts
        With ``normalised`` equal to ``model.base_model.embeddings(…)`` in eval mode.

    Raises
    ------
    TypeError
        If `text` is not a string, or `model` has no such embeddings.
    ValueError
        If a text is empty, or has more tokens than the model has positions.

    Examples
    --------
    >>> parts = input_parts(model, tokenizer, "Ada finds a key.")  # doctest: +SKIP
    >>> parts.tokens  # doctest: +SKIP
    ('[CLS]', 'ada', 'finds', 'a', 'key', '.', '[SEP]')
    >>> abs(parts.total - parts.token - parts.position - parts.segment).max()  # doctest: +SKIP
    0.0
    """
    check_model_and_tokenizer(model, tokenizer)
    for name, given in (("text", text), ("text_pair", text_pair)):
        if given is None and name == "text_pair":
            continue
        if not isinstance(given, str):
            raise ArgumentError(f"{name} must be one string, not {type(given).__name__}.")
        if not given.strip():
            raise ArgumentError(f"{name} is empty: there is nothing to look up.")
    embeddings = _bert_embeddings(model)
    encoded = tokenizer(text, text_pair, return_token_type_ids=True, verbose=False)
    input_ids = list(encoded["input_ids"])
    token_type_ids = list(encoded["token_type_ids"])
    longest = embeddings.position_embeddings.num_embeddings
    if len(input_ids) > longest:
        raise ArgumentError(
            f"the text has {len(input_ids)} tokens, the model has {longest} positions: "
            "shorten it, or cut it in parts."
        )
    position_ids = list(range(len(input_ids)))
    return InputParts(
        tokens=tuple(tokenizer.convert_ids_to_tokens(input_ids)),
        input_ids=np.array(input_ids),
        token_type_ids=np.array(token_type_ids),
        position_ids=np.array(position_ids),
        token=_rows(embeddings.word_embeddings, input_ids),
        position=_rows(embeddings.position_embeddings, position_ids),
        segment=_rows(embeddings.token_type_embeddings, token_type_ids),
        gain=embeddings.LayerNorm.weight.detach().double().cpu().numpy(),
        bias=embeddings.LayerNorm.bias.detach().double().cpu().numpy(),
        eps=embeddings.LayerNorm.eps,
    )


def _bert_embeddings(model: PreTrainedModel) -> BertEmbeddings:
    """Return the ``BertEmbeddings`` of a model, or say why there are none."""
    embeddings: Any = getattr(getattr(model, "base_model", model), "embeddings", None)
    missing = [name for name in _TABLES if not hasattr(embeddings, name)]
    if missing:
        raise ArgumentError(
            f"{type(model).__name__} has no {' and no '.join(missing)} in model.base_model.embeddings: "
            "input_parts() reads models with BERT's embeddings."
        )
    if embeddings.position_embeddings.padding_idx is not None:
        raise ArgumentError(
            f"{type(model).__name__} counts its positions from the padding id, as RoBERTa does: "
            "input_parts() reads models with BERT's embeddings."
        )
    return cast("BertEmbeddings", embeddings)


def _rows(table: Embedding, ids: list[int]) -> Floats:
    """Return the rows `ids` of an ``nn.Embedding``, (len(ids), hidden_size), without copying it all."""
    rows: Floats = table.weight.detach()[ids].double().cpu().numpy()
    return rows


def _scaled(rows: Floats, std: Floats, gain: Floats) -> Floats:
    """Centre each row, divide by `std`, multiply by `gain`: LayerNorm without its bias."""
    scaled: Floats = gain * (rows - rows.mean(axis=1, keepdims=True)) / std[:, None]
    return scaled


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
