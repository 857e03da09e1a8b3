"""Chapter 09 in a reader's words: other right ways pass, and the feedback to a wrong one helps."""

import re
from collections.abc import Callable, Iterable
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
import torch
from matplotlib.collections import LineCollection
from torch import Tensor
from torch.nn.functional import cross_entropy
from transformers import BertForPreTraining, BertTokenizer

from bertviz_lite.chapters.chapter_09 import (
    careless_pairs,
    exercises as chapter_09,
    made_pairs,
    turning,
)
from bertviz_lite.chapters.chapter_09.beating import score_rule
from bertviz_lite.chapters.chapter_09.changed import (
    example,
    marked,
    other_tense,
    other_things,
    words_changed,
)
from bertviz_lite.chapters.chapter_09.figures import axes as figures, pictures
from bertviz_lite.chapters.chapter_09.figures.alone import alone
from bertviz_lite.chapters.chapter_09.figures.moves import moves
from bertviz_lite.chapters.chapter_09.going_on import (
    after_own_and_wrong,
    exam_answers,
    going_on,
    two_exams,
)
from bertviz_lite.chapters.chapter_09.hiding import a_hidden, b_hidden, hide_some
from bertviz_lite.chapters.chapter_09.second_town import TRAININGS, told_apart
from bertviz_lite.chapters.chapter_09.shift import shift_in, shift_of
from bertviz_lite.chapters.chapter_09.suspects import (
    come_back,
    count_shared,
    in_the_same_tense,
    is_noun,
    is_person,
    is_verb,
)
from bertviz_lite.chapters.chapter_09.turning import changed_words
from bertviz_lite.data.story_pairs import StoryPair, cut_stories, other_people, other_story, shuffled, swapped
from bertviz_lite.evaluation.pair_probes import occlusion, pair_vectors
from bertviz_lite.evaluation.recorded import recorded
from bertviz_lite.evaluation.recorded.by_seed import BySeed
from bertviz_lite.exercises import Exercise
from bertviz_lite.models.loading import folder_of
from bertviz_lite.plots import CYCLE
from bertviz_lite.world import stories
from bertviz_lite.world.events.town import THINGS
from tests.helpers.tiny_models import SPECIAL, WORDS, make


def test_careful_pairs_have_no_giveaway_and_a_planted_one_is_found() -> None:
    whole = [story for story in stories(seed=900_000_302, n=600) if len(story.sentences) >= 6]
    true = cut_stories(whole, np.random.default_rng(0))
    half = len(true) // 4 * 2
    pairs = true[:half] + other_story(true[half : 2 * half])
    seconds, labels = [pair.texts[1].lower().split() for pair in pairs], [0] * half + [1] * half
    word: Any = chapter_09.giveaway.reference(seconds, labels)
    right = sum((word in second) == (label == 1) for second, label in zip(seconds, labels, strict=True))
    assert right < 0.6 * len(labels)
    planted = [second + ["indeed"] * label for second, label in zip(seconds, labels, strict=True)]
    assert chapter_09.giveaway.reference(planted, labels) == "indeed"


def test_the_loss_is_the_library_s() -> None:
    model = make(BertForPreTraining).double().eval()
    input_ids = torch.tensor([[2, 7, 8, 3, 9, 3], [2, 9, 3, 10, 11, 3]])
    labels, pairs = torch.full((2, 6), -100), torch.tensor([1, 0])
    labels[0, 1], labels[1, 3], labels[1, 4] = 7, 10, 5
    outputs = model(input_ids, labels=labels, next_sentence_label=pairs)
    logits = outputs.prediction_logits, outputs.seq_relationship_logits
    made: Any = chapter_09.pretraining_loss.reference(logits[0], labels, logits[1], pairs)
    assert abs((made - outputs.loss).item()) < 1e-12


def test_a_loss_in_other_words() -> None:
    def by_gather(words: Tensor, labels: Tensor, pairs: Tensor, label: Tensor) -> Tensor:
        scored = labels >= 0
        chosen = words.softmax(-1)[scored].gather(1, labels[scored][:, None])
        return -chosen.log().mean() - pairs.log_softmax(-1)[torch.arange(len(label)), label].mean()

    assert chapter_09.pretraining_loss.check(by_gather)


