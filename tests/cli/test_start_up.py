"""What a clean lint loads: nothing of Qt, the network, or the heavy libraries; and that it is quick."""

import json

from .conftest import Run, Write

HEAVY = (
    *(
        "PySide6",
        "shiboken6",
        "shtab",
        "anthropic",
        "networkx",
        "numpy",
        "pydantic",
        "jsonschema",
        "ruamel",
        "dataclasses",
    ),
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
    assert rooms <= {"cancelling", "cli", "lint", "project", "formats", "flow", "text", "messages"}
    assert "stepflow_gui.text.json.recovery" not in modules


UNNEEDED = (
    *("stepflow_gui.text.json.edit", "stepflow_gui.text.files.staging", "stepflow_gui.text.toml_places", "secrets"),
    *("threading", "copy", "unicodedata"),
    *("stepflow_gui.lint.config.fields", "stepflow_gui.lint.config.usage", "stepflow_gui.lint.fixing"),
    *(
        "stepflow_gui.lint.suppressions.baseline",
        "stepflow_gui.lint.examples.rule_docs",
        "stepflow_gui.lint.rules.suppressing",
        "stepflow_gui.lint.rules.document.type_outcomes",
    ),
)


def test_a_clean_lint_loads_nothing_that_writes_configures_or_explains(spawn: Run, write_agent: Write) -> None:
    folder = write_agent()
    (folder / "stepflow.toml").write_text("# the project's root\n", "utf-8")
    _code, modules = loaded(spawn, folder)
    assert modules.isdisjoint({"tomllib", *UNNEEDED})
    (folder / "stepflow.toml").write_text("strict = true\n", "utf-8")
    _code, modules = loaded(spawn, folder)
    assert "tomllib" in modules


def test_a_report_that_shows_titles_makes_no_edits(spawn: Run, write_agent: Write) -> None:
    folder = write_agent("a", {"/steps/initial.issue/structuredGate/fallbackIntent": "repeat"})
    ran = spawn(folder, code=LINT)
    assert "Suggestion: Remove every fallbackIntent that is never used" in ran.out
    assert "stepflow_gui.text.json.edit" not in json.loads(ran.err)[1]
    ran = spawn(folder, "--format", "json", code=LINT)
    (fix,) = json.loads(ran.out)["diagnostics"][0]["fixes"]
    assert len(fix["edits"]) == 1
    assert "stepflow_gui.text.json.edit" in json.loads(ran.err)[1]


def test_rules_that_are_off_are_not_loaded(spawn: Run, write_agent: Write) -> None:
    folder = write_agent()
    ran = spawn("--select", "SF402", folder, code=LINT)
    _code, modules = json.loads(ran.err)
    assert [name for name in modules if ".sf" in name] == ["stepflow_gui.lint.rules.entry.sf402_entry_unknown"]


def test_a_wrong_name_loads_what_finds_the_one_meant(spawn: Run, write_agent: Write) -> None:
    code, modules = loaded(spawn, write_agent("a", {"/entryStep": "initial.isue"}))
    assert code == 1
    assert "difflib" in modules


JAPANESE_LINT = """
import json, sys
from stepflow_gui import messages
from stepflow_gui.cli.main import main
read = []
load = messages._load
messages._load = lambda language, catalogue: (read.append(catalogue), load(language, catalogue))[1]
main(["lint", "--lang", "ja", *sys.argv[1:]])
print(json.dumps(read), file=sys.stderr)
"""


def test_findings_in_japanese_do_not_load_the_docs_of_rules(spawn: Run, write_agent: Write) -> None:
    folder = write_agent("a", {"/entryStep": "initial.isue"})
    assert json.loads(spawn(folder, code=JAPANESE_LINT).err) == ["stepflow"]
    assert json.loads(spawn(folder, "--format", "sarif", code=JAPANESE_LINT).err) == ["stepflow", "rules"]
