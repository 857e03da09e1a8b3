"""What cannot be captured is refused in one line."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from bertviz_lite import capture
from tests.helpers.captures import bert_capture, refusal
from tests.helpers.tiny_families import TEXT, family, tokenizer as tokenizer_of

LONG = "cat " * 70
REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "too long": (
        lambda: bert_capture(LONG),
        "text has 72 tokens, BertForPreTraining has 64 positions: shorten it, or capture it in parts.",
    ),
    "too long for the decoder": (lambda: capture(*family("bart"), TEXT, LONG), "text_pair has 7"),
    "roberta": (lambda: capture(*family("roberta"), "the " * 61), "has 62 positions"),
    "empty": (lambda: bert_capture(" \n"), "text is empty: there is nothing to attend to."),
    "empty pair": (lambda: bert_capture("cat", ""), "text_pair is empty"),
    "nothing to read": (lambda: bert_capture("\u200b\x00"), "text is as good as empty"),
    "half a character": (lambda: bert_capture("cat \ud83d"), "lone surrogate) at position 4"),
    "a list": (lambda: bert_capture(["cat", "dog"]), "text is a list: it must be one string."),
    "none": (lambda: bert_capture(None), "text is None"),
    "a pair that is a number": (lambda: bert_capture("cat", 3), "text_pair is an int"),
    "gpt2 pair": (
        lambda: capture(*family("gpt2"), "cat", "dog"),
        "so its model knows no pairs. Give one text.",
    ),
    "llama pair": (lambda: capture(*family("llama"), "cat", "dog"), "no separator between two texts"),
    "one segment": (
        lambda: capture(*family("bert", type_vocab_size=1), "cat", "dog"),
        "text_pair: BertForPreTraining has type_vocab_size=1, so it knows no pairs.",
    ),
    "no model": (lambda: capture(None, None, "cat"), "model is None: it must be a model of transformers"),
    "a bare module": (lambda: capture(torch.nn.Linear(2, 2), None, "cat"), "model is a Linear"),
    "swapped": (lambda: capture(*reversed(family("bert")), "cat"), "model and tokenizer are swapped"),
    "no tokenizer": (lambda: capture(family("bert")[0], None, "cat"), "tokenizer is None"),
    "a tokenizer of another model": (
        lambda: capture(family("bert", vocab_size=9)[0], tokenizer_of("wordpiece"), TEXT),
        "BertForPreTraining knows ids up to 8: this tokenizer belongs to another model.",
    ),
    "pad to less": (lambda: bert_capture("cat", pad_to=2), "pad_to=2: the text has 3 tokens"),
    "pad to a word": (lambda: bert_capture("cat", pad_to="9"), "pad_to='9': it must be a whole number"),
    "pad too far": (lambda: bert_capture("cat", pad_to=65), "pad_to=65: BertForPreTraining has 64 positions"),
    "nothing to pad with": (lambda: capture(*family("gpt2"), "cat", pad_to=30), "has no padding token"),
    "no start": (
        lambda: capture(*family("bart", decoder_start_token_id=None), TEXT),
        "has no decoder_start_token_id in its config",
    ),
    "edit outside": (
        lambda: bert_capture("cat").rerun({3: "dog"}),
        "edits: position 3 does not exist: there are 3 tokens, numbered 0 to 2.",
    ),
    "edit of no position": (lambda: bert_capture("cat").rerun({"1": "dog"}), "edits: position '1' does not"),
    "edit of padding": (lambda: bert_capture("cat", pad_to=5).rerun({4: "dog"}), "position 4 is padding"),
    "edit into pieces": (
        lambda: bert_capture("cat").rerun({1: "trees"}),
        "'trees' is not one token of the vocabulary: it falls into 'tree', '##s'.",
    ),
    "edit into two words": (lambda: bert_capture("cat").rerun({1: "the dog"}), "it falls into 'the', 'dog'."),
    "edit unknown": (lambda: bert_capture("cat").rerun({1: "Ж"}), "'Ж' is not in the vocabulary"),
    "edit empty": (lambda: bert_capture("cat").rerun({1: ""}), "'' is no token"),
    "edit a number": (lambda: bert_capture("cat").rerun({1: 5}), "5 is no token"),
    "edits a list": (lambda: bert_capture("cat").rerun(["dog"]), "edits is a list"),
    "no head": (
        lambda: bert_capture("cat").rerun(heads_off=[(0, 4)]),
        "head=4: layer 0 has 4 heads, numbered 0 to 3.",
    ),
    "no layer": (
        lambda: bert_capture("cat").rerun(heads_off=[(-1, 0)]),
        "layer=-1: there are 3 layers, numbered 0 to 2.",
    ),
    "no pair": (
        lambda: bert_capture("cat").rerun(heads_off=[3]),
        "heads_off: 3 must be a pair (layer, head)",
    ),
    "a number": (lambda: bert_capture("cat").rerun(heads_off=3), "heads_off: 3 must be a pair (layer, head)"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    action, said = REFUSED[case]
    assert said in refusal(action)


def test_a_broken_model_is_named() -> None:
    model, tokenizer = family("bert")
    with torch.no_grad():
        model.bert.encoder.layer[1].attention.self.query.weight[:] = torch.nan
    line = refusal(capture, model, tokenizer, TEXT)
    assert line.startswith("layer 1, head 0, query 0, key 0: the weight is NaN.")
