"""What `bench_attention_explorer.py` runs, each job in a process of its own.

    python tests/benchmarks/explorer_jobs.py '{"job": "build", "tool": "ours", …}'

A job prints a JSON object per line as soon as it knows something, so that what was measured before its time
was up is kept.
"""

from __future__ import annotations

import base64
import json
import statistics
import sys
import time
import tracemalloc
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from realistic_attention import realistic_attention, realistic_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

WINDOW = {"width": 1280, "height": 1000}


def tell(**facts: object) -> None:
    """Print what was measured."""
    print(json.dumps(facts), flush=True)


# --- building pages


def build(tool: str, tokens: int, file: str, *, trace: bool = False) -> None:
    """Write a tool's page and tell how long that took, or (`trace`) how much Python allocated at the most.

    What is imported, and the attention itself, is there before the clock starts.
    """
    attentions = realistic_attention(tokens)
    names, segments = realistic_tokens(tokens)
    make = _MAKERS[tool](attentions, names, segments)
    if trace:
        tracemalloc.start()
    start = time.perf_counter()
    make(Path(file))
    seconds = time.perf_counter() - start
    if trace:
        tell(peak=tracemalloc.get_traced_memory()[1] / 2**20)
    else:
        tell(build=seconds, page=Path(file).stat().st_size / 1e6)


def _ours(attentions: tuple[Any, ...], names: list[str], segments: list[int]) -> Callable[[Path], None]:
    from bertviz_lite import Explorer
    from bertviz_lite.capture import Capture

    return lambda file: Explorer(Capture.from_arrays(attentions, names, segments=segments)).save(file)


def _bertviz(view: str) -> Callable[..., Callable[[Path], None]]:
    def maker(attentions: tuple[Any, ...], names: list[str], _: list[int]) -> Callable[[Path], None]:
        import bertviz
        import torch

        tensors = tuple(map(torch.from_numpy, attentions))
        draw = getattr(bertviz, view)

        def make(file: Path) -> None:
            # Without `sentence_b_start`: its filter between the sentences would double the page.
            page = draw(tensors, names, html_action="return")
            file.write_text(_PLAIN_PAGE + page.data, encoding="utf-8")

        return make

    return maker


def _circuitsvis(layers: int | None) -> Callable[..., Callable[[Path], None]]:
    def maker(attentions: tuple[Any, ...], names: list[str], _: list[int]) -> Callable[[Path], None]:
        from circuitsvis.attention import attention_heads

        def make(file: Path) -> None:
            # Each in an element of its own, as in a notebook: CircuitsVis leaves its <div> open.
            shown = [
                attention_heads(attention=layer[0], tokens=names, mask_upper_tri=False)
                for layer in attentions[:layers]
            ]
            parts = [f"<section>{one}</section>" for one in shown]
            file.write_text(_PLAIN_PAGE + "\n".join(parts), encoding="utf-8")

        return make

    return maker


_PLAIN_PAGE = '<!doctype html><meta charset="utf-8"><body>\n'
_MAKERS = {
    "ours": _ours,
    "bertviz head view": _bertviz("head_view"),
    "bertviz model view": _bertviz("model_view"),
    "circuitsvis, one layer": _circuitsvis(1),
    "circuitsvis": _circuitsvis(None),
}

# --- in the browser

