"""Set what every test relies on, before any of them imports torch."""

import ipaddress
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from reproducible import set_environment

from tests.browser import open_browser, open_context, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from bertviz_lite.views.base import View

if "torch" in sys.modules:
    raise RuntimeError("torch was imported before the settings that make its numbers the same everywhere")
set_environment()

# A slow machine is no failure; in CI the same examples are tried every time.
settings.register_profile("project", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("project")

_connect = socket.socket.connect


def _connect_to_this_machine(self: socket.socket, address: tuple[str, int] | str) -> None:
    """Connect to this machine; refuse any other, so that no test passes with the help of a network."""
    if self.family in (socket.AF_INET, socket.AF_INET6):
        host = str(address[0])
        if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
            raise ConnectionRefusedError(f"a test reached for the network: {host}")
    _connect(self, address)


socket.socket.connect = _connect_to_this_machine


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """Start one headless Chromium for the tests of a file."""
    with open_browser() as opened:
        yield opened


@pytest.fixture
def open_page(browser: "Browser", tmp_path: Path) -> Iterator[Callable[..., "Page"]]:
    """Save a view, open it from file://; at the end, nothing must have left the machine or complained."""
    with ExitStack() as stack:
        every = []

        def opened(view: "View", **options: object) -> "Page":
            scripts = options.get("java_script_enabled", True)
            if scripts:
                view._page_fallback = lambda: ""  # type: ignore[method-assign] # drawing it takes long
            view.save(tmp_path / "page.html")
            context, watched = stack.enter_context(open_context(browser, **options))
            every.append(watched)
            page = context.new_page()
            page.goto((tmp_path / "page.html").as_uri())
            if scripts:
                wait_until(page, "window.bertvizLite")
            return page

        yield opened
        for watched in every:
            assert watched.requests
            assert watched.left_the_machine() == []
            assert watched.complaints == []
