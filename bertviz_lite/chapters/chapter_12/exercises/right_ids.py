"""Exercises of chapter 12, the whole BERT: patient 8, whose tokenizer has another order of its tokens."""

from collections.abc import Iterator

from bertviz_lite.exercises import Case, exercise

_TOKENS = ["[CLS]", "[SEP]", "the", "dog", "cat", "sat", "##s", "."]


def _vocabulary(*order: int) -> dict[str, int]:
    return {_TOKENS[number]: place for place, number in enumerate(order)}


def _cases() -> Iterator[Case]:
    right = _vocabulary(*range(8))
    cyclic = _vocabulary(0, 1, 3, 4, 5, 6, 7, 2)
    reverse = _vocabulary(*range(7, -1, -1))
    yield Case([0, 7, 2, 5, 4, 6, 1], cyclic, right, label="“the dog ##s sat .”")
    yield Case([7, 5, 3, 0, 6], reverse, right, label="“[CLS] the cat . [SEP]”")
    yield Case([0, 2, 4, 1], right, right, label="two equal vocabularies")


@exercise(
    cases=_cases,
    hints=(
        "An id is a place in a list, and the two lists have different orders. What do they share?",
        "The tokens. Go from an id to its token by the wrong vocabulary, then to an id by the right one.",
        "A vocabulary says token → id. Turn the wrong one round: {id: token for token, id in wrong.items()}.",
    ),
    note="With real files there is a shorter cure: load tokenizer and model from the same folder.",
)
def right_ids(ids: list[int], wrong: dict[str, int], right: dict[str, int]) -> list[int]:
    """Give the ids that the model needs, from those that a wrong tokenizer made.

    `wrong` and `right` are vocabularies: the id of each token, by its text. Both have the same tokens.
    """
    tokens = {number: token for token, number in wrong.items()}
    return [right[tokens[number]] for number in ids]


@right_ids.mistake("The vocabularies have changed places: the ids were made by the wrong one.")
def _other_way(ids: list[int], wrong: dict[str, int], right: dict[str, int]) -> list[int]:
    tokens = {number: token for token, number in right.items()}
    return [wrong[tokens[number]] for number in ids]


@right_ids.mistake("These are ids of the wrong vocabulary still: look the tokens up in the right one.")
def _unchanged(ids: list[int], wrong: dict[str, int], right: dict[str, int]) -> list[int]:  # noqa: ARG001
    return list(ids)


@right_ids.mistake("These are the tokens, which both lists share: look them up in the right one, for ids.")
def _tokens(ids: list[int], wrong: dict[str, int], right: dict[str, int]) -> list[str]:  # noqa: ARG001
    tokens = {number: token for token, number in wrong.items()}
    return [tokens[number] for number in ids]
