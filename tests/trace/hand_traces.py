"""Traces written by hand, in the form that the recorder gives them, to test what is shown of a trace."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bertviz_lite.trace import Axis, Failure, Source, Step, Trace, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BERT = "/lib/site-packages/transformers/models/bert/modeling_bert.py"
EAGER = "/lib/site-packages/transformers/integrations/sdpa_attention.py"
SIZES = {
    "batch": 2,
    "seq_len": 7,
    "hidden_size": 128,
    "num_heads": 4,
    "head_size": 32,
    "intermediate_size": 512,
    "vocab_size": 2000,
    "num_labels": 2,
}
BSH = "batch seq_len hidden_size"
HEADS = "batch num_heads seq_len head_size"


class Maker:
    """Makes a trace step by step; shapes are words, "batch seq_len 128 2?"."""

    def __init__(self, sizes: dict[str, int] | None = None) -> None:
        self.sizes = {**SIZES, **(sizes or {})}
        self.steps: list[Step] = []
        self.inside: list[int] = []
        self.count = 0
        self.line = 100

    def axis(self, word: str) -> Axis:
        if word.endswith("?"):
            return Axis(int(word[:-1]), sure=False, could_be=("batch", "num_labels"))
        return Axis(int(word)) if word.isdigit() else Axis(self.sizes[word], word)

    def value(self, axes: str, dtype: str = "float32", label: str = "") -> Value:
        self.count += 1
        return Value(self.count, tuple(map(self.axis, axes.split())), dtype, label)

    def _begin(self, kind: str, path: str, name: str, inputs: Sequence[Value], parameters: int) -> int:
        index = len(self.steps)
        self.line += 1
        parent = self.inside[-1] if self.inside else None
        self.steps.append(
            Step(
                index,
                kind,
                path,
                name,
                len(self.inside),
                parent,
                index,
                tuple(inputs),
                (),
                parameters,
                source=Source(BERT, self.line),
            )
        )  # type: ignore[arg-type]
        return index

    def change(self, index: int, **changes: object) -> None:
        self.steps[index] = self.steps[index]._replace(**changes)

    @contextmanager
    def module(self, path: str, name: str, *inputs: Value, parameters: int = 0) -> Iterator[list[Value]]:
        index = self._begin("module", path, name, inputs, parameters)
        line = self.line
        self.inside.append(index)
        outputs: list[Value] = []
        yield outputs
        self.inside.pop()
        self.change(index, outputs=tuple(outputs), last=len(self.steps) - 1)
        if path.rpartition(".")[2].isdigit():
            self.line = line - 1  # the next of a stack is called from the same lines

    def op(self, name: str, inputs: Sequence[Value], axes: str | None, dtype: str = "float32") -> Value:
        path = self.steps[self.inside[-1]].path if self.inside else ""
        index = self._begin("operation", path, name, inputs, 0)
        if axes is None:
            return self.value("1")
        made = self.value(axes, dtype)
        self.change(index, outputs=(made,))
        return made

    def leaf(self, path: str, name: str, inside: str, value: Value, axes: str, parameters: int = 0) -> Value:
        with self.module(path, name, value, parameters=parameters) as out:
            out.append(self.op(inside, [value], axes))
        return out[0]

    def trace(self, inputs: Sequence[Value], outputs: Sequence[Value], name: str = "Model") -> Trace:
        """Return what was made so far as a trace."""
        return Trace(name, tuple(self.steps), tuple(inputs), tuple(outputs), 0, self.sizes)


def _layer(made: Maker, path: str, states: Value, mask: Value) -> Value:
    with made.module(path, "BertLayer", states, mask, parameters=198_272) as out:
        with made.module(f"{path}.attention", "BertAttention", states, mask, parameters=66_304) as attended:
            with made.module(f"{path}.attention.self", "BertSelfAttention", states, mask) as context:
                heads = []
                for name in ("query", "key", "value"):
                    flat = made.leaf(f"{path}.attention.self.{name}", "Linear", "linear", states, BSH, 16_512)
                    split = made.op("view(2, 7, -1, 32)", [flat], "batch seq_len num_heads head_size")
                    heads.append(made.op("transpose(1, 2)", [split], HEADS))
                query, key, value = heads
                turned = made.op("transpose(2, 3)", [key], "batch num_heads head_size seq_len")
                scores = made.op("matmul", [query, turned], "batch num_heads seq_len seq_len")
                scores = made.op("*", [scores], "batch num_heads seq_len seq_len")
                scores = made.op("+", [scores, mask], "batch num_heads seq_len seq_len")
                weights = made.op("softmax(dim=-1)", [scores], "batch num_heads seq_len seq_len")
                mixed = made.op("matmul", [weights, value], HEADS)
                mixed = made.op("transpose(1, 2)", [mixed], "batch seq_len num_heads head_size")
                context.append(made.op("reshape(2, 7, -1)", [mixed], BSH))
            dense = made.leaf(f"{path}.attention.output", "Linear", "linear", context[0], BSH, 16_512)
            attended.append(made.op("+", [dense, states], BSH))
        wide = made.leaf(
            f"{path}.intermediate", "Linear", "linear", attended[0], "batch seq_len intermediate_size", 66_048
        )
        out.append(made.leaf(f"{path}.output", "Linear", "linear", wide, BSH, 65_664))
    return out[0]


def bert(layers: int = 4, sizes: dict[str, int] | None = None, head: bool = True, **names: str) -> Trace:
    """Return a trace like that of a small BERT for pre-training; `names` replace class names."""
    made = Maker(sizes)
    ids = made.value("batch seq_len", "int64", "input_ids")
    mask = made.value("batch seq_len", "int64", "attention_mask")
    root = names.get("root", "BertForPreTraining")
    with made.module("", root, ids, mask, parameters=1_200_000) as outputs:
        with made.module("bert", "BertModel", ids, mask, parameters=1_000_000) as model:
            with made.module("bert.embeddings", "BertEmbeddings", ids, parameters=264_960) as embedded:
                words = made.leaf(
                    "bert.embeddings.word_embeddings", "Embedding", "embedding", ids, BSH, 256_000
                )
                rows = made.op("position_embeddings[:, 0:7]", [], "1 seq_len hidden_size")
                embedded.append(made.op("+", [words, rows], BSH))
            wide = made.op("[:, None, None, :]", [mask], "batch 1 1 seq_len", "int64")
            bias = made.op("where", [wide], "batch 1 1 seq_len")
            states = embedded[0]
            with made.module("bert.encoder", "BertEncoder", states, bias, parameters=793_088) as encoded:
                for layer in range(layers):
                    states = _layer(made, f"bert.encoder.layer.{layer}", states, bias)
                encoded.append(states)
            with made.module("bert.pooler", "BertPooler", states, parameters=16_512) as pooled:
                first = made.op("[:, 0]", [states], "batch hidden_size")
                dense = made.leaf("bert.pooler.dense", "Linear", "linear", first, "batch hidden_size", 16_512)
                pooled.append(made.op("tanh", [dense], "batch hidden_size"))
            model += [states, pooled[0]]
        if head:
            with made.module("cls", "BertPreTrainingHeads", *model, parameters=290_000) as heads:
                logits = "batch seq_len vocab_size"
                heads.append(made.leaf("cls.predictions", "Linear", "linear", states, logits, 258_000))
                heads.append(
                    made.leaf("cls.seq_relationship", "Linear", "linear", pooled[0], "batch 2?", 258)
                )
            outputs += heads
        else:
            outputs.append(made.leaf("classifier", "Linear", "linear", pooled[0], "batch num_labels", 258))
    return Trace(root, tuple(made.steps), (ids, mask), tuple(outputs), 1_200_000, made.sizes)


def failed() -> Trace:
    """Return a trace that ends inside the embeddings: the text is longer than the table."""
    made = Maker({"seq_len": 130})
    ids = made.value("batch seq_len", "int64", "input_ids")
    steps = made.steps
    with (
        made.module("", "BertModel", ids, parameters=1_000_000),
        made.module("embeddings", "BertEmbeddings", ids, parameters=264_960),
    ):
        words = made.leaf("embeddings.word_embeddings", "Embedding", "embedding", ids, BSH, 256_000)
        rows = made.value("128 hidden_size")
        made.op("+", [words, rows], None)
    message = "seq_len is 130, the position table has 128 rows: encoder input, line 106."
    last = len(steps) - 1
    failure = Failure(last, message, steps[last].source, "RuntimeError: The size of tensor a (130) must …")
    return Trace("BertModel", tuple(steps), (ids,), (), 1_000_000, made.sizes, failure)
