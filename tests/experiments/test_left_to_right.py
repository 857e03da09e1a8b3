"""The small training behind chapter 08's writing: what it reads, what it is asked, what it records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.evaluation.recorded import recorded
from experiments import left_to_right

TEXTS = ["Anna lost her key. She looked for it.", "Tom slept.", "One evening Max met Ivy.", "Ben waved."]


def test_the_reader_is_not_told_what_comes_later() -> None:
    tokenizer, reader = left_to_right.causal_reader()
    ids = tokenizer(TEXTS[0], return_tensors="pt")["input_ids"]
    other = ids.clone()
    other[0, 6:] = ids[0, 6:].flip(0)
    with torch.no_grad():
        one, two = (reader(these).logits[0, :6] for these in (ids, other))
    assert torch.allclose(one, two, atol=1e-5)


def test_a_step_asks_for_the_next_token_as_the_library_does() -> None:
    tokenizer, reader = left_to_right.causal_reader()
    reader.config.hidden_dropout_prob = 0.0
    for module in reader.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    batch = tokenizer(TEXTS, padding=True, return_tensors="pt")
    labels = batch["input_ids"].masked_fill(batch["attention_mask"] == 0, IGNORED)
    with torch.no_grad():
        theirs = reader(batch["input_ids"], attention_mask=batch["attention_mask"], labels=labels).loss
    ours = left_to_right.train(reader, tokenizer, TEXTS, batch_size=4)
    assert ours == pytest.approx(theirs.item(), rel=1e-5)


def test_a_short_run_writes_what_the_chapter_reads(tmp_path: Path) -> None:
    file = tmp_path / "short.json"
    options = ["--steps", "2", "--batch-size", "4", "--test", "3", "--known", "40", "--output", str(file)]
    left_to_right.main(options)
    short, full = json.loads(file.read_text(encoding="utf-8")), recorded("left_to_right")
    assert list(short) == list(full)
    assert list(short["known runs"]) == list(full["known runs"])
    assert list(short["written"]) == list(full["written"]) == list(left_to_right.STARTS)


def test_the_record_has_as_many_runs_for_bert_as_for_the_town() -> None:
    record = recorded("left_to_right")
    counts = record["known runs"]
    assert len({of for name, (_, of) in counts.items() if name != "left to right"}) == 1
    assert all(0 < known <= of for known, of in counts.values())
    assert record["sentences"] >= 100
