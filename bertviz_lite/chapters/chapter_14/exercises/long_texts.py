"""Exercises of chapter 14: a text that is too long, in windows that overlap."""

from collections.abc import Iterator

from bertviz_lite.exercises import Case, exercise

CLS, SEP = 2, 3


def _window_cases() -> Iterator[Case]:
    yield Case([11, 12, 13, 14, 15, 16, 17], 6, 2)
    yield Case([11, 12, 13], 6, 2)
    yield Case([11, 12, 13, 14, 15, 16, 17, 18], 6, 0)
    yield Case([*range(11, 31)], 10, 3)
    yield Case([11, 12, 13, 14, 15, 16], 6, 2)


@exercise(
    cases=_window_cases,
    hints=(
        "Two places go to [CLS] and [SEP]: a window has room for max_length − 2 ids of the text.",
        "`stride` is the overlap, so the next window begins room − stride further on.",
        "Stop as soon as a window has reached the end of the text; the last one may be shorter.",
    ),
    note="At work, tokenizer(..., truncation=True, return_overflowing_tokens=True, stride=...) does this.",
)
def windows(ids: list[int], max_length: int, stride: int) -> list[list[int]]:
    """Cut a text that is too long into windows that overlap, each with [CLS] (2) and [SEP] (3) around it.

    `ids` is the text alone. Each window has at most `max_length` ids in all; neighbours share `stride` ids of
    the text. The last one ends where the text does.

    The library does it for you: tokenizer(text, truncation=True, max_length=..., stride=...,
    return_overflowing_tokens=True).
    """
    room = max_length - 2
    cut = []
    for start in range(0, len(ids), room - stride):
        cut.append([CLS, *ids[start : start + room], SEP])
        if start + room >= len(ids):
            break
    return cut


def _cut(ids: list[int], room: int, step: int, *, stop: bool = True) -> list[list[int]]:
    starts = range(0, len(ids), step)
    if stop:
        starts = range(0, max(len(ids) - room, 0) + step, step)
    return [[CLS, *ids[start : start + room], SEP] for start in starts if ids[start : start + room]]


windows.mistake(
    "[CLS] and [SEP] count too: with them your windows are longer than max_length.",
    lambda ids, max_length, stride: _cut(ids, max_length, max_length - stride),
)
windows.mistake(
    "`stride` is how many ids two neighbours share, not how far the window moves.",
    lambda ids, max_length, stride: _cut(ids, max_length - 2, max(stride, 1)),
)
windows.mistake(
    "The windows don't overlap.",
    lambda ids, max_length, stride: _cut(ids, max_length - 2, max_length - 2),
)
windows.mistake(
    "At the end is a window that holds nothing new: stop when one has reached the end of the text.",
    lambda ids, max_length, stride: _cut(ids, max_length - 2, max_length - 2 - stride, stop=False),
)
windows.mistake(
    "Only the first window is there: that is what truncation=True alone does. The rest is lost.",
    lambda ids, max_length, stride: _cut(ids, max_length - 2, max_length - 2 - stride)[:1],
)
windows.mistake(
    "[CLS] and [SEP] are missing around each window.",
    lambda ids, max_length, stride: [
        window[1:-1] for window in _cut(ids, max_length - 2, max_length - 2 - stride)
    ],
)
