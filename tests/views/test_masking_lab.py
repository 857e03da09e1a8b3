"""The masking lab as far as Python reaches: state, shares, sampling equal to the page's, guesses, pages."""

from __future__ import annotations

import base64
import dataclasses
import gc
import json
import re
import subprocess
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st
from matplotlib.figure import Figure
from transformers import BertForMaskedLM, BertModel, BertTokenizer

from bertviz_lite import MaskingLab, load
from bertviz_lite.data.masking import mask_tokens
from bertviz_lite.plots.display import MAX_BYTES
from bertviz_lite.views import ViewError
from bertviz_lite.views.masking.draws import SEEDS
from bertviz_lite.views.masking.shares import SHARES, balance
from tests.helpers.browser import find_program
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.javascript import printed_by
from tests.helpers.tiny_families import family
from tests.helpers.tiny_models import SPECIAL, WORDS, make
from tests.views.test_views import HOSTILE, KEPT, Reader

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    Parts = tuple[PreTrainedModel, PreTrainedTokenizerBase]

TEXT = "Anna loses her keyring in the park, so Tom unlocks the door."
RUNNER = Path(__file__).parent / "js" / "masking_run.mjs"


@pytest.fixture(scope="module")
def parts() -> Parts:
    tokenizer, model = load("pocket")
    return model, tokenizer


def lab_of(parts: Parts, text: str = TEXT, **state: object) -> MaskingLab:
    return MaskingLab(*parts, text, **state)


def shares(lab: MaskingLab) -> tuple[float, float, float]:
    return lab.mask_share, lab.random_share, lab.keep_share


def tiny(*more: str) -> tuple[Any, Any]:
    words = (*SPECIAL, *WORDS, *more)
    tokenizer = BertTokenizer(vocab={token: i for i, token in enumerate(words)}, do_lower_case=True)
    return make(BertForMaskedLM, vocab_size=len(words)), tokenizer


# ---- state


def test_state_starts_as_bert_was_trained(parts: Parts) -> None:
    lab = lab_of(parts)
    assert {name: getattr(lab, name) for name in lab.state} == {
        "text": TEXT,
        "rate": 0.15,
        "mask_share": 0.8,
        "random_share": 0.1,
        "keep_share": 0.1,
        "whole_words": False,
        "seed": 0,
        "selected": None,
    }


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("rate", 0, r"^rate=0: a number above 0"),
        ("rate", 1, r"^rate=1: a number above 0 and below 1 is needed"),
        ("rate", "much", r"^rate='much': a number"),
        ("mask_share", 1.5, r"^mask_share=1\.5: a number from 0 to 1 is needed\.$"),
        ("keep_share", None, r"^keep_share=None: a number from 0 to 1 is needed\.$"),
        ("whole_words", "yes", r"^whole_words='yes': True or False is needed\.$"),
        ("seed", 100, r"^seed=100: there are 100 draws, numbered 0 to 99\.$"),
        ("selected", 99, r"^selected=99: there are 19 tokens, numbered 0 to 18\.$"),
        ("text", "  ", r"^text is empty"),
        ("text", 7, r"^text is an? int"),
        ("text", "park " * 200, r"^text has 202 tokens, BertForPreTraining has 128 positions"),
    ],
)
def test_bad_values_are_refused_in_one_line_and_change_nothing(
    parts: Parts, name: str, value: object, message: str
) -> None:
    lab = lab_of(parts, selected=3)
    before = {known: getattr(lab, known) for known in lab.state}
    with pytest.raises(ViewError, match=message) as caught:
        setattr(lab, name, value)
    assert "\n" not in str(caught.value)
    assert {known: getattr(lab, known) for known in lab.state} == before
    if name != "text":
        with pytest.raises(ViewError, match=message):
            lab_of(parts, **{name: value})


def test_unknown_names_and_swapped_arguments_are_refused(parts: Parts) -> None:
    with pytest.raises(TypeError, match=r"^ratio=1: MaskingLab knows text, rate, mask_share, random_share"):
        lab_of(parts, ratio=1)
    with pytest.raises(ViewError, match="swapped"):
        MaskingLab(parts[1], parts[0], TEXT)


def test_repr_shows_the_state_and_clips_the_text(parts: Parts) -> None:
    text = "Anna sees the park. " * 6
    assert repr(lab_of(parts, text)) == (
        "MaskingLab(32 tokens, text='Anna sees the park. Anna sees the park. Anna sees the park.…', "
        "rate=0.15, mask_share=0.8, random_share=0.1, keep_share=0.1, "
        "whole_words=False, seed=0, selected=None)"
    )


