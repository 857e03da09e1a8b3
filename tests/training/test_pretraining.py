"""The recipe: vocabulary, pairs, masks, loss, and runs that are killed or shared by two processes."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor
from transformers import AutoModelForPreTraining, AutoTokenizer, BertConfig, BertForPreTraining

from bertviz_lite.basics.files import replace_folder, write_text
from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.masking import Masking, apply_draws, draw, mask_tokens
from bertviz_lite.data.pretraining.collator import Collator
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.inputs import TrainingInputs, by_length
from bertviz_lite.data.pretraining.pairs import Mix, PairBlock, pair_block
from bertviz_lite.data.pretraining.shards import Shard, story_seeds
from bertviz_lite.data.vocabulary import SPECIAL_TOKENS, continuation_tokens, train_tokenizer
from bertviz_lite.evaluation.intervals import binomial_interval
from bertviz_lite.evaluation.scores import QUICK, Score, Scores
from bertviz_lite.training import pretraining
from bertviz_lite.training.card import Making, model_card
from bertviz_lite.training.history import decode_attention, encode_attention, moments
from bertviz_lite.training.pretraining import PretrainingModel, Recipe
from bertviz_lite.world import stories
from tests.helpers.children import finish, start

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

TINY = [
    "--steps=24",
    "--batch-size=4",
    "--stories=200",
    "--tokenizer-stories=100",
    "--vocab-size=300",
    "--hidden-size=16",
    "--num-layers=1",
    "--num-heads=2",
    "--intermediate-size=32",
    "--no-bf16",
    "--threads=1",
    "--save-every=6",
    "--no-progress",
]


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [str(story) for story in stories(1, 300)]


@pytest.fixture(scope="module")
def tokenizer(texts: list[str]) -> PreTrainedTokenizerFast:
    return train_tokenizer(texts, vocab_size=600)


@pytest.fixture(scope="module")
def corpus(tokenizer: PreTrainedTokenizerFast) -> Corpus:
    told = [[str(sentence) for sentence in story.sentences] for story in stories(2, 1000)]
    return Corpus(
        [Shard.of(told[:400], tokenizer.backend_tokenizer), Shard.of(told[400:], tokenizer.backend_tokenizer)]
    )


@pytest.fixture(scope="module", autouse=True)
def no_gpu() -> Iterator[None]:
    """Let every process that a test starts run on the CPU."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CUDA_VISIBLE_DEVICES", "")
        yield


def run(folder: Path, *arguments: object) -> str:
    """Run the recipe in a process of its own and return what it has printed."""
    log = folder / "printed.txt"
    return finish(
        start("bertviz_lite.training.pretraining", ["--output", folder, *TINY, *arguments], log), log
    )


# Tokenizer


def test_tokenizer_has_special_tokens_then_characters_then_pieces(tokenizer: PreTrainedTokenizerFast) -> None:
    pieces = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    assert tuple(pieces[:5]) == SPECIAL_TOKENS
    assert tokenizer.pad_token_id == 0
    assert tokenizer.cls_token_id == 2
    assert 500 < len(tokenizer) <= 600
    assert len(set(pieces)) == len(pieces)
    assert continuation_tokens(tokenizer).sum() >= 36


def test_any_printable_text_can_be_typed(tokenizer: PreTrainedTokenizerFast) -> None:
    printable = "".join(map(chr, range(32, 127)))
    for text in (printable, "Zyzzyva xylophones 0123456789 qwertz's café", "aA1bB2-cC3"):
        assert tokenizer.unk_token_id not in tokenizer(text)["input_ids"]


def test_tokenizer_form_is_that_of_bert(tokenizer: PreTrainedTokenizerFast) -> None:
    encoded = tokenizer("The BAKER slept.", "She was tired.")
    tokens = tokenizer.convert_ids_to_tokens(encoded["input_ids"])
    assert tokens[0] == "[CLS]"
    assert tokens.count("[SEP]") == 2
    assert encoded["token_type_ids"] == [0] * (tokens.index("[SEP]") + 1) + [1] * (
        len(tokens) - tokens.index("[SEP]") - 1
    )
    assert (
        tokenizer.decode(encoded["input_ids"], skip_special_tokens=True) == "the baker slept. she was tired."
    )


