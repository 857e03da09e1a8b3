"""Drive the views in a real Chromium: a saved page from ``file://``, or a notebook in JupyterLab.

Nothing here reaches a network: JupyterLab listens on the loopback with a token, in a folder of its own, and
every request that a page makes is recorded so that a test can assert that none left the machine. Where
there is no browser a test is skipped and says why; with BERTVIZ_LITE_REQUIRE_BROWSER=1 it fails instead.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from bertviz_lite.basics.text import percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from playwright.sync_api import Browser, BrowserContext, Locator, Page

ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # One process draws all pages: a sixth less work than one for each.
    "--in-process-gpu",
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
)
_SETTINGS = {
    "@jupyterlab/apputils-extension/notification": '{"fetchNews": "false"}',  # a question over the notebook
    "@jupyterlab/notebook-extension/tracker": '{"windowingMode": "none"}',  # draw all of it
}
PATIENCE_MS = 120_000
"""How long a step may take: far longer than it does, because a busy machine is no failure."""

_LOCAL_HOSTS = {"127.0.0.1", "localhost", "::1"}
_LOCAL_SCHEMES = {"file", "data", "blob", "about"}
# The first is Chromium without what a window needs, which costs half the processor time.
_NAMES = (
    *("chromium-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome", "google-chrome-stable", "chrome", "msedge"),
)

# Texts that are beyond the screen's left or right edge, or beyond their table's cell.
CUT_TEXTS = """() => {
    const view = document.querySelector(".bvl:fullscreen") ?? document.querySelector(".bvl");
    const shown = document.createTreeWalker(view, NodeFilter.SHOW_TEXT);
    const cut = [];
    while (shown.nextNode()) {
        const { textContent, parentElement } = shown.currentNode;
        if (!textContent.trim() || !parentElement.checkVisibility()) continue;
        const range = document.createRange();
        range.selectNodeContents(shown.currentNode);
        const { left, right } = range.getBoundingClientRect();
        const cell = parentElement.closest("td")?.getBoundingClientRect() ?? { left: 0, right: innerWidth };
        const isInside = left >= Math.max(0, cell.left) && right <= Math.min(innerWidth, cell.right) + 0.5;
        if (right - left > 2 && !isInside) cut.push(`${textContent}: ${left} to ${right}`);
    }
    return cut;
}"""


def required() -> bool:
    """Whether a missing browser is a failure (in continuous integration) rather than a skip."""
    return os.environ.get("BERTVIZ_LITE_REQUIRE_BROWSER") == "1"


def find_program(names: Sequence[str], what: str) -> str:
    """Return the path of the first program of `names` that is installed; skip or fail the test if none is."""
    for name in names:
        found = shutil.which(name)
        if found:
            return found
    reason = f"no {what} on this machine (looked for {', '.join(names)})"
    if required():
        pytest.fail(f"{reason}, and BERTVIZ_LITE_REQUIRE_BROWSER=1")
    pytest.skip(reason)


def find_chromium() -> str:
    """Return the path of Chromium, or of a browser like it; skip or fail the test if there is none."""
    return find_program(_NAMES, "Chromium")


@dataclass
class Watched:
    """What pages did that a test must know: the requests they made, and what they complained about."""

    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def left_the_machine(self) -> list[str]:
        """Return the requests to anything but this machine's loopback, its files and the page's own data."""
        return [url for url in self.requests if not _is_local(url)]


def _is_local(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in _LOCAL_SCHEMES or parts.hostname in _LOCAL_HOSTS


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Start headless Chromium."""
    path = find_chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def open_context(browser: Browser, **options: object) -> Iterator[tuple[BrowserContext, Watched]]:
    """Open a fresh browser profile whose requests, console errors and uncaught exceptions are recorded."""
    context = browser.new_context(**options)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE_MS)
    watched = Watched()

    def watch(page: Page) -> None:
        page.on("websocket", lambda opened: watched.requests.append(opened.url))
        page.on("pageerror", lambda error: watched.complaints.append(f"exception: {error}"))
        page.on(
            "console",
            lambda message: (
                watched.complaints.append(f"{message.type}: {message.text}")
                if message.type == "error"
                else None
            ),
        )

    context.on("request", lambda request: watched.requests.append(request.url))
    context.on("page", watch)
    try:
        yield context, watched
    finally:
        context.close()


