"""Which statements of a notebook an answer needs: so that grading one exercise does not run a chapter.

A statement is needed if it binds or changes a name that a needed statement uses, up to the answer's cell. A
function uses the names that it reads from outside; of an import, only the names that are used count.
"""

from __future__ import annotations

import ast
import dis
from dataclasses import dataclass, field
from types import CodeType

from bertviz_lite.basics.notebook_files import Notebook, text_of
from bertviz_lite.exercises.grading.notebooks.code import bound_by, parse, python_of
from bertviz_lite.exercises.grading.sandbox.doors import CELL
from bertviz_lite.exercises.grading.sandbox.jobs import Piece

__all__ = ["Statement", "needed", "pieces", "statements_of"]

_SETTINGS = {"set_grad_enabled", "set_default_dtype", "manual_seed"}


@dataclass
class Statement:
    """One statement at the top of a cell.

    Attributes
    ----------
    cell
        The number of its cell in the notebook.
    number
        Its number in the cell.
    node
        The statement.
    binds, uses
        The names that it binds or changes, and those that it needs.
    is_import
        Whether it is an import.
    """

    cell: int
    number: int
    node: ast.stmt
    binds: set[str] = field(default_factory=set)
    uses: set[str] = field(default_factory=set)
    is_import: bool = False


def statements_of(notebook: Notebook) -> tuple[list[Statement], dict[int, str]]:
    """Return the statements of a notebook in their order, and for cells that are no Python what is wrong."""
    found, broken, imported = [], {}, set()  # type: list[Statement], dict[int, str], set[str]
    for cell, content in enumerate(notebook["cells"]):
        if content["cell_type"] != "code":
            continue
        try:
            nodes = parse(text_of(content))
            for number, node in enumerate(nodes):
                statement = _read(cell, number, node, imported)
                imported |= statement.binds if statement.is_import else set()
                found.append(statement)
        except SyntaxError as error:
            broken[cell] = f"SyntaxError: {error.msg}" + (f" in line {error.lineno}" if error.lineno else "")
    return found, broken


def _read(cell: int, number: int, node: ast.stmt, imported: set[str]) -> Statement:
    if isinstance(node, ast.Import | ast.ImportFrom):
        names = {bound_by(name) for name in node.names}
        return Statement(cell, number, node, names, set(), is_import=True)
    try:
        code = compile(ast.Module([node], []), "cell", "exec")
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(str(error)) from None
    binds, uses = _names(code, outermost=True)
    return Statement(cell, number, node, binds | (_changed(node) - imported), uses)


def _names(code: CodeType, *, outermost: bool = False) -> tuple[set[str], set[str]]:
    """Return the names of the notebook that a piece of code binds and those that it reads."""
    binds: set[str] = set()
    uses: set[str] = set()
    for step in dis.get_instructions(code):
        if step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL") or (outermost and step.opname == "STORE_NAME"):
            binds.add(str(step.argval))
        elif step.opname in ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"):
            uses.add(str(step.argval))
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            inner_binds, inner_uses = _names(inner)
            binds, uses = binds | inner_binds, uses | inner_uses
    return binds, uses


def _changed(node: ast.stmt) -> set[str]:
    """Return the names whose values a statement changes: ``table[0] = 1``, ``words.append(word)``."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign | ast.Delete):
        targets = [target for target in node.targets if not isinstance(target, ast.Name)]
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        targets = [node.target]
    elif (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
    ):
        targets = [node.value.func]
    return {name for target in targets if (name := _root(target))}


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def needed(name: str, statements: list[Statement], last_cell: int) -> list[Statement]:
    """Return the statements, up to a cell, that give a name its value."""
    before = [statement for statement in statements if statement.cell <= last_cell]
    names, chosen = {name}, set()  # type: set[str], set[int]
    grows = True
    while grows:
        grows = False
        for place, statement in enumerate(before):
            if place not in chosen and (statement.binds & names or _is_setting(statement, names)):
                chosen.add(place)
                names |= statement.uses
                grows = True
    return [
        statement if not statement.is_import else _only(statement, names)
        for place, statement in enumerate(before)
        if place in chosen
    ]


def _is_setting(statement: Statement, names: set[str]) -> bool:
    """Whether it is a switch of torch, such as ``torch.set_grad_enabled(False)``."""
    match statement.node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr=attribute))):
            return attribute in _SETTINGS and "torch" in names
    return False


def _only(statement: Statement, names: set[str]) -> Statement:
    """Return an import with the names that are needed."""
    return Statement(
        statement.cell, statement.number, statement.node, statement.binds & names, set(), is_import=True
    )


def pieces(statements: list[Statement], notebook: Notebook) -> list[Piece]:
    """Put statements together, cell by cell, for the sandbox."""
    by_cell: dict[int, list[Statement]] = {}
    for statement in statements:
        by_cell.setdefault(statement.cell, []).append(statement)
    return [
        Piece(
            cell=f"{CELL}{cell + 1}",
            source=python_of(text_of(notebook["cells"][cell])),
            take=[(one.number, sorted(one.binds) if one.is_import else None) for one in inside],
        )
        for cell, inside in by_cell.items()
    ]
