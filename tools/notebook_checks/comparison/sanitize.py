"""Read the sanitize file: what may differ from run to run, and nothing more.

nbval reads the same file by one regular expression and silently drops whatever does not fit. Here a line that
fits nothing is an error, and so is a rule greedy enough to hide a result.
"""

import re
from collections.abc import Callable
from pathlib import Path

SANITIZE_FILE = Path(__file__).with_name("sanitize.cfg")

# No rule may touch any of these: they are what the outputs are about.
SACRED = (
    "0.97",
    "accuracy 0.97",
    "largest difference 3.6e-07",
    "12 heads, 144 maps",
    "tensor([[0.12, -3.40], [5.00, 0.01]])",
    "torch.Size([2, 7, 128])",
    "<td>23,440,896</td>",
    "97 %",
    "took the bank on the left",
    "took 12 steps",
    "loss 2.31 after 300 steps",
)


class SanitizeError(ValueError):
    """A sanitize file that is malformed or hides too much."""


def load_rules(path: Path = SANITIZE_FILE) -> list[tuple[str, str]]:
    """Read (pattern, replacement) pairs.

    Raises
    ------
    SanitizeError
        For a line that is neither empty, a comment nor half of a pair; a pattern that is no regular
        expression; a rule that matches the empty string or one of `SACRED`.
    """
    rules: list[tuple[str, str]] = []
    lines = path.read_text(encoding="utf-8").splitlines()
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if not line.strip() or line.startswith("#"):
            continue
        following = lines[number] if number < len(lines) else ""
        if not line.startswith("regex: ") or not following.startswith("replace: "):
            raise SanitizeError(
                f'{path.name}, line {number}: needs "regex: ..." and, on the next line, "replace: ..."'
            )
        rules.append((line.removeprefix("regex: "), following.removeprefix("replace: ")))
        _refuse_greedy(path, number, rules[-1][0])
        number += 1
    return rules


def _refuse_greedy(path: Path, number: int, pattern: str) -> None:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise SanitizeError(f"{path.name}, line {number}: no regular expression ({error})") from error
    for text in ("", *SACRED):
        if compiled.search(text):
            raise SanitizeError(
                f"{path.name}, line {number}: {pattern!r} hides {text!r}; name the words around the number"
            )


def sanitizer(rules: list[tuple[str, str]]) -> Callable[[str], str]:
    """Return the function that applies the rules in order."""
    compiled = [(re.compile(pattern), replacement) for pattern, replacement in rules]

    def sanitize(text: str) -> str:
        for pattern, replacement in compiled:
            text = pattern.sub(replacement, text)
        return text

    return sanitize
