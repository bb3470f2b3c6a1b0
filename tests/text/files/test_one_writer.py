"""One place writes files: what else in the package opens one for writing is named here, with the reason."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.structure import trees

PLACE = "stepflow_gui.text.files."
OTHERS = {
    "stepflow_gui.cli.streams": "sends output to nowhere",
    "stepflow_gui.gui.app.crash_report": "the program's own log",
    "stepflow_gui.project.open_marks": "the program's own marks",
    "stepflow_gui.run.traces.trace_writing": "a stream that grows with a run; asks where the project ends first",
}
WRITING = {"write_bytes", "write_text", "symlink_to", "hardlink_to"}
OF_MODULES = {
    "os": {"open", "link", "rename", "replace", "truncate", "symlink"},
    "shutil": {"copy", "copy2", "copyfile", "copytree", "move"},
}


@pytest.mark.slow
def test_nothing_else_writes(checkout: Path) -> None:
    found = {name for name, tree in trees(checkout).items() if any(_writes(tree))}
    assert {name for name in found if not name.startswith(PLACE)} == OTHERS.keys()


def _writes(tree: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Attribute) and (
            called.attr in WRITING
            or (isinstance(called.value, ast.Name) and called.attr in OF_MODULES.get(called.value.id, ()))
        ):
            yield node
        name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
        modes = [each.value for each in node.args[:2] if isinstance(each, ast.Constant)]
        modes += [
            each.value.value for each in node.keywords if each.arg == "mode" and isinstance(each.value, ast.Constant)
        ]
        if name == "open" and any(
            isinstance(mode, str) and set(mode) & set("wax") and set(mode) <= set("rwaxbt+") for mode in modes
        ):
            yield node
