"""How balanced a town's texts are, checked on sentences that were counted by hand."""

from itertools import pairwise

import pytest

from bertviz_lite.world.balance.__main__ import main
from bertviz_lite.world.balance.aims import Aim, aims
from bertviz_lite.world.balance.counting import Counts, counts_of, sentences_of
from bertviz_lite.world.balance.parts import question
from bertviz_lite.world.balance.patterns import covered, pattern
from bertviz_lite.world.balance.report import report
from bertviz_lite.world.balance.used_words import ListedWord
from bertviz_lite.world.english.stories import story
from bertviz_lite.world.events.text import Sentence, Story, Word

GLUED = (",", ".", "?", "!", "'s", "'m", "'ll")


def sentence(*marked: str) -> Sentence:
    """Return a sentence from words as ``text/POS/lemma/form/subject``; what is left out is as in the text."""
    words = []
    for index, entry in enumerate(marked):
        text, *marks = entry.split("/")
        pos, lemma, form, subject = (*marks, *[""] * (4 - len(marks)))
        words.append(
            Word(
                text,
                lemma or text.lower(),
                pos or "PUNCT",
                index,
                0,
                form=form or None,
                subject=int(subject) if subject else None,
                glued=text in GLUED,
            )
        )
    return Sentence(tuple(words))


DOGS = sentence(
    "The/DET", "dogs/NOUN/dog/plural", "of/ADP", "the/DET", "farmer/NOUN//singular",
    "are/AUX/be/base/1", "not/PART", "tired/ADJ", ".",
)  # fmt: skip
HER_KEY = sentence(
    "Has/AUX/have/s/1", "she/PRON", "found/VERB/find/participle", "her/PRON/she", "old/ADJ",
    "key/NOUN//singular", "?",
)  # fmt: skip
I_LL_GIVE = sentence(
    '"', "I/PRON/I", "'ll/AUX/will", "give/VERB//base", "you/PRON", "the/DET", "book/NOUN//singular",
    "that/PRON", "was/AUX/be/past/6", "lost/VERB/lose/participle", ",", '"',
    "said/VERB/say/past", "Tom/PROPN/Tom/singular", ".",
)  # fmt: skip
THEY_PLAY = sentence(
    "They/PRON", "play/VERB//base/0", "and/CCONJ", "he/PRON", "reads/VERB/read/s/3", "to/ADP",
    "her/PRON/she", ".",
)  # fmt: skip
WHERE = sentence("Where/ADV", "are/AUX/be/base/2", "you/PRON", "going/VERB/go/ing", "?")
NOBODY = sentence("Nobody/PRON", "saw/VERB/see/past", "it/PRON", ".")
SAME = sentence("Nobody/PRON", "found/VERB/find/past", "it/PRON", ".")
TEXT = (DOGS, HER_KEY, I_LL_GIVE, THEY_PLAY, WHERE, NOBODY, SAME)


@pytest.fixture(scope="module")
def counts() -> Counts:
    return counts_of(TEXT)


def test_sentences_words_and_lengths_leave_out_punctuation(counts: Counts) -> None:
    assert (counts.sentences, counts.words) == (7, 8 + 6 + 11 + 7 + 4 + 3 + 3)
    assert counts.lengths == {8: 1, 6: 1, 11: 1, 7: 1, 4: 1, 3: 2}


def test_words_of_grammar_are_counted_as_written(counts: Counts) -> None:
    wanted = {"the": 3, "are": 2, "her": 2, "nobody": 2, "it": 2, "i": 1, "'ll": 1, "where": 1, "to": 1}
    assert {word: counts.function_words[word] for word in wanted} == wanted
    assert "tired" not in counts.function_words


def test_finite_verbs_by_form_and_nouns_by_number(counts: Counts) -> None:
    assert counts.finite == {
        ("be", "are"): 2, ("be", "was"): 1, ("have", "has"): 1, ("other", "base"): 1, ("other", "-s"): 1,
        ("other", "past"): 3,
    }  # fmt: skip
    assert counts.nouns == {"singular": 3, "plural": 1}


def test_pronouns_by_person_number_and_case(counts: Counts) -> None:
    assert counts.pronouns == {
        ("she", "subject"): 1, ("she", "possessive"): 1, ("she", "object"): 1, ("I", "subject"): 1,
        ("you", "object"): 1, ("you", "subject"): 1, ("they", "subject"): 1, ("he", "subject"): 1,
        ("it", "object"): 2,
    }  # fmt: skip


def test_sentences_are_counted_once_for_each_construction(counts: Counts) -> None:
    assert counts.features == {
        "negation": 3, "question": 2, "yes or no question": 1, "wh question": 1, "perfect": 1, "speech": 1,
        "contraction": 1, "modal": 1, "passive": 1, "relative clause": 1, "relative clause with that": 1,
        "progressive": 1,
    }  # fmt: skip
    assert counts.modals == {"will": 1}
    assert counts.contractions == {"'ll": 1}


def test_content_words_do_not_make_a_new_pattern(counts: Counts) -> None:
    assert pattern(DOGS) == "the NOUN of the NOUN are not ADJ"
    assert counts.patterns["nobody VERB it"] == 2
    assert len(counts.patterns) == 6
    assert covered(counts.patterns, (1, 6)) == {1: 2 / 7, 6: 1}


