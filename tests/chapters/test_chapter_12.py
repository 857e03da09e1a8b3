"""Chapter 12 in a reader's words: answers equal the library's parts, and the cells by name run on folders."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from torch import Tensor
from transformers import BertConfig, BertForPreTraining, BertTokenizer
from transformers.models.modernbert.modeling_modernbert import apply_rotary_pos_emb
from transformers.models.roberta.modeling_roberta import RobertaEmbeddings

from bertviz_lite import ModelError, load
from bertviz_lite.chapters.chapter_12 import exercises as chapter_12
from bertviz_lite.chapters.chapter_12.real_english import sentence_vectors
from tests.helpers.tiny_families import family
from tests.helpers.tiny_models import SPECIAL, make, save

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "12_real_bert.ipynb"


# The solutions are what the library does


def test_the_count_of_a_factorised_table_equals_albert_s() -> None:
    model: Any = family("albert")[0].base_model
    sizes = model.config
    parts = [
        *model.embeddings.word_embeddings.parameters(),
        *model.encoder.embedding_hidden_mapping_in.parameters(),
    ]
    counted = chapter_12.factorised.reference(sizes.vocab_size, sizes.embedding_size, sizes.hidden_size)
    assert counted == sum(part.numel() for part in parts)


def test_the_sentence_vector_equals_the_package_s_mean() -> None:
    model, tokenizer = family("bert")
    texts = ["the cat sits.", "the old house under the tree sleeps."]
    inputs = tokenizer(texts, padding=True, return_tensors="pt")
    base: Any = model.base_model
    with torch.no_grad():
        states = base(**inputs).last_hidden_state
    made: Any = chapter_12.sentence_vector.reference(states, inputs["attention_mask"])
    kept = torch.from_numpy(sentence_vectors(model, tokenizer, texts)["mean"])
    assert torch.allclose(made.double(), kept / kept.norm(dim=-1, keepdim=True), atol=1e-6)


def test_positions_equal_those_of_roberta() -> None:
    input_ids = torch.tensor([[0, 7, 8, 2, 1, 1], [0, 9, 9, 9, 9, 2]])
    made: Any = chapter_12.roberta_positions.reference(input_ids, 1)
    assert torch.equal(made, RobertaEmbeddings.create_position_ids_from_input_ids(input_ids, 1))


def test_modernbert_sees_what_is_near_enough() -> None:
    model, tokenizer = family("modernbert")
    # In the oldest transformers the implementation cannot be changed later.
    config = type(model.config)(**{**model.config.to_dict(), "attn_implementation": "eager"})
    model = type(model)(config).eval()
    inputs = tokenizer("the cat sits under the tree, and it sleeps.", return_tensors="pt")
    with torch.no_grad():
        attentions = model(**inputs, output_attentions=True).attentions
    length = inputs["input_ids"].shape[1]
    local: Any = chapter_12.near_enough.reference(length, model.config.local_attention // 2)
    assert not local.all()
    seen = [(weights[0] > 0).any(dim=0) for weights in attentions]
    assert [bool(visible.all()) for visible in seen] == [True, False, True]
    assert torch.equal(seen[1], local)


def test_rotate_equals_modernbert_s_and_dot_products_depend_on_distance() -> None:
    generator = torch.Generator().manual_seed(0)
    query, key = torch.randn(2, 1, 3, 5, 8, generator=generator)
    places = torch.tensor([2, 3, 5, 8, 13])
    angles = places[:, None] * 10_000.0 ** (-torch.arange(4) / 4)
    twice = torch.cat([angles, angles], dim=-1)[None]
    library = apply_rotary_pos_emb(query, key, twice.cos(), twice.sin())
    for vectors, expected in zip((query, key), library, strict=True):
        made: Any = chapter_12.rotate.reference(vectors, places)
        assert torch.allclose(made, expected, atol=1e-5)

    def scores(shift: int) -> Tensor:
        turned: Any = [
            chapter_12.rotate.reference(vectors.double(), places + shift) for vectors in (query, key)
        ]
        return turned[0] @ turned[1].transpose(-1, -2)

    assert torch.allclose(scores(0), scores(7), atol=1e-9)


# Other right ways, and feedback


def test_other_right_ways_pass() -> None:
    def by_argsort(table: Tensor, row: int, count: int) -> Tensor:
        order = torch.cosine_similarity(table, table[row][None], dim=-1).argsort(descending=True)
        return order[order != row][:count]

    def by_sums(vectors: Tensor, labels: Tensor) -> Tensor:
        right = 0
        for i in range(len(labels)):
            kept = [j for j in range(len(labels)) if j != i]
            means = [vectors[[j for j in kept if labels[j] == sense]].mean(0) for sense in (0, 1)]
            apart = [((vectors[i] - mean) ** 2).sum() for mean in means]
            right += int((apart[1] < apart[0]) == bool(labels[i]))
        return torch.tensor(right / len(labels), dtype=torch.float64)

    def by_complex(vectors: Tensor, positions: Tensor) -> Tensor:
        half = vectors.shape[-1] // 2
        angles = positions[:, None] * 10_000.0 ** (-torch.arange(half).double() / half)
        turned = torch.complex(vectors[..., :half], vectors[..., half:]) * torch.polar(
            torch.ones_like(angles), angles
        )
        return torch.cat([turned.real, turned.imag], dim=-1)

    def by_loop(seq_len: int, half: int) -> Tensor:
        return torch.tensor([[abs(i - j) <= half for j in range(seq_len)] for i in range(seq_len)])

    assert chapter_12.nearest.check(by_argsort)
    assert chapter_12.leave_one_out.check(by_sums)
    assert chapter_12.rotate.check(by_complex)
    assert chapter_12.near_enough.check(by_loop)


def test_slips_are_named_and_raise_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    slips: list[tuple[Any, Any]] = [
        (chapter_12.nearest, lambda table, row, _: (table, row)),
        (chapter_12.nearest, lambda table, _, __: table @ table.T[:, :1]),
        (chapter_12.rotate, lambda vectors, positions: vectors * positions),
        (chapter_12.roberta_positions, lambda input_ids, _: input_ids.tolist()),
        (chapter_12.leave_one_out, lambda vectors, _: vectors.tolist().reverse()),
        (chapter_12.factorised, lambda v, e, h: [v, e, h]),
    ]
    for exercise, slip in slips:
        assert not exercise.check(slip)
        message = capsys.readouterr().out
        assert "not yet" in message
        assert "Traceback" not in message


# The cells that load by name, on folders: what a reader with a network runs


def cells() -> list[str]:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def cell(start: str) -> str:
    (match,) = [source for source in cells() if re.search(start, source, re.MULTILINE)]
    return match


def run(names: dict[str, str]) -> dict[str, Any]:
    """Run the section "By name" with the hub switched on and other names."""
    space: dict[str, Any] = {"torch": torch, "load": load, "ModelError": ModelError, "BertConfig": BertConfig}
    exec(cell(r"^from_the_hub = False"), space)  # noqa: S102 - the notebook's own source
    assert space["hub_names"] == {"English": "bert-base-uncased", "Chinese": "bert-base-chinese"}
    space |= {"from_the_hub": True, "hub_names": names}
    for start in (r"^def fill\(", r"^cut, pretrained = ", r"^chinese = ", r"^zh_tokenizer, zh_model = "):
        exec(cell(start), space)  # noqa: S102
    return space


def test_folders_take_the_place_of_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["hello", "i", "'", "m", "a", "model", ".", "the", "capital", "of", "france", "is", "paris"]
    vocab = {token: number for number, token in enumerate((*SPECIAL, *words))}
    english = save(tmp_path / "english", make(BertForPreTraining, vocab_size=len(vocab)), tokenizer=False)
    BertTokenizer(vocab=vocab).save_pretrained(english)
    vocab = {
        token: number for number, token in enumerate((*SPECIAL, *"巴黎是法国的首都我去银行取钱他坐在河边。"))
    }
    chinese = save(tmp_path / "chinese", make(BertForPreTraining, vocab_size=len(vocab)), tokenizer=False)
    BertTokenizer(vocab=vocab).save_pretrained(chinese)
    space = run({"English": str(english), "Chinese": str(chinese)})
    printed = capsys.readouterr().out
    assert "Hello I'm a [MASK] model. -> " in printed
    assert "巴 黎 是 [MASK] 国 的 首 都 。" in printed
    assert "stand-in" not in printed
    assert space["pretrained"].config.vocab_size == len(words) + 5
    assert len(space["zh_tokenizer"]) == len(vocab)


def test_without_a_network_one_line_and_a_stand_in(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    space = run({"English": "bert-of-nobody", "Chinese": "chinese-of-nobody"})
    printed = capsys.readouterr().out
    for name in ("bert-of-nobody", "chinese-of-nobody"):
        assert f"{name}: not in the local cache, and HF_HUB_OFFLINE forbids the network." in printed
    assert "Anna lost [MASK] key. -> her " in printed
    assert space["cut"].name_or_path == "pocket"
    assert isinstance(space["zh_model"], transformers.BertForPreTraining)
