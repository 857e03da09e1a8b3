"""Chapter 04 in a reader's words: other right ways pass, and the feedback to a wrong one helps."""

from collections.abc import Callable, Iterator

import pytest
import torch
from torch import Tensor, nn
from transformers import BertConfig, BertForPreTraining, BertModel
from transformers.models.bert.modeling_bert import BertLayer

from bertviz_lite.chapters.chapter_04 import exercises as chapter_04
from bertviz_lite.chapters.chapter_04.exercises.whole_layer import EncoderLayer
from bertviz_lite.exercises import course_model
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
    assert chapter_04.wider.check(
        count(30_522, 768, 12, 4_096, 512) - count(30_522, 768, 12, 3_072, 512)
    )  # fmt: skip


def test_a_wrong_crossover_gets_a_reason() -> None:
    feedback = {
        "half of it": lambda hidden, inner: hidden + inner / 2,
        "linear maps are half": lambda hidden, inner: hidden + inner,
        "for one token": lambda hidden, inner: 8 * hidden**2 + 4 * hidden * inner,
        "two products with the square": lambda hidden, inner: 4 * hidden + 2 * inner,
        "3 times what it should be": lambda hidden, inner: 6 * hidden + 3 * inner,
    }
    for words, answer in feedback.items():
        text = chapter_04.crossover.check(answer).text
        assert words in text
        assert "too small" not in text


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
    assert lines[1] == "    input: a layer of hidden_size 4 with 2 heads, x of shape (1, 3, 4), bias all 0"