def test_same_texts_give_the_same_vocabulary_in_every_process(tokenizer: PreTrainedTokenizerFast) -> None:
    code = (
        "import hashlib\n"
        "from bertviz_lite.data.vocabulary import train_tokenizer\n"
        "from bertviz_lite.world import stories\n"
        "tokenizer = train_tokenizer([str(story) for story in stories(1, 300)], vocab_size=600)\n"
        "pieces = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))\n"
        "print(hashlib.sha256('\\n'.join(pieces).encode()).hexdigest())"
    )
    here = "\n".join(tokenizer.convert_ids_to_tokens(range(len(tokenizer))))
    expected = hashlib.sha256(here.encode()).hexdigest()
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        output = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        )
        assert output.stdout.strip() == expected


def test_vocabulary_too_small_for_the_alphabet_is_refused() -> None:
    with pytest.raises(ValueError, match="vocab_size=50"):
        train_tokenizer(["a"], vocab_size=50)


# Masking


@pytest.fixture(scope="module")
def rules() -> Masking:
    continuation = torch.zeros(1000, dtype=torch.bool)
    continuation[800:] = True
    return Masking(vocab_size=1000, special_ids=(0, 1, 2, 3, 4), mask_id=4, continuation=continuation)


@pytest.fixture(scope="module")
def many_ids() -> Tensor:
    ids = torch.randint(5, 1000, (2000, 64), generator=torch.Generator().manual_seed(0))
    ids[:, 0], ids[:, 20], ids[:, 50], ids[:, 51:] = 2, 3, 3, 0
    return ids


@pytest.mark.parametrize("whole_words", [True, False])
def test_masking_is_80_10_10_of_15_percent(rules: Masking, many_ids: Tensor, whole_words: bool) -> None:
    if not whole_words:
        rules = Masking(rules.vocab_size, rules.special_ids, rules.mask_id)
    masked, labels = mask_tokens(many_ids, rules, torch.Generator().manual_seed(1))
    ordinary = many_ids > 4
    chosen = labels != IGNORED
    count = int(chosen.sum())
    assert count / int(ordinary.sum()) == pytest.approx(0.15, abs=0.005)
    assert (masked[chosen] == 4).sum() / count == pytest.approx(0.8, abs=0.01)
    same = (masked[chosen] == many_ids[chosen]).sum() / count
    assert same == pytest.approx(0.1, abs=0.01)
    other = (masked[chosen] != 4) & (masked[chosen] != many_ids[chosen])
    assert other.sum() / count == pytest.approx(0.1, abs=0.01)
    assert masked[chosen][other].min() > 4


def test_the_default_shares_hide_the_very_pieces_they_hid_before_shares_could_be_set(
    rules: Masking, many_ids: Tensor
) -> None:
    """The shipped model was trained on these masks: a digest of them, taken before the fields were added."""
    masked, labels = mask_tokens(many_ids, rules, torch.Generator().manual_seed(1))
    digest = hashlib.sha256(masked.numpy().tobytes() + labels.numpy().tobytes()).hexdigest()
    assert digest[:16] == "b60d8af86d3a8a33"


@pytest.mark.parametrize(("mask_share", "random_share"), [(1.0, 0.0), (0.0, 1.0), (0.0, 0.0), (0.5, 0.3)])
def test_the_shares_can_be_set(
    rules: Masking, many_ids: Tensor, mask_share: float, random_share: float
) -> None:
    rules = dataclasses.replace(rules, mask_share=mask_share, random_share=random_share)
    masked, labels = mask_tokens(many_ids, rules, torch.Generator().manual_seed(1))
    chosen = labels != IGNORED
    hidden = (masked[chosen] == 4).double().mean()
    other = ((masked[chosen] != 4) & (masked[chosen] != many_ids[chosen])).double().mean()
    assert hidden == pytest.approx(mask_share, abs=0.01)
    assert other == pytest.approx(random_share, abs=0.01)
    assert rules.keep_share == pytest.approx(1 - mask_share - random_share)


