"""The house rules that a machine can check: the imports, what a clean lint loads, how long a file may be."""

import ast
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from tests.structure import PACKAGE, cycles, imports, public_names, trees, words_of

LONGEST = 450  # lines of a Python file
NEVER_LOADED_BY_A_CLEAN_LINT = ("PySide6", "shiboken6", "anthropic", "networkx", "numpy", "pydantic", "jsonschema")

MOST_MODULES = 25  # of one folder
SMALL = 40  # lines under which a module with one user in its folder is part of that one
JOINED = 330  # lines that the two may have together
RULES = "lint.rules"
DIALECT = {  # better: message, report, path, route, transition, target, check, again, item
    *("tell", "tells", "told", "telling", "say", "says", "said", "saying", "hear", "hears", "heard"),
    *("way", "ways", "lead", "leads", "led", "leading", "stand", "stands", "stood", "standing"),
    *("whom", "fare", "fares", "anew", "nobody", "somebody", "thing", "things"),
}

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


@pytest.mark.slow
def test_the_document_knows_no_widget(checkout: Path) -> None:
    room = f"{PACKAGE}.gui.document"
    modules = [name for name in trees(checkout) if name.startswith(room)]
    assert modules
    found = {
        name: node.lineno
        for name in modules
        for node in ast.walk(trees(checkout)[name])
        if isinstance(node, ast.ImportFrom) and node.module == "PySide6.QtWidgets"
    }
    assert found == {}


def test_no_modules_import_each_other_in_a_circle(checkout: Path) -> None:
    assert cycles({"a": "b", "b": "c", "c": "a", "d": "ad", "e": "f", "f": "ea"}) == [["a", "b", "c"], ["e", "f"]]
    assert cycles(imports(checkout)) == []  # for type checkers and inside functions, too


def test_no_folder_is_too_full(checkout: Path) -> None:
    modules = [file for file in (checkout / PACKAGE).rglob("*.py") if file.name != "__init__.py"]
    counts = Counter(file.parent.relative_to(checkout).as_posix() for file in modules)
    families = f"{PACKAGE}/lint/rules/"  # a file a rule, however many a family has
    too_full = {folder: count for folder, count in counts.items() if count > MOST_MODULES}
    assert {folder for folder in too_full if not folder.startswith(families)} == set()


def test_a_public_class_name_stands_for_one_class(checkout: Path) -> None:
    places = defaultdict(list)
    for module, tree in trees(checkout).items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_public_names_have_no_words_of_a_private_dialect(checkout: Path) -> None:
    """The name of a class, function, parameter or attribute describes it in words that other programs use."""
    found = {
        f"{module}: {name}"
        for module, name in public_names(checkout)
        if words_of(name.replace("three_way", "").replace("ThreeWay", "")) & DIALECT
    }
    assert not found, "\n".join(sorted(found))


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


def test_a_small_module_with_one_user_is_part_of_it(checkout: Path) -> None:
    users: dict[str, set[str]] = defaultdict(set)
    for name, imported in imports(checkout).items():
        for other in imported:
            users[other].add(name)
    lines = {name: _lines(checkout, name) for name in trees(checkout)}
    alone = {
        name: user
        for name, count in lines.items()
        if 0 < count < SMALL and len(users[name]) == 1 and f".{RULES}." not in name
        for user in users[name]
        if user.rpartition(".")[0] == name.rpartition(".")[0] and lines[user] + count <= JOINED
        if any(isinstance(node, ast.ImportFrom) and node.module == name for node in trees(checkout)[user].body)
    }
    assert alone == {}


def _lines(checkout: Path, name: str) -> int:
    file = checkout.joinpath(*name.split(".")).with_suffix(".py")
    return file.read_text("utf-8").count("\n") if file.is_file() else 0


def test_digits_are_those_that_int_takes(checkout: Path) -> None:
    """`"²".isdigit()` holds, and `int("²")` raises: `isdecimal` asks for what int reads."""
    found = [
        f"{file.relative_to(checkout)}:{number}"
        for file in (checkout / PACKAGE).rglob("*.py")
        if file.name != "git.py"  # asks bytes, whose digits are ASCII
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if ("isdigit()" in line and "isascii()" not in line) or "isnumeric()" in line
    ]
    assert found == []