def test_another_text_starts_with_nothing_selected(parts: Parts) -> None:
    lab = lab_of(parts, selected=18)
    lab.text = "Tom sleeps."
    assert lab._tokens == ["[CLS]", "tom", "sleeps", ".", "[SEP]"]
    assert lab.selected is None
    assert lab.masked()[0].shape == (1, 5)
    assert len(lab._luck) == SEEDS * 5 * 4
    with pytest.raises(ViewError, match="selected=5: there are 5 tokens"):
        lab.selected = 5


# ---- shares


def test_the_other_two_shares_keep_their_ratio(parts: Parts) -> None:
    lab = lab_of(parts)
    lab.mask_share = 0.6
    assert shares(lab) == pytest.approx((0.6, 0.2, 0.2))
    lab.random_share = 0.6
    assert shares(lab) == pytest.approx((0.3, 0.6, 0.1))
    lab.mask_share = 1
    assert shares(lab) == (1, 0, 0)
    lab.mask_share = 0.5
    assert shares(lab) == (0.5, 0.25, 0.25)


def test_shares_given_together_must_add_up(parts: Parts) -> None:
    assert shares(lab_of(parts, mask_share=1.0)) == (1, 0, 0)
    assert shares(lab_of(parts, random_share=0.5, keep_share=0.5)) == (0, 0.5, 0.5)
    assert shares(lab_of(parts, mask_share=0.5, random_share=0.3, keep_share=0.2)) == (0.5, 0.3, 0.2)
    with pytest.raises(
        ViewError, match=r"^mask_share=0\.5, .* must add up to 1, and these add up to 0\.9\.$"
    ):
        lab_of(parts, mask_share=0.5, random_share=0.3, keep_share=0.1)
    with pytest.raises(ViewError, match=r"these add up to 1\.2"):
        lab_of(parts, mask_share=0.9, keep_share=0.3)


@given(
    st.lists(st.integers(0, 100), min_size=3, max_size=3).filter(any),
    st.integers(0, 2),
    st.floats(0, 1, allow_nan=False),
)
def test_balanced_shares_add_up_to_one(weights: list[int], moved: int, value: float) -> None:
    before = tuple(weight / sum(weights) for weight in weights)
    after = balance(before, moved, value)  # type: ignore[arg-type]
    assert after[moved] == value
    assert sum(after) == pytest.approx(1, abs=1e-9)
    assert min(after) >= 0
    (first, second), (one, other) = (
        [share for place, share in enumerate(each) if place != moved] for each in (before, after)
    )
    assert one * second == pytest.approx(other * first, abs=2e-4)


def test_all_three_shares_from_the_page_stay_as_they_are(parts: Parts) -> None:
    lab = lab_of(parts)
    lab.set_state({"mask_share": 0.2, "random_share": 0.7})
    assert shares(lab) == (0.2, 0.7, 0.1)


def test_a_value_refused_from_the_page_is_sent_back_with_the_reason(parts: Parts) -> None:
    lab = lab_of(parts)
    lab.set_state({"text": " "})
    assert lab.text == TEXT
    assert lab._problem.startswith("text is empty")
    lab.set_state({"text": "Tom sleeps."})
    assert (lab.text, lab._problem) == ("Tom sleeps.", "")


# ---- the sampling


@pytest.mark.parametrize("whole_words", [False, True])
def test_a_draw_masks_as_mask_tokens_does(parts: Parts, whole_words: bool) -> None:
    lab = lab_of(parts, rate=0.4, mask_share=0.5, whole_words=whole_words)
    ids = torch.tensor([lab._ids])
    for seed in (0, 1, 99):
        expected = mask_tokens(ids, lab.masking, torch.Generator().manual_seed(seed))
        for found, wanted in zip(lab.masked(seed), expected, strict=True):
            assert torch.equal(found, wanted)


def test_outcomes_say_what_masked_did(parts: Parts) -> None:
    lab = lab_of(parts, rate=0.6, mask_share=0.4, whole_words=True)
    seen = set()
    for seed in range(SEEDS):
        masked, labels = (part[0].tolist() for part in lab.masked(seed))
        for outcome, before, after, label in zip(lab.outcomes(seed), lab._ids, masked, labels, strict=True):
            seen.add(outcome)
            assert (label == before) == (outcome in ("mask", "random", "keep"))
            if outcome == "mask":
                assert after == lab.engine.tokenizer.mask_token_id
            elif outcome == "random":
                assert after not in lab.engine.tokenizer.all_special_ids
            else:
                assert after == before
    assert seen == {"special", "left", "mask", "random", "keep"}