def test_with_the_same_draws_and_a_higher_rate_what_was_chosen_stays_chosen(
    rules: Masking, many_ids: Tensor
) -> None:
    draws = draw(tuple(many_ids.shape), rules, torch.Generator().manual_seed(1))
    fewer, more = (
        apply_draws(many_ids, dataclasses.replace(rules, rate=rate), draws)[1] != IGNORED
        for rate in (0.1, 0.4)
    )
    assert (more | ~fewer).all()
    assert fewer.sum() < more.sum() / 3


@pytest.mark.parametrize("count", [0, 1, 7, 40, 133])
@pytest.mark.parametrize("percent", [0, 1, 15, 50, 80, 100])
def test_binomial_interval_against_fractions(count: int, percent: int) -> None:
    share, below = Fraction(percent, 100), []
    for hits in range(count + 1):
        term = math.comb(count, hits) * share**hits * (1 - share) ** (count - hits)
        below.append(term + (below[-1] if below else 0))
    low = next(hits for hits, total in enumerate(below) if total > Fraction(25, 1000))
    high = next(hits for hits, total in enumerate(below) if total >= Fraction(975, 1000))
    assert binomial_interval(count, percent / 100) == (low, high)


def test_shares_that_cannot_be_are_refused(rules: Masking) -> None:
    with pytest.raises(ValueError, match=r"mask_share=1\.2: a share from 0 to 1"):
        dataclasses.replace(rules, mask_share=1.2)
    with pytest.raises(ValueError, match=r"add up to more than 1: lower one"):
        dataclasses.replace(rules, random_share=0.3)


def test_masking_leaves_special_tokens_padding_and_the_rest_alone(rules: Masking, many_ids: Tensor) -> None:
    before = many_ids.clone()
    masked, labels = mask_tokens(many_ids, rules, torch.Generator().manual_seed(1))
    assert torch.equal(many_ids, before)
    special = many_ids < 5
    assert (labels[special] == IGNORED).all()
    assert torch.equal(masked[special], many_ids[special])
    untouched = labels == IGNORED
    assert torch.equal(masked[untouched], many_ids[untouched])
    assert torch.equal(labels[~untouched], many_ids[~untouched])


def test_whole_words_are_chosen_with_all_their_pieces(rules: Masking) -> None:
    ids = torch.tensor([[2, 10, 11, 801, 802, 12, 3, 803, 13, 3]]).repeat(
        3000, 1
    )  # 803 follows [SEP]: its own word
    _, labels = mask_tokens(ids, rules, torch.Generator().manual_seed(3))
    chosen = labels != IGNORED
    assert torch.equal(chosen[:, 2], chosen[:, 3])
    assert torch.equal(chosen[:, 2], chosen[:, 4])
    assert not torch.equal(chosen[:, 1], chosen[:, 2])
    shares = chosen.double().mean(0)
    assert shares[[1, 2, 5, 8]].tolist() == pytest.approx([0.15] * 4, abs=0.03)


def test_masking_repeats_with_its_generator(rules: Masking, many_ids: Tensor) -> None:
    first, second, third = (
        mask_tokens(many_ids, rules, torch.Generator().manual_seed(seed))[1] for seed in (5, 5, 6)
    )
    assert torch.equal(first, second)
    assert not torch.equal(first, third)


@pytest.mark.parametrize("rate", [0.0, 1.0, -1])
def test_impossible_rate_is_refused(rate: float) -> None:
    with pytest.raises(ValueError, match="rate="):
        Masking(10, (0,), 4, rate=rate)


# Pairs


