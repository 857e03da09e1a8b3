"""The token view's answers in the page are those of Python; names of characters come from its list."""

from __future__ import annotations

import json
import subprocess
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from transformers import BertTokenizer

from bertviz_lite import load
from bertviz_lite.views import TokenView, ViewError
from bertviz_lite.views.tokens.view import EXAMPLES
from tests.helpers.browser import find_program
from tests.helpers.odd_texts import SCRIPTS, odd_texts, story_texts
from tests.helpers.page_answers import Refused, page_answers
from tests.helpers.tiny_models import SPECIAL, WORDS

NAMES = Path(__file__).parents[2] / "bertviz_lite" / "views" / "tokens" / "js" / "character_names.js"
TEXTS: list[tuple[str, str, str | None]] = [
    *(("pocket", text, None) for text in story_texts(515, 30)),
    *(("pocket", text, pair) for text, pair in EXAMPLES),
    *(("pocket", text, None) for text in odd_texts(10, 120)),
    *(("cased", text, "The Cat, [MASK] é") for text in (*SCRIPTS, "The cat sits.")),
    ("pocket", "", ""),
    ("pocket", "a key", ""),
    ("pocket", "", "a key"),
    ("pocket", "It unwrapped [UNK] [MASK]x ##s.", " "),
    ("pocket", "e" * 101 + " unbelievable☃ness", None),
    ("pocket", "Zoe\u0308 it\u0301", "ŝ\u0323 각 \u1fef \u2260"),
    ("pocket", "x" * 1_001, None),
    ("pocket", "a", "😀" * 1_001),
    ("pocket", "a\ud800", None),
    ("pocket", "a", "\udc00b"),
]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Any, Any]]:
    """For each text the answer of Python and that of the page, which has the model or only the tokenizer."""
    tokenizer, model = load()
    cased = BertTokenizer(vocab={token: i for i, token in enumerate((*SPECIAL, *WORDS))}, do_lower_case=False)
    tokenizers = {"pocket": tokenizer, "cased": cased}
    views = {name: TokenView(one, "It unwrapped it.", word=2) for name, one in tokenizers.items()}
    python: list[Any] = []
    asked: list[tuple[str, dict[str, Any]]] = []
    for name, text, pair in TEXTS:
        view = views[name]
        asked.append((name, {"type": "ask", "values": {"text": text, "text_pair": pair, "word": view.word}}))
        try:
            with view.hold_trait_notifications():
                view.text, view.text_pair = text, pair
        except ViewError as error:
            python.append(Refused(error))
            views[name] = TokenView(tokenizers[name], "It unwrapped it.")
        else:
            python.append({trait: getattr(view, trait) for trait in (*TokenView.state, "_cut")})
    folder = tmp_path_factory.mktemp("answers")
    whole = page_answers(folder, "tokens", {"pocket": (model, tokenizer), "cased": cased}, asked)
    assert page_answers(folder, "tokens", tokenizers, asked) == whole
    return list(zip(python, whole, strict=True))


def test_every_text_is_cut_explained_or_refused_as_python_does(both: list[tuple[Any, Any]]) -> None:
    for (_, text, pair), (python, page) in zip(TEXTS, both, strict=True):
        assert page == python, (text, pair)
    assert sum(isinstance(python, Refused) for python, _ in both) == 4


@pytest.mark.thorough
def test_every_character_that_the_tokenizer_changes_has_its_name(tmp_path: Path) -> None:
    tokenizer, _ = load()
    normalise = tokenizer.backend_tokenizer.normalizer.normalize_str
    letters = (chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    changed = [letter for letter in letters if normalise(letter) != letter]
    assert len(changed) > 90_000
    (tmp_path / "names").write_bytes(TokenView(tokenizer, "a")._block("names"))
    (tmp_path / "codes").write_text(json.dumps([ord(letter) for letter in changed]), encoding="utf-8")
    script = """
        import { readFileSync } from "node:fs";
        const [module, folder] = process.argv.slice(1);
        const { readNames, nameOf } = await import(module);
        const names = readNames(new DataView(new Uint8Array(readFileSync(`${folder}/names`)).buffer));
        const codes = JSON.parse(readFileSync(`${folder}/codes`, "utf8"));
        console.log(JSON.stringify(codes.map((code) => nameOf(code, names))));
    """
    node = find_program(["node", "nodejs"], "Node.js")
    run = subprocess.run(
        [node, "--input-type=module", "-e", script, NAMES.as_uri(), str(tmp_path)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    expected = [unicodedata.name(letter, "without a name") for letter in changed]
    wrong = [names for names in zip(expected, json.loads(run.stdout), strict=True) if len(set(names)) > 1]
    assert wrong == []
