"""Fine-tuning: inputs as the four heads want them, models that learn and can be saved, and their scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from torch.nn import Dropout
from transformers import AutoModelForSequenceClassification, BertForPreTraining, Trainer

from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.task_inputs import collate
from bertviz_lite.evaluation.task_scores import name_f1, spans_of, word_f1
from bertviz_lite.models.loading import load
from bertviz_lite.training import finetuning
from bertviz_lite.training.finetuning import (
    HEADS,
    FineTuning,
    encode,
    evaluate,
    fine_tune,
    new_model,
    with_old_heads,
)
from bertviz_lite.world.tasks.sets import (
    FEELINGS,
    PAIR_LABELS,
    TAGS,
    Labelled,
    Pair,
    Question,
    Tagged,
    feelings,
    names,
    questions,
    sentence_pairs,
)
from tests.helpers import tiny_models

if TYPE_CHECKING:
    from collections.abc import Callable

TASKS: dict[type, Callable[..., Any]] = {
    Labelled: feelings,
    Tagged: names,
    Question: questions,
    Pair: sentence_pairs,
}


@pytest.fixture(scope="module")
def tokenizer() -> Any:  # noqa: ANN401 - a tokenizer
    return load("pocket")[0]


@pytest.fixture(scope="module")
def pocket() -> Any:  # noqa: ANN401 - a model
    return load("pocket")[1]


@pytest.fixture(scope="module")
def tiny(tokenizer: Any) -> Any:  # noqa: ANN401
    """Make a small BERT with the pocket model's vocabulary."""
    return tiny_models.make(BertForPreTraining, vocab_size=len(tokenizer), max_position_embeddings=128)


# Inputs


def test_a_label_is_the_number_of_its_output(tokenizer: Any) -> None:  # noqa: ANN401
    (row,) = encode([Labelled("Anna won the race.", "sad")], tokenizer)
    assert tokenizer.decode(row.input_ids) == "[CLS] anna won the race. [SEP]"
    assert row.labels == {"labels": FEELINGS.index("sad")}
    (row,) = encode([Labelled("Anna won.", "good")], tokenizer, ["bad", "good"])
    assert row.labels == {"labels": 1}


def test_the_second_text_of_a_pair_is_segment_one(tokenizer: Any) -> None:  # noqa: ANN401
    (row,) = encode([Pair("Anna won.", "Tom has it.", "neither")], tokenizer)
    first = row.input_ids.index(tokenizer.sep_token_id) + 1
    assert row.token_type_ids == [0] * first + [1] * (len(row.input_ids) - first)
    assert row.labels == {"labels": PAIR_LABELS.index("neither")}


def test_a_tag_stands_on_the_first_piece(tokenizer: Any) -> None:  # noqa: ANN401
    example = Tagged(("Anna", "Moss", "ran", "."), ("B-person", "I-person", "O", "O"))
    (row,) = encode([example], tokenizer)
    tokens = tokenizer.convert_ids_to_tokens(row.input_ids)
    assert tokens == ["[CLS]", "anna", "mo", "##s", "##s", "ran", ".", "[SEP]"]
    none, inside = IGNORED, TAGS.index("I-person")
    assert row.labels["labels"] == [none, TAGS.index("B-person"), inside, none, none, 0, 0, none]
    (wrong,) = encode([example], tokenizer, every_token=True)
    assert wrong.labels["labels"] == [none, TAGS.index("B-person"), inside, inside, inside, 0, 0, none]


def test_an_answer_is_its_first_and_last_piece(tokenizer: Any) -> None:  # noqa: ANN401
    context = "Anna found a pebble under the bench."
    start = context.index("under")
    (row,) = encode([Question(context, "Where was the pebble found?", (start, start + 15))], tokenizer)
    first, last = row.labels["start_positions"], row.labels["end_positions"]
    assert tokenizer.decode(row.input_ids[first : last + 1]) == "under the bench"
    assert row.token_type_ids[first] == 1
    (row,) = encode([Question(context, "Who bought the pebble?", None)], tokenizer)
    assert row.labels == {"start_positions": 0, "end_positions": 0}
    assert row.input_ids[0] == tokenizer.cls_token_id


