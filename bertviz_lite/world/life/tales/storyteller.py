"""A script told step by step: with an opening, speech, causes, and an end."""

from __future__ import annotations

from bertviz_lite.world.events.tables import entries, words
from bertviz_lite.world.grammar.notation import Clause, Noun, Slot, Text, parts_of
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.grammar.tokens import Token, literal, mark, written
from bertviz_lite.world.life.knowledge.reading import Asked, Speech, Step
from bertviz_lite.world.life.making.several import with_several
from bertviz_lite.world.life.making.telling import Telling, is_event
from bertviz_lite.world.life.tales.endings import close_story, describe
from bertviz_lite.world.life.tales.joining import Joining
from bertviz_lite.world.life.tales.news import contrasts, same_subject, timed, unlucky
from bertviz_lite.world.life.tales.openings import TIME_WORDS, after_habit, open_story
from bertviz_lite.world.life.tales.plans import Plan, changed
from bertviz_lite.world.life.tales.players import Player, Players
from bertviz_lite.world.life.tales.present import present_tense
from bertviz_lite.world.life.tales.traits import clauses_of
from bertviz_lite.world.life.talk.talking import quote

_LINKS = entries(
    """then, then, then, soon, soon, after that, a little later, a moment later, after a while,
    after a few minutes"""
)
_JUST_THEN = entries("just then, at that moment, suddenly")
_COMING = frozenset(words("come hear see knock open call arrive"))
_PASSING = frozenset(words("day night week month year winter summer autumn spring morning evening"))
_AFTER_SPEECH = entries("then, then, then, soon, after that")
_IN_THE_END = entries("at last, at last, in the end, in the end")
_LATE = entries("in the evening, that evening, in the afternoon, later, an hour later, after an hour")
_DONE_LATE = frozenset(words("tell show eat write cook paint sing read drink sew knit play draw"))
_SUDDEN = frozenset(words("fall jump fly run break begin hear bark come knock ring shake"))
_SO_NOW = 0.6  # how often what is so now in a story of the past is told in the present
_SEVERAL = 0.75  # how often what may be several is
_LONGEST = 22  # words of two steps that are told in one sentence


