"""Exercises of chapter 11, fine-tuning: labels for tokens from labels of words."""

from functools import partial

from bertviz_lite.exercises import Case, exercise


@exercise(
    cases=lambda: [
        Case([0, 1, 2], [None, 0, 1, 1, 2, None]),
        Case([3, 4, 0, 5], [None, 0, 0, 0, 1, 2, 3, 3, None]),
        Case([2, 2], [None, 0, 1, None, None, None]),
        Case([6, 1, 1], [None, 0, 1, 1, None]),
    ],
    hints=(
        "word_ids has an entry for each token: the number of its word, None for [CLS], [SEP] and padding.",
        "A token is the first of its word where its entry differs from the entry before it.",
        "Every other token, and every None, gets -100: the loss leaves it out.",
    ),
    note="The collators of transformers fill up with -100 too, for the same reason.",
)
def word_labels(tags: list[int], word_ids: list[int | None]) -> list[int]:
    """Give a label for each token: its word's tag where the token is the word's first, -100 everywhere else.

    `tags` has a number for each word, `word_ids` the number of each token's word, or None.
    """
    labels, before = [], None
    for word in word_ids:
        labels.append(-100 if word is None or word == before else tags[word])
        before = word
    return labels


def _labels(
    tags: list[int], word_ids: list[int | None], *, later: int | None = -100, outside: int = -100
) -> list[int]:
    """Label tokens with other fillers: `later` for a word's later tokens (None: the word's own tag)."""
    labels, before = [], None
    for word in word_ids:
        if word is None:
            labels.append(outside)
        elif word == before:
            labels.append(tags[word] if later is None else later)
        else:
            labels.append(tags[word])
        before = word
    return labels


word_labels.mistake(
    "All tokens of a word have its tag: a name of three tokens would begin three times.",
    partial(_labels, later=None),
)
word_labels.mistake(
    "The later tokens have tag 0: the loss would teach the model that names end in no name.",
    partial(_labels, later=0),
)
word_labels.mistake(
    "Word 0 counts as no word here: in an `if`, the number 0 is false, as None is. Compare with `is None`.",
    lambda tags, word_ids: [
        -100 if word == 0 else label for word, label in zip(word_ids, _labels(tags, word_ids), strict=True)
    ],
)
word_labels.mistake(
    "All tokens of a word have its tag; and word 0 counts as no word: in an `if`, 0 is false, as None is.",
    lambda tags, word_ids: [tags[word] if word else -100 for word in word_ids],
)
word_labels.mistake(
    "[CLS] and [SEP] have tag 0; they are no words, so they get -100.", partial(_labels, outside=0)
)
word_labels.mistake(
    "The tags are laid down one after the other, whatever the tokens: use word_ids.",
    lambda tags, word_ids: [-100, *tags, *[-100] * (len(word_ids) - len(tags) - 1)],
)
word_labels.mistake(
    "For a word's later tokens nothing is written: the list must have an entry for each token.",
    lambda tags, word_ids: [label for label in _labels(tags, word_ids, later=-1) if label != -1],
)
