"""Numbers as they are written: 十五, 二十, 两 before a classifier.

>>> written(15), written(20), written(101), written(2), written(2, counts=True), written(12, counts=True)
('十五', '二十', '一百零一', '二', '两', '十二')
"""

from __future__ import annotations

_DIGITS = "零一二三四五六七八九"


def written(number: int, *, counts: bool = False) -> str:
    """Return a number up to 999 in characters; ``counts`` where a classifier follows."""
    if number == 2 and counts:
        return "两"
    if number < 10:
        return _DIGITS[number]
    if number < 20:
        return "十" + (_DIGITS[number % 10] if number % 10 else "")
    if number < 100:
        return _DIGITS[number // 10] + "十" + (_DIGITS[number % 10] if number % 10 else "")
    rest = number % 100
    head = _DIGITS[number // 100] + "百"
    if not rest:
        return head
    if rest < 10:
        return head + "零" + _DIGITS[rest]
    return head + _DIGITS[rest // 10] + "十" + (_DIGITS[rest % 10] if rest % 10 else "")