# All milliseconds end when the frame with the change has been painted: what is queued while a frame is made
# runs after it. `bench.painted` is the end of the last frame in which a canvas or the document changed.
_WATCH = """(() => {
  const bench = { painted: 0, waiting: 0 };
  window.bench = bench;
  const frame = window.requestAnimationFrame.bind(window);
  let isInFrame = false;
  const scheduled = { true: false, false: false };
  const afterPainting = () => setTimeout(() => { bench.painted = performance.now(); bench.waiting -= 1; });
  const touch = () => {
    const when = String(isInFrame);
    if (scheduled[when]) return;
    scheduled[when] = true;
    bench.waiting += 1;
    if (isInFrame) { afterPainting(); setTimeout(() => { scheduled.true = false; }); }
    else frame(() => { scheduled.false = false; afterPainting(); });
  };
  window.requestAnimationFrame = (act) => frame((time) => {
    isInFrame = true;
    try { act(time); } finally { isInFrame = false; }
  });
  for (const name of ["putImageData", "drawImage", "fillRect", "clearRect", "fill", "stroke", "fillText"]) {
    const original = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...values) {
      touch();
      return original.apply(this, values);
    };
  }
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(touch).observe(document, all);
  bench.until = async (since, quiet) => {
    while (true) {
      await new Promise((done) => setTimeout(done, 10));
      const now = performance.now();
      const isWaiting = bench.waiting > 0 || document.querySelector(".bvl-waiting") !== null;
      const isSettled = !isWaiting && now - bench.painted > quiet;
      if (bench.painted > since && isSettled) return bench.painted;
      if (bench.painted <= since && now - since > 5000) throw new Error("nothing changed within 5 s");
    }
  };
})();"""
_PAINTED = """async () => {
  await new Promise(requestAnimationFrame);
  await new Promise((done) => setTimeout(done));
  return performance.now();
}"""
_FIRST = """async () => {
  const there = %s;
  while (!there()) await new Promise((done) => setTimeout(done, 1));
  return await (%s)();
}"""
# A view that draws when it has unpacked its numbers is done when nothing has changed for a while.
_SETTLED = "async () => await bench.until(0, 120)"
_EACH = """async (count) => {
  const [act, done] = [%s, %s];
  const times = [];
  for (let i = 1; i <= count; i += 1) {
    await new Promise(requestAnimationFrame);
    const start = performance.now();
    await act(i);
    times.push(await done(start) - start);
  }
  return times;
}"""
_CHANGED = "async (start) => await bench.until(start, 150)"

_LINES = "() => document.getElementsByTagName('line').length >= %d"
_CANVASES = """() => {
  const all = [...document.querySelectorAll("canvas")];
  const inked = (one) => one.dataset.inked || (one.width * one.height > 0
    && one.getContext("2d").getImageData(0, 0, one.width, one.height).data.some((value) => value > 0)
    && (one.dataset.inked = "yes"));
  return all.length >= %d && all.every(inked);
}"""
_BERTVIZ_LAYER = """(i) => {
  const select = document.querySelector("select#layer");
  select.value = String(i % 12);
  select.dispatchEvent(new Event("change", { bubbles: true }));
}"""
_BERTVIZ_HEAD = """(i) => {
  const boxes = document.querySelectorAll("#vis > svg > g:last-child > rect");
  boxes[i % 12].dispatchEvent(new MouseEvent("click", { bubbles: true }));
}"""
_CIRCUITSVIS_HEAD = """(i) => {
  const head = document.querySelectorAll("h4")[i % 12].parentElement;
  head.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}"""
_OUR_TRAIT = """(i) => {
  const { model } = window.bertvizLite;
  model.set(%s);
  model.save_changes();
}"""
_OUR_LAYER = _OUR_TRAIT % '"layer", (i * 5) % 12'
_OUR_HEAD = _OUR_TRAIT % '"heads", i % 2 ? [0, i % 12] : [0]'
_OUR_HOVER = """(i) => {
  const matrix = document.querySelector(".bvl-matrix canvas");
  if (i === 1) matrix.scrollIntoView({ block: "center" });
  const at = matrix.getBoundingClientRect();
  const top = Math.max(0, at.top);
  const where = {
    bubbles: true,
    pointerType: "mouse",
    clientX: at.left + at.width * (0.3 + 0.6 * ((i * 0.37) % 1)),
    clientY: top + (Math.min(at.bottom, innerHeight) - top) * (0.3 + 0.6 * ((i * 0.23) % 1)),
  };
  const target = document.elementFromPoint(where.clientX, where.clientY);
  target.dispatchEvent(new PointerEvent("pointermove", where));
}"""

_ACTS: dict[str, dict[str, tuple[str, str]]] = {
    "bertviz head view": {"layer": (_BERTVIZ_LAYER, _PAINTED), "head": (_BERTVIZ_HEAD, _PAINTED)},
    "bertviz model view": {},
    "circuitsvis, one layer": {"head": (_CIRCUITSVIS_HEAD, _CHANGED)},
    "circuitsvis": {},
    "ours": {"layer": (_OUR_LAYER, _CHANGED), "head": (_OUR_HEAD, _CHANGED), "hover": (_OUR_HOVER, _CHANGED)},
}


