"""What becomes [UNK], and which texts fall into many tokens: three questions, to be answered on paper."""

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
    # Left is p: ##p is none, and nothing is shorter. So the whole word is unknown. ca ##tnap would have
    # written it, but the search has taken cat and never goes back. A vocabulary that has each letter with ##
    # can't get stuck on letters.
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
    # ï loses its dots, and the apostrophe is cut off and has an entry. € is no punctuation to BERT, so 5€ is
    # one word; € has no entry, so the 5 is lost with it.
    return "5€"


which_is_unknown.mistake("It falls into six tokens of one letter: long, but known.", "qqqqqq")
which_is_unknown.mistake("The dots are dropped before the search, so it is “naive”.", "naïve")
which_is_unknown.mistake("It is cut at the apostrophe first: three words, each with its tokens.", "don't")


@question(
    hints=(
        "Capitals are made small before the search. What becomes of 🙂?",
        "Estimate the tokens per word: a word of the town takes 1, a typing error about 3.",
    ),
    note="D takes the fewest tokens and says the least: few tokens don't mean that the model understands.",
)
def fewest_first() -> list[str]:
    """Put four texts in order, the fewest tokens per word first: their letters in a list.

    A: Anna lsot her kyes.
    B: Chlorophyll absorbs photons.
    C: ANNA'S KITTEN SLEEPS WONDERFULLY.
    D: 🙂 🙂 🙂
    """
    # D: each 🙂 is one [UNK], so 1: few tokens don't mean that a text was understood.
    # C: small letters, all whole but wonderful ##ly, so just above 1.
    # A: two of five words break (the full stop is a word, too).
    # B: all three words break into many pieces, only the full stop doesn't.
    return ["D", "C", "A", "B"]


fewest_first.mistake("That's the most first; the question is for the fewest first.", ["B", "A", "C", "D"])
fewest_first.mistake(
    "🙂 can't be spelt out: it becomes [UNK], and that is a single token.", ["C", "A", "B", "D"]
)
fewest_first.mistake(
    "C isn't all whole words: wonderfully falls into two. Each 🙂 is one token.", ["C", "D", "A", "B"]
)
fewest_first.mistake("Capitals cost nothing: they are made small before the search.", ["D", "A", "B", "C"])
fewest_first.mistake(
    "Capitals cost nothing. And C isn't all whole words: wonderfully falls into two.", ["D", "A", "C", "B"]
)
fewest_first.mistake("In A only two words break, in B all three do.", ["D", "C", "B", "A"])
