"""Chapter 02 in a reader's words: other right ways pass, and the feedback to a wrong one helps."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from transformers import BertForPreTraining
from transformers.models.bert.modeling_bert import BertEmbeddings

from bertviz_lite.chapters.chapter_02 import exercises as chapter_02, waves
from bertviz_lite.chapters.chapter_02.exercises.whole_layer import EmbeddingLayer
from bertviz_lite.chapters.chapter_02.four_heaps import HEAPS, draw_map, own_heap, with_ages
from bertviz_lite.chapters.chapter_02.nearest_rows import nearest_to_sums
from bertviz_lite.exercises import checking, course_model, loaded
from bertviz_lite.plots import pca
from bertviz_lite.world import word_groups
from tests.helpers.tiny_models import make, save


@pytest.fixture(scope="module", autouse=True)
def _small_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let the exercises load a model of a few thousand weights."""
    folder = save(tmp_path_factory.mktemp("model") / "tiny", make(BertForPreTraining))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BERTVIZ_LITE_MODEL", str(folder))
        yield
    course_model.load_once.cache_clear()


def test_layer_norm_may_be_torchs() -> None:
    def layer_norm(x: Tensor, gain: Tensor, bias: Tensor, eps: float) -> Tensor:
        return nn.functional.layer_norm(x, x.shape[-1:], gain, bias, eps)

    assert chapter_02.layer_norm.check(layer_norm)


def test_layer_norm_by_std_gets_the_first_of_two_mistakes() -> None:
    def layer_norm(x: Tensor, gain: Tensor, bias: Tensor, eps: float) -> Tensor:
        return gain * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) + bias

    text = chapter_02.layer_norm.check(layer_norm).text
    assert "The variance divides by n - 1" in text  # one mistake at a time: where eps is 0, this one is alone
    assert "    input: x = [[1, 2, 4, 5]], gain = [1, 1, 1, 1]" in text


def test_layer_norm_may_be_computed_in_single_precision() -> None:
    def layer_norm(x: Tensor, gain: Tensor, bias: Tensor, eps: float) -> Tensor:
        return nn.functional.layer_norm(x.float(), x.shape[-1:], gain.float(), bias.float(), eps)

    assert chapter_02.layer_norm.check(layer_norm)


def test_lengths_may_be_norms_arrays_or_lists() -> None:
    assert chapter_02.lengths.check(lambda table: table.norm(dim=-1))
    assert chapter_02.lengths.check(lambda table: np.linalg.norm(table.numpy(), axis=1))
    assert chapter_02.lengths.check(lambda table: [row.norm() for row in table])
    text = chapter_02.lengths.check(lambda table: table.norm(dim=-1, keepdim=True)).text
    assert (
        "The shape is (2, 1); it should be (2,): the numbers are right, but there is an axis too many."
        in text
    )


def test_nearest_words_may_be_sorted_by_torch() -> None:
    def nearest(word: str, k: int, tokens: list[str], table: Tensor) -> list[str]:
        unit = nn.functional.normalize(table, dim=-1)
        order = (unit @ unit[tokens.index(word)]).argsort(descending=True).tolist()
        return [tokens[i] for i in order if tokens[i] != word and tokens[i][0] != "["][:k]

    assert chapter_02.nearest.check(nearest)
    text = chapter_02.nearest.check(lambda *arguments: nearest(*arguments)[::-1]).text
    assert "The list is in the opposite order." in text
    assert (
        "The list should have 2 entries, yours has 1."
        in chapter_02.nearest.check(lambda word, k, tokens, table: nearest(word, k - 1, tokens, table)).text
    )


def test_an_embedding_layer_with_chance_in_it_is_recognised() -> None:
    class New(nn.Module):
        def __init__(self, embeddings: nn.Module) -> None:
            super().__init__()
            self.words = nn.Embedding(8, 2, dtype=torch.float64)

        def forward(self, ids: Tensor, *_: Tensor) -> Tensor:
            return self.words(ids)

    class Dropping(EmbeddingLayer):
        def forward(self, *inputs: Tensor) -> Tensor:  # type: ignore[override]
            return nn.functional.dropout(super().forward(*inputs), 0.5)

    for answer in (New, Dropping):
        assert (
            "other numbers each time: is dropout on, or are weights"
            in chapter_02.embedding_layer.check(answer).text
        )


