"""What the next-sentence head goes by: against one pass a word by hand, and against the stories."""

import numpy as np
import pytest
import torch
from transformers import (
    BertForMaskedLM,
    BertForNextSentencePrediction,
    BertForPreTraining,
    BertTokenizer,
    PreTrainedModel,
)

from bertviz_lite.evaluation.pair_probes import OccludedWord, occlusion, pair_vectors
from tests.helpers.tiny_models import SPECIAL, WORDS, make


@pytest.fixture(scope="module")
def tokenizer() -> BertTokenizer:
    """Return the tokenizer of the tiny models, which also cuts "boathouse" in two."""
    vocabulary = {token: number for number, token in enumerate((*SPECIAL, *WORDS, "##house"))}
    return BertTokenizer(vocab=vocabulary, do_lower_case=True)


@pytest.fixture(scope="module")
def model() -> PreTrainedModel:
    """Return a tiny BertForPreTraining with random weights, in float64."""
    model: PreTrainedModel = make(BertForPreTraining, vocab_size=len(SPECIAL) + len(WORDS) + 1).double()
    model.eval()
    return model


FIRST, SECOND = "The cat sits.", "It sleeps near a boathouse, and the dog eats."


def by_hand(
    model: PreTrainedModel, tokenizer: BertTokenizer, hide: tuple[int, int] | None = None
) -> torch.Tensor:
    """Return the logits of the pair in one pass of its own, some places hidden."""
    batch = tokenizer(FIRST, SECOND, return_tensors="pt")
    if hide is not None:
        batch["input_ids"][0, hide[0] : hide[1]] = tokenizer.mask_token_id
    with torch.no_grad():
        outputs = model(**batch)
    logits: torch.Tensor = (outputs.get("seq_relationship_logits", outputs.get("logits")))[0]
    return logits


class TestOcclusion:
    """Each word hidden in turn."""

    def test_equals_one_pass_a_word_by_hand(self, model: PreTrainedModel, tokenizer: BertTokenizer) -> None:
        seen = occlusion(model, tokenizer, FIRST, SECOND)
        given = by_hand(model, tokenizer)
        assert seen.probability == pytest.approx(given.softmax(0)[0].item(), abs=1e-12)
        assert seen.log_odds == pytest.approx((given[0] - given[1]).item(), abs=1e-12)
        for index, word in enumerate(seen.words):
            logits = by_hand(model, tokenizer, (word.start, word.stop))
            assert seen.hidden_probability[index] == pytest.approx(logits.softmax(0)[0].item(), abs=1e-12)
            assert seen.hidden_log_odds[index] == pytest.approx((logits[0] - logits[1]).item(), abs=1e-12)
        assert np.abs(seen.drop).min() > 1e-6, "hiding a word changes nothing: was it hidden?"
        assert np.array_equal(seen.drop, seen.log_odds - seen.hidden_log_odds)
        assert np.array_equal(seen.probability_drop, seen.probability - seen.hidden_probability)

    def test_words_have_their_text_pieces_and_segment(
        self, model: PreTrainedModel, tokenizer: BertTokenizer
    ) -> None:
        seen = occlusion(model, tokenizer, FIRST, SECOND)
        texts = " ".join(word.text for word in seen.words)
        assert texts == "The cat sits . It sleeps near a boathouse , and the dog eats ."
        assert [word.segment for word in seen.words] == [0] * 4 + [1] * 11
        assert seen.words[8] == OccludedWord("boathouse", 10, 12, 1)
        assert seen.tokens[10:12] == ("boat", "##house")
        covered = [place for word in seen.words for place in range(word.start, word.stop)]
        special = [place for place, token in enumerate(seen.tokens) if token in ("[CLS]", "[SEP]")]
        assert sorted(covered + special) == list(range(len(seen.tokens)))

    def test_one_word_on_either_side_of_the_border_stays_two(
        self, model: PreTrainedModel, tokenizer: BertTokenizer
    ) -> None:
        words = occlusion(model, tokenizer, "cat", "cat").words
        assert words == (OccludedWord("cat", 1, 2, 0), OccludedWord("cat", 3, 4, 1))

    def test_takes_the_class_with_this_head_alone(self, tokenizer: BertTokenizer) -> None:
        alone = make(BertForNextSentencePrediction, vocab_size=len(tokenizer)).double().eval()
        seen = occlusion(alone, tokenizer, FIRST, SECOND)
        expected = by_hand(alone, tokenizer).softmax(0)[0].item()
        assert seen.probability == pytest.approx(expected, abs=1e-12)

    def test_leaves_the_model_as_it_was(self, tokenizer: BertTokenizer) -> None:
        model = make(BertForPreTraining, vocab_size=len(tokenizer)).train()
        model.set_attn_implementation("eager")
        before = {name: value.clone() for name, value in model.state_dict().items()}
        first, second = (occlusion(model, tokenizer, FIRST, SECOND) for _ in range(2))
        assert first.log_odds == second.log_odds, "dropout was on"
        assert model.training
        assert model.config._attn_implementation == "eager"
        assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


