"""Chapter 08: truths by the LM head and the pipeline of `transformers`, and by autograd."""

from typing import Any

import torch
from torch import Tensor
from transformers import BertConfig, BertForMaskedLM, BertModel, PreTrainedTokenizerFast, pipeline
from transformers.models.bert.modeling_bert import BertLMPredictionHead

from bertviz_lite.exercises import Case, normal
from bertviz_lite.exercises.course_model import load_once
from tests.helpers.truths import Truth


def moved_in_a_model() -> dict[str, int]:
    """Change a row in a small BERT, and count the logits that are others: tokens 2, 5, 9 and 3 are read."""
    ids = torch.tensor([[2, 5, 9, 3]])

    def moved(*, tied: bool, decoder: bool, word: int) -> int:
        config = BertConfig(
            vocab_size=3_750, hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8,
            max_position_embeddings=4, tie_word_embeddings=tied, initializer_range=0.5,
        )  # fmt: skip
        with torch.random.fork_rng(devices=[]), torch.no_grad():
            torch.manual_seed(8)
            model = BertForMaskedLM(config).double().eval()
            tables = model.get_input_embeddings().weight, model.get_output_embeddings().weight
            for table in tables:
                table.normal_()
            before = model(ids).logits
            tables[decoder][word, 0] += 1  # not all of them: LayerNorm would take that out
            return int((model(ids).logits - before).abs().gt(1e-12).sum())

    return {
        "tied, absent": moved(tied=True, decoder=False, word=7),
        "tied, read": moved(tied=True, decoder=False, word=5),
        "decoder's, read": moved(tied=False, decoder=True, word=5),
        "input's, absent": moved(tied=False, decoder=False, word=7),
    }


def head_of_library(
    hidden_states: Tensor,
    dense: Tensor,
    dense_bias: Tensor,
    gain: Tensor,
    shift: Tensor,
    table: Tensor,
    bias: Tensor,
) -> Tensor:
    sizes = {"vocab_size": len(table), "hidden_size": table.shape[1], "num_attention_heads": 1}
    head = BertLMPredictionHead(BertConfig(**sizes, layer_norm_eps=1e-12)).double().eval()
    weights = {
        "transform.dense.weight": dense,
        "transform.dense.bias": dense_bias,
        "transform.LayerNorm.weight": gain,
        "transform.LayerNorm.bias": shift,
        "decoder.weight": table,
        "decoder.bias": bias,
        "bias": bias,
    }
    head.load_state_dict(weights, strict=True)
    with torch.no_grad():
        return head(hidden_states)


def by_pipeline(
    text: str, k: int, tokenizer: PreTrainedTokenizerFast, bert: BertModel, lm_head: BertLMPredictionHead
) -> tuple[list[str], Tensor]:
    """Let the pipeline `fill-mask` rank all words, on a model of the same parts; the text's are left out."""
    model = BertForMaskedLM(bert.config).eval()
    model.bert, model.cls.predictions = bert, lm_head
    found: Any = pipeline("fill-mask", model=model, tokenizer=tokenizer, device="cpu")(
        text, top_k=bert.config.vocab_size
    )
    allowed = [one for one in found if one["token"] not in tokenizer(text)["input_ids"]]
    words = tokenizer.convert_ids_to_tokens([one["token"] for one in allowed[:k]])
    whole = sum(one["score"] for one in allowed)
    return words, torch.tensor([one["score"] / whole for one in allowed[:k]])


def other_gaps() -> list[Case]:
    tokenizer, model = load_once("pocket")
    texts = ("Tom lost his [MASK].", 2), ("One evening, a girl [MASK] home.", 4)
    return [Case(*text, tokenizer, model.bert, model.cls.predictions) for text in texts]