class Storyteller:
    """Tells a script.

    Parameters
    ----------
    telling
        The text.
    plan
        The script.
    """

    def __init__(self, telling: Telling, plan: Plan) -> None:
        self.telling = telling
        self.dice = telling.dice
        self.plan = plan
        self.joining = Joining(telling)
        self.players = Players(telling, plan)
        self.seen: set[int] = set()
        self.before: Clause | None = None
        self.fronted = True
        self.told: list[Clause] = []

    def tell(self, kept: dict[str, Player] | None = None, time: list[Token] | None = None) -> None:
        """Tell the script from beginning to end; some of its people may be kept from another."""
        telling = self.telling
        telling.bindings = {}
        telling.tense = self.plan.tense or telling.tense
        self.players.cast(kept)
        steps = self._steps()
        telling.bind([clause for step in steps for clause in clauses_of(step)], keep=True)
        self._simplify(kept or {})
        if steps[0].now:
            front: list[Token] = []
        elif time is not None:
            front = time
        else:
            first = (*steps[0].causes, *steps[0].clauses)
            timely = bool(first) and may_have_time(first[0])
            front = open_story(telling, self.plan, self.players, timely=timely)
        place = 0
        while place < len(steps):
            step = steps[place]
            self.told += [*step.causes, *step.clauses]
            if step.now or (place == len(steps) - 1 and self._is_so_now(step)):
                with present_tense(telling):
                    self._in_present(step)
                place += 1
                if place < len(steps) and len(self.told) == len((*step.causes, *step.clauses)):
                    front = after_habit(telling, self.plan)
                continue
            following = steps[place + 1] if place + 1 < len(steps) else None
            if step.speech is not None:
                self._speak(step.speech)
                self.before = None
                front = []
            elif step.causes:
                self._with_cause(step, front)
                self.before = step.clauses[-1]
                front = []
            else:
                clauses = step.clauses
                if following is not None and self._may_join(step, following):
                    clauses = (*clauses, *following.clauses)
                    place += 1
                self._plain(clauses, front, left=len(steps) - place - 1)
                front = []
            place += 1
            self._forget_details()
            if step.speech is None:
                describe(telling, self.plan, self.seen, step.clauses[-1])
                self._note_things(step)

    def close(self) -> None:
        """Perhaps add a closing sentence."""
        close_story(self.telling, self.plan, self.players, self.before, self.told)

    # What is told.

    def _steps(self) -> list[Step]:
        """Return the steps that are told: one of each choice, most of the optional ones."""
        dice = self.dice
        steps: list[Step] = []
        decided: set[int] = set()
        for step in self.plan.steps:
            if step.choice:
                if step.choice in decided:
                    continue
                decided.add(step.choice)
                step = dice.pick([other for other in self.plan.steps if other.choice == step.choice])
            if step.optional and dice.chance(0.25):
                continue
            steps.append(step)
        labels = {label for label in sorted(self.plan.counted) if dice.chance(_SEVERAL)}
        if labels:
            steps = [changed(step, lambda clause: with_several(clause, labels, dice)) for step in steps]
        return steps

    def _simplify(self, kept: dict[str, Player]) -> None:
        """Let things and animals come into the story one at a time, without other stories about them."""
        known = {player.referent.chain for player in kept.values()}
        for step in self.plan.steps:
            for part in (part for clause in clauses_of(step) for part in parts_of(clause)):
                letter = part.letter if isinstance(part, Slot) else getattr(part, "label", "")
                one = self.telling.bindings.get(letter)
                if one is None or one.kind in ("person", "group") or one.chain in known:
                    continue
                one.details = []
                if isinstance(part, Slot) and part.type and not part.determiner and not one.mass:
                    if one.many and one.determiner not in ("two", "three", "four", "five"):
                        one.determiner = "some"
                    elif not one.many and one.determiner == "the":
                        one.determiner = "a"

    def _note_things(self, step: Step) -> None:
        """Note what has come into the story: it is described at once or never."""
        for clause in clauses_of(step):
            for part in parts_of(clause):
                letter = getattr(part, "label", "") or getattr(part, "letter", "")
                if letter in self.telling.bindings:
                    self.seen.add(self.telling.bindings[letter].chain)

    def _forget_details(self) -> None:
        for player in self.players.by_letter.values():
            if self.telling.memory.mentioned(player.referent):
                player.referent.details = []

    # Steps.

    def _in_present(self, step: Step) -> None:
        """Tell a step in the present: what is always so, how it is still."""
        if step.speech is not None:
            self._speak(step.speech)
            self.before = None
            return
        if step.causes:
            self._with_cause(step, [])
        else:
            front = bool(self.told[: -len(step.clauses)]) and not timed(step.clauses[0])
            still = "still" in (step.clauses[0].verb.adverb, *_texts(step.clauses[0]))
            front = front and not still and self.dice.chance(0.55)
            self.joining.say(step.clauses, written("now", "ADV") if front else None)
        self.before = step.clauses[-1]
        self.fronted = True
        self._forget_details()
        self._note_things(step)

    def _is_so_now(self, step: Step) -> bool:
        """Say whether a last step tells what is so *now*: it may be told in the present."""
        if step.speech is not None or self.telling.tense != "past" or not self.telling.sentences:
            return False
        clauses = (*step.causes, *step.clauses)
        return any("now" in _texts(clause) for clause in clauses) and self.dice.chance(_SO_NOW)

    def _plain(self, clauses: tuple[Clause, ...], front: list[Token], *, left: int) -> None:
        if front and not may_have_time(clauses[0]):
            front = []
        fronted = bool(front)
        if not front and not self.fronted:
            front = self._link(clauses, left)
            fronted = bool(front)
        self.fronted = fronted
        self.joining.say(clauses, front)
        self.before = clauses[-1]

    def _link(self, clauses: tuple[Clause, ...], left: int) -> list[Token]:
        """Return the word that binds a sentence to the one before it, *but*, *then*, *suddenly*; or none."""
        dice = self.dice
        first = clauses[0]
        if self.before is not None and contrasts(self.before, first):
            return [literal("but", "CCONJ")] if dice.chance(0.85) else []
        if any(map(timed, clauses)) or not is_event(first) or unlucky(first):
            return []
        if "now" in _texts(first) or getattr(first.subject[-1], "words", ("",))[-1] in _PASSING:
            return []
        choice = dice.random()
        if self.before is None:  # the first sentence, or after speech
            after_speech = bool(self.telling.sentences) and choice < 0.2
            return written(dice.pick(_AFTER_SPEECH), "ADV", "ADP") if after_speech else []
        subject = first.subject[0]
        stranger = isinstance(subject, Noun) and subject.label.split("*")[0] not in self.players.by_letter
        if first.verb.lemma in _SUDDEN and stranger and choice < 0.35:
            return written("suddenly", "ADV")
        late = left < 2 and first.verb.lemma in _DONE_LATE and not same_subject(self.before, first)
        if late and choice < 0.3 and not self.plan.words & TIME_WORDS and not self._has_daytime():
            return written(dice.pick(_LATE), "ADP", "DET", "NOUN")
        if left == 0 and choice < 0.2 and first.verb.lemma != "stay":
            return written(dice.pick(_IN_THE_END), "ADP", "ADJ")
        if choice < 0.36 and is_event(self.before):
            lemma = first.verb.lemma
            just_then = (stranger or lemma in _COMING) and not same_subject(self.before, first)
            just_then = just_then and lemma not in ("stand", "hang", "lie", "sit")
            return written(dice.pick(_JUST_THEN if just_then else _LINKS), "ADV", "ADP")
        return []

    def _has_daytime(self) -> bool:
        sentences = self.telling.sentences
        return any(word.lemma in TIME_WORDS - {"day", "week"} for one in sentences for word in one.words)

    def _with_cause(self, step: Step, front: list[Token]) -> None:
        """Tell a cause and its effect: so, because, when, as, or two sentences."""
        dice, joining, say = self.dice, self.joining, self.telling.say
        cause, effect = step.causes, step.clauses
        short = len(cause) == 1 and len(effect) == 1
        happens = short and is_event(cause[0]) and not unlucky(cause[0]) and not unlucky(effect[0])
        if front and not may_have_time(cause[0]):
            front = []
        choice = dice.random()
        self.fronted = bool(front)
        if short and _so_much(cause[0]):
            say(
                [*front, *joining.tell(cause[0]), literal("that", "SCONJ"), *joining.tell(effect[0])],
                "so_that",
            )
            return
        if self.before is None:  # the first sentence, or after speech: nothing to give a reason for yet
            choice = max(choice, 0.26)
        if short and not front and choice < 0.14:
            say(
                [literal("because", "SCONJ"), *joining.tell(cause[0]), mark(","), *joining.tell(effect[0])],
                "because",
            )
        elif short and not front and choice < 0.26:
            say([*joining.tell(effect[0]), literal("because", "SCONJ"), *joining.tell(cause[0])], "because")
        elif happens and not front and choice < 0.42:
            say(
                [literal("when", "SCONJ"), *joining.tell(cause[0]), mark(","), *joining.tell(effect[0])],
                "when",
            )
        elif short and not front and not happens and choice < 0.34:
            say(
                [literal("as", "SCONJ"), *joining.tell(cause[0]), mark(","), *joining.tell(effect[0])],
                "since",
            )
        elif choice < 0.66:
            joining.say(cause, front)
            joining.say(effect, [literal("so", "CCONJ")] if dice.chance(0.6) else [])
        else:
            tokens = [*front, *joining.list_of(cause), mark(","), literal("so", "CCONJ")]
            say([*tokens, *joining.list_of(effect)], "so")

    def _may_join(self, step: Step, following: Step) -> bool:
        """Say whether a step and the next may be told in one sentence."""
        if following.causes or following.speech is not None or following.now:
            return False
        if len(step.clauses) + len(following.clauses) > 2:
            return False
        first, second = step.clauses[-1], following.clauses[0]
        length = sum(3 + 3 * len(clause.phrases) for clause in (first, second))
        if length > _LONGEST or timed(second):
            return False
        if contrasts(first, second):
            return self.dice.chance(0.7)
        if not (is_event(first) and is_event(second)):
            return False
        return self.dice.chance(0.45 if same_subject(first, second) else 0.1)

    # Speech.

    def _speak(self, speech: Speech) -> None:
        telling = self.telling
        speaker = telling.bindings[speech.speaker]
        telling.listener = self._listener(speaker)
        verb = speech.verb
        if verb == "say" and isinstance(speech.lines[-1], Asked):
            verb = "ask"
        elif verb == "say" and self.before is None and telling.sentences and self.dice.chance(0.25):
            verb = ""  # after what another says: any verb, or none
        elif verb == "say" and self.dice.chance(0.08):
            verb = self.dice.pick(("shout", "whisper", "cry"))
        quote(telling, speech.lines, speaker, verb)
        telling.listener = None

    def _listener(self, speaker: Referent) -> Referent | None:
        """Return to whom somebody speaks: the other of A and B, else another person of the story."""
        for letter in ("A", "B", "C", "D"):
            other = self.telling.bindings.get(letter)
            if other is None or other is speaker or other.kind not in ("person", "group"):
                continue
            if other not in speaker.members and not (
                letter == "C" and not self.telling.memory.mentioned(other)
            ):
                return other
        return None