def test_falls_one_by_one_and_those_of_the_package() -> None:
    def one_by_one(
        score: Callable[[Tensor], Tensor], input_ids: Tensor, spans: list[tuple[int, int]], mask_id: int
    ) -> Tensor:
        drops = []
        for start, stop in spans:
            row = torch.cat([input_ids[:start], torch.full((stop - start,), mask_id), input_ids[stop:]])
            drops.append(score(input_ids[None])[0] - score(row[None])[0])
        return torch.stack(drops)

    assert chapter_09.falls.check(one_by_one)
    tokenizer = BertTokenizer(vocab={token: i for i, token in enumerate((*SPECIAL, *WORDS))})
    model = make(BertForPreTraining).double().eval()
    batch = tokenizer("the cat sits.", "it sleeps.", return_tensors="pt")

    def score(input_ids: Tensor) -> Tensor:
        segments = batch["token_type_ids"].expand(len(input_ids), -1)
        with torch.no_grad():
            logits = model(input_ids, token_type_ids=segments).seq_relationship_logits
        difference: Tensor = logits[:, 0] - logits[:, 1]
        return difference

    seen = occlusion(model, tokenizer, "the cat sits.", "it sleeps.")
    spans = [(word.start, word.stop) for word in seen.words]
    made = chapter_09.falls.reference(score, batch["input_ids"][0], spans, tokenizer.mask_token_id)
    assert torch.allclose(made, torch.tensor(seen.drop), atol=1e-12)  # type: ignore[arg-type]


def _forgets_to_return(seconds: list[list[str]], labels: list[int]) -> None:
    max(zip(labels, seconds, strict=True))


@pytest.mark.parametrize(
    ("exercise", "answer", "message"),
    [
        (chapter_09.giveaway, lambda _b, _y: "tom", "'tom' is not it"),
        (chapter_09.giveaway, _forgets_to_return, "is a `return` missing"),
        (chapter_09.pretraining_loss, lambda _p, _y, q, z: (cross_entropy(q, z), 1), "The shape is (2,)"),
        (chapter_09.falls, lambda score, ids, _spans, _mask: score(ids), "a single row is input_ids[None]"),
        (chapter_09.pretraining_loss, lambda p, y, *_: cross_entropy(p, y), "classes on axis 1"),
    ],
)
def test_usual_slips_get_a_sentence(exercise: Exercise, answer: Callable[..., object], message: str) -> None:
    verdict = exercise.check(answer)
    assert verdict.passed is False
    assert message in verdict.text
    assert "Traceback" not in verdict.text


@pytest.fixture(scope="module")
def true_pairs() -> list[StoryPair]:
    return cut_stories(
        [story for story in stories(seed=900_000_303, n=150) if len(story.sentences) >= 6],
        np.random.default_rng(0),
    )


def test_a_false_b_is_never_the_own_one_and_as_long_as_its_kind_says(true_pairs: list[StoryPair]) -> None:
    lengths = careless_pairs.b_lengths(true_pairs, np.random.default_rng(1))
    a, b = np.array([pair.lengths for pair in true_pairs]).T
    careful, any_other, to_the_end, whole = lengths.values()
    assert sorted(careful) == sorted(b)  # every B is used once
    assert abs(careful - b).mean() < 0.2 * abs(any_other - b).mean()
    assert set(any_other) <= set(b)
    assert (to_the_end <= whole).all()
    assert set(whole) <= set(a + b)


def test_two_different_stories_never_lend_each_other_their_own_b(true_pairs: list[StoryPair]) -> None:
    short, long = sorted(true_pairs, key=lambda pair: pair.lengths[1])[:: len(true_pairs) - 1]
    lengths = careless_pairs.b_lengths([short, long], np.random.default_rng(2))
    for name in ("another B, nearly as long", "any other B"):
        assert lengths[name].tolist() == [long.lengths[1], short.lengths[1]]
    assert lengths["a whole other story"].tolist() == [sum(long.lengths), sum(short.lengths)]