@pytest.fixture(scope="module")
def pairs(corpus: Corpus) -> PairBlock:
    return pair_block(corpus, np.arange(len(corpus)), np.random.default_rng(0), Mix(0.0, 0.0, 0.0))


def test_half_of_the_pairs_are_true(pairs: PairBlock) -> None:
    assert (pairs.labels == 0).mean() == pytest.approx(0.5, abs=0.02)
    assert (pairs.labels == 1).mean() == pytest.approx(0.5, abs=0.02)


def test_true_second_parts_follow_and_false_ones_are_of_another_story(
    corpus: Corpus, pairs: PairBlock
) -> None:
    story_of = np.repeat(np.arange(len(corpus)), np.diff(corpus.story_starts))
    for index in range(len(pairs)):
        a_first, a_last, b_first, b_last = (
            int(values[index]) for values in (pairs.a_first, pairs.a_last, pairs.b_first, pairs.b_last)
        )
        first, second = story_of[a_first:a_last], story_of[b_first:b_last]
        assert len(set(first)) == len(set(second)) == 1
        if pairs.labels[index] == 0:
            assert (a_last, story_of[a_first]) == (b_first, story_of[b_first])
        else:
            assert first[0] != second[0]
            true_end = corpus.story_starts[first[0] + 1]
            assert not np.array_equal(corpus.token_ids(b_first, b_last), corpus.token_ids(a_last, true_end))


def test_lengths_say_nothing_about_the_label(corpus: Corpus, pairs: PairBlock) -> None:
    starts = corpus.sentence_starts
    a_length, b_length = (
        starts[pairs.a_last] - starts[pairs.a_first],
        starts[pairs.b_last] - starts[pairs.b_first],
    )
    for lengths in (a_length, b_length, a_length + b_length, a_length - b_length):
        false, true = lengths[pairs.labels == 1], lengths[pairs.labels == 0]
        # The two distribution functions nearly coincide (Kolmogorov and Smirnov's distance for 500 and 500).
        places = np.unique(lengths)
        distance = np.abs(
            np.searchsorted(np.sort(false), places, "right") / len(false)
            - np.searchsorted(np.sort(true), places, "right") / len(true)
        ).max()
        assert distance < 0.12


def test_inputs_fit_and_lengths_are_right(corpus: Corpus, tokenizer: PreTrainedTokenizerFast) -> None:
    for max_length in (128, 48):
        block = pair_block(corpus, np.arange(500), np.random.default_rng(1), max_length=max_length)
        assert block.lengths.max() <= max_length
    inputs = TrainingInputs(corpus, 400, 8, 0, tokenizer.cls_token_id, tokenizer.sep_token_id)
    for index in range(400):
        ids = inputs[index]["input_ids"]
        assert len(ids) == inputs.block(0).lengths[index]
        pieces = tokenizer.convert_ids_to_tokens(ids.tolist())
        assert (pieces[0], pieces[-1]) == ("[CLS]", "[SEP]")
        assert pieces.count("[SEP]") == (2 if inputs[index]["next_sentence_label"] >= 0 else 1)
    assert inputs.tokens(400) == sum(len(inputs[index]["input_ids"]) for index in range(400))


def test_parts_are_whole_sentences(corpus: Corpus, tokenizer: PreTrainedTokenizerFast) -> None:
    inputs = TrainingInputs(corpus, 100, 4, 0, tokenizer.cls_token_id, tokenizer.sep_token_id)
    for index in range(100):
        text = tokenizer.decode(inputs[index]["input_ids"].tolist()).replace(" [SEP]", "[SEP]")
        for part in text.removeprefix("[CLS]").split("[SEP]")[:-1]:
            assert part.strip()[-1] in ".!?\"'", part


def test_a_sentence_that_cannot_fit_is_an_error(corpus: Corpus) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        pair_block(corpus, np.arange(5), np.random.default_rng(0), max_length=6)