def test_contracted_verbs_are_finite_negative_and_modal() -> None:
    text = (
        sentence("He/PRON", "isn't/AUX/be/s/0", "here/ADV", "."),
        sentence("I/PRON/I", "'m/AUX/be/base/0", "here/ADV", "."),
        sentence("It/PRON", "won't/AUX/will", "open/VERB//base", "."),
        sentence(
            "I/PRON/I",
            "can't/AUX/can",
            "see/VERB//base",
            "Anna/PROPN/Anna",
            "'s/PART",
            "hat/NOUN//singular",
            ".",
        ),
    )
    counts = counts_of(text)
    assert counts.finite == {("be", "is"): 1, ("be", "am"): 1}
    assert counts.contractions == {"n't": 3, "'m": 1}
    assert counts.modals == {"will": 1, "can": 1}
    assert counts.features["negation"] == 3


def test_a_passive_perfect_is_both_and_gone_is_neither() -> None:
    lost = sentence(
        "The/DET", "key/NOUN//singular", "has/AUX/have/s/1", "never/ADV", "been/AUX/be/participle",
        "found/VERB/find/participle", ".",
    )  # fmt: skip
    gone = sentence("It/PRON", "is/AUX/be/s/0", "gone/VERB/go/participle", ".")
    called = sentence(
        "A/DET",
        "girl/NOUN//singular",
        "called/VERB/call/participle",
        "Mia/PROPN/Mia",
        "sat/VERB/sit/past",
        ".",
    )
    assert set(counts_of([lost]).features) == {"perfect", "passive", "negation"}
    assert not counts_of([gone, called]).features
    asked = sentence(
        "Was/AUX/be/past/2", "a/DET", "girl/NOUN//singular", "called/VERB/call/participle",
        "Mia/PROPN/Mia", "ill/ADJ", "?",
    )  # fmt: skip
    assert "passive" not in counts_of([asked]).features


def test_a_question_within_a_sentence_is_no_relative_clause() -> None:
    asked = sentence(
        "He/PRON", "asked/VERB/ask/past", "the/DET", "boy/NOUN//singular", "which/DET",
        "story/NOUN//singular", "he/PRON", "read/VERB//past", ".",
    )  # fmt: skip
    assert not counts_of([asked]).features


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("Yes/INTJ", ",", "are/AUX", "you/PRON"), "yes or no"),
        (("With/ADP", "whom/PRON", "did/AUX", "he/PRON"), "wh"),
        (("Tom/PROPN",), "other"),
    ],
)
def test_questions_by_how_they_begin(words: tuple[str, ...], kind: str) -> None:
    assert question(sentence(*words).words) == kind


def test_words_of_the_list_count_in_any_form_and_nouns_not_as_verbs(counts: Counts) -> None:
    times = counts.used.times
    assert times(ListedWord("find", "VERB")) == 2
    assert times(ListedWord("dog", "NOUN")) == 1
    assert times(ListedWord("saw", "NOUN")) == 0
    assert times(ListedWord("I", "PRON")) == 1
    assert times(ListedWord("Tom", "NAME")) == 1
    listed = [ListedWord("find", "VERB"), ListedWord("dog", "NOUN"), ListedWord("cat", "NOUN")]
    assert [(word.text, number) for word, number in counts.used.rare(listed, 2)] == [("cat", 0), ("dog", 1)]


def test_an_aim_is_met_within_its_limits() -> None:
    assert Aim("", 35, 35, 65).met
    assert not Aim("", 66, 35, 65).met
    assert not Aim("", 7, 8).met


def test_aims_are_measured_per_sentence_and_patterns_left_out_of_short_texts(counts: Counts) -> None:
    values = {aim.name: aim.value for aim in aims(counts)}
    assert values["are of is, are, %"] == 100
    assert values["sentences with a negation, %"] == pytest.approx(300 / 7)
    assert values["she in any case, per 10,000"] == pytest.approx(30_000 / 7)
    assert not any("patterns" in name for name in values)


def test_the_report_has_a_section_for_everything(counts: Counts) -> None:
    text = report(counts)
    titles = [title for title, line in pairwise(text.splitlines()) if line and set(line) == {"-"}]
    assert len(titles) == 9
    assert "7 sentences, 42 words; 6.0 words in a sentence" in text
    assert "6 patterns among 7 sentences; 5 of them occur once" in text
    assert report(Counts()) == "no sentences"


def test_an_error_in_a_story_names_the_story() -> None:
    def broken(seed: int, index: int) -> Story:
        if index == 2:
            raise ValueError("no such word")
        return story(seed, index)

    with pytest.raises(ValueError, match="no such word") as error:
        list(sentences_of(broken, 1, 100))
    assert error.value.__notes__ == ["in story 2 of seed 1"]


def test_the_command_prints_the_report_and_checks_the_aims(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--town", "first", "--sentences", "200", "--words", "5"]
    assert main(arguments) == 0
    assert "200 sentences" in capsys.readouterr().out
    assert main([*arguments, "--check"]) == 1
