"""Exercises of chapter 14: is this the model that you meant? The report of `from_pretrained` says it."""

from collections.abc import Callable, Iterator
from typing import Any

from bertviz_lite.exercises import Case, exercise

HEADS = ("cls.", "bert.pooler.")
_NEW_HEAD = ("classifier.weight", "classifier.bias")
_OLD_HEADS = ("cls.predictions.bias", "cls.seq_relationship.weight", "cls.seq_relationship.bias")
_LAYERS = ("bert.encoder.layer.2.output.dense.weight", "bert.encoder.layer.3.output.dense.weight")
_WRONG_SIZE = (("classifier.weight", (3, 192), (2, 192)),)


def report_of(
    missing: tuple[str, ...] = (),
    unexpected: tuple[str, ...] = (),
    mismatched: tuple[Any, ...] = (),
) -> dict[str, set[Any]]:
    """Make a report as `from_pretrained(..., output_loading_info=True)` gives it, of three sets."""
    return {
        "missing_keys": set(missing),
        "unexpected_keys": set(unexpected),
        "mismatched_keys": set(mismatched),
    }


def _cases() -> Iterator[Case]:
    yield Case(report_of(), HEADS, label="a report of three empty lists")
    yield Case(report_of(missing=_NEW_HEAD), HEADS, label="a head for a new task is MISSING")
    yield Case(report_of(unexpected=_OLD_HEADS), HEADS, label="the two old heads are left over")
    yield Case(report_of(unexpected=_OLD_HEADS), (), label="the two old heads are left over, nothing may be")
    yield Case(report_of(unexpected=_LAYERS), HEADS, label="two layers are left over")
    yield Case(
        report_of(unexpected=_OLD_HEADS + _LAYERS), HEADS, label="old heads and two layers are left over"
    )
    yield Case(
        report_of(missing=_NEW_HEAD, unexpected=_OLD_HEADS), HEADS, label="a new head MISSING, old ones left"
    )
    yield Case(report_of(mismatched=_WRONG_SIZE), HEADS, label="a head of another size")


def _said(answer: Callable[..., object], report: dict[str, set[Any]], allowed: tuple[str, ...]) -> object:
    """Run an answer: whatever it returns counts as yes or no, except nothing at all."""
    said = answer(report, allowed)
    return said if said is None or said is ... else bool(said)


@exercise(
    cases=_cases,
    call=_said,
    hints=(
        "Nothing may be MISSING, nothing of a wrong size, and of what's left over only what is allowed.",
        "key.startswith(allowed) takes a tuple: any of these beginnings.",
        'not report["missing_keys"] and not report["mismatched_keys"] and all(... for key in ...)',
    ),
    note="In a script, each of the three is an assert of its own, so that its message says which names.",
)
def may_be_used(report: dict[str, set[Any]], allowed: tuple[str, ...]) -> bool:
    """Say whether this is the model that you meant: nothing made up, and only what is allowed left over.

    `report` has the sets missing_keys, unexpected_keys and mismatched_keys; `allowed` holds beginnings of
    names that may stay in the folder, such as ("cls.", "bert.pooler.").
    """
    made_up = report["missing_keys"] or report["mismatched_keys"]
    return not made_up and all(key.startswith(allowed) for key in report["unexpected_keys"])


def _only_allowed_left(report: dict[str, set[Any]], allowed: tuple[str, ...]) -> bool:
    return all(key.startswith(allowed) for key in report["unexpected_keys"])


may_be_used.mistake(
    "What is left over isn't looked at: with two layers left in the folder it's another model.",
    lambda report, _: not report["missing_keys"] and not report["mismatched_keys"],
)
may_be_used.mistake(
    "Old heads may stay in the folder where `allowed` says so: look at how the names begin.",
    lambda report, _: not any(report.values()),
)
may_be_used.mistake(
    "What is MISSING is made up by the library, at random.",
    lambda report, allowed: not report["mismatched_keys"] and _only_allowed_left(report, allowed),
)
may_be_used.mistake(
    "A tensor of a wrong size doesn't fit either: mismatched_keys must be empty, too.",
    lambda report, allowed: not report["missing_keys"] and _only_allowed_left(report, allowed),
)
may_be_used.mistake(
    "One allowed name isn't enough: every name that is left over must be allowed. `all`, not `any`.",
    lambda report, allowed: (
        not report["missing_keys"]
        and not report["mismatched_keys"]
        and (
            not report["unexpected_keys"] or any(key.startswith(allowed) for key in report["unexpected_keys"])
        )
    ),
)
may_be_used.mistake(
    "It's the other way round: True where the model may be used.",
    lambda report, allowed: not may_be_used.reference(report, allowed),
)
