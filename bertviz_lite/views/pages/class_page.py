"""Every view on the pocket model, with sentences that people would type: the page of ``make page``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.capture import capture
from bertviz_lite.evaluation.embeddings import input_parts
from bertviz_lite.views.attention.view import Explorer
from bertviz_lite.views.base.saved.chinese import TOWN
from bertviz_lite.views.embedding.view import EmbeddingView
from bertviz_lite.views.fill_in.view import FillIn
from bertviz_lite.views.machine.view import Machine
from bertviz_lite.views.masking.view import MaskingLab
from bertviz_lite.views.pair.view import PairView
from bertviz_lite.views.time_lapse.view import TimeLapse
from bertviz_lite.views.tokens.view import TokenView

if TYPE_CHECKING:
    from collections.abc import Callable

    from bertviz_lite.views.base.view import View

__all__ = ["TABS", "TITLE", "Tab"]

TITLE = "How BERT reads"

_KEY = "Tom lost his key in the park."
_FOUND = "Anna found it and gave it to him."
_BAKES = "Alice wants to bake a cake for the party."


@dataclass(frozen=True)
class Tab:
    """A view of the page: its name, what is said above it, and what makes it of a model and its tokenizer."""

    name: str
    text: str
    make: Callable[[Any, Any], View]


def _explorer(model: Any, tokenizer: Any) -> Explorer:  # noqa: ANN401
    """Return an explorer of the head in which "she" looks at "Anna" most."""
    look = capture(model, tokenizer, "Tom brought Anna a blanket because she was cold.")
    query, key = look.tokens.index("she"), look.tokens.index("anna")
    weights = np.array([layer[:, query, key] for layer in look.attentions])
    layer, head = np.unravel_index(weights.argmax(), weights.shape)
    return Explorer(look, layer=int(layer), head=int(head), query=query)


TABS = (
    Tab(
        "Fill in",
        "Write a sentence with [MASK], or choose a word to hide it. BERT guesses the hidden word from both "
        "sides; the lines show how the guess forms from layer to layer. This BERT has read nothing but "
        "stories of a made-up town, in which there is no phone, coffee or computer.",
        lambda model, tokenizer: FillIn(
            model,
            tokenizer,
            examples=[
                "Anna had lost her [MASK], so she could not open the door.",
                "Tom brought Anna a blanket because [MASK] was cold.",
                "The children are tired, so they [MASK] to bed.",
                "Anna took her money to the [MASK].",
            ],
        ),
    ),
    Tab(
        "Attention",
        "Each head decides from where a token takes what it needs. Choose a head on its small picture, "
        "choose a token, hide a word or switch the head off, and see what changes." + TOWN,
        _explorer,
    ),
    Tab(
        "Tokens",
        "BERT reads word pieces, not words. A word that is not in the vocabulary is cut into parts that are; "
        "one that no parts spell becomes [UNK]." + TOWN,
        lambda _, tokenizer: TokenView(
            tokenizer, "Anna unwrapped Zoë's bumblebee-shaped pancakes!", "So she eats one."
        ),
    ),
    Tab(
        "Embeddings",
        "A token enters as the sum of three rows: which word piece it is, where it stands, which text it "
        "belongs to." + TOWN,
        lambda model, tokenizer: EmbeddingView(input_parts(model, tokenizer, _KEY, _FOUND), token=1),
    ),
    Tab(
        "Masking",
        "How BERT was trained: some tokens are chosen; most of them are hidden, some are replaced, some are "
        "kept. Draw again, change the shares, and let the model guess." + TOWN,
        lambda model, tokenizer: MaskingLab(
            model,
            tokenizer,
            f"Henry and Alice always help each other. {_BAKES}",
        ),
    ),
    Tab(
        "Pairs",
        "Does the second text continue the first? Change a word in either, or hide it, and see which words "
        "the answer depends on." + TOWN,
        lambda model, tokenizer: PairView(
            model,
            tokenizer,
            examples=[
                ("it goes on", _BAKES, "So she buys some eggs."),
                ("another story", _KEY, "So she buys some eggs."),
                ("another tense", "Tom found a key.", "He opens the door."),
            ],
        ),
    ),
    Tab(
        "Machine",
        "The whole of BERT on one page: follow a text from its word pieces to the answers, and open any box "
        "to see its numbers." + TOWN,
        lambda model, tokenizer: Machine(model, tokenizer, "The cat drinks the [MASK]."),
    ),
    Tab(
        "Training",
        "How this model was trained: move through the run, and see when each ability appeared." + TOWN,
        lambda *_: TimeLapse(),
    ),
)
