"""Exercises of chapter 09, the NSP head: false pairs by an exchange."""

from bertviz_lite.exercises import Case, exercise


@exercise(
    cases=lambda: [
        Case([30, 10, 21, 20]),
        Case([7, 40, 8, 39, 21, 22]),
        Case([5, 5]),
        Case([3, 1, 4, 1, 5, 9]),
    ],
    hints=(
        "sorted(range(n), key=lambda i: lengths[i]) lists the stories' numbers by the length of their B.",
        "Then the first and the second in that order exchange theirs, the third and the fourth, and so on.",
        "Put the result back into the order of the stories: source[left], source[right] = right, left.",
    ),
    note="Every B is used once, none stays, and the lengths stay nearly what they were.",
)
def exchange(lengths: list[int]) -> list[int]:
    """List for each story the one whose B it gets: none keeps its own, and lengths change little.

    `lengths` are those of the Bs, an even number of them. Sort the stories by them (of two alike, the earlier
    one first); then neighbours exchange.
    """
    order = sorted(range(len(lengths)), key=lambda index: lengths[index])
    source = [0] * len(lengths)
    for left, right in zip(order[::2], order[1::2], strict=True):
        source[left], source[right] = right, left
    return source


def _by_length(lengths: list[int]) -> list[int]:
    return sorted(range(len(lengths)), key=lengths.__getitem__)


def _exchange(order: list[int]) -> list[int]:
    """Let neighbours in `order` exchange."""
    source = [0] * len(order)
    for left, right in zip(order[::2], order[1::2], strict=True):
        source[left], source[right] = right, left
    return source


def _ends_first(lengths: list[int]) -> list[int]:
    """List the shortest, the longest, the second shortest, and so on."""
    order = _by_length(lengths)
    return [order[index // 2] if index % 2 == 0 else order[-1 - index // 2] for index in range(len(order))]


exchange.mistake(
    "Neighbours in the list exchange; sort the stories by length first.",
    lambda lengths: _exchange([*range(len(lengths))]),
)
exchange.mistake(
    "The Bs move on by one in the list, whatever their length: sort, then let neighbours exchange.",
    lambda lengths: [(index + 1) % len(lengths) for index in range(len(lengths))],
)
exchange.mistake(
    "These are the stories sorted by length; now neighbours exchange, and each gets its place back.",
    _by_length,
)
exchange.mistake(
    "The partners are right, but in the order of length: put each at the place of its story.",
    lambda lengths: [_exchange(_by_length(lengths))[index] for index in _by_length(lengths)],
)
exchange.mistake(
    "The shortest exchanges with the longest: the lengths then give the answer away.",
    lambda lengths: _exchange(_ends_first(lengths)),
)
