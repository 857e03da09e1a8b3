"""A pattern turned into sentences: its slots are drawn, its verbs agree, its pronouns are clear."""

from __future__ import annotations

import re
from itertools import count

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.town import PERSON
from bertviz_lite.world.grammar.clauses import Manner
from bertviz_lite.world.grammar.notation import Slot
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.grammar.tokens import Token, genitive_of, literal, mark
from bertviz_lite.world.grammar.verb_groups import Agreement, finite_form
from bertviz_lite.world.grammar.words import MODALS, can_be, comparison
from bertviz_lite.world.life.describing.drawing import Drawing, Drawn
from bertviz_lite.world.life.describing.nouns import SceneNouns, is_placed
from bertviz_lite.world.life.describing.reading import Pattern, choose, pattern_of_tense, patterns
from bertviz_lite.world.life.describing.said import doing, may_be_said
from bertviz_lite.world.life.telling import Telling

# How often each table is drawn.
SHARES = {"agreement": 24, "pronouns": 14, "asking": 14, "times": 13, "verbs": 12, "there": 8, "counting": 8, "comparing": 7,
          "speaking": 8, "scenes": 10}  # fmt: skip
_NUMBERS = (
    "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
)
_OPPOSITES = dict(
    pair.split()
    for pair in """tall short, short tall, old young, young old, strong weak, weak strong, fast slow, slow fast, big small,
    small big, heavy light, light heavy, long short, good bad, bad good, happy sad, clean dirty, dirty clean, cheap dear,
    dear cheap, warm cold, cold warm, full empty, wide narrow, loud quiet, quiet loud, new old, hot cold, dry wet, wet dry,
    easy hard, hard easy, kind unkind, large small, little big, narrow wide, rich poor, poor rich, early late""".split(",")
)
_PRONOUN_CASES = {"he": "subject", "him": "object", "his": "possessive", "hers": "absolute", "self": "self"}
_PIECE = re.compile(r"(\$?[A-Za-z]+(?:-n't)?)(?:\.([a-z]+))?(?:@([A-Z]+)(?:=([a-z]+))?)?('s)?")
_AUXILIARIES = {"has": "have", "does": "do", "be": "be"}