def test_two_lengths_tell_a_b_that_is_longer_than_all_and_not_one_as_long(
    true_pairs: list[StoryPair],
) -> None:
    b = np.array([pair.lengths[1] for pair in true_pairs])
    told = careless_pairs.told_by_lengths(true_pairs, b + b.max() + 50, np.random.default_rng(3))
    assert len(told) == len(true_pairs) - len(true_pairs) // 2
    assert told.all()
    same = careless_pairs.told_by_lengths(true_pairs, b, np.random.default_rng(4))
    assert 0.3 < same.mean() < 0.7


def test_shares_are_drawn_with_how_many_they_are_of() -> None:
    answers = {"all": np.array([True] * 4), "some": np.array([True, False, True, True, False])}
    ax = figures.shares(answers, title="Most", label="accepted", reference={"guessing": 0.5})
    assert [name.get_text() for name in ax.get_yticklabels()] == ["all (4)", "some (5)"]
    assert [text.get_text() for text in ax.texts] == ["1.00", "0.60"]
    assert ax.get_xlabel() == "accepted\n(in brackets: of how many; bars: 95 % intervals)"
    (ends,) = (line.get_segments() for line in ax.collections if isinstance(line, LineCollection))
    # Wilson's interval of 3 of 5, as statistics books print it
    assert ends[1][:, 0].tolist() == pytest.approx([0.231, 0.882], abs=0.001)


def test_a_dot_is_orange_right_of_the_line_that_counts_and_each_line_is_counted() -> None:
    strips = {"own": [-1.0, 0.5, 2.0, 4.0], "wrong": [-3.0, -2.0, 3.5]}
    ax = figures.sides(strips, {"now": 0.0, "before": 3.0}, title="Two lines")
    assert [text.get_text() for text in ax.texts] == ["3 →", "1 →", "1 →", "1 →"]
    assert [name.get_text() for name in ax.get_yticklabels()] == ["own (4)", "wrong (3)"]
    yes, no = (mpl.colors.to_rgb(CYCLE[k]) for k in (1, 0))
    colours = [tuple(np.asarray(dots.get_facecolor())[0, :3].tolist()) for dots in ax.collections]
    assert colours == [yes, no, yes, no]
    beyond = [np.asarray(dots.get_offsets())[:, 0] for dots in ax.collections]
    assert [len(dots) for dots in beyond] == [3, 1, 1, 2]
    assert [bool((dots > 0).all()) for dots in beyond] == [True, False, True, False]


def test_dots_that_would_hide_each_other_lie_apart_and_none_changes_sides() -> None:
    values = [0.01, 0.02, 0.03, -0.01, 9.0, -9.0]
    ax = figures.sides({"own": values}, {"now": 0.0}, title="Close")
    places = np.concatenate([np.asarray(dots.get_offsets()) for dots in ax.collections])
    assert len(np.unique(places.round(6), axis=0)) == len(values)
    assert (places[:, 0] > 0).sum() == 4


SMALL_WORDS = (
    "a all an and any at be by came day had he her him his in into is it made morning no not of old on our "
    "out over she so some the they this through to up very was we were when with without"
)


def content(text: str) -> set[str]:
    """Return the words that carry a text's sense."""
    return set(re.findall(r"[a-z]+", text.lower())) - set(SMALL_WORDS.split())


def test_a_word_comes_back_in_the_first_way_to_go_on_and_in_no_other() -> None:
    first, *others = going_on().values()
    assert len(first) == 20
    assert all(content(a) & content(b) for a, b in first)
    for way in others:
        assert [a for a, _ in way] == [a for a, _ in first]
        assert not any(content(a) & content(b) for a, b in way)


def test_no_pronoun_helps_where_only_the_sense_tells() -> None:
    pronouns = {"he", "she", "it", "they", "him", "her", "them", "his", "its", "their", "we"}
    _, by_pronoun, by_sense = going_on().values()
    assert all(pronouns & set(re.findall(r"[a-z]+", b.lower())) for _, b in by_pronoun)
    assert not any(pronouns & set(re.findall(r"[a-z]+", b.lower())) for _, b in by_sense)


