"""Small stories: a script, and another one with the same people where the first is short."""

from __future__ import annotations

from bertviz_lite.world.events.tables import entries
from bertviz_lite.world.grammar.tokens import written
from bertviz_lite.world.life.making.telling import Telling
from bertviz_lite.world.life.tales.plans import Plan, plans
from bertviz_lite.world.life.tales.players import Player, Players
from bertviz_lite.world.life.tales.storyteller import Storyteller, may_have_time

_LATER = entries(
    "the next day, the next day, a week later, two days later, the next morning, on the next Sunday"
)
_MUCH_LATER = entries("a week later, two days later, three weeks later")
_SHORT = 6  # sentences; a story with fewer goes on with another script


def tell_story(telling: Telling, *, goes_on: bool = True) -> None:
    """Tell a script and, where it may go on and is short, another one with the same people."""
    dice = telling.dice
    first = Storyteller(telling, dice.pick(plans()))
    first.tell()
    if goes_on and len(telling.sentences) < _SHORT and dice.chance(0.85):
        for _ in range(20):
            plan = dice.pick(plans())
            kept = _kept(first.players, plan)
            tense = plan.tense in ("", telling.tense)
            if kept and tense and plan is not first.plan and _may_follow(plan):
                later = dice.pick(_LATER if "next" not in str(telling.sentences[-1]) else _MUCH_LATER)
                time = written(later, "DET", "ADP", "ADJ")
                names = first.players.names
                first = Storyteller(telling, plan)
                first.players.names |= names  # nobody of the first script comes again as somebody new
                first.tell(kept, time if telling.tense == "past" else written("the next day", "DET", "ADJ"))
                break
    first.close()


def _may_follow(plan: Plan) -> bool:
    """Say whether a script may come after another: its first sentence tells what A does."""
    step = plan.steps[0]
    if step.speech is not None:
        return False
    clause = (*step.causes, *step.clauses)[0]
    letter = getattr(clause.subject[0], "letter", "")
    return letter.split("+")[0] == "A" and may_have_time(clause) and not clause.verb.perfect


def _kept(players: Players, plan: Plan) -> dict[str, Player]:
    """Return the players of a story who may play in another one, by the letters of that one."""
    kept: dict[str, Player] = {}
    for letter in ("A", "B"):
        role, player = plan.role(letter), players.by_letter.get(letter)
        if role is None or player is None:
            if letter == "A":
                return {}
            continue
        one = player.referent
        if role.kind not in ("", "person", player.age) or (one.many and role.number == "sg"):
            return {}
        if (
            role.kind == ""
            and player.age != "child"
            and plan.words & {"school", "mother", "father", "grandmother"}
        ):
            return {}
        if one.noun in plan.words:
            return {}
        kept[letter] = player
    return kept
