"""The messages that chapter 11 brings, and a reader's own, cut into parts."""

from collections import Counter

import pytest

from bertviz_lite.chapters.chapter_11.messages import LABELS, PARTS, labels_of, messages

OWN = "\n".join(f"{label} | {label} number {n}" for label in ("yes", "no") for n in range(10))


def test_the_course_brings_as_many_messages_of_each_kind_in_every_part() -> None:
    parts = messages()
    assert tuple(parts) == PARTS
    for part, count in zip(PARTS, (16, 6, 10), strict=True):
        assert Counter(label for _, label in parts[part]) == dict.fromkeys(LABELS, count)


def test_no_message_is_there_twice_and_each_is_a_short_sentence() -> None:
    texts = [text for pairs in messages().values() for text, _ in pairs]
    assert len({text.casefold() for text in texts}) == 128
    assert max(len(text.split()) for text in texts) <= 16
    assert all(text == text.strip() and text[-1] in ".?!" for text in texts)


def test_the_words_that_seem_to_give_a_kind_away_occur_in_another_kind_too() -> None:
    pairs = [pair for part in messages().values() for pair in part]
    for word, kinds in {"parcel": 3, "box": 3, "thank": 3, "send": 3, "came": 3, "lamp": 4}.items():
        assert len({label for text, label in pairs if word in text.lower()}) >= kinds, word


def test_of_five_sentences_of_a_label_three_are_to_learn_from() -> None:
    parts = messages(OWN + "\n\n")
    assert {part: len(pairs) for part, pairs in parts.items()} == {"train": 12, "validation": 4, "test": 4}
    assert [text for text, label in parts["test"] if label == "yes"] == ["yes number 4", "yes number 9"]
    assert labels_of(parts["test"]) == ["yes", "no"]


def test_a_sentence_may_hold_a_bar() -> None:
    parts = messages(OWN.replace("no number 0", "no | way"))
    assert ("no | way", "no") in parts["train"]


@pytest.mark.parametrize(
    ("own", "message"),
    [
        (OWN + "\nmaybe", "line 21.*label | sentence"),
        (OWN + "\n| a sentence", "line 21.*label | sentence"),
        (OWN + "\nno | yes number 3", "line 21.*twice"),
        ("\n".join(f"yes | {n}" for n in range(9)), "two or more"),
        (OWN + "\nmaybe | one\nmaybe | two", "maybe: 2 sentences"),
    ],
)
def test_what_cannot_be_cut_is_refused_in_one_line(own: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        messages(own)
    assert "\n" not in str(caught.value)