def test_the_two_exams_are_those_of_the_models_card() -> None:
    card = (folder_of("pocket") / "README.md").read_text(encoding="utf-8")
    (line,) = (line for line in card.splitlines() if line.startswith("| **next part**"))
    for marks, cell in zip(two_exams("pocket").values(), line.split("|")[2:4], strict=True):
        right, of = (sum(getattr(tally, name) for tally in marks.values()) for name in ("right", "n"))
        assert cell.strip().startswith(f"{right / of:.3f} ")
        assert cell.strip().endswith(f"; {of})")


def test_the_squares_show_what_the_package_does_to_a_story() -> None:
    whole = [story for story in stories(seed=900_000_303, n=400) if len(story.sentences) == 6]
    pairs = [pair for pair in cut_stories(whole, np.random.default_rng(0)) if len(pair.first) == 3][:12]
    numbers = {id(one): n for pair in pairs for n, one in enumerate((*pair.first, *pair.second), start=1)}

    def numbered(part: Iterable[object]) -> tuple[int, ...]:
        return tuple(numbers[id(one)] for one in part)

    assert len(pairs) > 3
    for name, some in {"as told": pairs, "B before A": swapped(pairs)}.items():
        recipe = made_pairs.RECIPES[name]
        assert not recipe.strange
        for pair in some:
            assert (numbered(pair.first), numbered(pair.second)) == (recipe.first, recipe.second)
    draw = np.random.default_rng(1)
    recipe = made_pairs.RECIPES["sentences of B shuffled"]
    orders = [recipe.second, *(numbered(pair.second) for pair in shuffled(pairs, draw))]
    assert all(sorted(order) == [4, 5, 6] and order != (4, 5, 6) for order in orders)
    assert all(pair.source != pair.story for pair in other_story(pairs))
    assert made_pairs.RECIPES["stranger"].strange
    assert all(pair.source == pair.story for pair in other_people(pairs, draw))
    assert not made_pairs.RECIPES["other names in B"].strange


def test_the_kinds_in_training_are_those_of_the_models_card() -> None:
    card = (folder_of("pocket") / "README.md").read_text(encoding="utf-8")
    assert "--other 0.28 --swapped 0.14" in card
    assert "50% of these with the names of the first part" in card
    false = [name for name, one in made_pairs.RECIPES.items() if one.in_training == "false"]
    assert false == ["B before A", "stranger", "stranger, A's names put in"]


def test_every_kind_of_pair_has_its_row_of_squares() -> None:
    ax = made_pairs.made_pairs(title="Eight")
    words = [text.get_text() for text in ax.texts]
    assert set(made_pairs.RECIPES) <= set(words)
    assert sum(word.isdigit() for word in words) == len(made_pairs.RECIPES) * 6


def test_of_trainings_each_seed_is_marked_and_their_mean_is_written() -> None:
    shares = {
        "stranger": {"one": [0.8, 0.9, 1.0], "two": [0.5, 0.5, 0.56]},
        "order": {"one": [0.6, 0.6, 0.6], "two": [1.0, 0.9, 0.8]},
    }
    axes = figures.seeds(shares, title="Known")
    assert [ax.get_title() for ax in axes] == ["stranger", "order"]
    assert [[text.get_text() for text in ax.texts] for ax in axes] == [["0.90", "0.52"], ["0.60", "0.90"]]
    marks = [np.asarray(dots.get_offsets())[:, 0].tolist() for dots in axes[0].collections]
    assert marks == [[0.8, 0.9, 1.0], [0.5, 0.5, 0.56]]
    assert [name.get_text() for name in axes[0].get_yticklabels()] == ["one", "two"]
    assert [list(line.get_xdata()) for line in axes[1].lines] == [[0.5, 0.5]]


