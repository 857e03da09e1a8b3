"""What becomes [UNK]: a question."""

from bertviz_lite.exercises import question


@question(
    hints=(
        "A word becomes [UNK] only if at some place not even a word piece of one character fits.",
        "What happens to ï, to ' and to € before the search? A currency sign is no punctuation.",
    ),
    note="€ is neither a letter nor punctuation, so it stays in its word; no word piece begins with it.",
)
def which_is_unknown() -> str:
    """Say which of these becomes [UNK]: "qqqqqq", "naïve", "don't" or "5€".

    The vocabulary has a word piece for each small English letter, each digit and each mark of punctuation on
    an English keyboard, at the start of a word and, with ##, inside it.
    """
    return "5€"


which_is_unknown.mistake("It falls into six tokens of one letter: long, but known.", "qqqqqq")
which_is_unknown.mistake("The dots are dropped before the search, so it is “naive”.", "naïve")
which_is_unknown.mistake("It is cut at the apostrophe first: three words, each with its tokens.", "don't")