def test_batches_have_like_lengths_and_random_order(corpus: Corpus) -> None:
    block = pair_block(corpus, np.arange(1000), np.random.default_rng(0), Mix(0.2, 0.1, 0.0))
    grouped = by_length(block, 16, np.random.default_rng(0))
    assert len(grouped) == 992
    lengths = grouped.lengths.reshape(-1, 16)
    long = lengths >= 0.6 * np.median(block.lengths)
    spread = [row[kept].max() - row[kept].min() for row, kept in zip(lengths, long, strict=True)]
    assert np.median(spread) < 0.2 * (block.lengths.max() - block.lengths.min())
    assert (~long).any(1).mean() > 0.4  # short inputs are everywhere
    tops = lengths.max(1)
    assert abs(np.corrcoef(tops[:-1], tops[1:])[0, 1]) < 0.5


def test_inputs_depend_on_seed_and_number_only(corpus: Corpus) -> None:
    def make(seed: int = 0, count: int = 4000) -> TrainingInputs:
        return TrainingInputs(corpus, count, 8, seed, 2, 3)

    forward, backward = make(), make()
    last = backward[3999]
    for index in (0, 1000, 3999):
        assert np.array_equal(forward[index]["input_ids"], make()[index]["input_ids"])
    assert np.array_equal(last["input_ids"], forward[3999]["input_ids"])
    assert not np.array_equal(make(seed=1)[0]["input_ids"], forward[0]["input_ids"])
    # The second pass over the stories cuts and pairs them anew.
    seen = {forward[index]["input_ids"].tobytes() for index in range(1000)}
    again = [forward[index]["input_ids"].tobytes() in seen for index in range(1000, 2000)]
    assert np.mean(again) < 0.2
    with pytest.raises(IndexError):
        forward[4000]


def test_too_few_stories_are_refused(corpus: Corpus) -> None:
    with pytest.raises(ValueError, match="raise --stories"):
        TrainingInputs(corpus, 10, 2000, 0, 2, 3)


def test_collator_pads_and_repeats(corpus: Corpus, tokenizer: PreTrainedTokenizerFast) -> None:
    inputs = TrainingInputs(corpus, 64, 8, 0, 2, 3)
    collate = Collator(pretraining.make_masking(tokenizer, Recipe(vocab_size=600)), seed=0)
    items = [inputs[index] for index in range(8)]
    batch, again = collate(items), collate(items)
    assert all(torch.equal(batch[name], again[name]) for name in batch)
    original = torch.where(batch["labels"] == IGNORED, batch["input_ids"], batch["labels"])
    assert batch["input_ids"].shape[1] % 8 == 0
    for row, item in enumerate(items):
        length = len(item["input_ids"])
        assert original[row, :length].tolist() == item["input_ids"].tolist()
        assert batch["attention_mask"][row].tolist() == [1] * length + [0] * (original.shape[1] - length)
        expected = [0] * item["first_length"] + [1] * (length - item["first_length"])
        assert batch["token_type_ids"][row, :length].tolist() == expected
        assert not original[row, length:].any()
    assert batch["next_sentence_label"].tolist() == [item["next_sentence_label"] for item in items]


