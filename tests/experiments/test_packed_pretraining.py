"""Packed rows: nothing is lost or seen twice, inputs of a row do not see each other, and training trains."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch.nn import functional
from transformers import BertForPreTraining, PreTrainedTokenizerFast

from bertviz_lite.basics.threads import threads
from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.pretraining.by_hand import ByHand
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.forbidden import Forbidden, TrainingTown
from bertviz_lite.data.pretraining.names import name_groups, name_ids
from bertviz_lite.data.pretraining.pairs import Mix, pair_block
from bertviz_lite.models import POCKET
from experiments.packed_pretraining.__main__ import (
    ADAMW,
    LAST_MASK_RATE,
    MASK_RATE,
    MUON,
    Schedule,
    main,
    train,
)
from experiments.packed_pretraining.producing import Source, texts_by_hand
from experiments.packed_pretraining.rows import Ends, Steps, fitted, packed
from experiments.packed_pretraining.step import PackedStep

ROWS = 4


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """Compute with one thread, as other tests run beside."""
    with threads(1):
        yield


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    """Return the pocket model's tokenizer."""
    loaded: PreTrainedTokenizerFast = PreTrainedTokenizerFast.from_pretrained(POCKET)
    return loaded


@pytest.fixture(scope="module")
def source(tokenizer: PreTrainedTokenizerFast, tmp_path_factory: pytest.TempPathFactory) -> Source:
    """Return 300 stories to pack."""
    folder = tmp_path_factory.mktemp("stories")
    corpus = Corpus.prepare(folder, POCKET, seed=1, count=300, processes=1, progress=False)
    mix = Mix(single=0.2, short_pair=0.3, other=0.3, swapped=0.1, renamed=0.5, names=name_ids(tokenizer))
    return Source(corpus, mix, Ends(tokenizer.cls_token_id, tokenizer.sep_token_id), ROWS, 0.6, 0.1, 0.1)


@pytest.fixture(scope="module")
def steps(source: Source) -> Steps:
    """Return the first packed steps."""
    rng = np.random.default_rng(5)
    block = pair_block(source.corpus, rng.permutation(300), rng, source.mix)
    return packed(source.corpus, block, name_groups(source.mix.names), source.ends, ROWS, rng)


def model_of() -> BertForPreTraining:
    """Load the pocket model anew."""
    return BertForPreTraining.from_pretrained(POCKET)


def inputs_of(steps: Steps, step: int) -> Iterator[tuple[torch.Tensor, torch.Tensor, int]]:
    """Yield ids, segments and label of every input of a step, taken out of its row."""
    data = torch.from_numpy(steps.rows[step]).long()
    pairs = steps.labels[step] != IGNORED
    labels = dict(zip(steps.places[step][pairs].tolist(), steps.labels[step][pairs].tolist(), strict=True))
    for row in range(ROWS):
        for number in range(1, int(data[3, row].max()) + 1):
            there = data[3, row] == number
            start = row * 128 + int(there.nonzero()[0])
            assert data[1, row][there].tolist() == list(range(int(there.sum())))
            yield data[0, row][there], data[2, row][there], labels.get(start, IGNORED)


def test_every_input_is_in_one_row_and_rows_are_nearly_full() -> None:
    rng = np.random.default_rng(0)
    lengths = rng.integers(5, 129, 2_000)
    rows = fitted(lengths, rng.permutation(2_000))
    assert sorted(each for row in rows for each in row) == list(range(2_000))
    filled = [int(lengths[row].sum()) for row in rows]
    assert max(filled) <= 128
    assert np.mean(filled) > 0.9 * 128


def test_packed_inputs_begin_with_cls_and_end_with_sep(
    steps: Steps, tokenizer: PreTrainedTokenizerFast
) -> None:
    count = tokens = 0
    for step in range(len(steps.rows)):
        for ids, segments, label in inputs_of(steps, step):
            count, tokens = count + 1, tokens + len(ids)
            assert (ids[0], ids[-1]) == (tokenizer.cls_token_id, tokenizer.sep_token_id)
            assert int((ids == tokenizer.sep_token_id).sum()) == (1 if label == IGNORED else 2)
            assert bool(segments.any()) == (label != IGNORED)
    assert (count, tokens) == (steps.inputs, steps.tokens)
    assert {0, 1} <= set(steps.labels.flatten().tolist())


