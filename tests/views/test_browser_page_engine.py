"""The page's engine in a real Chromium: in a worker or on the page's thread, from a file and in a sandbox."""

from __future__ import annotations

import base64
import html
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bertviz_lite import load
from bertviz_lite.views.base.sources import read_module
from bertviz_lite.views.engine.packed import engine_source, pack_model
from bertviz_lite.views.engine.torch_engine import TorchEngine
from tests.helpers.browser import open_context, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Frame, Page

pytestmark = pytest.mark.browser

TEXT = "Anna lost her [MASK], so she could not open the door."
SIMD, PLAIN = "WebAssembly SIMD", "plain JavaScript"
EDITS, HEADS = {2: "found"}, [(0, 1), (3, 2)]

# Workers and modules from a blob, as a saved page allows them; WebAssembly only where {wasm} does.
PAGE = """<!doctype html>
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; script-src 'unsafe-inline' blob: {wasm}">
<script type="text/plain" id="source">{source}</script>
<script type="text/plain" id="packed">{packed}</script>
<script type="module">
{client}
const text = (id) => document.getElementById(id).textContent;
const packed = Uint8Array.from(atob(text("packed")), (letter) => letter.charCodeAt(0));
window.ask = async (options) => {{
  const engine = await startEngine(text("source"), packed, options);
  const encoded = await engine.encode({text!r});
  const [plain, changed] = await Promise.all([
    engine.run(encoded), engine.run(encoded, {{2: "found"}}, [[0, 1], [3, 2]])]);
  const problem = await engine.encode(" ").catch((error) => error.message);
  const lens = await engine.readLayers(encoded, [4]);
  engine.end();
  const {{ place, arithmetic, facts }} = engine;
  return {{ place, arithmetic, name: facts.model_name, problem, lens: [...lens],
    logits: [...plain.logits], weights: changed.kinds.self.attentions.flatMap((layer) => [...layer]) }};
}};
</script>
"""


@pytest.fixture(scope="module")
def engine() -> TorchEngine:
    tokenizer, model = load()
    return TorchEngine(model, tokenizer)


def page_of(engine: TorchEngine, wasm: str) -> str:
    return PAGE.format(
        wasm=wasm,
        text=TEXT,
        source=engine_source(),
        packed=base64.b64encode(pack_model(engine.model, engine.tokenizer).data).decode("ascii"),
        client=read_module("engine", "js/client.js"),
    )


def check_answers(
    engine: TorchEngine, place: Page | Frame, options: dict[str, bool], where: str, how: str = SIMD
) -> None:
    found: dict[str, Any] = place.evaluate("(options) => ask(options)", options)
    assert (found["place"], found["arithmetic"]) == (where, how)
    assert found["name"] == engine.facts.model_name
    assert found["problem"] == "text is empty: there is nothing to attend to."
    encoded = engine.encode(TEXT)
    logits = engine.run(encoded).logits
    assert logits is not None
    np.testing.assert_allclose(found["logits"], logits.ravel(), rtol=0, atol=5e-5)
    weights = np.stack(engine.run(encoded, EDITS, HEADS).attentions)
    np.testing.assert_allclose(found["weights"], weights.ravel(), rtol=0, atol=5e-6)
    np.testing.assert_allclose(found["lens"], engine.read_layers(encoded, [4]).ravel(), rtol=0, atol=5e-5)


def test_a_page_on_disk_computes_what_torch_does(
    browser: Browser, engine: TorchEngine, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text(page_of(engine, "'wasm-unsafe-eval'"), encoding="utf-8")
    with open_context(browser) as (context, watched):
        page = context.new_page()
        page.goto((tmp_path / "page.html").as_uri())
        wait_until(page, "window.ask")
        check_answers(engine, page, {}, "worker")
        check_answers(engine, page, {"simd": False}, "worker", PLAIN)
        check_answers(engine, page, {"worker": False}, "page")
    assert not watched.left_the_machine()
    assert not watched.complaints


@pytest.mark.thorough
def test_a_page_without_webassembly_and_workers_still_answers(
    browser: Browser, engine: TorchEngine, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text(page_of(engine, ""), encoding="utf-8")
    with open_context(browser) as (context, _):
        page = context.new_page()
        page.goto((tmp_path / "page.html").as_uri())
        wait_until(page, "window.ask")
        check_answers(engine, page, {}, "worker", PLAIN)
        page.evaluate("() => { window.Worker = class { constructor() { throw new Error('none'); } }; }")
        check_answers(engine, page, {}, "page", PLAIN)


@pytest.mark.thorough
def test_a_sandboxed_frame_has_its_own_worker(browser: Browser, engine: TorchEngine, tmp_path: Path) -> None:
    inner = html.escape(page_of(engine, "'wasm-unsafe-eval'"), quote=True)
    outer = f'<!doctype html><iframe sandbox="allow-scripts" srcdoc="{inner}"></iframe>'
    (tmp_path / "page.html").write_text(outer, encoding="utf-8")
    with open_context(browser) as (context, watched):
        page = context.new_page()
        page.goto((tmp_path / "page.html").as_uri())
        (frame,) = page.main_frame.child_frames
        frame.wait_for_load_state()
        check_answers(engine, frame, {}, "worker")
        check_answers(engine, frame, {"worker": False}, "page")
    assert not watched.complaints
