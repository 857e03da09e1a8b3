"""Static rules on committed outputs and pictures: seen by everyone, the same everywhere, safe to open."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bertviz_lite.basics.png import unsealed
from notebook_checks.comparison.outputs import DATA_URI, without_pictures
from notebook_checks.comparison.pictures import PictureError, decoded, pixels
from notebook_checks.notebook import ROOT, WIDGET_VIEW, Cell, Output
from notebook_checks.rules.markup import Markup, images

MIN_ALT = 20  # characters
MAX_PICTURE = 100_000  # bytes
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
HOME_LIKE = r"home|Users|root|tmp|var|opt|usr|mnt|private|builds|github|workspace|work|srv|etc"
ABSOLUTE = re.compile(rf"(?<![\w.:/<\\-])/(?:{HOME_LIKE})/[\w.~-]+|(?<!\w)[A-Za-z]:\\+\w+|\bipykernel_\d+")
REMOTE = re.compile(r"\s*(?:https?:)?//", re.IGNORECASE)
REMOTE_STYLE = re.compile(r"url\(\s*[\"']?\s*(?:https?:)?//|@import", re.IGNORECASE)
DATA_IMAGE = re.compile(r"data:image/(?!png;base64,)[\w+.-]+")
OTHER_PICTURES = ("image/svg+xml", "image/jpeg", "image/gif", "image/webp", "application/pdf")
SHOW = "put pictures out with bertviz_lite.plots.display.show(figure, alt=...)"
FETCHING = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src", "video": "src"}


def outputs(cell: Cell, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Check each committed output."""
    for number, output in enumerate(cell.get("outputs", ()), start=1):
        yield from (f"output {number}: {text}" for text in _output(output, cell))


def _output(output: Output, cell: Cell) -> Iterator[str]:
    if output["output_type"] == "error":
        yield f"an error ({output['ename']}): mend the cell, or catch the error and print its message"
        return
    if output["output_type"] == "stream":
        if output["name"] == "stderr":
            yield f"a message on stderr ({output['text'][:60].strip()!r}): remove its cause"
        yield from machine_marks(output["text"])
        return
    count, of_cell = output.get("execution_count"), cell["execution_count"]
    if output["output_type"] == "execute_result" and count != of_cell:
        yield f"is numbered [{count}], its cell [{of_cell}]: run `make refresh`"
    for mime, value in output["data"].items():
        yield from _data(mime, value, output["data"])


def _data(mime: str, value: Any, bundle: dict[str, Any]) -> Iterator[str]:  # noqa: ANN401
    if mime == WIDGET_VIEW:
        yield "a widget view, which viewers show instead of its fallback: run `make refresh`"
    elif mime in OTHER_PICTURES:
        yield f"{mime} cannot be compared, or is not shown everywhere: {SHOW}"
    elif mime == "image/png":
        yield from _picture_bytes(value)
        if "<img" not in bundle.get("text/html", ""):
            yield f"a picture without alt text: {SHOW}"
    elif isinstance(value, str):
        yield from machine_marks(without_pictures(value)[0])
        if mime == "text/html":
            yield from _html(value)


def machine_marks(text: str) -> Iterator[str]:
    """Find what belongs to one machine or one run: absolute paths, object addresses."""
    for found in {match.group(): None for match in ADDRESS.finditer(text)}:
        yield f"the object address {found}: give the object a repr, or end the line with a semicolon"
    for found in {match.group(): None for match in ABSOLUTE.finditer(text)}:
        yield f"the absolute path {found!r} of one machine: print a relative path"
    for folder in {str(ROOT), str(Path.home())} - {"/", "/root"}:
        if folder in text and not ABSOLUTE.search(text):
            yield f"the absolute path {folder!r} of one machine: print a relative path"


def _html(html: str) -> Iterator[str]:
    markup = Markup(html)
    for tag, attributes in markup.elements:
        if tag == "script":
            yield "a script, which untrusted notebooks drop: show HTML without scripts"
        elif handlers := [name for name in attributes if name.startswith("on")]:
            yield f"<{tag}> has script in {handlers[0]}: show HTML without scripts"
        elif tag == "svg":
            yield f"inline SVG, which untrusted notebooks drop: {SHOW}"
        if tag == "img":
            yield from _alt(attributes.get("alt", ""))
        yield from _remote(tag, attributes)
    if REMOTE_STYLE.search(markup.style):
        yield "a style sheet that fetches from a network: nothing here may"
    yield from _embedded(html)


def _remote(tag: str, attributes: dict[str, str]) -> Iterator[str]:
    source = attributes.get(FETCHING.get(tag, ""), "") or attributes.get("srcset", "")
    if REMOTE.match(source) or REMOTE_STYLE.search(attributes.get("style", "")):
        yield f"<{tag}> fetches from a network ({source[:60]}): nothing here may"


def _alt(alt: str) -> Iterator[str]:
    if len(alt.strip()) < MIN_ALT:
        yield f"a picture with alt text {alt!r}: say in {MIN_ALT} characters or more what is to be seen"


def _embedded(text: str) -> Iterator[str]:
    for picture in DATA_URI.findall(text):
        yield from _picture_bytes(picture)
    for match in DATA_IMAGE.finditer(text):
        yield f"{match.group()} cannot be compared: {SHOW}"


def _picture_bytes(encoded: str) -> Iterator[str]:
    try:
        png = decoded(encoded)
        pixels(encoded)
    except PictureError as error:
        yield str(error)
        return
    if len(png) > MAX_PICTURE:
        size = f"{len(png) / 1000:.0f} kB, at most {MAX_PICTURE // 1000} kB"
        yield f"a picture of {size}: fewer pixels or colours"
    if unsealed(png)[1] is None:
        yield f"a picture without the record of what it says, or changed after it was drawn: {SHOW}"


def markdown_pictures(cell: Cell, path: Path) -> Iterator[str]:
    """Check pictures in prose: alt text, on this disk, small."""
    if cell["cell_type"] != "markdown":
        return
    for alt, address in images(cell["source"]):
        yield from _alt(alt)
        if REMOTE.match(address):
            yield f"a picture from a network ({address[:60]}): put the file into the repository"
        elif address.startswith(("attachment:", "data:")):
            yield f"a picture that no run draws ({address[:30]}): draw it in a cell"
        else:
            file = path.parent / address
            if file.is_file() and file.stat().st_size > MAX_PICTURE:
                yield f"{address} is larger than {MAX_PICTURE // 1000} kB"
    if "data:image" in cell["source"]:
        yield "a picture that no run draws, within prose: draw it in a cell"


CELL_RULES = (outputs, markdown_pictures)
