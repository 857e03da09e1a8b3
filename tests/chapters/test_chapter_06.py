"""Chapter 06: feedback to answers in a reader's words, and what its helpers count, draw and train."""

import math
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.text import Annotation
from torch import Tensor
from torch.nn.functional import cross_entropy, nll_loss, one_hot

from bertviz_lite.chapters.chapter_06 import (
    batches,
    collators,
    exercises as chapter_06,
    figures,
    lies,
    nothing_hidden,
    one_draw,
    pictures,
    rates,
    recipes,
    shares,
    sight,
)
from bertviz_lite.evaluation.recorded import recorded
from bertviz_lite.evaluation.recorded.by_seed import BySeed
from bertviz_lite.plots import CYCLE

if TYPE_CHECKING:
    from matplotlib.patches import Rectangle
    from transformers import BertForMaskedLM, BertForPreTraining, PreTrainedTokenizerBase

    from bertviz_lite.views import MaskingLab


def test_ids_of_another_kind_are_called_what_they_are() -> None:
    def replaced(
        input_ids: Tensor, chosen: Tensor, replace_draw: Tensor, random_ids: Tensor, mask_id: int
    ) -> Tensor:
        masked = torch.where(chosen & (replace_draw < 0.8), mask_id, input_ids)
        return torch.where(chosen & (replace_draw >= 0.8) & (replace_draw < 0.9), random_ids, masked).float()

    text = chapter_06.replace_chosen.check(replaced).text
    assert "not yet. The numbers are float32; they should be whole (int64)." in text