class TestPairVectors:
    """Many pairs side by side."""

    def test_equal_one_pass_a_pair(self, model: PreTrainedModel, tokenizer: BertTokenizer) -> None:
        pairs = [(FIRST, SECOND), ("a cat", "a dog"), (FIRST, SECOND)]
        result = pair_vectors(model, tokenizer, pairs)
        assert result.logits.dtype == result.pooled.dtype == result.means.dtype == np.float64
        for row, (first, second) in enumerate(pairs):
            batch = tokenizer(first, second, return_tensors="pt")
            with torch.no_grad():
                logits = model(**batch).seq_relationship_logits[0].numpy()
                outputs = model.base_model(**batch)
            states, segments = outputs.last_hidden_state[0], batch["token_type_ids"][0]
            bare = model.get_input_embeddings()(batch["input_ids"])[0].detach()
            means, words = (
                torch.cat([rows[segments == 0].mean(0), rows[segments == 1].mean(0)])
                for rows in (states, bare)
            )
            assert np.abs(result.logits[row] - logits).max() < 1e-12
            assert result.log_odds[row] == pytest.approx(logits[0] - logits[1], abs=1e-12)
            assert np.abs(result.pooled[row] - outputs.pooler_output[0].numpy()).max() < 1e-12
            assert np.abs(result.means[row] - means.numpy()).max() < 1e-12
            assert np.abs(result.words[row] - words.numpy()).max() < 1e-12
        assert np.abs(result.logits[1] - result.logits[0]).max() > 1e-6


class TestRefusals:
    """What cannot be done, in one line."""

    def test_a_model_without_the_head(self, tokenizer: BertTokenizer) -> None:
        masked = make(BertForMaskedLM, vocab_size=len(tokenizer))
        with pytest.raises(TypeError, match="BertForMaskedLM has no next-sentence head"):
            occlusion(masked, tokenizer, FIRST, SECOND)

    def test_an_empty_text(self, model: PreTrainedModel, tokenizer: BertTokenizer) -> None:
        with pytest.raises(ValueError, match="second is empty"):
            occlusion(model, tokenizer, FIRST, "  ")

    def test_a_list(self, model: PreTrainedModel, tokenizer: BertTokenizer) -> None:
        with pytest.raises(TypeError, match="first must be one string, not list"):
            occlusion(model, tokenizer, [FIRST], SECOND)  # type: ignore[arg-type]

    def test_a_pair_that_is_too_long(self, model: PreTrainedModel, tokenizer: BertTokenizer) -> None:
        with pytest.raises(ValueError, match="the pair has 35 tokens, the model has 32 positions"):
            occlusion(model, tokenizer, "cat " * 16, "dog " * 16)