def test_hidden_are_ordinary_tokens_alone_and_the_batch_stays_as_it_was() -> None:
    tokenizer = BertTokenizer(vocab={token: i for i, token in enumerate((*SPECIAL, *WORDS))})
    batch = tokenizer(["the cat sits."] * 40, ["it sleeps."] * 40, return_tensors="pt")
    before = batch["input_ids"].clone()
    masked, hidden = hide_some(batch, tokenizer, rate=0.5)
    special = torch.isin(before, torch.tensor(tokenizer.all_special_ids))
    assert torch.equal(batch["input_ids"], before)
    assert not (hidden & special).any()
    assert 0.4 < hidden[~special].double().mean() < 0.6
    assert (masked["input_ids"][hidden] == tokenizer.mask_token_id).all()
    assert torch.equal(masked["input_ids"][~hidden], before[~hidden])
    assert torch.equal(masked["token_type_ids"], batch["token_type_ids"])


def test_all_words_of_a_are_gaps_and_b_stays(true_pairs: list[StoryPair]) -> None:
    for pair, hidden in zip(true_pairs[:5], a_hidden(true_pairs[:5]), strict=True):
        assert {word.text for word in hidden.words(0)} == {"[MASK]"}
        assert len(hidden.words(0)) == len(pair.words(0))
        assert hidden.second == pair.second


def test_all_words_of_b_are_gaps_and_a_stays(true_pairs: list[StoryPair]) -> None:
    for pair, hidden in zip(true_pairs[:5], b_hidden(true_pairs[:5]), strict=True):
        assert {word.text for word in hidden.words(1)} == {"[MASK]"}
        assert len(hidden.words(1)) == len(pair.words(1))
        assert hidden.first == pair.first


def test_own_b_and_stranger_of_one_a_stand_side_by_side_where_the_tense_is_the_same(
    true_pairs: list[StoryPair],
) -> None:
    own = np.arange(len(true_pairs), dtype=np.float64)
    strangers = other_story(true_pairs)[::-1]
    theirs = np.arange(len(strangers), dtype=np.float64) + 0.5
    ours, others = in_the_same_tense(true_pairs, own, strangers, theirs)
    kept = [place for place, pair in enumerate(strangers) if len(set(pair.tenses)) == 1]
    assert 0 < len(kept) < len(strangers)
    assert others.tolist() == [place + 0.5 for place in kept]
    of_a = [true_pairs[int(number)].texts[0] for number in ours]
    assert of_a == [strangers[place].texts[0] for place in kept]


def test_a_wrong_a_is_another_text_s_and_b_stays() -> None:
    vocab = dict.fromkeys((*SPECIAL, *WORDS))
    tokenizer = BertTokenizer(vocab={token: i for i, token in enumerate(vocab)})
    model = make(BertForPreTraining).double().eval()
    texts = going_on()["a pronoun"]
    own, wrong = after_own_and_wrong(model, tokenizer)["a pronoun"]
    for place in (0, 7):
        asked = [texts[place], (texts[place - 1][0], texts[place][1])]
        expected = pair_vectors(model, tokenizer, asked).log_odds
        assert [own[place], wrong[place]] == pytest.approx(expected.tolist(), abs=1e-9)


def test_the_answers_of_the_exams_are_as_many_as_their_tallies() -> None:
    answers = exam_answers("pocket")
    tallies = two_exams("pocket")
    for name, kind in {"true": "true", "stranger": "other story", "B before A": "other order"}.items():
        for whose, marks in tallies.items():
            each = answers[f"{name}, {whose}"]
            assert (int(each.sum()), len(each)) == (marks[kind].right, marks[kind].n)
    assert len(answers) == 6


def test_a_head_that_was_never_trained_is_asked_nothing() -> None:
    variants = BySeed(recorded("ablations_second"))
    assert set(TRAININGS) <= set(variants.names)
    heads, words = told_apart(variants, "head"), told_apart(variants, "probe of words")
    assert [*heads] == [*words] == ["stranger", "B before A", "B before A, short"]
    assert {tuple(of_kind) for of_kind in heads.values()} == {("NSP", "strangers only", "order only")}
    assert {tuple(of_kind) for of_kind in words.values()} == {tuple(TRAININGS.values())}
    order = variants.values("sentence order", "pairs", "swapped order", "probe of words")
    assert words["B before A"]["order only"].tolist() == order.tolist()


