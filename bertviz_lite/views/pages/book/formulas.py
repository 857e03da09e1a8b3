r"""Formulas as browsers draw them by themselves: the LaTeX of the chapters, as MathML.

So a page needs no script for its formulas, and a screen reader reads them. Left out: all of LaTeX that no
chapter writes. What is not known is refused by its name, and a page then shows the source.

>>> mathml(r"\sqrt{d}")
'<math><msqrt><mi>d</mi></msqrt></math>'
"""

from __future__ import annotations

import html
import re

__all__ = ["FormulaError", "mathml"]

_LETTERS = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ϵ",
    "varepsilon": "ε",
    "eta": "η",
    "theta": "θ",
    "lambda": "λ",
    "mu": "μ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "phi": "ϕ",
    "omega": "ω",
    "Delta": "Δ",
    "Phi": "Φ",
    "Sigma": "Σ",
    "Omega": "Ω",
    "infty": "∞",
    "partial": "∂",
    "ell": "ℓ",
}
_OPERATORS = {
    "cdot": "⋅",
    "times": "×",
    "mid": "∣",
    "propto": "∝",
    "approx": "≈",
    "le": "≤",
    "leq": "≤",
    "ge": "≥",
    "geq": "≥",
    "ne": "≠",
    "neq": "≠",
    "in": "∈",
    "to": "→",
    "leftarrow": "←",
    "lVert": "‖",
    "rVert": "‖",
    "pm": "±",
    "odot": "⊙",
    "oplus": "⊕",
    "sum": "∑",
    "prod": "∏",
    "top": "⊤",
    "ldots": "…",
    "dots": "…",
    "|": "‖",
    "{": "{",
    "}": "}",
}
_NAMES = {"ln", "log", "exp", "sin", "cos", "tan", "tanh", "max", "min", "arg", "softmax"}
_APPLIED = "<mo>&#x2061;</mo>"  # says that a function is applied to what follows
_SCRIPTS = {"^": "msup", "_": "msub"}
_BRACE = ("sign", "}")
_SPACES = {
    "!": "-0.17em",
    ",": "0.17em",
    ":": "0.22em",
    ";": "0.28em",
    " ": "0.33em",
    "quad": "1em",
    "qquad": "2em",
}
_TEXTS = {"text": "mtext", "mathrm": "mi", "operatorname": "mi", "mathbf": "mi"}
_ARGUMENT_TEXT = re.compile(r"\s*\{([^{}]*)\}")
_TOKEN = re.compile(r"\s*(?:\\(?P<command>[A-Za-z]+|.)|(?P<number>\d+(?:\.\d+)?)|(?P<sign>\S))", re.DOTALL)


class FormulaError(ValueError):
    """A formula holds what is not known here."""


def mathml(source: str, *, block: bool = False) -> str:
    """Return a formula of LaTeX as MathML.

    Parameters
    ----------
    source
        What stands between the dollar signs.
    block
        Whether it has a line of its own.

    Raises
    ------
    FormulaError
        If it holds a command that no chapter uses, or a brace without its other.
    """
    reader = _Reader(source)
    parts = reader.row()
    display = ' display="block"' if block else ""
    return f"<math{display}>{parts}</math>"


class _Reader:
    """Goes through a formula from left to right."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0

    def next(self) -> tuple[str, str]:
        """Return what comes next: its kind ("command", "number", "sign", or "" at the end) and its text."""
        if not self.source[self.at :].strip():
            self.at = len(self.source)
            return "", ""
        found = _TOKEN.match(self.source, self.at)
        if not found:
            raise FormulaError(f"{self.source}: it ends with a backslash.")
        self.at = found.end()
        if found["number"] or found["sign"]:
            return ("number", found["number"]) if found["number"] else ("sign", found["sign"])
        return "command", found["command"] or found.group().strip()[1:] or " "

    def row(self, end: tuple[str, str] = ("", "")) -> str:
        """Return everything up to `end`; by default, up to the end of the formula."""
        parts: list[str] = []
        while (found := self.next()) != end:
            kind, text = found
            if kind == "":
                raise FormulaError(f"{self.source}: {end[1]} is missing.")
            if kind == "sign" and text in _SCRIPTS:
                base = parts.pop() if parts else "<mrow></mrow>"
                applied = _APPLIED if base.endswith(_APPLIED) else ""  # tanh² x: the 2 belongs to the name
                base = base.removesuffix(_APPLIED)
                tag = "munder" if base.startswith("<munder>") else _SCRIPTS[text]
                parts.append(f"<{tag}>{base}{self.argument()}</{tag}>{applied}")
            else:
                parts.append(self.element(kind, text))
        return "".join(parts)

    def argument(self) -> str:
        """Return the next element: what is in braces, or one sign."""
        kind, text = self.next()
        return (
            f"<mrow>{self.row(_BRACE)}</mrow>" if text == "{" and kind == "sign" else self.element(kind, text)
        )

    def element(self, kind: str, text: str) -> str:
        if kind == "number":
            return f"<mn>{text}</mn>"
        if kind == "command":
            return self.command(text)
        if text == "{":
            return f"<mrow>{self.row(_BRACE)}</mrow>"
        if kind == "" or text == "}":
            raise FormulaError(f"{self.source}: something is missing before {text or 'the end'}.")
        if text.isalpha():
            return f"<mi>{text}</mi>"
        return _operator("−" if text == "-" else text, fixed=text in "()[]|/")

    def command(self, name: str) -> str:
        simple = self.simple(name)
        if simple:
            return simple
        if name in {"frac", "tfrac", "dfrac"}:
            return f"<mfrac>{self.argument()}{self.argument()}</mfrac>"
        if name == "sqrt":
            inner = self.argument()
            return f"<msqrt>{inner.removeprefix('<mrow>').removesuffix('</mrow>')}</msqrt>"
        if name == "underbrace":
            return f"<munder>{self.argument()}{_operator('⏟')}</munder>"
        if name == "big":
            return _operator(self.next()[1], fixed=True)
        if name == "left":
            opening, inner, closing = self.next()[1], self.row(("command", "right")), self.next()[1]
            fences = ["" if sign == "." else _operator(sign) for sign in (opening, closing)]
            return f"<mrow>{fences[0]}{inner}{fences[1]}</mrow>"
        raise FormulaError(f"{self.source}: \\{name} is not known.")

    def simple(self, name: str) -> str:
        if name in _TEXTS:
            found = _ARGUMENT_TEXT.match(self.source, self.at)
            if not found:
                raise FormulaError(f"{self.source}: \\{name} needs a text in braces.")
            self.at = found.end()
            upright = ' mathvariant="normal"' if _TEXTS[name] == "mi" else ""
            return f"<{_TEXTS[name]}{upright}>{html.escape(found[1])}</{_TEXTS[name]}>"
        if name in _LETTERS:
            return f"<mi>{_LETTERS[name]}</mi>"
        if name in _NAMES:
            return f"<mi>{name}</mi>{_APPLIED}"
        if name in _SPACES:
            return f'<mspace width="{_SPACES[name]}"></mspace>'
        return _operator(_OPERATORS[name]) if name in _OPERATORS else ""


def _operator(sign: str, *, fixed: bool = False) -> str:
    """Return an operator; one that is `fixed` keeps its height."""
    height = ' stretchy="false"' if fixed else ""
    return f"<mo{height}>{html.escape(sign)}</mo>"
