"""Each variant of the second town's recipe changes one thing: shown on batches, against the texts."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
import torch
from transformers import BertForPreTraining

from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.shards import Shard
from bertviz_lite.data.vocabulary import train_tokenizer
from bertviz_lite.training.pretraining.model import PretrainingModel
from bertviz_lite.training.pretraining.recipe import Recipe
from bertviz_lite.world.events.town import PEOPLE
from bertviz_lite.world.towns import stories_of, words_of
from experiments.ablations.plans import PLANS
from experiments.ablations.second_head.inputs import INPUTS
from experiments.ablations.second_head.own_parts import own_parts
from experiments.ablations.texts import SMALLEST_WITH_ALL_WORDS, Texts
from experiments.ablations.training import variant_collator, variant_config, variant_inputs
from experiments.ablations.variants import BASE

PLAN = PLANS["second"]
VARIANTS = PLAN.variants
STEPS, BATCH, STORIES = 12, 32, 400
MASKINGS = ["100/0/0", "80/0/20", "80/20/0"]
Batch = dict[str, torch.Tensor]


@pytest.fixture(scope="module")
def stories() -> list[list[str]]:
    return [[str(sentence) for sentence in story.sentences] for story in stories_of("second", 7, STORIES)]


@pytest.fixture(scope="module")
def texts(stories: list[list[str]]) -> dict[int, Texts]:
    """Encode the same texts with both vocabularies."""
    flat = [" ".join(story) for story in stories]
    made = {}
    for size, words in ((3_750, words_of("second")), (1_000, [person.name for person in PEOPLE])):
        tokenizer = train_tokenizer(flat, size, words)
        made[size] = Texts(tokenizer, Corpus([Shard.of(stories, tokenizer.backend_tokenizer)]))
    return made


def small(name: str, seed: int = 0) -> Recipe:
    recipe = PLAN.recipe_of(name, seed)
    count = recipe.stories * STORIES // PLAN.recipe.stories
    return replace(recipe, steps=STEPS, batch_size=BATCH, stories=count, hidden_size=24, intermediate_size=32)


def inputs_of(name: str, texts: dict[int, Texts], seed: int = 0) -> list[dict[str, Any]]:
    recipe = small(name, seed)
    inputs = variant_inputs(VARIANTS[name], recipe, texts[recipe.vocab_size])
    return [inputs[index] for index in range(len(inputs))]


def batches_of(name: str, texts: dict[int, Texts], seed: int = 0) -> list[Batch]:
    recipe, items = small(name, seed), inputs_of(name, texts, seed)
    collator = variant_collator(VARIANTS[name], recipe, texts[recipe.vocab_size].tokenizer)
    return [collator(items[start : start + BATCH]) for start in range(0, len(items), BATCH)]


def original(batch: Batch) -> torch.Tensor:
    """Return the ids before masking."""
    return torch.where(batch["labels"] >= 0, batch["labels"], batch["input_ids"])


def same(one: Batch, other: Batch, *but: str) -> bool:
    return all(torch.equal(one[name], other[name]) for name in one if name not in but)


def parts(item: dict[str, Any]) -> tuple[list[int], list[int]]:
    ids, first = item["input_ids"].tolist(), item["first_length"]
    return ids[1 : first - 1], ids[first:-1]


# What a variant says that it changes


def test_a_variant_changes_one_decision_and_says_beside_which_other() -> None:
    decisions = {"other texts alone": {"other", "swapped"}}  # two shares, one decision
    for name, variant in VARIANTS.items():
        before = VARIANTS[variant.beside]
        theirs, its = PLAN.recipe_of(variant.beside, 0), PLAN.recipe_of(name, 0)
        recipe = {one.name for one in fields(Recipe) if getattr(theirs, one.name) != getattr(its, one.name)}
        changed: set[str] = recipe | {
            field
            for field in ("masking", "tied", "pairs")
            if getattr(before, field) != getattr(variant, field)
        }
        if name == BASE:
            assert not changed
        else:
            assert len(changed) == 1 or changed == decisions[name], name


def test_the_base_is_the_recipe_of_the_next_pocket_model_but_for_its_length() -> None:
    said = (
        "--town second --vocab-size 3750 --hidden-size 192 --num-layers 4 --num-heads 6 --single 0.2 "
        "--intermediate-size 640 --short-pair 0.4 --short-single 0.1 --most-single 3 --other 0.35 "
        "--swapped 0.15 --renamed 0.5 --spread 0.25 --learning-rate 0.0015 --mask-rate 0.2 "
        "--matrix-learning-rate 0.006 --schedule linear"
    )
    words = said.split()
    for option, value in zip(words[::2], words[1::2], strict=True):
        found = getattr(PLAN.recipe, option[2:].replace("-", "_"))
        assert found == type(found)(value), option
    assert PLAN.recipe.independent_masks
    assert PLAN.recipe.float16
    assert PLAN.recipe.batch_size == 2 * 64  # of two processes
    assert PLAN.recipe_of("half the texts", 2).stories * 2 == PLAN.recipe.stories
    assert PLAN.seeds == 3


# Masks


@pytest.mark.parametrize("name", MASKINGS)
def test_shares_of_masking_change_nothing_but_what_stands_at_chosen_places(
    name: str, texts: dict[int, Texts]
) -> None:
    mask_id = texts[3_750].tokenizer.mask_token_id
    counts: dict[str, int] = {"mask": 0, "kept": 0, "other": 0}
    for base, changed in zip(batches_of(BASE, texts), batches_of(name, texts), strict=True):
        assert same(base, changed, "input_ids")
        chosen = base["labels"] >= 0
        assert torch.equal(base["input_ids"][~chosen], changed["input_ids"][~chosen])
        shown, true = changed["input_ids"][chosen], base["labels"][chosen]
        was_mask = base["input_ids"][chosen] == mask_id
        assert (shown[was_mask] == mask_id).all()
        counts["mask"] += int((shown == mask_id).sum())
        counts["kept"] += int((shown == true).sum())
        counts["other"] += int(((shown != true) & (shown != mask_id)).sum())
    total = sum(counts.values())
    expected = {name: np.array([int(part) for part in name.split("/")]) / 100 for name in MASKINGS}[name]
    for share, kind in zip(expected, ("mask", "other", "kept"), strict=True):
        error = 4 * np.sqrt(max(share * (1 - share), 1e-3) / total)
        assert abs(counts[kind] / total - share) < error + 0.001, (kind, counts)
    if name != "80/20/0":
        assert counts["other"] == 0
    if name == "100/0/0":
        assert counts["kept"] == 0


def test_40_percent_masked_chooses_more_words_of_the_same_inputs(texts: dict[int, Texts]) -> None:
    shares = []
    for base, changed in zip(batches_of(BASE, texts), batches_of("40 % masked", texts), strict=True):
        assert torch.equal(original(base), original(changed))
        assert same(base, changed, "input_ids", "labels")
        assert ((changed["labels"] >= 0) >= (base["labels"] >= 0)).all()
        ordinary = original(base) > 4
        shares.append([float((one["labels"] >= 0)[ordinary].float().mean()) for one in (base, changed)])
    assert np.mean(shares, axis=0) == pytest.approx([0.2, 0.4], abs=0.02)


def test_single_tokens_are_chosen_of_the_same_inputs_at_the_same_rate(texts: dict[int, Texts]) -> None:
    tokens = texts[1_000].tokenizer.convert_ids_to_tokens(list(range(1_000)))
    goes_on = torch.tensor([token.startswith("##") for token in tokens])
    parted = dict.fromkeys(("short vocabulary", "short vocabulary, single tokens"), 0)
    rates = dict.fromkeys(parted, 0.0)
    for pair in zip(*(batches_of(name, texts) for name in parted), strict=True):
        assert torch.equal(*map(original, pair))
        assert same(*pair, "input_ids", "labels")
        for name, batch in zip(parted, pair, strict=True):
            chosen, ids = batch["labels"] >= 0, original(batch)
            inside = goes_on[ids][:, 1:]
            parted[name] += int((chosen[:, 1:] != chosen[:, :-1])[inside].sum())
            rates[name] += float(chosen[ids > 4].float().mean()) / STEPS
    assert parted["short vocabulary"] == 0
    assert parted["short vocabulary, single tokens"] > 100
    assert list(rates.values()) == pytest.approx([0.2, 0.2], abs=0.03)


def test_the_short_vocabulary_cuts_a_quarter_of_the_words_and_no_name(texts: dict[int, Texts]) -> None:
    stories = stories_of("second", 8, 200)
    words = [word for story in stories for word in story.words if word.pos != "PUNCT"]
    cut = {}
    for size, one in texts.items():
        lengths = np.array([len(one.tokenizer.tokenize(word.text)) for word in words])
        cut[size] = (lengths > 1).mean()
    assert cut[3_750] < 0.03  # why whole words against tokens cannot be asked there
    assert 0.15 < cut[1_000] < 0.35
    assert all(len(texts[1_000].tokenizer.tokenize(person.name)) == 1 for person in PEOPLE)
    assert len(words_of("second")) > SMALLEST_WITH_ALL_WORDS - 200


# Pairs


def test_without_its_loss_nsp_has_the_same_inputs(texts: dict[int, Texts]) -> None:
    found = set()
    for base, bare in zip(batches_of(BASE, texts), batches_of("NSP inputs, no NSP loss", texts), strict=True):
        assert same(base, bare, "next_sentence_label")
        assert set(bare["next_sentence_label"].tolist()) == {-100}
        found |= set(base["next_sentence_label"].tolist())
    assert found == {-100, 0, 1}


def test_sentence_order_has_the_labels_of_the_base_and_texts_in_the_wrong_order(
    texts: dict[int, Texts], stories: list[list[str]]
) -> None:
    base, order = inputs_of(BASE, texts), inputs_of("sentence order", texts)
    whole = encoded(stories, texts)
    false = 0
    for one, other in zip(base, order, strict=True):
        assert one["next_sentence_label"] == other["next_sentence_label"]
        if one["next_sentence_label"] != 1:
            assert one["input_ids"].tolist() == other["input_ids"].tolist()
            continue
        false += 1
        first, second = parts(other)
        assert " ".join(map(str, second + first)) in whole
    labels = [one["next_sentence_label"] for one in base]
    assert false == labels.count(1) > 0.45 * (labels.count(0) + labels.count(1))


def test_true_next_parts_go_on_where_the_first_ends(
    texts: dict[int, Texts], stories: list[list[str]]
) -> None:
    base, true = inputs_of(BASE, texts), inputs_of("true next parts, no NSP loss", texts)
    whole = encoded(stories, texts)
    kept = 0
    for one, other in zip(base, true, strict=True):
        assert other["next_sentence_label"] == -100
        first, second = parts(other)
        assert " ".join(map(str, first + second)) in whole
        if one["next_sentence_label"] != 1:
            assert one["input_ids"].tolist() == other["input_ids"].tolist()
        else:
            assert one["input_ids"].tolist() != other["input_ids"].tolist()
            kept += parts(one)[0] == first
    false = [one["next_sentence_label"] for one in base].count(1)
    assert 0.6 * false < kept < false  # 35 of 50 false pairs are another text's, 15 have changed places


def encoded(stories: list[list[str]], texts: dict[int, Texts]) -> str:
    """All texts as ids, one a line."""
    encode = texts[3_750].tokenizer.backend_tokenizer.encode
    return "\n".join(
        " ".join(str(id_) for id_ in encode(" ".join(story), add_special_tokens=False).ids)
        for story in stories
    )


def test_other_texts_alone_has_the_same_texts_cut_in_the_same_places(texts: dict[int, Texts]) -> None:
    cuts, kinds = [], []
    for name in (BASE, "other texts alone"):
        recipe = small(name)
        inputs = variant_inputs(VARIANTS[name], recipe, texts[3_750])
        block, corpus = inputs.block(0), inputs.corpus
        own = own_parts(block, corpus)
        cuts.append(sorted(zip(own.a_first, own.a_last, own.b_first, own.b_last, strict=True)))
        false = block.labels == 1
        turned = false & (block.b_last == own.a_last)
        kinds.append((false.sum() / (block.labels >= 0).sum(), turned.sum() / false.sum()))
    assert cuts[0] == cuts[1]
    assert kinds[0] == (pytest.approx(0.5, abs=0.03), pytest.approx(0.3, abs=0.04))
    assert kinds[1] == (pytest.approx(0.5, abs=0.03), 0.0)


def test_every_kind_of_inputs_is_used_by_a_variant() -> None:
    used = {variant.pairs for plan in PLANS.values() for variant in plan.variants.values()}
    assert used == set(INPUTS)


# Texts, seeds, weights, losses


def test_half_the_texts_are_the_first_half_in_as_many_inputs(
    texts: dict[int, Texts], stories: list[list[str]]
) -> None:
    half = inputs_of("half the texts", texts)
    assert len(half) == len(inputs_of(BASE, texts))
    first_half = encoded(stories[: STORIES // 2], texts)
    assert all(" ".join(map(str, parts(item)[0])) in first_half for item in half)


def test_another_seed_cuts_the_same_texts_in_another_way(texts: dict[int, Texts]) -> None:
    one, again, other = (batches_of(BASE, texts, seed) for seed in (0, 0, 1))
    assert all(same(*pair) for pair in zip(one, again, strict=True))
    assert not any(same(*pair) for pair in zip(one, other, strict=True) if pair[0].keys() and _shapes(*pair))


def _shapes(one: Batch, other: Batch) -> bool:
    return one["input_ids"].shape == other["input_ids"].shape


@pytest.mark.parametrize("name", ["100/0/0", "untied", "NSP inputs, no NSP loss"])
def test_the_first_weights_are_the_same_but_for_a_matrix_of_its_own(
    name: str, texts: dict[int, Texts]
) -> None:
    models = []
    for one in (BASE, name):
        torch.manual_seed(0)
        models.append(PretrainingModel(variant_config(VARIANTS[one], small(one), 3_750)))
    base, changed = (dict(model.named_parameters()) for model in models)
    assert all(torch.equal(base[key], changed[key]) for key in base if not key.startswith("cls."))
    new = {"cls.predictions.decoder.weight", "cls.predictions.decoder.bias"} if name == "untied" else set()
    assert changed.keys() - base.keys() == new
    del texts


@pytest.mark.parametrize("name", list(VARIANTS))
def test_the_loss_is_that_of_transformers_for_the_labels_of_the_batch(
    name: str, texts: dict[int, Texts]
) -> None:
    recipe = small(name)
    batch = max(batches_of(name, texts), key=lambda one: int((one["next_sentence_label"] >= 0).sum()))
    torch.manual_seed(0)
    model = PretrainingModel(variant_config(VARIANTS[name], recipe, recipe.vocab_size)).eval()
    result = model(**batch)
    result["loss"].backward()
    with torch.no_grad():
        plain = BertForPreTraining.forward(
            model, **{key: batch[key] for key in ("input_ids", "attention_mask", "token_type_ids")}
        )
    cross_entropy = torch.nn.functional.cross_entropy
    words = cross_entropy(plain.prediction_logits.flatten(0, 1), batch["labels"].flatten())
    assert result["mlm_loss"].item() == pytest.approx(words.item(), rel=1e-4)
    learned = model.cls.seq_relationship.weight.grad.abs().sum().item()
    if name.endswith("no NSP loss"):
        assert result["loss"].item() == pytest.approx(words.item(), rel=1e-4)
        assert learned == 0
        assert model.bert.pooler.dense.weight.grad.abs().sum() == 0
    else:
        pairs = cross_entropy(plain.seq_relationship_logits, batch["next_sentence_label"])
        assert result["loss"].item() == pytest.approx((words + pairs).item(), rel=1e-4)
        assert learned > 0