DROPOUTS: dict[str, Callable[[EmbeddingLayer, Tensor], Tensor]] = {
    "as a module": lambda layer, x: layer.dropout(x),
    "as a function": lambda layer, x: nn.functional.dropout(x, layer.dropout.p, layer.training),
    "by hand": lambda layer, x: x * (torch.rand_like(x) > 0.25) / 0.75 if layer.training else x,
}


@pytest.mark.parametrize("kind", DROPOUTS)
def test_an_embedding_layer_may_drop_out_in_any_way(kind: str) -> None:
    class Mine(EmbeddingLayer):
        def forward(self, ids: Tensor, types: Tensor | None = None, at: Tensor | None = None) -> Tensor:
            types = torch.zeros_like(ids) if types is None else types
            at = torch.arange(ids.shape[1]).expand_as(ids) if at is None else at
            return DROPOUTS[kind](
                self, self.norm(self.words(ids) + self.positions(at) + self.segments(types))
            )

    assert chapter_02.embedding_layer.check(Mine)
    assert not any(module.training for module in loaded()[1].base_model.embeddings.modules())


@pytest.mark.parametrize(
    "mistake", chapter_02.embedding_layer.mistakes, ids=lambda mistake: mistake.feedback[:30]
)
def test_a_mistake_is_recognised_with_dropout_too(mistake: checking.Mistake) -> None:
    """The mistakes are declared without dropout; a reader who makes one may well have the other."""

    class Both(nn.Module):
        def __init__(self, embeddings: BertEmbeddings) -> None:
            super().__init__()
            assert callable(mistake.wrong)
            self.layer, self.dropout = mistake.wrong(embeddings), embeddings.dropout

        def forward(self, *inputs: Tensor) -> Tensor:
            return self.dropout(self.layer(*inputs))

    if "evaluation mode" not in mistake.feedback:
        assert f"not yet. {mistake.feedback}\n" in chapter_02.embedding_layer.check(Both).text


def test_an_embedding_layer_without_dropout_is_refused() -> None:
    class Bare(EmbeddingLayer):
        def __init__(self, embeddings: BertEmbeddings) -> None:
            super().__init__(embeddings)
            self.dropout = nn.Identity()  # type: ignore[assignment]

    lines = chapter_02.embedding_layer.check(Bare).text.splitlines()
    assert lines[0].endswith("in training mode BERT's layer also drops numbers: where is the dropout?")
    assert lines[1].startswith("    input: in training mode: the share of zeros")
    assert lines[2:] == ["    yours: [0, 1]", "    should be: [0.25, 1.333]"]


def test_a_module_taken_for_a_tensor_is_explained() -> None:
    class Mine(nn.Module):
        def __init__(self, embeddings: BertEmbeddings) -> None:
            super().__init__()
            self.words = embeddings.word_embeddings

        def forward(self, ids: Tensor, *_: Tensor) -> Tensor:
            return self.words[ids]  # type: ignore[index]

    lines = chapter_02.embedding_layer.check(Mine).text.splitlines()
    assert "call it, as in `self.words(input_ids)`, or take its `.weight`." in lines[0]
    assert lines[1] == "    Your code raised TypeError: 'Embedding' object is not subscriptable"
    assert "return self.words[ids]" in lines[2]


def test_a_doubled_exponent_is_named() -> None:
    def sinusoidal(seq_len: int, hidden_size: int) -> Tensor:
        table, even_index = torch.empty(seq_len, hidden_size), torch.arange(0, hidden_size, 2)
        angles = torch.arange(seq_len)[:, None] / 10000 ** (2 * even_index / hidden_size)
        table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
        return table

    text = chapter_02.sinusoidal.check(sinusoidal).text
    assert "The exponent grows twice as fast as it should" in text


def test_a_wrong_large_tensor_is_shown_by_one_entry() -> None:
    def layer_norm(x: Tensor, gain: Tensor, bias: Tensor, eps: float) -> Tensor:
        return gain * (x - x.mean()) / (x.var(correction=0) + eps).sqrt() + bias

    lines = chapter_02.layer_norm.check(layer_norm).text.splitlines()
    assert lines[-3:-2] == ["    first entry that differs: [0, 0, 0]"]
    yours, right = (line.split(": ")[1] for line in lines[-2:])
    assert abs(float(yours) - float(right)) > 0.01


