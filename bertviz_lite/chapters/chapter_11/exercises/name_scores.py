"""Exercises of chapter 11, fine-tuning: precision, recall and F1 of names."""

from collections.abc import Callable, Iterator

from bertviz_lite.exercises import Case, exercise

Names = set[tuple[int, int, str]]


def _name_case(true: list[Names], predicted: list[Names]) -> Case:
    shown = (
        "[" + ", ".join(f"{{{', '.join(map(str, sorted(text)))}}}" for text in names) + "]"
        for names in (true, predicted)
    )
    return Case(true, predicted, label="true = {},\n           predicted = {}".format(*shown))


def _name_cases() -> Iterator[Case]:
    true: list[Names] = [{(0, 2, "person"), (5, 6, "pet")}, {(3, 4, "person")}]
    yield _name_case(true, [{(0, 2, "person"), (5, 6, "person")}, {(3, 4, "person"), (7, 8, "place")}])
    yield _name_case(true, [{(0, 1, "person")}, {(3, 4, "person")}])
    yield _name_case(
        [{(1, 2, "person")}, {(0, 1, "pet"), (2, 4, "place"), (6, 7, "person")}, set()],
        [{(1, 2, "person")}, {(0, 1, "pet"), (2, 3, "place")}, {(4, 5, "person")}],
    )
    yield _name_case([{(0, 1, "pet")}, {(0, 1, "pet")}], [{(0, 1, "pet")}, set()])  # alike, in two texts


@exercise(
    cases=_name_cases,
    hints=(
        "A name matches where its three entries are the same: (first word, the one after the last, kind).",
        "Count over all texts together: names that match, true names, predicted names.",
        "F1 is 2 · matches / (true + predicted).",
    ),
    note="It is the harmonic mean of matches / predicted, the precision, and matches / true, the recall.",
)
def names_f1(true: list[set[tuple[int, int, str]]], predicted: list[set[tuple[int, int, str]]]) -> float:
    """Give the F1 of whole names: 2 · matches / (true names + predicted names), all counted over all texts.

    Each text has a set of its true names and one of those that a model predicts, as (first, stop, kind).
    """
    matches = sum(len(right & guess) for right, guess in zip(true, predicted, strict=True))
    return 2 * matches / (sum(map(len, true)) + sum(map(len, predicted)))


def _counted(true: list[Names], predicted: list[Names]) -> tuple[int, int, int]:
    matches = sum(len(right & guess) for right, guess in zip(true, predicted, strict=True))
    return matches, sum(map(len, true)), sum(map(len, predicted))


def _with(change: Callable[[tuple[int, int, str]], object]) -> Callable[[list[Names], list[Names]], float]:
    def answer(true: list[Names], predicted: list[Names]) -> float:
        ours, theirs = ([{change(name) for name in text} for text in names] for names in (true, predicted))
        matches = sum(len(right & guess) for right, guess in zip(ours, theirs, strict=True))
        return 2 * matches / (sum(map(len, true)) + sum(map(len, predicted)))

    return answer


def _mean_of_texts(true: list[Names], predicted: list[Names]) -> float:
    each = [
        2 * len(right & guess) / (len(right) + len(guess)) if right or guess else 1.0
        for right, guess in zip(true, predicted, strict=True)
    ]
    return sum(each) / len(each)


names_f1.mistake(
    "This is the recall, matches / true: it does not mind names that are none.",
    lambda true, predicted: _counted(true, predicted)[0] / _counted(true, predicted)[1],
)
names_f1.mistake(
    "This is the precision, matches / predicted: it does not mind names that are missed.",
    lambda true, predicted: _counted(true, predicted)[0] / _counted(true, predicted)[2],
)
names_f1.mistake(
    "The factor 2 is missing.",
    lambda true, predicted: _counted(true, predicted)[0] / sum(_counted(true, predicted)[1:]),
)
names_f1.mistake(
    "This is the mean of precision and recall; F1 is their harmonic mean.",
    lambda true, predicted: (
        (
            _counted(true, predicted)[0] / _counted(true, predicted)[1]
            + _counted(true, predicted)[0] / _counted(true, predicted)[2]
        )
        / 2
    ),
)
names_f1.mistake(
    "This is the mean of each text's F1; count over all texts first.",
    _mean_of_texts,
)
names_f1.mistake(
    "A name counts here even if its kind is wrong: all three entries must be the same.",
    _with(lambda name: name[:2]),
)
names_f1.mistake(
    "A name counts here if it begins at the right word; its end must be right too.",
    _with(lambda name: (name[0], name[2])),
)
names_f1.mistake(
    "This is matches / all different names; F1 divides twice the matches by true + predicted.",
    lambda true, predicted: (
        _counted(true, predicted)[0] / (sum(_counted(true, predicted)[1:]) - _counted(true, predicted)[0])
    ),
)
names_f1.mistake(
    "The texts are thrown together: the same name at the same place of two texts is two names.",
    lambda true, predicted: (
        _counted([set().union(*true)], [set().union(*predicted)])[0]
        * 2
        / sum(_counted([set().union(*true)], [set().union(*predicted)])[1:])
    ),
)
