"""Wrong kinds of arguments that several measurements refuse, each in one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bertviz_lite.basics.arguments import ArgumentError, a_or_an

if TYPE_CHECKING:
    from bertviz_lite.data.encoded_stories import EncodedStory


def check_model_and_tokenizer(model: object, tokenizer: object) -> None:
    """Refuse what is no model of ``transformers`` or no tokenizer of it, and the two in wrong order.

    Raises
    ------
    ArgumentError
        Where one is of the wrong kind.
    """
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    if isinstance(model, PreTrainedTokenizerBase) and isinstance(tokenizer, PreTrainedModel):
        raise ArgumentError("model and tokenizer are swapped: give the model first.")
    if not isinstance(model, PreTrainedModel):
        raise ArgumentError(f"model is {a_or_an(model)}: give a model of transformers, as load() does.")
    if not isinstance(tokenizer, PreTrainedTokenizerBase):
        raise ArgumentError(f"tokenizer is {a_or_an(tokenizer)}: give the model's, as load() does.")


def check_encoded(encoded: Sequence[EncodedStory]) -> None:
    """Refuse stories that are not encoded.

    Raises
    ------
    ArgumentError
        Where one is of the wrong kind.
    """
    from bertviz_lite.data.encoded_stories import EncodedStory

    for story in encoded:
        if not isinstance(story, EncodedStory):
            raise ArgumentError(
                f"encoded holds {a_or_an(story)}: call encode_stories(stories, tokenizer) first, and give "
                "its result."
            )