def test_every_answer_of_the_town_decodes_to_itself(tokenizer: Any) -> None:  # noqa: ANN401
    asked = questions(5, 200)
    for one, row in zip(asked, encode(asked, tokenizer), strict=True):
        first, last = row.labels["start_positions"], row.labels["end_positions"]
        said = tokenizer.decode(row.input_ids[first : last + 1]) if one.answer else ""
        assert said == one.answer_text.lower().replace("é", "e")


def test_a_batch_is_padded_and_padding_has_no_label(tokenizer: Any) -> None:  # noqa: ANN401
    rows = encode(names(5, 3), tokenizer)
    batch = collate(rows)
    longest = max(len(row.input_ids) for row in rows)
    assert all(part.shape == (3, longest) for part in batch.values())
    for place, row in enumerate(rows):
        seq_len = len(row.input_ids)
        assert batch["attention_mask"][place].sum() == seq_len
        assert (batch["labels"][place, seq_len:] == IGNORED).all()
        assert not batch["input_ids"][place, seq_len:].any()


@pytest.mark.parametrize(
    ("examples", "said"),
    [
        ([], "examples of none: give one or more"),
        ([Labelled("a", "sad"), Pair("a", "b", "neither")], "examples of Labelled, Pair"),
        ([Labelled("a", "cheerful")], "label 'cheerful' is none of glad, sad, angry, afraid"),
    ],
)
def test_examples_that_do_not_go_together_are_refused(examples: Any, said: str, tokenizer: Any) -> None:  # noqa: ANN401
    with pytest.raises(ValueError, match=said):
        encode(examples, tokenizer)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"epochs": 0}, "epochs=0"),
        ({"learning_rate": -1.0}, "learning_rate=-1.0"),
        ({"batch_size": 0}, "batch"),
        ({"dropout": 1.0}, "dropout=1.0: a share"),
    ],
)
def test_a_recipe_that_cannot_be_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        FineTuning(**changes)


# Models


@pytest.mark.parametrize("kind", TASKS)
def test_a_new_model_has_the_body_and_the_standard_head(kind: type, pocket: Any) -> None:  # noqa: ANN401
    model = new_model(pocket, kind)
    assert type(model) is HEADS[kind]
    own, body = model.base_model.state_dict(), pocket.base_model.state_dict()
    assert all(torch.equal(value, body[name]) for name, value in own.items())
    outputs = len(TAGS) if kind is Tagged else len(FEELINGS) if kind is Labelled else None
    if outputs:
        head: Any = model.classifier
        assert head.out_features == outputs
    random: Any = new_model(pocket, kind, pretrained=False)
    words = random.base_model.embeddings.word_embeddings.weight
    assert not torch.equal(words, body["embeddings.word_embeddings.weight"])
    assert torch.allclose(words.std(), torch.tensor(pocket.config.initializer_range), rtol=0.05)


def test_a_new_model_is_what_from_pretrained_gives(pocket: Any, tmp_path: Path) -> None:  # noqa: ANN401
    pocket.save_pretrained(tmp_path)
    theirs = HEADS[Labelled].from_pretrained(tmp_path, num_labels=4).base_model.state_dict()
    ours = new_model(pocket, Labelled).base_model.state_dict()
    assert theirs.keys() == ours.keys()
    assert all(torch.equal(theirs[name], ours[name]) for name in ours)


def test_dropout_is_that_of_the_body_or_the_one_asked_for(pocket: Any) -> None:  # noqa: ANN401
    shares = {
        asked: {
            one.p for one in new_model(pocket, Labelled, dropout=asked).modules() if isinstance(one, Dropout)
        }
        for asked in (None, 0.0, 0.3)
    }
    assert shares == {None: {pocket.config.hidden_dropout_prob}, 0.0: {0.0}, 0.3: {0.3}}


