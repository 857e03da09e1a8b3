"""Compare the outputs of a cell as committed with those of a fresh run, one by one, pictures included."""

import difflib
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from notebook_checks.comparison.pictures import picture_difference
from notebook_checks.notebook import WIDGET_VIEW, Output, merged_streams

Sanitize = Callable[[str], str]
PICTURE = "<picture {}>"
DATA_URI = re.compile(r"(?<=data:image/png;base64,)[A-Za-z0-9+/=\s]+")
SHOWN_LINES = 20


def kind(output: Output) -> str:
    """Say in a few words what an output is: "stdout", "text/html + text/plain"."""
    if output["output_type"] == "stream":
        return str(output["name"])
    if output["output_type"] == "error":
        return f"error {output['ename']}"
    return " + ".join(sorted(output["data"])) or "an empty display"


def without_pictures(text: str) -> tuple[str, list[str]]:
    """Take the PNG data URIs out of a text: the text with a number in each one's place, and their base64."""
    pictures: list[str] = []

    def number(match: re.Match[str]) -> str:
        pictures.append(match.group())
        return PICTURE.format(len(pictures))

    return DATA_URI.sub(number, text), pictures


def differences(committed: Sequence[Output], fresh: Sequence[Output], sanitize: Sanitize) -> list[str]:
    """List how the committed outputs of one cell differ from those of a fresh run; empty where they agree.

    A widget's view in `fresh` is left aside (its id is random, and it is not committed), but a display that
    has one must have HTML without scripts beside it, which is compared like any other.
    """
    fresh = merged_streams(fresh)
    found = bare_widgets(fresh)
    old, new = [_comparable(o) for o in merged_streams(committed)], [_comparable(o) for o in fresh]
    if len(old) != len(new):
        return [*found, f"has {_listed(old)}; the code now gives {_listed(new)}"]
    for number, (was, now) in enumerate(zip(old, new, strict=True), start=1):
        found += (
            f"output {number} ({kind(was)}): {text}" for text in _output_differences(was, now, sanitize)
        )
    return found


def bare_widgets(fresh: Sequence[Output]) -> list[str]:
    """List the outputs of a run that show a widget and nothing that is seen where no kernel runs."""
    return [
        f"output {number} shows a widget that leaves nothing to see where no kernel runs: "
        "give it a text/html fallback without scripts"
        for number, output in enumerate(fresh, start=1)
        if WIDGET_VIEW in output.get("data", ()) and not _has_fallback(output["data"])
    ]


def _has_fallback(data: dict[str, Any]) -> bool:
    html = data.get("text/html", "")
    return bool(html.strip()) and "<script" not in html.lower()


def _listed(outputs: Sequence[Output]) -> str:
    if not outputs:
        return "no output"
    return f"{len(outputs)} output{'s'[: len(outputs) > 1]} ({', '.join(map(kind, outputs))})"


def _comparable(output: Output) -> dict[str, Any]:
    """Drop what may differ by chance: the widget's view and the number of the run."""
    result = {key: value for key, value in output.items() if key not in ("execution_count", "traceback")}
    for key in ("data", "metadata"):
        if key in result:
            result[key] = {mime: value for mime, value in result[key].items() if mime != WIDGET_VIEW}
    return result


def _output_differences(was: Output, now: Output, sanitize: Sanitize) -> Iterator[str]:
    for key in ("output_type", "name", "metadata"):
        if was.get(key) != now.get(key):
            yield f"{key} was {was.get(key)!r}, is now {now.get(key)!r}"
    if kind(was) != kind(now):
        yield f"is now {kind(now)}"
        return
    if "data" not in was:
        for key in ("text", "evalue"):
            yield from _value_differences(was.get(key, ""), now.get(key, ""), sanitize)
        return
    for mime in sorted(was["data"]):
        for text in _value_differences(was["data"][mime], now["data"][mime], sanitize, mime=mime):
            yield f"{mime} {text}"


def _value_differences(was: object, now: object, sanitize: Sanitize, mime: str = "") -> Iterator[str]:
    if was == now:
        return
    if not isinstance(was, str) or not isinstance(now, str):
        yield f"was {was!r}, is now {now!r}"
    elif mime == "image/png":
        if text := picture_difference(was, now):
            yield text
    else:
        (old_text, old_pictures), (new_text, new_pictures) = without_pictures(was), without_pictures(now)
        if sanitize(old_text) != sanitize(new_text):
            yield "differs:\n" + _diff(sanitize(old_text), sanitize(new_text))
        if len(old_pictures) != len(new_pictures):
            yield f"has {len(old_pictures)} pictures, now {len(new_pictures)}"
            return
        for number, (old, new) in enumerate(zip(old_pictures, new_pictures, strict=True), start=1):
            if text := picture_difference(old, new):
                yield f"picture {number} {text}"


def _diff(was: str, now: str) -> str:
    lines = list(difflib.unified_diff(was.splitlines(), now.splitlines(), lineterm="", n=1))[2:]
    if not lines:
        return f"    only in line ends: {was[-10:]!r}, now {now[-10:]!r}"
    rest = [f"    ... {len(lines) - SHOWN_LINES} more lines"] if len(lines) > SHOWN_LINES else []
    return "\n".join([f"    {line}" for line in lines[:SHOWN_LINES]] + rest)


def kept(committed: Sequence[Output], fresh: Sequence[Output], sanitize: Sanitize) -> list[Output]:
    """Return the fresh outputs, with the committed value wherever `differences` finds the two equal.

    So a refresh changes no byte of a picture that looks the same, nor a duration.
    """
    old, new = merged_streams(committed), merged_streams(fresh)
    if len(old) != len(new):
        return new
    return [_kept_output(was, now, sanitize) for was, now in zip(old, new, strict=True)]


def _kept_output(was: Output, now: Output, sanitize: Sanitize) -> Output:
    result = dict(now)
    if "text" in now:
        result["text"] = _kept_value(was.get("text"), now["text"], sanitize)
    if "data" in now:
        old = was.get("data", {})
        result["data"] = {
            m: _kept_value(old.get(m), value, sanitize, mime=m) for m, value in now["data"].items()
        }
    return result


def _kept_value(was: object, now: object, sanitize: Sanitize, mime: str = "") -> object:
    if was is None or not any(True for _ in _value_differences(was, now, sanitize, mime=mime)):
        return now if was is None else was
    if not isinstance(was, str) or not isinstance(now, str) or mime == "image/png":
        return now
    old_pictures, new_pictures = without_pictures(was)[1], without_pictures(now)[1]
    if len(old_pictures) != len(new_pictures):
        return now
    pairs = iter(zip(old_pictures, new_pictures, strict=True))

    def keep(_match: re.Match[str]) -> str:
        old, new = next(pairs)
        return new if picture_difference(old, new) else old

    return DATA_URI.sub(keep, now)
