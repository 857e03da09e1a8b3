"""Exercises of chapter 12, the whole BERT: naming the sick part of each patient."""

from bertviz_lite.exercises import Exercise, question

_NUMBERS_HINT = "chart(n) names the first tensor to differ. Which module makes it?"
_TRACE_HINT = "Then steps(patient(n)), as in the notebook: what vanishes, what appears, and where?"
_INSIDE = {
    "WholeBert": "Bert Encoder Layer Embeddings SelfAttention AddAndNorm Attention Intermediate Pooler Heads "
    "LMHead Transform",
    "Bert": "Encoder Layer Embeddings SelfAttention AddAndNorm Attention Intermediate Pooler",
    "Encoder": "Layer SelfAttention AddAndNorm Attention Intermediate",
    "Layer": "SelfAttention AddAndNorm Attention Intermediate",
    "Attention": "SelfAttention",
    "Heads": "LMHead Transform",
    "LMHead": "Transform",
}
_CLASSES = (*_INSIDE, "Embeddings", "SelfAttention", "AddAndNorm", "Intermediate", "Pooler", "Transform")


_TIE_IS_THERE = (
    "tie() is a method of WholeBert, and nobody called it. But which module holds the wrong numbers, and "
    "makes the first tensor that differs?"
)


def _name_the_others(*parts: Exercise) -> None:
    """Add a mistake for every other class of the page."""
    for part in parts:
        sick = str(part.reference())
        for name in _CLASSES:
            if any(mistake.wrong == name for mistake in part.mistakes):
                continue
            if sick in _INSIDE.get(name, "").split():
                part.mistake(
                    f"It is inside {name}: name the class of the innermost module that is sick.", name
                )
            elif name != sick:
                part.mistake(
                    f"{name} is well: from the right numbers it makes the right ones. Which tensor differs "
                    "first, and which module makes it?",
                    name,
                )


@question(hints=(_NUMBERS_HINT, _TRACE_HINT, "A step has vanished after the linear map at [CLS]."))
def part_1() -> str:
    """Name the class of the page whose module is sick in patient 1."""
    return "Pooler"  # a linear map, and no tanh after it


@question(hints=(_NUMBERS_HINT, _TRACE_HINT, "It shows only where there is a second text."))
def part_2() -> str:
    """Name the class of the page whose module is sick in patient 2."""
    return "Embeddings"  # every token gets the vector of segment 0


@question(hints=(_NUMBERS_HINT, _TRACE_HINT, "The same steps, in another order, in layer 2."))
def part_3() -> str:
    """Name the class of the page whose module is sick in patient 3."""
    return "AddAndNorm"  # in layer 2: normalised first, added after


@question(
    hints=(_NUMBERS_HINT, _TRACE_HINT, "No step differs. Read the line of the diff with numbers in it."),
    note="WholeBert is to blame for it, since it never called tie(); but the wrong numbers lie in LMHead.",
)
def part_4() -> str:
    """Name the class of the page whose module is sick in patient 4."""
    return "LMHead"  # its decoder holds random numbers: nobody tied it to the token table


@question(
    hints=(_NUMBERS_HINT, _TRACE_HINT, "It shows only where there is padding. What do the rows sum to?")
)
def part_5() -> str:
    """Name the class of the page whose module is sick in patient 5."""
    return "SelfAttention"  # in layer 1: padding is hidden after the softmax, not before


@question(
    hints=(
        _NUMBERS_HINT,
        _TRACE_HINT,
        "Follow the pooled vector, here and in `whole`: trace(patient(6), **batch).path('bert.pooler').",
    )
)
def part_6() -> str:
    """Name the class of the page whose module is sick in patient 6."""
    return "Heads"  # the NSP head gets the vector of [CLS], not the pooled one


@question(
    hints=(
        _NUMBERS_HINT,
        _TRACE_HINT,
        "No step differs and no shape: the code is well. Which module makes the first tensor that differs?",
    )
)
def part_7() -> str:
    """Name the class of the page whose module is sick in patient 7."""
    return "SelfAttention"  # in layer 0: query and key hold each other's numbers


part_4.mistake(_TIE_IS_THERE, "WholeBert")
_name_the_others(part_1, part_2, part_3, part_4, part_5, part_6, part_7)
