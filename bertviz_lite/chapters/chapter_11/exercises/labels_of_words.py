"""Exercises of chapter 11, fine-tuning: labels for tokens from labels of words."""

from functools import partial

from bertviz_lite.exercises import Case, exercise

_INSIDE = {1: 2, 3: 4}


@exercise(
    cases=lambda: [
        Case([0, 1, 2], [None, 0, 1, 1, 2, None], {1: 2}),
        Case([3, 4, 0, 5], [None, 0, 0, 0, 1, 2, 3, 3, None], dict(_INSIDE)),
        Case([2, 1], [None, 0, 0, 1, 1, 1, None, None], dict(_INSIDE)),
        Case([6, 1, 1], [None, 0, 1, 1, None], {1: 2}),
    ],
    hints=(
        "word_ids has an entry for each token: the number of its word, None for [CLS], [SEP] and padding.",
        "A token is the first of its word where its entry differs from the entry before it.",
        "A later token of a word with tag t gets inside.get(t, t): B- becomes I-, all else stays.",
        "Every None gets -100: the loss leaves it out.",
    ),
    note="The collators of transformers fill up with -100 too, for the same reason.",
)
def word_labels(tags: list[int], word_ids: list[int | None], inside: dict[int, int]) -> list[int]:
    """Give every token of a word a label: its tag, or, after the word's first token, the tag that goes on.

    `tags` has a number for each word, `word_ids` the number of each token's word, or None. `inside` maps the
    number of a tag that begins a name to that of the tag that goes on with it; any other tag stays. What is
    no word gets -100.
    """
    labels, before = [], None
    for word in word_ids:
        if word is None:
            labels.append(-100)
        else:
            tag = tags[word]
            labels.append(inside.get(tag, tag) if word == before else tag)
        before = word
    return labels


def _labels(
    tags: list[int],
    word_ids: list[int | None],
    inside: dict[int, int],
    *,
    later: int | None = None,
    outside: int = -100,
) -> list[int]:
    """Label tokens with other fillers: `later` for a word's later tokens (None: the tag that goes on)."""
    labels, before = [], None
    for word in word_ids:
        if word is None:
            labels.append(outside)
        elif word == before:
            labels.append(inside.get(tags[word], tags[word]) if later is None else later)
        else:
            labels.append(tags[word])
        before = word
    return labels


word_labels.mistake(
    "All tokens of a word have its tag: a name of three tokens would begin three times.",
    lambda tags, word_ids, _: _labels(tags, word_ids, {}),
)
word_labels.mistake(
    "The later tokens have tag 0: the loss would teach the model that names end in no name.",
    partial(_labels, later=0),
)
word_labels.mistake(
    "The later tokens have -100, as on the page above. Here they count, too.", partial(_labels, later=-100)
)
word_labels.mistake(
    "Word 0 counts as no word here: in an `if`, the number 0 is false, as None is. Compare with `is None`.",
    lambda tags, word_ids, inside: [
        -100 if word == 0 else label
        for word, label in zip(word_ids, _labels(tags, word_ids, inside), strict=True)
    ],
)
word_labels.mistake(
    "First tokens have the tag that goes on, too: a name must begin before it can go on.",
    lambda tags, word_ids, inside: [
        -100 if word is None else inside.get(tags[word], tags[word]) for word in word_ids
    ],
)
word_labels.mistake(
    "[CLS] and [SEP] have tag 0; they are no words, so they get -100.", partial(_labels, outside=0)
)
word_labels.mistake(
    "The tags are laid down one after the other, whatever the tokens: use word_ids.",
    lambda tags, word_ids, _: [-100, *tags, *[-100] * (len(word_ids) - len(tags) - 1)],
)
word_labels.mistake(
    "For a word's later tokens nothing is written: the list must have an entry for each token.",
    lambda tags, word_ids, inside: [
        label for label in _labels(tags, word_ids, inside, later=-1) if label != -1
    ],
)
