"""Stories of the town as ids, with the positions of every word, so that gold marks point at tokens."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.basics.arguments import members, whole_number
from bertviz_lite.data.vocabulary import MAX_LENGTH, check_tokenizer
from bertviz_lite.world import Story
from bertviz_lite.world.chinese.grammar.text import Story as ChineseStory

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

    from bertviz_lite.world import Word


@dataclass(frozen=True)
class EncodedStory:
    """A whole story as one part, ``[CLS] … [SEP]``.

    Attributes
    ----------
    story
        The story with its gold marks, of ``world`` or ``world.chinese``.
    input_ids
        int64, shape (seq_len,).
    spans
        First position and the one after the last, for every word of ``story.words``.
    """

    story: Any
    input_ids: NDArray[np.int64]
    spans: tuple[tuple[int, int], ...]

    @property
    def words(self) -> list[tuple[Word, int, int]]:
        """Every word with its first position and the one after its last."""
        return [(word, *span) for word, span in zip(self.story.words, self.spans, strict=True)]

    def of(self, sentence: int, index: int) -> tuple[int, int]:
        """Return the span of word ``index`` of sentence ``sentence``."""
        before = sum(len(earlier.words) for earlier in self.story.sentences[:sentence])
        return self.spans[before + index]


def encode_stories(
    stories: Sequence[Story | ChineseStory], tokenizer: PreTrainedTokenizerFast, max_length: int = MAX_LENGTH
) -> list[EncodedStory]:
    """Encode the stories that fit; the others are left out.

    Raises
    ------
    ValueError
        Where a word has no token of its own, so that its mark would point nowhere.
    """
    stories = members("stories", stories, (Story, ChineseStory), "a list of stories of the town")
    max_length = whole_number("max_length", max_length)
    rust = bare_tokenizer(tokenizer)
    texts = [str(sentence) for story in stories for sentence in story.sentences]
    encodings = iter(rust.encode_batch(texts, add_special_tokens=False))
    encoded = []
    for story in stories:
        ids, spans = [tokenizer.cls_token_id], []
        for sentence in story.sentences:
            encoding = next(encodings)
            spans += word_spans(str(sentence), sentence.spans, encoding.offsets, len(ids))
            ids += encoding.ids
        ids.append(tokenizer.sep_token_id)
        if len(ids) <= max_length:
            encoded.append(EncodedStory(story, np.array(ids), tuple(spans)))
    return encoded


def bare_tokenizer(tokenizer: PreTrainedTokenizerFast) -> Any:  # noqa: ANN401 - tokenizers.Tokenizer, which is not typed
    """Return the tokenizer behind ``tokenizer``, free of the padding and truncation of an earlier call.

    Nothing is lost: ``tokenizer(…)`` sets both again each time.
    """
    rust = check_tokenizer(tokenizer).backend_tokenizer
    rust.no_padding()
    rust.no_truncation()
    return rust


def word_spans(
    text: str, words: Sequence[tuple[int, int]], tokens: Sequence[tuple[int, int]], shift: int
) -> list[tuple[int, int]]:
    """Turn spans of characters into spans of tokens; ``shift`` is the position of the first token."""
    starts = [start for start, _ in tokens]
    spans = []
    for start, end in words:
        first, last = bisect_left(starts, start), bisect_left(starts, end)
        if first == last:
            raise ValueError(f"the word {text[start:end]!r} of {text!r} has no token of its own")
        spans.append((first + shift, last + shift))
    return spans
