"""Chapter 05: what its helpers hide, swap and read, and feedback to answers in a reader's words."""

import copy
from collections import Counter

import numpy as np
import pytest
import torch
from matplotlib.patches import FancyArrowPatch
from torch import Tensor
from transformers import BertForPreTraining, PreTrainedTokenizerBase

from bertviz_lite import load, stories
from bertviz_lite.chapters.chapter_05 import clues, exercises as chapter_05, figures, reading_layers, village
from bertviz_lite.chapters.chapter_05.holes import Holes, hide_words
from bertviz_lite.chapters.chapter_05.one_way import hearing_bias, one_way_bias, preferences
from bertviz_lite.chapters.chapter_05.verb_places import right_by_place
from bertviz_lite.chapters.chapter_10.live.tiny_stories import small_tokenizer, tiny_stories
from bertviz_lite.chapters.chapter_10.live.verb_exam import Exam
from bertviz_lite.data.encoded_stories import encode_stories
from bertviz_lite.evaluation.probes import SenseVectors, TagResult, WordVectors
from bertviz_lite.world.life import story
from tests.helpers.tiny_models import make

Pocket = tuple[PreTrainedTokenizerBase, BertForPreTraining]


@pytest.fixture(scope="module")
def pocket() -> Pocket:
    return load("pocket")


@pytest.fixture(scope="module")
def holes(pocket: Pocket) -> Holes:
    return hide_words(stories(seed=11, n=12), pocket[0])


def test_words_are_hidden_whole_and_punctuation_never(pocket: Pocket, holes: Holes) -> None:
    tokenizer, _ = pocket
    assert 0.05 < holes.is_hidden[holes.attention_mask == 1].double().mean() < 0.3
    assert not (holes.is_hidden & holes.is_special).any()
    assert not (holes.is_hidden & (holes.attention_mask == 0)).any()
    assert torch.equal(holes.read == tokenizer.mask_token_id, holes.is_hidden)
    town = stories(seed=11, n=12)
    everything = hide_words(town, tokenizer, rate=1.0)
    tokens = np.array(tokenizer.convert_ids_to_tokens(everything.input_ids.flatten().tolist()))
    hidden = everything.is_hidden.flatten().numpy()
    assert set(tokens[~hidden]) - {"[CLS]", "[SEP]", "[PAD]"} <= set('.,!?":;')
    assert not set(tokens[hidden]) & set(".,!?")
    spans = [(row, *span) for row, told in enumerate(encode_stories(town, tokenizer)) for span in told.spans]
    several = [holes.is_hidden[row, start:stop] for row, start, stop in spans if stop - start > 1]
    assert several  # "didn't" is three tokens
    assert all(part.unique().numel() == 1 for part in several)


def test_guesses_are_the_library_s_own(pocket: Pocket, holes: Holes) -> None:
    _, model = pocket
    with torch.no_grad():
        logits = model(holes.read, attention_mask=holes.attention_mask).prediction_logits[holes.is_hidden]
    assert torch.allclose(holes.guesses(model), logits.log_softmax(dim=-1), atol=1e-4)
    pairs = zip(logits.argmax(dim=-1).tolist(), holes.answers.tolist(), strict=True)
    assert holes.right(logits) == pytest.approx(np.mean([best == answer for best, answer in pairs]))


def test_layers_run_in_the_order_that_is_given(pocket: Pocket, holes: Holes) -> None:
    _, model = pocket
    called: list[int] = []
    hooks = [
        layer.register_forward_hook(lambda *_, number=number: called.append(number))
        for number, layer in enumerate(model.bert.encoder.layer)
    ]
    holes.guesses(model, order=[2, 0, 0])
    holes.guesses(model)
    for hook in hooks:
        hook.remove()
    assert called == [2, 0, 0, 0, 1, 2, 3]


