"""The token view: type a text, see it become words, pieces and ids, and how each word was cut.

Every word stands in a card: as it was typed, normalised, its pieces, their ids, its segment. Choose one by
click, touch or arrow keys and go through the search that cut it, one look into the vocabulary at a time.
In a notebook the text can be changed: Python's tokenizer cuts it again. A saved page shows the text that it
was saved with.

Left out: tokenizers that do not cut by WordPiece.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar

import traitlets as t

from bertviz_lite.basics.text import clip, isolated, readable
from bertviz_lite.data.wordpiece import Search, is_chinese, search
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.lettering import drawable
from bertviz_lite.views.base.view import Index, Static, Table, View, ViewError, read_module, read_style

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["TokenView"]

MOST = 1_000
"""Characters in a text: more would make the page slow, and nobody reads that many cards."""

EXAMPLES = (
    ("Anna unwrapped the bumblebee-shaped pancake!", None),
    ("Zoë's naïve CAFÉ wasn't crowded.", None),
    ("Tom is hungry.", "So he eats a sandwich."),
    ("银行 means bank, and so does ぎんこう.", None),
    ("supercalifragilisticexpialidocious", None),
)

_TOKENS_IN_PICTURE = 36
_ROWS_IN_TABLE = 64
_TRIES_IN_TABLE = 40
_COLOURS = ("#0072b2", "#c27400")
_SPECIAL = "#767d86"


@dataclass(frozen=True)
class _Word:
    """A word of a text.

    ``tokens`` are its first token and the one after its last; ``found`` is None where the tokenizer took it
    out whole before it searched, as it does with a special token that is written into the text.
    """

    text: str
    typed: str
    segment: int
    tokens: tuple[int, int]
    found: Search | None

    @property
    def tries(self) -> int:
        return sum(1 for _ in self.found.tries) if self.found else 0

    def data(self) -> dict[str, Any]:
        found = self.found
        return {
            "text": self.text,
            "typed": self.typed,
            "segment": self.segment,
            "tokens": list(self.tokens),
            "searched": found is not None,
            "spans": [list(span) for span in found.spans] if found else [],
            "failed_at": found.failed_at if found else None,
            "too_long": bool(found and found.too_long),
        }


@dataclass(frozen=True)
class _Token:
    """A token of the input; ``word`` is the index of the word that it is of, None for a special token."""

    text: str
    input_id: int
    segment: int
    word: int | None


@dataclass(frozen=True)
class _Change:
    """A character that normalisation does not leave as it is."""

    segment: int
    at: int
    character: str
    becomes: str
    why: str

    @property
    def name(self) -> str:
        return unicodedata.name(self.character, "without a name")

    @property
    def code(self) -> str:
        return f"U+{ord(self.character):04X}"


class _Cut:
    """One or two texts, cut by a tokenizer."""

    def __init__(self, tokenizer: Any, text: str, text_pair: str | None) -> None:  # noqa: ANN401
        self.texts = [text] if text_pair is None else [text, text_pair]
        backend = tokenizer.backend_tokenizer
        normalizer, model = backend.normalizer, backend.model
        self._normalise = normalizer.normalize_str if normalizer else str
        encoding = tokenizer(text, text_pair, truncation=False, padding=False, verbose=False).encodings[0]
        ids, segments, word_of = encoding.ids, encoding.type_ids, encoding.word_ids
        self.changes = [change for k, one in enumerate(self.texts) for change in self._changes(k, one)]
        vocabulary = tokenizer.get_vocab()
        self.words: list[_Word] = []
        self.tokens: list[_Token] = []
        keys = zip(encoding.sequence_ids, word_of, strict=True)
        for (sequence, word), group in groupby(enumerate(keys), key=lambda pair: pair[1]):
            places = [place for place, _ in group]
            index = None if word is None else len(self.words)
            for place in places:
                self.tokens.append(_Token(encoding.tokens[place], ids[place], segments[place], index))
            if word is None:
                continue
            after = (places[0], places[-1] + 1)
            start, stop = encoding.offsets[places[0]][0], encoding.offsets[places[-1]][1]
            typed = self._with_dropped(self.texts[sequence], start, stop)
            normal = self._normalise(typed).strip()
            found = search(
                normal,
                vocabulary,
                unknown=model.unk_token,
                prefix=model.continuing_subword_prefix,
                longest=model.max_input_chars_per_word,
            )
            whole = list(found.tokens) != encoding.tokens[slice(*after)]
            self.words.append(
                _Word(typed if whole else normal, typed, segments[places[0]], after, None if whole else found)
            )

    def _with_dropped(self, text: str, start: int, stop: int) -> str:
        """Return the characters of a word, with those behind it that normalisation drops, such as accents."""
        while stop < len(text) and self._normalise(text[stop]) == "":
            stop += 1
        return text[start:stop]

    def _changes(self, segment: int, text: str) -> Iterator[_Change]:
        for at, character in enumerate(text):
            becomes = self._normalise(character)
            if becomes != character:
                yield _Change(segment, at, character, becomes, _why(character, becomes))

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
                    "segment": one.segment,
                    "at": one.at,
                    "character": _visible(one.character),
                    "code": one.code,
                    "name": one.name,
                    "becomes": _becomes(one.becomes),
                    "why": one.why,
                }
                for one in self.changes
            ],
        }


def _why(character: str, becomes: str) -> str:
    """Say in words what normalisation did to a character."""
    if not becomes:
        mark = unicodedata.category(character) == "Mn"
        return "an accent or another mark: dropped" if mark else "invisible or not a character: dropped"
    if becomes == " ":
        return "white space: a plain space"
    if is_chinese(character):
        return "Chinese: spaces on both sides"
    said = []
    apart = unicodedata.normalize("NFD", character)
    if len(apart) > 1 and becomes != character.lower():
        marks = any(unicodedata.category(letter) == "Mn" for letter in apart)
        said.append("taken apart, mark dropped" if marks else "taken apart")
    if character != character.lower() and becomes == becomes.lower():
        said.append("made small" if said else "capital: made small")
    return ", ".join(said) or "written in another way"


def _visible(character: str) -> str:
    """Return a character such that it can be seen: a combining mark on a dotted circle, a space as ␣."""
    kind = unicodedata.category(character)
    if kind == "Cf":
        return "(invisible)"
    return "\u25cc" + character if kind.startswith("M") else readable(character).replace(" ", "␣")


def _becomes(text: str) -> str:
    return "".join(map(_visible, text)) or "nothing"


class _Text(t.TraitType[Any, Any]):
    """A text of at most a thousand characters."""

    def validate(self, obj: object, value: object) -> str | None:  # noqa: ARG002
        """Return `value`, or raise :class:`ViewError` in one line."""
        if value is None and self.allow_none:
            return None
        if not isinstance(value, str):
            need = "a text or None is" if self.allow_none else "a text is"
            raise ViewError(f"{self.name}={value!r}: {need} needed, such as 'Anna finds a key.'")
        if len(value) > MOST:
            raise ViewError(
                f"{self.name} has {len(value):,} characters, at most {MOST:,} are shown: shorten it."
            )
        if any("\ud800" <= letter <= "\udfff" for letter in value):
            raise ViewError(f"{self.name} holds half a character (U+D800 to U+DFFF): leave it out.")
        return value


class TokenView(View):
    """An interactive picture of how a text becomes tokens and ids.

    Parameters
    ----------
    tokenizer
        A tokenizer that cuts by WordPiece, as every BERT's does.
    text
        The text.
    text_pair
        The second text of a pair, or None.
    word
        Index of the word whose search is shown, counted over both texts; None only where there is no word.
    step
        Which look into the vocabulary is shown; None shows the whole search.

    Raises
    ------
    TypeError
        If the tokenizer does not cut by WordPiece.
    ViewError
        If a value means nothing here; the state stays as it was.

    Examples
    --------
    >>> view = TokenView(tokenizer, "Anna unwrapped it.")  # doctest: +SKIP
    >>> view.text = "Tom unties the robot."  # doctest: +SKIP
    >>> view.save("tokens.html")  # doctest: +SKIP
    """

    _esm = read_module("tokens")
    _css = read_style("tokens")
    title: ClassVar[str] = "How a text becomes tokens"
    state: ClassVar[tuple[str, ...]] = ("text", "text_pair", "word", "step")

    text = _Text("").tag(sync=True)
    text_pair = _Text(None, allow_none=True).tag(sync=True)
    word = Index("_words", "words", default=None, allow_none=True).tag(sync=True)
    step = Index("_tries", "looks into the vocabulary", default=None, allow_none=True).tag(sync=True)

    _cut = t.Dict().tag(sync=True)
    _prefix = t.Unicode("##").tag(sync=True)
    _most = t.Int(MOST).tag(sync=True)
    _examples: t.List[Any] = t.List().tag(sync=True)

    def __init__(self, tokenizer: Any, text: str, text_pair: str | None = None, **state: Any) -> None:  # noqa: ANN401
        model: Any = getattr(getattr(tokenizer, "backend_tokenizer", None), "model", None)
        if type(model).__name__ != "WordPiece":
            raise TypeError(
                f"TokenView() shows a tokenizer that cuts by WordPiece, not {type(tokenizer).__name__}: "
                'tokenizer, _ = load("pocket") has one.'
            )
        unknown = sorted(set(state) - set(self.state))
        if unknown:
            raise TypeError(f"{unknown[0]}={state[unknown[0]]!r}: TokenView knows {', '.join(self.state)}.")
        self.tokenizer = tokenizer
        self.cut = _Cut(tokenizer, "", None)
        super().__init__(
            _prefix=model.continuing_subword_prefix,
            _examples=[list(one) for one in EXAMPLES],
            text=text,
            text_pair=text_pair,
        )
        self._cut_again()
        apart = (i for i, word in enumerate(self.cut.words) if word.tokens[1] - word.tokens[0] > 1)
        self.word = next(apart, 0 if self.cut.words else None)
        for name in ("word", "step"):
            if name in state:
                setattr(self, name, state[name])

    @property
    def _words(self) -> int:
        return len(self.cut.words)

    @property
    def _tries(self) -> int:
        return self.cut.words[self.word].tries if self.word is not None else 0

    @t.observe("text", "text_pair")
    def _cut_again(self, _: object = None) -> None:
        self.cut = _Cut(self.tokenizer, self.text, self.text_pair)
        last = len(self.cut.words) - 1
        with self.hold_sync():
            self._cut = self.cut.data()
            self.step = None
            self.word = None if last < 0 else min(self.word or 0, last)

    @t.observe("word")
    def _start_again(self, _: object) -> None:
        self.step = None

    def _summary(self) -> str:
        return f"{len(self.cut.words)} words, {len(self.cut.tokens)} tokens"

    def _static(self) -> Static:
        figure = _draw(self.cut, self.word)
        shown = " ".join(token.text for token in self.cut.tokens[:_TOKENS_IN_PICTURE])
        more = " …" if len(self.cut.tokens) > _TOKENS_IN_PICTURE else ""
        alt = (
            f"{len(self.cut.words)} words become {len(self.cut.tokens)} tokens: {readable(shown)}{more}. "
            f"{self._outcome()}"
        )
        tables = [self._token_table()]
        if self.word is not None and self._tries:
            tables.append(self._try_table(self.cut.words[self.word]))
        if self.cut.changes:
            tables.append(self._change_table())
        return Static(figure, alt, tables=tables)

    def _outcome(self) -> str:
        """Say in a sentence how the chosen word was cut."""
        if self.word is None:
            return "There is no word in it."
        word = self.cut.words[self.word]
        name = f"“{isolated(readable(clip(word.text)))}”"
        if word.found is None:
            return f"{name} is taken as it is, without a search."
        if word.found.too_long:
            return f"{name} is too long to be searched, and becomes {word.found.unknown}."
        if word.found.failed_at is not None:
            place = word.found.failed_at
            return f"{name} becomes {word.found.unknown}: no piece fits from character {place} on."
        pieces = ", ".join(map(readable, word.found.tokens))
        return f"{name} is cut into {pieces} after {word.tries} looks into the vocabulary."

    def _token_table(self) -> Table:
        tokens, words = self.cut.tokens, self.cut.words
        shown = tokens[:_ROWS_IN_TABLE]
        rows = [
            [
                f"{place} {readable(token.text)}",
                str(token.input_id),
                str(token.segment),
                "special" if token.word is None else isolated(readable(words[token.word].typed)),
            ]
            for place, token in enumerate(shown)
        ]
        what = (
            "All tokens" if len(shown) == len(tokens) else f"The first {len(shown)} of {len(tokens)} tokens"
        )
        return Table(what, ("token", "input_ids", "token_type_ids", "of the word"), rows)

    def _try_table(self, word: _Word) -> Table:
        vocabulary = self.tokenizer.get_vocab()
        found = word.found
        tries = list(found.tries)[:_TRIES_IN_TABLE] if found else []
        rows = [
            [str(number), readable(one.piece), f"yes, id {vocabulary[one.piece]}" if one.found else "no"]
            for number, one in enumerate(tries)
        ]
        what = "The search" if len(tries) == word.tries else f"The first {len(tries)} of {word.tries} looks"
        return Table(
            f"{what} for “{isolated(readable(clip(word.text)))}”",
            ("look", "piece", "in the vocabulary"),
            rows,
        )

    def _change_table(self) -> Table:
        changes = self.cut.changes
        rows = [
            [_visible(one.character), one.code, one.name, _becomes(one.becomes), one.why]
            for one in changes[:_ROWS_IN_TABLE]
        ]
        count = "1 character" if len(changes) == 1 else f"{len(changes)} characters"
        what = f"What normalisation changes: {count}"
        if len(rows) < len(changes):
            what += f", the first {len(rows)}"
        return Table(what, ("character", "code point", "name", "becomes", "why"), rows)


# ---- the script-free picture

_LINE = 86.0  # letters in a line
_GAP = 1.2


def _width(text: str) -> float:
    """Return the width of a text, in letters; those of Chinese and emoji are two wide."""
    wide = dict.fromkeys("#mwMW", 1.4)
    return sum(
        2.0 if unicodedata.east_asian_width(letter) in "WF" else wide.get(letter, 1.0) for letter in text
    )


def _lay_out(cut: _Cut) -> list[list[tuple[float, float, Sequence[int]]]]:
    """Break tokens into lines; each entry is a word's left end, its width and its tokens' places."""
    lines: list[list[tuple[float, float, Sequence[int]]]] = [[]]
    x = 0.0
    shown = range(min(len(cut.tokens), _TOKENS_IN_PICTURE))
    for word, group in groupby(shown, key=lambda place: cut.tokens[place].word):
        places = list(group)
        runs = [places] if word is not None else [[place] for place in places]
        for run in runs:
            own = sum(_box(cut.tokens[place]) for place in run)
            above = _width(_short(cut.words[word].typed)) + 1 if word is not None else 0.0
            width = min(max(own, above), _LINE)
            if x + width > _LINE and lines[-1]:
                lines.append([])
                x = 0.0
            lines[-1].append((x, width, run))
            x += width + _GAP
    return lines


def _box(token: _Token) -> float:
    return max(_width(_short(token.text)), len(str(token.input_id))) + 1.6


def _short(text: str) -> str:
    return drawable(clip(text, 24))


def _draw(cut: _Cut, chosen: int | None) -> Figure:
    import matplotlib.pyplot as plt

    lines = _lay_out(cut)
    with style():
        figure, ax = plt.subplots(figsize=(9.0, 1.15 * len(lines) + 0.5))
        ax.set(xlim=(-1, _LINE + 1), ylim=(-len(lines), 0.1))
        ax.axis("off")
        for number, line in enumerate(lines):
            for left, width, places in line:
                _draw_word(ax, cut, chosen, left, width, places, -number)
        last = -len(lines) + 0.02
        notes = [("special token", _SPECIAL), ("segment 0", _COLOURS[0]), ("segment 1", _COLOURS[1])]
        segments = {token.segment for token in cut.tokens}
        for k, (name, colour) in enumerate(notes[: 2 + (1 in segments)]):
            ax.text(16 * k, last, f"■ {name}", color=colour, fontsize=10, va="bottom")
    return figure


def _draw_word(
    ax: Axes,
    cut: _Cut,
    chosen: int | None,
    left: float,
    width: float,
    places: Sequence[int],
    top: float,
) -> None:
    """Draw a word and its pieces under it: token in a box, id below."""
    from matplotlib.patches import Rectangle

    word = cut.tokens[places[0]].word
    if word is not None:
        heavy = "bold" if word == chosen else "normal"
        text = _short(cut.words[word].typed)
        ax.text(left + width / 2, top - 0.12, text, ha="center", va="center", weight=heavy, parse_math=False)
    x = left + max(0.0, (width - sum(_box(cut.tokens[place]) for place in places)) / 2)
    for place in places:
        token = cut.tokens[place]
        colour = _SPECIAL if token.word is None else _COLOURS[token.segment % 2]
        size = _box(token)
        ax.add_patch(
            Rectangle(
                (x + 0.15, top - 0.6), size - 0.3, 0.34, facecolor="white", edgecolor=colour, linewidth=1.8
            )
        )
        middle = x + size / 2
        ax.text(middle, top - 0.43, _short(token.text), ha="center", va="center", parse_math=False)
        ax.text(middle, top - 0.72, str(token.input_id), ha="center", va="center", fontsize=10, color=colour)
        x += size
