"""Reading one way: what is hidden has no effect, what is seen has, and the file says what the model gives."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from bertviz_lite.chapters.chapter_05.one_way import hidden_states, log_frequencies, one_way_bias
from bertviz_lite.data.batches import ready
from bertviz_lite.data.encoded_stories import EncodedStory, encode_stories
from bertviz_lite.data.pretraining.shards import story_seeds
from bertviz_lite.world import stories
from experiments.one_way.__main__ import FILE, TEST_SEED, main
from experiments.one_way.measuring import choose_words, log_probabilities, measure
from experiments.one_way.reader import SIDES, Reader, shuffled


@pytest.fixture(scope="module")
def readers() -> dict[str, Reader]:
    return {side: Reader(side) for side in SIDES}


@pytest.fixture(scope="module")
def encoded(readers: dict[str, Reader]) -> list[EncodedStory]:
    return encode_stories(stories(900_000_061, 12), readers["both"].tokenizer)


def test_a_token_sees_only_its_side() -> None:
    attention_mask = torch.tensor([[1, 1, 1, 1, 1, 0]])
    special = torch.tensor([[True, False, False, False, True, False]])  # [CLS] a b c [SEP] [PAD]

    def seen(side: str) -> list[str]:
        bias = one_way_bias(attention_mask, special, side, torch.float32)
        assert bias.shape == (1, 1, 6, 6)
        assert set(bias.unique().tolist()) == {0.0, torch.finfo(torch.float32).min}
        return ["".join("x" if value == 0 else "." for value in row) for row in bias[0, 0]]

    assert seen("left")[:5] == ["x...x.", "xx..x.", "xxx.x.", "xxxxx.", "x...x."]
    assert seen("right")[:5] == ["x...x.", "xxxxx.", "x.xxx.", "x..xx.", "x...x."]
    assert seen("both") == ["xxxxx."] * 6


def test_nothing_leaks_from_the_hidden_side(readers: dict[str, Reader], encoded: list[EncodedStory]) -> None:
    """Change one token: through four layers, the places from which it cannot be seen stay the same."""
    ids = torch.from_numpy(encoded[0].input_ids)[None]
    changed, at = ids.clone(), ids.shape[1] // 2
    changed[0, at] = (ids[0, at] + 7) % len(readers["both"].tokenizer)
    special = torch.zeros_like(ids, dtype=torch.bool)
    special[0, [0, -1]] = True
    for side, reader in readers.items():
        bias = one_way_bias(torch.ones_like(ids), special, side, torch.float32)
        with torch.inference_mode():
            moved = (hidden_states(reader.model, changed, bias) != hidden_states(reader.model, ids, bias))[0]
        places = moved.any(-1).nonzero()[:, 0].tolist()
        inner = range(1, ids.shape[1] - 1)
        expected = {"left": inner[at - 1 :], "right": inner[:at], "both": range(ids.shape[1])}[side]
        assert places == list(expected)


def test_both_ways_is_the_model_itself(readers: dict[str, Reader], encoded: list[EncodedStory]) -> None:
    reader = readers["both"]
    guessed, answers = log_probabilities(reader, encoded)
    hidden = choose_words(encoded)
    assert len(answers) == sum(chosen.sum() for chosen in hidden)
    masked = encoded[0].input_ids.copy()
    masked[hidden[0]] = reader.masking.mask_id
    with ready(reader.model):
        logits = reader.model(torch.from_numpy(masked)[None]).prediction_logits[0, hidden[0]]
    count = len(logits)
    assert torch.allclose(guessed[:count], logits.double().log_softmax(-1), atol=1e-4)
    assert answers[:count].tolist() == encoded[0].input_ids[hidden[0]].tolist()


def test_only_whole_words_and_no_punctuation_are_hidden(encoded: list[EncodedStory]) -> None:
    for story, hidden in zip(encoded, choose_words(encoded, rate=0.5), strict=True):
        for word, start, stop in story.words:
            assert np.unique(hidden[start:stop]).size == 1
            assert word.pos != "PUNCT" or not hidden[start]


def test_every_pass_reads_every_text_once_in_a_new_order(encoded: list[EncodedStory]) -> None:
    made = shuffled(encoded, positions=120)
    passes: list[list[str]] = []
    for _ in range(4):
        read: list[EncodedStory] = []
        while len(read) < len(encoded):
            batch = next(made)
            longest = max(len(text.input_ids) for text in batch)
            assert len(batch) == 1 or len(batch) * longest <= 120
            read += batch
        passes.append([str(text.story) for text in read])
        assert sorted(passes[-1]) == sorted(str(text.story) for text in encoded)
    assert len({tuple(texts) for texts in passes}) > 1


@pytest.mark.thorough
def test_a_short_run_learns_to_read_one_way(tmp_path: Path) -> None:
    file = tmp_path / "one_way.json"
    sizes = ["--steps", "20", "--positions", "1024", "--stories", "300", "--test", "40"]
    main([*sizes, "--output", str(file)])
    record = json.loads(file.read_text(encoding="utf-8"))
    assert (record["steps"], record["positions"]) == (20, 1_024)
    assert record["after"]["left"] > record["before"]["left"]
    assert record["before"]["both"] > record["before"]["best glue"] >= record["before"]["glued"]


@pytest.mark.thorough
def test_the_file_belongs_to_the_shipped_model(readers: dict[str, Reader]) -> None:
    """What was measured before the training is measured again; what came after it would take an hour."""
    record = json.loads(FILE.read_text(encoding="utf-8"))
    tokenizer = readers["both"].tokenizer
    test = encode_stories(stories(TEST_SEED, 800), tokenizer)
    training = encode_stories(stories(story_seeds(1, 0), 4_000), tokenizer)
    prior = log_frequencies(training, len(tokenizer))
    again = measure(readers, test, prior)
    assert again["pieces"] == record["before"]["pieces"]
    for name in (*SIDES, "glued", "best glue"):
        assert again[name] == pytest.approx(record["before"][name], abs=0.005)
