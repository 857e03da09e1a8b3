"""A pattern turned into sentences: its slots are drawn, its verbs agree, its pronouns are clear."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import count

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.grammar.clauses import Manner
from bertviz_lite.world.grammar.notation import Clause, Slot
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.grammar.tokens import Token, literal, mark
from bertviz_lite.world.grammar.verb_groups import Agreement, finite_form
from bertviz_lite.world.life.describing.continuing import Continuing, is_dynamic
from bertviz_lite.world.life.describing.drawing import Drawing, UnclearError
from bertviz_lite.world.life.describing.naming import Naming
from bertviz_lite.world.life.describing.nouns import SceneNouns
from bertviz_lite.world.life.describing.opening import opened
from bertviz_lite.world.life.describing.reading import BARE, Pattern, choose, pattern_of_tense, patterns
from bertviz_lite.world.life.describing.relatives import is_placed
from bertviz_lite.world.life.describing.said import doing, has_happened
from bertviz_lite.world.life.describing.scene import USUAL, Scene
from bertviz_lite.world.life.describing.words.single_words import (
    NUMBERS,
    compared,
    names_twice,
    tidied,
    with_apostrophe,
    written_out,
)
from bertviz_lite.world.life.describing.words.subjects import link_subjects, may_agree
from bertviz_lite.world.life.making.telling import Telling

# How often each table is drawn.
SHARES = {"agreement": 18, "across": 30, "pronouns": 20, "asking": 34, "times": 13, "verbs": 12, "there": 8,
          "counting": 8, "comparing": 7, "speaking": 8, "scenes": 10, "order": 50, "days": 41,
          "subjects": 130, "deciding": 50}  # fmt: skip
_PIECE = re.compile(r"(\$?[A-Za-z]+(?:-n't)?)(?:\.([a-z]+))?(?:@([A-Z]+)(?:=([a-z]+))?)?('s)?")
_AUXILIARIES = {"has": "have", "does": "do", "be": "be"}


def tell_description(telling: Telling) -> None:
    """Tell some sentences of what is true in a scene."""
    tables = patterns()
    names = tuple(name for name in tables for _ in range(SHARES.get(name, 10)))
    pattern = telling.dice.pick(tables[telling.dice.pick(names)])
    write(telling, pattern)


def write(telling: Telling, pattern: Pattern) -> None:
    """Write one pattern; what does not fit is drawn again."""
    for attempt in count():
        trial = telling if attempt == 0 else _again(telling, attempt)
        try:
            sentences = Writing(trial, pattern).write()
            if attempt < 30 and any(names_twice(tokens) for tokens in sentences):
                raise UnclearError
        except UnclearError:
            if attempt > 60:
                raise
            continue
        if attempt < 30 and _is_bare(sentences) and trial.dice.chance(0.7):
            continue
        for tokens in sentences:
            telling.say(tokens, pattern.name)
        return


def _is_bare(sentences: list[list[Token]]) -> bool:
    """Say whether it is one sentence of a few words only, *The boys ran*."""
    return len(sentences) == 1 and sum(token.pos != "PUNCT" for token in sentences[0]) < 6


def _again(telling: Telling, attempt: int) -> Telling:
    fresh = Telling(Dice(f"{telling.dice.random()}/{attempt}"))
    telling.__dict__.update(fresh.__dict__)
    return telling


class Writing:
    """One pattern being written."""

    def __init__(self, telling: Telling, pattern: Pattern) -> None:
        self.telling = telling
        self.dice = telling.dice
        self.pattern = pattern
        self.drawing = Drawing(self.dice, telling.cast)
        self.nouns = SceneNouns(telling, self.drawing)
        self.scene = Scene(telling, self.drawing)
        self.slots = self.scene.slots
        self.naming = Naming(telling, self.nouns, self.slots)
        self.nouns.short = pattern.name in BARE
        self.waiting: list[tuple[Token, str]] = []
        self.tense = "past" if self.dice.chance(0.5) else "present"
        self.quoting = False
        self.continuing = Continuing(telling, self.drawing)
        self.after: list[Token] = []  # a sentence that follows
        self.body = ""
        self.last: tuple[int, Token | None] = (-1, None)  # where the last slot's words end, and its head

    def write(self) -> list[list[Token]]:
        """Return the words of all sentences."""
        for item in self.pattern.head:
            if item in ("past", "present"):
                self.tense = item
        self.telling.tense = self.tense
        self.body = choose(pattern_of_tense(self.pattern.body, self.tense), self.dice.pick)
        self.scene.body = self.body
        for item in self.pattern.head:
            self.scene.declare(item)
        self.scene.check_pronouns(self.body)
        compared = self.pattern.name == "comparing"
        self.nouns.questioned = compared or any(sign in self.body for sign in "?!")
        self.nouns.definite_all = self.nouns.questioned or "//" in self.body or len(self.slots) > 1
        self.nouns.relatives.placed = is_placed(self.body) or self.scene.placed
        sentences = []
        for place, written in enumerate(self.body.split(" // ")):
            sentence = written if place else opened(written, self.scene, self.pattern.name)
            self.naming.heads.clear()
            self.waiting.clear()
            self.quoting = False
            tokens = self._sentence(sentence.split())
            for verb, letter in self.waiting:
                verb.subject = self.naming.heads.get(letter[0])
            link_subjects(tokens, self.tense)
            sentences.append(tokens)
            if self.after:
                sentences.append(self.after)
                self.after = []
            self.telling.memory.sentence += 1
        return sentences

    # Words.

    def _sentence(self, pieces: list[str]) -> list[Token]:
        tokens: list[Token] = []
        self.last = (-1, None)
        for place, piece in enumerate(pieces):
            rest = pieces[place + 1 :]
            tokens += self._piece(piece, tokens, rest)
        return tidied(tokens)

    def _piece(self, piece: str, before: list[Token], rest: list[str]) -> list[Token]:
        if piece in (",", ".", "?", "!", ":", '"'):
            return [mark(piece)]
        if "'" in piece and piece != "o'clock" and "@" not in piece and not re.fullmatch(r"[A-Z]'s", piece):
            return with_apostrophe(piece, before)
        if piece == "neither":  # neither of them; neither the cat nor the dog
            return [literal(piece, "PRON" if rest[:1] == ["of"] else "CCONJ")]
        match = _PIECE.fullmatch(piece)
        if match is None:
            return [written_out(piece, before)]
        word, way, letter, tense, genitive = match.groups()
        if word.startswith("$"):
            return self._value(word, way, letter, tense)
        if letter is not None:
            return self._verb(word, letter, tense or self.tense, rest)
        if len(word) == 1 and word in self.slots:
            way = way or ("possessive" if genitive else "")
            named = self.naming.mention(word, way, before, subject=bool(rest) and "@" in rest[0])
            if way in ("", "far", "he", "the", "a", "bare", "this", "that", "any"):
                self.last = (len(before) + len(named), self.naming.heads.get(word))
            return named
        token = written_out(piece, before)
        if self.last[0] == len(before) and may_agree(token) and not _unlike(token, self.last[1]):
            token.subject = self.last[1]
        return [token]

    def _value(self, name: str, way: str | None, letter: str | None, tense: str | None) -> list[Token]:
        value = self.scene.values[name]
        if way == "more":
            return self._more(str(value))
        if isinstance(value, int):
            word = NUMBERS[value]
            return [literal(word, "NUM", "DET")]
        text = str(value)
        if way in ("er", "est", "anti", "antier", "antiest"):
            return compared(text, way)
        if letter is not None or way in ("base", "ing", "pp"):
            return self._doing(text, way, letter, tense)
        tokens: list[Token] = []
        for word in text.split():
            tokens.append(written_out(word, tokens) if tokens else literal(word, "ADJ", "NOUN", "ADV", "ADP"))
        return tokens

    def _more(self, entry: str) -> list[Token]:
        """Return what goes on after what was said; a sentence of its own waits for the end of this one."""
        letter = self.scene.owners.get(entry, "")
        if not letter or self.dice.chance(0.35):
            return []
        usual = USUAL.search(self.body) is not None
        way, tokens = self.continuing.after(self.slots[letter], entry, self.tense, usual=usual)
        if way == ".":
            self.after = tokens
            return []
        return tokens

    def _doing(self, text: str, way: str | None, letter: str | None, tense: str | None) -> list[Token]:
        clause = doing(text)
        if letter and self.scene.ways.get(text) == "who" and has_happened(text):
            tense = "past"
        owner = letter or self.scene.owners.get(text, "")
        several = [self.slots[one].referent for one in owner]
        referent = several[0] if len(several) == 1 else self.telling.cast.group(*several)
        bindings = self._bind(clause, referent, f"{text}/{owner}")
        phrases = self.telling.phrases
        plain, phrases.plain = phrases.plain, True
        if letter and (tense or self.tense) == "present" and self._goes_on(clause, owner):
            clause = replace(clause, verb=clause.verb._replace(progressive=True))
        if way in ("base", "ing", "pp"):
            manner = Manner(self.tense, {"pp": "participle"}.get(way, way))
        else:
            manner = Manner(tense or self.tense, subject=False)
        tokens = self.telling.clauses.tell(clause, bindings, manner)
        phrases.plain = plain
        if owner not in self.naming.told:
            self.telling.memory.unmention(referent)
        for token in tokens:
            if token.subject is not None:
                self.waiting.append((token, owner))
        return tokens

    def _goes_on(self, clause: Clause, owner: str) -> bool:
        """Say whether what is done is done just now, *is reading*: nothing says how often, when or if."""
        alive = all(self.slots[one].kinds[-1] in ("people", "animal") for one in owner)
        return alive and is_dynamic(clause.verb) and not _NOT_NOW.search(self.body)

    def _bind(self, clause: Clause, referent: Referent, key: str) -> dict[str, Referent]:
        kept = self.scene.values.get(key)
        if isinstance(kept, dict):
            return kept
        bindings = {"R": referent}
        for phrase in clause.phrases:
            for part in phrase:
                if isinstance(part, Slot) and part.letter not in bindings:
                    one = ".sg" if part.determiner in ("a", "an") and "." not in part.type else ""
                    other = self.drawing.draw((part.type or "person") + one).referent
                    if part.determiner:
                        other.determiner = part.determiner
                    elif not other.name:
                        other.determiner = self.dice.pick(
                            ("the", "two", "some", "the") if other.many else ("the", "a")
                        )
                    if other.mass:
                        other.determiner = "some"
                    bindings[part.letter] = other
        self.scene.values[key] = bindings
        return bindings

    def _verb(self, word: str, letter: str, tense: str, rest: list[str]) -> list[Token]:
        negated = word.endswith("-n't")
        name = word.removesuffix("-n't")
        lemma = _AUXILIARIES.get(name, name)
        agreement = self._agreement(letter)
        text, form = finite_form(lemma, tense, agreement)
        finite = Token(text, lemma, "AUX" if name in _AUXILIARIES else "VERB", form)
        inverted = self.slots[letter[0]].joined and letter not in self.naming.told
        if (lemma == "be" or tense == "present") and not inverted:
            self.waiting.append((finite, letter))
        if not negated:
            return [finite]
        if text != "am" and self.dice.chance(0.6):
            finite.text += "n't"
            return [finite]
        asks = bool(rest) and re.fullmatch(r"[A-Z](\.\w+)?", rest[0]) is not None
        if asks and text != "am":
            finite.text += "n't"
            return [finite]
        return [finite, Token("not", "not", "PART")]

    def _agreement(self, letter: str) -> Agreement:
        if len(letter) > 1:  # of several: A and B
            first = any(self._agreement(one).person == 1 for one in letter)
            return Agreement(1 if first else 3, True)
        drawn = self.slots[letter]
        if drawn.joined and letter not in self.naming.told:
            return Agreement(3, drawn.joined[1].many)  # of the nearest, in a question
        return self.telling.phrases.person(drawn.referent)


_NOT_NOW = re.compile(
    USUAL.pattern
    + r"|\b(?:if|when|before|after|until|unless|who|which|nobody|everybody|everyone|somebody|does)\b"
    r"|[@=]present(?! \w)|how often|also|only|soon|than|still|longer"
)


def _unlike(verb: Token, head: Token | None) -> bool:
    """Say whether a verb that is written out cannot be that of a word before it."""
    if head is None or (verb.form == "base" and verb.lemma != "be"):
        return True
    singular = verb.form == "s" or verb.text == "was"
    return singular == (head.form == "plural")
