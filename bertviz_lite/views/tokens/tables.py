"""The token view in words: how the chosen word was cut, and tables of tokens, looks and changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bertviz_lite.basics.text import clip, isolated, readable
from bertviz_lite.views.base.static import Table
from bertviz_lite.views.tokens.changes import visible
from bertviz_lite.views.tokens.picture import TOKENS_IN_PICTURE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bertviz_lite.views.tokens.cut import Cut, Word

__all__ = ["alt_text", "outcome", "tables_of"]

_ROWS = 64
_LOOKS = 40


def alt_text(cut: Cut, chosen: int | None) -> str:
    """Say what the picture shows: the tokens, and how the word numbered `chosen` was cut."""
    shown = " ".join(token.text for token in cut.tokens[:TOKENS_IN_PICTURE])
    more = " …" if len(cut.tokens) > TOKENS_IN_PICTURE else ""
    return (
        f"{len(cut.words)} words become {len(cut.tokens)} tokens: {readable(shown)}{more}. "
        f"{outcome(cut, chosen)}"
    )


def outcome(cut: Cut, chosen: int | None) -> str:
    """Say in a sentence how a word was cut."""
    if chosen is None:
        return "There is no word in it."
    word = cut.words[chosen]
    name = f"“{isolated(readable(clip(word.text)))}”"
    search = word.search
    if search is None:
        return f"{name} is taken as it is, without a search."
    if search.too_long:
        return f"{name} is too long to be searched, and becomes {search.unknown}."
    if search.failed_at is not None:
        return f"{name} becomes {search.unknown}: no word piece fits from character {search.failed_at} on."
    tokens = ", ".join(map(readable, search.tokens))
    looks = f"{word.tries} look{'s' * (word.tries != 1)}"
    return f"{name} is cut into {tokens} after {looks} into the vocabulary."


def tables_of(cut: Cut, chosen: int | None, vocabulary: Mapping[str, int]) -> list[Table]:
    """Return the tables: all tokens; the search of the chosen word; what normalisation changed."""
    tables = [_token_table(cut)]
    if chosen is not None and cut.words[chosen].tries:
        tables.append(_look_table(cut.words[chosen], vocabulary))
    if cut.changes:
        tables.append(_change_table(cut))
    return tables


def _token_table(cut: Cut) -> Table:
    shown = cut.tokens[:_ROWS]
    rows = [
        [
            f"{place} {readable(token.text)}",
            str(token.input_id),
            str(token.segment),
            "special" if token.word is None else isolated(readable(cut.words[token.word].typed)),
        ]
        for place, token in enumerate(shown)
    ]
    all_shown = len(shown) == len(cut.tokens)
    what = "All tokens" if all_shown else f"The first {len(shown)} of {len(cut.tokens)} tokens"
    return Table(what, ("token", "input_ids", "token_type_ids", "of the word"), rows)


def _look_table(word: Word, vocabulary: Mapping[str, int]) -> Table:
    looks = list(word.search.tries)[:_LOOKS] if word.search else []
    rows = [
        [str(number), readable(look.piece), f"yes, id {vocabulary[look.piece]}" if look.found else "no"]
        for number, look in enumerate(looks)
    ]
    what = "The search" if len(looks) == word.tries else f"The first {len(looks)} of {word.tries} looks"
    summary = f"{what} for “{isolated(readable(clip(word.text)))}”"
    return Table(summary, ("look", "word piece", "in the vocabulary"), rows)


def _change_table(cut: Cut) -> Table:
    changes = cut.changes
    rows = [
        [visible(change.character), change.code, change.name, change.result, change.why]
        for change in changes[:_ROWS]
    ]
    count = "1 character" if len(changes) == 1 else f"{len(changes)} characters"
    what = f"What normalisation changes: {count}"
    if len(rows) < len(changes):
        what += f", the first {len(rows)}"
    return Table(what, ("character", "code point", "name", "becomes", "why"), rows)
