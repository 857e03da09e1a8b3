"""Two traces side by side: which steps appear, which vanish, which change their shape.

Modules are aligned by their paths, operations inside a module by their order. A size that is another one
everywhere (``seq_len`` 7 in one trace and 12 in the other) is said once, and the steps that it explains are
counted, not listed. Differences that are alike in several numbered modules take one line.
"""

from __future__ import annotations

import html as markup
import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from bertviz_lite.basics.text import readable
from bertviz_lite.trace.recording.steps import Trace, TraceError
from bertviz_lite.trace.showing import words
from bertviz_lite.trace.showing.table import WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bertviz_lite.trace.recording.steps import Axis, Step, Value

    _Sizes = tuple[Mapping[str, int], Mapping[str, int]]

__all__ = ["Difference", "TraceDiff", "diff"]

Kind = Literal["appears", "vanishes", "changes"]
_HEADS: dict[Kind, str] = {"vanishes": "vanish", "appears": "appear", "changes": "change"}


@dataclass(frozen=True)
class Difference:
    """One step that is not the same in both traces.

    Parameters
    ----------
    kind
        ``"appears"`` (only in the second), ``"vanishes"`` (only in the first) or ``"changes"``.
    before, after
        The step in the first and in the second trace; None where there is none. A module that appears or
        vanishes stands for all that is inside it.
    what
        What it is in the first and in the second: shapes, or a class, a dtype, a number of parameters.
    """

    kind: Kind
    before: Step | None
    after: Step | None
    what: tuple[str, str]

    @property
    def step(self) -> Step:
        """The step, from the trace that has it."""
        step = self.before or self.after
        assert step is not None
        return step


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

    before: Trace
    after: Trace
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
        return "\n".join(part for line in lines for part in words.wrapped(line, WIDTH, " " * 6) or [""])

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
            key = (one.kind, re.sub(r"(?<=\.)\d+(?=\.|$)", "#", step.path), _bare(step), *one.what)
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


def diff(before: Trace, after: Trace) -> TraceDiff:
    """Compare two traces step by step.

    Parameters
    ----------
    before, after
        What :func:`bertviz_lite.trace` returns: the same model on other inputs, or two models.

    Raises
    ------
    TraceError
        If `after` is no Trace.
    """
    given: object = after
    if not isinstance(given, Trace):
        raise TraceError(
            f"diff() compares with another Trace, not {type(given).__name__}: give trace(model, …)."
        )
    pairs = tuple(_aligned(before, after, None, None))
    sizes = {
        name: (size, after.sizes[name])
        for name, size in before.sizes.items()
        if name in after.sizes and after.sizes[name] != size
    }
    differences, explained = [], 0
    for old, new in pairs:
        if old is None or new is None:
            differences.append(_lone(old, new))
        elif what := _changed(old, new, (before.sizes, after.sizes)):
            differences.append(Difference("changes", old, new, what))
        else:
            explained += _shapes(old) != _shapes(new)
    return TraceDiff(before, after, pairs, sizes, tuple(_outermost(differences)), explained)


# ---- alignment


def _aligned(
    before: Trace, after: Trace, old: Step | None, new: Step | None
) -> Iterator[tuple[Step | None, Step | None]]:
    """Yield the steps inside two modules side by side, and what is inside those."""
    left, right = words.inner(before, old), words.inner(after, new)
    if old is None and new is None and len(left) == len(right) == 1:
        yield from _roots(before, after, left[0], right[0])
        return
    keys = [_key(step, old) for step in left], [_key(step, new) for step in right]
    for tag, a, b, c, d in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        if tag == "equal":
            for one, other in zip(left[a:b], right[c:d], strict=True):
                yield from _pair(before, after, one, other)
        else:
            yield from _replaced(before, after, left[a:b], right[c:d])


def _roots(before: Trace, after: Trace, one: Step, other: Step) -> Iterator[tuple[Step | None, Step | None]]:
    """Pair the models; or one with the module of its class in the other, as BertModel in BertForMaskedLM."""
    if one.name != other.name:
        for step in words.inner(before, one):
            if (step.kind, step.name) == ("module", other.name):
                yield from ((lone, None) for lone in before.steps[: step.index])
                yield from _pair(before, after, step, other)
                yield from ((lone, None) for lone in before.steps[step.last + 1 :])
                return
        for step in words.inner(after, other):
            if (step.kind, step.name) == ("module", one.name):
                yield from ((None, lone) for lone in after.steps[: step.index])
                yield from _pair(before, after, one, step)
                yield from ((None, lone) for lone in after.steps[step.last + 1 :])
                return
    yield from _pair(before, after, one, other)


