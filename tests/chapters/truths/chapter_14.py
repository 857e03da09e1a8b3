"""Chapter 14: truths by the classes of `transformers` themselves, its reports, its tokenizer, and torch."""

import re
import tempfile
from typing import Any

import torch
from torch import Tensor
from transformers import (
    AutoModel,
    AutoModelForTokenClassification,
    BertConfig,
    BertForMaskedLM,
    BertForPreTraining,
    BertTokenizer,
)

from bertviz_lite.chapters.chapter_14.exercises.in_use import small_model
from bertviz_lite.chapters.chapter_14.exercises.the_report import HEADS, report_of
from bertviz_lite.exercises import Case
from tests.helpers.truths import Truth

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def numbers_of_no_name_in_the_folder() -> int:
    """Count the tensors that a pre-trained BERT has no name for, in full size and without memory."""
    with torch.device("meta"):
        folder = set(BertForPreTraining(BertConfig()).state_dict())
        model = AutoModelForTokenClassification.from_config(BertConfig(num_labels=9))
    return sum(tensor.numel() for name, tensor in model.named_parameters() if name not in folder)


def part_that_is_missing() -> str:
    """Save a small BertForMaskedLM, open it with AutoModel, and ask which names it did not find."""
    with tempfile.TemporaryDirectory() as folder:
        small_model().save_pretrained(folder)
        _, report = AutoModel.from_pretrained(folder, output_loading_info=True)
    (part,) = {name.partition(".")[0] for name in report["missing_keys"]}
    return part


def by_a_model_without_dropout(model: BertForMaskedLM, batch: dict[str, Tensor]) -> Tensor:
    """Build the same model with no dropout to switch off; the one that is given is not touched."""
    sizes = model.config.to_dict() | {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    other = BertForMaskedLM(BertConfig(**sizes)).double()
    other.load_state_dict(model.state_dict())
    return other(**batch).logits.detach()


def word_tokenizer(size: int) -> BertTokenizer:
    """Make a tokenizer whose words are w5, w6, ...: each is its own id."""
    words = [*SPECIAL, *(f"w{number}" for number in range(len(SPECIAL), size))]
    return BertTokenizer(vocab={word: number for number, word in enumerate(words)})


def by_what_is_struck_out(report: dict[str, set[Any]], allowed: tuple[str, ...]) -> bool:
    """Put all names in one list, strike out those left over that a pattern knows, and see if any remains."""
    pattern = re.compile("|".join(map(re.escape, allowed)) or "(?!)")
    left = [name for name in report["unexpected_keys"] if not pattern.match(name)]
    return [*report["missing_keys"], *report["mismatched_keys"], *left] == []


def reports_of_the_library() -> list[Case]:
    """Save a small BERT, and open it by three classes, whole and with half of its layers."""
    small = {"vocab_size": 12, "hidden_size": 8, "num_attention_heads": 2, "intermediate_size": 12}
    cases = []
    with tempfile.TemporaryDirectory() as folder:
        BertForPreTraining(BertConfig(num_hidden_layers=2, **small)).save_pretrained(folder)
        for kind in (AutoModel, AutoModelForTokenClassification, BertForPreTraining):
            for layers in (2, 1):
                opened = kind.from_pretrained(folder, num_hidden_layers=layers, output_loading_info=True)
                report = {name: opened[1][f"{name}_keys"] for name in ("missing", "unexpected", "mismatched")}
                cases += [Case(report_of(**report), allowed) for allowed in (HEADS, ("cls.",), ())]
    return cases


def windows_of_the_tokenizer(ids: list[int], max_length: int, stride: int) -> list[list[int]]:
    """Let the tokenizer cut the text that these ids stand for."""
    tokenizer = word_tokenizer(100)
    text = " ".join(tokenizer.convert_ids_to_tokens(ids))
    options = {"truncation": True, "return_overflowing_tokens": True}
    cut = tokenizer(text, max_length=max_length, stride=stride, **options)["input_ids"]
    return [list(window) for window in cut]


def fresh_batch() -> dict[str, Tensor]:
    ids = torch.tensor([[2, 10, 4, 3, 0], [2, 4, 7, 8, 3], [2, 4, 3, 0, 0]])
    return {"input_ids": ids, "attention_mask": (ids != 0).long()}


def lines_that_make_a_difference() -> list[str]:
    """Run doubtful lines of the script as they are and mended, on a small model; keep those that differ."""
    tokenizer = word_tokenizer(12)
    with tempfile.TemporaryDirectory() as folder:
        small_model().save_pretrained(folder)
        opened = BertForMaskedLM.from_pretrained(folder)
    texts = ["w7 [MASK]", "W8 w9 [MASK] w10 w5"]
    batch = tokenizer(texts, padding=True, return_tensors="pt")
    cut = tokenizer(texts, padding=True, truncation=True, max_length=16, return_tensors="pt")
    small = tokenizer([text.lower().replace("[mask]", "[MASK]") for text in texts], padding=True)
    with torch.no_grad():
        usual = opened(**batch).logits
        rows = usual[batch["input_ids"] == tokenizer.mask_token_id]
        same = {
            "C": torch.equal(opened.eval()(**batch).logits, usual),
            "D": small["input_ids"] == batch["input_ids"].tolist(),
            "E": torch.equal(cut["input_ids"], batch["input_ids"]),
            "G": torch.allclose(opened(batch["input_ids"]).logits, usual),
            "I": tokenizer.convert_tokens_to_ids("W7") == tokenizer("W7")["input_ids"][1],
            "K": torch.equal(rows > 0.5, rows.softmax(dim=-1) > 0.5),
        }
    return [letter for letter, is_same in same.items() if not is_same]


TRUTHS = {
    "new_numbers": Truth("the two classes, without memory", numbers_of_no_name_in_the_folder),
    "made_up": Truth("from_pretrained's own report", part_that_is_missing),
    "planted": Truth("the lines themselves, and what they should be", lines_that_make_a_difference),
    "without_a_trace": Truth(
        "a model that has no dropout",
        by_a_model_without_dropout,
        lambda: [Case(small_model(training=mode, seed=9), fresh_batch()) for mode in (True, False)],
    ),
    "may_be_used": Truth(
        "a pattern, and the reports of the library itself", by_what_is_struck_out, reports_of_the_library
    ),
    "windows": Truth(
        "the tokenizer's own windows",
        windows_of_the_tokenizer,
        lambda: [Case([*range(20, 20 + count)], 8, stride) for count in range(1, 20) for stride in (0, 1, 4)],
    ),
}
