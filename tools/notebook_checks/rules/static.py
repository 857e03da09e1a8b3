"""Apply every rule that needs no kernel to a notebook's file, and list what is to be put right."""

from collections.abc import Callable, Iterator
from pathlib import Path

from notebook_checks.notebook import (
    Cell,
    Finding,
    Notebook,
    NotebookError,
    cell_name,
    original_of,
    read,
    shown,
)
from notebook_checks.rules import claims, form, glossary, neighbours, numbers, output_rules, prose, shape
from notebook_checks.translation import rules as translation

NotebookRule = Callable[[Notebook, Path], Iterator[str]]
CellRule = Callable[[Cell, Path], Iterator[str]]

NOTEBOOK_RULES: tuple[NotebookRule, ...] = (
    *form.NOTEBOOK_RULES,
    *prose.NOTEBOOK_RULES,
    *shape.NOTEBOOK_RULES,
    *neighbours.NOTEBOOK_RULES,
    *glossary.NOTEBOOK_RULES,
    *claims.NOTEBOOK_RULES,
    *numbers.NOTEBOOK_RULES,
)
CELL_RULES: tuple[CellRule, ...] = (
    *form.CELL_RULES,
    *output_rules.CELL_RULES,
    *prose.CELL_RULES,
    *neighbours.CELL_RULES,
    *glossary.CELL_RULES,
)

# A translation's sections, terms and claims are its original's, and are checked there.
RULES_ON_TRANSLATIONS: tuple[NotebookRule, ...] = (
    *form.NOTEBOOK_RULES,
    *prose.NOTEBOOK_RULES_IN_ANY_LANGUAGE,
    *translation.NOTEBOOK_RULES,
)
RULES_ON_TRANSLATED_CELLS: tuple[CellRule, ...] = (
    *form.CELL_RULES,
    *output_rules.CELL_RULES,
    *prose.CELL_RULES,
)


def static_findings(path: Path) -> list[Finding]:
    """List all findings about one notebook, those on the whole first, then cell by cell."""
    try:
        notebook = read(path)
    except NotebookError as error:
        return [Finding(shown(path), str(error).removeprefix(f"{shown(path)}: "))]
    if invalid := list(form.validity(notebook, path)):
        return [Finding(shown(path), text) for text in invalid]
    on_notebook, on_cells = NOTEBOOK_RULES, CELL_RULES
    if original_of(path):
        on_notebook, on_cells = RULES_ON_TRANSLATIONS, RULES_ON_TRANSLATED_CELLS
    findings = [Finding(shown(path), text) for rule in on_notebook for text in rule(notebook, path)]
    for index, cell in enumerate(notebook["cells"]):
        where = f"{shown(path)}, {cell_name(index, cell)}"
        findings += [Finding(where, text) for rule in on_cells for text in rule(cell, path)]
    return findings
