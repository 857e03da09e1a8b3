"""Open every page of the built site in Chromium, without a network: ``check_site.py build/site``.

Each page is opened from the disk on a phone in the dark and on a projector in the light; every view on it is
started. It may complain of nothing, ask nothing of another machine, be no wider than the screen, and break no
rule of axe-core. The first words are to be there within 1.5 s, on a machine at rest.

Needs what ``make test`` installs, and Chromium.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from course_site.pages import built_pages

from tests.helpers.browser import accessibility_problems, open_browser, open_context, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Browser, Page

SCREENS: dict[str, dict[str, Any]] = {
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "is_mobile": True,
        "has_touch": True,
        "color_scheme": "dark",
    },
    "projector": {"viewport": {"width": 1280, "height": 720}, "color_scheme": "light"},
}
_PAINT = "performance.getEntriesByName('first-contentful-paint').map((entry) => entry.startTime)[0] ?? 0"


_WITHOUT_NUMBERS = """async (name) => {
  const model = window.bertvizLite?.views[name]?.model;
  if (!model) return ["is not drawn"];
  const problems = [];
  for (const block of model.blocks.keys()) {
    try {
      const stream = new Blob([await model.savedBlock(block)]).stream();
      await new Response(stream.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
    } catch (error) {
      problems.push(`has not the numbers ${block}: ${error.message}`);
    }
  }
  return problems;
}"""
"""What a view cannot be drawn with: all that it will ask for when a reader opens its parts."""


@dataclass
class Visit:
    """What was seen of a page."""

    page: str
    screen: str
    paint_ms: float = 0
    views: int = 0
    problems: list[str] = field(default_factory=list)


def visit(browser: Browser, file: Path, name: str, screen: str) -> Visit:
    """Open a page, start its views, and note what is wrong with it."""
    seen = Visit(name, screen)
    with open_context(browser, offline=True, **SCREENS[screen]) as (context, watched):
        page = context.new_page()
        page.goto(file.as_uri(), wait_until="load")
        seen.paint_ms = page.evaluate(_PAINT)
        for view in views_of(page):
            page.locator(f"[data-bvl-view={view}]").scroll_into_view_if_needed()
            wait_until(page, f"window.bertvizLite?.views['{view}'] || document.querySelector('[role=alert]')")
            seen.views += 1
            seen.problems += [f"{view}: {problem}" for problem in page.evaluate(_WITHOUT_NUMBERS, view)]
        seen.problems += [f"asks for {url}" for url in watched.left_the_machine()]
        seen.problems += [f"says {line}" for line in watched.complaints]
        seen.problems += accessibility_problems(page, every=True)
        width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if width > 0:
            seen.problems.append(f"is {width} pixels wider than the screen")
    return seen


def views_of(page: Page) -> list[str]:
    """Return the names of the views that a reader can scroll to."""
    shown = page.locator("[data-bvl-view]:visible")
    names: list[str] = shown.evaluate_all("all => all.map((one) => one.dataset.bvlView)")
    return names


def visits(site: Path, only: Sequence[str]) -> Iterator[Visit]:
    """Yield what is seen of every page, or of some, on each screen."""
    names = [file.relative_to(site).as_posix() for file in built_pages(site)]
    with open_browser() as browser:
        for name in only or names:
            for screen in SCREENS:
                yield visit(browser, (site / name).resolve(), name, screen)


def main() -> int:
    """Check a built site; the exit status says whether nothing is wrong with it."""
    parser = argparse.ArgumentParser(prog="python tools/check_site.py", description=main.__doc__)
    parser.add_argument("site", type=Path, nargs="?", default=Path("build", "site"))
    parser.add_argument("--only", nargs="*", default=[], help="some pages: notebooks/03_attention.html")
    parser.add_argument("--paint-ms", type=float, default=1500, help="first words within; 0: at any time")
    options = parser.parse_args()
    is_whole = True
    for seen in visits(options.site, options.only):
        if options.paint_ms and seen.paint_ms > options.paint_ms:
            seen.problems.append(f"shows its first words after {seen.paint_ms:.0f} ms")
        is_whole = is_whole and not seen.problems
        print(f"{seen.page}, {seen.screen}: {seen.paint_ms:.0f} ms, {seen.views} views", flush=True)
        for problem in seen.problems:
            print(f"  {problem}", flush=True)
    return 0 if is_whole else 1


if __name__ == "__main__":
    sys.exit(main())
