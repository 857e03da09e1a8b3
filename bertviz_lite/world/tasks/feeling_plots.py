"""Short texts in which something happens that makes a person glad, sad, angry or afraid."""

from __future__ import annotations

from bertviz_lite.world.english import Teller
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.scene import Referent, Scene, Setting
from bertviz_lite.world.events.tables import lines
from bertviz_lite.world.events.town import PEOPLE, places
from bertviz_lite.world.tasks.mentions import is_clear

Wording = tuple[str, dict[str, Referent], dict[str, str]]  # a text with slots, and what fills them

# How a text begins: A is the hero.
_OPENINGS = (
    "[A] <be!> [P.at]",
    "One $time [A] <be!> [P.at]",
    "[A] <be!> <wait.ing> [P.at]",
    "[A] <walk> [P.to]",
    "[A] <spend> the whole $time [P.at]",
    "When [A] <come> [P.to] , nobody <be.sg> there",
)
# What happens to A, by what A feels then; B is somebody who does it.
_HAPPENS = """
glad: [B] <give@B> [A.o] [T] as a present
  | [A] <get> [T] from [B.o]
  | [A] <win> the race
  | [A] <find> [T] [C.rel]
  | [A] <get> a medal made of gold
  | Everybody <clap.sg> loudly for [A.o]
  | [B] <mend@B> [A.np] $thing
sad: [A] <lose> [T] [P.at]
  | [A] <drop> [T] , and it <be.sg> broken
  | By accident [A] <break> [A.p!] own $thing
  | [A] <have!> lost the race
  | [A] <can> not <find.0> [A.p] $thing
  | [A.np] $thing <fall.sg> into the $water
  | [A] <be!> ill and <can> not <come.0> to the party
angry: [B] <say@B> something unkind to [A.o]
  | [B] <laugh@B> at [A.o]
  | [B] <take@B> [A.np] $thing away
  | [B] <do@B> not <give.0> the $thing back to [A.o]
  | [B] <hide@B> [A.np] $thing
  | " It is mine ! " <say@B> [B.n] to [A.o] , and <take@B> the $thing
afraid: In the dark [A] <hear> a loud noise
  | A wolf <run.sg> after [A.o]
  | [A] <see> a wolf [P.at]
  | There <be.sg> thunder and lightning near [A.o]
  | Something <move.sg> in the dark behind [A.o]
  | Suddenly it <be.sg> dark around [A.o]
"""
HAPPENS = {
    feeling: tuple(" ".join(text.split()) for text in body.split("|")) for feeling, body in lines(_HAPPENS)
}
FEELINGS = tuple(HAPPENS)


def felt(dice: Dice, label: str) -> tuple[str, str]:
    """Return a text whose hero, the person named first, has a feeling; and the hero's name.

    Parameters
    ----------
    dice
        The source of chance.
    label
        One of ``FEELINGS``.
    """
    while True:
        setting = Setting.drawn(dice)
        hero, other, third = dice.sample(PEOPLE, 3)
        scene = Scene(dice, setting, hero, other)
        a, b, c = scene.hero, scene.other, scene.person(third)
        course = [(dice.pick([feeling for feeling in FEELINGS if feeling != label]), b)]
        course.insert(dice.below(2), (label, a))
        opening = dice.pick(_OPENINGS), {"A": a, "P": _place(scene)}, {"time": setting.time}
        wordings = [opening, *(_happening(scene, feeling, whom, c) for feeling, whom in course)]
        teller = Teller(dice, present=dice.chance(0.3), referents=scene.referents)
        sentences = [teller.render(*wording) for wording in wordings]
        if is_clear(sentences, (a, b, c)):
            return " ".join(map(str, sentences)), a.name


def _place(scene: Scene) -> Referent:
    return scene.place(scene.dice.pick(places("open", "wild", "public", "shop")))


def _happening(scene: Scene, feeling: str, a: Referent, b: Referent) -> Wording:
    """Draw what makes A feel so; return the wording with its roles and facts."""
    dice = scene.dice
    text = dice.pick(HAPPENS[feeling])
    roles = {"A": a, "B": b}
    if "[T" in text:
        roles["T"] = scene.thing("toy", "music", "small", many=False)
    if "[P" in text:
        roles["P"] = _place(scene)
    if "[C" in text:
        roles["C"] = scene.spot()
    thing = scene.thing("toy", "music", "clothes", many=False).noun
    return text, roles, {"thing": thing, "water": dice.pick(("lake", "river", "pond", "well"))}