def test_losses_are_those_of_transformers_on_the_inputs_one_by_one(
    steps: Steps, tokenizer: PreTrainedTokenizerFast
) -> None:
    model = model_of().eval()
    step = PackedStep(model, tokenizer, ROWS)
    data, places, labels = (torch.from_numpy(part[0]) for part in steps[:3])
    generator = torch.Generator().manual_seed(3)
    ids = data[0].long()
    ordinary = (~step.special[ids]).flatten().nonzero().flatten()
    chosen = ordinary[torch.randperm(len(ordinary), generator=generator)[:60]]
    hidden = ids.flatten().index_fill(0, chosen, tokenizer.mask_token_id).view_as(ids)
    with torch.no_grad():
        words, pairs = step.losses(hidden, chosen, ids.flatten()[chosen], data.long(), places, labels)
        expected_words, expected_pairs = [], []
        flat = hidden.flatten()
        for row in range(ROWS):
            for number in range(1, int(data[3, row].max()) + 1):
                there = (torch.arange(4 * 128) // 128 == row) & (data[3].flatten() == number)
                output = model(flat[there][None], token_type_ids=data[2].flatten().long()[there][None])
                inside = torch.isin(there.nonzero().flatten(), chosen)
                answers = ids.flatten()[there][inside]
                expected_words.append(
                    functional.cross_entropy(output.prediction_logits[0, inside], answers, reduction="none")
                )
                label = labels[(places == int(there.nonzero()[0])) & (labels != IGNORED)]
                if len(label):
                    expected_pairs.append(functional.cross_entropy(output.seq_relationship_logits, label))
    torch.testing.assert_close(words, torch.cat(expected_words).mean(), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(pairs, torch.stack(expected_pairs).mean(), rtol=1e-4, atol=1e-5)


def test_whole_words_are_chosen_at_the_rate_and_hidden_by_the_rule(
    steps: Steps, tokenizer: PreTrainedTokenizerFast
) -> None:
    torch.manual_seed(0)
    step = PackedStep(model_of(), tokenizer, ROWS)
    chosen = hidden_as_mask = changed = ordinary = 0
    for number in range(len(steps.rows)):
        ids = torch.from_numpy(steps.rows[number, 0]).long()
        hidden, places, answers = step.masked(ids)
        taken = places[answers != IGNORED]
        assert torch.equal(ids.flatten()[taken], answers[answers != IGNORED])
        assert not step.special[answers[answers != IGNORED]].any()
        untouched = torch.ones(ids.numel(), dtype=torch.bool).index_fill(0, taken, False)
        assert torch.equal(hidden.flatten()[untouched], ids.flatten()[untouched])
        chosen += len(taken)
        ordinary += int((~step.special[ids]).sum())
        hidden_as_mask += int((hidden.flatten()[taken] == tokenizer.mask_token_id).sum())
        changed += int((hidden.flatten()[taken] != ids.flatten()[taken]).sum())
    assert chosen / ordinary == pytest.approx(0.2, abs=0.02)
    assert hidden_as_mask / chosen == pytest.approx(0.8, abs=0.04)
    assert changed / chosen == pytest.approx(0.9, abs=0.03)


def test_rates_rise_and_fall_and_fewer_words_are_chosen_late() -> None:
    rates = Schedule(seconds=1.0).rates
    assert rates(0.02) == pytest.approx((ADAMW * 0.98, MUON * 0.98, MASK_RATE))
    assert rates(0.51) == pytest.approx((ADAMW * 0.49, MUON * 0.49, MASK_RATE))
    assert rates(1.0) == pytest.approx((0.0, 0.0, LAST_MASK_RATE))


def test_the_last_part_must_begin_before_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--output", "nowhere", "--late-from", "1"])
    assert "--late-from 1: a share from 0 to below 1 is needed" in capsys.readouterr().err


def by_hand(folder: Path) -> ByHand:
    """Return two texts by hand, which are more than half of all; the tests forbid the second."""
    folder.mkdir()
    (folder / "lines.txt").write_text(
        "The dog sleeps in the garden.\nThe cat sleeps in the red house.\n", encoding="utf-8"
    )
    return ByHand.read(folder, share=0.6)


def test_texts_by_hand_are_found_in_the_corpus_although_some_texts_were_left_out(
    tmp_path: Path, tokenizer: PreTrainedTokenizerFast
) -> None:
    hand = by_hand(tmp_path / "by_hand")
    forbidden = Forbidden.of(["The cat sleeps in the red house."])
    town = TrainingTown(forbidden=forbidden, by_hand=hand)
    corpus = Corpus.prepare(tmp_path, POCKET, seed=2, count=80, processes=1, progress=False, town=town)
    assert corpus.left_out > 5
    sentence = tokenizer.encode("The dog sleeps in the garden.", add_special_tokens=False)
    starts = corpus.sentence_starts[corpus.story_starts]
    texts = [corpus.ids[start:stop].tolist() for start, stop in pairwise(starts)]
    assert texts_by_hand(corpus, hand, seed=2).tolist() == [text == sentence for text in texts]


def test_late_in_a_run_fewer_texts_by_hand_are_read(source: Source) -> None:
    is_by_hand = np.zeros(len(source.corpus), np.bool_)
    is_by_hand[::2] = True

    def inputs(late_by_hand: float, over: float) -> int:
        fewer = replace(source, by_hand=is_by_hand, late_by_hand=late_by_hand)
        return next(fewer.steps(0, SimpleNamespace(value=over))).inputs

    everything = inputs(late_by_hand=0.0, over=0.5)
    assert inputs(late_by_hand=1.0, over=0.7) > 0.9 * everything
    assert inputs(late_by_hand=0.0, over=0.7) < 0.6 * everything


@pytest.mark.thorough
def test_a_short_run_lowers_the_loss_of_a_model_that_knows_nothing(
    source: Source, tokenizer: PreTrainedTokenizerFast
) -> None:
    torch.manual_seed(0)
    config = model_of().config
    config.num_hidden_layers, config.initializer_range = 1, 0.05
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0
    model = BertForPreTraining(config).train()
    step = PackedStep(model, tokenizer, ROWS)
    log = train(step, source, Schedule(seconds=8), workers=1, log_every=0.5)
    assert log[-1]["mlm_loss"] < log[0]["mlm_loss"] - 0.5
    assert log[-1]["inputs"] > log[0]["inputs"]
    assert not model.bert.embeddings.word_embeddings.weight[0].any()