def test_one_way_guesses_do_not_change_with_what_they_may_not_see(pocket: Pocket, holes: Holes) -> None:
    _, model = pocket
    alone = [at for at in holes.is_hidden.nonzero().tolist() if not holes.is_hidden[at[0], at[1] + 1]]
    row, place = alone[0]
    number = int(holes.is_hidden[:row].sum() + holes.is_hidden[row, :place].sum())
    other = holes.input_ids.clone()
    other[row, place + 1] = 700
    changed = Holes(other, holes.attention_mask, holes.is_special, holes.is_hidden, holes.mask_id)
    for side, same in {"left": True, "right": False}.items():
        bias = one_way_bias(holes.attention_mask, holes.is_special, side, torch.float32)
        assert torch.equal(holes.guesses(model, bias)[number], changed.guesses(model, bias)[number]) == same


def test_a_deaf_place_hears_only_itself_and_places_to_rest_on() -> None:
    special = torch.tensor([True, False, False, False, True])
    allowed = hearing_bias(special, {1: [], 3: [2]}, torch.float64)[0, 0] == 0
    assert allowed.int().tolist() == [
        [1, 0, 0, 0, 1],  # special tokens see only each other, or else they'd tell the deaf
        [1, 1, 0, 0, 1],
        [1, 1, 1, 1, 1],
        [1, 0, 1, 1, 1],
        [1, 0, 0, 0, 1],
    ]


def test_a_deaf_gap_gets_the_same_vector_in_every_text(pocket: Pocket) -> None:
    tokenizer, model = pocket
    head = clues.head_that_looks(model, tokenizer, clues.tense_twins()[0], "is")
    texts = ["Anna is tired, so she [MASK] to bed.", "Max lost the key, and [MASK] is sad."]
    cases = clues.deaf_cases(head, 12)
    ids = torch.tensor(tokenizer(texts)["input_ids"])
    special = torch.tensor([True] + [False] * 10 + [True])
    apart = {}
    for name, (way, *others) in cases.items():
        assert len(others) == (7 if name.startswith("some bystander") else 0)
        states = model.bert.embeddings(ids)
        for layer in model.bert.encoder.layer[:3]:
            states = layer(states, hearing_bias(special, way, states.dtype))
        apart[name] = (states[0, head.place] - states[1, head.place]).abs().max().item()
    assert max(apart["gap deaf"], apart["both deaf"]) < 1e-4 < 0.1 < apart["gap hears only its neighbours"]


def test_what_two_sides_say_is_added_and_what_both_say_is_the_library_s(pocket: Pocket) -> None:
    tokenizer, model = pocket
    texts = [
        f"Anna is {how}, so she [MASK] {what}." for how in ("hungry", "thirsty") for what in ("soup", "water")
    ]
    found = preferences(model, tokenizer, texts, ["eats", "drinks"])
    left, right = found["left"].tolist(), found["right"].tolist()
    assert left[0] == pytest.approx(left[1], abs=1e-4) != left[2]  # the left side has seen one word only
    assert right[0] == pytest.approx(right[2], abs=1e-4) != right[1]
    with torch.no_grad():
        batch = tokenizer(texts, return_tensors="pt")
        logits = model(**batch).prediction_logits[batch["input_ids"] == tokenizer.mask_token_id]
    eats, drinks = tokenizer.convert_tokens_to_ids(["eats", "drinks"])
    assert torch.allclose(found["both"], logits[:, drinks] - logits[:, eats], atol=1e-3)


def test_a_verb_s_place_is_answered_by_what_was_commoner_there() -> None:
    tokenizer = small_tokenizer()
    exam = Exam.make(tokenizer, iter(tiny_stories(900_000_000, 200)), each=2)
    assert right_by_place(exam, [], tokenizer).tolist() == (~exam.plural).tolist()  # nothing read: singular
    for question, place, plural in zip(exam.stories, exam.places, exam.plural, strict=True):
        right = right_by_place(exam, [question], tokenizer)  # one story read: its number, at its place alone
        said_plural = (exam.places == place) & plural
        assert torch.equal(right, said_plural == exam.plural)


