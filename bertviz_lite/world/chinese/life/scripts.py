"""A small story, told: its cast is drawn, its lines follow."""

from __future__ import annotations

from bertviz_lite.world.chinese.grammar.notation import Slot, read_line
from bertviz_lite.world.chinese.grammar.telling import Teller
from bertviz_lite.world.chinese.knowledge.reading import Script


def tell_script(teller: Teller, script: Script) -> None:
    """Tell a small story."""
    for item in read_line(" ".join(script.cast)):
        assert isinstance(item, Slot)
        teller.cast.number_of(item)
    for line in script.lines:
        teller.tell(line)
