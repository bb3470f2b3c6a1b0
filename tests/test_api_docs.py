"""The examples of the documents about scripts and the Python API do what they claim."""

import re
import shutil
from pathlib import Path

import pytest

from stepflow_gui import api
from stepflow_gui.cli.main import main
from stepflow_gui.run.scripts.script_file import Script, read_script_file

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?!https?:)([^)#]+)")
PAGES = ("python-api.md", "flow-tests.md")
OF_API = ("python-api.md", "pieces.md", "ja/python-api.md", "ja/pieces.md")
IMPORT = re.compile(r"^from (stepflow_gui\S*) import (.+)$", re.MULTILINE)


def blocks(page: Path, kind: str) -> list[str]:
    return [text for name, text in BLOCK.findall(page.read_text("utf-8")) if name == kind]


@pytest.fixture
def example(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the bundled example, as the current folder."""
    folder = tmp_path / "example"
    shutil.copytree(checkout / "resources" / "examples" / "issue-flow", folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.usefixtures("example")
def test_the_python_examples_run(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    examples = blocks(checkout / "docs" / "python-api.md", "python")
    assert len(examples) == 2
    for code in examples:
        exec(compile(code, "python-api.md", "exec"), {})
    out = capsys.readouterr().out
    assert "Final step: " in out
    assert "initial.issue: next ()" in out


def test_the_scripts_are_scripts(checkout: Path, example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    test, table = blocks(checkout / "docs" / "flow-tests.md", "yaml")
    for text in (test, table):
        assert isinstance(read_script_file(text, "x.yaml"), Script)
    (example / ".agent/issue-flow/flow_tests/documented.yaml").write_text(test, "utf-8")
    (example / ".agent/issue-flow/flow_tests/table.yaml").write_text(table, "utf-8")
    code = main(["test", "."])
    assert code == 0, capsys.readouterr().out


@pytest.mark.parametrize("name", OF_API)
def test_the_examples_import_from_the_one_door(name: str, checkout: Path) -> None:
    imports = [found for code in blocks(checkout / "docs" / name, "python") for found in IMPORT.findall(code)]
    assert {module for module, _names in imports} == {"stepflow_gui.api"}
    assert {each for _module, names in imports for each in names.split(", ")} <= set(api.__all__)


def test_every_public_name_is_there_and_documented(checkout: Path) -> None:
    for folder in ("docs", "docs/ja"):
        text = "".join((checkout / folder / name).read_text("utf-8") for name in ("python-api.md", "pieces.md"))
        assert [name for name in api.__all__ if not hasattr(api, name)] == []
        assert [name for name in api.__all__ if f"`{name}`" not in text] == []


@pytest.mark.parametrize("name", PAGES)
def test_links_have_a_target(name: str, checkout: Path) -> None:
    page = checkout / "docs" / name
    assert [link for link in LINK.findall(page.read_text("utf-8")) if not (page.parent / link).exists()] == []
