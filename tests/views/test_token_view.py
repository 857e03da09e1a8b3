"""The token view, as far as Python reaches."""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from matplotlib.figure import Figure
from transformers import BertTokenizer, GPT2Tokenizer

from bertviz_lite import load
from bertviz_lite.plots.display import MAX_BYTES
from bertviz_lite.views import TokenView, ViewError
from bertviz_lite.views.base.sources import read_module, read_style
from bertviz_lite.views.tokens.tables import outcome
from bertviz_lite.views.tokens.view import EXAMPLES, MOST
from tests.views.test_views import HOSTILE, KEPT, Reader

if TYPE_CHECKING:
    from pathlib import Path

SMALL = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "un",
    "##wrap",
    "##ped",
    "##p",
    "zoe",
    "it",
    "e",
    ".",
    "猫",
)


@pytest.fixture(scope="module")
def tokenizer() -> BertTokenizer:
    return BertTokenizer(vocab={token: 10 * i for i, token in enumerate(SMALL)}, do_lower_case=True)


@pytest.fixture(scope="module")
def pocket() -> Any:  # noqa: ANN401 - tokenizers have no types
    return load("pocket")[0]


def words(view: TokenView) -> list[str]:
    return [word["text"] for word in view._cut["words"]]


def tokens(view: TokenView) -> list[str]:
    return [token["text"] for token in view._cut["tokens"]]


# ---- what it holds


def test_a_text_is_cut_as_the_tokenizer_cuts_it(tokenizer: BertTokenizer) -> None:
    view = TokenView(tokenizer, "Zoë unwrapped it.", "It unzipped.")
    given = tokenizer("Zoë unwrapped it.", "It unzipped.")
    assert [token["id"] for token in view._cut["tokens"]] == given["input_ids"]
    assert [token["segment"] for token in view._cut["tokens"]] == given["token_type_ids"]
    assert tokens(view)[:6] == ["[CLS]", "zoe", "un", "##wrap", "##ped", "it"]
    assert [(word["typed"], word["text"], word["tokens"]) for word in view._cut["words"][:2]] == [
        ("Zoë", "zoe", [1, 2]),
        ("unwrapped", "unwrapped", [2, 5]),
    ]
    assert view._cut["words"][1]["spans"] == [[0, 2], [2, 6], [6, 9]]
    unknown = view._cut["words"][5]
    assert (unknown["text"], unknown["failed_at"], unknown["spans"]) == ("unzipped", 2, [[0, 2]])
    assert [token["word"] for token in view._cut["tokens"]][:2] == [None, 0]


def test_the_first_word_that_falls_apart_is_chosen(tokenizer: BertTokenizer) -> None:
    assert TokenView(tokenizer, "It unwrapped it.").word == 1
    assert TokenView(tokenizer, "It.").word == 0
    assert TokenView(tokenizer, "").word is None


@settings(max_examples=60)
@given(
    st.text(
        alphabet=st.sampled_from("annaTomÉe\u0301猫ひ \u200b\u200b\x00\n👩\u200dשل'-.!½[]MASK"), max_size=25
    ),
    st.none() | st.text(max_size=12),
)
def test_any_text_is_cut_and_explained(pocket: Any, text: str, pair: str | None) -> None:  # noqa: ANN401
    view = TokenView(pocket, text, pair)
    given = pocket(text, pair, verbose=False)
    assert [token["id"] for token in view._cut["tokens"]] == given["input_ids"]
    assert [token["segment"] for token in view._cut["tokens"]] == given["token_type_ids"]
    covered = [place for word in view._cut["words"] for place in range(*word["tokens"])]
    assert covered == [i for i, token in enumerate(view._cut["tokens"]) if token["word"] is not None]
    for word in view.cut.words:
        special = word.text in pocket.all_special_tokens
        assert special or word.search is not None, word
        assert word.typed in (text if word.segment == 0 else pair or "")


def test_special_tokens_in_the_text_are_words_without_a_search(tokenizer: BertTokenizer) -> None:
    view = TokenView(tokenizer, "It [MASK] it.", word=1)
    assert (words(view)[1], view._cut["words"][1]["searched"]) == ("[MASK]", False)
    assert "taken as it is" in outcome(view.cut, view.word)


def test_a_word_too_long_to_search_becomes_unk(tokenizer: BertTokenizer) -> None:
    view = TokenView(tokenizer, "e" * 101)
    assert view._cut["words"][0]["too_long"] is True
    assert "too long to be searched" in outcome(view.cut, view.word)
    assert "[UNK]" in view.fallback()