def test_shards_are_written_once_and_refused_for_another_seed(
    tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    pretraining.save_tokenizer(tokenizer, tmp_path / "tokenizer")

    def prepare(seed: int = 0, count: int = 30) -> Corpus:
        return Corpus.prepare(
            tmp_path / "stories", tmp_path / "tokenizer", seed=seed, count=count, processes=1, progress=False
        )

    first = prepare()
    written = (tmp_path / "stories" / "shard-00000.npz").stat().st_mtime_ns
    second = prepare()
    assert (tmp_path / "stories" / "shard-00000.npz").stat().st_mtime_ns == written
    assert np.array_equal(first.ids, second.ids)
    assert len(first) == 30
    told = stories(story_seeds(0, 0), 1)[0]
    assert tokenizer.decode(first.token_ids(0, 1).tolist()) == tokenizer.decode(
        tokenizer(str(told.sentences[0]), add_special_tokens=False)["input_ids"]
    )
    with pytest.raises(ValueError, match="another town, seed"):
        prepare(seed=1)


# Model and loss


@pytest.fixture(scope="module")
def small_config() -> BertConfig:
    return BertConfig(
        vocab_size=50, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=32, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    )  # fmt: skip


@pytest.fixture
def small_batch() -> dict[str, Tensor]:
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(5, 50, (6, 20), generator=generator)
    labels = torch.where(torch.rand(ids.shape, generator=generator) < 0.2, ids, IGNORED)
    mask = torch.ones_like(ids)
    mask[:, 17:], ids[:, 17:], labels[:, 17:] = 0, 0, IGNORED
    types = (torch.arange(20) > 8).long().expand_as(ids)
    return {
        "input_ids": ids, "attention_mask": mask, "token_type_ids": types, "labels": labels,
        "next_sentence_label": torch.tensor([0, 1, IGNORED, 1, 0, IGNORED]),
    }  # fmt: skip


def test_loss_at_chosen_positions_equals_the_models_own(
    small_config: BertConfig, small_batch: dict[str, Tensor]
) -> None:
    torch.manual_seed(0)
    fast = PretrainingModel(small_config)
    plain = BertForPreTraining(small_config)
    plain.load_state_dict(fast.state_dict())
    ours, theirs = fast(**small_batch)["loss"], plain(**small_batch).loss
    assert ours.item() == pytest.approx(theirs.item(), abs=1e-6)
    ours.backward()
    theirs.backward()
    for (name, parameter), (_, other) in zip(fast.named_parameters(), plain.named_parameters(), strict=True):
        gradient = other.grad.clone()
        if name == "bert.embeddings.word_embeddings.weight":
            assert gradient[0].any()  # what the padding row would have got
            gradient[0] = 0
        assert torch.allclose(parameter.grad, gradient, atol=1e-6), name


def test_loss_without_labels_is_that_of_the_plain_model_and_no_pair_gives_zero(
    small_config: BertConfig, small_batch: dict[str, Tensor]
) -> None:
    model = PretrainingModel(small_config)
    outputs = model(small_batch["input_ids"])
    assert outputs.prediction_logits.shape == (6, 20, 50)
    small_batch["next_sentence_label"][:] = IGNORED
    assert model(**small_batch)["nsp_loss"] == 0
    small_batch["labels"][:] = IGNORED
    losses = model(**small_batch)
    losses["loss"].backward()
    assert losses["loss"] == 0


def test_padding_row_stays_zero_through_training(
    small_config: BertConfig, small_batch: dict[str, Tensor]
) -> None:
    model = PretrainingModel(small_config)
    weight = model.bert.embeddings.word_embeddings.weight
    assert weight.data_ptr() == model.cls.predictions.decoder.weight.data_ptr()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1, weight_decay=0.1)
    before = weight.detach().clone()
    for _ in range(5):
        optimizer.zero_grad()
        model(**small_batch)["loss"].backward()
        optimizer.step()
    assert not weight[0].any()
    assert (weight[1:] != before[1:]).all(1).any()


# The run


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    run(folder, "--no-evaluate")
    return folder