def test_twins_differ_in_one_token(pocket: Pocket) -> None:
    tokenizer, _ = pocket
    for texts, twins in (clues.article_twins(), clues.tense_twins(), clues.who_twins()):
        assert len(texts) == len(twins) == len(clues.NAMES) == len(set(texts))
        for text, twin in zip(texts, twins, strict=True):
            pairs = zip(tokenizer.tokenize(text), tokenizer.tokenize(twin), strict=True)
            assert sum(token != other for token, other in pairs) == 1


def test_a_clue_goes_from_its_word_to_the_mask(pocket: Pocket) -> None:
    """At the input only the word that differs can decide, after the last layer only [MASK] can."""
    tokenizer, model = pocket
    for (texts, twins), word in (
        (clues.article_twins(), "a"),
        (clues.tense_twins(), "is"),
        (clues.who_twins(), "anna"),
    ):
        tokens, shares = clues.follow_clue(model, tokenizer, texts[::8], twins[::8])
        assert shares.shape == (5, len(tokens))
        assert np.flatnonzero(shares[0]).tolist() == [tokens.index(word)]
        assert np.flatnonzero(shares[-1]).tolist() == [tokens.index("[MASK]")]
        assert shares[0].max() == shares[-1].max() == 1


def test_halfway_is_where_the_logit_difference_lies_between_text_and_twin(pocket: Pocket) -> None:
    """The share of one swap, worked out from the library's own logits; and the trace says it in words."""
    tokenizer, model = pocket
    text, twin = clues.article_twins()[0][0], clues.article_twins()[1][0]
    tokens, shares = clues.follow_clue(model, tokenizer, [text], [twin])
    both = tokenizer([text, twin], return_tensors="pt")
    gap = tokens.index("[MASK]")

    def copy(_module: object, _given: object, states: Tensor) -> Tensor:
        return torch.stack([torch.where(torch.arange(len(tokens))[:, None] == gap, states[1], states[0])] * 2)

    with torch.no_grad():
        one, other = model(**both).prediction_logits[:, gap]
        hook = model.bert.encoder.layer[2].register_forward_hook(copy)
        swapped = model(**both).prediction_logits[0, gap]
        hook.remove()
    apart = [float(logits[other.argmax()] - logits[one.argmax()]) for logits in (one, swapped, other)]
    assert shares[3, gap] == pytest.approx((apart[1] - apart[0]) / (apart[2] - apart[0]), abs=1e-3)
    lines = clues.trace(model, tokenizer, text, twin).splitlines()
    assert lines[0] == "[MASK]: “sandwich”, the twin's “apple”"
    assert lines[1].split() == ["input", "a", "1.00"]
    assert lines[-1].split() == ["after", "layer", "3", "[MASK]", "1.00"]
    assert f"[MASK] {shares[3, gap]:.2f}" in lines[4]


def test_without_a_difference_there_is_no_clue_to_follow(pocket: Pocket) -> None:
    tokenizer, model = pocket
    said = clues.trace(
        model, tokenizer, "Tom lost his key, so he is [MASK].", "Tom found his key, so he is [MASK]."
    )
    assert said == "No clue to follow: both get “happy”: the word that differs decides nothing here."
    assert "one [MASK]" in clues.trace(model, tokenizer, "Tom lost it.", "Tom found it.")


def test_a_clue_arrives_where_most_guesses_first_follow_the_mask() -> None:
    shares = np.array([[1.0, 0.0], [1.0, 0.25], [0.5, 0.75], [0.0, 1.0]])
    assert clues.layer_of_arrival(["is", "[MASK]"], shares) == 1
    assert clues.layer_of_arrival(["[MASK]", "is"], shares[:, ::-1]) == 1
    assert clues.layer_of_arrival(["is", "[MASK]"], shares[[0, 3]]) == 0


def test_sentences_that_do_not_line_up_are_refused(pocket: Pocket) -> None:
    tokenizer, model = pocket
    for texts, twins in (
        (["Anna [MASK] tea."], ["Anna then [MASK] tea."]),
        (["Anna [MASK] tea."], ["[MASK] drinks tea."]),
        (["Anna [MASK] tea.", "Anna [MASK]."], ["Tom [MASK] tea.", "Tom [MASK] tea."]),
    ):
        with pytest.raises(ValueError, match="line them up"):
            clues.follow_clue(model, tokenizer, texts, twins)


