"""`stepflow lint`: exit codes, what is searched, what can't be read, both formats, any terminal."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepflow_gui.lint.diagnostic import ERROR
from stepflow_gui.lint.engine import engine
from stepflow_gui.lint.rule import FLOW, Finding, Rule
from stepflow_gui.lint.rule_context import RuleContext
from stepflow_gui.lint.rules.table import CheckedRule, rules_for
from tests.cli.conftest import Run, Write

UNKNOWN_TARGET = {"/steps/initial.issue/transitions/next/target": "continuation.isue"}


def test_a_clean_agent_is_0(run: Run, write_agent: Write) -> None:
    assert run("lint", write_agent()) == (0, "No problems in 1 file\n", "")


def test_an_error_is_1_and_warnings_alone_are_0(run: Run, write_agent: Write) -> None:
    assert run("lint", write_agent("a", UNKNOWN_TARGET)).code == 1
    assert run("lint", write_agent("b", {"/steps/initial.issue/name": 7})).code == 0


def test_the_place_code_and_frame_are_shown(run: Run, write_agent: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_agent("a", UNKNOWN_TARGET))
    shown = run("lint").out.splitlines()
    assert shown[0].startswith("steps_registry.json:36:21: error SF301: “next” of “initial.issue” goes to")
    assert shown[2] == '  36 |           "target": "continuation.isue"'
    assert shown[3] == "     |                     ^^^^^^^^^^^^^^^^^^^"


def test_without_a_path_the_current_folder_is_searched(
    run: Run, write_agent: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_agent("one/agent", UNKNOWN_TARGET)
    write_agent("two/agent")
    monkeypatch.chdir(tmp_path)
    code, out, err = run("lint")
    assert (code, err) == (1, "")
    assert out.endswith("1 error in 2 files\n")


def test_files_are_in_the_order_of_their_names(
    run: Run, write_agent: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("flow", "flow-broken", "flow.old"):
        write_agent(name, UNKNOWN_TARGET)
    monkeypatch.chdir(tmp_path)
    report = json.loads(run("lint", "--format", "json").out)
    assert report["files"] == sorted(report["files"])
    shown = [found["file"] for found in report["diagnostics"]]
    assert shown == sorted(shown)


def test_each_registry_is_linted_once_however_it_is_named(run: Run, write_agent: Write) -> None:
    folder = write_agent()
    (folder / "stepflow.toml").touch()  # the project's root
    paths = [
        folder,
        folder / "steps_registry.json",
        folder / "agent.json",
        folder / "schemas" / "issue.schema.json",
        folder / "prompts" / "system.md",
    ]
    assert run("lint", *paths).out == "No problems in 1 file\n"
    for path in paths:
        assert run("lint", path).out == "No problems in 1 file\n"


def test_what_is_not_there_is_2_and_the_rest_is_reported(run: Run, write_agent: Write, tmp_path: Path) -> None:
    code, out, err = run("lint", tmp_path / "gone", write_agent("a", UNKNOWN_TARGET))
    assert code == 2
    assert "SF301" in out
    assert err == f"stepflow lint: {tmp_path}/gone: no such file or folder\n"


def test_a_folder_without_a_registry_is_2_and_lists_what_was_searched(run: Run, tmp_path: Path) -> None:
    code, out, err = run("lint", tmp_path)
    assert (code, out) == (2, "")
    assert err.startswith(f"stepflow lint: {tmp_path}: no registry found; looked for steps_registry.json")
    assert err.count("\n") == 1


def test_an_agent_json_without_a_registry_is_2(run: Run, write_agent: Write) -> None:
    folder = write_agent()
    (folder / "steps_registry.json").unlink()
    code, out, err = run("lint", folder / "agent.json")
    assert (code, out) == (2, "")
    assert "agent.json: no registry found" in err


def test_an_agent_json_without_a_registry_is_reported_beside_others(
    run: Run, write_agent: Write, tmp_path: Path
) -> None:
    write_agent("whole")
    (write_agent("bare") / "steps_registry.json").unlink()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "agent.json").write_text('{"name": "of another program"}', "utf-8")
    code, out, err = run("lint", tmp_path)
    assert code == 2
    assert "No problems in 1 file" in out
    assert err.startswith(f"stepflow lint: {tmp_path}/bare/agent.json: no registry found")
    assert err.count("\n") == 1


@pytest.mark.usefixtures("permissions_bind")
def test_what_may_not_be_read_is_2(run: Run, write_agent: Write) -> None:
    folder = write_agent()
    for path in (folder / "schemas" / "issue.schema.json", folder / "steps_registry.json", folder):
        path.chmod(0)
        code, _out, err = run("lint", folder)
        assert code == 2
        assert "can't be read (Permission denied)" in err
    folder.chmod(0o700)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
def test_a_pipe_or_a_device_is_not_waited_for(run: Run, write_agent: Write, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    for path in (tmp_path / "pipe.json", Path(os.devnull)):
        code, _out, err = run("lint", path)
        assert (code, err) == (2, f"stepflow lint: {path}: can't be read (neither a file nor a folder)\n")
    folder = write_agent()
    (folder / "agent.json").unlink()
    os.mkfifo(folder / "agent.json")
    code, _out, err = run("lint", folder)
    assert code == 2
    assert "agent.json: can't be read" in err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
def test_a_prompt_that_can_not_be_read_is_2(run: Run, write_agent: Write) -> None:
    folder = write_agent()
    prompt = folder / "prompts" / "steps" / "initial" / "issue" / "f_default.md"
    prompt.unlink()
    os.mkfifo(prompt)
    code, _out, err = run("lint", folder)
    assert code == 2
    assert err == f"stepflow lint: {prompt}: can't be read (not a regular file)\n"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "SF001"),
        (b"{", "SF001"),
        (b"\xff\xfe{\0}\0", "SF003"),
        (bytes(range(256)), "SF003"),
        (b"[]", "SF004"),
        (b"[" * 100_000, "SF001"),
        (b'{"steps": {"a": 7}}', "SF004"),
        (b"{}", "SF008"),
    ],
)
def test_what_is_no_registry_is_a_diagnostic_and_1(data: bytes, code: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "steps_registry.json").write_bytes(data)
    for path in (tmp_path, tmp_path / "steps_registry.json"):
        result = run("lint", path)
        assert (result.code, result.err) == (1, "")
        assert f"error {code}: " in result.out


def test_json_is_the_report_and_nothing_else(
    run: Run, write_agent: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_agent("a", UNKNOWN_TARGET)
    monkeypatch.chdir(tmp_path)
    code, out, err = run("lint", "--format", "json", "a", "gone")
    report = json.loads(out)
    assert (code, report["files"], report["summary"]["errors"]) == (2, ["a/steps_registry.json"], 1)
    assert report["diagnostics"][0]["range"]["start"] == {"line": 36, "column": 21, "offset": 869}
    assert err == "stepflow lint: gone: no such file or folder\n"


def test_json_of_nothing_is_still_json(run: Run, tmp_path: Path) -> None:
    code, out, _err = run("lint", "--format=json", tmp_path)
    assert code == 2
    assert json.loads(out)["summary"] == {"errors": 0, "warnings": 0, "infos": 0, "suppressed": 0, "files": 0}


def test_a_rule_that_fails_is_one_line_and_2(run: Run, write_agent: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_agent()

    def failing(_scope: RuleContext) -> Iterator[Finding]:
        yield from ()
        raise LookupError("a\nbug")

    def with_failing(format_id: str | None, _wanted: object) -> list[CheckedRule]:
        return [CheckedRule(Rule("SF999", "failing", ERROR, looks_at=FLOW), failing), *rules_for(format_id)]

    monkeypatch.setattr(engine, "rules_for", with_failing)
    code, out, err = run("lint", folder)
    assert (code, out) == (2, "No problems in 1 file\n")
    assert err.startswith("stepflow lint: rule SF999 failed on ")
    assert "LookupError: a\\nbug" in err
    assert err.count("\n") == 1


def test_a_path_forges_no_line(run: Run, write_agent: Write, tmp_path: Path) -> None:
    odd = "a\nregistry.json:1:1: error SF000: forged"
    out = run("lint", write_agent(odd, UNKNOWN_TARGET)).out
    assert not any(line.startswith("registry.json") for line in out.splitlines())
    err = run("lint", tmp_path / "b\n\x1b[2Kforged").err
    assert err.count("\n") == 1
    assert "\x1b" not in err


@pytest.mark.parametrize("format_name", ["text", "json"])
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp932", "utf-8"])
def test_any_encoding_of_the_terminal_will_do(encoding: str, format_name: str, spawn: Run, write_agent: Write) -> None:
    folder = write_agent("a", {"/steps/initial.issue/transitions/next/target": "次\ud800👍"})
    code, out, err = spawn(
        "lint", "--lang", "ja", "--format", format_name, folder, environment={"PYTHONIOENCODING": encoding}
    )
    assert (code, err) == (1, "")
    assert "SF301" in out
    if format_name == "json":
        messages = {each["code"]: each["message"] for each in json.loads(out)["diagnostics"]}
        assert "次\ud800👍" in messages["SF301"]


def test_colours_are_for_terminals_only(spawn: Run, write_agent: Write) -> None:
    assert "\x1b" not in spawn("lint", write_agent("a", UNKNOWN_TARGET)).out


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end otherwise there")
def test_a_reader_that_has_had_enough_is_no_error(checkout: Path, write_agent: Write) -> None:
    cases = {str(number): "gone" for number in range(3000)}
    folder = write_agent("a", {"/steps/initial.issue/transitions/next": {"condition": "x", "targets": cases}})
    with subprocess.Popen(
        [sys.executable, "-m", "stepflow_gui", "lint", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(checkout)},
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.readline()
        command.stdout.close()
        assert command.stderr.read() == b""
        assert command.wait(timeout=60) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_a_full_disk_is_reported(checkout: Path, write_agent: Write) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "stepflow_gui", "lint", str(write_agent())],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(checkout)},
            check=False,
            timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"stepflow: the output can't be written (")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize("arguments", ["lint --help", "--version", "explain SF201", "rules"])
def test_a_full_disk_is_reported_of_whatever_is_printed(arguments: str, spawn: Run) -> None:
    code = "import sys, os; os.dup2(os.open('/dev/full', os.O_WRONLY), 1); from stepflow_gui.cli.main import main"
    done = spawn(*arguments.split(), code=f"{code}; sys.exit(main())")
    assert done.code == 2
    assert done.err.startswith("stepflow: the output can't be written (")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_where_no_message_can_be_printed_the_exit_code_still_counts(spawn: Run) -> None:
    code = "import sys, os; os.dup2(os.open('/dev/full', os.O_WRONLY), 2); from stepflow_gui.cli.main import main"
    assert spawn("lint", "gone.json", code=f"{code}; sys.exit(main())") == (2, "", "")
