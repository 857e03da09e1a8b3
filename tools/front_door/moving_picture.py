"""Record the README's moving picture from a real page: `python tools/front_door/moving_picture.py [FILE]`.

The fill-in view, saved with the pocket model in it, is opened in headless Chromium; somebody deletes the end
of the sentence and types another, and the answers change. Each frame is a screenshot, taken when the answer
is there. Needs Chromium and the tests' packages (`make lint` installs them).
"""

from __future__ import annotations

import base64
import io
import shutil
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bertviz_lite import FillIn, load  # noqa: E402 - found by the line above

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

PICTURE = ROOT / "docs" / "fill_in.webp"
CHINESE_FONT = ROOT / "bertviz_lite" / "basics" / "fonts" / "NotoSansSC-common.ttf"
MOST_BYTES = 1_500_000
BEGINNING, FIRST_END, SECOND_END = "Anna is [MASK], so she ", "drinks a glass of water.", "eats an apple."
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "msedge")
LONG_MS, TYPED_MS, DELETED_MS = 2600, 220, 160


@dataclass
class Film:
    """The frames so far, and how long each is shown."""

    page: Page
    frames: list[Image.Image] = field(default_factory=list)
    milliseconds: list[int] = field(default_factory=list)

    def take(self, milliseconds: int) -> None:
        """Add what the page shows now."""
        shot = self.page.screenshot(caret="initial", animations="disabled")
        self.frames.append(Image.open(io.BytesIO(shot)).convert("RGB"))
        self.milliseconds.append(milliseconds)

    def write(self, file: Path) -> None:
        """Save the frames as one moving picture."""
        first, *more = self.frames
        first.save(
            file,
            save_all=True,
            append_images=more,
            duration=self.milliseconds,
            loop=0,
            lossless=True,
            method=4,
        )


def settle(page: Page) -> None:
    """Wait until the model has answered what was typed."""
    page.wait_for_timeout(400)  # the view waits for the next letter before it asks
    while page.locator(".bvl").first.get_attribute("aria-busy") == "true":
        page.wait_for_timeout(50)


def act(page: Page) -> Film:
    """Delete the end of the sentence, type another."""
    film = Film(page)
    settle(page)
    sentence = page.get_by_role("textbox").first
    sentence.focus()
    page.keyboard.press("End")
    film.take(LONG_MS)
    for number in range(len(FIRST_END)):
        page.keyboard.press("Backspace")
        if number % 3 == 2:
            settle(page)
            film.take(DELETED_MS)
    for character in SECOND_END:
        page.keyboard.type(character)
        settle(page)
        film.take(TYPED_MS)
    settle(page)
    film.take(LONG_MS)
    return film


def _chinese_letters() -> str:
    """Give the button that says Chinese in Chinese its letters, on machines that have none."""
    font = base64.b64encode(CHINESE_FONT.read_bytes()).decode()
    return f"""@font-face {{ font-family: Letters; src: url(data:font/ttf;base64,{font}) }}
        [lang="zh-Hans"] {{ font-family: Letters !important }}"""


@contextmanager
def open_page(file: Path, width: int, height: int) -> Iterator[Page]:
    """Open a saved page in headless Chromium."""
    from playwright.sync_api import sync_playwright

    browser_path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if browser_path is None:
        sys.exit(f"No Chromium on this machine (looked for {', '.join(CHROMIUM)}).")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(
            viewport={"width": width, "height": height}, color_scheme="light", bypass_csp=True
        )
        page.set_default_timeout(600_000)
        page.goto(file.as_uri())
        page.add_style_tag(content=_chinese_letters())
        yield page
        browser.close()


def record(file: Path) -> None:
    """Save the view as a page, open it, act, and write the picture."""
    tokenizer, model = load("pocket")
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder, "fill_in.html")
        FillIn(model, tokenizer, BEGINNING + FIRST_END).save(saved)
        with open_page(saved, width=1040, height=650) as page:
            film = act(page)
    film.write(file)
    size = file.stat().st_size
    print(f"{file}: {len(film.frames)} frames, {sum(film.milliseconds) / 1000:.1f} s, {size / 1e6:.2f} MB")
    if size > MOST_BYTES:
        sys.exit(f"That is more than {MOST_BYTES / 1e6:.1f} MB: make the page smaller, or take fewer frames.")


if __name__ == "__main__":
    record(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE)