@pytest.mark.parametrize(
    ("text", "becomes", "why"),
    [
        ("A", "a", "capital: made small"),
        ("ë", "e", "taken apart, mark dropped"),
        ("É", "e", "taken apart, mark dropped, made small"),
        ("\u0301", "nothing", "an accent or another mark: dropped"),
        ("\u200b", "nothing", "invisible or not a character: dropped"),
        ("\t", "␣", "white space: a plain space"),
        ("猫", "␣猫␣", "Chinese: spaces on both sides"),
        ("가", "\u1100\u1161", "taken apart"),
        ("\u037e", ";", "written in another way"),
    ],
)
def test_every_change_by_normalisation_has_a_reason(
    tokenizer: BertTokenizer, text: str, becomes: str, why: str
) -> None:
    (change,) = TokenView(tokenizer, text)._cut["changes"]
    assert (change["becomes"], change["why"]) == (becomes, why)
    assert TokenView(tokenizer, "it .")._cut["changes"] == []


def test_accents_that_are_characters_of_their_own_stay_with_their_word(tokenizer: BertTokenizer) -> None:
    view = TokenView(tokenizer, "Zoe\u0308 it")
    assert [(word["typed"], word["text"]) for word in view._cut["words"]] == [
        ("Zoe\u0308", "zoe"),
        ("it", "it"),
    ]


def test_a_tokenizer_that_keeps_capitals_is_shown_as_it_is() -> None:
    cased = BertTokenizer(
        vocab={token: i for i, token in enumerate((*SMALL, "Zo", "##ë"))}, do_lower_case=False
    )
    view = TokenView(cased, "Zoë")
    assert tokens(view) == ["[CLS]", "Zo", "##ë", "[SEP]"]
    assert view._cut["changes"] == []


# ---- state


def test_a_new_text_is_cut_at_once(tokenizer: BertTokenizer) -> None:
    view = TokenView(tokenizer, "It unwrapped it.", word=3)
    view.step = 0
    view.set_state({"text": "unwrapped"})  # as the page sends it
    assert (words(view), view.word, view.step) == (["unwrapped"], 0, None)
    view.text_pair = "it"
    assert tokens(view)[-3:] == ["[SEP]", "it", "[SEP]"]
    view.text = ""
    view.text_pair = None
    assert (tokens(view), view.word) == (["[CLS]", "[SEP]"], None)
    view.text = "it"
    assert view.word == 0


def test_another_word_shows_its_whole_search(tokenizer: BertTokenizer) -> None:
    view = TokenView(tokenizer, "unwrapped it", step=2)
    assert view.step == 2
    view.word = 1
    assert view.step is None


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("word", 2, r"^word=2: there are 2 words, numbered 0 to 1\.$"),
        ("word", "it", r"^word='it': a whole number from 0 to 1 is needed, or None\.$"),
        ("step", 13, r"^step=13: there are 13 looks into the vocabulary, numbered 0 to 12\.$"),
        ("text", 3, r"^text=3: a text is needed, such as"),
        ("text", None, r"^text=None: a text is needed"),
        ("text_pair", 3, r"^text_pair=3: a text or None is needed"),
        ("text", "a" * (MOST + 1), r"^text has 1,001 characters, at most 1,000 are shown: shorten it\.$"),
        ("text", "a\ud800", r"^text holds half a character"),
    ],
)
def test_bad_values_are_refused_in_one_line_and_change_nothing(
    tokenizer: BertTokenizer, name: str, value: object, message: str
) -> None:
    view = TokenView(tokenizer, "unwrapped it")
    before = {known: getattr(view, known) for known in view.state}
    with pytest.raises(ViewError, match=message):
        setattr(view, name, value)
    assert {known: getattr(view, known) for known in view.state} == before


def test_other_tokenizers_and_unknown_names_are_refused(tokenizer: BertTokenizer) -> None:
    with pytest.raises(TypeError, match=r"^TokenView\(\) shows a tokenizer that cuts by .*, not str: "):
        TokenView("Anna", "Anna")
    with pytest.raises(TypeError, match=r"not GPT2Tokenizer: "):
        TokenView(GPT2Tokenizer(vocab={"a": 0, "<|endoftext|>": 1}, merges=[]), "a")
    with pytest.raises(TypeError, match=r"^token=3: TokenView knows text, text_pair, word, step\.$"):
        TokenView(tokenizer, "it", token=3)


# ---- the script-free layer


def test_repr_and_bundle(tokenizer: BertTokenizer) -> None:
    view = TokenView(tokenizer, "It unwrapped it.", step=1)
    assert repr(view) == (
        "TokenView(4 words, 8 tokens, text='It unwrapped it.', text_pair=None, word=1, step=1)"
    )
    bundle, _ = view._repr_mimebundle_()
    assert bundle["text/html"] == TokenView(tokenizer, "It unwrapped it.").fallback()