def test_layers_go_on_from_any_height() -> None:
    model = make(BertForPreTraining, num_hidden_layers=3).eval()
    with torch.no_grad():
        states = model.base_model(torch.tensor([[2, 9, 8, 3]]), output_hidden_states=True).hidden_states
    for first in range(4):
        heights = clues.run_layers(model, states[first], first)
        for height, expected in zip(heights, states[first:], strict=True):
            assert torch.allclose(height, expected, atol=1e-6)


def test_a_part_is_left_out_for_the_time_of_one_guess(pocket: Pocket) -> None:
    """A layer left out never runs; a head's silence is its columns of the output matrix set to 0."""
    tokenizer, model = pocket
    texts = clues.who_twins()[0]
    whole = clues.answers_without(model, tokenizer, texts)
    assert whole == {"she": 8, "he": 8}
    ran: list[int] = []
    hooks = [
        layer.register_forward_hook(lambda *_, number=number: ran.append(number))
        for number, layer in enumerate(model.bert.encoder.layer)
    ]
    clues.answers_without(model, tokenizer, texts, layer=2)
    for hook in hooks:
        hook.remove()
    assert ran == [0, 1, 3]
    silent = clues.answers_without(model, tokenizer, texts, layer=3, head=0)
    other = copy.deepcopy(model)
    size = other.config.hidden_size // other.config.num_attention_heads
    with torch.no_grad():
        other.get_parameter("bert.encoder.layer.3.attention.output.dense.weight")[:, :size] = 0
    assert silent == clues.answers_without(other, tokenizer, texts)
    assert clues.answers_without(model, tokenizer, texts) == whole


def test_which_of_two_words_leads_is_told_even_where_another_beats_both(pocket: Pocket) -> None:
    tokenizer, model = pocket
    women = clues.who_twins()[0][:8]
    assert clues.ahead_without(model, tokenizer, women, ["she", "he"]) == 8
    assert clues.ahead_without(model, tokenizer, women, ["he", "she"]) == 0
    part = {"layer": 3, "head": 0}
    assert not {"she", "he"} & set(clues.answers_without(model, tokenizer, women, **part))
    leads = [
        clues.ahead_without(model, tokenizer, women, pair, **part) for pair in (["she", "he"], ["he", "she"])
    ]
    assert sum(leads) == 8


def test_the_head_that_looks_asks_and_labels_as_the_library_does(pocket: Pocket) -> None:
    """At its own height, query and keys give the weights that the library returns, the largest of all."""
    tokenizer, model = pocket
    for (texts, _), word in ((clues.tense_twins(), "is"), (clues.who_twins(), "anna")):
        found = clues.head_that_looks(model, tokenizer, texts, word)
        with torch.no_grad():
            maps = model.base_model(
                torch.tensor(tokenizer(texts)["input_ids"]), output_attentions=True
            ).attentions
            query, keys = found.query(found.hidden_states[-1]), found.key(found.hidden_states[-1])
        weights = (query @ keys.transpose(1, 2) / found.size**0.5).softmax(dim=-1)
        assert torch.allclose(weights, maps[found.layer][:, found.head], atol=1e-5)
        assert tokenizer.convert_ids_to_tokens(tokenizer(texts[0])["input_ids"])[found.target] == word
        looks = torch.cat([layer[:, :, found.place, found.target].mean(dim=0) for layer in maps]).tolist()
        assert found.name == "{}.{}".format(*divmod(int(np.argmax(looks)), 6))
        assert len(found.hidden_states) == found.layer + 1


def test_a_neighbour_of_the_same_sense_is_counted() -> None:
    senses = np.array(["bat.a", "bat.a", "bat.b", "bat.b"])
    apart, mixed = np.array([[0.0], [1.0], [10.0], [11.0]]), np.array([[0.0], [10.0], [1.0], [11.0]])
    same, by_chance = reading_layers.neighbours_of_one_sense(apart, senses)
    assert same == 4
    assert by_chance == pytest.approx(4 / 3)
    assert reading_layers.neighbours_of_one_sense(mixed, senses)[0] == 0