def wait_until(page: Page, expression: str) -> None:
    """Wait until an expression of JavaScript holds in the page.

    ``page.wait_for_function`` asks again from inside the page by ``eval``, which a saved page's own policy
    forbids: it works only when the first answer is yes. So the question is put from outside each time.
    """
    end = time.monotonic() + PATIENCE_MS / 1000
    while not page.evaluate(f"Boolean({expression})"):
        if time.monotonic() > end:
            pytest.fail(f"{expression} did not come true within {PATIENCE_MS / 1000:.0f} s")
        page.wait_for_timeout(20)


def trait(page: Page, name: str) -> object:
    """Return a trait of a saved page's view."""
    return page.evaluate("(name) => bertvizLite.model.get(name)", name)


def traits(page: Page, names: Sequence[str]) -> dict[str, object]:
    """Return some traits of a saved page's view, by name."""
    found: dict[str, object] = page.evaluate(
        "(names) => Object.fromEntries(names.map((name) => [name, bertvizLite.model.get(name)]))", list(names)
    )
    return found


def page_percent(share: float) -> str:
    """Return a share as the pages write it: as pictures do, but number and sign stay on one line."""
    return percent(share).replace(" %", "\N{NO-BREAK SPACE}%")


def says(place: Locator, text: str | re.Pattern[str]) -> None:
    """Wait until a part of the page holds a text."""
    from playwright.sync_api import expect

    expect(place).to_contain_text(text, timeout=PATIENCE_MS)


def assert_fills_in_as_python(page: Page, name: str, text: str) -> None:
    """Type a sentence into the first FillIn of a page, its view `name`: it must answer as Python does."""
    from bertviz_lite import FillIn, load

    tokenizer, model = load()
    view = FillIn(model, tokenizer, text)
    page.get_by_role("textbox", name="A sentence with [MASK]").first.fill(text)
    wait_until(page, f"bertvizLite.views['{name}'].model.get('text') === '{text}'")
    words, shares, _ = view.table()
    best = int(shares[:, -1].argmax())
    option = page.locator(".bvl-option").first
    says(option, words[best])
    says(option, f"{100 * shares[best, -1]:.1f}")


def pass_tools(page: Page) -> None:
    """Go by Tab past the buttons that every view has: Present, Take away, Keys, the language."""
    for _ in range(3):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('.bvl-keys-button')")
    if page.evaluate("document.activeElement.nextElementSibling !== null"):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.matches('.bvl-language')")


def overflowing(page: Page, but: str, tolerance: float = 0) -> list[str]:
    """Return the classes of what reaches beyond the view's right side; what lies inside `but` may.

    `but` is a selector, `tolerance` is in pixels.
    """
    found: list[str] = page.evaluate(
        """([but, tolerance]) => [...document.querySelectorAll(".bvl *")]
            .filter((element) => !element.closest(but)
                && element.getBoundingClientRect().right >
                document.querySelector(".bvl").getBoundingClientRect().right + tolerance)
            .map((element) => String(element.className))""",
        [but, tolerance],
    )
    return found


def accessibility_problems(page: Page, *, every: bool = False) -> list[str]:
    """Return what axe-core calls serious or critical: the rule, what it means, and the elements it met.

    With `every`, also what it calls minor or moderate.
    """
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:120] for node in one['nodes'][:3]]}"
        for one in found
        if every or one["impact"] in {"serious", "critical"}
    ]