def test_fallback_says_the_tokens_the_search_and_the_changes(tokenizer: BertTokenizer) -> None:
    found = Reader(TokenView(tokenizer, "Zoë unwrapped it.").fallback())
    assert set(found.tags) <= KEPT
    alt = dict(found.attributes)["alt"]
    assert alt == (
        "4 words become 8 tokens: [CLS] zoe un ##wrap ##ped it . [SEP]. "
        "“unwrapped” is cut into un, ##wrap, ##ped after 13 looks into the vocabulary."
    )
    assert "All tokens|token|input_ids|token_type_ids|of the word|" in found.text
    assert "|2 un|50|0|unwrapped|" in found.text
    assert "|12|##ped|yes, id 70|" in found.text
    assert "|ë|U+00EB|LATIN SMALL LETTER E WITH DIAERESIS|e|taken apart, mark dropped|" in found.text


def test_the_picture_has_the_pages_rows_and_the_segments_colours(tokenizer: BertTokenizer) -> None:
    figure = TokenView(tokenizer, "It unwrapped it.", "It sat.", word=1)._static().figure
    assert isinstance(figure, Figure)
    (ax,) = figure.axes
    written = [text.get_text() for text in ax.texts]
    assert written[:5] == ["as typed", "normalised", "token", "id", "segment"]
    assert [text.get_text() for text in ax.texts if text.get_fontweight() == "bold"][:2] == [
        "it",
        "unwrapped",
    ]
    assert written.count("special") == 3
    assert {"It", "unwrapped", "##wrap", "##ped"} <= set(written)
    bands = [line.get_color() for line in ax.lines]
    assert bands == ["#0072b2"] * 6 + ["#c27400"] * 4  # with [CLS] and [SEP]
    framed = [patch for patch in ax.patches if patch.get_facecolor()[:3] != (1, 1, 1)]
    (typed,) = (
        text
        for text in ax.texts
        if text.get_text() == "unwrapped" and text.get_fontsize() == 11.0 and text.get_fontweight() != "bold"
    )
    assert len(framed) == 1
    assert framed[0].get_x() < typed.get_position()[0] < framed[0].get_x() + framed[0].get_width()


def test_the_search_table_lists_every_look(tokenizer: BertTokenizer) -> None:
    found = Reader(TokenView(tokenizer, "unzip").fallback())
    assert "|6|##p|no|" not in found.text  # un is found, ##zip, ##zi and ##z are not
    assert "|5|##zi|no|" in found.text
    assert "becomes [UNK]: no word piece fits from character 2 on." in dict(found.attributes)["alt"]  # type: ignore[operator]


def test_picture_of_a_long_text_is_small_and_the_tables_say_what_they_leave_out(pocket: Any) -> None:  # noqa: ANN401
    html = TokenView(pocket, "bumblebee " * 100).fallback()
    found = re.search(r"base64,([^\"]+)", html)
    assert found
    assert len(base64.b64decode(found[1])) <= MAX_BYTES
    assert "The first 64 of 602 tokens" in html
    assert len(html) < 150_000
    looks = TokenView(pocket, "z" * 30).fallback()
    assert "The first 40 of " in looks


@pytest.mark.parametrize(
    "text", [example[0] for example in EXAMPLES] + ["", "👩\u200d👩\u200d👧", "שלום עולם", "\x00", HOSTILE]
)
def test_any_text_has_a_picture(pocket: Any, text: str) -> None:  # noqa: ANN401
    html = TokenView(pocket, text, text).fallback()
    assert "<img" in html
    assert HOSTILE not in html


# ---- the saved page


def test_saved_page(pocket: Any, tmp_path: Path) -> None:  # noqa: ANN401
    view = TokenView(pocket, f"Anna {HOSTILE}", "<img src=x onerror=alert(1)>", word=0)
    for name in ("one.html", "two.html"):
        view.save(tmp_path / name)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()
    page = (tmp_path / "one.html").read_text(encoding="utf-8")
    assert HOSTILE not in page
    assert "<img src=x" not in page
    assert page.count("</script>") == 7
    blocks = dict(
        re.findall(r'<script type="application/json" data-bvl="(\w+)">(.*?)</script>', page, flags=re.DOTALL)
    )
    state = json.loads(blocks["state"])
    assert (state["text"], state["word"]) == (f"Anna {HOSTILE}", 0)
    assert state["_cut"] == view.cut.data()
    assert json.loads(blocks["module"]) == read_module("tokens")


def test_module_touches_no_network_and_writes_no_markup() -> None:
    text = read_module("tokens")
    assert len(re.findall("^export default", text, re.MULTILINE)) == 1
    # What starts the page's engine imports its source, which is in the page.
    assert re.findall(r"\bimport\((?!\")[^)]*\)", text) == ["import(address)"]
    assert not re.search(
        r"^\s*import\b|innerHTML\s*=|insertAdjacentHTML|document\.write|\.id\s*=|fetch\(",
        text,
        re.MULTILINE,
    )
    assert "url(" not in read_style("tokens")
