"""Exercises of chapter 10, pre-training: by which rule a model answers, seen from which answers are right."""

from bertviz_lite.exercises import question

_RIGHT = {
    "A": "always singular", "B": "any plural", "C": "nearest", "D": "any singular", "E": "always plural"
}  # fmt: skip


@question(
    hints=(
        "Write down what each rule would get: of 50 in each column, all or none.",
        "Across a singular toy the subject is plural, and across a plural toy it's singular.",
        "Who says the same each time fails half of *direct*; the nearest noun fails all of *across*.",
        "Any toy plural? say plural: 50, 50, 50, 0. The same with singular: 50, 50, 0, 50.",
    ),
    note="By grammar all four would be 50, and by the first sentence's number, too: these counts can't tell "
    "the two apart. Another's first sentence could.",
)
def which_rule() -> dict[str, str]:
    """Say by which rule each of the five models A to E answers.

    "nearest", "any plural" (then say plural), "any singular" (then say singular), "always plural", "always
    singular".
    """
    # what each rule gets, of 50: direct plural and singular; across a singular toy, across a plural one
    #   always plural    50   0  50   0   (across a singular toy the subject is plural)
    #   always singular   0  50   0  50
    #   nearest          50  50   0   0
    #   any plural       50  50  50   0
    #   any singular     50  50   0  50
    return {
        "A": "always singular",
        "B": "any plural",
        "C": "nearest",
        "D": "any singular",
        "E": "always plural",
    }


def _exchanged(one: str, other: str) -> dict[str, str]:
    return _RIGHT | {one: _RIGHT[other], other: _RIGHT[one]}


which_rule.mistake(
    "A and E say the same each time, yes, but the other of the two: look at which *direct* ones are right.",
    _exchanged("A", "E"),
)
which_rule.mistake(
    "B and E have the same answers across. Look at *direct*: who always says plural gets no singular one.",
    _exchanged("B", "E"),
)
which_rule.mistake(
    "A and D have nearly the same answers across. Look at *direct*: who always says singular gets no plural "
    "one.",
    _exchanged("A", "D"),
)
which_rule.mistake(
    "B and D: across a *singular* toy the subject is plural, so there a rule that says plural is right.",
    _exchanged("B", "D"),
)
which_rule.mistake(
    "B and C: the nearest noun is never right across. Which of the two gets nearly nothing there?",
    _exchanged("B", "C"),
)
which_rule.mistake(
    "C and D: the nearest noun is never right across. Which of the two gets nearly nothing there?",
    _exchanged("C", "D"),
)
which_rule.mistake(
    "A, C and E have the same score, but not the same right answers: compare them column by column.",
    _RIGHT | {"A": "nearest", "E": "nearest"},
)
which_rule.mistake(
    "A and E say the same each time, and B and D don't: read across again, for the subject has the number "
    "that the toy between does not have.",
    _exchanged("A", "E") | {"B": "any singular", "D": "any plural"},
)
