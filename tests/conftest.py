"""Set what every test relies on, before any of them imports torch."""

import gc
import ipaddress
import os
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import notebook_checks  # noqa: F401 # before any test imports nbformat: see there
import pytest
from hypothesis import settings
from reproducible import ANY_PROCESSOR, set_environment

from tests.helpers.browser import (
    find_chromium,
    make_new,
    notebook_address,
    open_browser,
    open_context,
    run_all,
    start_jupyterlab,
    wait_until,
    write_notebook,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from bertviz_lite.views.base.view import View
    from tests.helpers.browser import Watched

if "torch" in sys.modules:
    raise RuntimeError("torch was imported before the settings that make its numbers the same everywhere")
# Not those that make every processor as slow as the oldest: outputs are compared digit by digit in notebooks
# only, and what a test claims must hold on any processor.
set_environment(ANY_PROCESSOR)

# What the tests that open a notebook in JupyterLab are called, at the end.
IN_JUPYTERLAB = "live_in_jupyterlab"

# A slow machine is no failure; in CI the same examples are tried every time.
settings.register_profile("project", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("project")


@pytest.fixture(autouse=True)
def _figures_are_closed() -> Iterator[None]:
    """Close what a test has drawn: matplotlib warns of the twenty-first open figure, whoever drew it."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


_connect = socket.socket.connect


def _connect_to_this_machine(self: socket.socket, address: tuple[str, int] | str) -> None:
    """Connect to this machine; refuse any other, so that no test passes with the help of a network."""
    if self.family in (socket.AF_INET, socket.AF_INET6):
        host = str(address[0])
        if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
            raise ConnectionRefusedError(f"a test reached for the network: {host}")
    _connect(self, address)


socket.socket.connect = _connect_to_this_machine


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Give one worker more than there are processors: one computes while another waits for a browser."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Give a worker whole files, as ``--dist=loadfile`` does, but the tests in JupyterLab all to one.

    So JupyterLab starts once, and so does the kernel which imports torch.
    """
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "jupyterlab" if nodeid.endswith(IN_JUPYTERLAB) else super()._split_scope(nodeid)

    return Scheduling(config, log)


@pytest.hookimpl(tryfirst=True)  # before -m is heeded
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is thorough; begin with JupyterLab, then what drives a browser, then files with a slow test.

    Of a test marked ``sampled`` all cases but the first are thorough. The long must not come last.
    """
    begun: set[object] = set()
    for item in items:
        if item.get_closest_marker("sampled"):
            test = (item.path, item.name.partition("[")[0])
            if test in begun:
                item.add_marker(pytest.mark.thorough)
            begun.add(test)
    rank: dict[Path, int] = {}
    for item in items:
        is_slow = item.get_closest_marker("slow") or item.get_closest_marker("thorough")
        order = 1 if item.get_closest_marker("browser") else 2 if is_slow else 3
        rank[item.path] = min(order, rank.get(item.path, order))
    items.sort(key=lambda item: 0 if item.name.endswith(IN_JUPYTERLAB) else rank[item.path])


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what was imported.

    A million objects of torch and transformers never become garbage, and looking at them costs a third of a
    second each time: in every training of a Trainer, and whenever a test makes many objects.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def as_many_threads_as_before() -> Iterator[None]:
    """Fail a test that leaves torch with more threads: all that follow in its process would be slower."""
    yield
    torch = sys.modules.get("torch")
    if torch is not None and (left := torch.get_num_threads()) != 1:
        torch.set_num_threads(1)
        pytest.fail(f"torch computes with {left} threads now")


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """Start one headless Chromium for every test that needs one."""
    with open_browser() as opened:
        yield opened


@pytest.fixture
def open_page(browser: "Browser", tmp_path: Path) -> Iterator[Callable[..., "Page"]]:
    """Save a view, open it from file://; at the end, nothing must have left the machine or complained."""
    with ExitStack() as stack:
        every = []

        def opened(view: "View", *, live: bool | None = None, **options: object) -> "Page":
            scripts = options.get("java_script_enabled", True)
            if scripts:
                view._page_fallback = lambda: ""  # type: ignore[method-assign] # drawing it takes long
            view.save(tmp_path / "page.html", live=live)
            context, watched = stack.enter_context(open_context(browser, **options))
            every.append(watched)
            page = context.new_page()
            page.goto((tmp_path / "page.html").as_uri())
            if scripts:
                wait_until(page, "window.bertvizLite")
            return page

        yield opened
        assert_quiet(every)


@pytest.fixture(scope="session")
def jupyterlab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """Start one JupyterLab for every test that needs one: its folder and its address."""
    find_chromium()
    folder = tmp_path_factory.mktemp("jupyterlab")
    with start_jupyterlab(folder) as address:
        yield folder, address


@pytest.fixture
def open_notebook(
    browser: "Browser", jupyterlab: tuple[Path, str], request: pytest.FixtureRequest
) -> Iterator[Callable[..., "Page"]]:
    """Run cells in JupyterLab; at the end, nothing must have left the machine or complained."""
    assert request.node.name.endswith(IN_JUPYTERLAB), f"name it …{IN_JUPYTERLAB}: see the scheduler"
    folder, address = jupyterlab
    with ExitStack() as stack:
        every = []

        def opened(cells: Sequence[str], **options: object) -> "Page":
            write_notebook(folder / "test.ipynb", cells)
            context, watched = stack.enter_context(open_context(browser, **options))
            every.append(watched)
            page = context.new_page()
            page.goto(notebook_address(address, "test.ipynb"))
            stack.callback(make_new, folder, address, page)
            run_all(page)
            return page

        yield opened
        assert_quiet(every)


def assert_quiet(every: "Sequence[Watched]") -> None:
    """Nothing that was watched has left the machine or complained."""
    for watched in every:
        assert watched.requests
        assert watched.left_the_machine() == []
        assert watched.complaints == []
