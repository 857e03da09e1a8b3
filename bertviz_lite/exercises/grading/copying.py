"""Whether an answer is the course's own solution.

A short solution can be written twice: `return a + b` proves nothing. So an answer counts as copied if it has
the solution's docstring; or if it is the same code, and has types in its first line, which no handout gives,
or the solution's names for several steps, or is long. Else it may be the same by chance: the teacher is told.
"""

from __future__ import annotations

import ast
import copy
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bertviz_lite.exercises import Exercise

__all__ = ["is_copied", "is_same_code"]

_LONG = 30  # names, attributes, numbers, operators and calls: parts that somebody has to choose
_OWN_NAMES = 2  # names for steps on the way
_SHORTEST_NAME = 3  # letters: everybody counts with i

_Definition = ast.FunctionDef | ast.ClassDef


def is_copied(answer: ast.stmt, exercise: Exercise) -> bool:
    """Whether an answer must be a copy of the exercise's own solution."""
    solution = _definition_in(repr(exercise.solution()))
    if solution is None or exercise.cases is None or not isinstance(answer, _Definition):
        return False
    if _statement(answer) and _statement(answer) == _statement(solution):
        return True
    if not is_same_code(answer, exercise):
        return False
    return _has_types(answer) or _length(solution) >= _LONG or _own_names(solution) >= _OWN_NAMES


def is_same_code(answer: ast.stmt, exercise: Exercise) -> bool:
    """Whether an answer is the solution's code but for docstring, types and names of parameters."""
    solution = _definition_in(repr(exercise.solution()))
    if solution is None or not isinstance(answer, _Definition):
        return False
    return ast.dump(_bare(answer)) == ast.dump(_bare(solution))


def _definition_in(source: str) -> _Definition | None:
    found = ast.parse(textwrap.dedent(source)).body[0]
    return found if isinstance(found, _Definition) else None


def _statement(node: _Definition) -> str:
    """Return the first line of a docstring."""
    return (ast.get_docstring(node) or "").partition("\n")[0].strip()


def _length(node: _Definition) -> int:
    parts = ast.Name | ast.Attribute | ast.Constant | ast.operator | ast.cmpop | ast.Call
    return sum(isinstance(part, parts) for part in ast.walk(_bare(node)))


def _own_names(node: _Definition) -> int:
    """Count the names that a solution gives to its steps."""
    stored = (part for part in ast.walk(_bare(node)) if isinstance(part, ast.Name))
    names = {part.id for part in stored if isinstance(part.ctx, ast.Store)}
    return sum(len(name) >= _SHORTEST_NAME and not name.startswith("parameter ") for name in names)


def _has_types(node: _Definition) -> bool:
    functions = (part for part in ast.walk(node) if isinstance(part, ast.FunctionDef))
    return any(part.returns or any(one.annotation for one in part.args.args) for part in functions)


def _bare(node: _Definition) -> _Definition:
    """Return a definition without what can be written in any way: docstrings, types, names of parameters."""
    bare = _Bare({node.name: "answer"}).visit(copy.deepcopy(node))
    assert isinstance(bare, _Definition)
    bare.decorator_list = []
    return bare


class _Bare(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.name, node.body = self.names.get(node.name, node.name), _without_docstring(node.body)
        self.generic_visit(node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.name, node.returns, node.body = (
            self.names.get(node.name, node.name),
            None,
            _without_docstring(node.body),
        )
        outside, self.names = self.names, dict(self.names)
        for number, parameter in enumerate([*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]):
            self.names[parameter.arg] = f"parameter {len(outside)}.{number}"
            parameter.arg, parameter.annotation = self.names[parameter.arg], None
        self.generic_visit(node)
        self.names = outside
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value) if node.value else node

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.names.get(node.id, node.id)
        return node


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    match body[0]:
        case ast.Expr(value=ast.Constant(value=str())) if len(body) > 1:
            return body[1:]
    return body