@pytest.mark.parametrize("kind", TASKS)
def test_each_head_learns_its_examples_by_heart(kind: type, tiny: Any, tokenizer: Any) -> None:  # noqa: ANN401
    examples = TASKS[kind](5, 6)
    before = {name: value.clone() for name, value in tiny.state_dict().items()}
    epochs = 200 if kind is Tagged else 60  # names are few among words that are none
    recipe = FineTuning(epochs=epochs, batch_size=6, learning_rate=1e-2)
    tuned = fine_tune(tiny, tokenizer, examples, recipe=recipe, progress=False)
    result = evaluate(tuned.model, tokenizer, examples)
    assert tuned.steps == epochs
    assert not tuned.interrupted
    assert tuned.losses[-1][1] < 0.3 * tuned.losses[0][1]
    assert result.value > 0.8
    assert result.interval[0] < result.value <= result.interval[1] or result.value == 1
    assert all(torch.equal(value, before[name]) for name, value in tiny.state_dict().items())


def test_frozen_trains_the_head_alone(tiny: Any, tokenizer: Any) -> None:  # noqa: ANN401
    recipe = FineTuning(steps=2, batch_size=4, learning_rate=1e-2, frozen=True)
    tuned = fine_tune(tiny, tokenizer, feelings(5, 8), recipe=recipe, progress=False)
    start = new_model(tiny, Labelled)
    for name, value in tuned.model.state_dict().items():
        assert torch.equal(value, start.state_dict()[name]) == name.startswith("bert."), name
    assert all(parameter.requires_grad for parameter in tuned.model.parameters())


def test_the_same_recipe_gives_the_same_weights(tiny: Any, tokenizer: Any) -> None:  # noqa: ANN401
    def weights(seed: int) -> torch.Tensor:
        recipe = FineTuning(steps=3, batch_size=4, seed=seed)
        tuned = fine_tune(tiny, tokenizer, feelings(5, 8), recipe=recipe, progress=False)
        return tuned.model.classifier.weight  # type: ignore[union-attr,return-value]

    assert torch.equal(weights(0), weights(0))
    assert not torch.equal(weights(0), weights(1))


def test_balanced_weighs_a_rare_label_as_much_as_a_frequent_one(tokenizer: Any) -> None:  # noqa: ANN401
    examples = [Labelled("Anna won.", "glad")] * 9 + [Labelled("Tom cried.", "sad")]
    weights = finetuning._label_weights(encode(examples, tokenizer), len(FEELINGS))
    assert weights.tolist() == pytest.approx([0.2, 1.8, 0.0, 0.0])


