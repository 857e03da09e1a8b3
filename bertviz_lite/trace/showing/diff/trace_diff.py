"""The result of a comparison, as text and as a table.

A size that differs everywhere (``seq_len`` 7 in one trace and 12 in the other) is stated once, and the steps
that it explains are counted, not listed. Differences that are alike in several numbered modules take
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
    """Differences that are equal but for the numbers in their paths."""

    first: Difference
    paths: tuple[str, ...]

    @property
    def path(self) -> str:
        """The paths in short: "bert.encoder.layer.0 … layer.11"."""
        first, last = self.paths[0], self.paths[-1]
        if len(set(self.paths)) == 1:
            return readable(first)
        start = 0
        for a, b in zip(first.split("."), last.split("."), strict=False):
            if a != b:
                break
            start += len(a) + 1
        # The number alone says little: the name of its stack goes with it.
        stack = first[: max(start - 1, 0)].rfind(".") + 1
        return readable(f"{first} … {last[stack:]}")


@dataclass(frozen=True, eq=False)
class TraceDiff:
    """The result of :meth:`Trace.diff`; ``str()`` says it in words, and it is true if anything differs.

    Parameters
    ----------
    before, after
        The two traces.
    pairs
        Their steps side by side, None where one has no such step.
    sizes
        Axis names whose size differs in all of the second trace: {"seq_len": (7, 12)}.
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
        kinds = [sum(difference.kind == kind for difference in self.differences) for kind in _HEADS]
        counts = ", ".join(
            f"{count} {word}" for count, word in zip(kinds, _HEADS.values(), strict=True) if count
        )
        names = f"{self.before.model_name}, {self.after.model_name}"
        return f"TraceDiff({readable(names)}: {counts or 'the same steps'})"

    def __str__(self) -> str:
        lines = list(self._sentences())
        for kind, word in _HEADS.items():
            groups = [group for group in self._alike if group.first.kind == kind]
            if groups:
                lines += ["", f"These {word}:"]
                lines += [f"  {_line(group)}" for group in groups]
        return "\n".join(part for line in lines for part in wrapped(line, WIDTH, " " * 6) or [""])

    def _repr_html_(self) -> str:
        sentences = "".join(f"<p>{_text(line)}</p>" for line in self._sentences())
        if not self._alike:
            return f"<div>{sentences}</div>"
        rows = "".join(_row(group) for group in self._alike)
        columns = ("", "module", "step", self.before.model_name, self.after.model_name)
        head = "".join(f'<th scope="col">{_text(name)}</th>' for name in columns)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        return f"<div>{sentences}{table}</div>"

    @cached_property
    def _alike(self) -> list[_Alike]:
        groups: dict[tuple[object, ...], list[Difference]] = {}
        for difference in self.differences:
            step = difference.step
            key = (
                difference.kind,
                re.sub(r"(?<=\.)\d+(?=\.|$)", "#", step.path),
                bare(step),
                *difference.what,
            )
            groups.setdefault(key, []).append(difference)
        return [
            _Alike(group[0], tuple(difference.step.path for difference in group)) for group in groups.values()
        ]

    def _notes(self) -> list[str]:
        """Return what differs between the models as a whole."""
        notes = []
        before, after = ({value.label for value in trace.inputs} for trace in (self.before, self.after))
        for names, word in ((after - before, "new"), (before - after, "missing")):
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


def _title(group: _Alike) -> str:
    """Return the step's name, with how many there are and what is inside."""
    step = group.first.step
    if step.kind == "operation":
        title = readable(step.name)
    else:
        count = step.last - step.index
        inside = (
            f" with {count} step{'s' * (count != 1)} inside"
            if group.first.kind != "changes" and count and step.path
            else ""
        )
        title = f"{readable(step.name)}{inside}"
    return title if len(group.paths) == 1 else f"{title}, {len(group.paths)} alike"


def _line(group: _Alike) -> str:
    old, new = group.first.what
    where = f"{group.path}: " if group.path else ""
    shapes = f"{old} → {new}" if group.first.kind == "changes" else old or new
    return f"{where}{_title(group)}: {shapes}"


def _row(group: _Alike) -> str:
    old, new = group.first.what
    cells = [group.path or "the model", _title(group), old, new]
    texts = "".join(f"<td>{_text(cell)}</td>" for cell in cells)
    return f'<tr><th scope="row">{group.first.kind}</th>{texts}</tr>'


def _text(text: str) -> str:
    return markup.escape(text)