def test_the_shift_is_the_one_that_the_card_tells_of() -> None:
    card = """- At last the NSP head's logit of *continues* was raised by 2.5: a continuation by people
  shares fewer words. How far was chosen on the half of people's pairs that is for looking at, where 91.7%
  are right with it and 85% without.
"""
    assert shift_in(card) == pytest.approx((2.5, 0.917, 0.85))
    again = card.replace("2.5", "1").replace("91.7%", "93%")  # of two, the last one
    assert shift_in(card + again) == pytest.approx((1, 0.93, 0.85))
    assert shift_of("pocket").by > 0
    with pytest.raises(LookupError, match="doesn't say"):
        shift_in("- Weights: none was raised.")


def test_in_the_other_tense_only_verbs_change(
    true_pairs: list[StoryPair],
) -> None:
    own = {pair.story: pair for pair in true_pairs}
    made = other_tense(true_pairs)
    assert len(made) > 10
    for pair in made:
        told = own[pair.story]
        assert pair.first == told.first
        changed = [
            (old, new) for old, new in zip(told.words(1), pair.words(1), strict=True) if old.text != new.text
        ]
        assert changed
        assert {old.pos for old, _ in changed} <= {"VERB", "AUX"}
        assert all(old.lemma == new.lemma for old, new in changed)
        assert pair.tenses[1] != told.tenses[1]


def test_all_things_that_come_back_are_exchanged_each_for_one_of_its_kind(
    true_pairs: list[StoryPair],
) -> None:
    own = {pair.story: pair for pair in true_pairs}
    made = other_things(true_pairs, np.random.default_rng(0))
    assert len(made) > 10
    for pair in made:
        told = own[pair.story]
        assert pair.first == told.first
        both = list(zip(told.words(1), pair.words(1), strict=True))
        change = {(old.lemma, new.lemma) for old, new in both if old.text != new.text}
        in_a = {word.lemma for word in told.words(0)}
        nouns = {word.lemma for word in told.words(1) if word.pos == "NOUN"}
        things = {noun for noun in nouns if noun in THINGS and noun in in_a}
        before, after = [old for old, _ in change], [new for _, new in change]
        assert set(before) == things
        assert len(set(after)) == len(before) == len(things)
        assert all(THINGS[old].kind == THINGS[new].kind for old, new in change)
        assert not set(after) & {word.lemma for part in (0, 1) for word in told.words(part)}


def _draw() -> np.random.Generator:
    return np.random.default_rng(0)


def test_a_picture_s_title_counts_what_it_shows() -> None:
    yes, no, half = np.array([True] * 4), np.array([False] * 4), np.array([True, False] * 2)
    seen = pictures.alone({"names": half, "verbs": no}, {"names": yes, "verbs": half})
    assert seen.alt.endswith("names: alone 2 of 4, hidden 4; verbs: alone 0 of 4, hidden 2.")
    exam = pictures.exam({"true, the town's": half, "true, people's": no})
    assert "The head refuses 4 of people's 4 true pairs, and 2 of the town's 4." in exam.alt
    strips = {"own": np.array([-1.0, 0.5, 3.0]), "wrong": np.array([0.0, 1.0, 2.0])}
    assert "The shift lets 1 more own B pass, and 2 more wrong ones. Yes: own: 2, without 1" in (
        pictures.sides(strips, 2.0).alt
    )
    shares = {"stranger": {"one": np.array([0.5, 0.75]), "two": np.array([1.0, 1.0])}}
    assert pictures.probes(shares).alt.endswith("stranger: one 0.62, two 1.00.")
    lengths = pictures.lengths({"careful": half, "any": no, "whole": yes})
    assert "100% right on careless pairs, 50% on careful ones" in lengths.alt


