"""Chapter 04 in a reader's words: other right ways pass, and the feedback to a wrong one helps."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from matplotlib.patches import Rectangle
from torch import Tensor, nn
from transformers import BertConfig, BertForPreTraining, BertModel, TokenizersBackend
from transformers.models.bert.modeling_bert import BertLayer

from bertviz_lite import FillIn
from bertviz_lite.chapters.chapter_04 import (
    bill,
    broken,
    exercises as chapter_04,
    figures,
    office,
    one_number,
    pictures,
    reactions,
    thoughts,
)
from bertviz_lite.chapters.chapter_04.exercises.whole_layer import EncoderLayer
from bertviz_lite.exercises import course_model
from bertviz_lite.world.life import story
from tests.helpers.tiny_models import make, save


@pytest.fixture(scope="module", autouse=True)
def _small_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = save(tmp_path_factory.mktemp("model") / "tiny", make(BertForPreTraining))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BERTVIZ_LITE_MODEL", str(folder))
        yield
    course_model.load_once.cache_clear()


def test_gelu_may_be_torchs() -> None:
    assert chapter_04.exact_gelu.check(nn.functional.gelu)
    assert chapter_04.exact_gelu.check(lambda x: x * torch.distributions.Normal(0, 1).cdf(x))


def test_the_formulas_agree_with_the_library() -> None:
    def count(vocab_size: int, hidden_size: int, layers: int, intermediate_size: int, positions: int) -> int:
        config = BertConfig(
            vocab_size=vocab_size,
            hidden_size=hidden_size,
            num_hidden_layers=layers,
            num_attention_heads=2,
            intermediate_size=intermediate_size,
            max_position_embeddings=positions,
        )
        with torch.device("meta"):
            return BertModel(config).num_parameters()

    assert chapter_04.count_parameters.check(count)


def test_one_but_not_both_is_pythons_exclusive_or() -> None:
    exercise = chapter_04.one_but_not_both
    for thirsty in (0, 1):
        for glass in (0, 1):
            facts = torch.tensor([thirsty, glass]).double()
            assert exercise.call(exercise.reference, facts) == float(thirsty ^ glass)


def test_other_weights_with_one_but_not_both_pass() -> None:
    up = torch.tensor([[3.0, -3.0], [-1.0, 1.0]])
    assert chapter_04.one_but_not_both.check(lambda: (up, torch.zeros(2), torch.tensor([1 / 3, 1.0])))
    as_lists = [[1, 1], [1, 1]], [0, -1], [1, -2]
    assert chapter_04.one_but_not_both.check(lambda: as_lists)


def test_weights_that_do_not_fit_are_named() -> None:
    feedback = {
        "three tensors are needed: up, up_bias, down.": (torch.ones(2, 2), torch.zeros(2)),
        "up_bias has the shape (1,); (2,) is needed.": (torch.ones(2, 2), torch.zeros(1), torch.ones(2)),
        "This counts the facts: at both it gives 2.": (
            torch.eye(2), torch.zeros(2), torch.ones(2)
        ),
    }  # fmt: skip
    for words, weights in feedback.items():
        assert words in chapter_04.one_but_not_both.check(lambda given=weights: given).text


def test_the_library_s_own_layer_is_a_right_answer() -> None:
    def borrowed(block: BertLayer) -> Callable[[Tensor, Tensor], Tensor]:
        def run(x: Tensor, bias: Tensor) -> Tensor:
            result = block(x, bias.expand(-1, -1, x.shape[1], -1))
            return result[0] if isinstance(result, tuple) else result

        return run

    assert chapter_04.encoder_layer.check(borrowed)


def test_a_layer_may_attend_by_torchs_function() -> None:
    class Fused(EncoderLayer):
        def attend(self, x: Tensor, bias: Tensor) -> Tensor:
            maps = (self.query, self.key, self.value)
            parts = [part(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for part in maps]
            mixed = nn.functional.scaled_dot_product_attention(*parts, attn_mask=bias)
            return self.output(mixed.transpose(1, 2).flatten(2))

    assert chapter_04.encoder_layer.check(Fused)


def test_a_layer_that_drops_numbers_is_recognised() -> None:
    class Dropping(EncoderLayer):
        def forward(self, x: Tensor, bias: Tensor) -> Tensor:
            return nn.functional.dropout(super().forward(x, bias), 0.5)

    assert "other numbers each time: is dropout on" in chapter_04.encoder_layer.check(Dropping).text


def test_a_forgotten_residual_is_named_with_the_input_that_shows_it() -> None:
    class Bare(EncoderLayer):
        def forward(self, x: Tensor, bias: Tensor) -> Tensor:
            x = self.first_norm(self.attend(x, bias))
            return self.second_norm(x + self.down(nn.functional.gelu(self.up(x))))

    lines = chapter_04.encoder_layer.check(Bare).text.splitlines()
    assert lines[0].endswith("The residual around attention is missing.")
    assert lines[1] == "    input: a layer of hidden_size 4 with 2 heads, x of shape (1, 3, 4), padding all 0"


def _vectors(model: BertForPreTraining, tokenizer: TokenizersBackend, text: str) -> Tensor:
    with torch.no_grad():
        states: Tensor = model.bert(**tokenizer(text, return_tensors="pt")).last_hidden_state
    return states[0]


def test_without_attention_a_token_hears_nothing_of_the_others(
    pocket: tuple[TokenizersBackend, BertForPreTraining],
) -> None:
    tokenizer, model = pocket
    cut = broken.without(model, "attention")
    one, other = "anna lost her key .", "tom lost a dog ."
    assert torch.equal(_vectors(cut, tokenizer, one)[2], _vectors(cut, tokenizer, other)[2])
    assert not torch.allclose(
        _vectors(model, tokenizer, one)[2], _vectors(model, tokenizer, other)[2], atol=0.1
    )


def test_without_ffns_only_attention_and_the_norms_change_a_vector(
    pocket: tuple[TokenizersBackend, BertForPreTraining],
) -> None:
    tokenizer, model = pocket
    before = {name: weights.clone() for name, weights in model.state_dict().items()}
    cut = broken.without(model, "FFN")
    states = model.bert.embeddings(tokenizer("anna lost her key .", return_tensors="pt")["input_ids"])
    block: Any
    with torch.no_grad():
        for block in model.bert.encoder.layer:
            attended = block.attention(states)
            states = block.output.LayerNorm(attended[0] if isinstance(attended, tuple) else attended)
    assert torch.allclose(_vectors(cut, tokenizer, "anna lost her key ."), states[0], atol=1e-5)
    assert all(torch.equal(before[name], weights) for name, weights in model.state_dict().items())


def test_a_silenced_number_moves_as_much_as_in_a_copy_and_its_places_can_be_told_apart(
    pocket: tuple[TokenizersBackend, BertForPreTraining],
) -> None:
    tokenizer, model = pocket
    line, nouns = "Tom saw the {}. It was [MASK].", ["mouse", "pillow"]
    ask = partial(one_number.moved, model, tokenizer, line, nouns, 2, [490])
    batch = tokenizer([line.format(noun) for noun in nouns], padding=True, return_tensors="pt")
    gaps = batch["input_ids"] == tokenizer.mask_token_id
    with torch.no_grad():
        before, after = (
            each(**batch).prediction_logits[gaps].softmax(dim=-1)
            for each in (model, one_number.silenced(model, 2, 490))
        )
    assert ask().item() == pytest.approx((after - before).abs().sum(dim=-1).mean().item() / 2, rel=1e-4)
    at = {place: ask(at=place).item() for place in ("noun", "it", "[MASK]")}
    assert 0 < at["[MASK]"] < at["it"] < at["noun"] < ask().item()
    shown = {*one_number.ANIMALS, *one_number.THINGS}
    for kind in one_number.OTHERS.values():
        assert len(kind) == 16
        assert shown.isdisjoint(kind)
        assert all(tokenizer.convert_tokens_to_ids(noun) != tokenizer.unk_token_id for noun in kind)


def test_a_part_that_a_layer_does_not_have_is_refused(
    pocket: tuple[TokenizersBackend, BertForPreTraining],
) -> None:
    with pytest.raises(ValueError, match="part='bend': attention or FFN is needed"):
        broken.without(pocket[1], "bend")


def test_hidden_words_are_whole_and_their_answers_are_what_stood_there(
    pocket: tuple[TokenizersBackend, BertForPreTraining],
) -> None:
    tokenizer, model = pocket
    words = broken.hidden_words(tokenizer, seed=4, n=6)
    told = (str(story(4, index)) for index in range(12))
    texts = [text for text in told if len(tokenizer(text)["input_ids"]) <= tokenizer.model_max_length][:6]
    batch = tokenizer(texts, padding=True, return_tensors="pt")
    assert torch.equal(words.answers, batch["input_ids"][words.hidden])
    expected = batch["input_ids"].masked_fill(words.hidden, tokenizer.mask_token_id)
    assert torch.equal(words.input_ids, expected)
    assert not words.hidden[words.attention_mask == 0].any()
    marks = tokenizer.convert_tokens_to_ids([".", ",", "!", "?"])
    assert not set(marks) & set(words.answers.tolist())
    assert 0.08 < words.hidden.sum() / words.attention_mask.sum() < 0.22
    for row in range(len(texts)):
        for place, word in enumerate(batch.word_ids(row)):
            same = [other for other, number in enumerate(batch.word_ids(row)) if number == word is not None]
            assert len({bool(words.hidden[row, other]) for other in same or [place]}) == 1
    counts = [words.answers.tolist().count(token) for token in set(words.answers.tolist())]
    assert words.most_frequent == max(counts) / len(words.answers)
    with torch.no_grad():
        logits = model(expected, attention_mask=batch["attention_mask"]).prediction_logits
    right = sum(
        int(logits[row, place].argmax() == batch["input_ids"][row, place])
        for row, place in words.hidden.nonzero().tolist()
    )
    assert broken.share_right(model, words) == pytest.approx(right / len(words.answers))


def test_the_best_guesses_are_those_of_the_first_gap(
    pocket: tuple[TokenizersBackend, BertForPreTraining],
) -> None:
    tokenizer, model = pocket
    text = "Anna is thirsty, so she [MASK] a glass of [MASK]."
    guesses = broken.best_guesses(model, tokenizer, text, k=2)
    tokens, probabilities, ranks = FillIn(model, tokenizer, text, mask=0).table()
    for rank, (token, probability) in enumerate(guesses, start=1):
        seen = int(np.flatnonzero(ranks[:, -1] == rank)[0])
        assert (token, round(probability, 4)) == (tokens[seen], round(float(probabilities[seen, -1]), 4))


def test_reactions_are_drawn_by_whose_they_are() -> None:
    shares = {"diagonal": torch.eye(7).numpy(), "even": torch.full((7, 7), 1 / 7).numpy()}
    squares = figures.whose(shares, title="Two of seven")
    own = ["diagonal: 100% from its own token", "even: 14% from its own token"]
    assert [ax.get_title("left") for ax in squares] == own
    for ax, values in zip(squares, shares.values(), strict=True):
        image = ax.images[0]
        assert image.get_clim() == (0, 1)
        assert np.allclose(np.asarray(image.get_array()), values)
        assert [label.get_text() for label in ax.get_xticklabels()] == ["0", "5"]


def test_what_is_left_of_gradients_is_drawn_by_powers_of_ten() -> None:
    lengths = {"kept": [1.0, 0.5, 2.0], "lost": [1.0, 1e-3, 1e-6]}
    ax = figures.lengths_below(lengths, title="One is lost")
    assert ax.get_yscale() == "log"
    assert {line.get_label(): list(line.get_ydata()) for line in ax.lines} == lengths


def test_shares_are_drawn_in_percent_the_largest_on_top() -> None:
    ax = figures.right_bars({"little": 0.021, "all": 0.889, "some": 0.5}, of="9 tokens")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["all", "some", "little"]
    assert [text.get_text() for text in ax.texts] == ["89", "50", "2"]
    assert ax.get_xlabel() == "% of 9 tokens guessed right"
    assert ax.yaxis_inverted()  # the first is on top


def test_parameters_that_no_part_holds_are_drawn_too() -> None:
    counts = {"small": {"attention": 10, "FFN": 30, "norms": 1}, "large": {"attention": 50, "FFN": 100}}
    ax = figures.parameter_bars(counts, {"small": 50, "large": 200}, ("attention", "FFN"))
    assert [text.get_text() for text in ax.texts] == ["20", "60", "20", "25", "50", "25"]


def test_reactions_to_a_nudge_are_those_of_a_stack_that_is_known() -> None:
    draw = torch.Generator().manual_seed(1)
    first, second = torch.randn(2, 5, 5, generator=draw, dtype=torch.float64)
    x = torch.randn(1, 5, 3, generator=draw, dtype=torch.float64)
    direction = torch.randn(3, generator=draw, dtype=torch.float64)
    measured = reactions.measure(x, [first, second], lambda mix, now: mix @ now, direction)
    # by the chain rule, output i reacts to input j along the direction, both[i, j] times
    both = second @ first
    assert torch.allclose(measured.shares, both.square() / both.square().sum(dim=1, keepdim=True))
    lengths = torch.stack([torch.ones(5).double(), second.norm(dim=1), both.norm(dim=1)]).mean(dim=1)
    assert torch.allclose(measured.lengths.double(), lengths)
    assert measured.own == pytest.approx(
        (both.square() / both.square().sum(1, True)).diagonal().mean().item()
    )


def test_a_fresh_model_has_the_layers_asked_for_and_leaves_torch_as_it_was() -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    model, nudge = reactions.fresh_model(layers=3)
    assert torch.equal(torch.rand(3), expected)
    assert torch.get_default_dtype() == torch.float32
    assert len(model.encoder.layer) == 3
    weights: Any = model.encoder.layer[0]
    assert weights.intermediate.dense.weight.dtype == nudge.dtype == torch.float64
    # as strong as Base's: an FFN's map from h numbers multiplies lengths by spread * √(numbers out)
    spread = weights.intermediate.dense.weight.std().item()
    assert spread * 64**0.5 == pytest.approx(0.02 * 768**0.5, rel=0.05)


def test_below_an_activation_stands_how_much_of_what_reaches_it_is_above_0() -> None:
    numbers = np.array([[-2.0, -1.0, -0.5], [-0.1, -3.0, 1.5]])
    upper, lower = figures.arrivals(numbers, torch.tanh, title="One in six", name="tanh")
    x, y = upper.lines[0].get_data()
    assert np.allclose(y, np.tanh(np.asarray(x, float)))
    bars = [patch for patch in lower.patches if isinstance(patch, Rectangle)]
    assert np.isclose(sum(bar.get_height() for bar in bars), 1)
    above = [bar for bar in bars if bar.get_x() >= 0]
    assert np.isclose(sum(bar.get_height() for bar in above), 1 / 6)
    below = [bar for bar in bars if bar not in above]
    assert {bar.get_facecolor() for bar in above}.isdisjoint({bar.get_facecolor() for bar in below})
    assert [text.get_text() for text in lower.texts] == ["83% “no”", "17% “yes”"]


def test_the_cost_is_drawn_for_one_token() -> None:
    ax = figures.cost_lines([2, 4], {"maps": [2e6, 4e6], "square": [4e6, 16e6]}, title="Cost", at={"3": 3})
    drawn = {line.get_label(): line.get_ydata() for line in ax.lines}
    assert np.allclose(drawn["maps"], [1, 1])
    assert np.allclose(drawn["square"], [2, 4])
    assert [text.get_text() for text in ax.texts] == ["3"]


def test_in_the_story_of_the_detectives_notebooks_only_grow() -> None:
    meeting, office_hours = office.day(title="Both are added")
    notes: list[dict[float, list[str]]] = []
    for ax in (meeting, office_hours):
        written = [
            text for text in ax.texts if text.get_text().strip() and 0.3 < text.get_position()[1] < 1.7
        ]
        assert all((text.get_fontweight() == "bold") == ("+" in text.get_text()) for text in written)
        notes.append({})
        for text in written:
            notes[-1].setdefault(text.get_position()[0], []).append(text.get_text())
    assert notes[0].keys() == notes[1].keys()
    assert len(notes[0]) == 3
    for place, first in notes[0].items():
        assert notes[1][place][:-1] == [note.removeprefix("+ ") for note in first]
        assert notes[1][place][-1].startswith("+ ")
    assert len(meeting.lines) == len(office_hours.lines) == 2  # news; walls


def test_the_cut_keeps_one_corner_of_the_square() -> None:
    before, after = thoughts.corners(title="One of four")
    for ax, values in ((before, ["−1", "0", "0", "1"]), (after, ["0", "0", "0", "1"])):
        places = [(0, 0), (0, 1), (1, 0), (1, 1)]
        written = {text.get_position(): text.get_text() for text in ax.texts}
        assert [written[place] for place in places] == values
    field = np.asarray(after.images[0].get_array())
    assert field.min() == 0
    assert np.asarray(before.images[0].get_array()).min() < -1


def test_each_word_has_a_dot_and_a_name_of_its_own() -> None:
    kinds = {"animals": {"cat": 1.0, "dog": 1.01, "hen": 1.3}, "things": {"key": 0.1, "hat": -0.2}}
    ax = thoughts.dots(kinds, title="Apart")
    rows = [line for line in ax.lines if line.get_marker() == "o"]
    assert [list(row.get_xdata()) for row in rows] == [[1.0, 1.01, 1.3], [-0.2, 0.1]]
    assert [text.get_text() for text in ax.texts] == ["cat", "dog", "hen", "hat", "key"]
    first, second = (text.get_position()[0] for text in ax.texts[:2])
    low, high = ax.get_xlim()
    assert second - first == pytest.approx(0.024 * (high - low))
    assert (first + second) / 2 == pytest.approx(1.005)


def test_a_picture_says_its_numbers_to_those_who_cannot_see_it() -> None:
    kinds = {"animals": {"cat": 1.0, "dog": 2.0}, "things": {"key": 0.1, "hat": -0.2}}
    said = pictures.animals_and_things(kinds, number=7).alt
    assert "animals from 1.00 to 2.00; things from -0.20 to 0.10" in said
    assert said.endswith("Inner number 7 at “it”: every animal above every thing.")
    kinds["things"]["hat"] = 1.5
    assert pictures.animals_and_things(kinds, number=7).alt.endswith("at “it”: animals and things.")
    right = {"layer 0": {"FFN": 0.5, "activation": 0.1}}
    said = pictures.left_out(right, 0.9, of="9 tokens").alt
    assert "(whole 90%). layer 0: FFN 40, activation 80." in said
    assert said.endswith("In 1 layers of 1, losing only the activation does the most harm.")
    right["layer 1"] = {"FFN": 0.1, "activation": 0.5}
    assert pictures.left_out(right, 0.9, of="9 tokens").alt.endswith("What is lost without a part.")
    said = pictures.rivals(
        {"as trained": 0.9, "nearest linear map": 0.3, "left out": 0.02}, of="9 tokens"
    ).alt
    assert "as trained 90%, nearest linear map 30%, left out 2%" in said
    assert said.endswith("With a linear map in place of each FFN, 30% are right.")


def test_what_is_lost_without_a_part_is_a_table_in_points() -> None:
    right = {"layer 0": {"FFN": 0.504, "LayerNorms": 0.1}, "all": {"FFN": 0.02, "LayerNorms": 0.0}}
    ax = figures.left_out(right, 0.9, of="9 tokens")
    assert [text.get_text() for text in ax.texts] == ["40", "80", "88", "90"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["FFN", "LayerNorms"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["layer 0", "all"]
    assert ax.get_xlabel() == "left out (with all parts, 90% of 9 tokens are right)"


def test_what_is_right_without_a_part_stands_beside_what_is_right_with_all() -> None:
    right = {"layer 0": {"the whole FFN": 0.5, "only its GELU": 0.1}}
    said = pictures.without_gelu(right, 0.9, of="9 tokens").alt
    assert "layer 0: without the whole FFN 50%, without only its GELU 10%; with both 90%" in said
    assert said.endswith("In every layer, losing GELU is worse than losing the whole FFN.")
    right["layer 1"] = {"the whole FFN": 0.1, "only its GELU": 0.5}
    said = pictures.without_gelu(right, 0.9, of="9 tokens").alt
    assert said.endswith("In 1 layers of 2, losing GELU is worse than losing the whole FFN.")
    ax = figures.right_without(right, 0.9, of="9 tokens")
    assert {"50", "10"} <= {text.get_text() for text in ax.texts}
    assert ax.get_xlabel() == "% of 9 tokens guessed right"


def test_tokens_that_are_alike_are_drawn_in_one_scale() -> None:
    squares = {"apart": torch.eye(3) - 0.1, "one": torch.ones(3, 3)}
    axes = figures.alike(squares, ["a", "b", "c"], title="Two of three")
    assert [ax.get_title() or ax.get_title("left") for ax in axes] == ["apart", "one"]
    for ax, square in zip(axes, squares.values(), strict=True):
        assert ax.images[0].get_clim() == (-1, 1)
        assert np.allclose(np.asarray(ax.images[0].get_array()), square.numpy())
    said = pictures.one_vector(squares, ["a", "b", "c"], layers=3).alt
    assert "Lowest cosines: apart -0.10, one 1.00." in said


def test_large_weighs_what_its_paper_says() -> None:
    weighed = bill.weigh(bill.large())
    assert round(weighed.bare / 1e6) == 335
    assert round(weighed.with_heads / 1e6) == 336
    assert weighed.layers == 24 * (12 * 1024**2 + 13 * 1024)


def test_the_nearest_linear_map_is_that_of_the_exercise() -> None:
    draw = torch.Generator().manual_seed(6)
    vectors, wanted = (torch.randn(30, size, generator=draw, dtype=torch.float64) for size in (4, 3))

    def mine(vectors: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
        nearest = broken.nearest_linear(vectors, wanted)
        return nearest.weight.detach(), nearest.bias.detach()

    assert chapter_04.nearest_linear_map.check(mine)
    left = wanted - broken.nearest_linear(vectors, wanted)(vectors).detach()
    assert torch.allclose(left.mean(dim=0), torch.zeros(3, dtype=torch.float64), atol=1e-9)
