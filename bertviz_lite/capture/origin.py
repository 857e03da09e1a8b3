"""A model, its tokenizer, and a text as both read it: what every pass over the text starts from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from transformers import PreTrainedModel, PreTrainedTokenizerBase

from bertviz_lite.capture import limits, reading, vocabulary
from bertviz_lite.capture.errors import CaptureError, kind_of
from bertviz_lite.capture.limits import parameters_of
from bertviz_lite.capture.reading import Inputs
from bertviz_lite.capture.ready_inputs import read_inputs
from bertviz_lite.capture.result import Capture
from bertviz_lite.capture.running import forward

if TYPE_CHECKING:
    from bertviz_lite.capture.reading import Text

_NO_EDITS: Mapping[int, str] = {}


@dataclass(frozen=True, eq=False)
class Origin:
    """A model, its tokenizer, and a text as both read it: what every pass over the text starts from."""

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    inputs: Inputs
    texts: tuple[str, str] | None = None
    """The text and the one after it, empty without a pair; None where tokens or lists of words were given."""

    @property
    def mask_token(self) -> str | None:
        """What hides a word, as the tokenizer writes it."""
        token: str | None = self.tokenizer.mask_token
        return token

    def names(self, input_ids: Iterable[int]) -> list[str]:
        """Return tokens by id."""
        return vocabulary.token_names(self.tokenizer, input_ids)

    def id_of(self, token: str) -> int:
        """Return the id of one token of the vocabulary."""
        return vocabulary.token_id(self.tokenizer, token)

    def check_fits(self) -> None:
        """Refuse what the model has no positions or no embeddings for."""
        tokens, type_ids, decoder_tokens, _ = self.inputs
        if decoder_tokens is not None:
            limits.check_fits(decoder_tokens, self.model, "text_pair")
        limits.check_fits(tokens, self.model, "text", type_ids)

    def padded(self, length: int) -> Origin:
        """Return the same text, filled up with padding on the right."""
        return replace(self, inputs=reading.pad(self.inputs, self.tokenizer, self.model, length))

    def run(
        self,
        edits: Mapping[int, str] = _NO_EDITS,
        heads_off: Sequence[tuple[int, int]] = (),
        calls: Sequence[int] = (),
    ) -> Capture:
        """Run the text, with some tokens replaced and some heads off.

        `calls` gives the number of the attention call that made each layer's weights.
        """
        off: dict[int, list[int]] = {}
        for layer, head in heads_off:
            off.setdefault(calls[layer], []).append(head)
        tokens = vocabulary.edited(self.inputs.tokens, self.tokenizer, edits)
        seen = forward(self.model, self.inputs._replace(tokens=tokens), off)
        now = {position: tokens.tokens[position] for position in edits}
        return replace(seen, edits=now, heads_off=tuple(heads_off), _origin=self)


def read_for(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    text: Text | None,
    text_pair: Text | None = None,
    *,
    split: bool = False,
) -> Origin:
    """Tokenize a text, or a pair, for a model; whether it fits into the model is not checked."""
    check_types(model, tokenizer)
    known = parameters_of(model)
    reading.check_text("text", text, split=split)
    assert text is not None
    if text_pair is not None:
        reading.check_text("text_pair", text_pair, split=split)
    if "decoder_input_ids" in known:
        inputs = reading.read(tokenizer, text, split=split)
        decoder_tokens = reading.read_decoder(tokenizer, text_pair, model, split=split)
        inputs = inputs._replace(decoder_tokens=decoder_tokens)
    else:
        inputs = reading.read(tokenizer, text, text_pair, split=split)
    origin = _known_inputs(model, tokenizer, inputs)
    pair = "" if text_pair is None else text_pair
    return replace(origin, texts=(text, pair)) if isinstance(text, str) and isinstance(pair, str) else origin


def take_for(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, inputs: object, beside: Sequence[object] = ()
) -> Origin:
    """Take ready inputs for a model; whether they fit into it is not checked.

    `beside` is what must not be given with them.
    """
    check_types(model, tokenizer)
    if any(value is not None and value is not False for value in beside):
        raise CaptureError("inputs take the place of a text: give one of them, and no is_split_into_words.")
    known = parameters_of(model)
    taken = read_inputs(tokenizer, inputs)
    if "decoder_input_ids" not in known:
        if taken.decoder_tokens is not None:
            raise CaptureError(f"inputs has decoder_input_ids, but {type(model).__name__} has no decoder.")
    elif taken.decoder_tokens is None:
        taken = taken._replace(decoder_tokens=reading.read_decoder(tokenizer, None, model))
    return _known_inputs(model, tokenizer, taken)


def _known_inputs(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, inputs: Inputs) -> Origin:
    if "token_type_ids" not in parameters_of(model):
        inputs = inputs._replace(token_type_ids=None)
    return Origin(model, tokenizer, inputs)


def check_types(model: object, tokenizer: object) -> None:
    """Refuse what is not a model of transformers and a tokenizer."""
    if isinstance(model, PreTrainedTokenizerBase) and isinstance(tokenizer, PreTrainedModel):
        raise CaptureError("model and tokenizer are swapped: it is capture(model, tokenizer, text).")
    if not isinstance(model, PreTrainedModel):
        raise CaptureError(
            f"model is {kind_of(model)}: it must be a model of transformers (a PreTrainedModel); "
            "of a wrapped one give what is inside."
        )
    if not isinstance(tokenizer, PreTrainedTokenizerBase):
        raise CaptureError(
            f"tokenizer is {kind_of(tokenizer)}: it must be the tokenizer of transformers that belongs to "
            f"{type(model).__name__}."
        )
    vocabulary.check_not_empty(tokenizer)