def test_only_pronouns_have_a_person_who_is_meant() -> None:
    tag, town = reading_layers.MEANING["who is meant"], [story(3, index) for index in range(40)]
    meant = {(word.text.lower(), tag(word, story)) for story in town for word in story.words}
    people = {word.text for story in town for word in story.words if word.name == "person"}
    assert {person for _, person in meant if person} <= people
    words = {word for word, person in meant if person}
    assert {"he", "she"} <= words
    assert words <= {"he", "she", "him", "her", "his", "hers", "himself", "herself", "i", "me", "my", "you"}


def test_the_word_whose_rarer_sense_is_commonest_is_chosen() -> None:
    first = SenseVectors(("bat.a", "bat.b", "bank.a"), np.arange(6.0).reshape(2, 3, 1), np.zeros((3, 1)))
    second = SenseVectors(("bank.b", "bank.b", "bank.a", "bat.a"), np.ones((2, 4, 1)), np.zeros((4, 1)))
    word, senses, vectors = reading_layers.two_sense_word(first, second, ["bat", "bank"])
    assert word == "bank"
    assert senses.tolist() == ["bank.a", "bank.b", "bank.b", "bank.a"]
    assert vectors[:, :, 0].tolist() == [[2, 1, 1, 1], [5, 1, 1, 1]]


def test_form_is_read_in_a_few_stories_and_meaning_in_all(pocket: Pocket) -> None:
    tokenizer, model = pocket
    encoded = encode_stories([story(5, index) for index in range(30)], tokenizer)
    found = reading_layers.tagged_vectors(model, encoded, everything=2)
    words = [word for told in encoded[:2] for word in told.story.words if word.pos != "PUNCT"]
    assert sorted(word.text for _, word in found["form"].words) == sorted(word.text for word in words)
    meant = [
        word.text
        for told in encoded
        for word in told.story.words
        if word.sense or (word.pos == "PRON" and word.entity is not None)
    ]
    assert sorted(word.text for _, word in found["meaning"].words) == sorted(meant)


def test_a_sense_belongs_to_a_spelling(pocket: Pocket) -> None:
    tokenizer, model = pocket
    encoded = encode_stories([story(5, index) for index in range(60)], tokenizer)
    found = reading_layers.tagged_vectors(model, encoded, everything=1)["meaning"]
    senses = reading_layers.sense_vectors_of(found)
    words = [word for _, word in found.words if word.sense]
    assert words
    assert [sense.split(".") for sense in senses.senses] == [
        [word.text.lower(), str(word.sense).split(".")[1]] for word in words
    ]
    rows = [row for row, (_, word) in enumerate(found.words) if word.sense]
    assert np.array_equal(senses.vectors, found.vectors[:, rows])


def test_the_last_layers_are_put_end_to_end() -> None:
    vectors = np.arange(12.0).reshape(3, 2, 2)
    joined = reading_layers.join_last_layers(WordVectors((), vectors, np.zeros((2, 2))), 2)
    assert joined.vectors.tolist() == [[[4, 5, 8, 9], [6, 7, 10, 11]]]