def test_counts_lie_in_the_range_that_is_expected(parts: Parts) -> None:
    lab = lab_of(parts, rate=0.3)
    chosen, mask, random, keep = lab.counts(every_seed=True)
    assert (chosen.what, chosen.of, chosen.tries) == ("chosen", "tokens", 17 * SEEDS)
    assert chosen.expected == pytest.approx(0.3 * 17 * SEEDS)
    assert chosen.low <= chosen.hits <= chosen.high
    assert mask.hits + random.hits + keep.hits == mask.tries == chosen.hits
    lab.whole_words = True
    words = lab.counts()[0]
    assert (words.of, words.tries) == ("words", 14)  # the comma and the full stop are words too


RULES = [
    {"rate": rate, "shares": list(each), "wholeWords": whole, "seed": 7}
    for rate in (0.01, 0.15, 0.5, 0.7, 0.99)
    for each in ((0.8, 0.1, 0.1), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.35, 0.65, 0.0), (0.9, 0.05, 0.05))
    for whole in (False, True)
]


@pytest.mark.thorough
def test_the_page_hides_the_same_tokens_as_python(parts: Parts) -> None:
    """Every draw under fifty rules, through the view's own JavaScript."""
    lab = lab_of(parts)
    state = lab._saved_state()
    numbers = {
        name: base64.b64encode(value).decode() for name, value in state.items() if isinstance(value, bytes)
    }
    plain = {name: value for name, value in state.items() if name not in numbers}
    given_to = {
        "state": {**plain, "mask_id": lab.engine.tokenizer.mask_token_id},
        "bytes": numbers,
        "cases": RULES,
    }
    node = find_program(["node", "nodejs"], "Node.js")
    run = subprocess.run(
        [node, str(RUNNER)], input=json.dumps(given_to), capture_output=True, text=True, encoding="utf-8",
        check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    for rules, found in zip(RULES, json.loads(run.stdout), strict=True):
        of = lab_of(
            parts,
            rate=rules["rate"],
            whole_words=rules["wholeWords"],
            seed=rules["seed"],
            **dict(zip(SHARES, rules["shares"], strict=True)),  # type: ignore[call-overload]
        )
        for seed, draw in enumerate(found["draws"]):
            masked, labels = (part[0].tolist() for part in of.masked(seed))
            assert draw["outcomes"] == of.outcomes(seed)
            assert [read["id"] for read in draw["reads"]] == masked
            assert [read["label"] for read in draw["reads"]] == labels
            names = of.engine.tokenizer.convert_ids_to_tokens(masked)
            assert [read["token"] for read in draw["reads"]] == names
        for every_seed, name in ((False, "now"), (True, "every")):
            expected = of.counts(every_seed=every_seed)
            assert [(count["hits"], count["tries"], *count["range"]) for count in found[name]] == [
                (count.hits, count.tries, count.low, count.high) for count in expected
            ]
        of.close()


def test_balance_is_the_same_in_the_page() -> None:
    cases = [
        (before, moved, percent / 100)
        for before in ((0.8, 0.1, 0.1), (0.0, 0.0, 1.0), (0.3333, 0.3333, 0.3334), (0.7, 0.21, 0.09))
        for moved in range(3)
        for percent in range(0, 101, 7)
    ]
    script = (
        "import { load } from './load.mjs'; const { balance } = await load('masking');"
        f"console.log(JSON.stringify({json.dumps(cases)}.map((one) => balance(...one))))"
    )
    assert [tuple(shares) for shares in printed_by(script)] == [balance(*case) for case in cases]


# ---- the guesses


def test_guesses_are_those_of_the_model(parts: Parts) -> None:
    model, tokenizer = parts
    lab = lab_of(parts, selected=1)
    guess = lab.guesses()
    ids = torch.tensor([lab._ids])
    hidden = ids.clone()
    hidden[0, 1] = tokenizer.mask_token_id
    with torch.no_grad():
        logits = [model(each).prediction_logits[0, 1].double() for each in (ids, hidden)]
    for found, wanted in zip((guess["before"], guess["after"]), logits, strict=True):
        probabilities = wanted.softmax(-1)
        best = probabilities.topk(5)
        assert [token for token, _ in found.top] == tokenizer.convert_ids_to_tokens(best.indices.tolist())
        assert [share for _, share in found.top] == pytest.approx(best.values.tolist(), abs=1e-5)
        assert found.truth == pytest.approx(float(probabilities[ids[0, 1]]), abs=1e-5)
    assert guess["before"].truth != guess["after"].truth


def test_whole_words_are_hidden_whole(parts: Parts) -> None:
    lab = lab_of(parts, "Anna lost her keyring.")
    first = lab.tokens.index("key")
    assert lab.tokens[first : first + 4] == ("key", "##ri", "##n", "##g")
    assert lab._now.word_of(first + 1) == tuple(range(first, first + 4))
    found = []
    for lab.whole_words, count in ((False, 1), (True, 4)):
        ids = torch.tensor([lab._ids])
        truth = int(ids[0, first])
        ids[0, first : first + count] = parts[1].mask_token_id
        with torch.no_grad():
            logits = parts[0](ids).prediction_logits[0, first].double()
        found.append(lab.guesses(first)["after"].truth)
        assert found[-1] == pytest.approx(float(logits.softmax(-1)[truth]), abs=1e-5)
    assert abs(found[0] - found[1]) > 0.01  # the other pieces tell something about the first


def test_guesses_are_refused_without_a_token_or_a_head(parts: Parts) -> None:
    lab = lab_of(parts)
    with pytest.raises(ViewError, match=r"say which token"):
        lab.guesses()
    with pytest.raises(ViewError, match=r"^token 0 is \[CLS\], a special one: it is never hidden\.$"):
        lab.guesses(0)
    _, tokenizer = tiny()
    headless = MaskingLab(make(BertModel), tokenizer, "the cat sits", selected=1)
    assert headless._predicts is False
    with pytest.raises(ViewError, match="BertModel has no language-model head"):
        headless.guesses()
    assert list(headless._saved_blocks()) == []
    assert "<img" in headless.fallback()


@pytest.mark.parametrize("name", ["piece/99", "piece/-1", "piece/x", "word", "other/1", "piece/²"])
def test_unknown_blocks_are_refused(parts: Parts, name: str) -> None:
    with pytest.raises(ViewError):
        lab_of(parts)._block(name)


def test_models_that_cannot_guess_a_hidden_token_from_both_sides_are_refused_in_one_line() -> None:
    for name in ("gpt2", "t5"):
        with pytest.raises(ViewError, match=r"^the tokenizer of \w+ has no mask token: use that of"):
            MaskingLab(*family(name), "the cat sits")
    gpt2, _ = family("gpt2")
    _, tokenizer = tiny()
    with pytest.raises(ViewError, match=r"^GPT2LMHeadModel reads only the tokens before a place"):
        MaskingLab(gpt2, tokenizer, "the cat sits")
    with pytest.raises(ViewError, match=r"^BartForConditionalGeneration reads with an encoder and a decoder"):
        MaskingLab(*family("bart"), "the cat sits")
    with pytest.raises(TypeError, match=r"^tokenizer is None: give the tokenizer that belongs to BertForMas"):
        MaskingLab(tiny()[0], None, "the cat sits")


def test_an_engine_without_torch_stands_behind_the_view() -> None:
    engine = FakeEngine()
    lab = MaskingLab(engine, text="the cat sits .", selected=2)
    guess = lab.guesses()["after"]
    logits = engine.read_layers(engine.encode("the [MASK] sits ."), [2])[-1, 0]
    shares = np.exp(logits) / np.exp(logits).sum()
    assert guess.truth == pytest.approx(shares[engine.id_of("cat")], rel=1e-5)
    assert [token for token, _ in guess.top] == engine.names(np.argsort(-shares)[:5])
    assert engine.passes == 3  # two of the lab, one here
    with pytest.raises(ViewError, match=r"^text has 26 tokens, FakeBert has 24 positions"):
        lab.text = "the cat " * 12
    assert "<img" in lab.fallback()


def test_a_tokenizer_without_word_pieces_knows_no_whole_words() -> None:
    model, tokenizer = family("roberta")
    lab = MaskingLab(model, tokenizer, "the cat sits")
    with pytest.raises(ViewError, match=r"^whole_words=True: no token of this vocabulary starts with ##"):
        lab.whole_words = True
    assert lab.whole_words is False


def test_masks_in_the_text_are_left_alone(parts: Parts) -> None:
    lab = lab_of(parts, "Anna [MASK] her key.", rate=0.99)
    assert lab._tokens[2] == "[MASK]"
    assert {lab.outcomes(seed)[2] for seed in range(SEEDS)} == {"special"}
    with pytest.raises(ViewError, match="nothing to choose from"):
        lab_of(parts, "[MASK]")


# ---- the script-free layer and the page


def test_fallback_keeps_to_what_an_untrusted_notebook_keeps(parts: Parts) -> None:
    found = Reader(lab_of(parts, selected=3, rate=0.6, mask_share=0.4).fallback())
    assert set(found.tags) <= KEPT
    assert {name for name, _ in found.attributes} <= {"alt", "width", "src", "scope"}


def test_alt_text_names_what_became_of_each_token(parts: Parts) -> None:
    lab = lab_of(parts, rate=0.5, mask_share=0.5, seed=3, selected=4)
    alt = dict(Reader(lab.fallback()).attributes)["alt"]
    assert alt is not None
    count = lab.counts()[0]
    assert f"draw 3: {count.hits} of 17 tokens chosen, 8.5 expected." in alt
    for place, outcome in enumerate(lab.outcomes()):
        if outcome == "mask":
            assert f"“{lab._tokens[place]}” becomes [MASK]" in alt
    assert f"hidden the model’s first guess there is “{lab.guesses()['after'].top[0][0]}”" in alt


def test_the_picture_has_the_models_guess_under_each_chosen_token(parts: Parts) -> None:
    lab = lab_of(parts, rate=0.5, mask_share=0.5, seed=3)
    static = lab._static()
    assert isinstance(static.figure, Figure)
    written = [text.get_text() for text in static.figure.axes[0].texts]
    right, losses = 0, []
    for place, answer in lab.answers().items():
        best, share = answer.top[0]
        is_right = best == lab._tokens[place]
        right += is_right
        losses.append(-np.log(answer.truth))
        assert written[4 * place + 3] == f"→ {best} {100 * share:.1f} %" + " ✓" * is_right
    unchosen = set(range(len(lab._tokens))) - set(lab.answers())
    assert {written[4 * place + 3] for place in unchosen} == {""}
    assert f"is right at {right} of {len(losses)} chosen places" in static.alt
    assert f"of the true tokens, is {np.mean(losses):.2f}." in static.alt


@pytest.mark.thorough
def test_picture_of_a_long_text_is_small(parts: Parts) -> None:
    lab = lab_of(parts, "Anna sees the park. " * 24, rate=0.6, selected=2)
    shown = lab.fallback()
    found = re.search(r"base64,([^\"]+)", shown)
    assert found
    assert len(base64.b64decode(found[1])) <= MAX_BYTES
    assert "The first 64 of 122 tokens" in shown


def test_bundle_has_all_three_layers(parts: Parts) -> None:
    lab = lab_of(parts)
    bundle, _ = lab._repr_mimebundle_()
    assert set(bundle) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert bundle["text/plain"] == repr(lab)


def test_hostile_tokens_are_escaped_everywhere(tmp_path: Path) -> None:
    model, tokenizer = tiny(HOSTILE)
    tokenizer.add_tokens([HOSTILE])
    lab = MaskingLab(model, tokenizer, f"the {HOSTILE} sits", selected=2, rate=0.9)
    assert HOSTILE in lab._tokens
    assert HOSTILE not in lab.fallback()
    lab.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert HOSTILE not in page
    assert "alert(1)</script>" not in page


def test_saved_page_has_every_draw_and_every_guess(parts: Parts, tmp_path: Path) -> None:
    lab = lab_of(parts, selected=2)
    lab.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    names = re.findall(r'data-bvl-block="([^"]+)"', page)
    assert [f"piece/{place}" for place in range(1, 18)] == [name for name in names if "piece" in name]
    assert f"word/{lab.tokens.index('##ri')}" in names
    state = json.loads(re.findall(r'data-bvl="state">(.*?)</script>', page, flags=re.DOTALL)[0])
    assert (state["selected"], state["seed"]) == (2, 0)
    assert set(re.findall(r"https?://[^\s\"'\\]+", page)) <= {"http://www.w3.org/2000/svg"}


def test_saved_page_is_the_same_every_time(parts: Parts, tmp_path: Path) -> None:
    for name in ("one.html", "two.html"):
        lab_of(parts, "Tom sleeps.").save(tmp_path / name)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()


def test_the_model_is_left_as_it_was(parts: Parts) -> None:
    model, _ = parts
    model.train()
    try:
        lab_of(parts, selected=3).guesses()
        assert model.training
        assert all(parameter.grad is None for parameter in model.parameters())
    finally:
        model.eval()


def test_a_closed_lab_is_let_go(parts: Parts) -> None:
    lab = lab_of(parts, selected=3)
    lab.guesses()
    held = weakref.ref(lab)
    lab.close()
    del lab
    gc.collect()
    assert held() is None


def test_rules_are_a_dataclass_that_can_be_changed(parts: Parts) -> None:
    lab = lab_of(parts, mask_share=1.0, random_share=0.0)
    assert dataclasses.replace(lab.masking, rate=0.3).keep_share == 0
    assert np.isclose(lab.masking.mask_share, 1.0)
