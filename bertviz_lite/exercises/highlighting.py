"""Python source in colours, for a notebook: keywords, plain strings, comments."""

import io
import keyword
import re
import tokenize
from html import escape

__all__ = ["highlighted"]


def highlighted(source: str) -> str:
    """Colour comments, plain strings and keywords (inline, since notebooks drop style sheets)."""
    colours = {tokenize.COMMENT: "#5a6b5a", tokenize.STRING: "#a31515"}
    lines, out, at = source.splitlines(keepends=True), [], (1, 0)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        colour = "#0000c0" if token.type == tokenize.NAME and keyword.iskeyword(token.string) else None
        # an f-string is one token up to Python 3.11 and many later: leave it plain, so that outputs agree
        if token.type in colours and not re.match("[rR]?[fF]", token.string):
            colour = colours[token.type]
        if colour:
            out += [escape(_between(lines, at, token.start), quote=False)]
            out += [f'<span style="color: {colour}">{escape(token.string, quote=False)}</span>']
            at = token.end
    return "".join(out) + escape(_between(lines, at, (len(lines), len(lines[-1]))), quote=False)


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """Cut text out of lines; places are (line from 1, column from 0)."""
    (first, left), (last, right) = start, end
    if first == last:
        return lines[first - 1][left:right]
    return "".join([lines[first - 1][left:], *lines[first : last - 1], lines[last - 1][:right]])
