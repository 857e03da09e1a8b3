"""Words without accents and in small letters, as a tokenizer reads them."""

import unicodedata
from collections.abc import Iterator

from bertviz_lite.exercises import Case, exercise


def _plain_cases() -> Iterator[Case]:
    yield Case("Zoë and Éloïse")
    yield Case("Cafe\u0301 or Café")
    yield Case("Ångström ÑANDÚ façade")
    yield Case("straße ﬁn 猫")
    yield Case(" Zoë  sleeps ")


def _without_marks(text: str, form: str = "NFD") -> str:
    apart = unicodedata.normalize(form, text)  # type: ignore[arg-type] # one of four, in words
    return "".join(letter for letter in apart if unicodedata.category(letter) != "Mn")


@exercise(
    cases=_plain_cases,
    hints=(
        'unicodedata.normalize("NFD", text) takes letters and their marks apart.',
        'A mark has the category "Mn": keep what has another. Then write all small, and split.',
    ),
    note="Letters that are not a letter and a mark, such as ß, stay as they are.",
)
def plain_words(text: str) -> list[str]:
    """Give the words of a text without accents and in small letters, cut at spaces only."""
    apart = unicodedata.normalize("NFD", text)
    letters = (letter for letter in apart if unicodedata.category(letter) != "Mn")
    return "".join(letters).lower().split()


plain_words.mistake(
    "The accents are still there: lower() changes no accent.", lambda text: text.lower().split()
)
plain_words.mistake("The capitals are still there.", lambda text: _without_marks(text).split())
plain_words.mistake(
    "NFKD changes more than marks: it makes ﬁ, which is one character, into f and i.",
    lambda text: _without_marks(text, "NFKD").lower().split(),
)
plain_words.mistake(
    'Where two spaces stand in a row there is an empty word: split(" ") keeps it, split() does not.',
    lambda text: _without_marks(text).lower().split(" "),
)
plain_words.mistake(
    "All that is not ASCII is dropped, ß and 猫 too; only marks should go.",
    lambda text: unicodedata.normalize("NFD", text).encode("ascii", "ignore").decode().lower().split(),
)
plain_words.mistake(
    "The letters are apart, but the marks are still there.",
    lambda text: unicodedata.normalize("NFD", text).lower().split(),
)
plain_words.mistake(
    "casefold() goes further than small letters: it makes ß into ss.",
    lambda text: _without_marks(text).casefold().split(),
)