class Unclear(Exception):
    """What was drawn does not fit the pattern."""


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
        except Unclear:
            if attempt > 60:
                raise
            continue
        for tokens in sentences:
            telling.say(tokens, pattern.name)
        return


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
        self.slots: dict[str, Drawn] = {}
        self.values: dict[str, object] = {}
        self.told: set[str] = set()
        self.heads: dict[str, Token] = {}
        self.waiting: list[tuple[Token, str]] = []
        self.tense = "past" if self.dice.chance(0.5) else "present"
        self.quoting = False
        self.body = ""

    def write(self) -> list[list[Token]]:
        """Return the words of all sentences."""
        for item in self.pattern.head:
            if item in ("past", "present"):
                self.tense = item
        self.telling.tense = self.tense
        self.body = choose(pattern_of_tense(self.pattern.body, self.tense), self.dice.pick)
        for item in self.pattern.head:
            self._declare(item)
        self._check_pronouns()
        self.nouns.placed = is_placed(self.body) or any(
            is_placed(value) for value in self.values.values() if isinstance(value, str)
        )
        sentences = []
        for sentence in self.body.split(" // "):
            self.heads.clear()
            self.waiting.clear()
            self.quoting = False
            tokens = self._sentence(sentence.split())
            for verb, letter in self.waiting:
                verb.subject = self.heads.get(letter[0])
            sentences.append(tokens)
            self.telling.memory.sentence += 1
        return sentences

    # What the head declares.

    def _declare(self, item: str) -> None:
        name, sign, rest = item.partition(":")
        if sign and not name.startswith("$"):
            drawn = self.drawing.draw(rest)
            if name.startswith("!"):
                name = name[1:]
            self.slots[name] = drawn
            if drawn.speaks:
                self._speak(drawn)
            return
        if not item.startswith("$"):
            return
        name, _, value = item.partition("=")
        way, colon, letter = value.partition(":")
        if colon:
            drawn = self.slots[letter]
            try:
                entries = may_be_said(way.rstrip("!"), drawn.kinds)
            except ValueError:
                raise Unclear from None
            if way.endswith("!"):
                entries = tuple(entry for entry in entries if not is_placed(entry))
            used = {value for value in self.values.values() if isinstance(value, str)}
            free = [entry for entry in entries if entry not in used] or list(entries)
            self.values[name] = self.dice.pick(free)
        elif ".." in value:
            low, high = value.split("..")
            self.values[name] = self._number(low) + self.dice.below(self._number(high) - self._number(low) + 1)
        elif re.fullmatch(r"\$\w+[-+*]\$?\w+", value):
            self.values[name] = self._number(value)
        else:
            self.values[name] = self.dice.pick(value.split("/")).replace("_", " ")

    def _speak(self, drawn: Drawn) -> None:
        one = drawn.referent.members[0] if drawn.referent.members else drawn.referent
        if drawn.speaks == "you":
            self.telling.phrases.addressee = one
        else:
            self.telling.phrases.speaker = one

    def _number(self, text: str) -> int:
        for sign in "-+*":
            left, found, right = text.partition(sign)
            if found:
                a, b = self._number(left), self._number(right)
                return a - b if sign == "-" else a + b if sign == "+" else a * b
        return int(self.values[text]) if text.startswith("$") else int(text)  # type: ignore[call-overload]

    def _check_pronouns(self) -> None:
        """Refuse a scene in which a pronoun of the pattern could be another's."""
        wanted = set(re.findall(r"\b([A-Z])\.(?:he|him|his|hers)\b", self.body))
        if "!" in "".join(item for item in self.pattern.head if ":" in item):
            return
        person = self.telling.phrases.person
        shown = [letter for letter in self.slots if re.search(rf"(?<![A-Za-z]){letter}(?![A-Za-z])", self.body)]
        for letter in wanted:
            mine = self.slots[letter].referent
            for other in shown:
                theirs = self.slots[other].referent
                if other != letter and person(mine).person == 3 and person(theirs).person == 3:
                    same = mine.pronoun == theirs.pronoun
                    if same or (mine.many and theirs in mine.members):
                        raise Unclear

    # Words.

    def _sentence(self, pieces: list[str]) -> list[Token]:
        tokens: list[Token] = []
        for place, piece in enumerate(pieces):
            rest = pieces[place + 1 :]
            tokens += self._piece(piece, tokens, rest)
        return _tidied(tokens)

    def _piece(self, piece: str, before: list[Token], rest: list[str]) -> list[Token]:
        if piece in (",", ".", "?", "!", ":", '"'):
            return [mark(piece)]
        if "'" in piece and piece != "o'clock" and "@" not in piece and not re.fullmatch(r"[A-Z]'s", piece):
            return self._apostrophe(piece, before)
        match = _PIECE.fullmatch(piece)
        if match is None:
            return [self._literal(piece, before)]
        word, way, letter, tense, genitive = match.groups()
        if word.startswith("$"):
            return self._value(word, way, letter, tense)
        if letter is not None:
            return self._verb(word, letter, tense or self.tense, before, rest)
        if len(word) == 1 and word in self.slots:
            return self._mention(word, way or ("possessive" if genitive else ""), before, rest)
        return [self._literal(piece, before)]

    def _apostrophe(self, text: str, before: list[Token]) -> list[Token]:
        """Return *didn't*, *I'm*, *Anna's*, *boys'*."""
        if text.endswith("n't"):
            base = {"won't": "will", "can't": "can"}.get(text, text.removesuffix("n't"))
            token = literal(base, "AUX")
            token.text = text
            return [token]
        word, _, end = text.partition("'")
        first = self._literal(word, before)
        if first.pos in ("NOUN", "PROPN"):
            return [first, Token("'" + end, "'s", "PART", glued=True)]
        if word.lower() == "let":
            first.pos, first.lemma, first.form = "VERB", "let", "base"
            return [first, Token("'s", "us", "PRON", "plural", glued=True)]
        lemma = {"'m": "be", "'re": "be", "'s": "be", "'ve": "have", "'ll": "will", "'d": "would"}["'" + end]
        form = {"'m": "base", "'re": "base", "'ve": "base", "'s": "s"}.get("'" + end)
        return [first, Token("'" + end, lemma, "AUX", form, glued=True, subject=first if form else None)]

    def _literal(self, text: str, before: list[Token]) -> Token:
        word, _, pos = text.partition("_")
        if pos:
            return literal(word, pos)
        if word in ("%past", "%habit", "%future", "%now"):
            raise ValueError(word)
        previous = before[-1] if before else None
        wanted: tuple[str, ...] = ("ADP", "CCONJ", "ADJ", "ADV", "NOUN", "VERB")
        if previous is None or previous.pos in ("PUNCT", "SCONJ", "CCONJ"):
            wanted = ("INTJ",) if word.lower() in ("yes", "no") else ("PRON", "SCONJ", "DET", "AUX", "ADV", "VERB")
        elif previous.lemma in MODALS or previous.lemma in ("to", "n't", "do"):
            wanted = ("VERB", "AUX")
            if previous.lemma == "to" and (word == "be" or can_be(word, "VERB")):
                previous.pos = "PART"
            elif previous.lemma == "to":
                wanted = ("DET", "NOUN")
        elif previous.pos in ("DET", "ADJ", "NUM"):
            wanted = ("NOUN", "ADJ", "ADP")
        elif previous.pos in ("NOUN", "PROPN", "PRON"):
            wanted = ("ADP", "CCONJ", "ADV", "VERB", "AUX")
        try:
            return literal(word, *wanted)
        except ValueError:
            if not word[0].isupper():
                raise
            return Token(word, word, "PROPN", "singular", name="person" if word in PERSON else "place")

    def _value(self, name: str, way: str | None, letter: str | None, tense: str | None) -> list[Token]:
        value = self.values[name]
        if isinstance(value, int):
            word = _NUMBERS[value]
            return [literal(word, "NUM", "DET")]
        text = str(value)
        if way in ("er", "est", "anti", "antier", "antiest"):
            return self._compared(text, way)
        if letter is not None or way in ("base", "ing", "pp"):
            return self._doing(text, way, letter, tense)
        if way == "pl":
            from bertviz_lite.world.english.grammar import plural

            return [literal(plural(text), "NOUN")]
        tokens: list[Token] = []
        for word in text.split():
            tokens.append(self._literal(word, tokens) if tokens else literal(word, "ADJ", "NOUN", "ADV", "ADP"))
        return tokens

    def _compared(self, adjective: str, way: str) -> list[Token]:
        if way.startswith("anti"):
            adjective, way = _OPPOSITES[adjective], way.removeprefix("anti")
        if not way:
            return [literal(adjective, "ADJ")]
        forms = comparison(adjective)
        if forms is not None:
            return [literal(forms[0 if way == "er" else 1], "ADJ")]
        return [literal("more" if way == "er" else "most", "ADV"), literal(adjective, "ADJ")]

    def _doing(self, text: str, way: str | None, letter: str | None, tense: str | None) -> list[Token]:
        clause = doing(text)
        owner = letter or next((name for name in self.slots), "")
        referent = self.slots[owner].referent if owner else Referent("person", "girl", "f")
        bindings = self._bind(clause, referent, f"{text}/{owner}")
        phrases = self.telling.phrases
        plain, phrases.plain = phrases.plain, True
        if way in ("base", "ing", "pp"):
            manner = Manner(self.tense, {"pp": "participle"}.get(way, way))
        else:
            manner = Manner(tense or self.tense, subject=False)
        tokens = self.telling.clauses.tell(clause, bindings, manner)
        phrases.plain = plain
        for token in tokens:
            if token.subject is not None:
                self.waiting.append((token, owner))
        return tokens

    def _bind(self, clause, referent: Referent, key: str) -> dict[str, Referent]:  # noqa: ANN001
        kept = self.values.get(key)
        if isinstance(kept, dict):
            return kept
        bindings = {"R": referent}
        for phrase in clause.phrases:
            for part in phrase:
                if isinstance(part, Slot) and part.letter not in bindings:
                    other = self.drawing.draw(part.type or "person").referent
                    if not other.name:
                        other.determiner = self.dice.pick(("the", "two", "some", "the") if other.many else ("the", "a"))
                    if other.mass:
                        other.determiner = "some"
                    bindings[part.letter] = other
        self.values[key] = bindings
        return bindings

    def _verb(self, word: str, letter: str, tense: str, before: list[Token], rest: list[str]) -> list[Token]:
        negated = word.endswith("-n't")
        name = word.removesuffix("-n't")
        lemma = _AUXILIARIES.get(name, name)
        agreement = self._agreement(letter)
        text, form = finite_form(lemma, tense, agreement)
        finite = Token(text, lemma, "AUX" if name in _AUXILIARIES else "VERB", form)
        if lemma == "be" or tense == "present":
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
        if drawn.joined and letter not in self.told:
            return Agreement(3, drawn.referent.many)
        return self.telling.phrases.person(drawn.referent)

    # Mentions.

    def _mention(self, letter: str, way: str, before: list[Token], rest: list[str]) -> list[Token]:
        drawn = self.slots[letter]
        referent = drawn.referent
        phrases, memory = self.telling.phrases, self.telling.memory
        speaks = phrases.person(referent).person != 3
        if way in _PRONOUN_CASES or speaks:
            case = _PRONOUN_CASES.get(way, "possessive" if way == "possessive" else "")
            case = case or ("subject" if not self.told_as_object(before) else "object")
            if speaks:
                agreement = phrases.person(referent)
                key = "we" if agreement.many else "I"
                if agreement.person == 2:
                    key = "you all" if agreement.many else "you"
            else:
                key = referent.pronoun
            token = phrases.pronoun(key, case, referent)
            self.told.add(letter)
            if case in ("subject",):
                self.heads[letter] = token
            memory.mention(referent)
            return [token]
        tokens, head = self._named(letter, drawn, way, before, rest)
        self.told.add(letter)
        if head is not None:
            self.heads[letter] = head
        return tokens

    def told_as_object(self, before: list[Token]) -> bool:
        """Say whether what comes now follows a verb or a preposition."""
        if not before:
            return False
        last = before[-1]
        if last.pos in ("ADP",) and last.lemma not in ("than", "as"):
            return True
        return last.pos == "VERB"

    def _named(
        self, letter: str, drawn: Drawn, way: str, before: list[Token], rest: list[str]
    ) -> tuple[list[Token], Token | None]:
        referent, phrases, memory = drawn.referent, self.telling.phrases, self.telling.memory
        if way in ("", "possessive") and letter not in self.told:
            subject = bool(rest) and "@" in rest[0] and way == ""
            self.nouns.definite = bool(before) and before[-1].text not in (",", '"') or (
                any(sign in self.body for sign in ("?", "!", "//")) or len(self.slots) > 1
            )
            tokens, agreement = self.nouns.first(drawn, 0.5 if subject and len(self.slots) < 3 else 0.2 if way == "" else 0.0)
            if way == "possessive":
                tokens = [*tokens[:-1], *genitive_of(tokens[-1])]
            return tokens, agreement.head
        if way in ("", "possessive"):
            plain, phrases.plain = phrases.plain, True
            if drawn.joined:
                raise ValueError("a joined subject has no second mention")
            if referent.members:
                tokens, _ = phrases.refer(referent, "subject")
            elif referent.name:
                tokens = phrases._named(referent, True)
                tokens[0].entity = referent.chain
                for token in tokens:
                    token.entity = referent.chain if token.pos != "DET" else None
            else:
                tokens = [literal("the", "DET"), phrases.noun(referent)]
            phrases.plain = plain
            memory.mention(referent)
            if way == "possessive":
                tokens = [*tokens[:-1], *genitive_of(tokens[-1])]
                return tokens, tokens[-2]
            return tokens, next((token for token in tokens if token.entity is not None), tokens[-1])
        if referent.members or referent.name or not referent.noun:
            raise Unclear
        noun = phrases.noun(referent)
        many = referent.many
        memory.mention(referent)
        looks = [literal(word, "ADJ") for word in referent.adjectives]
        self._lemmas(noun)
        if way == "noun":
            return [*looks, noun], noun
        if way == "bare":
            return [noun], noun
        if way == "one":
            token = Token("ones" if many else "one", "one", "PRON", "plural" if many else "singular", entity=referent.chain)
            return [token], token
        if way in ("this", "that"):
            text = {"this": "these", "that": "those"}[way] if many else way
            return [literal(text, "DET"), *looks, noun], noun
        if way in ("dem", "dems"):
            text = ("these" if way == "dem" else "those") if many else ("this" if way == "dem" else "that")
            token = literal(text, "PRON")
            token.entity = referent.chain
            return [token], token
        if way == "a":
            if referent.mass:
                start = "some"
            else:
                start = self.dice.pick(("some", "two", "three", "some", "many", "a few")) if many else "a"
            return [*[literal(word, "DET", "NUM") for word in start.split()], *looks, noun], noun
        if way == "any":
            start = "any" if many or referent.mass else "a"
            return [literal(start, "DET"), *looks, noun], noun
        if way == "the":
            return [literal("the"), *looks, noun], noun
        return [literal(way, "DET", "NUM"), noun], noun

    def _lemmas(self, token: Token) -> None:
        self.telling.memory.lemmas.add(token.lemma)


def _tidied(tokens: list[Token]) -> list[Token]:
    """Take out a comma before another mark or at the beginning."""
    kept: list[Token] = []
    for token in tokens:
        if token.text in (",", ".", "?", "!") and kept and kept[-1].text == ",":
            kept.pop()
        kept.append(token)
    return kept