@pytest.mark.slow
def test_the_model_folder_loads_as_any_other(finished: Path) -> None:
    folder = finished / "pocket"
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForPreTraining.from_pretrained(folder)
    assert type(model) is BertForPreTraining
    assert model.config.architectures == ["BertForPreTraining"]
    assert model.config.hidden_dropout_prob == 0.1
    assert not model.bert.embeddings.word_embeddings.weight[0].any()
    assert len(tokenizer) == model.config.vocab_size
    assert (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()[4] == "[MASK]"
    for path in folder.iterdir():
        assert str(finished).encode() not in path.read_bytes(), path.name
    logits = model.eval()(**tokenizer("She [MASK] home.", return_tensors="pt")).prediction_logits
    assert torch.isfinite(logits).all()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system cannot kill a process at once")
def test_a_killed_run_ends_with_the_same_weights(finished: Path, tmp_path: Path) -> None:
    log = tmp_path / "killed.txt"
    options = ["--output", tmp_path, *TINY, "--no-evaluate"]
    process = start("bertviz_lite.training.pretraining", options, log)
    deadline = time.monotonic() + 200
    while not pretraining.last_checkpoint(tmp_path / "checkpoints"):
        assert time.monotonic() < deadline
        assert process.is_alive(), log.read_text(encoding="utf-8")
        time.sleep(0.005)
    process.kill()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert not (tmp_path / "pocket").exists()
    # What a kill amid writing leaves: a newer folder without its state.
    (tmp_path / "checkpoints" / "checkpoint-23").mkdir()
    printed = run(tmp_path, "--no-evaluate")
    expected = load_file(finished / "pocket" / "model.safetensors")
    resumed = load_file(tmp_path / "pocket" / "model.safetensors")
    assert expected.keys() == resumed.keys()
    for name, tensor in expected.items():
        assert torch.equal(tensor, resumed[name]), f"{name} differs\n{printed[-2000:]}"


@pytest.mark.slow
def test_two_processes_train_the_same_file(tmp_path: Path) -> None:
    launcher = [sys.executable, "-m", "accelerate.commands.launch", "--num_processes", "2", "--cpu"]
    options = ["--output", str(tmp_path), "--no-evaluate", *TINY, "--steps=6"]
    command = [*launcher, "-m", "bertviz_lite.training.pretraining", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-20_000:]  # a launcher's own lines come after the cause
    assert "the model is in" in done.stdout
    settings = json.loads((tmp_path / "recipe.json").read_text(encoding="utf-8"))
    assert settings["processes"] == 2
    weights = load_file(tmp_path / "pocket" / "model.safetensors")
    assert all(torch.isfinite(tensor).all() for tensor in weights.values())
    assert not weights["bert.embeddings.word_embeddings.weight"][0].any()


@pytest.mark.slow
def test_history_scores_and_card_are_written(tmp_path: Path) -> None:
    run(tmp_path, "--steps=3", "--quick")
    folder = tmp_path / "pocket"
    history = json.loads((folder / "history.json").read_text(encoding="utf-8"))
    steps = [moment["step"] for moment in history["moments"]]
    assert steps == [0, 1, 2, 3]
    assert history["moments"][-1]["tokens"] > 0
    with np.load(folder / "history_attention.npz") as attention:
        for number, tokens in enumerate(history["tokens"]):
            assert attention[f"text{number}"].shape == (4, 1, 2, len(tokens), len(tokens))
            rows = decode_attention(attention[f"text{number}"]).sum(-1)
            assert rows == pytest.approx(np.ones_like(rows), abs=0.05)
    scores = Scores.from_json((folder / "scores.json").read_text(encoding="utf-8"))
    assert {"agreement", "masked_words", "next_part", "minimal_pairs", "senses", "head.subject"} <= set(
        scores
    )
    assert scores["minimal_pairs"].n == 8 * QUICK.minimal_pairs
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "| masked word: agreement |" in card
    assert "`python -m bertviz_lite.evaluation.scores --quick`" in card
    assert str(tmp_path) not in card
    assert "--steps 3" in card
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    assert f"`{digest}`" in card
    assert (folder / "SHA256SUMS").read_text(encoding="utf-8") == f"{digest}  model.safetensors\n"


def test_another_recipe_in_the_same_folder_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pretraining.keep_recipe(Recipe(), 1, tmp_path)
    pretraining.keep_recipe(Recipe(), 1, tmp_path)
    with pytest.raises(ValueError, match=rf"steps {Recipe().steps} -> 5"):
        pretraining.keep_recipe(Recipe(steps=5), 1, tmp_path)
    assert pretraining.main(["--output", str(tmp_path), "--steps", "5", "--no-bf16"]) == 1
    assert capsys.readouterr().err.startswith("error: ")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"steps": 0}, "steps=0"),
        ({"seed": 9000}, "seed=9000"),
        ({"seed": -1}, "seed=-1"),
        ({"mask_rate": 0}, "mask_rate=0"),
    ],
)
def test_impossible_recipes_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Recipe(**change)


