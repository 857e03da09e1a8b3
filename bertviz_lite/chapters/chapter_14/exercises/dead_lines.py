"""Exercises of chapter 14: which lines run and change nothing."""

from bertviz_lite.exercises import question


@question(
    hints=(
        "Two of them are in the list of old lines, above. Which of the ten ran without a word?",
        "from_pretrained returns a model in evaluation mode.",
        "Three lines. One of them does no harm.",
    ),
    note="B pads nothing, and cuts a text longer than 32 without a word; D does nothing at all. Each has "
    "cost somebody a day. C is needed only after training or from_config; leave it in.",
)
def dead_lines() -> str:
    """Name the lines that change nothing for a text of 14 tokens, by their letters in order, such as "XY".

    A: padding="max_length". B: pad_to_max_length=True. C: model.eval() right after from_pretrained.
    D: head_mask=torch.zeros(4, 6). E: a padded batch without its attention_mask.
    """
    return "BCD"


dead_lines.mistake("There's one more that changes nothing, and it does no harm.", "BD")
dead_lines.mistake("All heads off, and the same vectors: see what the silent lines really did.", "BC")
dead_lines.mistake("pad_to_max_length is the name of older versions: how many ids came of it?", "CD")
dead_lines.mistake('padding="max_length" is today\'s name: it does pad, to 32 ids.', "ABCD")
dead_lines.mistake(
    "Without the mask a short text reads its padding, and answers otherwise: mistake 6.", "BCDE"
)
dead_lines.mistake("These two do something: one pads, the other lets texts read padding.", "AE")
