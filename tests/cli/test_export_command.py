"""`stepflow export`: formats, what it writes over, and what it can't do."""

import json
import os
import re
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from stepflow_gui.export.formats import FORMATS
from tests.conftest import Git

from .conftest import Run, Write

TARGET = "/steps/initial.issue/transitions/next/target"
QT = "PySide6.QtWidgets"


@pytest.fixture
def agent(write_agent: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example agent in `a` of the current folder."""
    write_agent("a")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "a"


def test_without_a_file_it_goes_to_standard_output(spawn: Run, agent: Path) -> None:
    for more in ([], ["-o", "-"]):
        code, out, err = spawn("export", "a", "--format", "mermaid", *more, cwd=agent.parent)
        assert (code, err) == (0, "")
        assert '"initial.issue"' in out


def test_a_picture_too_large_is_refused(spawn: Run, agent: Path) -> None:
    pytest.importorskip(QT, exc_type=ImportError)
    from tests.flow.flows import chain

    (agent / "steps_registry.json").write_text(chain(60).document.source.text, "utf-8")
    code, out, err = spawn("export", "a", "-o", "x.png", "--scale", "20", cwd=agent.parent)
    assert (code, out) == (2, "")
    assert re.match(r"stepflow export: \d+ × \d+ pixels are too large; choose a smaller scale, or SVG or PDF\n", err)
    assert not (agent.parent / "x.png").exists()


def test_without_qt_all_but_png_and_pdf_can_be_made(run: Run, agent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from stepflow_gui.cli.export import command as export

    def missing(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}")

    monkeypatch.setattr(export, "import_module", missing)
    code, out, err = run("export", "a", "-o", "x.png")
    assert (code, out) == (2, "")
    assert "pip install 'stepflow-gui[gui]'" in err
    assert run("export", "a", "-o", "x.svg").code == 0


@pytest.mark.parametrize("form", [form for form, each in FORMATS.items() if not each.painted])
def test_its_own_files_are_written_over_and_no_others(form: str, run: Run, agent: Path) -> None:
    for _time in range(2):
        assert run("export", "a", "--format", form, "-o", "out") == (0, "", "")
    before = Path("out").read_bytes()
    Path("out").write_text('{"mine": "Stepflow"}', "utf-8")
    said = "stepflow export: out: not written by stepflow export; use --force to overwrite it\n"
    assert run("export", "a", "--format", form, "-o", "out") == (2, "", said)
    assert Path("out").read_text("utf-8") == '{"mine": "Stepflow"}'
    assert run("export", "a", "--format", form, "-o", "out", "--force").code == 0
    assert Path("out").read_bytes() == before
    Path("out").write_bytes(b"")
    assert run("export", "a", "--format", form, "-o", "out").code == 0


@pytest.mark.parametrize("name", ["steps_registry.json", "agent.json", "issue.schema.json"])
def test_the_agents_own_files_are_never_written_over(name: str, run: Run, agent: Path) -> None:
    path = next(agent.rglob(name))
    before = path.read_bytes()
    code, _out, err = run("export", "a", "--format", "json", "-o", path, "--force")
    assert (code, "belongs to the agent and isn't overwritten" in err) == (2, True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--format", "jpeg"], "invalid value 'jpeg' for --format: choose from svg"),
        ([], "give --format, or --output with a known file extension"),
        (["-o", "x.doc"], "give --format, or --output with a known file extension"),
        (["-o", "a", "--format", "svg"], "a: this is a folder"),
        (["-o", "lost/x.svg"], "lost/x.svg: can't be written (No such file or directory)"),
        (["-o", "a/agent.json/x.svg"], "a/agent.json/x.svg: can't be written (Not a directory)"),
        (["-o", "x.mmd", "--scale", "2"], "--scale is only for svg, png, pdf"),
        (["-o", "x.dot", "--lint"], "--lint is only for svg, png, pdf, html, json"),
        (["-o", "x.svg", "--theme", "auto"], "--theme auto is only for html"),
        (["-o", "x.svg", "--no-checks"], "--no-checks is only for mermaid, dot"),
        (["-o", "x.svg", "--scale", "0"], "invalid value '0' for --scale: expected a number from 0.05 to 20"),
        (["-o", "x.svg", "--scale", "nan"], "invalid value 'nan' for --scale"),
        (["-o", "x.svg", "--lint", "--coverage", "t"], "--coverage can't be used with --lint"),
        (["-o", "x.svg", "--coverage", "lost.jsonl"], "export: lost.jsonl: no such file or folder."),
        (["-o", "x.svg", "--coverage", "a/agent.json"], "a/agent.json: This is not a trace of Stepflow"),
        (["lost", "-o", "x.svg"], "lost: no such file or folder"),
    ],
)
def test_what_it_refuses(words: list[str], said: str, run: Run, agent: Path) -> None:
    code, out, err = run("export", *([] if words[:1] == ["lost"] else ["a"]), *words)
    assert (code, out) == (2, "")
    assert err.startswith("stepflow export: ")
    assert said in err
    assert sorted(path.name for path in agent.parent.iterdir()) == ["a"]


def test_a_broken_registry_is_exported_as_far_as_it_can_be_read(run: Run, agent: Path) -> None:
    path = agent / "steps_registry.json"
    path.write_text(path.read_text("utf-8").replace('"steps": {', '"steps" {', 1), "utf-8")
    line = path.read_text("utf-8").split('"steps" {')[0].count("\n") + 1
    said = f"stepflow export: steps_registry.json:{line}: not valid JSON; exported as far as it could be read\n"
    for name in ("x.svg", "x.html", "x.mmd"):
        assert run("export", "a", "-o", name) == (0, "", said)
        assert "closure.issue" in Path(name).read_text("utf-8")


def test_findings_are_shown_when_asked_for(run: Run, agent: Path, write_agent: Write) -> None:
    write_agent("a", {TARGET: "continuation.isue"})
    run("export", "a", "-o", "plain.svg")
    run("export", "a", "-o", "lint.svg", "--lint")
    plain, lint = (Path(name).read_text("utf-8") for name in ("plain.svg", "lint.svg"))
    assert ("errors: 1" in plain, "errors: 1" in lint) == (False, True)
    run("export", "a", "-o", "x.json", "--lint")
    assert "SF301" in {found["code"] for found in json.loads(Path("x.json").read_text("utf-8"))["findings"]}
    run("export", "a", "-o", "x.html")
    assert "SF301" in Path("x.html").read_text("utf-8")


def test_coverage_is_shown_from_traces(run: Run, agent: Path) -> None:
    assert run("run", "a", "--random", "1", "--trace", "t.jsonl", "--simulate", "-q").code in {0, 1}
    assert run("export", "a", "-o", "x.svg", "--coverage", "t.jsonl", "--coverage", "t.jsonl") == (0, "", "")
    shown = [element.text for element in ET.parse("x.svg").iter("{http://www.w3.org/2000/svg}text")]
    assert any(text and "×" in text for text in shown)


def test_as_textconv_git_shows_the_flow(spawn: Run, agent: Path, git: Git, checkout: Path) -> None:
    program = agent.parent / "bin" / "stepflow"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH={checkout} exec {sys.executable} -m stepflow_gui "$@"\n', "utf-8")
    program.chmod(0o755)
    git("init", "-q")
    (agent.parent / ".gitattributes").write_text("*.json diff=stepflow\n", "utf-8")
    git("add", "-A")
    git("commit", "-qm", "an agent")
    git("config", "diff.stepflow.textconv", f"{program} export --format text")
    path = agent / "steps_registry.json"
    value = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(value), "utf-8")
    assert git("diff") == ""  # only its formatting differs
    value["steps"]["initial.issue"]["transitions"]["next"]["target"] = "closure.issue"
    path.write_text(json.dumps(value), "utf-8")
    (agent / "agent.json").write_text("{", "utf-8")  # broken: the other files are shown anyway
    out = git("diff")
    assert "\n-  next → continuation.issue\n+  next → closure.issue\n" in out
    assert "a/agent.json" in out
    path.write_bytes(b"")
    assert "\n+null\n" in git("diff")
    assert os.environ.get("GIT_DIR") is None


def test_the_help_is_there_in_both_languages(run: Run, japanese_catalogue: None) -> None:
    assert "a file not written by stepflow" in run("export", "--help").out
    assert "stepflow export が書いたものではない" in run("export", "--help", "--lang", "ja").out
