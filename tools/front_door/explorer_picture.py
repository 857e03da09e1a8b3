"""Take the README's picture of the attention explorer: `python tools/front_door/explorer_picture.py [FILE]`.

The view is saved as a page, and the page is opened in headless Chromium. The README says below the picture
which weight is picked out: change both together.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from bertviz_lite import Explorer, capture, load  # noqa: E402
from front_door.moving_picture import open_page  # noqa: E402 - found by the line above

PICTURE = ROOT / "docs" / "attention_explorer.png"
TEXTS = ("Anna gave Tom a book.", "He read it in the garden.")
LAYER, HEAD, QUERY, KEY = 0, 3, "he", "tom"


def take(file: Path) -> None:
    """Save the view as a page, open it, and photograph the view."""
    tokenizer, model = load("pocket")
    seen = capture(model, tokenizer, *TEXTS)
    query, key = seen.tokens.index(QUERY), seen.tokens.index(KEY)
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder, "explorer.html")
        Explorer(seen, layer=LAYER, head=HEAD, query=query, key=key).save(saved)
        with open_page(saved, width=1188, height=1200) as page:
            page.get_by_text("Why this weight?").first.wait_for()
            page.wait_for_timeout(500)  # for the last small pictures
            page.locator(".bvl").first.screenshot(path=file, animations="disabled")
    print(f"{file}: {QUERY} → {KEY} {seen.attentions[LAYER][HEAD, query, key]:.3f}")


if __name__ == "__main__":
    take(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE)