def test_the_figures_show_every_number_where_it_belongs() -> None:
    shares = np.array([[0.0, 1.0], [0.25, 0.0], [1.0, 0.0]])
    (ax,) = figures.clue_maps({"when": (["is", "[MASK]"], shares)}, title="A finding")
    assert np.asarray(ax.images[0].get_array()).tolist() == shares[::-1].tolist()  # the input below
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["after layer 1", "after layer 0", "input"]
    assert [text.get_text() for text in ax.texts if text.get_visible()] == ["1.00", "0.25", "1.00"]
    (ax,) = figures.clue_maps({"when": (["is"], np.array([[0.04], [-0.04], [1.0]]))})
    assert [text.get_visible() for text in ax.texts] == [True, False, False]
    assert not [patch for patch in ax.patches if isinstance(patch, FancyArrowPatch)]  # no [MASK] to jump to
    shares = np.array([[1.0, 0.0, 0.0], [0.9, 0.1, 0.0], [0.0, 0.0, 1.0]])
    (ax,) = figures.clue_maps({"when": (["is", "so", "[MASK]"], shares)})
    grey, arrow = ax.patches
    assert grey.get_bbox().bounds == (1.5, -0.5, 1, 1)
    assert isinstance(arrow, FancyArrowPatch)
    assert arrow.get_path().vertices[0].round().tolist() == [1, 1]  # beside "is", a row below the top
    ax = figures.tag_map({"kind": TagResult((0.5, 0.75, 1.0), 0.25, 0.125, 1234)})
    assert np.asarray(ax.images[0].get_array()).tolist() == [[0.12, 0.25, 0.5, 0.75, 1.0]]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["kind, n = 1,234"]
    assert [text.get_text() for text in ax.texts] == ["0.12", "0.25", "0.50", "0.75", "1.00"]
    maps = figures.sense_maps({"input": np.eye(3), "top": 2 * np.eye(3)}, ["bat.a", "bat.b", "bat.a"])
    assert [ax.get_title() for ax in maps] == ["input", "top"]


def test_the_fair_test_shows_each_reader_before_and_after() -> None:
    names = ("left", "right", "glued", "both")
    before, after = ({name: (start + i) / 32 for i, name in enumerate(names)} for start in (8, 16))
    ax = figures.fair_bars({"before": before, "after": after | {"pieces": 1234}, "steps": 1200})
    shown = [["25.0", "28.1", "31.2  (3 behind 34.4)", "34.4"]]
    shown += [["50.0", "53.1", "56.2  (3 behind 59.4)", "59.4"]]
    assert [text.get_text() for text in ax.texts] == shown[0] + shown[1]
    assert [patch.get_width() for patch in ax.patches][::4] == [25, 50]
    assert ax.get_yticklabels()[-1].get_text() == "both at once"
    assert "1,234" in ax.get_xlabel()


def test_a_bar_of_a_depth_is_the_mean_of_its_trainings() -> None:
    shares = {
        "near": {"1 layer": [0.5, 1.0], "2 layers": [1.0, 1.0]},
        "far": {"1 layer": [0.25, 0.5], "2 layers": [0.75, 1.0]},
    }
    near, far = figures.fewer_layers(shares, title="A finding")
    assert [patch.get_x() + patch.get_width() for patch in near.patches] == [0.75, 1.0]
    assert [patch.get_x() + patch.get_width() for patch in far.patches] == [0.375, 0.875]
    assert {patch.get_x() for patch in far.patches} == {0.5}  # guessing
    assert [text.get_text() for text in far.texts] == ["38%", "88%"]
    dots = [list(line.get_xdata()) for line in far.lines if line.get_marker() == "o"]
    assert dots == [[0.25, 0.5], [0.75, 1.0]]
    assert [ax.get_title(loc="left") for ax in (near, far)] == ["near", "far"]
    assert [tick.get_text() for tick in near.get_yticklabels()] == ["1 layer", "2 layers"]


def test_layers_left_out_stand_above_layers_reordered() -> None:
    upper, lower = figures.order_bars(
        [0.25, 0.5], {"backwards": 0.125}, {"as it is": 0.875}, title="A finding"
    )
    assert [tick.get_text() for tick in upper.get_yticklabels()] == ["layer 0", "layer 1"]
    assert [patch.get_width() for patch in upper.patches] == [0.25, 0.5]
    assert [patch.get_width() for patch in lower.patches] == [0.125]
    shown = [[text.get_text() for text in ax.texts] for ax in (upper, lower)]
    assert shown == [["25%", "50%"], ["12%"]]
    assert [ax.get_title(loc="left") or ax.get_title() for ax in (upper, lower)] == [
        "one left out",
        "order changed",
    ]
    assert len({patch.get_facecolor() for ax in (upper, lower) for patch in ax.patches}) == 2
    assert [line.get_xdata()[0] for ax in (upper, lower) for line in ax.lines] == [0.875, 0.875]
    (legend,) = upper.get_figure().legends
    assert {text.get_text() for text in legend.get_texts()} == {"as it is"}


