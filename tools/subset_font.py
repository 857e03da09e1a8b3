"""Write the font that figures draw Chinese with: `python tools/subset_font.py NotoSansSC-Regular.ttf`.

Noto Sans SC takes 10 MB, what stays of it 1.1: the 3,755 common characters of GB 2312 (its level 1), those of
the project's own files, and full-width marks, without hints and without tables for shaping. The whole file is
in Google Fonts, and in npm's `@expo-google-fonts/noto-sans-sc`.
"""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from bertviz_lite.plots.course_style import CHINESE_FONT, CHINESE_FONT_FILE

ROOT = Path(__file__).parents[1]
NAMES = {1: CHINESE_FONT, 3: f"{CHINESE_FONT} Regular", 4: CHINESE_FONT, 6: CHINESE_FONT.replace(" ", "")}
"""The font's own names: another than Noto's, whose installed copy may draw other outlines."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the subset of the font of the command line."""
    parser = argparse.ArgumentParser(prog="subset_font.py", description=str(__doc__).partition("\n")[0])
    parser.add_argument("font", type=Path, help="Noto Sans SC, Regular, TrueType")
    font = TTFont(parser.parse_args(arguments).font)
    options = subset.Options(layout_features=[], hinting=False, glyph_names=False, notdef_outline=True)
    options.drop_tables += ["BASE", "GDEF", "GPOS", "GSUB", "VORG", "vhea", "vmtx"]
    chosen = subset.Subsetter(options)
    chosen.populate(text="".join(sorted(common() | of_the_project() | full_width())))
    chosen.subset(font)
    for number, name in NAMES.items():
        font["name"].setName(name, number, 3, 1, 0x409)
    font.save(CHINESE_FONT_FILE)
    size = CHINESE_FONT_FILE.stat().st_size
    print(f"{CHINESE_FONT_FILE}: {len(font.getGlyphOrder()):,} glyphs, {size:,} bytes")
    return 0


def common() -> set[str]:
    """Return the 3,755 characters of GB 2312's level 1: rows 16 to 55, but for the last five cells."""
    pairs = [bytes((row + 0xA0, cell + 0xA0)) for row in range(16, 56) for cell in range(1, 95)][:-5]
    return {pair.decode("gb2312") for pair in pairs}


def of_the_project() -> set[str]:
    """Return the Chinese characters of every text that the repository keeps."""
    listed = subprocess.run(("git", "ls-files", "-z"), cwd=ROOT, capture_output=True, text=True, check=True)
    found: set[str] = set()
    for name in filter(None, listed.stdout.split("\0")):
        with suppress(UnicodeDecodeError, FileNotFoundError):  # a picture; a file that is taken away
            found.update((ROOT / name).read_text(encoding="utf-8"))
    return {letter for letter in found if "\u4e00" <= letter <= "\u9fff"}


def full_width() -> set[str]:
    """Return the marks of Chinese and the full-width forms of ASCII."""
    return {chr(code) for code in (*range(0x3000, 0x3020), *range(0xFF01, 0xFF5F), 0xFFE5)}


if __name__ == "__main__":
    raise SystemExit(main())