def test_a_rule_is_scored_and_a_pair_on_which_it_errs_is_shown(true_pairs: list[StoryPair]) -> None:
    true, false = true_pairs[:4], other_story(true_pairs[:4])
    assert score_rule(lambda _: ..., true, false).startswith("not answered yet")
    always = score_rule(lambda _: True, true, false, target=4)
    assert always.startswith(
        "right on 4 of 8: 4 of 4 true, 0 of 4 false\n4 aren't beaten yet: it gives every"
    )
    assert false[0].texts[1] in always
    perfect = score_rule(lambda pair: pair.source == pair.story, true, false, target=4)
    assert perfect == "right on 8 of 8: 4 of 4 true, 4 of 4 false\nbeats 4"
    elsewhere = score_rule(lambda pair: pair.story < 4, true, false, others=true_pairs[4:6])
    assert "on other stories: right on 2 of 4, 50%, here 50%" in elsewhere


def test_of_accepted_pairs_the_share_is_drawn_in_the_colour_of_what_training_did() -> None:
    yes, no = np.array([True] * 3 + [False]), np.array([False, False])
    ax = figures.accepted(
        {"as told": yes, "stranger": no}, {"as told": "true", "stranger": "false, by chance"}
    )
    assert [text.get_text() for text in ax.texts] == ["75%", "0%"]
    dots = [each for each in ax.collections if not isinstance(each, LineCollection)]
    assert [np.asarray(each.get_offsets()).tolist() for each in dots] == [[[0.75, 0.0]], [[0.0, 1.0]]]
    assert [each.get_label() for each in dots] == ["called true in training", "called false"]


def test_of_bs_after_as_orange_is_above_zero_and_each_number_is_written() -> None:
    ax = figures.fits({"one": [2.0, -1.0], "two": [-3.0, 4.0]}, ["a", "b"], title="Fits", apart=1)
    assert [text.get_text() for text in ax.texts[:4]] == ["+2.0", "−1.0", "−3.0", "+4.0"]
    reds, blues = zip(
        *((cell.get_facecolor()[0], cell.get_facecolor()[2]) for cell in ax.patches), strict=True
    )
    warm = [red > blue for red, blue in zip(reds, blues, strict=True)]
    assert warm == [True, False, False, True]
    assert ax.get_yticks().tolist() == [0.0, 1.25]  # a gap after the first row


def test_words_put_in_taken_out_or_replaced_are_counted() -> None:
    for new, words in {
        "tom found the key!": 0,
        "Tom finds the key.": 1,
        "Now Tom finds the key.": 2,
        "Found the key.": 1,
        "": 4,
    }.items():
        assert changed_words("Tom found the key.", new) == words


def test_a_change_is_measured_by_the_head_and_by_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    class Answers:
        def __init__(self, pairs: list[tuple[str, str]]) -> None:
            self.log_odds = np.array([a.count("good") + b.count("good") - 1.5 for a, b in pairs])

    monkeypatch.setattr(turning, "pair_vectors", lambda _model, _tokenizer, pairs: Answers(pairs))
    texts = [("good", "good words here"), ("good good", "good words"), ("bad", "good words")]

    def measured(change: Callable[..., object]) -> list[str]:
        return turning.turned(change, None, None, texts).splitlines()  # type: ignore[arg-type]

    assert measured(lambda *_: ...) == ["not answered yet: return a text, B with a word or two changed."]
    assert measured(lambda *_: 7) == ["return a text, not int."]
    lines = measured(lambda _, b: b.replace("good", "bad"))
    assert lines[:2] == ["turned 1 of 3, each by at most 2 words", "13 aren't reached yet"]
    assert [line[:14].strip() for line in lines[2:]] == ["turned", "still a yes", "a no before"]
    assert lines[2].endswith(" 1 changed,  +0.5 to  -0.5: bad words here")
    assert measured(lambda *_: "bad bad bad")[2].startswith("too many words 3 changed")
    tried: list[float] = []
    measured(lambda score, b: tried.append(float(score([b, "bad"])[1])) or b)
    assert tried == [-0.5, 0.5, -1.5]  # each B after its own A


