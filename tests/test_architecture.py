"""The house rules that a machine can hold: who imports whom, what a clean lint loads, how long a file may be."""

import subprocess
import sys
from pathlib import Path

LONGEST = 450  # lines of a Python file
NEVER_LOADED_BY_A_CLEAN_LINT = ("PySide6", "shiboken6", "anthropic", "networkx", "numpy", "pydantic", "jsonschema")

LINT_AND_LIST = """
import sys
from stepflow_gui.cli.main import main
code = main(["lint", sys.argv[1]])
sys.stderr.write("\\n".join({name.partition(".")[0] for name in sys.modules}))
sys.exit(code)
"""


def test_rooms_import_only_what_they_may(checkout: Path) -> None:
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [program, "--no-cache"],
        cwd=checkout,
        capture_output=True,
        encoding="utf-8",
        env={"PYTHONUTF8": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_clean_lint_loads_nothing_heavy(checkout: Path) -> None:
    example = checkout / "resources" / "examples" / "issue-flow"
    done = subprocess.run(
        [sys.executable, "-c", LINT_AND_LIST, example], cwd=checkout, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not set(NEVER_LOADED_BY_A_CLEAN_LINT) & set(done.stderr.split())


def test_no_file_is_too_long(checkout: Path) -> None:
    too_long = {
        str(file.relative_to(checkout)): lines
        for room in ("stepflow_gui", "tests", "packaging", "benchmarks")
        for file in (checkout / room).rglob("*.py")
        if (lines := file.read_text("utf-8").count("\n")) > LONGEST
    }
    assert not too_long


def test_contributing_names_every_folder(checkout: Path) -> None:
    named: dict[str, str] = {}  # a room and a folder of the window may have one name
    for line in (checkout / "CONTRIBUTING.md").read_text("utf-8").splitlines():
        if line.startswith("| `"):
            _bar, name, text, *_rest = line.split("|")
            named[name.strip(" `/")] = named.get(name.strip(" `/"), "") + text
    unnamed = {
        str(folder.parent.relative_to(checkout))
        for room in ("*", "*/*")
        for folder in (checkout / "stepflow_gui").glob(f"{room}/__init__.py")
        if folder.parent.name not in named and f"`{folder.parent.name}/" not in named.get(folder.parent.parent.name, "")
    }
    assert not unnamed
