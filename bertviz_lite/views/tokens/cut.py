"""One or two texts as a tokenizer cuts them: words, the search that cut each, tokens."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from bertviz_lite.data import wordpiece
from bertviz_lite.views.tokens.changes import Change, changes_of, visible

if TYPE_CHECKING:
    from bertviz_lite.data.wordpiece import Search

__all__ = ["Cut", "Token", "Word"]


@dataclass(frozen=True)
class Word:
    """A word of a text.

    ``tokens`` are its first token and the one after its last. ``search`` is None where the tokenizer took the
    word out whole before it searched, as it does with a special token that is written into the text.
    """

    text: str
    typed: str
    segment: int
    tokens: tuple[int, int]
    search: Search | None

    @property
    def tries(self) -> int:
        """How many looks into the vocabulary its search took."""
        return sum(1 for _ in self.search.tries) if self.search else 0

    def data(self) -> dict[str, Any]:
        """Return what the page draws."""
        search = self.search
        return {
            "text": self.text,
            "typed": self.typed,
            "segment": self.segment,
            "tokens": list(self.tokens),
            "searched": search is not None,
            "spans": [list(span) for span in search.spans] if search else [],
            "failed_at": search.failed_at if search else None,
            "too_long": bool(search and search.too_long),
        }


@dataclass(frozen=True)
class Token:
    """A token of the input; ``word`` is the index of the word that it is of, None for a special token."""

    text: str
    input_id: int
    segment: int
    word: int | None


class Cut:
    """One or two texts, cut by a tokenizer."""

    def __init__(self, tokenizer: Any, text: str, text_pair: str | None) -> None:  # noqa: ANN401
        self.texts = [text] if text_pair is None else [text, text_pair]
        backend = tokenizer.backend_tokenizer
        normalizer, model = backend.normalizer, backend.model
        self._normalise = normalizer.normalize_str if normalizer else str
        encoding = tokenizer(text, text_pair, truncation=False, padding=False, verbose=False).encodings[0]
        ids, segments, word_of = encoding.ids, encoding.type_ids, encoding.word_ids
        self.changes: list[Change] = []
        for segment, part in enumerate(self.texts):
            self.changes += changes_of(part, segment, self._normalise)
        vocabulary = tokenizer.get_vocab()
        self.words: list[Word] = []
        self.tokens: list[Token] = []
        keys = zip(encoding.sequence_ids, word_of, strict=True)
        for (sequence, word), group in groupby(enumerate(keys), key=lambda pair: pair[1]):
            places = [place for place, _ in group]
            index = None if word is None else len(self.words)
            for place in places:
                self.tokens.append(Token(encoding.tokens[place], ids[place], segments[place], index))
            if word is None:
                continue
            after = (places[0], places[-1] + 1)
            start, stop = encoding.offsets[places[0]][0], encoding.offsets[places[-1]][1]
            typed = self._with_dropped(self.texts[sequence], start, stop)
            normal = self._normalise(typed).strip()
            search = wordpiece.search(
                normal,
                vocabulary,
                unknown=model.unk_token,
                prefix=model.continuing_subword_prefix,
                longest=model.max_input_chars_per_word,
            )
            whole = list(search.tokens) != encoding.tokens[slice(*after)]
            self.words.append(
                Word(typed if whole else normal, typed, segments[places[0]], after, None if whole else search)
            )

    def _with_dropped(self, text: str, start: int, stop: int) -> str:
        """Return the characters of a word, with those behind it that normalisation drops, such as accents."""
        while stop < len(text) and self._normalise(text[stop]) == "":
            stop += 1
        return text[start:stop]

    def data(self) -> dict[str, Any]:
        """Return what the page draws."""
        return {
            "texts": self.texts,
            "words": [word.data() for word in self.words],
            "tokens": [
                {"text": token.text, "id": token.input_id, "segment": token.segment, "word": token.word}
                for token in self.tokens
            ],
            "changes": [
                {
                    "segment": change.segment,
                    "at": change.at,
                    "character": visible(change.character),
                    "code": change.code,
                    "becomes": change.result,
                    "why": change.why,
                }
                for change in self.changes
            ],
        }
