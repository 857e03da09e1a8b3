"""Write the font that figures draw Chinese with: `python tools/subset_font.py NotoSansSC-Regular.ttf`.

Noto Sans SC takes 10 MB, what stays of it 0.4: the characters of the Chinese model, those of chapters and
views, and full-width marks, without hints and tables for shaping, on a grid of 256 units (a twentieth of a
pixel in the letters of a figure). The whole file is in Google Fonts, and in npm's
`@expo-google-fonts/noto-sans-sc`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem

from bertviz_lite import load
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
    chosen.populate(text="".join(sorted(of_the_model() | of_the_project() | full_width())))
    chosen.subset(font)
    scale_upem(font, 256)
    for number, name in NAMES.items():
        font["name"].setName(name, number, 3, 1, 0x409)
    font.save(CHINESE_FONT_FILE)
    size = CHINESE_FONT_FILE.stat().st_size
    print(f"{CHINESE_FONT_FILE}: {len(font.getGlyphOrder()):,} glyphs, {size:,} bytes")
    return 0


def of_the_model() -> set[str]:
    """Return the Chinese characters that the Chinese model reads."""
    tokenizer, _ = load("pocket-zh")
    return chinese("".join(tokenizer.get_vocab()))


def of_the_project() -> set[str]:
    """Return the Chinese characters that chapters, figures and views write."""
    files = [*(ROOT / "notebooks").rglob("*.ipynb"), *(ROOT / "bertviz_lite").rglob("*.py")]
    files += (ROOT / "bertviz_lite" / "views").rglob("zh.js")
    return chinese("".join(file.read_text(encoding="utf-8") for file in files))


def chinese(text: str) -> set[str]:
    """Return the Chinese characters of a text."""
    return {letter for letter in text if "\u4e00" <= letter <= "\u9fff"}


def full_width() -> set[str]:
    """Return the marks of Chinese and the full-width forms of ASCII."""
    return {chr(code) for code in (*range(0x3000, 0x3020), *range(0xFF01, 0xFF5F), 0xFFE5)}


if __name__ == "__main__":
    raise SystemExit(main())
