"""What a clean lint loads: nothing of Qt, the network, or the heavy libraries; and that it is quick."""

import json

from .conftest import Run, Write

HEAVY = (
    *("PySide6", "shiboken6", "anthropic", "networkx", "numpy", "pydantic", "jsonschema", "ruamel", "dataclasses"),
    *("inspect", "difflib", "asyncio", "importlib.resources", "importlib.metadata", "subprocess", "tomllib"),
)

LINT = """
import json, sys
from stepflow_gui.cli.main import main
code = main(["lint", *sys.argv[1:]])
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""


def loaded(spawn: Run, folder: object) -> tuple[int, set[str]]:
    ran = spawn(folder, code=LINT)
    code, modules = json.loads(ran.err)
    return code, set(modules)


def test_a_clean_lint_loads_nothing_heavy(spawn: Run, write_agent: Write) -> None:
    code, modules = loaded(spawn, write_agent())
    assert code == 0
    assert {name for name in modules if name.startswith(HEAVY)} == set()


def test_a_clean_lint_loads_no_room_that_it_does_not_need(spawn: Run, write_agent: Write) -> None:
    _code, modules = loaded(spawn, write_agent())
    rooms = {name.split(".")[1] for name in modules if name.startswith("stepflow_gui.")}
    assert rooms <= {"cli", "lint", "project", "formats", "flow", "text", "messages"}
    assert "stepflow_gui.text.json_recovery" not in modules


def test_a_wrong_name_loads_what_finds_the_one_meant(spawn: Run, write_agent: Write) -> None:
    code, modules = loaded(spawn, write_agent("a", {"/entryStep": "initial.isue"}))
    assert code == 1
    assert "difflib" in modules
