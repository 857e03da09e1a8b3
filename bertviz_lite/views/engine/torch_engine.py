"""The engine of a model of ``transformers``: captures, the logit lens and the next-sentence head."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import torch

from bertviz_lite.capture.errors import CaptureError
from bertviz_lite.capture.limits import positions_of
from bertviz_lite.capture.origin import Origin, check_types, read_for
from bertviz_lite.capture.vocabulary import token_names
from bertviz_lite.evaluation.lens import lens
from bertviz_lite.evaluation.pair_probes import PairInput, run_pairs
from bertviz_lite.views.engine.interface import Encoded, Facts, TextWord
from bertviz_lite.views.engine.torch_steps import steps_inside, steps_outside

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt
    from transformers import BatchEncoding, PreTrainedModel, PreTrainedTokenizerBase

    from bertviz_lite.capture import Capture

    Floats = npt.NDArray[np.float64]

__all__ = ["TorchEngine", "engine_behind"]


@dataclass(frozen=True, eq=False, kw_only=True)
class _Read(Encoded):
    """An encoded text with what it takes to run it; the pass without changes is made once."""

    origin: Origin = field(repr=False)
    known: Capture | None = field(default=None, repr=False)

    @cached_property
    def unchanged(self) -> Capture:
        if self.known is not None:
            return self.known
        self.origin.check_fits()
        return self.origin.run()

    @property
    def input_ids(self) -> npt.NDArray[np.int64]:
        """A copy of the ids, (seq_len,)."""
        assert self.tokens.input_ids is not None
        return self.tokens.input_ids.copy()


def _own(encoded: Encoded) -> _Read:
    if not isinstance(encoded, _Read):
        raise CaptureError("another engine encoded this text: encode it with the one that is to run it.")
    return encoded


class TorchEngine:
    """A model of ``transformers`` and the tokenizer that belongs to it, as views see them.

    The model is left as it was by every method.

    Raises
    ------
    CaptureError
        If model or tokenizer are something else.
    """

    def __init__(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> None:
        check_types(model, tokenizer)
        self.model, self.tokenizer = model, tokenizer

    @cached_property
    def facts(self) -> Facts:
        """What model and tokenizer say about themselves."""
        return Facts.of(
            self.tokenizer,
            model_name=type(self.model).__name__,
            num_layers=int(getattr(self.model.config, "num_hidden_layers", 0)),
            positions=positions_of(self.model),
        )

    @cached_property
    def _ids(self) -> dict[str, int]:
        return self.tokenizer.get_vocab()

    def names(self, input_ids: Iterable[int]) -> list[str]:
        """Return tokens by id."""
        return token_names(self.tokenizer, input_ids)

    def id_of(self, token: str) -> int | None:
        """Return the id of a token that is written exactly so in the vocabulary, or None."""
        return self._ids.get(token)

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text, without special ones around it."""
        return list(self.tokenizer.tokenize(text))

    def encode(self, text: str, text_pair: str | None = None) -> Encoded:
        """Return a text, or a pair of texts, as the model reads it."""
        origin = read_for(self.model, self.tokenizer, text, text_pair)
        return _Read(origin.inputs.tokens, _words(origin.inputs.encoding, (text, text_pair)), origin=origin)

    def run(
        self,
        encoded: Encoded,
        edits: Mapping[int, str] | None = None,
        heads_off: Sequence[tuple[int, int]] = (),
    ) -> Capture:
        """Run the model once, and return its attention and what its language-model head predicts."""
        seen = _own(encoded).unchanged
        return seen.rerun(edits or {}, heads_off) if edits or heads_off else seen

    def read_layers(self, encoded: Encoded, positions: Sequence[int]) -> Floats:
        """Return the language-model head's logits at every layer: (layers + 1, positions, vocab_size)."""
        read = _own(encoded)
        read.origin.check_fits()
        segments = read.origin.inputs.token_type_ids
        logits = lens(
            self.model,
            torch.from_numpy(read.input_ids[None]),
            token_type_ids=None if segments is None else torch.from_numpy(segments[None]),
        )
        chosen: Floats = logits[:, list(positions)].double().cpu().numpy()
        return chosen

    def judge_pair(self, encoded: Encoded, hidden: Sequence[Sequence[int]] = ((),)) -> Floats:
        """Return the next-sentence head's log-odds that the second text continues the first."""
        read = _own(encoded)
        read.origin.check_fits()
        inputs = []
        for positions in hidden:
            input_ids = read.input_ids
            input_ids[list(positions)] = self.tokenizer.mask_token_id
            inputs.append(PairInput(input_ids, encoded.tokens.segments))
        return run_pairs(self.model, inputs).log_odds

    def read_steps(self, encoded: Encoded, layer: int | None = None) -> dict[str, npt.NDArray[np.float32]]:
        """Return the vectors that a BERT makes on its way from ids to its heads."""
        read = _own(encoded)
        read.origin.check_fits()
        if layer is None:
            return steps_outside(self.model, read.origin.run)
        return steps_inside(self.model, read.origin.run, layer)


def engine_behind(capture: Capture) -> tuple[TorchEngine, Encoded] | None:
    """Return the engine that can repeat a capture, and the text as it reads it; None for plain arrays."""
    origin = capture._origin
    if not isinstance(origin, Origin):
        return None
    return TorchEngine(origin.model, origin.tokenizer), _Read(
        origin.inputs.tokens, origin=origin, known=capture
    )


def _words(encoding: BatchEncoding | None, texts: tuple[str, str | None]) -> tuple[TextWord, ...]:
    """Gather the word pieces of each word of either text; nothing if the tokenizer does not tell words."""
    if encoding is None or not encoding.is_fast:
        return ()
    words: list[TextWord] = []
    last: tuple[int, int] | None = None
    for place, (segment, number) in enumerate(
        zip(encoding.sequence_ids(0), encoding.word_ids(0), strict=True)
    ):
        if segment is None or number is None:
            last = None
        elif (segment, number) == last:
            words[-1] = words[-1]._replace(stop=place + 1)
        else:
            span = encoding.word_to_chars(0, number, sequence_index=segment)
            words.append(TextWord((texts[segment] or "")[span.start : span.end], place, place + 1, segment))
            last = (segment, number)
    return tuple(words)
