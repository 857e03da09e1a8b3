"""Scores: each is tried on answers that are known, right, wrong or by chance."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
from torch import Tensor
from transformers import BertConfig, BertForPreTraining

from bertviz_lite.data.batches import batches, pad, ready
from bertviz_lite.data.cloze import Cloze, guess, slot_clozes
from bertviz_lite.data.encoded_stories import EncodedStory, encode_stories
from bertviz_lite.data.vocabulary import train_tokenizer
from bertviz_lite.evaluation import scores as evaluation
from bertviz_lite.evaluation.probes import (
    Relation,
    SenseVectors,
    best_offset,
    person_relations,
    score_heads,
    score_senses,
    subject_relations,
)
from bertviz_lite.evaluation.scores import EVALUATION_SEED, EvaluationSet, Score, Scores, Size
from bertviz_lite.evaluation.scores.__main__ import main
from bertviz_lite.evaluation.scores.masked_words import score_determined, score_masked_words
from bertviz_lite.evaluation.scores.neighbours import Neighbours
from bertviz_lite.evaluation.scores.next_part import score_next_part
from bertviz_lite.world import stories
from bertviz_lite.world.events.text import Sentence, Story, Word

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

SMALL = Size(stories=40, per_kind=30, random_stories=20, head_stories=20, minimal_pairs=3, counted=50)


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    return train_tokenizer([str(story) for story in stories(1, 200)], vocab_size=900)


@pytest.fixture(scope="module")
def model(tokenizer: PreTrainedTokenizerFast) -> BertForPreTraining:
    torch.manual_seed(0)
    return BertForPreTraining(
        BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=128,
            attn_implementation="sdpa",
        )
    ).eval()


@pytest.fixture(scope="module")
def encoded(tokenizer: PreTrainedTokenizerFast) -> list[EncodedStory]:
    return encode_stories(stories(3, 60), tokenizer)


@pytest.fixture(scope="module")
def evaluation_set(tokenizer: PreTrainedTokenizerFast) -> EvaluationSet:
    return EvaluationSet.make(tokenizer, SMALL)


def told(*sentences: str, **marks: dict[str, object]) -> Story:
    """Make a story; ``w1_2={...}`` gives the marks of word 2 of sentence 1, counted from 0."""
    result = []
    for number, text in enumerate(sentences):
        words = []
        for index, word in enumerate(text.split()):
            fields = {"pos": "PUNCT" if word == "." else "X", "glued": word == "."} | marks.get(
                f"w{number}_{index}", {}
            )
            words.append(Word(text=word, lemma=word.lower(), index=index, sentence=number, **fields))  # type: ignore[arg-type]
        result.append(Sentence(tuple(words)))
    return Story(seed=0, index=0, sentences=tuple(result))


# Spans and batches


def test_spans_point_at_the_pieces_of_each_word(
    encoded: list[EncodedStory], tokenizer: PreTrainedTokenizerFast
) -> None:
    assert len(encoded) > 30
    for story in encoded:
        assert story.input_ids[0] == tokenizer.cls_token_id
        assert story.input_ids[-1] == tokenizer.sep_token_id
        whole = tokenizer(str(story.story))["input_ids"]
        assert story.input_ids.tolist() == whole
        covered = [position for start, stop in story.spans for position in range(start, stop)]
        assert covered == list(range(1, len(whole) - 1))
        for word, start, stop in story.words:
            pieces = tokenizer.convert_ids_to_tokens(story.input_ids[start:stop].tolist())
            normal = tokenizer.backend_tokenizer.normalizer.normalize_str(word.text)
            assert "".join(pieces).replace("##", "") == normal
            assert story.of(word.sentence, word.index) == (start, stop)


def test_stories_that_do_not_fit_are_left_out(tokenizer: PreTrainedTokenizerFast) -> None:
    some = stories(3, 20)
    lengths = [len(tokenizer(str(story))["input_ids"]) for story in some]
    limit = sorted(lengths)[10]
    kept = encode_stories(some, tokenizer, max_length=limit)
    assert [str(story.story) for story in kept] == [
        str(story) for story, length in zip(some, lengths, strict=True) if length <= limit
    ]


def test_an_earlier_call_that_padded_and_cut_leaves_no_trace(tokenizer: PreTrainedTokenizerFast) -> None:
    some = stories(3, 5)
    before = [story.input_ids.tolist() for story in encode_stories(some, tokenizer)]
    tokenizer(["a", "b"], padding="max_length", truncation=True, max_length=4)
    assert [story.input_ids.tolist() for story in encode_stories(some, tokenizer)] == before
    tokenizer(["a", "b"], padding="max_length", truncation=True, max_length=4)
    assert len(slot_clozes("", "Anna", " is glad to get the drum back.", tokenizer)[0].input_ids) > 8


def test_batches_hold_every_input_once_and_stay_small() -> None:
    lengths = np.random.default_rng(0).integers(3, 120, 500).tolist()
    made = list(batches(lengths, positions=1000))
    assert sorted(np.concatenate(made).tolist()) == list(range(500))
    assert all(len(batch) * max(lengths[index] for index in batch) <= 1000 for batch in made)
    assert len(made) < 45
    assert [batch.tolist() for batch in batches([2000], positions=1000)] == [[0]]
    assert list(batches([])) == []


def test_ready_puts_everything_back(model: BertForPreTraining) -> None:
    model.train()
    inside: list[bool] = []

    def fail() -> None:
        with ready(model, "eager"):
            inside.append(model.config._attn_implementation == "eager")
            inside.append(not model.training)
            inside.append(not torch.is_grad_enabled())
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert inside == [True, True, True]
    assert model.config._attn_implementation == "sdpa"
    assert model.training
    model.eval()


# Guesses


def test_guesses_equal_those_of_the_model_one_by_one(
    model: BertForPreTraining, encoded: list[EncodedStory], tokenizer: PreTrainedTokenizerFast
) -> None:
    clozes = [
        Cloze.word(story.input_ids, *story.spans[4 + number % 5]) for number, story in enumerate(encoded)
    ]
    results = guess(model, clozes, tokenizer.mask_token_id)
    for cloze, result in zip(clozes, results, strict=True):
        ids = torch.from_numpy(cloze.input_ids.copy())[None]
        ids[0, cloze.positions] = tokenizer.mask_token_id
        with torch.no_grad():
            expected = model(ids).prediction_logits[0, cloze.positions].log_softmax(-1)
        answers = cloze.input_ids[cloze.positions]
        assert result.answers.tolist() == answers.tolist()
        assert result.best.tolist() == expected.argmax(-1).tolist()
        wanted = expected[range(len(answers)), answers].double().numpy()
        assert result.log_probability == pytest.approx(wanted, abs=1e-4)
        assert result.right == (result.best.tolist() == answers.tolist())


def test_slot_is_guessed_from_left_to_right(tokenizer: PreTrainedTokenizerFast) -> None:
    clozes = slot_clozes("The lamp ", "zyx", " old.", tokenizer)
    pieces = tokenizer.convert_ids_to_tokens(clozes[0].input_ids.tolist())
    hidden = [[pieces[position] for position in cloze.hidden] for cloze in clozes if cloze.hidden is not None]
    assert hidden == [["z", "##y", "##x"], ["##y", "##x"], ["##x"]]
    asked = [[pieces[position] for position in cloze.positions] for cloze in clozes]
    assert asked == [["z"], ["##y"], ["##x"]]
    assert (pieces[0], pieces[-1]) == ("[CLS]", "[SEP]")


def test_slot_stays_in_sight_of_a_long_text(tokenizer: PreTrainedTokenizerFast) -> None:
    for before, after in (("a " * 300, " b" * 300), ("", " b" * 300), ("a " * 300, "")):
        (cloze,) = slot_clozes(before, "z", after, tokenizer, max_length=32)
        assert len(cloze.input_ids) <= 32
        assert tokenizer.convert_ids_to_tokens(cloze.input_ids[cloze.positions].tolist()) == ["z"]


class Oracle(torch.nn.Module):
    """Stands for a model that knows the answer: its "hidden states" are the ids before hiding."""

    def __init__(self, truth: dict[bytes, np.ndarray], vocab_size: int, mask_id: int) -> None:
        super().__init__()
        self.truth, self.vocab_size, self.mask_id = truth, vocab_size, mask_id
        self.config = type("Config", (), {"_attn_implementation": "sdpa"})()
        self.device = torch.device("cpu")
        self.cls = type("Heads", (), {"predictions": self.predictions})()

    def set_attn_implementation(self, implementation: str) -> None:
        self.config._attn_implementation = implementation

    def bert(self, input_ids: Tensor, attention_mask: Tensor) -> object:
        """Look the row up by what is not hidden."""
        rows = torch.zeros_like(input_ids)
        for number, row in enumerate(input_ids):
            length = int(attention_mask[number].sum())
            ids = row[:length].numpy()
            for answer in self.truth.values():
                if len(answer) == length and (answer == ids)[ids != self.mask_id].all():
                    rows[number, :length] = torch.from_numpy(answer)
        return type("Output", (), {"last_hidden_state": rows[..., None]})()

    def predictions(self, hidden_states: Tensor) -> Tensor:
        return torch.nn.functional.one_hot(hidden_states[:, 0], self.vocab_size).float() * 20


def test_a_model_that_knows_everything_gets_everything(
    evaluation_set: EvaluationSet, tokenizer: PreTrainedTokenizerFast
) -> None:
    truth = {story.input_ids.tobytes(): story.input_ids for story in evaluation_set.test}
    oracle = Oracle(truth, len(tokenizer), tokenizer.mask_token_id)
    for kind, result in score_determined(oracle, evaluation_set, tokenizer.mask_token_id).items():  # type: ignore[arg-type]
        assert result.value == 1.0 or result.n == 0, kind
    assert score_masked_words(oracle, evaluation_set, tokenizer.mask_token_id).value == 1.0  # type: ignore[arg-type]


def test_an_untrained_model_knows_nothing(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, evaluation_set: EvaluationSet
) -> None:
    scores = evaluation.score(model, tokenizer, evaluation_set)
    assert set(scores) == set(evaluation.TITLES)
    for kind in ("agreement", "pronoun", "mention", "consequence", "masked_words"):
        assert scores[kind].n == 0 or scores[kind].value < 0.2
    assert 0.3 < scores["next_part"].value < 0.7
    assert {"agreement", "next_part"} <= set(scores.missed)
    again = evaluation.score(model, tokenizer, evaluation_set)
    assert scores.to_json() == again.to_json()


def test_next_part_needs_the_head(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, evaluation_set: EvaluationSet
) -> None:
    """A head that always says "true" is right in half of the cases."""
    bias = model.cls.seq_relationship.bias
    kept = bias.detach().clone()
    try:
        for label in (0, 1):
            with torch.no_grad():
                bias[:] = torch.tensor([0.0, 0.0])
                bias[label] = 1000.0
            assert score_next_part(model, tokenizer, evaluation_set).value == pytest.approx(0.5, abs=0.1)
    finally:
        with torch.no_grad():
            bias[:] = kept


def test_training_seeds_are_refused(tokenizer: PreTrainedTokenizerFast) -> None:
    with pytest.raises(ValueError, match="training may have used it"):
        EvaluationSet.make(tokenizer, SMALL, seed=5)


def test_evaluation_shares_no_story_with_training(evaluation_set: EvaluationSet) -> None:
    from bertviz_lite.data.pretraining.shards import fingerprint, story_seeds

    assert story_seeds(8_999, 99_999) < EVALUATION_SEED
    trained = {fingerprint(str(story)) for shard in range(3) for story in stories(story_seeds(0, shard), 100)}
    assert not trained & evaluation_set.fingerprints()


# Senses


def vectors(shift: float, seed: int) -> SenseVectors:
    """Make 40 occurrences: in layer 1 the sense moves the vector by ``shift``, in layer 0 nothing tells."""
    rng = np.random.default_rng(seed)
    senses = tuple(f"{word}.{sense}" for word in ("bank", "bat") for sense in ("a", "b") for _ in range(10))
    order = rng.permutation(40)
    names = tuple(senses[index] for index in order)
    layers = rng.normal(size=(2, 40, 4))
    layers[1, :, 0] += [shift if name.endswith("a") else -shift for name in names]
    static = np.array([[1.0, 0.0] if name.startswith("bank") else [0.0, 1.0] for name in names])
    return SenseVectors(names, layers, static)


def test_senses_are_told_apart_where_a_layer_tells_them() -> None:
    result = score_senses(vectors(20, 0), vectors(20, 1))
    assert (result.accuracy, result.layer, result.occurrences) == (1.0, 1, 40)
    assert result.static == 0.5
    assert 0.3 < result.by_layer[0] < 0.75
    assert set(result.by_word) == {"bank", "bat"}


def test_senses_without_a_difference_are_guessed() -> None:
    result = score_senses(vectors(0, 0), vectors(0, 1))
    assert 0.25 < result.accuracy < 0.75


def test_rare_senses_are_left_out() -> None:
    result = score_senses(vectors(20, 0), vectors(20, 1), fewest=11)
    assert math.isnan(result.accuracy)
    assert result.occurrences == 0


# Heads


def test_relations_point_at_subject_and_earlier_mentions(tokenizer: PreTrainedTokenizerFast) -> None:
    story = told(
        "Anna saw a dog .",
        "It chased her .",
        w0_0={"pos": "PROPN", "entity": 0, "name": "person"},
        w0_1={"pos": "VERB", "subject": 0},
        w0_3={"pos": "NOUN", "entity": 1},
        w1_0={"pos": "PRON", "entity": 1},
        w1_1={"pos": "VERB", "subject": 0},
        w1_2={"pos": "PRON", "entity": 0},
    )
    encoded = encode_stories([story], tokenizer)
    spans = dict(zip([word.text for word in story.words], encoded[0].spans, strict=True))
    subjects = subject_relations(encoded)
    assert [relation.start for relation in subjects] == [spans["saw"][0], spans["chased"][0]]
    assert [relation.targets for relation in subjects] == [
        tuple(range(*spans["Anna"])), tuple(range(*spans["It"])),
    ]  # fmt: skip
    persons = person_relations(encoded)
    assert [relation.start for relation in persons] == [spans["It"][0], spans["her"][0]]
    assert [relation.targets for relation in persons] == [
        tuple(range(*spans["dog"])), tuple(range(*spans["Anna"])),
    ]  # fmt: skip


def test_the_head_that_follows_a_relation_is_found(
    model: BertForPreTraining, encoded: list[EncodedStory], monkeypatch: pytest.MonkeyPatch
) -> None:
    relations = [
        Relation(number, 5 + number % 3, 6 + number % 3, (3 + number % 4,)) for number in range(len(encoded))
    ]
    rng = np.random.default_rng(0)

    def planted(*_: object) -> tuple[np.ndarray, np.ndarray]:
        without = rng.integers(20, 30, (len(relations), 2, 2))
        with_special = without.copy()
        for index, relation in enumerate(relations):
            without[index, 1, 0] = relation.targets[0]
            with_special[index, 1, 0] = relation.targets[0] if index % 4 < 2 else 0
        return without, with_special

    monkeypatch.setattr("bertviz_lite.evaluation.probes.heads.largest_weights", planted)
    result = score_heads(model, encoded, relations)
    assert (result.layer, result.head, result.accuracy) == (1, 0, 1.0)
    assert result.with_special == pytest.approx(0.5, abs=0.05)
    assert result.occurrences == len(encoded) // 2
    assert result.guess < 0.6


def test_largest_weights_are_those_of_the_attention(
    model: BertForPreTraining, encoded: list[EncodedStory]
) -> None:
    from bertviz_lite.evaluation.probes import largest_weights

    relations = [Relation(number, 4, 5 + number % 2, (1,)) for number in range(6)]
    without, with_special = largest_weights(model, encoded, relations)
    for index, relation in enumerate(relations):
        ids = torch.from_numpy(encoded[relation.story].input_ids)[None]
        with ready(model, "eager"):
            attentions = model.bert(ids, output_attentions=True).attentions
        for layer in range(2):
            weights = attentions[layer][0, :, relation.start : relation.stop].mean(1)
            assert with_special[index, layer].tolist() == weights.argmax(-1).tolist()
            assert without[index, layer].tolist() == (weights[:, 1:-1].argmax(-1) + 1).tolist()


def test_best_offset_is_the_most_frequent_one() -> None:
    relations = [Relation(0, 10, 11, (9, 4)), Relation(0, 20, 21, (19,)), Relation(0, 30, 31, (22, 24))]
    assert best_offset(relations) == -1


def test_head_score_without_relations_is_no_number(
    model: BertForPreTraining, encoded: list[EncodedStory]
) -> None:
    assert math.isnan(score_heads(model, encoded, []).accuracy)


# Baselines, and what is written


def test_neighbours_guess_from_counts() -> None:
    counts = Neighbours.count([told("The cat sat .", "The dog ran .", "A cat sat .", "The cat sat .")])
    story = told("The cat sat .", "No dog sat .")
    shares = counts.accuracies([(story, 1), (story, 2), (story, 5)])
    assert shares["most frequent word"] == pytest.approx(1 / 3)  # of "cat" and "sat" the first
    assert shares["left neighbour"] == pytest.approx(2 / 3)  # after "no": falls back on "cat"
    assert shares["both neighbours"] == pytest.approx(2 / 3)
    assert all(math.isnan(share) for share in counts.accuracies([]).values())


def test_scores_survive_json_and_say_what_is_missed() -> None:
    scores = Scores(
        {
            "agreement": Score(0.98766, 100, 0.97, {"both neighbours": 0.5}),
            "pronoun": Score(0.9, 100, 0.95),
            "masked_words": Score(math.nan, 0),
            "senses": Score(0.5, 9, None, {"static embedding": math.nan}, {"bank": math.nan}),
        }
    )
    assert scores.missed == ["pronoun"]
    read = Scores.from_json(scores.to_json())
    assert read["agreement"] == Score(0.9877, 100, 0.97, {"both neighbours": 0.5})
    assert math.isnan(read["masked_words"].value)
    assert json.loads(scores.to_json())["masked_words"]["value"] is None
    assert math.isnan(read["senses"].baselines["static embedding"])
    assert math.isnan(read["senses"].details["bank"])
    assert read.table().count("nan") == 2
    table = scores.table().splitlines()
    assert (
        table[2] == "| masked word: agreement | 0.9877 | 0.97 met | both neighbours 0.500 | 100 |"
        or "0.9876" in table[2]
    )
    assert "0.95 MISSED" in table[3]


def test_a_score_that_is_no_number_is_missed() -> None:
    assert Score(math.nan, 0, 0.9).passed is False
    assert Score(0.1, 5).passed is None


def test_pad_marks_what_is_padding() -> None:
    ids, mask = pad([np.array([2, 5, 3]), np.array([2, 3])], torch.device("cpu"))
    assert ids.tolist() == [[2, 5, 3], [2, 3, 0]]
    assert mask.tolist() == [[1, 1, 1], [1, 1, 0]]


def test_a_folder_without_a_model_is_named(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "holds no model" in capsys.readouterr().err


def test_without_a_folder_the_pocket_model_is_scored(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scored: list[BertForPreTraining] = []

    def score(model: BertForPreTraining, *_: object, quick: bool) -> Scores:
        scored.append(model)
        return Scores({"pronoun": Score(0.5, 10, 0.9 if quick else None)})

    monkeypatch.setattr("bertviz_lite.evaluation.scores.__main__.score", score)
    assert main([]) == 0
    assert main(["--quick"]) == 1
    assert scored[0].config.hidden_size == 128
    assert "| masked word: pronoun | 0.5000 |" in capsys.readouterr().out
