"""Chapter 11: truths by autograd, by real models of `transformers`, and by brute force."""

import json
import re
from itertools import product
from pathlib import Path
from statistics import harmonic_mean, mean

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy
from transformers import BertConfig, BertForSequenceClassification

from bertviz_lite.exercises import Case, normal
from tests.helpers.truths import Truth

NOTEBOOK = Path(__file__).parents[3] / "notebooks" / "11_fine_tuning.ipynb"
PAPER = 5e-5  # the highest rate of Devlin et al., 2018, for BERT-Base


def exchanged_word_by_word(text: str, one: str, other: str) -> str:
    """Take the text apart at everything that is no letter, and exchange the words that are a name."""
    words = re.split(r"([^A-Za-z]+)", text)
    return "".join(other if word == one else one if word == other else word for word in words)


def best_of_all_spans(start_logits: Tensor, end_logits: Tensor, longest: int) -> tuple[int, int]:
    """Rank every allowed pair of places, and (0, 0), by the product of the two probabilities."""
    starts, ends = start_logits.softmax(0).tolist(), end_logits.softmax(0).tolist()
    spans = [(0, 0)] + [
        (start, end) for start, end in product(range(1, len(starts)), repeat=2) if 0 <= end - start < longest
    ]
    return max(spans, key=lambda span: starts[span[0]] * ends[span[1]])


def gradients_of_autograd(
    vectors: Tensor, weight: Tensor, bias: Tensor, labels: Tensor
) -> tuple[Tensor, ...]:
    """Let torch differentiate its own loss, which leaves out -100."""
    weight, bias = weight.clone().requires_grad_(), bias.clone().requires_grad_()
    with torch.enable_grad():
        loss = cross_entropy(vectors @ weight.T + bias, labels, ignore_index=-100)
    return torch.autograd.grad(loss, (weight, bias))


def scores_text_by_text(counts: Tensor) -> tuple[float, float]:
    """Write down every text with its two labels; count, label by label, in these lists."""
    texts = [
        (true, called)
        for true, row in enumerate(counts.tolist())
        for called, count in enumerate(row)
        for _ in range(int(count))
    ]
    each = []
    for label in range(len(counts)):
        precise = [true == label for true, called in texts if called == label] or [False]
        recalled = [called == label for true, called in texts if true == label]
        each.append(harmonic_mean([mean(precise), mean(recalled)]))
    return mean(true == called for true, called in texts), mean(each)


def weights_that_balance(labels: list[int], num_labels: int) -> list[float]:
    """Solve for the weights: times how often a label occurs they are all the same, and their mean is 1."""
    counts = torch.diag(torch.tensor([labels.count(label) for label in range(num_labels)]).double())
    equal = torch.cat([counts, -torch.ones(num_labels, 1, dtype=torch.float64)], dim=1)
    mean = torch.cat(
        [torch.full((1, num_labels), 1 / num_labels, dtype=torch.float64), torch.zeros(1, 1)], dim=1
    ).double()
    right = torch.tensor([0.0] * num_labels + [1.0]).double()
    weights: list[float] = torch.linalg.solve(torch.cat([equal, mean]), right)[:num_labels].tolist()
    assert_balanced(labels, weights)
    return weights


def assert_balanced(labels: list[int], weights: list[float]) -> None:
    """See that the loss of a model that knows nothing gives every label the same share."""
    logits = torch.zeros(len(labels), len(weights), dtype=torch.float64)
    losses = cross_entropy(
        logits, torch.tensor(labels), torch.tensor(weights, dtype=torch.float64), reduction="none"
    )
    sums = [float(losses[torch.tensor(labels) == label].sum()) for label in set(labels)]
    assert max(sums) - min(sums) < 1e-9


def trained_in_library(names: list[str], frozen: int) -> list[str]:
    """Freeze modules of a real model, and ask its parameters."""
    layers = 1 + max(int(name.split(".")[3]) for name in names if ".layer." in name)
    config = BertConfig(
        vocab_size=3, hidden_size=2, num_hidden_layers=layers, num_attention_heads=1, intermediate_size=2
    )
    model = BertForSequenceClassification(config)
    for module in (model.bert.embeddings, *model.bert.encoder.layer[:frozen]):
        module.requires_grad_(requires_grad=False)
    trained = {name for name, parameter in model.named_parameters() if parameter.requires_grad}
    return [name for name in names if name in trained]


def names_of_library(layers: int) -> list[str]:
    config = BertConfig(
        vocab_size=3, hidden_size=2, num_hidden_layers=layers, num_attention_heads=1, intermediate_size=2
    )
    return [name for name, _ in BertForSequenceClassification(config).named_parameters()]


def faults_of_the_printed_job() -> str:
    """Read the job as it is printed in the chapter: its rate, what is scored, the second list of labels."""
    cells = {cell["id"]: cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]}
    listing = "".join(cells["ex-broken"]["source"]).split("```python\n")[1].split("```")[0]
    found, pieces = [], re.split(r"  # ([A-Z])\n", listing)
    by_letter = dict(zip(pieces[1::2], pieces[::2], strict=False))
    assert "".join(by_letter) == "ABCDEFGHIJ"
    (learned,) = re.findall(r"train_dataset=(\w+)", listing)
    lists = [(letter, code) for letter, code in by_letter.items() if "labels = [" in code]
    first, second = (re.findall(r'"(\w+)"', code[code.index("labels = [") :]) for _, code in lists)
    assert sorted(first) == sorted(second)
    assert second[first.index("thanks")] == "question"  # the complaint
    for letter, code in by_letter.items():
        rate = re.search(r"learning_rate=([\de.-]+)", code)
        if rate and float(rate[1]) > PAPER:
            found.append(letter)
        if f"predict({learned})" in code:
            found.append(letter)
    return "".join(found) + lists[1][0]


TRUTHS = {
    "head_gradients": Truth(
        "autograd",
        gradients_of_autograd,
        lambda: [
            Case(normal(3, 5, seed=7), normal(2, 5, seed=8), normal(2, seed=9), torch.tensor([1, -100, 0]))
        ],
    ),
    "accuracy_and_macro_f1": Truth(
        "text by text",
        scores_text_by_text,
        lambda: [Case(torch.tensor([[4.0, 1.0, 2.0], [0.0, 3.0, 1.0], [5.0, 0.0, 6.0]]).double())],
    ),
    "broken_job": Truth("the printed job, read by a program", faults_of_the_printed_job),
    "names_exchanged": Truth(
        "word by word",
        exchanged_word_by_word,
        lambda: [
            Case("Bo's dog bit Bob; Bob cried: Bo!", "Bo", "Bob"),
            Case("Eva, Eva and Leo.", "Leo", "Eva"),
        ],
    ),
    "best_answer": Truth(
        "all spans, by probability",
        best_of_all_spans,
        lambda: [Case(normal(6, seed=seed), normal(6, seed=seed + 9), 1 + seed % 4) for seed in range(9)],
    ),
    "label_weights": Truth(
        "equations solved by torch",
        weights_that_balance,
        lambda: [Case([0, 1, 1, 2, 2, 2], 3), Case([1, 0, 0, 0, 0], 2)],
    ),
    "trained_names": Truth(
        "requires_grad of a real model",
        trained_in_library,
        lambda: [Case(names_of_library(12), 10), Case(names_of_library(3), 0), Case(names_of_library(3), 3)],
    ),
}
