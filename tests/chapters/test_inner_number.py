"""One inner number of an FFN, chapter 04: where it is large, what it tells apart, what it adds."""

import numpy as np
import pytest
import torch
from transformers import BertForPreTraining, TokenizersBackend

from bertviz_lite.chapters.chapter_04 import one_number


def test_an_inner_number_is_read_at_each_token_that_is_not_special(
    pocket: tuple[TokenizersBackend, BertForPreTraining],
) -> None:
    tokenizer, model = pocket
    texts = ["The cat sleeps.", "Tom saw the old cat, and it slept."]  # of two lengths: one is padded
    heard = one_number.hear(model, tokenizer, texts, layer=2, number=490)
    assert heard.tokens == tuple(token for text in texts for token in tokenizer.tokenize(text))
    assert heard.places[:2] == ("[the] cat sleeps", "the [cat] sleeps .")
    assert heard.places[-1] == ", and it slept [.]"
    encoded = tokenizer(texts[1], return_tensors="pt")
    into_layer_2 = model.bert(**encoded, output_hidden_states=True).hidden_states[2]
    block = model.bert.encoder.layer[2]
    inner = block.intermediate.dense(block.attention(into_layer_2)[0])[0, 1:-1, 490]
    assert heard.values[4:] == pytest.approx(inner.detach().numpy(), abs=1e-4)


def test_the_largest_are_listed_once_for_each_token_beside_others_drawn_by_chance() -> None:
    heard = one_number.Heard(np.array([1.0, 3.0, 2.0, -1.0]), tuple("abac"), ("[a]", "[b]", "b [a]", "[c]"))
    first, *lines = one_number.loudest_and_any(heard, 3).splitlines()
    assert first.split("   ")[0] == "largest, each word once"
    assert [line.partition("   ")[0] for line in lines] == ["+3.0  [b]", "+2.0  b [a]", "-1.0  [c]"]


def test_a_margin_parts_all_animals_from_all_things(
    pocket: tuple[TokenizersBackend, BertForPreTraining],
) -> None:
    tokenizer, model = pocket
    line = "Tom saw the {}. It was old."
    margins = one_number.margins(model, tokenizer, line, layer=2)
    assert margins.shape == (640,)
    for number in (490, 7):
        animals, things = (
            one_number.at_it(model, tokenizer, line, nouns, layer=2, number=number)
            for nouns in (one_number.ANIMALS, one_number.THINGS)
        )
        assert margins[number].item() == pytest.approx(animals.min() - things.max(), abs=1e-4)


def test_a_silent_number_adds_nothing_and_all_else_stays(
    pocket: tuple[TokenizersBackend, BertForPreTraining],
) -> None:
    model = pocket[1]
    before = {name: weights.clone() for name, weights in model.state_dict().items()}
    silent = one_number.silenced(model, layer=2, number=490).state_dict()
    changed = "bert.encoder.layer.2.output.dense.weight"
    for name, weights in before.items():
        assert torch.equal(model.state_dict()[name], weights)
        if name == changed:
            assert not silent[name][:, 490].any()
            weights[:, 490] = 0
        assert torch.equal(silent[name], weights)


def test_what_a_silent_number_moves_is_half_of_all_differences(
    pocket: tuple[TokenizersBackend, BertForPreTraining],
) -> None:
    tokenizer, model = pocket
    line, nouns = "Tom saw the {}. It was [MASK].", ("cat", "lamp")
    moved = one_number.moved(model, tokenizer, line, nouns, layer=2, numbers=[7, 490])
    for number, share in zip((7, 490), moved.tolist(), strict=True):
        differences = []
        for noun in nouns:
            batch = tokenizer(line.format(noun), return_tensors="pt")
            place = batch["input_ids"][0].tolist().index(tokenizer.mask_token_id)
            with torch.no_grad():
                heard, unheard = (
                    each(**batch).prediction_logits[0, place].softmax(dim=-1)
                    for each in (model, one_number.silenced(model, layer=2, number=number))
                )
            differences.append((heard - unheard).abs().sum().item() / 2)
        assert share == pytest.approx(sum(differences) / 2, abs=1e-5)


def test_an_it_that_is_an_animal_is_told_from_a_thing(
    pocket: tuple[TokenizersBackend, BertForPreTraining],
) -> None:
    tokenizer, model = pocket
    for nouns in (one_number.ANIMALS, one_number.THINGS):
        assert len(set(nouns)) == 16
        assert [tokenizer.tokenize(noun) for noun in nouns] == [[noun] for noun in nouns]
    for line in (
        "Anna lost the {}, but it was in the garden.",
        "The {} was in the garden because it was big.",
    ):
        animals, things = (
            one_number.at_it(model, tokenizer, line, nouns, layer=2, number=490)
            for nouns in (one_number.ANIMALS, one_number.THINGS)
        )
        assert animals.shape == (16,)
        assert animals.min() > things.max()