def in_rounds_by_pipeline(input_ids: Tensor, rounds: int, mask_id: int, _say: object) -> Tensor:
    """Let the pipeline `fill-mask` say the words of each round; what is asked again is sorted as a list."""
    tokenizer, model = load_once("pocket")
    plain = BertForMaskedLM(model.config).eval()
    plain.bert, plain.cls.predictions = model.bert, model.cls.predictions  # type: ignore[attr-defined]
    ask: Any = pipeline("fill-mask", model=plain, tokenizer=tokenizer, device="cpu")
    ids = input_ids.tolist()
    gaps = [place for place, token in enumerate(ids) if token == mask_id]
    sure: dict[int, float] = {}
    for left in range(rounds - 1, -1, -1):
        masked = [place for place in gaps if ids[place] == mask_id]
        found = ask(tokenizer.decode(ids[1:-1]), top_k=1)
        for place, one in zip(masked, found if len(masked) > 1 else [found], strict=True):
            ids[place], sure[place] = one[0]["token"], one[0]["score"]
        for place in sorted(gaps, key=sure.__getitem__)[: len(gaps) * left // rounds]:
            ids[place] = mask_id
    return torch.tensor(ids)


def other_rounds() -> list[Case]:
    tokenizer, model = load_once("pocket")
    cases = []
    for start, gaps, rounds in (("Tom lost his key. He", 6, 2), ("The old cat", 4, 4)):
        text = f"{start} {' '.join(gaps * ['[MASK]'])}."
        ids = tokenizer(text, return_tensors="pt")["input_ids"][0]
        say = lambda ids: model(ids[None]).prediction_logits[0].softmax(dim=-1)  # noqa: E731
        cases.append(Case(ids, rounds, tokenizer.mask_token_id, say))
    return cases


def gradient_by_autograd(
    input_ids: Tensor, grad_inputs: Tensor, vectors: Tensor, grad_logits: Tensor
) -> Tensor:
    table = torch.zeros(grad_logits.shape[1], vectors.shape[1], dtype=vectors.dtype, requires_grad=True)
    with torch.enable_grad():
        rows, logits = table[input_ids], vectors @ table.T
        torch.autograd.backward([rows, logits], [grad_inputs, grad_logits])
    assert table.grad is not None
    return table.grad


def tied_by_library(model: BertForMaskedLM) -> BertForMaskedLM:
    model.config.tie_word_embeddings = True
    model.tie_weights()
    return model


def settled_by_trying(logits: Tensor, position: int, answer: int) -> int:
    """Try every row, from the first: the word must be first in it and in all below."""
    words = [max(range(len(row)), key=row.__getitem__) for row in logits[:, position].tolist()]
    return next((row for row in range(len(words)) if set(words[row:]) == {answer}), -1)


def small(*, tie: bool) -> BertForMaskedLM:
    config = BertConfig(
        vocab_size=7, hidden_size=2, num_hidden_layers=1, num_attention_heads=1, intermediate_size=3,
        max_position_embeddings=4, tie_word_embeddings=tie,
    )  # fmt: skip
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(8)
        return BertForMaskedLM(config).eval()


def fresh_heads() -> list[Case]:
    sizes = (6, 6), (6,), (6,), (6,), (4, 6), (4,)
    weights = [normal(*size, seed=seed) for seed, size in enumerate(sizes, start=20)]
    return [Case(normal(2, 6, seed=3), *weights), Case(3 * normal(1, 2, 5, 6, seed=4), *weights)]


TRUTHS = {
    "moved_logits": Truth("a small BertForMaskedLM", moved_in_a_model),
    "lm_head": Truth("transformers' BertLMPredictionHead", head_of_library, fresh_heads),
    "fill_mask": Truth("transformers' pipeline", by_pipeline, other_gaps),
    "mask_predict": Truth("transformers' pipeline, round by round", in_rounds_by_pipeline, other_rounds),
    "table_gradient": Truth(
        "autograd",
        gradient_by_autograd,
        lambda: [Case(torch.tensor([1, 1, 4]), normal(3, 2), normal(3, 2, seed=1), normal(3, 6, seed=2))],
    ),
    "retie": Truth("tie_weights()", tied_by_library, lambda: [Case(small(tie=False))]),
    "settled_layer": Truth(
        "every row tried",
        settled_by_trying,
        lambda: [Case(normal(5, 3, 2, seed=seed), 1, seed % 2) for seed in range(8)],
    ),
}