def test_the_loss_may_not_be_left_to_torch() -> None:
    def joined(logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
        return logits.flatten(0, 1), labels.flatten()

    for answer in (
        lambda *given: cross_entropy(*joined(*given)),
        lambda *given: nll_loss(joined(*given)[0].log_softmax(-1), joined(*given)[1]),
        lambda *given: torch.nn.CrossEntropyLoss()(*joined(*given)),
    ):
        assert "torch's own loss has made it" in chapter_06.masked_loss.check(answer).text
    assert chapter_06.masked_loss.check(
        lambda logits, labels: torch.stack(
            [
                -logits[at].softmax(-1)[label].log()
                for at, label in ((at, labels[at]) for at in map(tuple, (labels >= 0).nonzero().tolist()))
            ]
        ).mean()
    )


MASK, MANY = 4, 20_000


def test_counts_tell_what_became_of_the_chosen_tokens() -> None:
    input_ids = torch.tensor([[2, 7, 8, 9, 10, 11, 12, 3]])
    masked = torch.tensor([[2, MASK, 8, 20, MASK, 11, MASK, 3]])
    labels = torch.tensor([[-100, 7, 8, 9, 10, 11, 12, -100]])
    assert shares.tally(input_ids, masked, labels, MASK) == {"[MASK]": 3, "random": 1, "stays": 2}


def test_a_share_is_called_outside_where_it_lies_two_standard_deviations_away() -> None:
    spread = (MANY * 0.8 * 0.2) ** 0.5
    for away, verdict in ((0.0, "inside"), (1.8, "inside"), (-1.8, "inside"), (2.2, "OUTSIDE")):
        hidden = round(MANY * 0.8 + away * spread)
        counts = {"[MASK]": hidden, "random": 2_000, "stays": MANY - hidden - 2_000}
        first, second, _ = shares.share_lines(counts).splitlines()
        assert verdict in first
        assert "10.00%" in second
        assert "inside" in second


def test_the_papers_code_chooses_a_fixed_count_in_each_row_and_only_ordinary_tokens() -> None:
    ordinary = torch.ones(3, 200, dtype=torch.bool)
    ordinary[:, ::3] = False
    lengths = torch.tensor([102, 3, 200])
    draws = [shares.choose_capped(ordinary, lengths, torch.Generator().manual_seed(n)) for n in range(40)]
    for chosen in draws:
        assert chosen.sum(dim=1).tolist() == [15, 1, 20]  # 15 % of 102 and of 3, and at most 20
        assert not chosen[~ordinary].any()
    assert torch.stack(draws).any(dim=0)[0, ordinary[0]].float().mean() > 0.95  # any of them may be chosen


def test_what_a_rate_gains_and_costs_is_counted_by_text() -> None:
    class Echo:
        """Names what it reads, but 7 where it reads [MASK]."""

        def base_model(self, input_ids: Tensor, attention_mask: Tensor) -> SimpleNamespace:
            assert attention_mask.shape == input_ids.shape
            return SimpleNamespace(last_hidden_state=input_ids)

        def cls(self, ids: Tensor) -> Tensor:
            return one_hot(ids.where(ids != MASK, 7), 12).double()

    ids = torch.tensor([[2, 7, 8, 3, 0], [2, 7, 7, 9, 3]])
    labels = torch.tensor([[-100, 7, 8, -100, -100], [-100, 7, -100, -100, -100]])

    def mask(rate: float, seed: int) -> tuple[Tensor, Tensor]:
        hidden = labels >= 0 if rate > 0.5 else labels == 7  # the 8 stays in sight: no question
        return ids.masked_fill(hidden if seed else labels == 8, MASK), labels

    batch = {"input_ids": ids, "attention_mask": (ids > 0).long()}
    found = rates.by_rate(cast("BertForMaskedLM", Echo()), batch, [0.1, 0.9], mask, [1])
    assert found["asked"] == [1.0, 1.5]
    assert found["right"] == [1.0, pytest.approx(2 / 3)]
    assert found["right in a text"] == [1.0, 1.0]
    assert found["commonest"] == [1.0, 1.0]  # the second time 7 and 7 of the three that are asked
    twice = rates.by_rate(cast("BertForMaskedLM", Echo()), batch, [0.9], mask, [0, 1])
    assert twice["right in a text"] == [0.5]  # the mean of none and one


@pytest.mark.thorough
def test_with_nothing_hidden_a_model_learns_to_copy_and_else_what_is_frequent() -> None:
    generator = torch.Generator().manual_seed(1)
    rows = torch.randint(5, 15, (100, 12), generator=generator)
    rows[torch.rand(rows.shape, generator=generator) < 0.8] = 7
    copied = nothing_hidden.train(rows, 15, MASK, hide=False)
    assert copied.in_sight > 0.98
    assert copied.loss < 0.1
    assert len(copied.losses) == 100
    assert copied.loss == pytest.approx(sum(copied.losses[90:]) / 10)  # the last ten
    assert copied.losses[0] > copied.loss
    trained = nothing_hidden.train(rows, 15, MASK, hide=True)
    assert trained.hidden > 0.7
    assert set(trained.answers) == {7}  # the commonest, in every gap
    assert trained.loss > 0.5  # what it cannot see it does not know
    assert copied.hidden < trained.hidden


class Doubter:
    """Believes what it reads if the id is even, and doubts it if the id is odd."""

    size = 30

    def __call__(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> SimpleNamespace:
        assert attention_mask is None or attention_mask.shape == input_ids.shape
        trust = torch.where(input_ids % 2 == 0, 3.0, -3.0).double()
        return SimpleNamespace(prediction_logits=one_hot(input_ids, self.size) * trust[..., None])

    def probability(self, logit: float) -> float:
        """Give the probability of the one word that has this logit, where all others have 0."""
        return math.exp(logit) / (math.exp(logit) + self.size - 1)


class Numbers:
    """A tokenizer of numbers: 0 to 4 are special, and 4 is [MASK]."""

    mask_token_id, all_special_ids = MASK, [0, 1, 2, 3, 4]

    def __len__(self) -> int:
        return Doubter.size

    def __call__(self, text: str | list[str], **_: object) -> dict[str, Tensor]:
        texts = [text] if isinstance(text, str) else text
        ids = torch.tensor([[2, *map(int, one.split()), 3] for one in texts])
        return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}

    def get_vocab(self) -> dict[str, int]:
        return {str(number): number for number in range(len(self))}


def test_a_lie_is_asked_about_at_its_own_place_and_only_there() -> None:
    model, tokenizer = cast("BertForPreTraining", Doubter()), cast("PreTrainedTokenizerBase", Numbers())
    told = lies.one_at_a_time(model, tokenizer, "10 11 12", {"10": "13", "11": "14"})
    believed, doubted = Doubter().probability(3), Doubter().probability(-3)
    other = 1 / (
        math.exp(3) + Doubter.size - 1
    )  # [MASK] is even: it believes in [MASK], and in no other more
    assert list(told) == ["13", "14"]
    assert list(told["13"]) == pytest.approx([other, other, doubted])
    assert list(told["14"]) == pytest.approx([other, other, believed])


def test_words_are_put_in_that_the_gap_finds_as_probable_as_asked() -> None:
    model, tokenizer = cast("BertForPreTraining", Doubter()), cast("PreTrainedTokenizerBase", Numbers())
    other = 1 / (math.exp(3) + Doubter.size - 1)  # in a gap all but [MASK] have this p
    near = lies.by_gap(model, tokenizer, ["10 12", "5 12"] * 20, [0.9 * other, 0.5])
    assert near[0.5].shape == (0, 2)
    words = near[0.9 * other]
    assert words.shape == (80, 2)
    assert words[:, 0].numpy() == pytest.approx(other)
    doubted, believed = (Doubter().probability(trust) for trust in (-3, 3))
    put_in_for_5 = words[:, 1] > 0.1  # the first word is 5, which is doubted; where it's the true one, 6
    assert int(put_in_for_5.sum()) == 20
    assert words[put_in_for_5, 1].numpy() == pytest.approx(believed)
    assert words[~put_in_for_5, 1].numpy() == pytest.approx(doubted)


def test_the_border_lies_where_the_median_passes_one_half() -> None:
    near = {0.1: torch.tensor([[0.1, 0.75]]), 0.001: torch.tensor([[0.001, 0.25]] * 3)}
    assert lies.border(near) == (0.001, 0.1)
    assert lies.border(near | {0.01: torch.tensor([[0.01, 0.625]])}) == (0.001, 0.01)
    assert lies.border({0.1: near[0.1]}) is None
    _, first, second = lies.quartiles(near | {0.5: torch.empty(0, 2)}, 50).splitlines()
    assert first.split() == ["1", "in", "10", "1", "0.83", "0.75", "0.75", "to", "0.75"]
    assert second.split() == ["1", "in", "1,000", "3", "0.05", "0.25", "0.25", "to", "0.25"]


def test_a_word_is_believed_from_the_chance_of_drawing_it() -> None:
    assert lies.belief(1 / 50, 50) == pytest.approx(0.5)
    assert lies.belief(0.06, 50) == pytest.approx(0.75)  # 0.06 against 0.02
    told = {"a": lies.Told(0.9, 0.02, 0.4), "b": lies.Told(0.9, 0.06, 0.123)}
    _, *lines = lies.table(told, 50).splitlines()
    assert [line.split() for line in lines] == [
        ["a", "1", "in", "50", "0.50", "0.40"],
        ["b", "1", "in", "17", "0.75", "0.12"],
    ]


def test_each_word_has_a_mark_at_its_gap_and_its_belief() -> None:
    curve = np.array([0.1, 1.0]), np.array([0.5, 0.9])
    near = [np.array([[0.01, 0.0], [0.01, 0.5], [0.01, 1.0]]), np.array([[0.2, 0.75]])]
    named = {"he": (0.01, 0.75, False), "tom": (0.5, 0.25, True), "under": (1e-12, 0.0, False)}
    ax = figures.belief_by_gap(near, named, curve, edge=0.1, title="beliefs")
    across, medians = ax.lines[:2]
    assert list(across.get_xdata()) == [0.1, 1.0]
    assert np.column_stack(medians.get_data()).tolist() == [[0.01, 0.5], [0.2, 0.75]]
    (bars,) = (each for each in ax.collections if isinstance(each, LineCollection))
    assert [part[:, 1].tolist() for part in bars.get_segments()] == [[0.25, 0.75], [0.75, 0.75]]
    marks = [line for line in ax.lines if line.get_marker() == "D" and len(line.get_xdata())]
    assert [mark.get_xdata()[0] for mark in marks] == [0.01, 0.5, figures.LEAST]  # the last at the left end
    assert marks[0].get_color() == marks[2].get_color() != marks[1].get_color()  # a true word
    assert list(ax.lines[-1].get_xdata()) == [0.1, 0.1]
    assert [text.get_text() for text in ax.texts] == ["he", "tom", "under", "1 in 10"]
    plt.close(ax.figure)


def test_as_many_ways_back_are_drawn_as_the_square_of_the_matrix_counts() -> None:
    reads = {"all others": 1 - np.eye(4), "before": np.tril(np.ones((4, 4)), -1)}
    panels = figures.ways_back(["a", "b", "c", "d"], reads, token=2, title="back")
    for ax, square in zip(panels, reads.values(), strict=True):
        strong = [line for line in ax.lines if line.get_color() == CYCLE[1] and line.get_marker() == "None"]
        back = [line for line in strong if list(line.get_ydata()) == [1, 2]]
        assert len(back) == (square @ square)[2, 2]
        assert len(strong) - len(back) == square[:, 2].sum()
    plt.close(panels[0].figure)


def test_three_coins_end_in_as_many_tokens_as_their_chances_say() -> None:
    ax = figures.three_coins((0.2, 0.5, 0.25), ["w", "x", "y", "z"], of=1_000, title="coins")
    written = [text.get_text() for text in ax.texts]
    assert [number for number in written if number.isdecimal()] == ["800", "100", "25", "75"]
    assert {"1,000 tokens", "yes: 200", "no: 100", "0.2", "0.5", "0.25", *"wxyz"} < set(written)
    plt.close(ax.figure)


def test_each_seed_has_a_dot_and_the_bar_ends_at_their_mean() -> None:
    shares = {
        "hidden": {"80/10/10": [0.5, 0.6], "100/0/0": [0.25]},
        "in sight": {"80/10/10": [1], "100/0/0": [0]},
    }
    panels = figures.named_by_seed(shares, title="half")
    assert [ax.get_title("left") for ax in panels] == ["hidden", "in sight"]
    for ax, by_way in zip(panels, shares.values(), strict=True):
        for line, bar, seeds in zip(ax.lines, ax.patches, by_way.values(), strict=True):
            assert list(line.get_xdata()) == pytest.approx(seeds)
            assert len(set(line.get_ydata())) == len(seeds)  # equal seeds stay apart
            assert cast("Rectangle", bar).get_width() == pytest.approx(np.mean(seeds))
        assert [text.get_text() for text in ax.texts] == [
            f"{np.mean(seeds):.2f}" for seeds in by_way.values()
        ]
    assert [tick.get_text() for tick in panels[0].get_yticklabels()] == ["80/10/10", "100/0/0"]
    plt.close(panels[0].figure)


def test_a_way_of_training_is_called_by_its_words_too() -> None:
    panels = figures.named_by_seed(
        {"hidden": {"100/0/0": [0.5]}}, said={"100/0/0": "only hides"}, title="half"
    )
    assert [tick.get_text() for tick in panels[0].get_yticklabels()] == ["only hides\n100/0/0"]
    plt.close(panels[0].figure)


def test_right_answers_are_drawn_as_counts_and_written_as_shares() -> None:
    found = {"asked": [2.0, 8.0], "right in a text": [1.5, 4.0], "right": [0.75, 0.5], "lost": [0.1, 0.4]}
    found |= {"commonest": [0.5, 1.0]}
    ax = figures.answers_by_rate([0.1, 0.4], found, title="more")
    assert [list(line.get_ydata()) for line in ax.lines[:3]] == [[2.0, 8.0], [1.5, 4.0], [0.5, 1.0]]
    written = {text.get_text(): text.xy for text in ax.texts if isinstance(text, Annotation)}
    names = {"questions: hidden\nor replaced": (0.4, 8.0), "right answers\n(% of questions)": (0.4, 4.0)}
    names |= {"always the\ncommonest token": (0.4, 1.0)}
    assert written == names | {"75%": (0.1, 1.5), "50%": (0.4, 4.0)}
    plt.close(ax.figure)


def test_answers_are_dots_on_the_curve_and_near_ones_share_a_name() -> None:
    answers, others = {"of": 0.99, "water": 0.66, "isn": 0.98}, {"tom": 0.002}
    ax = figures.cost_curve(answers, others, title="costs")
    curve, filled, hollow = ax.lines
    for line in (curve, filled, hollow):
        assert np.exp(-np.asarray(line.get_ydata())) == pytest.approx(np.asarray(line.get_xdata()))
    assert list(filled.get_xdata()) == list(answers.values())
    assert list(hollow.get_xdata()) == list(others.values())
    written = [text.get_text() for text in ax.texts if isinstance(text, Annotation)]
    assert written == ["water 0.66", "isn 0.98, of 0.99", "tom 0.002"]
    assert ax.get_ylim()[1] > -math.log(0.002)
    plt.close(ax.figure)


def test_each_training_has_a_curve_with_its_name_at_its_end() -> None:
    losses = {"gaps": [8.0, 6.0], "none": [8.0, 0.1], "others": [8.0, 0.2]}
    right = {"gaps": 0.125, "none": 0.0, "others": 0.011}
    ax = figures.loss_curves(losses, right, math.log(3_000), title="losses")
    assert [list(line.get_ydata()) for line in ax.lines] == list(losses.values())
    ends = {text.get_text(): text.xy for text in ax.texts if isinstance(text, Annotation)}
    assert ends == {
        f"{name}:\n{right[name]:.1%} right behind [MASK]": (2, pytest.approx(sum(row) / 2))
        for name, row in losses.items()
    }
    assert "all tokens equally probable: 8.01" in [text.get_text() for text in ax.texts]
    plt.close(ax.figure)


def test_each_seed_has_a_dot_at_both_its_shares() -> None:
    seen, behind = (
        {"80/10/10": [0.9, 0.94], "80/0/20": [1.0, 1.0]},
        {"80/10/10": [0.4, 0.5], "80/0/20": [0, 0]},
    )
    ax = figures.both_skills(seen, behind, strong="80/10/10", hidden=0.55, said=recipes.COINS, title="both")
    *dots, across = ax.lines
    assert [list(line.get_xdata()) for line in dots] == list(seen.values())
    assert [list(line.get_ydata()) for line in dots] == list(behind.values())
    assert list(across.get_ydata()) == [0.55, 0.55]
    assert [text.get_text().splitlines() for text in ax.texts] == [
        ["80/10/10, as in BERT", "0.92 in sight, 0.45 behind"],
        ["80/0/20, none random", "1.00 in sight, 0.00 behind"],
        ["80/10/10, where the word is hidden: 0.55"],
    ]
    assert [line.get_color() for line in dots] == [CYCLE[1], CYCLE[0]]
    plt.close(ax.figure)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the alt texts of the pictures that a test shows."""
    alts: list[str] = []

    def take(drawn: Axes | list[Axes], alt: str) -> None:
        first = drawn if isinstance(drawn, Axes) else drawn[0]
        plt.close(first.figure)
        alts.append(alt)

    monkeypatch.setattr(pictures, "show", take)
    return alts


def test_titles_say_what_was_measured(shown: list[str]) -> None:
    seen = {"he": 0.99, "under": 0.04, "snow": 0.7}
    told = {lie: lies.Told(0.9, 0.01, p) for lie, p in seen.items()}
    pictures.believed_lies({"she": "he", "of": "under", "water": "snow"}, told)
    assert "It believes “he” (99%) and “snow” (70%), the others at most 4%." in shown[0]
    levels, counts = [0.15, 0.4, 0.6, 0.8], {"asked": [4, 9, 12, 16], "right": [0.5, 0.33, 0.25, 0.125]}
    counts |= {"right in a text": [2.0, 3.0, 3.5, 2.5], "commonest": [0.5, 1.0, 1.5, 2.0]}
    pictures.right_by_rate(levels, counts)
    assert "Right answers in a text: 2.0 at BERT's 15%, but 3.0 at 40% and 3.5 at 60%." in shown[1]
    assert "50% at 15%, 33% at 40%, 25% at 60%, 12% at 80%." in shown[1]
    pictures.chosen_counts(torch.tensor([12, 13, 16]), 15)
    assert "Coins choose 12 to 16 of 100 tokens; the paper's code 15." in shown[2]
    pictures.three_coins({"mask": "a → [MASK]", "random": "b → c", "keep": "d → d"})
    assert "850, 120, 15 and 15" in shown[3]
    pictures.ways_back(["a", "b", "c", "d"], {"all others": 1 - np.eye(4)}, token=1)
    assert "the word comes back by way of the others" in shown[4]
    pictures.costs({"of": 0.99, "water": 0.66}, {"tom": 0.0068})
    assert "the dearer: “tom” costs 5.0, “of” 0.01." in shown[5]
    asked = nothing_hidden.Trained(loss=7.0, in_sight=0.1, hidden=0.125, losses=[8.0, 7.0, 6.0])
    copied = nothing_hidden.Trained(loss=0.5, in_sight=0.9, hidden=0.01, losses=[8.0, 0.9, 0.2])
    pictures.losses({"asked for": asked, "nothing hidden": copied}, 3_000)
    assert "The lower loss, 0.50, goes with 1.0% right behind [MASK]. asked for: loss 7.00" in shown[6]
    near = {0.1: torch.tensor([[0.1, 0.75]]), 0.001: torch.tensor([[0.001, 0.25]]), 0.5: torch.empty(0, 2)}
    pictures.belief_by_gap(near, told, 50)
    assert "border: 1 in 50; the model's medians cross one half between 1 in 1,000 and 1 in 10." in shown[7]
    assert "On the wrong side: he, snow of the words with a name." in shown[7]


def test_what_the_chapter_says_of_the_recorded_models_is_in_the_record(shown: list[str]) -> None:
    by_seed = BySeed(recorded("ablations_second"))
    named = recipes.share_named(by_seed)
    hidden, seen, behind = ({name: row.mean() for name, row in by.items()} for by in named.values())
    assert max(hidden.values()) - min(hidden.values()) < 0.03  # behind [MASK], all are alike
    assert seen["100/0/0"] < hidden["100/0/0"] < 0.6
    assert seen["80/20/0"] < 0.6
    assert seen["80/10/10"] > 0.9
    assert behind["80/0/20"] < 0.01 < 0.99 < seen["80/0/20"]
    assert [name for name in recipes.COINS if seen[name] > 0.9 and behind[name] > 0.4] == ["80/10/10"]
    rates = {name: by_seed.values(name, "read", "masked", "right") for name in ("80/10/10", "40 % masked")}
    assert [round(100 * float(row.mean()), 1) for row in rates.values()] == [50.7, 51.7]
    assert rates["80/10/10"].max() < rates["40 % masked"].min()
    assert by_seed.values("100/0/0", "losses", 99, 0).tolist() == [2_400] * 3
    pictures.hidden_and_seen(named)
    pictures.both_skills(named)
    assert "names 46% of what it sees" in shown[0]
    assert (
        "Of four recipes, only 80/10/10 does both: 95% named in sight, 45% found behind random tokens."
        in shown[1]
    )


def test_tables_of_the_recorded_models_have_a_row_for_each_recipe_height_and_seed() -> None:
    by_seed = BySeed(recorded("ablations_second"))
    _, *tasks = recipes.task_table(by_seed).splitlines()
    assert [line.split()[0] for line in tasks] == list(recipes.COINS)
    assert [len(line.split()) for line in tasks] == [1 + 3 * 3] * 4
    score = 100 * by_seed.values("80/0/20", "tasks", "names, vectors as they are", "score")[-1]
    assert tasks[2].split()[-1] == f"{score:.1f}"
    header, *senses = recipes.sense_table(by_seed).splitlines()
    assert header.split() == ["sense", "after", *recipes.COINS]
    assert senses[4].split()[2] == f"{by_seed.values('80/10/10', 'senses by layer', 4).mean():.2f}"


def test_the_symptoms_of_a_collator_are_counted() -> None:
    ids = torch.tensor([[2, 7, 8, 9, 3], [2, 10, 11, 12, 3]])
    masked = torch.tensor([[2, MASK, 8, 20, 3], [2, 10, 25, 12, MASK]])
    labels = torch.tensor([[-100, 7, 8, 9, -100], [-100, -100, -100, -100, 3]])
    found = collators.symptoms(ids, masked, labels, cast("PreTrainedTokenizerBase", Numbers()))
    assert list(found.values()) == ["4", "1", "50.0%", "25.0%", "25.0%", "1", "1 to 3", "4 of 5"]
    header, *lines = collators.report(ids, cast("PreTrainedTokenizerBase", Numbers())).splitlines()
    assert header.split() == list(collators.LETTERS)
    assert len(lines) == len(found)


def test_a_collator_masks_a_batch_the_same_way_each_time() -> None:
    ids = torch.arange(5, 25).repeat(30, 1)
    for letter in collators.LETTERS:
        first, second = (
            collators.collate(letter, ids, cast("PreTrainedTokenizerBase", Numbers())) for _ in range(2)
        )
        assert torch.equal(first[0], second[0])
        assert torch.equal(first[1], second[1])
        assert (first[1] == ids)[first[1] >= 0].all()  # no label is another's


def test_a_diagnosis_says_which_collator_is_judged_wrong() -> None:
    right = {"A": "one row", "B": "others", "C": "nothing", "D": "labels"}
    assert chapter_06.diagnosis.check(right)
    said = chapter_06.diagnosis.check(right | {"B": "order"}).text
    assert "Entry 'B': 'order' is not it." in said
    assert "others" not in said  # no answer is given away
    assert "divide by 0.15" in chapter_06.diagnosis.check(right | {"D": "order"}).text


def test_a_belief_that_is_wrong_is_named_without_the_others() -> None:
    right = cast("dict[str, str]", chapter_06.word_in_sight.reference())
    assert chapter_06.word_in_sight.check(right)
    said = chapter_06.word_in_sight.check(right | {"A": "doubted"}).text
    assert "Entry 'A': 'doubted' is not it." in said
    assert "nine words stay" in chapter_06.word_in_sight.check(right | {"D": "doubted"}).text


def test_a_bar_for_each_number_of_chosen_tokens_and_a_line_at_the_papers() -> None:
    ax = figures.chosen_counts(np.array([12, 13, 13, 16]), 15, title="counts")
    assert [cast("Rectangle", bar).get_height() for bar in ax.patches] == [0.25, 0.5, 0, 0, 0.25]
    assert list(ax.lines[0].get_xdata()) == [15, 15]
    assert ax.get_ylabel() == "share of 4 rows"
    plt.close(ax.figure)


class Lab:
    """A text of four tokens: in sight the model names three of them, and hidden only the last."""

    tokens = ("[CLS]", "anna", "eats", "her", "soup", "[SEP]")
    engine = SimpleNamespace(names=lambda ids: [f"word {number}" for number in ids])

    def outcomes(self, seed: int = 0) -> list[str]:
        chosen = (["left"] * 4, ["mask", "keep", "mask", "random"], ["keep", "left", "random", "mask"])
        return ["special", *chosen[seed], "special"]

    def masked(self, seed: int) -> tuple[Tensor, Tensor]:
        return torch.arange(6)[None] + 10 * seed, torch.zeros(1, 6)

    def guesses(self, place: int) -> dict[str, SimpleNamespace]:
        before = "his" if self.tokens[place] == "her" else self.tokens[place]
        after = "soup"
        return {"before": SimpleNamespace(top=[(before, 0.9)]), "after": SimpleNamespace(top=[(after, 0.25)])}


def test_what_is_named_in_sight_and_hidden_is_counted_and_shown() -> None:
    lab = cast("MaskingLab", Lab())
    asked = sight.ask(lab)
    assert sight.named(asked).splitlines() == [
        "in sight:  3 of 4 tokens named",
        "hidden:    1 of 4 tokens named",
    ]
    header, *lines = sight.table(asked, ["her", "anna"]).splitlines()
    assert header.split() == ["token", "in", "sight", "hidden"]
    assert [line.split() for line in lines] == [
        ["her", "his", "90%", "soup", "25%"],
        ["anna", "anna", "90%", "soup", "25%"],
    ]


def test_the_lab_opens_with_the_first_draw_that_has_each_colour_once() -> None:
    lab = cast("MaskingLab", Lab())
    assert sight.draw_with_each_colour(lab) == 2
    assert sight.became(lab, 2) == {
        "keep": "anna → word 21",
        "random": "her → word 23",
        "mask": "soup → word 24",
    }


class Letters:
    """A tokenizer of letters: a is 10, b is 11; words are cut at spaces."""

    mask_token = "[MASK]"
    special = ("[PAD]", "[CLS]", "[SEP]", "[MASK]")

    def __call__(self, text: str | list[str], **_: object) -> object:
        if isinstance(text, str):
            return {"input_ids": [ord(letter) - 87 for letter in text if letter != " "]}
        return self.batch(text)

    def batch(self, texts: list[str]) -> object:
        words = [[None, *(k for k, word in enumerate(text.split()) for _ in word), None] for text in texts]
        ids = [[1, *cast("dict[str, list[int]]", self(text))["input_ids"], 2] for text in texts]

        class Batch(dict[str, Tensor]):
            def word_ids(self, row: int) -> list[int | None]:
                return words[row]

        return Batch(input_ids=torch.tensor(ids))

    def get_vocab(self) -> dict[str, int]:
        return {token: number for number, token in enumerate(self.special)}

    def convert_ids_to_tokens(self, ids: list[int]) -> list[str]:
        return [self.special[number] if number < 4 else chr(number + 87) for number in ids]


def test_texts_are_cut_into_rows_and_framed() -> None:
    tokenizer = cast("PreTrainedTokenizerBase", Letters())
    rows = batches.rows_of(tokenizer, ["abc", "de fg"], 2, 3)
    assert rows.tolist() == [[10, 11, 12], [13, 14, 15]]
    assert batches.framed(tokenizer, rows).tolist() == [[1, 10, 11, 12, 2, 0, 0], [1, 13, 14, 15, 2, 0, 0]]


def test_each_token_has_the_number_of_its_word() -> None:
    input_ids, word_ids = batches.with_word_ids(cast("PreTrainedTokenizerBase", Letters()), ["ab c", "a bc"])
    assert input_ids.tolist() == [[1, 10, 11, 12, 2], [1, 10, 11, 12, 2]]
    assert word_ids.tolist() == [[0, 0, 0, 1, 0], [0, 0, 1, 1, 0]]


def test_a_draw_is_told_token_by_token() -> None:
    input_ids, masked = torch.tensor([[1, 10, 11, 12, 13, 2]]), torch.tensor([[1, 3, 11, 20, 13, 2]])
    labels = torch.tensor([[-100, 10, 11, 12, -100, -100]])
    told = one_draw.table(cast("PreTrainedTokenizerBase", Letters()), input_ids, masked, labels)
    assert [line.split() for line in told.splitlines()] == [
        ["[CLS]", "is", "read", "as", "[CLS]", "label", "-100"],
        ["a", "is", "read", "as", "[MASK]", "label", "10", "hidden"],
        ["b", "is", "read", "as", "b", "label", "11", "stays"],
        ["c", "is", "read", "as", "k", "label", "12", "replaced"],
        ["d", "is", "read", "as", "d", "label", "-100"],
        ["[SEP]", "is", "read", "as", "[SEP]", "label", "-100"],
    ]


def test_shares_are_those_of_what_was_asked() -> None:
    class Record:
        def values(self, name: str, *path: str) -> str:
            return " ".join((name, *path))

    named = recipes.share_named(cast("BySeed", Record()))
    assert list(named) == ["hidden", "in plain sight", "behind a random token"]
    assert named["in plain sight"]["80/0/20"] == "80/0/20 read as it stands right"
    assert named["behind a random token"]["100/0/0"] == "100/0/0 read replaced right"
    assert named["hidden"]["80/10/10"] == "80/10/10 read masked right"


def test_the_answers_of_the_first_model_are_told_the_commonest_first() -> None:
    class Names:
        def convert_ids_to_tokens(self, ids: list[int]) -> list[str]:
            return ["abcdefgh"[each] for each in ids]

    ends = {
        "first": nothing_hidden.Trained(7.0, 0.1, 0.1, [], (2, 1, 2, 3, 2, 1)),
        "second": nothing_hidden.Trained(0.1, 0.9, 0.0, [], (5,)),
    }
    told = nothing_hidden.answered(ends, cast("PreTrainedTokenizerBase", Names()), most=2)
    assert told == "“c” 3, “b” 2 of 6 times"
