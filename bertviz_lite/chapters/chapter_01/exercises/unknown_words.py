"""What becomes [UNK]: two questions, one of them on paper."""

from bertviz_lite.exercises import question


@question(
    hints=(
        "Which is the longest entry that *catnap* begins with? Take it; what is left?",
        "What is left is *nap*: the longest entry for that is ##na. And what is left then?",
    ),
    note="ca ##tnap would have fitted, but the search never goes back to a shorter piece.",
)
def on_paper() -> list[str]:
    """Give the tokens of catnap, longest piece first. The vocabulary: ca, cat, ##tnap, ##na."""
    # catnap, catna and catn are no entries, cat is: taken. Left is nap: ##nap is none, ##na is: taken.
    # Left is p: ##p is none, and nothing is shorter. So the whole word is unknown.
    return ["[UNK]"]


on_paper.mistake(
    "That would fit; but a longer entry than `ca` begins the word, and the search takes that.",
    ["ca", "##tnap"],
)
on_paper.mistake(
    "A p is left over, and no entry fits it: then the *whole* word is one [UNK].", ["cat", "##na", "[UNK]"]
)
on_paper.mistake("A p is left over. Nothing fits it; what becomes of the word?", ["cat", "##na"])
on_paper.mistake(
    "The rest isn't set aside: where one letter has no entry, the *whole* word is one [UNK].",
    ["cat", "[UNK]"],
)


@question(
    hints=(
        "A word becomes [UNK] only if at some place not even a word piece of one character fits.",
        "What happens to ï, to ' and to € before the search? A currency sign is no punctuation.",
    ),
    note="€ is neither a letter nor punctuation, so it stays in its word; no word piece begins with it.",
)
def which_is_unknown() -> str:
    """Say which of these becomes [UNK]: "qqqqqq", "naïve", "don't" or "5€".

    The vocabulary is uncased. It has a word piece for each small English letter, each digit and each mark of
    ASCII's punctuation, at the start of a word and, with ##, inside it.
    """
    return "5€"


which_is_unknown.mistake("It falls into six tokens of one letter: long, but known.", "qqqqqq")
which_is_unknown.mistake("The dots are dropped before the search, so it is “naive”.", "naïve")
which_is_unknown.mistake("It is cut at the apostrophe first: three words, each with its tokens.", "don't")
