"""The result of a comparison, as text and as a table.

A size that is another one everywhere (``seq_len`` 7 in one trace and 12 in the other) is said once, and the
steps that it explains are counted, not listed. Differences that are alike in several numbered modules take
one line.
"""

from __future__ import annotations

import html as markup
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from bertviz_lite.basics.text import readable
from bertviz_lite.trace.showing.columns import WIDTH
from bertviz_lite.trace.showing.diff.differences import Difference, Kind, bare
from bertviz_lite.trace.showing.labels import wrapped
from bertviz_lite.trace.steps.recorded_pass import RecordedPass
from bertviz_lite.trace.steps.step import Step

_HEADS: dict[Kind, str] = {"vanishes": "vanish", "appears": "appear", "changes": "change"}


@dataclass(frozen=True)
class _Alike:
    """Differences that are one and the same but for numbers in the path."""

    first: Difference
    paths: tuple[str, ...]

    @property
    def path(self) -> str:
        """The paths in short: "bert.encoder.layer.0 … layer.11"."""
        one, last = self.paths[0], self.paths[-1]
        if len(set(self.paths)) == 1:
            return readable(one)
        start = 0
        for a, b in zip(one.split("."), last.split("."), strict=False):
            if a != b:
                break
            start += len(a) + 1
        # The number alone says little: the name of its stack goes with it.
        stack = one[: max(start - 1, 0)].rfind(".") + 1
        return readable(f"{one} … {last[stack:]}")


@dataclass(frozen=True, eq=False)
class TraceDiff:
    """What :meth:`Trace.diff` found; ``str()`` says it in words, and it is true if anything differs.

    Parameters
    ----------
    before, after
        The two traces.
    pairs
        Their steps side by side, None where one has no such step.
    sizes
        Axis names whose size is another one in all of the second trace: {"seq_len": (7, 12)}.
    differences
        What those sizes do not explain, in the order of the steps.
    explained
        How many steps have another shape because of those sizes only.
    """

    before: RecordedPass
    after: RecordedPass
    pairs: tuple[tuple[Step | None, Step | None], ...]
    sizes: dict[str, tuple[int, int]]
    differences: tuple[Difference, ...]
    explained: int

    def __bool__(self) -> bool:
        return bool(self.differences or self.sizes or self._notes())

    def __repr__(self) -> str:
        kinds = [sum(one.kind == kind for one in self.differences) for kind in _HEADS]
        found = ", ".join(
            f"{count} {word}" for count, word in zip(kinds, _HEADS.values(), strict=True) if count
        )
        names = f"{self.before.model_name}, {self.after.model_name}"
        return f"TraceDiff({readable(names)}: {found or 'the same steps'})"

    def __str__(self) -> str:
        lines = list(self._sentences())
        for kind, word in _HEADS.items():
            found = [one for one in self._alike if one.first.kind == kind]
            if found:
                lines += ["", f"These {word}:"]
                lines += [f"  {_line(one)}" for one in found]
        return "\n".join(part for line in lines for part in wrapped(line, WIDTH, " " * 6) or [""])

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{_text(line)}</p>" for line in self._sentences())
        if not self._alike:
            return f"<div>{said}</div>"
        rows = "".join(_row(one) for one in self._alike)
        columns = ("", "module", "step", self.before.model_name, self.after.model_name)
        head = "".join(f'<th scope="col">{_text(name)}</th>' for name in columns)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        return f"<div>{said}{table}</div>"

    @cached_property
    def _alike(self) -> list[_Alike]:
        found: dict[tuple[object, ...], list[Difference]] = {}
        for one in self.differences:
            step = one.step
            key = (one.kind, re.sub(r"(?<=\.)\d+(?=\.|$)", "#", step.path), bare(step), *one.what)
            found.setdefault(key, []).append(one)
        return [_Alike(group[0], tuple(one.step.path for one in group)) for group in found.values()]

    def _notes(self) -> list[str]:
        """Return what is to say of the models as a whole."""
        notes = []
        one, other = ({value.label for value in trace.inputs} for trace in (self.before, self.after))
        for names, word in ((other - one, "new"), (one - other, "missing")):
            if named := sorted(filter(None, names)):
                verb = "is" if len(named) == 1 else "are"
                notes.append(f"Of the inputs, {', '.join(map(readable, named))} {verb} {word}.")
        if self.before.parameters != self.after.parameters:
            notes.append(f"Parameters: {self.before.parameters:,} → {self.after.parameters:,}.")
        for trace, which in ((self.before, "first"), (self.after, "second")):
            if trace.failure is not None:
                notes.append(f"✗ The {which} pass failed: {readable(trace.failure.message)}")
        return notes

    def _sentences(self) -> Iterator[str]:
        names = [readable(trace.model_name) for trace in (self.before, self.after)]
        both = sum(None not in pair for pair in self.pairs)
        if not self:
            yield f"The two traces of {names[0]} are identical: {both} steps with the same shapes and dtypes."
            return
        counts = f"{len(self.before.steps)} and {len(self.after.steps)} steps, {both} of them in both"
        yield f"{names[0]} and {names[1]}: {counts}."
        yield from self._notes()
        if self.sizes:
            sizes = ", ".join(f"{readable(name)} {old} → {new}" for name, (old, new) in self.sizes.items())
            yield f"Sizes: {sizes}. That alone changes the shapes of {self.explained} steps."
        if not self.differences:
            yield "Nothing else differs: the same modules and operations in the same order."


def _title(one: _Alike) -> str:
    """Return the step's name, with how many there are and what is inside."""
    step = one.first.step
    if step.kind == "operation":
        title = readable(step.name)
    else:
        count = step.last - step.index
        inside = (
            f" with {count} step{'s' * (count != 1)} inside"
            if one.first.kind != "changes" and count and step.path
            else ""
        )
        title = f"{readable(step.name)}{inside}"
    return title if len(one.paths) == 1 else f"{title}, {len(one.paths)} alike"


def _line(one: _Alike) -> str:
    old, new = one.first.what
    where = f"{one.path}: " if one.path else ""
    shapes = f"{old} → {new}" if one.first.kind == "changes" else old or new
    return f"{where}{_title(one)}: {shapes}"


def _row(one: _Alike) -> str:
    old, new = one.first.what
    cells = [one.path or "the model", _title(one), old, new]
    rest = "".join(f"<td>{_text(cell)}</td>" for cell in cells)
    return f'<tr><th scope="row">{one.first.kind}</th>{rest}</tr>'


def _text(text: str) -> str:
    return markup.escape(text)
