"""The commands of the docs run in a scratch project, and the tutorial prints what it shows."""

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepflow_gui import messages
from stepflow_gui.cli.main import COMMANDS, main

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(stepflow [^`]+)`")
ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]  # the Japanese pages have the same commands
NOT_RUN = {
    r"stepflow (\.|path/)\S*$": "opens the window",
    r"stepflow .* --anthropic\b": "asks a model that costs money",
    r"stepflow run \S+$": "asks a person in a terminal",
    r"stepflow .* --watch\b": "goes on until Ctrl-C",
    r"(pip|apt-get|make|python -m keyring|git difftool)\b": "changes the machine, or takes a program that it may lack",
}
"""Which commands aren't run, and why."""

CLIMPT_LOG = (
    {"message": "Starting agent: Issue flow"},
    {"message": "[FlowLoop] Enter", "metadata": {"iteration": 1, "stepId": "initial.issue"}},
    {"message": "SDK result", "metadata": {"structuredOutput": {"next_action": {"action": "next"}}}},
    {"message": "[StepFlow] Interpreted intent: next", "metadata": {"stepId": "initial.issue"}},
)
TAKT_LOG = (
    {"type": "piece_start", "pieceName": "review-loop"},
    {"type": "step_complete", "step": "plan", "matchedRuleIndex": 0, "status": "done"},
)
STAMP = {"timestamp": "2026-04-20T10:00:00.000Z", "level": "info"}


def commands(page: Path) -> Iterator[str]:
    """The commands of a page in their order, each in one line without its comment."""
    for kind, text in BLOCK.findall(page.read_text("utf-8")):
        for line in text.replace("\\\n", " ").splitlines() if kind == "sh" else ():
            command = re.sub(r"\s+#.*$", "", line).strip()
            if command:
                yield command


def run_of(page: Path) -> list[str]:
    """The commands of a page that are run."""
    return [command for command in commands(page) if not any(re.match(pattern, command) for pattern in NOT_RUN)]


WITH_COMMANDS = [page for page in PAGES if page.name != "tutorial.md" and run_of(page)]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project in git with all that the docs' commands name."""
    root = tmp_path_factory.mktemp("docs") / "project"
    root.mkdir()
    messages.use_language("en")
    for made, name in (
        *(("issue-flow", "iterator"), ("issue-flow", "issue-flow"), ("check-flow", "improver"), ("minimal", "a")),
        *(("takt-piece", "default"), ("takt-piece", "review-loop")),
    ):
        assert main(["new", made, str(root), "--name", name]) == 0
    registry = root / ".agent" / "iterator" / "steps_registry.json"
    for copy in ("path/to/steps_registry.json", "old.json", "new.json"):
        (root / copy).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(registry, root / copy)
    shutil.copy(root / ".agent/issue-flow/flow_tests/happy.yaml", root / "happy.yaml")
    script, trace = str(root / "happy.yaml"), str(root / "trace.jsonl")
    assert main(["run", str(root / ".agent" / "iterator"), "--script", script, "--trace", trace]) == 0
    _write_log(root / "tmp/logs/issue-flow-2026-04-20T10-00-00-000Z.jsonl", [STAMP | line for line in CLIMPT_LOG])
    _write_log(root / ".takt/logs/20260207-101010-abc123.jsonl", TAKT_LOG)
    pieces = root / ".takt" / "pieces"
    (pieces / "happy.yaml").write_text("answers: {}\n", "utf-8")
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "first"], ["tag", "v1.2"]):
        _git(root, *words)
    _git(root, "update-ref", "refs/remotes/origin/main", "HEAD")
    return root


def _write_log(file: Path, lines: object) -> None:
    file.parent.mkdir(parents=True)
    assert isinstance(lines, list | tuple)
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


def _git(folder: Path, *words: str) -> None:
    named = ["-c", "user.name=docs", "-c", "user.email=docs@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *named, *words], cwd=folder, check=True, capture_output=True)


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.stem)
def test_every_command_of_a_page_runs(
    page: Path, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = tmp_path / "project"
    shutil.copytree(template, project)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("STEPFLOW_LANG", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    messages.use_language("en")
    for command in run_of(page):
        program, *words = shlex.split(command)
        folder = project / ".takt" / "pieces" if "default.yaml" in words else project  # where that file is
        monkeypatch.chdir(folder)
        if program == "git":
            _git(folder, *words)
            continue
        assert program == "stepflow", command
        if "<" in words:
            text = (folder / words.pop()).read_text("utf-8")
            words.pop()
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        else:
            monkeypatch.setattr(sys, "stdin", io.StringIO("q\n"))
        if words[:1] == ["new"]:
            words.append("a-new-project")
        code = main(words)
        said = capsys.readouterr()
        assert code in {0, 1}, f"{command}\n{said.out}{said.err}"
        assert "internal error" not in said.err, f"{command}\n{said.err}"


def test_the_options_that_texts_name_exist() -> None:
    known = {name: command.parser()._option_string_actions for name, command in COMMANDS.items()}
    for page in PAGES:
        for shown in INLINE.findall(page.read_text("utf-8")):
            command = shown.split()[1]
            if command in known:
                left = set(re.findall(r"(?<!\S)--[a-z-]+", shown)) - set(known[command])
                assert not left, f"{page.name}: {shown}"


def test_no_exception_is_left_over() -> None:
    every = [command for page in PAGES for command in commands(page)]
    for pattern in NOT_RUN:
        assert any(re.match(pattern, command) for command in every), pattern


@pytest.mark.slow
def test_the_tutorial_prints_what_it_shows(tmp_path: Path) -> None:
    """All its blocks in one shell, one after the other, as they are pasted."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("the tutorial is for bash, which isn't here")
    parts = BLOCK.findall((ROOT / "docs" / "tutorial.md").read_text("utf-8"))
    program = f'stepflow() {{ {shlex.quote(sys.executable)} -m stepflow_gui "$@"; }}\n'
    mark = "what follows is of block"
    script = program + "".join(
        f"echo '{mark} {number}'\n{text}\n" for number, (kind, text) in enumerate(parts) if kind == "sh"
    )
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "STEPFLOW_LANG": "en",
        "PYTHONUTF8": "1",
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    done = subprocess.run(
        [bash, "-c", script],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    printed = {int(text.partition("\n")[0]): text.partition("\n")[2] for text in done.stdout.split(f"{mark} ")[1:]}
    for number, output in printed.items():
        kind, shown = parts[number + 1] if number + 1 < len(parts) else ("sh", "")
        assert output == (shown if kind == "text" else ""), f"after block {number}"
    assert (tmp_path / "my-flow" / "flow.svg").is_file()
