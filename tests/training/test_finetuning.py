"""Fine-tuning: the standard head on a copied body, trained as the recipe says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import torch
from torch.nn import Dropout
from transformers import AutoModelForSequenceClassification, BertForPreTraining, Trainer

from bertviz_lite.data.task_inputs import encode
from bertviz_lite.evaluation.task_scores import evaluate
from bertviz_lite.models.loading import load
from bertviz_lite.training.finetuning import (
    HEADS,
    FineTuning,
    fine_tune,
    new_model,
    with_old_heads,
)
from bertviz_lite.training.finetuning.trainer import label_weights
from bertviz_lite.world.tasks.sets import (
    FEELINGS,
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


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"epochs": 0}, "epochs=0: a number above 0"),
        ({"learning_rate": -1.0}, "learning_rate=-1.0: a number above 0"),
        ({"batch_size": 0}, "batch"),
        ({"dropout": 1.0}, "dropout=1.0: a share"),
    ],
)
def test_a_recipe_that_cannot_be_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        FineTuning(**changes)


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


def test_dropout_is_that_of_the_body_unless_given(pocket: Any) -> None:  # noqa: ANN401
    shares = {
        dropout: {
            module.p
            for module in new_model(pocket, Labelled, dropout=dropout).modules()
            if isinstance(module, Dropout)
        }
        for dropout in (None, 0.0, 0.3)
    }
    assert shares == {None: {pocket.config.hidden_dropout_prob}, 0.0: {0.0}, 0.3: {0.3}}


@pytest.mark.sampled
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


def test_a_frozen_body_stays_as_it_is(tiny: Any, tokenizer: Any) -> None:  # noqa: ANN401
    recipe = FineTuning(steps=2, batch_size=4, learning_rate=1e-2, frozen=True)
    tuned = fine_tune(tiny, tokenizer, feelings(5, 8), recipe=recipe, progress=False)
    start = new_model(tiny, Labelled)
    for name, value in tuned.model.state_dict().items():
        assert torch.equal(value, start.state_dict()[name]) == name.startswith("bert."), name
    assert all(parameter.requires_grad for parameter in tuned.model.parameters())


@pytest.mark.thorough
def test_the_same_recipe_gives_the_same_weights(tiny: Any, tokenizer: Any) -> None:  # noqa: ANN401
    def weights(seed: int) -> torch.Tensor:
        recipe = FineTuning(steps=3, batch_size=4, seed=seed)
        tuned = fine_tune(tiny, tokenizer, feelings(5, 8), recipe=recipe, progress=False)
        return tuned.model.classifier.weight  # type: ignore[union-attr,return-value]

    assert torch.equal(weights(0), weights(0))
    assert not torch.equal(weights(0), weights(1))


def test_balanced_weighs_a_rare_label_as_much_as_a_frequent_one(tokenizer: Any) -> None:  # noqa: ANN401
    examples = [Labelled("Anna won.", "glad")] * 9 + [Labelled("Tom cried.", "sad")]
    weights = label_weights(encode(examples, tokenizer), len(FEELINGS))
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
    monkeypatch.setattr("bertviz_lite.training.finetuning.trainer.bars_are_wanted", lambda: True)
    fine_tune(tiny, tokenizer, feelings(5, 8), recipe=recipe)
    shown = capsys.readouterr()
    assert "fine-tuning" in shown.err
    assert "loss=" in shown.err
    assert shown.out == ""
    monkeypatch.setattr("bertviz_lite.training.finetuning.trainer.bars_are_wanted", lambda: False)
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
    examples = feelings(6, 5)
    ours, theirs = (evaluate(model, tokenizer, examples) for model in (tuned.model, again))
    assert ours.answers == theirs.answers


def test_a_tuned_body_is_put_under_the_old_heads(tiny: Any, tokenizer: Any) -> None:  # noqa: ANN401
    recipe = FineTuning(steps=3, batch_size=4, learning_rate=1e-2)
    tuned = fine_tune(tiny, tokenizer, names(5, 8), recipe=recipe, progress=False).model
    both = with_old_heads(tuned, tiny)
    for name, value in both.state_dict().items():
        if name.startswith(("bert.pooler", "cls.predictions.transform")):
            assert torch.equal(value, tiny.state_dict()[name])
        elif name.startswith("bert.encoder"):
            assert torch.equal(value, tuned.state_dict()[name])