def test_grids_show_who_may_look_at_whom_and_frame_one_row() -> None:
    left = np.tril(np.ones((3, 3), bool))
    axes = figures.sight_grids(
        {"left": left, "both": left | left.T}, ["a", "b", "[MASK]"], 2, title="A finding"
    )
    assert [ax.get_title() for ax in axes] == ["left", "both"]
    for ax, rows in zip(axes, (left, left | left.T), strict=True):
        assert np.array_equal(np.asarray(ax.images[0].get_array()) > 0, rows)
        assert [tick.get_text() for tick in ax.get_xticklabels()] == ["a", "b", "[MASK]"]
        (frame,) = ax.patches
        assert frame.get_bbox().bounds == (-0.5, 1.5, 3, 1)
    assert [tick.get_text() for tick in axes[0].get_yticklabels()] == ["a", "b", "[MASK]"]


def test_the_head_that_looks_hardest_is_named_in_each_layer() -> None:
    weights = {
        "hidden": np.array([[0.1, 0.0], [0.25, 0.5]]),
        "in sight": np.array([[0.5, 0.75], [0.48, 0.4]]),
    }
    ax = figures.look_lines(weights, even=0.08, title="A finding")
    *drawn, even = ax.lines
    assert [line.get_ydata().tolist() for line in drawn] == [[0.1, 0.5], [0.75, 0.48]]
    assert list(even.get_ydata()) == [0.08, 0.08]
    names = {text.get_text(): text.get_position()[1] for text in ax.texts}
    # each begins at the height of its dot; two that are close move apart, by as much up as down
    assert names["head 0.1"] == pytest.approx(0.75, abs=0.02)
    assert "head 0.0" not in names  # it looks with 0.1, hardly more than an even share
    assert names["head 1.1"] - names["head 1.0"] == pytest.approx(0.055)
    assert names["head 1.1"] + names["head 1.0"] == pytest.approx(0.5 + 0.48)
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["layer 0", "layer 1"]
    (legend,) = ax.get_figure().legends
    assert [text.get_text() for text in legend.get_texts()] == ["hidden", "in sight", "even share"]


def test_the_same_word_stands_at_opposite_corners() -> None:
    corners = [["likes", "hates"], ["hates", "likes"]]
    ax = figures.xor_square(["hot", "cold"], ["open", "shut"], corners)
    placed = {text.get_position(): (text.get_text(), text.get_color()) for text in ax.texts}
    assert placed[0, 0] == placed[1, 1] != placed[0, 1] == placed[1, 0]
    assert placed[0, 1][0] == "hates"
    tried = [words for words, _ in placed.values() if " of 4" in words]
    # upright and level lines have one of each word on either side; around a corner, one of four is wrong
    assert [words.strip() for words in tried] == ["2 of 4 right", "2 of 4 right", "3 of 4 right"]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["hot", "cold"]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["open", "shut"]


def test_a_square_is_dark_where_the_usual_word_is_still_said() -> None:
    guesses = {
        "nothing": [Counter(goes=4), Counter(she=3, he=1)],
        "layer 2": [Counter(went=4), Counter(he=3, she=1)],
    }
    ahead = {"nothing": [4, 3], "layer 2": [2, 1]}
    ax = figures.guess_grid(guesses, ["is", "women"], ahead=ahead, title="A finding")
    shown = np.asarray(ax.images[0].get_array())
    assert np.allclose(shown / shown.max(), [[1, 0.75], [0, 0.25]])
    words = ["goes\n4 of 4", "she\n3 of 4", "went\n4 of 4", "he\n3 of 4"]
    leads = ["ahead: 4", "ahead: 3", "ahead: 2", "ahead: 1"]
    expected = [f"{word}\n{lead}" for word, lead in zip(words, leads, strict=True)]
    assert [text.get_text() for text in ax.texts] == expected
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["nothing", "layer 2"]


