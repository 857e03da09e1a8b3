"""Outcomes on disk: a run that was interrupted goes on, and what has changed since is tried again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from mutants.trying import ROOT, Outcome

if TYPE_CHECKING:
    from mutants.mutant import Mutant

STORE = ROOT / "build" / "mutants.json"


def fingerprint(mutant: Mutant) -> str:
    """Return a hash of the mutant, of the module that it changes and of the files of its tests."""
    digest = hashlib.sha256(repr(mutant).encode())
    for file in sorted({ROOT / test.partition("::")[0] for test in mutant.tests} | {file_of(mutant.module)}):
        digest.update(file.read_bytes() if file.is_file() else str(file).encode())
    return digest.hexdigest()


def file_of(module: str) -> Path:
    """Return a module's file without importing it: only its top package is looked for."""
    top, *rest = module.split(".")
    spec = find_spec(top)
    assert spec is not None
    assert spec.submodule_search_locations
    path = Path(spec.submodule_search_locations[0]).joinpath(*rest)
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def read() -> dict[str, tuple[str, Outcome]]:
    """Return the outcomes by mutant, each with the fingerprint that it holds for."""
    if not STORE.exists():
        return {}
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    return {name: (row.pop("fingerprint"), Outcome(**row)) for name, row in stored.items()}


def write(outcomes: dict[str, tuple[str, Outcome]]) -> None:
    """Write all outcomes; the file is replaced as a whole."""
    rows = {name: {"fingerprint": mark, **asdict(outcome)} for name, (mark, outcome) in outcomes.items()}
    STORE.parent.mkdir(parents=True, exist_ok=True)
    unfinished = STORE.with_suffix(".part")
    unfinished.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    unfinished.replace(STORE)