def _texts(clause: Clause) -> list[str]:
    return [
        part.word for phrase in (clause.subject, *clause.phrases) for part in phrase if isinstance(part, Text)
    ]


def _so_much(clause: Clause) -> bool:
    """Say whether a clause says that something is *so tired*, *so good*: what follows is told with *that*."""
    last = clause.phrases[-1] if clause.phrases else ()
    return len(last) == 2 and last[0] == Text("so")


_MOODS = frozenset(words("angry sad hungry thirsty ill tired lonely afraid bored missing late"))


def may_have_time(clause: Clause) -> bool:
    """Say whether "one day" may stand before a clause: it tells what happens, not what is always so."""
    if timed(clause) or any(getattr(part, "words", ("",))[-1] == "day" for part in clause.subject):
        return False
    if clause.verb.lemma in ("stand", "lie", "hang", "hold") and isinstance(clause.subject[0], Noun):
        return False
    if clause.verb.lemma in ("have", "own", "know", "love", "like", "live", "need"):
        return False
    if clause.verb.negated and clause.verb.modal:
        return False
    if clause.verb.perfect or clause.verb.adverb in ("never", "always", "often"):
        return False
    if clause.verb.lemma == "be" and not (clause.verb.progressive or clause.verb.passive):
        return any(getattr(part, "word", "") in _MOODS for phrase in clause.phrases for part in phrase)
    return True