def _pair(before: Trace, after: Trace, one: Step, other: Step) -> Iterator[tuple[Step | None, Step | None]]:
    yield one, other
    if one.kind == "module":
        yield from _aligned(before, after, one, other)


def _replaced(
    before: Trace, after: Trace, left: Sequence[Step], right: Sequence[Step]
) -> Iterator[tuple[Step | None, Step | None]]:
    """Yield modules of other names that hold much the same as pairs, and all else alone."""
    rest = list(right)
    for step in left:
        twin = next((other for other in rest if _resemble(before, after, step, other)), None)
        if twin is None:
            for one in before.steps[step.index : step.last + 1]:
                yield one, None
            continue
        for other in rest[: rest.index(twin)]:
            yield from ((None, one) for one in after.steps[other.index : other.last + 1])
        del rest[: rest.index(twin) + 1]
        yield from _pair(before, after, step, twin)
    for other in rest:
        yield from ((None, one) for one in after.steps[other.index : other.last + 1])


def _resemble(before: Trace, after: Trace, one: Step, other: Step) -> bool:
    if one.kind != "module" or other.kind != "module":
        return False
    inside = [_key(step, one) for step in words.inner(before, one)]
    outside = [_key(step, other) for step in words.inner(after, other)]
    return len(inside) > 1 and SequenceMatcher(None, inside, outside, autojunk=False).ratio() >= 0.5


def _key(step: Step, parent: Step | None) -> tuple[str, str]:
    if step.kind == "module":
        return "module", words.own_name(step, parent)
    return "operation", words.operation(step)


# ---- what differs


def _lone(old: Step | None, new: Step | None) -> Difference:
    step = old or new
    assert step is not None
    shapes = _shapes(step)
    return (
        Difference("vanishes", old, None, (shapes, ""))
        if old
        else Difference("appears", None, new, ("", shapes))
    )


def _outermost(differences: Sequence[Difference]) -> Iterator[Difference]:
    """Leave out what appears or vanishes together with a module around it."""
    alone = {(one.kind, one.step.index) for one in differences}
    for one in differences:
        # The model itself is alone where the other trace is of a part of it: what is inside is said then.
        if one.kind == "changes" or one.step.depth == 1 or (one.kind, one.step.parent) not in alone:
            yield one


def _changed(old: Step, new: Step, sizes: _Sizes) -> tuple[str, str] | None:
    """Return what a step is in the first and in the second trace, if `sizes` do not explain it."""
    if len(old.outputs) != len(new.outputs) or not all(
        _explained(one, other, sizes) for one, other in zip(old.outputs, new.outputs, strict=True)
    ):
        return _shapes(old), _shapes(new)
    if _bare(old) != _bare(new):
        return readable(old.name), readable(new.name)
    kinds = [", ".join(value.dtype for value in step.outputs) for step in (old, new)]
    if kinds[0] != kinds[1]:
        return kinds[0], kinds[1]
    own = [", ".join(words.shape(value) for value in step.weights) for step in (old, new)]
    if old.kind == "module" and own[0] != own[1]:
        return f"parameters {own[0] or 'none'}", f"parameters {own[1] or 'none'}"
    return None


def _explained(one: Value, other: Value, sizes: _Sizes) -> bool:
    return len(one.axes) == len(other.axes) and all(
        _same_axis(a, b, sizes) for a, b in zip(one.axes, other.axes, strict=True)
    )


def _same_axis(one: Axis, other: Axis, sizes: _Sizes) -> bool:
    if one.name != other.name:
        return False
    if one.size == other.size or one.name is None:
        return one.size == other.size
    return [_size(one.name, known) for known in sizes] == [one.size, other.size]


def _size(name: str, sizes: Mapping[str, int]) -> int | None:
    """Return the size of "seq_len", "batch*seq_len", "3*hidden_size", "seq_len-1" or "hidden_size/2"."""
    product = 1
    for part in name.split("*"):
        found = re.fullmatch(r"(\w+?)(?:([+-]\d+)|/(\d+))?", part)
        if found is None or not (found[1].isdigit() or found[1] in sizes):
            return None
        size = int(found[1]) if found[1].isdigit() else sizes[found[1]]
        product *= (size + int(found[2] or 0)) // int(found[3] or 1)
    return product


def _bare(step: Step) -> str:
    """Return a class, or an operation without its numbers: they are sizes, and those are compared by axis."""
    return step.name if step.kind == "module" else re.sub(r"\d+(\.\d+)?", "#", step.name)


def _shapes(step: Step) -> str:
    return ", ".join(map(words.shape, step.outputs)) or "no tensor"


# ---- words


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
