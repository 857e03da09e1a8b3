"""The token view: type a text, see it become words, tokens and ids, and how each word was cut.

Every word has a card: as it was typed, normalised, its tokens, their ids, its segment. Choose one by
click, touch or arrow keys and go through the search that cut it, one look into the vocabulary at a time.
The text can be changed: Python's tokenizer cuts it again, and without Python the page's own does.

Left out: tokenizers that do not cut by WordPiece.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import traitlets as t

from bertviz_lite.views.base.errors import ViewError, ViewTypeError
from bertviz_lite.views.base.sources import read_module, read_style
from bertviz_lite.views.base.static import Static
from bertviz_lite.views.base.traits import Index
from bertviz_lite.views.base.view import View
from bertviz_lite.views.engine.packed.in_page import page_tokenizer
from bertviz_lite.views.tokens.character_names import name_lines
from bertviz_lite.views.tokens.cut import Cut
from bertviz_lite.views.tokens.picture import draw
from bertviz_lite.views.tokens.tables import alt_text, tables_of

if TYPE_CHECKING:
    from bertviz_lite.views.base.page_model import PageModel

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
    about: ClassVar[str] = (
        "How BERT cuts a text into tokens: choose a token to see its letters, its id, and what else was tried"
    )
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
            raise ViewTypeError(
                f"TokenView() shows a tokenizer that cuts by WordPiece, not {type(tokenizer).__name__}: "
                'tokenizer, _ = load("pocket") has one.'
            )
        unknown = sorted(set(state) - set(self.state))
        if unknown:
            raise ViewTypeError(
                f"{unknown[0]}={state[unknown[0]]!r}: TokenView knows {', '.join(self.state)}."
            )
        self.tokenizer = tokenizer
        self.cut = Cut(tokenizer, "", None)
        super().__init__(
            _prefix=model.continuing_subword_prefix,
            _examples=[list(texts) for texts in EXAMPLES],
            text=text,
            text_pair=text_pair,
        )
        self._cut_again()
        apart = (i for i, word in enumerate(self.cut.words) if word.tokens[1] - word.tokens[0] > 1)
        self.word = next(apart, 0 if self.cut.words else None)
        for name in ("word", "step"):
            if name in state:
                setattr(self, name, state[name])

    def _page_model(self) -> PageModel | None:
        return page_tokenizer(self.tokenizer)

    def _take(self, values: object) -> None:
        """Set the texts as one: both of them, or none."""
        if not isinstance(values, dict) or not set(values) <= {"text", "text_pair"}:
            raise ViewError(f"{values!r}: new values of text and text_pair are needed.")
        traits = self.traits()
        checked = {name: traits[name].validate(self, value) for name, value in values.items()}
        with self.hold_sync(), self.hold_trait_notifications():
            for name, value in checked.items():
                setattr(self, name, value)

    @property
    def _words(self) -> int:
        return len(self.cut.words)

    @property
    def _tries(self) -> int:
        return self.cut.words[self.word].tries if self.word is not None else 0

    @t.observe("text", "text_pair")
    def _cut_again(self, _: object = None) -> None:
        self.cut = Cut(self.tokenizer, self.text, self.text_pair)
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

    def _block(self, name: str) -> bytes:
        return name_lines().encode() if name == "names" else super()._block(name)

    def _saved_blocks(self) -> tuple[str, ...]:
        return ("names",)

    def _static(self) -> Static:
        tables = tables_of(self.cut, self.word, self.tokenizer.get_vocab())
        return Static(draw(self.cut, self.word), alt_text(self.cut, self.word), tables=tables)