def test_an_interruption_keeps_what_was_learned(
    tiny: Any,  # noqa: ANN401
    tokenizer: Any,  # noqa: ANN401
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = iter(range(100))
    step = Trainer.training_step

    def interrupted(self: Trainer, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        if next(steps) == 3:
            raise KeyboardInterrupt
        return step(self, *args, **kwargs)

    monkeypatch.setattr(Trainer, "training_step", interrupted)
    recipe = FineTuning(epochs=5, batch_size=4, learning_rate=1e-2)
    tuned = fine_tune(tiny, tokenizer, feelings(5, 8), recipe=recipe, progress=False)
    assert tuned.interrupted
    assert tuned.steps == 3
    assert not tuned.model.training
    start = new_model(tiny, Labelled).state_dict()["classifier.weight"]
    assert not torch.equal(tuned.model.state_dict()["classifier.weight"], start)
    evaluate(tuned.model, tokenizer, feelings(5, 4))


def test_the_bar_shows_the_loss_and_stays_quiet_in_checks(
    tiny: Any,  # noqa: ANN401
    tokenizer: Any,  # noqa: ANN401
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    recipe = FineTuning(steps=3, batch_size=4)
    monkeypatch.setattr(finetuning, "bars_are_wanted", lambda: True)
    fine_tune(tiny, tokenizer, feelings(5, 8), recipe=recipe)
    shown = capsys.readouterr()
    assert "fine-tuning" in shown.err
    assert "loss=" in shown.err
    assert shown.out == ""
    monkeypatch.setattr(finetuning, "bars_are_wanted", lambda: False)
    fine_tune(tiny, tokenizer, feelings(5, 8), recipe=recipe)
    assert capsys.readouterr() == ("", "")


def test_a_tuned_model_is_saved_and_loaded_by_the_standard_names(
    tiny: Any,  # noqa: ANN401
    tokenizer: Any,  # noqa: ANN401
    tmp_path: Path,
) -> None:
    tuned = fine_tune(tiny, tokenizer, feelings(5, 8), recipe=FineTuning(steps=2), progress=False)
    tuned.model.save_pretrained(tmp_path)
    again = AutoModelForSequenceClassification.from_pretrained(tmp_path)
    assert type(again) is type(tuned.model)
    assert again.config.id2label == dict(enumerate(FEELINGS))
    assert again.state_dict().keys() == tuned.model.state_dict().keys()
    asked = feelings(6, 5)
    ours, theirs = (evaluate(model, tokenizer, asked) for model in (tuned.model, again))
    assert ours.answers == theirs.answers


def test_old_heads_on_a_new_body(tiny: Any, tokenizer: Any) -> None:  # noqa: ANN401
    recipe = FineTuning(steps=3, batch_size=4, learning_rate=1e-2)
    tuned = fine_tune(tiny, tokenizer, names(5, 8), recipe=recipe, progress=False).model
    both = with_old_heads(tuned, tiny)
    for name, value in both.state_dict().items():
        if name.startswith(("bert.pooler", "cls.predictions.transform")):
            assert torch.equal(value, tiny.state_dict()[name])
        elif name.startswith("bert.encoder"):
            assert torch.equal(value, tuned.state_dict()[name])


# Scores


def test_a_model_without_the_head_is_refused(tiny: Any, tokenizer: Any) -> None:  # noqa: ANN401
    with pytest.raises(ValueError, match="BertForPreTraining has no head for Labelled examples"):
        evaluate(tiny, tokenizer, feelings(5, 2))


def test_errors_come_with_the_most_confident_first(tiny: Any, tokenizer: Any) -> None:  # noqa: ANN401
    asked = feelings(5, 40)
    result = evaluate(new_model(tiny, Labelled), tokenizer, asked)
    assert [answer.example for answer in result.answers] == asked
    wrong = result.errors
    assert len(wrong) == round(40 * (1 - result.value))
    assert all(error.said != error.true == error.example.label for error in wrong)  # type: ignore[union-attr]
    confidences = [error.confidence for error in wrong]
    assert confidences == sorted(confidences, reverse=True)
    assert str(result).startswith(f"accuracy {result.value:.3f} (")


def test_the_score_does_not_depend_on_the_company_in_a_batch(tiny: Any, tokenizer: Any) -> None:  # noqa: ANN401
    for kind, task in TASKS.items():
        model, asked = new_model(tiny, kind), task(5, 12)
        together = evaluate(model, tokenizer, asked).answers
        alone = [evaluate(model, tokenizer, [one]).answers[0] for one in asked]
        assert [one.said for one in together] == [one.said for one in alone]
        assert np.allclose([a.confidence for a in together], [b.confidence for b in alone], rtol=1e-3)


def test_f1_of_names_counts_whole_names() -> None:
    true = ("B-person", "I-person", "O", "B-pet")
    said = ("B-person", "O", "O", "B-pet")
    answer = finetuning.Answer(None, said, true, right=False, confidence=1.0)  # type: ignore[arg-type]
    result = name_f1([answer])
    assert result.value == pytest.approx(0.5)  # one of two is found, one of two said is one
    assert result.parts["pet"] == 1.0
    assert result.parts["person"] == 0.0
    assert spans_of(("I-place", "I-place", "B-place", "I-person")) == {
        (0, 2, "place"),
        (2, 3, "place"),
        (3, 4, "person"),
    }


@pytest.mark.parametrize(
    ("said", "true", "f1"),
    [
        ("under the bed", "under the bed", 1.0),
        ("the bed", "under the bed", 0.8),
        ("", "Anna", 0.0),
        ("", "", 1.0),
    ],
)
def test_f1_of_words(said: str, true: str, f1: float) -> None:
    assert word_f1(said, true) == pytest.approx(f1)
