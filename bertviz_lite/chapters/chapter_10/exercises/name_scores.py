"""Exercises of chapter 10, fine-tuning: precision, recall and F1 of names."""

from collections.abc import Callable, Iterator

from bertviz_lite.exercises import Case, exercise

Names = set[tuple[int, int, str]]


def _name_case(true: list[Names], said: list[Names]) -> Case:
    shown = (
        "[" + ", ".join(f"{{{', '.join(map(str, sorted(one)))}}}" for one in names) + "]"
        for names in (true, said)
    )
    return Case(true, said, label="true = {},\n           said = {}".format(*shown))


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
        "A name is found where its three entries are the same: (first word, the one after the last, kind).",
        "Count over all texts together: names found, true names, names said.",
        "F1 is 2 · found / (true + said).",
    ),
    note="It is the harmonic mean of found / said, the precision, and found / true, the recall.",
)
def names_f1(true: list[set[tuple[int, int, str]]], said: list[set[tuple[int, int, str]]]) -> float:
    """Give the F1 of whole names: 2 · found / (true names + said names), all counted over all texts.

    Each text has a set of its true names and one of those that the model says, as (first, stop, kind).
    """
    found = sum(len(one & other) for one, other in zip(true, said, strict=True))
    return 2 * found / (sum(map(len, true)) + sum(map(len, said)))


def _counted(true: list[Names], said: list[Names]) -> tuple[int, int, int]:
    found = sum(len(one & other) for one, other in zip(true, said, strict=True))
    return found, sum(map(len, true)), sum(map(len, said))


def _with(change: Callable[[tuple[int, int, str]], object]) -> Callable[[list[Names], list[Names]], float]:
    def answer(true: list[Names], said: list[Names]) -> float:
        ours, theirs = ([{change(name) for name in one} for one in names] for names in (true, said))
        found = sum(len(one & other) for one, other in zip(ours, theirs, strict=True))
        return 2 * found / (sum(map(len, true)) + sum(map(len, said)))

    return answer


def _mean_of_texts(true: list[Names], said: list[Names]) -> float:
    each = [
        2 * len(one & other) / (len(one) + len(other)) if one or other else 1.0
        for one, other in zip(true, said, strict=True)
    ]
    return sum(each) / len(each)


names_f1.mistake(
    "This is the recall, found / true: it does not mind names that are none.",
    lambda true, said: _counted(true, said)[0] / _counted(true, said)[1],
)
names_f1.mistake(
    "This is the precision, found / said: it does not mind names that are missed.",
    lambda true, said: _counted(true, said)[0] / _counted(true, said)[2],
)
names_f1.mistake(
    "The factor 2 is missing.",
    lambda true, said: _counted(true, said)[0] / sum(_counted(true, said)[1:]),
)
names_f1.mistake(
    "This is the mean of precision and recall; F1 is their harmonic mean.",
    lambda true, said: (
        (
            _counted(true, said)[0] / _counted(true, said)[1]
            + _counted(true, said)[0] / _counted(true, said)[2]
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
    "Found names are counted once in true + said, and the 2 is missing: that is found / all different names.",
    lambda true, said: _counted(true, said)[0] / (sum(_counted(true, said)[1:]) - _counted(true, said)[0]),
)
names_f1.mistake(
    "The texts are thrown together: the same name at the same place of two texts is two names.",
    lambda true, said: (
        _counted([set().union(*true)], [set().union(*said)])[0]
        * 2
        / sum(_counted([set().union(*true)], [set().union(*said)])[1:])
    ),
)
