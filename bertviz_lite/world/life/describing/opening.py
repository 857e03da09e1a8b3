"""What stands before or around a statement: *I think that*, *do you know if*, *late last night*."""

from __future__ import annotations

import re

from bertviz_lite.world.life.describing.reading import BARE, openings, pattern_of_tense
from bertviz_lite.world.life.describing.scene import Scene

_TIMED = re.compile(
    r"\b(now|today|moment|morning|evening|week|day|night|yesterday|ago|noon|Sunday|always|when|while|still"
    r"|longer|already|tomorrow|soon|often|usually|never|again|every|most|any|each)\b|\.er|\.est"
)


def opened(sentence: str, scene: Scene, table: str) -> str:
    """Return a statement of a table, now and then with something before or around it."""
    dice, telling = scene.dice, scene.telling
    if not _may_be_opened(sentence, table) or dice.chance(0.4 if len(sentence.split()) < 7 else 0.7):
        return sentence
    opening = dice.pick(openings(telling.tense, timed=_TIMED.search(sentence) is not None))
    if "//" in scene.body and re.search(r"\b(?:if|why)\b|[?\"]", opening):
        return sentence
    joined = re.search(r", (?:and|but|so|nor)|\.more|because", sentence)
    if joined and re.search(r"\b(?:if|why|that) _|\?", opening):
        return sentence
    if re.search(r"\bZ\b", opening):
        if re.search(r"\.(?:he|him|his|hers|self)\b", scene.body):
            return sentence
        scene.declare(f"Z:{dice.pick(('person', 'kin', 'role'))}")
    elif re.search(r"\b(?:I|we|me)\b", opening) and telling.phrases.speaker is not None:
        return sentence
    statement = sentence.removesuffix(" .")
    text = pattern_of_tense(opening, telling.tense).replace("_", statement)
    return text if text.endswith(("?", '"')) or "?" in text else text + " ."


def _may_be_opened(sentence: str, table: str) -> bool:
    words = sentence.split()
    plain = re.fullmatch(
        r"[A-HJ-Z](?:\.(?:far|the|a|this|that))?|the|every|each|there|no|some|my|our", words[0]
    )
    return (
        plain is not None
        and words[-1] == "."
        and not any(sign in words for sign in ('"', "?", "!", ":"))
        and "=" not in sentence
        and "@" in sentence
        and table not in ("scenes", "speaking", *BARE)
        and not any(word in words for word in ("$d.base", "will", "been", "yesterday", "today", "ago"))
        and "seem@A" not in words
    )
