"""Python's `re` takes patterns of the source only: one of a person or a file could cost it time without end.

Those go to the engines that count their steps: `text/expressions`, `project/finding/globs.py`, and Qt's with a limit
where the source is searched.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.structure import PACKAGE, trees

TAKES_A_PATTERN = {"compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn", "template"}
OTHER_ENGINES = {"fnmatch", "fnmatchcase", "glob", "iglob", "rglob", "QRegularExpression"}
ALLOWED = {  # module and function, with the reason why a pattern that isn't a literal costs no more than its text
    "project.finding.globs.compile_glob": "a glob, written with atomic groups: its cost is bounded",
    "formats.shape_check._compiled": "patterns of the tables of fields",
    "cli.parser._translated": "patterns of the messages of argparse, which stand beside it",
    "run.host.permissions.command_allowed": "patterns of the module's own tables",
    "gui.source.finding.search._compiled": "Qt's engine: each attempt has a limit of steps (LIMIT_MATCH)",
    "lint.rules.document.sf006_version_not_semver.check": "a pattern of the table of fields",
    "project.open_marks.OpenMarks.others": "a glob of hexadecimal digits",
    "run.logs.climpt_log.ClimptLogReader": "a table of the module, each row bounded by the message",
    "run.takt.machine.tags": "literals that a comprehension ends with a colon",
    "text.json.scan": "literals that a comprehension puts quotes into",
    "text.json.spans": "nested brackets: a literal that a function of the module repeats",
}


def test_no_pattern_of_a_person_or_file_reaches_an_engine_without_bounds(checkout: Path) -> None:
    found = {}
    known = {name: _constants(tree) for name, tree in trees(checkout).items()}
    for module, tree in trees(checkout).items():
        own = known[module] | _imported(tree, known)
        for place, call in _calls(tree, module.removeprefix(f"{PACKAGE}.")):
            if not _is_fixed(call.args[0], own, _locals_around(tree, call)):
                found[place] = call.lineno
    unknown = {place: line for place, line in found.items() if place not in ALLOWED}
    assert sorted(unknown.items()) == [], "match these with text/expressions, or globs.py (paths)"
    assert ALLOWED.keys() - found.keys() == set(), "exceptions that nothing needs"


def test_it_sees_what_it_looks_for() -> None:
    tree = ast.parse(
        "import re\nA = 'a+'\nB = A + rf'{A}b'\n"
        "def f(x):\n"
        "    re.search(A, x); re.search(rf'{B}{re.escape(x)}', x); re.sub('a', x, x)\n"
        "    part = re.escape(x)\n    part = rf'{part}b'\n    re.match(part, x)\n"
        "def g(x):\n    re.search(x, 'a')\n"
        "def h(x):\n    part = x or 'a'\n    re.compile(rf'{part}')\n"
        "def i(x):\n    fnmatch(x, 'a'); fnmatch('a', x); folder.glob(x)\n"
    )
    own = _constants(tree)
    wrong = [place for place, call in _calls(tree, "m") if not _is_fixed(call.args[0], own, _locals_around(tree, call))]
    assert wrong == ["m.g", "m.h", "m.i", "m.i"]


def _calls(tree: ast.Module, module: str) -> Iterator[tuple[str, ast.Call]]:
    """The calls that take a pattern, the pattern as their first argument, each with where it is."""

    def visit(node: ast.AST, place: str) -> Iterator[tuple[str, ast.Call]]:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            place = f"{place}.{node.name}"
        if isinstance(node, ast.Call) and node.args and (pattern := _pattern_of(node)) is not None:
            yield place, ast.Call(node.func, [pattern], [], lineno=node.lineno, col_offset=node.col_offset)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, place)

    return visit(tree, module)


def _pattern_of(call: ast.Call) -> ast.expr | None:
    function = call.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "re":
        return call.args[0] if function.attr in TAKES_A_PATTERN else None
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name not in OTHER_ENGINES:
        return None
    if isinstance(function, ast.Attribute) and name == "glob" and len(call.args) != 1:
        return None  # a method of ours
    return call.args[1] if name.startswith("fnmatch") and len(call.args) > 1 else call.args[0]


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    """What a module's own names are given, where they are given something once."""
    found: dict[str, ast.expr] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            found[node.target.id] = node.value
    return {name: value for name, value in found.items() if _is_fixed(value, found, {})}


def _imported(tree: ast.Module, known: Mapping[str, dict[str, ast.expr]]) -> dict[str, ast.expr]:
    return {
        alias.asname or alias.name: known[node.module][alias.name]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.module in known
        for alias in node.names
        if alias.name in known[node.module]
    }


def _locals_around(tree: ast.Module, call: ast.Call) -> dict[str, list[ast.expr | None]]:
    """All that the names of the innermost function around a call are given; None for what isn't known."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.lineno <= call.lineno <= (node.end_lineno or 0)
    ]
    found: dict[str, list[ast.expr | None]] = {}
    if around:
        function = max(around, key=lambda node: node.lineno)
        for node in ast.walk(function):
            if isinstance(node, ast.arg):
                found.setdefault(node.arg, []).append(None)
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        found.setdefault(target.id, []).append(node.value)
                        continue
                    for name in ast.walk(target):
                        if isinstance(name, ast.Name):
                            found.setdefault(name.id, []).append(None)
            elif isinstance(node, ast.For | ast.comprehension):
                for name in ast.walk(node.target):
                    if isinstance(name, ast.Name):
                        found.setdefault(name.id, []).append(None)
    return found


def _is_fixed(
    value: ast.expr | None, constants: Mapping[str, ast.expr], around: Mapping[str, list[ast.expr | None]]
) -> bool:
    """Whether a value is made of literals, of constants and of texts that were escaped."""
    match value:
        case ast.Constant():
            return True
        case ast.Name(id=name) if name in around:
            others = {key: values for key, values in around.items() if key != name}
            own = {**constants, name: ast.Constant("")}  # what it is made of is looked at here
            return all(_is_fixed(each, own, others) for each in around[name])
        case ast.Name(id=name):
            return name in constants
        case ast.JoinedStr(values=parts):
            return all(_is_fixed(part, constants, around) for part in parts)
        case ast.FormattedValue(value=inside):
            return _is_fixed(inside, constants, around)
        case ast.BinOp(left=left, right=right):
            return _is_fixed(left, constants, around) and _is_fixed(right, constants, around)
        case ast.Attribute(value=ast.Name(id=name), attr="pattern"):
            return name in constants
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr="escape")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr="compile"), args=[pattern, *_]):
            return _is_fixed(pattern, constants, around)
    return False