def test_command_names_what_differs_and_reads_back(tmp_path: Path) -> None:
    recipe = Recipe(steps=7, learning_rate=1e-3, whole_words=False, bf16=True)
    command = pretraining.command_of(recipe, 1)
    assert command == (
        "python -m bertviz_lite.training.pretraining --steps 7 --learning-rate 0.001 --no-whole-words --bf16"
    )
    read, where, installs = pretraining.parse([*command.split()[3:], "--output", str(tmp_path)])
    assert read == recipe
    assert where.output == tmp_path
    assert not installs
    assert not where.quick


def test_what_is_shipped_is_asked_everything(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        pretraining.parse(["--install", "--quick"])
    assert "leave out --quick" in capsys.readouterr().err


def test_install_replaces_the_folder_as_a_whole(tmp_path: Path) -> None:
    target, source = tmp_path / "package" / "pocket", tmp_path / "new"
    target.mkdir(parents=True)
    (target / "old.txt").write_text("old", encoding="utf-8")
    source.mkdir()
    with pytest.raises(ValueError, match="no finished model"):
        pretraining.install(source, target)
    assert (target / "old.txt").exists()
    (source / "model.safetensors").write_bytes(b"x")
    pretraining.install(source, target)
    assert sorted(path.name for path in target.iterdir()) == ["SHA256SUMS", "model.safetensors"]
    digest = hashlib.sha256(b"x").hexdigest()
    assert (target / "SHA256SUMS").read_text(encoding="utf-8") == f"{digest}  model.safetensors\n"
    assert (source / "model.safetensors").exists()
    assert [path.name for path in target.parent.iterdir()] == ["pocket"]


def test_files_are_replaced_whole(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "one\n")
    write_text(tmp_path / "a.txt", "two\n")
    assert (tmp_path / "a.txt").read_bytes() == b"two\n"
    assert len(list(tmp_path.iterdir())) == 1
    (tmp_path / "new").mkdir()
    replace_folder(tmp_path / "new", tmp_path / "deep" / "place")
    assert (tmp_path / "deep" / "place").is_dir()


def test_moments_spread_from_the_first_step_to_the_last() -> None:
    for steps in (1, 5, 100, 20_000):
        found = moments(steps)
        assert (found[0], found[-1]) == (0, steps)
        assert found == sorted(set(found))
        assert len(found) <= 12
    assert len(moments(20_000)) == 12


def test_attention_code_is_fine_for_small_weights() -> None:
    weights = np.array([0.0, 0.0001, 0.01, 0.5, 1.0])
    assert decode_attention(encode_attention(weights)) == pytest.approx(weights, abs=0.002)
    assert encode_attention(np.array([0.0, 1.0])).tolist() == [0, 255]


def test_card_shows_what_is_missed() -> None:
    making = Making("python", 1, 2, 3, 4, 5, 6, 7.0, "1 CPU thread", 0, 1.0)
    card = model_card(
        making, Scores({"agreement": Score(0.5, 10, 0.97), "masked_words": Score(math.nan, 0)}), "0" * 64
    )
    assert "| masked word: agreement | 0.5000 | 0.97 MISSED |" in card


def test_last_checkpoint_passes_over_unfinished_ones(tmp_path: Path) -> None:
    assert pretraining.last_checkpoint(tmp_path) is None
    for step, state in ((9, "{}"), (10, "{}"), (100, '{"a":'), (200, None)):
        (tmp_path / f"checkpoint-{step}").mkdir()
        if state is not None:
            (tmp_path / f"checkpoint-{step}" / "trainer_state.json").write_text(state, encoding="utf-8")
    assert pretraining.last_checkpoint(tmp_path) == Path(tmp_path / "checkpoint-10")