def test_text_is_compared_without_spaces_and_capitals() -> None:
    assert chapter_02.which_part_changes.check(" Position ")
    text = chapter_02.which_part_changes.check("the position").text
    assert text.endswith("'the position' is none of the choices: all, position, segment, token.")
    assert "It should be text, not an int." in chapter_02.which_part_changes.check(3).text


def test_the_sum_is_nearest_to_its_word_where_the_position_is_at_a_right_angle() -> None:
    words = torch.eye(4)[:3]
    positions = torch.stack([0.5 * torch.eye(4)[3], 5 * words[1]])
    found = nearest_to_sums(torch.tensor([0, 2]), words, positions, torch.zeros(2, 4), places=[0, 1])
    assert (found[0].right, found[0].tried, found[0].missed) == (4, 4, set())
    assert (found[1].right, found[1].missed) == (0, {1})


def test_waves_are_found_and_taken_out_of_a_table() -> None:
    turn = 2 * np.pi * torch.arange(41, dtype=torch.float64) / 43  # no place twice
    noise = 0.01 * torch.randn(41, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    table = noise.clone()
    table[:, 0] += turn.sin()
    table[:, 1] += turn.cos()
    two = waves.strongest(table, k=2)
    assert two.shares.sum() > 0.99
    assert two.heights.shape == (40, 2)
    assert torch.allclose(two.directions[:, 2:], torch.zeros(2, 4, dtype=torch.float64), atol=0.02)
    assert waves.moved_on(two) == (10, 10)
    only, rest = (waves.keep_directions(table, two.directions, keep=keep) for keep in (True, False))
    assert torch.equal(only[0], table[0])
    assert torch.allclose(only[1:] + rest[1:] - two.mean, table[1:])
    assert rest[1:, :2].std() < 0.05 < 0.5 < only[1:, :2].std()


def test_names_are_told_apart_by_age_and_other_words_are_not() -> None:
    groups = word_groups()
    names = [word for group in groups.values() for word in group]
    kinds = [kind for kind, group in groups.items() for _ in group]
    of = dict(zip(names, with_ages(names, kinds), strict=True))
    assert [of[name] for name in ("anna", "tom", "nora", "hugo", "martha", "victor")] == [
        *("girls", "boys", "women", "men", "women", "men")
    ]
    assert sum(heap in HEAPS for heap in of.values()) == sum(
        len(group) for group in list(groups.values())[:2]
    )
    assert {heap for heap in of.values() if heap not in HEAPS} == set(groups) - {"women, girls", "men, boys"}


def test_a_name_is_at_home_where_the_middle_of_its_own_heap_is_nearest() -> None:
    corners = {"girls": (-1.0, -1.0), "boys": (-1.0, 1.0), "women": (1.0, -1.0), "men": (1.0, 1.0)}
    points = [*corners.values(), *corners.values(), (0.9, 0.9), (5.0, 5.0)]
    assert own_heap(points, [*corners, *corners, "girls", "animals"]) == (8, 9)


def test_the_map_of_words_names_the_ends_of_each_heap_of_names() -> None:
    draw = np.random.default_rng(0)
    heaps = [heap for heap in (*HEAPS, "animals") for _ in range(6)]
    names = [f"{heap}{i}" for i, heap in enumerate(heaps)]
    flat = pca(draw.normal(size=(len(names), 4)))
    ax = draw_map(flat, names[::-1], heaps[::-1], title="five heaps")
    written = {text.get_text() for text in ax.texts}
    for heap in HEAPS:
        rows = [i for i, other in enumerate(heaps[::-1]) if other == heap]
        high = flat.points[rows, 1] * (1 if heap in ("women", "men") else -1)
        assert names[::-1][rows[int(high.argmax())]] in written
    assert not any(name.startswith("animals") for name in written)
    legend = ax.figure.legends[0] if ax.figure.legends else ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()][:4] == [f"{heap} (6)" for heap in HEAPS]


def test_a_map_that_does_not_tell_the_names_apart_writes_some_of_them() -> None:
    draw = np.random.default_rng(0)
    names, groups = (
        ["carl", "luke", "ivy", "anna", "sat"],
        ["men, boys"] * 2 + ["women, girls"] * 2 + ["verbs, past"],
    )
    ax = draw_map(pca(draw.normal(size=(5, 4))), names, groups, title="one heap")
    assert {text.get_text() for text in ax.texts} >= {"carl", "ivy", "sat"}
    assert not {text.get_text() for text in ax.texts} & {"luke", "anna"}