def test_the_head_is_drawn_with_its_numbers() -> None:
    ax = figures.head([0.8, -0.5, 0.1], [[1, -2, 0], [-1, 0, 2]], title="The head")
    words = [text.get_text() for text in ax.texts]
    assert {"0.8", "−0.5", "1", "−0.8", "0.2", "1.8", "−0.6", "0.92", "0.08", "0.09", "2.49"} <= set(words)


def test_of_changed_words_the_old_and_the_new_one_are_shown_and_counted(true_pairs: list[StoryPair]) -> None:
    own = {pair.story: pair for pair in true_pairs}
    made = other_things(true_pairs, _draw())
    counts = words_changed(true_pairs, made)
    assert len(counts) == len(made)
    for pair, count in zip(made, counts, strict=True):
        shown = marked(own[pair.story], pair)
        assert shown.count("→") == count > 0
        assert re.sub(r"\[\S+ → (\S+)\]", r"\1", shown) == pair.texts[1]
        assert re.sub(r"\[(\S+) → \S+\]", r"\1", shown) == own[pair.story].texts[1]
        lines = example(own[pair.story], pair, 60).splitlines()
        told = own[pair.story]
        assert " ".join(map(str.strip, lines)) == f"A ends: {told.first[-1]} B: {shown}"
        assert all(len(line) <= 60 and line.count("[") == line.count("]") for line in lines)


def test_a_suspect_has_a_dot_for_alone_and_a_ring_for_hidden() -> None:
    picked = {"names": np.array([True, True, True, False]), "verbs": np.array([True, False])}
    hidden = {"names": np.array([True] * 4), "verbs": np.array([False, True])}
    ax = alone(picked, hidden, title="Two")
    assert [text.get_text() for text in ax.texts] == ["3 of 4", "4 of 4", "1 of 2", "1 of 2", "hidden:"]
    marks = [line for line in ax.lines if line.get_marker() == "o"]
    assert [float(np.asarray(mark.get_xdata())[0]) for mark in marks] == [0.75, 1.0, 0.5, 0.5]
    assert [mark.get_markerfacecolor() == "none" for mark in marks] == [False, True] * 2
    assert [name.get_text() for name in ax.get_yticklabels()] == ["names", "verbs"]


def test_an_arrow_goes_from_as_told_to_spoilt_and_says_how_much_of_the_way_that_is() -> None:
    told, strange = np.array([9.0, 11.0]), np.array([-11.0, -9.0])
    log_odds = {
        "tense": (told, np.array([-1.0, 1.0]), strange),
        "order": (told, np.array([-10.0, -12.0]), strange),
    }
    ax = moves(log_odds, title="Two")
    words = [text.get_text() for text in ax.texts if text.get_text()]
    assert words == ["50% of the way", "105% of the way"]
    assert [name.get_text() for name in ax.get_yticklabels()] == ["tense (2)", "order (2)"]
    alt = pictures.moves(log_odds).alt
    assert "A wrong tense goes 50% of the way to a stranger, a wrong order all of it." in alt
    assert "tense +0.0, 50% of the way, 1 of 2 accepted; order -11.0, 105%" in alt


def test_stories_are_those_in_which_a_wanted_word_comes_back(true_pairs: list[StoryPair]) -> None:
    some, strange = come_back(true_pairs, is_person, most=6)
    assert len(some) == len(strange) == 6
    assert all(count_shared(pair, is_person) for pair in some)
    assert [pair.texts[0] for pair in strange] == [pair.texts[0] for pair in some]
    assert all(a.texts[1] != b.texts[1] for a, b in zip(some, strange, strict=True))
    kept = [pair for pair in true_pairs if count_shared(pair, is_person)]
    assert come_back(true_pairs, is_person, most=len(true_pairs))[0] == kept
    assert 0 < len(kept) < len(true_pairs)


def test_no_word_is_two_suspects_at_once(true_pairs: list[StoryPair]) -> None:
    words = [word for pair in true_pairs[:20] for part in (0, 1) for word in pair.words(part)]
    kinds = [[kind(word) for word in words] for kind in (is_person, is_noun, is_verb)]
    assert all(any(each) for each in kinds)
    assert max(map(sum, zip(*kinds, strict=True))) == 1
