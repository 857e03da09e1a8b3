"""The interface through which views reach a model: texts in; tokens, weights and probabilities out.

Everything that goes in or comes out is text, numbers and numpy arrays, so that whatever can run a BERT can
stand behind a view: torch (``torch_engine.py``), a program in the page, a made-up model in a test. No torch
here, nor in a view that keeps to it.

Left out: batches of texts, training.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from bertviz_lite.capture.forward_pass import Pass
from bertviz_lite.capture.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt
    from transformers import PreTrainedTokenizerBase

__all__ = ["Encoded", "Engine", "Facts", "Pass", "TextWord", "Tokens"]


@dataclass(frozen=True)
class Facts:
    """What a model and its tokenizer say about themselves."""

    model_name: str
    """The class of the model, as ``"BertForPreTraining"``."""
    num_layers: int
    positions: int | None
    """How many tokens a text may have; None: no limit."""
    vocab_size: int
    """Tokens that the tokenizer knows."""
    special_ids: tuple[int, ...]
    """Ids of [PAD], [UNK], [CLS], [SEP], [MASK]."""
    mask_token: str | None
    mask_id: int | None
    unknown_token: str | None
    cls_token: str | None
    sep_token: str | None

    @classmethod
    def of(cls, tokenizer: PreTrainedTokenizerBase, **model: Any) -> Facts:  # noqa: ANN401
        """Return what a tokenizer says about itself, beside what is told of the model."""
        return cls(
            vocab_size=len(tokenizer),
            special_ids=tuple(tokenizer.all_special_ids),
            mask_token=tokenizer.mask_token,
            mask_id=tokenizer.mask_token_id,
            unknown_token=tokenizer.unk_token,
            cls_token=tokenizer.cls_token,
            sep_token=tokenizer.sep_token,
            **model,
        )


class TextWord(NamedTuple):
    """A word of an encoded text, as the tokenizer cuts texts: at spaces and around punctuation."""

    text: str
    """As it is written in the text."""
    start: int
    stop: int
    """Its word pieces are the tokens ``start`` … ``stop - 1``."""
    segment: int
    """0 for a word of the first text, 1 for one of the second."""


@dataclass(frozen=True, eq=False)
class Encoded:
    """A text, or a pair of texts, as an engine reads it. What an engine encoded only that engine can run."""

    tokens: Tokens
    """Special ones included; `input_ids` is never None."""
    words: tuple[TextWord, ...] = field(default=(), repr=False)
    """Words of the first text, then those of the second; empty for a tokenizer that does not tell words."""


@runtime_checkable
class Engine(Protocol):
    """A model and its tokenizer, as views see them.

    What an engine refuses, it refuses with a :class:`bertviz_lite.CaptureError` of one line.
    """

    @property
    def facts(self) -> Facts:
        """What model and tokenizer say about themselves."""

    def names(self, input_ids: Iterable[int]) -> list[str]:
        """Return tokens by id, as the vocabulary writes them."""

    def id_of(self, token: str) -> int | None:
        """Return the id of a token that is written exactly so in the vocabulary, or None."""

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text, without special ones around it."""

    def encode(self, text: str, text_pair: str | None = None) -> Encoded:
        """Return a text as the model reads it, special tokens included; it may be too long for the model.

        Raises
        ------
        CaptureError
            If a text is empty or cannot be read, or the tokenizer cannot separate a pair.
        """

    def run(
        self,
        encoded: Encoded,
        edits: Mapping[int, str] | None = None,
        heads_off: Sequence[tuple[int, int]] = (),
    ) -> Pass:
        """Run the model once, and return its attention and what its language-model head predicts.

        Parameters
        ----------
        encoded
            What :meth:`encode` returned.
        edits
            Position -> the token that replaces what is there, as ``{4: "[MASK]"}``.
        heads_off
            Pairs (layer, head) that contribute nothing.

        Raises
        ------
        CaptureError
            If the text does not fit into the model, or an edit or a head does not exist.
        """

    def read_layers(self, encoded: Encoded, positions: Sequence[int]) -> npt.NDArray[np.float64]:
        """Return what the language-model head makes of every layer's vectors at some positions.

        Returns
        -------
        numpy.ndarray
            Logits, float64, shape (layers + 1, positions, vocab_size): row 0 after the embeddings.

        Raises
        ------
        CaptureError
            If the text does not fit into the model.
        TypeError
            If the model has no such head.
        """

    def judge_pair(
        self, encoded: Encoded, hidden: Sequence[Sequence[int]] = ((),)
    ) -> npt.NDArray[np.float64]:
        """Return the next-sentence head's log-odds that the second text continues the first.

        Parameters
        ----------
        encoded
            A pair of texts.
        hidden
            For each answer the positions that are replaced by [MASK]; an empty one for the pair as it is.

        Returns
        -------
        numpy.ndarray
            float64, shape (len(hidden),): the logit of "it continues" minus that of "it does not".

        Raises
        ------
        CaptureError
            If the pair does not fit into the model.
        TypeError
            If the model has no such head.
        """

    def read_steps(self, encoded: Encoded, layer: int | None = None) -> dict[str, npt.NDArray[np.float32]]:
        """Return the vectors that a BERT makes on its way from ids to its heads, by the names of the course.

        Parameters
        ----------
        encoded
            What :meth:`encode` returned.
        layer
            The layer that is looked into; None for what lies before the first layer and after the last.

        Returns
        -------
        dict
            float32. None: ``word_embeddings``, ``position_embeddings``, ``token_type_embeddings`` and
            ``embeddings`` (their sum after LayerNorm), each (seq_len, hidden_size); where the model has them
            ``pooler_output`` (hidden_size,), ``seq_relationship_logits`` (2,), and of the LM head
            ``transform`` (seq_len, hidden_size). Of a layer: ``input``, ``query``, ``key``, ``value``,
            ``context`` (what the heads return, side by side), ``projected``, ``attended`` (after the first
            LayerNorm), ``down`` and ``output``, each (seq_len, hidden_size); ``up`` and ``activated``
            (seq_len, intermediate_size).

        Raises
        ------
        CaptureError
            If the text does not fit into the model, or there is no such layer.
        TypeError
            If the model is no encoder of BERT's form.
        """
