"""Chapter 02 in a reader's words: other right ways pass, and the feedback to a wrong one helps."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from transformers import BertForPreTraining
from transformers.models.bert.modeling_bert import BertEmbeddings

from bertviz_lite.chapters.chapter_02 import exercises as chapter_02
from bertviz_lite.chapters.chapter_02.broken_layers import broken_layers
from bertviz_lite.chapters.chapter_02.compared_rows import compare
from bertviz_lite.chapters.chapter_02.exercises.whole_layer import EmbeddingLayer
from bertviz_lite.chapters.chapter_02.figures import position_rows
from bertviz_lite.chapters.chapter_02.figures.alike_places import draw_alike, most_alike
from bertviz_lite.chapters.chapter_02.figures.one_sum import draw_spike
from bertviz_lite.chapters.chapter_02.figures.word_maps import (
    HEAPS,
    draw_map,
    draw_names,
    own_heap,
    with_ages,
)
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


def test_a_word_may_be_read_from_a_sum_by_torch() -> None:
    def read_word(total: Tensor, table: Tensor, tokens: list[str]) -> str:
        return tokens[nn.functional.cosine_similarity(table, total[None], dim=-1).argmax()]

    assert chapter_02.read_word.check(read_word)
    text = chapter_02.read_word.check(lambda total, table, tokens: tokens[(table @ total).argmax()]).text
    assert "This takes the largest dot product" in text
    assert "    yours: 'whale'\n    should be: 'cat'" in text


def test_positions_spoil_the_sums_if_any_two_words_share_one() -> None:
    for right in (lambda words: 3 - words, lambda words: words.flip(0), lambda words: words.tolist()):
        assert chapter_02.spoiled_positions.check(right)
    text = chapter_02.spoiled_positions.check(torch.ones_like).text
    assert "All positions are the same row" in text
    text = chapter_02.spoiled_positions.check(lambda words: 1 / (7 + words)).text
    assert "No two words share a sum" in text
    text = chapter_02.spoiled_positions.check(lambda words: words[:1].expand_as(words)).text
    assert "All positions are the same row" in text
    assert "    yours: [0, 0]\n    should be: [3, 3]" in text
    text = chapter_02.spoiled_positions.check(lambda words: words[:2]).text
    assert "The positions are (2, 2); as many as the words are (3, 2)." in text


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


def test_the_broken_layers_are_told_apart_by_three_letters() -> None:
    assert chapter_02.which_is_broken.check(" cab ")
    assert "not yet" in chapter_02.which_is_broken.check("ACB").text
    assert "It should be text, not an int." in chapter_02.which_is_broken.check(3).text


def test_each_broken_layer_is_blind_to_its_own_fact_alone() -> None:
    layers = broken_layers(loaded()[1].base_model.embeddings)
    ids, segments = torch.tensor([[5, 6, 5, 7, 5]]), torch.tensor([[0, 0, 0, 1, 1]])
    other = ids.clone()
    other[0, 1] = 8
    moved = {}
    with torch.no_grad():
        for name, layer in layers.items():
            x = layer(ids, segments)[0]
            changes = (
                x[0] - x[2],
                x[4] - layer(ids, 0 * segments)[0, 4],
                x[0] - layer(other, segments)[0, 0],
            )
            moved[name] = [bool(change.norm() > 1e-5) for change in changes]
    assert moved == {
        "healthy": [True, True, False],
        "A": [True, False, False],
        "B": [True, True, True],
        "C": [False, True, False],
    }


def test_a_sum_s_own_row_and_its_best_rival_are_named() -> None:
    ax, finding = draw_spike([0.1, 0.7, -0.2, 0.4], 1, ["an", "key", "box", "keys"], name="key")
    assert finding == "key: cosine 0.70 with its own row, at most 0.40 with any other"
    assert [text.get_text() for text in ax.texts] == [
        "keys, best rival: 0.40",
        "key, its own row: 0.70",
        "dashed: half of all rows reach 0.25",
    ]


def test_each_name_stands_on_the_side_away_from_the_other_line() -> None:
    for own, rival, sides in ((4, 6, ["left", "right"]), (6, 4, ["right", "left"]), (1, 2, ["left", "left"])):
        cosines = np.zeros(10)
        cosines[[own, rival]] = 0.8, 0.5
        ax, _ = draw_spike(cosines, own, list("abcdefghij"), name="a sum")
        beside = {text.get_text()[0]: text.get_horizontalalignment() for text in ax.texts[:2]}
        assert [beside["abcdefghij"[row]] for row in (rival, own)] == sides


def test_two_rows_are_compared_in_two_lines() -> None:
    assert compare([3, 4], [3, 4]) == "cosine: 1.00\nthe very same numbers: True"
    assert compare([3, 4], [6, 8]) == "cosine: 1.00\nthe very same numbers: False"


def test_places_that_resemble_a_near_one_are_counted() -> None:
    turn = torch.arange(8) * 0.3
    rows = torch.stack([turn.cos(), turn.sin()], dim=1).numpy()
    assert most_alike(rows).tolist()[0] == 1
    assert most_alike(rows).tolist()[-1] == 6
    ax, close, finding = draw_alike(rows, near=1)
    assert close == 8
    assert finding == "An orange band: 8 of 8 places resemble a near one most (up to 1 away)"
    assert np.asarray(ax.images[0].get_array()).shape == (8, 8)
    assert draw_alike(rows[[0, 4, 1, 5, 2, 6, 3, 7]], near=1)[2].startswith("No band: 0 of 8")
    assert draw_alike(rows[:4], near=1)[2].startswith(
        "All orange, the band deepest: 4 of 4"
    )  # 0.9 rad at most


def test_waves_are_found_in_a_table() -> None:
    turn = 2 * np.pi * torch.arange(41, dtype=torch.float64) / 43  # no place twice
    noise = 0.01 * torch.randn(41, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    table = noise.clone()
    table[:, 0] += turn.sin()
    table[:, 1] += turn.cos()
    two = position_rows.strongest(table, k=2)
    assert two.shares.sum() > 0.99
    assert two.heights.shape == (40, 2)
    assert torch.allclose(two.directions[:, 2:], torch.zeros(2, 4, dtype=torch.float64), atol=0.02)
    assert position_rows.moved_on(two) == (10, 10)


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


def test_the_map_of_words_names_the_highest_and_the_lowest_of_each_group() -> None:
    draw = np.random.default_rng(0)
    groups = [group for group in ("women, girls", "animals", "verbs, past") for _ in range(6)]
    names = [f"{group[0]}{i}" for i, group in enumerate(groups)]
    flat = pca(draw.normal(size=(len(names), 4)))
    ax = draw_map(flat, names, groups, title="three groups")
    written = {text.get_text() for text in ax.texts}
    assert len(written) == 6
    for group in dict.fromkeys(groups):
        rows = [i for i, other in enumerate(groups) if other == group]
        assert {names[rows[int(end(flat.points[rows, 1]))]] for end in (np.argmin, np.argmax)} <= written


def test_the_map_of_names_tells_the_heaps_and_writes_the_course_s_own_names() -> None:
    called = [
        ("anna", "women, girls"),
        ("martha", "women, girls"),
        ("tom", "men, boys"),
        ("victor", "men, boys"),
    ]
    rows = np.repeat([[-2.0, -1.0], [-2.0, 1.0], [2.0, -1.0], [2.0, 1.0]], 3, axis=0)
    rows += 0.01 * np.random.default_rng(0).normal(size=rows.shape)
    names, groups = zip(*(pair for pair in called for _ in range(3)), strict=True)
    ax, finding, counted = draw_names(rows, names, groups)
    assert finding == "The 12 names alone: four heaps"
    assert counted.startswith("12 of 12 names")
    assert {text.get_text() for text in ax.texts} == {"anna", "martha", "tom", "victor"}
    girls, women, men, boys = ax.collections
    for child, grown_up in ((girls, women), (boys, men)):
        assert np.array_equal(child.get_paths()[0].vertices, grown_up.get_paths()[0].vertices)
        assert np.allclose(child.get_edgecolor()[0, :3], grown_up.get_facecolor()[0, :3])
        assert child.get_facecolor()[0].sum() > grown_up.get_facecolor()[0].sum(), "children are paler"
    (legend,) = ax.figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "girls (3)", "women (3)", "men (3)", "boys (3)",
    ]  # fmt: skip
