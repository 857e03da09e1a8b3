"""The input embedding taken apart: equal to transformers, adding up, refused with one line."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings, strategies as st
from transformers import (
    BertConfig,
    BertForPreTraining,
    BertModel,
    BertTokenizer,
    DistilBertConfig,
    DistilBertModel,
    PreTrainedModel,
    RobertaConfig,
    RobertaModel,
)

from bertviz_lite.evaluation.embeddings import PART_NAMES, InputParts, WordTable, input_parts

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "ada",
    "find",
    "##s",
    "a",
    "key",
    "in",
    "the",
    "river",
    ".",
]


@pytest.fixture(scope="module")
def tokenizer() -> BertTokenizer:
    return BertTokenizer(vocab={word: i for i, word in enumerate(WORDS)}, do_lower_case=True)


def small_model(
    seed: int = 0, kind: type[PreTrainedModel] = BertForPreTraining, **changes: int
) -> PreTrainedModel:
    torch.manual_seed(seed)
    sizes = {"hidden_size": 128, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 64}
    config = BertConfig(vocab_size=len(WORDS), **{"max_position_embeddings": 32, **sizes, **changes})
    model = kind(config).eval()
    with torch.no_grad():  # as trained: LayerNorm's gain is not 1, its bias not 0
        model.base_model.embeddings.LayerNorm.weight.uniform_(0.5, 1.5)
        model.base_model.embeddings.LayerNorm.bias.normal_(std=0.3)
    return model


def of_the_model(model: PreTrainedModel, parts: InputParts) -> np.ndarray:
    with torch.no_grad():
        ids = torch.tensor(parts.input_ids[None].copy())
        segments = torch.tensor(parts.token_type_ids[None].copy())
        return model.base_model.embeddings(input_ids=ids, token_type_ids=segments)[0].numpy()


@pytest.mark.parametrize("kind", [BertForPreTraining, BertModel])
def test_normalised_is_what_the_model_computes(kind: type[PreTrainedModel], tokenizer: BertTokenizer) -> None:
    model = small_model(kind=kind)
    parts = input_parts(model, tokenizer, "Ada finds a key.", "In the river.")
    assert parts.tokens == (
        "[CLS]",
        "ada",
        "find",
        "##s",
        "a",
        "key",
        ".",
        "[SEP]",
        "in",
        "the",
        "river",
        ".",
        "[SEP]",
    )
    assert parts.token_type_ids.tolist() == [0] * 8 + [1] * 5
    assert parts.position_ids.tolist() == list(range(13))
    np.testing.assert_allclose(parts.normalised, of_the_model(model, parts), atol=2e-6)
    exact = of_the_model(model.double(), parts)
    np.testing.assert_allclose(parts.normalised, exact, atol=1e-13)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    hidden_size=st.sampled_from([4, 12, 64]),
    words=st.lists(st.sampled_from(WORDS[4:]), min_size=1, max_size=12),
    eps=st.sampled_from([1e-12, 0.1]),  # BERT's is too small to show where it is added
)
def test_equal_to_the_model_for_any_weights_and_text(
    seed: int, hidden_size: int, words: list[str], eps: float
) -> None:
    tokenizer = BertTokenizer(vocab={word: i for i, word in enumerate(WORDS)}, do_lower_case=True)
    model = small_model(seed, hidden_size=hidden_size, num_hidden_layers=1, layer_norm_eps=eps)
    parts = input_parts(model, tokenizer, " ".join(words))
    np.testing.assert_allclose(parts.normalised, of_the_model(model.double(), parts), atol=1e-12)
    np.testing.assert_allclose(sum(parts.contributions.values()), parts.normalised, atol=1e-12)
    np.testing.assert_allclose(sum(parts.shares.values()), 1.0, atol=1e-12)


def test_equal_at_the_size_of_bert_base(tokenizer: BertTokenizer) -> None:
    model = small_model(
        hidden_size=768, num_hidden_layers=1, num_attention_heads=12, max_position_embeddings=512
    )
    parts = input_parts(model, tokenizer, "the key " * 255)
    assert parts.token.shape == (512, 768)
    np.testing.assert_allclose(parts.normalised, of_the_model(model, parts), atol=5e-6)


def test_vectors_are_rows_of_the_tables(tokenizer: BertTokenizer) -> None:
    model = small_model()
    parts = input_parts(model, tokenizer, "a key", "a river")
    tables = model.base_model.embeddings
    for rows, table, ids in (
        (parts.token, tables.word_embeddings, parts.input_ids),
        (parts.position, tables.position_embeddings, parts.position_ids),
        (parts.segment, tables.token_type_embeddings, parts.token_type_ids),
    ):
        assert np.array_equal(rows, table.weight.detach().double().numpy()[ids])
    assert np.array_equal(parts.total, parts.token + parts.position + parts.segment)


def test_a_model_in_train_mode_gives_the_same(tokenizer: BertTokenizer) -> None:
    model = small_model()
    quiet = input_parts(model, tokenizer, "a key").normalised
    assert np.array_equal(input_parts(model.train(), tokenizer, "a key").normalised, quiet)
    assert model.training


def one_token(
    token: list[float], position: list[float], segment: list[float], **changes: object
) -> InputParts:
    size = len(token)
    numbers = {"gain": np.ones(size), "bias": np.zeros(size), "eps": 0.0, **changes}
    return InputParts(
        tokens=("a",),
        input_ids=np.array([5]),
        token_type_ids=np.array([0]),
        position_ids=np.array([0]),
        token=np.array([token]),
        position=np.array([position]),
        segment=np.array([segment]),
        **numbers,  # type: ignore[arg-type]
    )


def test_shares_by_hand() -> None:
    # sum (4, -2): mean 1, std 3, result (1, -1) + bias (1, 1) = (2, 0), whose r·r is 4
    parts = one_token([4.0, 0.0], [0.0, -1.0], [0.0, -1.0], bias=np.array([1.0, 1.0]))
    assert parts.std.tolist() == [3.0]
    assert parts.normalised.tolist() == [[2.0, 0.0]]
    # the token arrives as (4 - 2, 0 - 2) / 3, so (2/3, -2/3): its share is 2/3 · 2 / 4
    assert parts.contributions["token"][0] == pytest.approx([2 / 3, -2 / 3])
    assert {name: float(share[0]) for name, share in parts.shares.items()} == pytest.approx(
        {"token": 1 / 3, "position": 1 / 12, "segment": 1 / 12, "bias": 1 / 2}
    )


def test_a_part_that_pulls_the_other_way_has_a_negative_share() -> None:
    shares = one_token([3.0, 0.0], [-1.0, 0.0], [0.0, 0.0]).shares
    assert shares["token"][0] == pytest.approx(1.5)
    assert shares["position"][0] == pytest.approx(-0.5)
    assert sum(share[0] for share in shares.values()) == pytest.approx(1.0)


def test_a_result_of_no_length_has_no_shares_and_no_cosines() -> None:
    parts = one_token([1.0, 1.0], [0.0, 0.0], [0.0, 0.0], eps=1e-12)
    assert [float(share[0]) for share in parts.shares.values()] == [0, 0, 0, 0]
    cosines = parts.cosines(0)
    assert np.isnan(cosines[1]).all()
    assert cosines[0, 3] == pytest.approx(1.0)


def test_norms_and_cosines_by_hand() -> None:
    parts = one_token([3.0, 0.0], [0.0, 4.0], [0.0, 0.0])
    norms = {name: float(norm[0]) for name, norm in parts.norms().items()}
    assert norms == pytest.approx({"token": 3, "position": 4, "segment": 0, "sum": 5, "result": 2**0.5})
    assert parts.cosines(0)[3, :2] == pytest.approx([0.6, 0.8])


def test_arrays_cannot_be_changed_nor_fields_replaced(tokenizer: BertTokenizer) -> None:
    parts = input_parts(small_model(), tokenizer, "a key")
    for array in (parts.token, parts.total, parts.normalised, parts.shares["token"]):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    with pytest.raises(AttributeError):
        parts.eps = 1.0  # type: ignore[misc]


def test_repr_is_short(tokenizer: BertTokenizer) -> None:
    assert repr(input_parts(small_model(), tokenizer, "a key")) == "InputParts(4 tokens, hidden_size=128)"


@pytest.mark.parametrize(
    ("text", "pair", "name"), [("", None, "text"), (" \n", None, "text"), ("a", " ", "text_pair")]
)
def test_empty_text_is_refused(text: str, pair: str | None, name: str, tokenizer: BertTokenizer) -> None:
    with pytest.raises(ValueError, match=rf"^{name} is empty: there is nothing to look up\.$"):
        input_parts(small_model(), tokenizer, text, pair)


def test_a_list_of_texts_is_refused(tokenizer: BertTokenizer) -> None:
    with pytest.raises(TypeError, match=r"^text must be one string, not list\.$"):
        input_parts(small_model(), tokenizer, ["a", "b"])  # type: ignore[arg-type]


def test_text_past_the_last_position_is_refused(tokenizer: BertTokenizer) -> None:
    assert len(input_parts(small_model(), tokenizer, "key " * 30)) == 32
    with pytest.raises(ValueError, match=r"^the text has 33 tokens, the model has 32 positions: shorten it"):
        input_parts(small_model(), tokenizer, "key " * 31)


def test_models_with_other_embeddings_are_refused(tokenizer: BertTokenizer) -> None:
    small = {"vocab_size": 14, "num_hidden_layers": 1, "num_attention_heads": 2, "hidden_size": 8}
    roberta = RobertaModel(RobertaConfig(**small, intermediate_size=8))
    with pytest.raises(TypeError, match=r"^RobertaModel counts its positions from the padding id"):
        input_parts(roberta, tokenizer, "a key")
    distil = DistilBertModel(DistilBertConfig(vocab_size=14, dim=8, n_layers=1, n_heads=2, hidden_dim=8))
    with pytest.raises(
        TypeError, match=r"^DistilBertModel has no token_type_embeddings in model\.base_model\.emb"
    ):
        input_parts(distil, tokenizer, "a key")
    with pytest.raises(
        TypeError, match=r"^model is a Linear: give a model of transformers, as load\(\) does"
    ):
        input_parts(torch.nn.Linear(2, 2), tokenizer, "a key")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"token": np.zeros((3, 2))},
            r"^token is \(3, 2\) but there are 1 tokens: it must be \(seq_len, hidden_size\)",
        ),
        ({"tokens": ()}, r"^token is \(1, 2\) but there are 0 tokens"),
        (
            {"position": np.zeros((1, 3))},
            r"^position is \(1, 3\), but token is \(1, 2\): position must be \(1, 2\)\.$",
        ),
        ({"gain": np.ones(1)}, r"^gain is \(1,\), but token is \(1, 2\): gain must be \(2,\)\.$"),
        ({"input_ids": np.zeros((1, 1))}, r"^input_ids is \(1, 1\)"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(changes: dict[str, object], message: str) -> None:
    good = one_token([1.0, 2.0], [0.0, 0.0], [0.0, 0.0])
    fields = {name: getattr(good, name) for name in (*PART_NAMES, "gain", "bias", "tokens", "input_ids")}
    fields |= {"token_type_ids": np.array([0]), "position_ids": np.array([0]), **changes}
    with pytest.raises(ValueError, match=message):
        InputParts(**fields)  # type: ignore[arg-type]


def test_the_nearest_words_are_those_of_torch(tokenizer: BertTokenizer) -> None:
    model = small_model()
    table = model.get_input_embeddings().weight.detach()
    table[0] = 0  # [PAD] points nowhere
    found = input_parts(model, tokenizer, "a key").word_table
    assert found is not None
    assert repr(found) == "WordTable(14 tokens, hidden_size=128)"
    own = table.double() - table[1:].double().mean(dim=0)  # what all of them share says nothing of a word
    cosines = torch.nn.functional.cosine_similarity(own, own[9][None])
    order = [i for i in cosines.argsort(descending=True).tolist() if i not in (0, 9)]
    nearest = found.nearest("key", 100)
    assert [token for token, _ in nearest] == [WORDS[i] for i in order]
    np.testing.assert_allclose([cosine for _, cosine in nearest], cosines[order])
    assert found.nearest("key", 3) == nearest[:3]
    assert found.nearest("[PAD]") == []
    ids, every = found.all_nearest(13)
    assert [WORDS[i] for i, cosine in zip(ids[9], every[9], strict=True) if cosine > -2] == [
        token for token, _ in nearest
    ]
    assert (every[0] < -2).all()
    assert ids.shape == every.shape == (14, 13)


def test_what_all_rows_share_makes_no_two_words_neighbours() -> None:
    own = np.array([[1.0, 0, 0], [0.9, 0.1, 0], [-1, 0.1, 0], [-0.9, -0.2, 0]])
    near = [WordTable(tuple("abcd"), own + shared).nearest("a", 3) for shared in ([0, 0, 0], [3, 5, 9])]
    assert [word for word, _ in near[0]] == ["b", "d", "c"]
    np.testing.assert_allclose(*([cosine for _, cosine in found] for found in near))


def test_what_has_no_neighbours_is_refused(tokenizer: BertTokenizer) -> None:
    found = input_parts(small_model(), tokenizer, "a key").word_table
    assert found is not None
    with pytest.raises(ValueError, match=r"^token='door': it is no entry of the vocabulary\.$"):
        found.nearest("door")
    with pytest.raises(ValueError, match=r"^count=0: a whole number of 1 or more is needed\.$"):
        found.nearest("key", 0)
    with pytest.raises(ValueError, match=r"^vectors is \(2, 3\) but there are 1 tokens: "):
        WordTable(("a",), np.zeros((2, 3), np.float32))
