r"""The notation of wordings: lines of text with slots, and how they are read.

A wording stands in ``wordings`` in one of two forms. A *line* is a name and a text::

    so: [A] <be!> hungry! , so [A.he!] <eat!> [T]

A *frame* is a subject A, a verb, the rest, and where there is a passive, its subject and its rest::

    A|give|[T.the!] to [B.o]|T|to [B.o]

Frames are put into the patterns of ``constructions``: *Anna gave the kite to Tom. The kite was given to Tom
by Anna. After finding a kite under the bed, Anna gave it to Tom.*

Words, slots and punctuation marks are separated by spaces; the full stop at the end may be left out.

``[A]``
    Role A of the event, by name, description or pronoun, as the story so far asks for; in the object case
    after a verb or a preposition. With a mode:

    ========== ============================================= ==========================
    mode       meaning                                       example
    ========== ============================================= ==========================
    ``o``      object case                                   Anna, the kite, her, it
    ``p``      possessive                                    Anna's, her
    ``n``      name                                          Anna, Anna the baker
    ``np``     possessive, but no pronoun                    Anna's
    ``he``     pronoun, as ``him``, ``his`` and ``self``     she (her, her, herself)
    ``d``      description                                   the girl
    ``the``    definite                                      the kite
    ``at``     of a place, with its preposition              in the park
    ``to``     of a place as a goal                          to the park
    ``rel``    of a spot, with what makes it one             under the bed
    ========== ============================================= ==========================

``<pick>``
    A verb, in the story's tense, that agrees with the subject of the text, which is the first slot that can
    be one. ``<pick@B>`` agrees with slot B, ``<pick.sg>`` and ``<pick.pl>`` are singular and plural whatever
    the slots; ``<pick.ing>``, ``<pick.en>`` (participle) and ``<pick.0>`` (base form) do not agree.
    ``<watch:look>`` has a sense: "watch.look".
``$dish``
    A fact of the event, such as "carrot cake"; ``$quality.er`` and ``$quality.est`` are comparative and
    superlative. ``$T.noun`` is the noun of role T alone, ``$T.thing`` the word "thing" or "things".
``bank.river``
    A word with its sense.
``!``
    At the end of any of these but a fact: the rest of the text leaves no other word here.

>>> frame = wording("A|give|[T.the!] to [B.o]|T|to [B.o]")
>>> frame.verb, frame.object, frame.passive_rest
('give', 'T', 'to [B.o]')
>>> for part in read("[A] <be!> near $where").parts:
...     print(part)
Slot(role='A', mode='', determined=False)
VerbSlot(lemma='be', form='', sense=None, role='', determined=True)
Literal(entry=Entry(text='near', lemma='near', pos='ADP', form=None, sense=None), determined=False)
Fact(name='where', form='')
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from bertviz_lite.world.english.lexicon import Entry, look_up


class Line(NamedTuple):
    """A wording that stands as it is; ``name`` says which construction it is."""

    name: str
    text: str


class Frame(NamedTuple):
    """A wording of the form subject A, verb, rest; without an ``object`` it has no passive."""

    verb: str
    rest: str
    object: str = ""
    passive_rest: str = ""


class Slot(NamedTuple):
    """``[A.mode!]``: a noun phrase."""

    role: str
    mode: str
    determined: bool


class VerbSlot(NamedTuple):
    """``<lemma:sense.form@role!>``: a verb; without a role it agrees with the subject of the template."""

    lemma: str
    form: str
    sense: str | None
    role: str
    determined: bool


class Fact(NamedTuple):
    """``$name.form``: a fact of the event, or a word about one of its roles."""

    name: str
    form: str


class Literal(NamedTuple):
    """A word that is written out."""

    entry: Entry
    determined: bool


class Template(NamedTuple):
    """A text, read: its parts, and the role that verbs agree with."""

    parts: tuple[Slot | VerbSlot | Fact | Literal, ...]
    subject: str


_SLOT = re.compile(r"\[([A-Z]\d?)(?:\.(\w+))?(!?)\]")
_VERB = re.compile(r"<([\w-]+)(?::(\w+))?(?:\.(\w+))?(?:@([A-Z]\d?))?(!?)>")
_FACT = re.compile(r"\$(\w+)(?:\.(\w+))?")

_NO_SUBJECT = ("p", "his", "at", "to", "rel", "o")  # modes in which a slot cannot be one
_NO_OBJECT_AFTER = ("do", "be", "say", "ask", "begin", "write", "like", "than")


def wording(text: str) -> Frame | Line:
    """Read a wording of the table.

    Raises
    ------
    ValueError
        Where the text is neither a line nor a frame.
    """
    if text.startswith("A|") and text.count("|") in (2, 4):
        return Frame(*text.split("|")[1:])
    name, colon, line = text.partition(": ")
    if not colon or "|" in text:
        raise ValueError(f"{text!r} is no wording: write 'name: text', 'A|verb|rest' or 'A|verb|rest|T|rest'")
    return Line(name, line)


@cache
def read(text: str) -> Template:
    """Read a text with slots.

    Raises
    ------
    ValueError
        Where a word is unknown.
    """
    parts: list[Slot | VerbSlot | Fact | Literal] = []
    for token in text.split():
        if match := _SLOT.fullmatch(token):
            mode = match[2] or ("o" if parts and _takes_object(parts[-1]) else "")
            parts.append(Slot(match[1], mode, bool(match[3])))
        elif match := _VERB.fullmatch(token):
            lemma, meaning, form, role, mark = match.groups()
            sense = f"{lemma}.{meaning}" if meaning else None
            parts.append(VerbSlot(lemma, form or "", sense, role or "", bool(mark)))
        elif match := _FACT.fullmatch(token):
            parts.append(Fact(match[1], match[2] or ""))
        else:
            determined = token.endswith("!") and len(token) > 1
            parts.append(Literal(look_up(token.removesuffix("!") if determined else token), determined))
    slots = [part for part in parts if isinstance(part, Slot)]
    subjects = [slot.role for slot in slots if slot.mode not in _NO_SUBJECT] + [slot.role for slot in slots]
    return Template(tuple(parts), subjects[0] if subjects else "")


def _takes_object(before: Slot | VerbSlot | Fact | Literal) -> bool:
    """Say whether a noun phrase after this stands in the object case: after a verb or a preposition."""
    if isinstance(before, VerbSlot):
        return before.lemma not in _NO_OBJECT_AFTER
    return (
        isinstance(before, Literal)
        and before.entry.pos == "ADP"
        and before.entry.lemma not in _NO_OBJECT_AFTER
    )


@cache
def second(text: str) -> str:
    """Return a text with other names for roles and facts, so that it can share a sentence with another event.

    Examples
    --------
    >>> second("<give@B> [T.the!] a $colour ribbon")
    '<give@B2> [T2.the!] a $colour2 ribbon'
    """
    text = re.sub(r"\[([A-Z])(?=[.\]!])", r"[\g<1>2", text)
    text = re.sub(r"@([A-Z])(?=[!>])", r"@\g<1>2", text)
    return re.sub(r"\$(\w+)", r"$\g<1>2", text)