def test_rows_of_words_stand_under_their_columns() -> None:
    lines = reading_layers.table(["one", "a second"], {"row": ["x", "y"], "longer row": ["word", "z"]}, "of")
    assert [line.rstrip() for line in lines.splitlines()] == [
        "of          one       a second",
        "row         x         y",
        "longer row  word      z",
    ]


def test_a_reader_s_other_ways_to_the_answers_pass() -> None:
    def chained(attentions: Tensor) -> Tensor:
        own = torch.eye(attentions.shape[-1], dtype=attentions.dtype)
        return torch.linalg.multi_dot([(maps.mean(0) + own) / 2 for maps in attentions.flip(0)])

    assert chapter_05.layers_needed.check(lambda seq_len, window: int(np.ceil((seq_len - 1) / window)))
    assert chapter_05.rollout.check(chained)
    assert chapter_05.glue.check(lambda p, left, right: (left.log() + right.log() - p.log()).softmax(dim=-1))


def test_a_wrong_answer_is_told_what_is_wrong() -> None:
    def open_to_all(is_token: Tensor, is_special: Tensor) -> Tensor:
        before = torch.ones(is_token.shape[1], is_token.shape[1], dtype=torch.bool).tril()
        return (before | is_special[:, None, :]) & is_token[:, None, :]

    rounded_down = chapter_05.layers_needed.check(lambda seq_len, window: (seq_len - 1) // window)
    assert "Round up" in rounded_down.text
    assert "carry news from the right side" in chapter_05.left_only.check(open_to_all).text


def test_twins_of_a_reader_s_own_are_judged_by_what_fails_first() -> None:
    def feedback(*given: object) -> str:
        return chapter_05.own_twins.check(lambda: given).text

    for layer in range(4):
        said = feedback("Yesterday Anna ran to the [MASK].", "Yesterday Anna swam to the [MASK].", layer)
        assert ("right, on 1" in said) == (layer == 3)
        assert ("in another layer" in said) == (layer != 3)
    assert "Both get the same word" in feedback(
        "Tom lost it. He is [MASK].", "Tom found it. He is [MASK].", 3
    )
    assert "exactly one token" in feedback("Anna sees two [MASK].", "Tom sees one [MASK].", 2)
    assert "one [MASK], at the same place" in feedback("Anna sees two.", "Anna sees one.", 2)
    assert "return a sentence, its twin" in feedback("Anna sees two [MASK].", 2)
    assert "not answered yet" in chapter_05.own_twins.check(lambda: ...).text


def test_in_the_village_only_the_question_changes_and_so_another_label_fits() -> None:
    first, second = village.rounds(title="What you lacked was the question")
    words = [{text.get_text(): text.get_position()[1] for text in ax.texts} for ax in (first, second)]
    assert set(words[0]) - set(words[1]) == {
        "Who worked\nfor the baker?",
        "you hear:\n“Ask the baker's sister.”",
    }
    thick = [[line.get_ydata()[1] for line in ax.lines if line.get_linewidth() > 5] for ax in (first, second)]
    assert thick == [[words[0]["worked for\nthe baker"]], [words[1]["the baker's\nsister"]]]


def test_in_round_one_two_tokens_hear_what_is_before_them_and_in_round_two_one_finds_the_other() -> None:
    first, second = village.induction(title="It takes two rounds")
    words = [{text.get_text(): text.get_position()[1] for text in ax.texts} for ax in (first, second)]
    assert set(words[1]) >= {"ball,\nafter red", "[MASK],\nafter red", "the gap hears:\n“ball”"}
    assert not any("after red" in text for text in words[0] if "writes down" not in text)
    ends = [[list(line.get_ydata()) for line in ax.lines] for ax in (first, second)]
    (ball, red), (gap, other_red) = ends[0]
    assert red > ball > other_red > gap  # each asks the token above it
    assert ends[1] == [[gap, ball]]