def _first(tool: str, tokens: int) -> str:
    there, done = {
        "bertviz head view": (_LINES % (12 * tokens**2), _PAINTED),
        "bertviz model view": (_LINES % (144 * tokens**2), _PAINTED),
        "circuitsvis, one layer": (_CANVASES % 13, _PAINTED),  # twelve small ones and the one that is chosen
        "circuitsvis": (_CANVASES % (12 * 13), _PAINTED),
        "ours": ("() => window.bertvizLite", _SETTLED),
    }[tool]
    return _FIRST % (there, done)


@contextmanager
def _open() -> Iterator[tuple[Browser, Page]]:
    import peers

    from tests.helpers.browser import open_browser, open_context

    with open_browser() as browser, open_context(browser, viewport=WINDOW) as (context, watched):
        peers.serve(context)
        page = context.new_page()
        # Peers' pages are heavy enough without being watched.
        page.set_default_timeout(0)
        yield browser, page
        if watched.complaints:
            tell(complaints=watched.complaints[:3])


def browse(tool: str, tokens: int, file: str, times: int = 5, picture: str = "") -> None:
    """Open a page and tell its first view, its renderer's memory after it, and what a change costs."""
    with _open() as (browser, page):
        if any(done == _CHANGED for _, done in _ACTS[tool].values()):
            page.add_init_script(_WATCH)
        page.goto(Path(file).as_uri(), wait_until="commit")
        tell(first=page.evaluate(_first(tool, tokens)))
        page.wait_for_timeout(500)
        tell(memory=renderer_memory(browser))
        if picture:
            page.screenshot(path=picture)
        for name, (act, done) in _ACTS[tool].items():
            tell(**{name: statistics.median(page.evaluate(_EACH % (act, done), times))})


def renderer_memory(browser: Browser) -> float:
    """Return the private memory of the page's renderer process as it is now (psutil's ``uss``), in MiB."""
    import psutil

    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    renderers = [psutil.Process(one["id"]) for one in processes if one["type"] == "renderer"]
    # A second one stands by, empty, for the next page.
    return float(max(process.memory_full_info().uss for process in renderers) / 2**20)


# --- the live widget


class _Comm:
    """A comm that keeps what is sent instead of sending it."""

    def __init__(self, **opening: Any) -> None:  # noqa: ANN401
        self.comm_id = "bench"
        self.sent = [(opening.get("data") or {}, opening.get("buffers") or [])]

    def send(self, data: Any = None, metadata: Any = None, buffers: Any = None) -> None:  # noqa: ANN401
        self.sent.append((data or {}, buffers or []))

    def take(self) -> list[tuple[dict[str, Any], list[Any]]]:
        taken, self.sent = self.sent, []
        return taken

    def on_msg(self, callback: object) -> None: ...

    def on_close(self, callback: object) -> None: ...

    def close(self, *values: object, **named: object) -> None: ...


# What a notebook's front end gives a view, over `toPython(message)`, which returns what the comm was sent.
_LIVE = """async ({ module, style, opening }) => {
  const bytes = (text) => new DataView(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
  const state = {};
  const followers = new Map();
  const tell = (event, ...values) => [...(followers.get(event) ?? [])].forEach((react) => react(...values));
  const take = ({ data, buffers }) => {
    const numbers = buffers.map(bytes);
    if (data.method === "custom") { tell("msg:custom", data.content, numbers); return; }
    const changed = { ...data.state };
    (data.buffer_paths ?? []).forEach((path, i) => { changed[path[0]] = numbers[i]; });
    Object.assign(state, changed);
    for (const name of Object.keys(changed)) tell(`change:${name}`);
  };
  const ask = async (message) => { for (const answer of await window.toPython(message)) take(answer); };
  let unsaved = {};
  const model = {
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; unsaved[name] = value; tell(`change:${name}`); },
    save_changes: () => { ask({ method: "update", state: unsaved, buffer_paths: [] }); unsaved = {}; },
    send: (content) => { ask({ method: "custom", content }); },
    on: (event, react) => { followers.set(event, (followers.get(event) ?? new Set()).add(react)); },
    off: (event, react) => { followers.get(event)?.delete(react); },
  };
  opening.forEach(take);
  document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
  const place = document.body.appendChild(document.createElement("div"));
  const address = URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
  const { default: view } = await import(address);
  await view.render({ model, el: place });
  Object.assign(window, { bertvizLite: { model, view, place } });
  await bench.until(0, 1000);
}"""


