"""The structure of the package according to its source: modules, their imports, public classes."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

PACKAGE = "stepflow_gui"


def module_name(file: Path, checkout: Path) -> str:
    """The dotted name of a module; of an `__init__.py` that of its package."""
    parts = file.relative_to(checkout).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def trees(checkout: Path) -> Mapping[str, ast.Module]:
    """The syntax tree of every module, by its dotted name."""
    files = sorted((checkout / PACKAGE).rglob("*.py"))
    return {module_name(file, checkout): ast.parse(file.read_text("utf-8")) for file in files}


@cache
def imports(checkout: Path) -> Mapping[str, frozenset[str]]:
    """Which modules of the package each one imports, inside functions and for type checkers only as well."""
    known = trees(checkout)
    return {name: frozenset(_imported(tree, known)) - {name} for name, tree in known.items()}


def _imported(tree: ast.Module, known: Mapping[str, object]) -> Iterable[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name for name in inside if name in known)
            if node.module in known and any(name not in known for name in inside):
                yield node.module


def cycles(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The groups of nodes that reach each other (Tarjan 1972), each sorted; a node alone is not a cycle."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    open_nodes: list[str] = []
    found: list[list[str]] = []

    def close(node: str) -> None:
        group: list[str] = []
        while not group or group[-1] != node:
            group.append(open_nodes.pop())
            low[group[-1]] = len(graph)
        if len(group) > 1:
            found.append(sorted(group))

    for start in graph:
        if start in number:
            continue
        path = [(start, iter(graph[start]))]
        number[start] = low[start] = len(number)
        open_nodes.append(start)
        while path:
            node, targets = path[-1]
            target = next(targets, None)
            if target is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == number[node]:
                    close(node)
            elif target not in number:
                number[target] = low[target] = len(number)
                open_nodes.append(target)
                path.append((target, iter(graph[target])))
            else:
                low[node] = min(low[node], low[target])
    return found


def words_of(name: str) -> set[str]:
    """The words of an identifier, in lower case."""
    return {word.lower() for word in re.findall("[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def public_names(checkout: Path) -> Iterator[tuple[str, str]]:
    """Each module with the names that it gives: its own, of classes, functions and constants, fields and parameters.

    Those that begin with an underscore are left out; so are modules of rules, which are named after their rules.
    """
    for module, tree in trees(checkout).items():
        own = module.rpartition(".")[2]
        names = [] if re.match(r"(sf|t)\d{3}_", own) else [own]
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                names.append(node.name)
            elif isinstance(node, ast.arg):
                names.append(node.arg)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                names.append(node.attr)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                names.append(node.target.id)
        yield from ((module, name) for name in names if not name.startswith("_"))
