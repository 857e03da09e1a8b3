"""A head whose swap overturns a pronoun, and a control that is fair: both are tried on the pocket model."""

from collections.abc import Callable, Iterator
from numbers import Integral
from typing import Any

import torch
from torch import Tensor, nn

from bertviz_lite.chapters.chapter_03.contributions import contribution_moves
from bertviz_lite.exercises import Case, exercise
from bertviz_lite.exercises.course_model import load_once

FRAME = "{} promised {} that [MASK] would come."
GIRLS = ("Anna", "Ivy", "Vera", "Sarah", "Diana", "Eva", "Grace", "Nora", "Lily", "Mia")
BOYS = ("Tom", "Max", "Jack", "Oscar", "Carl", "Hugo", "Victor", "Ben", "Leo", "Luke")
PAIRS = (*zip(GIRLS, BOYS, strict=True), *zip(BOYS, GIRLS, strict=True))
AS_ASKED = "a cause, and a fair control"

Spot = tuple[int, int]


def _checked(found: object) -> tuple[Spot, tuple[str, str]]:
    """Read a head and a control, or say how they should be written."""
    layer: object
    head: object
    one: object
    other: object
    try:
        (layer, head), (one, other) = found  # type: ignore[misc]
    except (TypeError, ValueError):
        raise ValueError('return a head and two tokens: (layer, head), ("one", "other")') from None
    if not (isinstance(layer, Integral) and isinstance(head, Integral)) or not (
        0 <= int(layer) < 4 and 0 <= int(head) < 6
    ):
        raise ValueError(f"there is no head {layer}.{head}: layers go from 0 to 3, heads from 0 to 5")
    if not (isinstance(one, str) and isinstance(other, str)):
        raise TypeError("give the control's tokens as words, not as places")
    return (int(layer), int(head)), (one.strip(), other.strip())


def _pronouns(batch: dict[str, Tensor], head: Spot | None = None, spots: Spot = (0, 0)) -> Tensor:
    """Say of each text whether *she* (0) or *he* (1) is likelier, two keys of a head swapped if asked."""
    tokenizer, model = load_once("pocket")

    def swap(_module: nn.Module, _inputs: object, keys: Tensor) -> Tensor:
        keys, size = keys.clone(), keys.shape[-1] // model.config.num_attention_heads
        part = slice(at * size, (at + 1) * size)
        keys[:, spots, part] = keys[:, spots[::-1], part]
        return keys

    layer, at = head or (0, 0)
    layers: Any = model.base_model.encoder.layer  # type: ignore[union-attr]
    hook = layers[layer].attention.self.key.register_forward_hook(swap) if head else None
    try:
        with torch.no_grad():
            logits = model(**batch).prediction_logits[batch["input_ids"] == tokenizer.mask_token_id]
    finally:
        if hook:
            hook.remove()
    likelier: Tensor = logits[:, tokenizer.convert_tokens_to_ids(["she", "he"])].argmax(dim=-1)
    return likelier


def _verdict(answer: Callable[[], object], frame: str) -> object:
    """Try a head and a control on 20 sentences, and say whether they are as asked, or else what is wrong."""
    found = answer()
    if found is None or found is ...:
        return found
    (layer, head), control = _checked(found)
    tokenizer, model = load_once("pocket")
    batch = tokenizer([frame.format(*pair) for pair in PAIRS], return_tensors="pt")
    tokens = tokenizer.convert_ids_to_tokens(batch["input_ids"][0])
    if {token.lower() for token in control} & {name.lower() for name in (*GIRLS, *BOYS)}:
        return "a name in the control"
    for token in control:
        if token not in tokens:
            raise ValueError(f"{token!r} is none of the tokens {' '.join(tokens)}")
    names, pair = ((tokens.index(a), tokens.index(b)) for a, b in (("anna", "tom"), control))
    usual = _pronouns(batch)

    def changed(at: Spot, spots: Spot) -> int:
        return int((_pronouns(batch, at, spots) != usual).sum())

    half = len(PAIRS) / 2
    if changed((layer, head), names) <= half:
        if (layer, head) == (3, 0):
            return "the head of the blanket"
        mirrored = head < 4 and changed((head, layer), names) > half
        return "head and layer exchanged" if mirrored else "a head that changes too few"
    at = (batch["input_ids"] == tokenizer.mask_token_id).nonzero()[:, 1]
    by_control, by_names = (
        contribution_moves(model, batch, at, *spots)[:, layer, head].mean() for spots in (pair, names)
    )
    if by_control < by_names / 2:
        return "a control that moves too little"
    return "a control that changes pronouns" if changed((layer, head), pair) else AS_ASKED


def _one_frame() -> Iterator[Case]:
    yield Case(FRAME, label=FRAME.format("Vera", "Carl") + " and 19 more")


@exercise(
    cases=_one_frame,
    call=_verdict,
    hints=(
        "Count the changes by head with flips, as the question says: a row is a layer, a column a head.",
        'Its weights: capture(model, tokenizer, "Vera promised Carl that [MASK] would come.").attentions.',
        "The more two weights (and values) differ, the farther a swap moves things: pair large and small.",
    ),
    note="Two other keys move the contribution far, and no pronoun changes: it isn't just any swap.",
)
def cause() -> tuple[tuple[int, int], tuple[str, str]]:
    """Give a head whose swap overturns the pronoun of “promised”, and two tokens for a fair control.

    With the names' keys swapped in this head, more than half of 20 pronouns change; with the control's,
    none, though this moves what the head contributes to `[MASK]` at least half as far.
    """
    head = 3, 2  # layer 3, head 2: nearly all change
    control = "come", "[SEP]"  # next to no weight, and much
    return head, control


def _answering(head: Spot, *control: str) -> Callable[[], object]:
    return lambda: (head, control)


cause.mistake(
    "The control has a name in it. A control leaves alone what you suspect: take two other tokens.",
    _answering((3, 2), "carl", "that"),
)
cause.mistake(
    "Head 3.0 was the one of the blanket. With “promised”, a swap in it changes next to nothing.",
    _answering((3, 0), "that", "[SEP]"),
)
cause.mistake(
    "The layer comes first: it's (layer, head). As it stands, the names' swap changes too few.",
    _answering((2, 3), "that", "[SEP]"),
)
cause.mistake(
    "With the names' keys swapped in this head, at most half of the 20 pronouns change.",
    _answering((3, 1), "that", "[SEP]"),
)
cause.mistake(
    "The head is right, but the control isn't fair: it moves the contribution less than half as far. "
    "Read the row of [MASK].",
    _answering((3, 2), "come", "."),
)