def live(tokens: int) -> None:
    """Tell how many bytes a live view is sent for its first view and for one change of layer, and over what.

    The page is the real one, in Chromium; between it and Python stands a comm that counts: JSON and buffers.
    The module's text, which the view's class brings once, is told apart.
    """
    import comm

    comm.create_comm = _Comm
    from bertviz_lite import Explorer
    from bertviz_lite.capture import Capture

    names, segments = realistic_tokens(tokens)
    view = Explorer(Capture.from_arrays(realistic_attention(tokens), names, segments=segments))
    opening = view.comm.take()
    texts = {name: opening[0][0]["state"].pop(name, "") for name in ("_esm", "_css")}
    counted = [_size(opening)]
    module = sum(len(str(text).encode()) for text in texts.values())

    def to_python(message: dict[str, Any]) -> list[dict[str, Any]]:
        view._handle_msg({"content": {"data": message}, "buffers": []})
        answers = view.comm.take()
        counted.append(_size(answers))
        return _coded(answers)

    with _open() as (_, page):
        page.add_init_script(_WATCH)
        page.expose_function("toPython", to_python)
        page.goto("about:blank")
        page.evaluate(_LIVE, {"module": texts["_esm"], "style": texts["_css"], "opening": _coded(opening)})
        tell(live_first=sum(counted) / 1e3, live_module=module / 1e3)
        counted.clear()
        page.evaluate(_EACH % (_OUR_LAYER, "async (start) => await bench.until(start, 1000)"), 1)
        tell(live_layer=sum(counted) / 1e3)
    bundle = view._repr_mimebundle_()
    tell(live_fallback=len((bundle[0] if isinstance(bundle, tuple) else bundle)["text/html"].encode()) / 1e3)


def _size(messages: list[tuple[dict[str, Any], list[Any]]]) -> int:
    return sum(
        len(json.dumps(data).encode()) + sum(memoryview(buffer).nbytes for buffer in buffers)
        for data, buffers in messages
    )


def _coded(messages: list[tuple[dict[str, Any], list[Any]]]) -> list[dict[str, Any]]:
    return [
        {"data": data, "buffers": [base64.b64encode(buffer).decode("ascii") for buffer in buffers]}
        for data, buffers in messages
    ]


# --- errors


def errors(tokens: int) -> None:
    """Tell the largest error of a weight as the page decodes it, and of a row's sum.

    Besides the realistic attention there is a head whose rows are uniform over 1, 2, … `tokens` keys: all
    weights of such a row are rounded to the same side, and its sum suffers most.
    """
    from bertviz_lite import Explorer
    from bertviz_lite.capture import Capture

    names, segments = realistic_tokens(tokens)
    uniform = np.tril(np.ones((tokens, tokens), np.float32))
    uniform /= uniform.sum(axis=1, keepdims=True)
    cases = {"": realistic_attention(tokens), "uniform_": (uniform[None, None],)}
    for case, attentions in cases.items():
        view = Explorer(Capture.from_arrays(attentions, names, segments=segments))
        weight, row = 0.0, 0.0
        for layer, exact in enumerate(attentions):
            codes = np.frombuffer(view._block(f"0/self/layer/{layer}"), np.uint8).reshape(exact.shape)
            drawn = (codes / 255) ** 2
            weight = max(weight, float(np.abs(drawn - exact).max()))
            row = max(row, float(np.abs(drawn.sum(axis=-1) - 1).max()))
        tell(**{f"{case}weight_error": weight, f"{case}row_error": row})


JOBS: dict[str, Callable[..., None]] = {
    "build": build,
    "browse": browse,
    "live": live,
    "errors": errors,
}

if __name__ == "__main__":
    request = json.loads(sys.argv[1])
    JOBS[request.pop("job")](**request)
