"""Exercises of chapter 14: three silent mistakes in a colleague's script."""

from bertviz_lite.exercises import question


@question(
    hints=(
        "Go through the three that stand just above, and ask of each: where would it be in this script?",
        "eval() is called on opening, both lines name the commit, and no text is long enough to be cut.",
        "What does the model get of the batch? Which entry has a capital letter? What is compared with 0.5?",
    ),
    note="None of them raises an error; the list that comes out looks like any other.",
)
def planted() -> list[str]:
    """Name the three lines that hold a mistake, by their letters in order: ["A", "B", "C"].

    The script says for which texts "thirsty" has a probability above one half.
    """
    # G: the mask of the batch is not passed on, so the shorter text reads its padding
    # I: the vocabulary has small letters only, so this is the id of [UNK]. The word's own if it is one
    #    piece, else an error: (wanted,) = tokenizer("Thirsty", add_special_tokens=False)["input_ids"]
    # K: a logit is compared with a probability
    return ["G", "I", "K"]


planted.mistake("These two are right. One more: which number may be compared with 0.5?", ["G", "I"])
planted.mistake(
    "These two are right. One more: which words does this vocabulary have, and which not?", ["G", "K"]
)
planted.mistake(
    "These two are right. One more: what stands behind the shorter text in the batch?", ["I", "K"]
)
planted.mistake(
    "C is well without eval(): from_pretrained has called it. What of the batch goes in?", ["C", "I", "K"]
)
planted.mistake(
    "D is well: tokenizer(...) makes small letters of capitals. Which line doesn't use it?", ["D", "G", "K"]
)
planted.mistake(
    "E is well: no text here is long enough to be cut. What becomes of its mask?", ["E", "I", "K"]
)
planted.mistake("F is well: inference_mode saves memory and changes no number.", ["F", "I", "K"])
planted.mistake(
    "H is well: it picks the rows of the gaps, one a text. What are the numbers in them?", ["G", "H", "I"]
)