def free_port() -> int:
    """Return a port of the loopback that nothing listens on at this moment."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def write_notebook(path: Path, cells: Sequence[str]) -> None:
    """Write a notebook of code cells, not yet run."""
    code: list[dict[str, Any]] = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": source,
        }
        for number, source in enumerate(cells)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"cells": code, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(notebook), encoding="utf-8", newline="\n")


@contextmanager
def start_jupyterlab(folder: Path) -> Iterator[str]:
    """Start JupyterLab on the loopback, with every setting in `folder`, and yield its address.

    ``{address}/doc/tree/name.ipynb?token=…`` opens a notebook of the folder: see :func:`notebook_address`.
    """
    port, token = free_port(), secrets.token_hex(16)
    settings = folder / "jupyter"
    environment = dict(os.environ)
    for name in ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR"):
        environment[f"JUPYTER_{name}"] = str(settings / name.lower())
    for name in ("SETTINGS", "WORKSPACES"):
        environment[f"JUPYTERLAB_{name}_DIR"] = str(settings / name.lower())
    environment["IPYTHONDIR"] = str(settings / "ipython")
    # The kernel sees the package that is tested, wherever the notebook lies.
    environment["PYTHONPATH"] = os.pathsep.join(
        [str(Path(__file__).parents[2]), *filter(None, [environment.get("PYTHONPATH")])]
    )
    _write_settings(settings)
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        f"--ServerApp.root_dir={folder}",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=50",  # another program may take the port before this one does
        f"--IdentityProvider.token={token}",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
        "--LabApp.news_url=",
        "--LabApp.expose_app_in_browser=True",
    ]
    log = folder / "jupyterlab.log"
    with log.open("w", encoding="utf-8") as output:
        server = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT)
        try:
            port = _port_of(server, settings / "runtime_dir", log)
            _wait_for(f"http://127.0.0.1:{port}/api?token={token}", server, log)
            yield f"http://127.0.0.1:{port}?token={token}"
        finally:
            server.terminate()
            try:
                server.wait(timeout=60)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _write_settings(folder: Path) -> None:
    """Put a JupyterLab's settings as a test wants them, and nothing else that it keeps for its reader."""
    for name in ("settings", "workspaces"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for plugin, choice in _SETTINGS.items():
        file = folder / "settings" / f"{plugin}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(choice, encoding="utf-8")


# The package is imported anew by the next test; what takes long, torch and its like, stays.
_EMPTY = """\
import sys
from ipywidgets import Widget
Widget.close_all()
for name in [name for name in sys.modules if name.partition(".")[0] == "bertviz_lite"]:
    del sys.modules[name]
get_ipython().reset()
"""
_EMPTY_KERNEL = """async (code) => {
    const late = new Promise((done) => setTimeout(() => done(null), 20000));
    const { session } = window.jupyterapp.shell.currentWidget.sessionContext;
    const answer = session?.kernel?.requestExecute({ code }).done.catch(() => null);
    return (await Promise.race([answer, late]))?.content.status === "ok";
}"""


def make_new(folder: Path, address: str, page: Page) -> None:
    """Let a JupyterLab forget what was chosen, and its kernel what was run: the next test meets them as new.

    A kernel that does not answer is ended.
    """
    if not page.evaluate(_EMPTY_KERNEL, _EMPTY):
        root, query = address.split("?")
        with urllib.request.urlopen(f"{root}/api/sessions?{query}", timeout=60) as answer:
            sessions = json.load(answer)
        for session in sessions:
            ended = urllib.request.Request(f"{root}/api/sessions/{session['id']}?{query}", method="DELETE")
            urllib.request.urlopen(ended, timeout=60).close()
    _write_settings(folder / "jupyter")


def notebook_address(address: str, name: str) -> str:
    """Return where a notebook opens, alone on the page."""
    root, query = address.split("?")
    return f"{root}/doc/tree/{name}?{query}"


def _port_of(server: subprocess.Popen[bytes], folder: Path, log: Path) -> int:
    """Wait until a JupyterLab has written which port it took."""
    written = folder / f"jpserver-{server.pid}.json"
    for _ in _while_it_starts(server, log):
        try:
            return int(json.loads(written.read_text(encoding="utf-8"))["port"])
        except (OSError, ValueError):  # not yet there, or half written
            continue
    raise AssertionError


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in _while_it_starts(server, log):
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            continue


def _while_it_starts(server: subprocess.Popen[bytes], log: Path, seconds: float = 180) -> Iterator[None]:
    """Yield now and then; fail the test, with the end of the log, where the server ended or is too slow."""
    end = time.monotonic() + seconds
    while server.poll() is None and time.monotonic() < end:
        yield
        time.sleep(0.1)
    tail = log.read_text(encoding="utf-8", errors="replace")[-2000:]
    pytest.fail(f"JupyterLab did not start within {seconds:.0f} s:\n{tail}")


def run_cell(page: Page, cell: Locator) -> None:
    """Run one cell of an open notebook by mouse and keyboard."""
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")


def choose_theme(page: Page, name: str) -> None:
    """Choose a theme of JupyterLab from its menu."""
    page.get_by_role("menuitem", name="Settings", exact=True).click()
    page.locator(".lm-Menu-itemLabel", has_text="Theme").first.hover()
    page.locator(".lm-Menu-itemLabel").get_by_text(name, exact=True).click()


def held_by(page: Page) -> Callable[[], dict[str, float]]:
    """Return a function that collects the page's garbage and counts the listeners and nodes that are left."""
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable")

    def held() -> dict[str, float]:
        tools.send("HeapProfiler.collectGarbage")
        metrics = tools.send("Performance.getMetrics")["metrics"]
        counted = {entry["name"]: entry["value"] for entry in metrics}
        return {name: counted[name] for name in ("JSEventListeners", "Nodes")}

    return held


def assert_leaves_nothing(page: Page, rounds: int = 20, rest_ms: int = 0) -> None:
    """Draw the saved page's view and take it down many times; nothing of it may stay.

    What is being drawn when a view is taken down is let go a little later, so the count is asked for until it
    is low enough; what leaks stays, and there are `rounds` of it.

    Parameters
    ----------
    page
        A saved page with its view drawn.
    rounds
        How often.
    rest_ms
        How long the view stays each time: for views that draw a part of themselves later.
    """
    held = held_by(page)
    page.evaluate(
        """(rest) => {
            const { view, model, place, end } = bertvizLite;
            end();
            window.again = async () => {
                const end = await view.render({ model, el: place });
                if (rest) await new Promise((done) => setTimeout(done, rest));
                end();
            };
        }""",
        rest_ms,
    )
    page.evaluate("again()")
    before = held()
    page.evaluate("async (rounds) => { for (let i = 0; i < rounds; i += 1) await again(); }", rounds)
    most = {"JSEventListeners": before["JSEventListeners"], "Nodes": before["Nodes"] + 10}
    end = time.monotonic() + 30
    after = held()
    while any(after[name] > most[name] for name in most) and time.monotonic() < end:
        page.wait_for_timeout(200)
        after = held()
    assert after["JSEventListeners"] <= most["JSEventListeners"]
    assert after["Nodes"] <= most["Nodes"]
    assert page.locator(".bvl").count() == 0
    assert page.evaluate(
        "[...bertvizLite.model.followers.values()].every((reactions) => reactions.size === 0)"
    )


_KERNEL_READY = """async () => {
    const wait = () => new Promise((done) => setTimeout(done, 50));
    while (!window.jupyterapp?.shell?.currentWidget?.sessionContext) await wait();
    const { context, sessionContext } = window.jupyterapp.shell.currentWidget;
    await context.ready;
    await sessionContext.ready;
    await sessionContext.session.kernel.info;
    while (sessionContext.session.kernel.connectionStatus !== "connected") await wait();
}"""


def run_all(page: Page) -> None:
    """Run ▸ Run All Cells, once the kernel answers: asked before, JupyterLab runs none, and says nothing."""
    page.evaluate(_KERNEL_READY)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
