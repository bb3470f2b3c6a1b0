"""`stepflow lint` with options: choosing rules, fixing, baselines, output, standard input, invalid settings."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from stepflow_gui.text.files import staging
from stepflow_gui.text.files.swapping import swap
from tests.cli.conftest import ALIASES, Ran, Run, Write

STEP = "/steps/initial.issue"
UNKNOWN_TARGET = {f"{STEP}/transitions/next/target": "continuation.isue"}


@pytest.fixture
def agent(write_agent: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An agent with an unknown target (a suggestion fixes it); its folder is the current one."""
    monkeypatch.chdir(tmp_path)
    return write_agent("a", UNKNOWN_TARGET)


@pytest.fixture
def aliases(write_agent: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An agent with aliases for intents in registry and schema, which safe fixes settle."""
    monkeypatch.chdir(tmp_path)
    return write_agent("a", ALIASES)


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


# Choosing


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--select", "SF301"], 1),
        (["--select=SF2,SF3"], 1),
        (["--select", "SF2", "--select", "target-unknown"], 1),
        (["--select", "SF2"], 0),
        (["--ignore", "SF3"], 0),
        (["--ignore", "ALL", "--extend-select", "SF301"], 0),
        (["--select", "ALL", "--ignore", "SF301"], 0),
    ],
)
def test_rules_are_chosen(options: list[str], code: int, run: Run, agent: Path) -> None:
    assert run("lint", *options, agent).code == code


@pytest.mark.parametrize("option", ["--select", "--ignore", "--extend-select"])
def test_an_unknown_rule_on_the_command_line_is_2(option: str, run: Run, agent: Path) -> None:
    code, out, err = run("lint", option, "SF201,SF30l", agent)
    assert (code, out) == (2, "")
    assert err.startswith("stepflow lint: there is no rule “SF30l”. Did you mean “SF301”?\n")


def test_an_unknown_rule_in_the_configuration_is_2_and_all_is_linted(run: Run, agent: Path, tmp_path: Path) -> None:
    (tmp_path / "stepflow.toml").write_text('\nignore = ["SF30l"]\n', "utf-8")
    code, out, err = run("lint", agent)
    assert code == 2
    assert "error SF301" in out
    assert err == "stepflow lint: stepflow.toml:2: there is no rule “SF30l”. Did you mean “SF301”?\n"


def test_a_pattern_that_meets_nothing_is_a_warning(run: Run, agent: Path, tmp_path: Path) -> None:
    (tmp_path / "stepflow.toml").write_text('[[per-path]]\npaths = ["gone/**"]\nignore = ["SF3"]\n', "utf-8")
    code, out, err = run("lint", agent)
    assert (code, err) == (1, "")
    assert "stepflow.toml:2:10: warning SF095: " in out


def test_a_configuration_that_can_not_be_read_is_2_and_all_is_linted(run: Run, agent: Path, tmp_path: Path) -> None:
    (tmp_path / "stepflow.toml").write_text("ignore = [\n", "utf-8")
    code, out, err = run("lint", agent)
    assert code == 2
    assert "error SF301" in out
    assert err.startswith("stepflow lint: stepflow.toml:")
    assert "not TOML" in err


def test_the_configuration_can_be_named_or_left_out(run: Run, agent: Path, tmp_path: Path) -> None:
    (tmp_path / "stepflow.toml").write_text('ignore = ["SF301"]', "utf-8")
    (tmp_path / "other.toml").write_text("", "utf-8")
    assert run("lint", agent).code == 0
    assert run("lint", "--isolated", agent).code == 1
    assert run("lint", "--config", "other.toml", agent).code == 1
    assert run("lint", "--config", "gone.toml", agent).code == 2


def test_the_format_and_the_runner_can_be_set(run: Run, agent: Path, tmp_path: Path) -> None:
    def formats(*options: str) -> set[str]:
        out = run("lint", "--format", "json", *options, agent).out
        return {each["format"] for each in json.loads(out)["diagnostics"]}

    assert formats() == {"closing"}
    assert formats("--registry-format", "complete") == {"complete"}
    (tmp_path / "stepflow.toml").write_text('format = "c3l"', "utf-8")
    assert formats() == {"c3l"}
    assert run("lint", "--runtime", "guide", agent).code == 1
    assert run("lint", "--runtime", "gone", agent).code == 2


def test_settings_are_shown_with_their_origin(run: Run, agent: Path, tmp_path: Path) -> None:
    (tmp_path / "stepflow.toml").write_text(
        'ignore = ["SF301"]\nstrict = true\n[severity]\nSF5 = "info"\n'
        '[[per-path]]\npaths = ["a/"]\nruntime = "guide"\n',
        "utf-8",
    )
    code, out, err = run("lint", "--show-settings", agent, "--ignore", "SF402")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:2] == ["Settings for a/steps_registry.json", "Configuration: stepflow.toml"]
    for line in (
        'select = ["ALL"]  (default)',
        'ignore = ["SF301"]  (stepflow.toml:1)',
        "strict = true  (stepflow.toml:2)",
        'runtime = "guide"  (stepflow.toml:7)',
        'format = "closing"  (detected from the file)',
        'SF301 target-unknown = "off"  (stepflow.toml)',
        'SF402 entry-unknown = "off"  (--ignore)',
        'SF501 fallback-key-form = "info"  (stepflow.toml)',
        'SF201 enum-transition-mismatch = "error"  (default)',
    ):
        assert line in lines
    told = json.loads(run("lint", "--show-settings", agent, "--format", "json").out)
    assert told["config"] == "stepflow.toml"
    assert told["settings"]["strict"] == {"value": True, "origin": "stepflow.toml:2"}


def test_settings_of_what_is_not_there_are_2(run: Run, tmp_path: Path) -> None:
    assert run("lint", "--show-settings", tmp_path / "gone").code == 2


# Fixing


def test_safe_fixes_are_written_and_the_rest_is_reported(run: Run, aliases: Path) -> None:
    before = contents(aliases)
    code, out, err = run("lint", "--fix", aliases)
    assert (code, out) == (0, "No problems in 1 file\n")
    assert err.endswith(" in 2 files\n")
    changed = {path.name for path, data in contents(aliases).items() if before[path] != data}
    assert changed == {"steps_registry.json", "issue.schema.json"}
    assert b'"continue"' not in (aliases / "steps_registry.json").read_bytes()
    assert run("lint", "--fix", aliases) == (0, "No problems in 1 file\n", "")


def test_suggestions_are_applied_only_on_request(run: Run, agent: Path) -> None:
    before = contents(agent)
    assert run("lint", "--fix", agent).code == 1
    assert contents(agent) == before
    code, out, err = run("lint", "--unsafe-fixes", agent)
    assert (code, out) == (0, "No problems in 1 file\n")
    assert err == "1 finding fixed in 1 file\n"


def test_fix_only_reports_nothing(run: Run, write_agent: Write) -> None:
    folder = write_agent("b", {**ALIASES, "/entryStepMapping/poll:state": "gone"})
    code, out, _err = run("lint", "--fix-only", folder)
    assert (code, out) == (0, "")
    assert {each["code"] for each in json.loads(run("lint", "--format=json", folder).out)["diagnostics"]} == {"SF402"}


def test_a_difference_is_shown_and_nothing_changed(run: Run, agent: Path) -> None:
    before = contents(agent)
    code, out, err = run("lint", "--diff", "--unsafe-fixes", agent)
    assert code == 1
    assert contents(agent) == before
    lines = out.splitlines()
    assert lines[:2] == ["--- a/a/steps_registry.json", "+++ b/a/steps_registry.json"]
    changed = [line for line in lines[2:] if line[0] in "+-"]
    assert changed == ['-          "target": "continuation.isue"', '+          "target": "continuation.issue"']
    assert err == "1 finding would be fixed in 1 file\n"
    assert run("lint", "--diff", agent) == (0, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="no patch there")
@pytest.mark.parametrize("end", [b"\n", b"", b"\r\n"])
def test_the_difference_is_one_that_git_applies(end: bytes, spawn: Run, aliases: Path, tmp_path: Path) -> None:
    path = aliases / "steps_registry.json"
    data = path.read_bytes()
    path.write_bytes(data.replace(b"\n", end) if end == b"\r\n" else data.rstrip(b"\n") + end)
    shown = subprocess.run(
        [sys.executable, "-m", "stepflow_gui", "lint", "--diff", str(aliases)],
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        check=False,
        timeout=60,
    )
    assert shown.returncode == 1
    (tmp_path / "fix.patch").write_bytes(shown.stdout)
    subprocess.run(["git", "apply", "fix.patch"], cwd=tmp_path, check=True, timeout=60)
    assert spawn("lint", "--diff", str(aliases), cwd=tmp_path) == (0, "", "")


@pytest.mark.usefixtures("permissions_bind")
def test_what_can_not_be_written_is_2_and_left_as_it_was(run: Run, aliases: Path, write_agent: Write) -> None:
    other = write_agent("b", ALIASES)
    before = contents(aliases)
    (aliases / "steps_registry.json").chmod(0o400)
    code, out, err = run("lint", "--fix", aliases, other)
    assert code == 2
    assert "a/steps_registry.json: can't be written (Permission denied)" in err
    assert contents(aliases) == before
    assert "SF207" in out
    assert run("lint", other).out == "No problems in 1 file\n"


def test_a_file_that_can_not_be_replaced_keeps_the_others_of_its_agent(
    run: Run, aliases: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(aliases)

    def refused(one: Path, other: Path) -> bool:
        if other.name == "steps_registry.json":
            raise PermissionError(13, "Permission denied")
        return swap(one, other)

    monkeypatch.setattr(staging, "swap", refused)
    code, _out, err = run("lint", "--fix", aliases)
    assert code == 2
    assert "a/steps_registry.json: can't be written (Permission denied); the agent's files are unchanged" in err
    assert contents(aliases) == before


# Baselines


def test_a_baseline_leaves_out_what_is_known(run: Run, agent: Path, tmp_path: Path) -> None:
    assert run("lint", "--write-baseline", "known.json", agent) == (0, "1 finding written to known.json\n", "")
    assert run("lint", "--baseline", "known.json", agent) == (
        0,
        "No problems in 1 file, 1 known finding left out\n",
        "",
    )
    (tmp_path / "stepflow.toml").write_text('baseline = "known.json"', "utf-8")
    assert run("lint", agent).code == 0
    path = agent / "steps_registry.json"
    path.write_text(path.read_text("utf-8").replace('"poll:state": "initial.issue"', '"poll:state": "gone"'), "utf-8")
    code, out, _err = run("lint", agent)
    assert code == 1
    assert "SF402" in out
    assert "SF301" not in out


def test_what_is_known_is_not_fixed(run: Run, aliases: Path) -> None:
    run("lint", "--write-baseline", "known.json", aliases)
    before = contents(aliases)
    assert run("lint", "--fix", "--baseline", "known.json", aliases).code == 0
    assert contents(aliases) == before


def test_a_baseline_of_another_version_is_2_and_all_is_reported(run: Run, agent: Path, tmp_path: Path) -> None:
    (tmp_path / "known.json").write_text('{"version": 99, "findings": []}', "utf-8")
    code, out, err = run("lint", "--baseline", "known.json", agent)
    assert code == 2
    assert "error SF301" in out
    assert err == (
        "stepflow lint: known.json: the baseline has version 99, but this Stepflow reads version 1; write it again\n"
    )


# What can't be meant


@pytest.mark.parametrize(
    "option", ["--config", "--baseline", "--write-baseline", "--output", "--show-settings", "--stdin-filename"]
)
def test_an_empty_name_is_no_name(option: str, run: Run, agent: Path) -> None:
    code, out, err = run("lint", option, "", agent)
    assert (code, out) == (2, "")
    assert err.startswith(f"stepflow lint: {option} needs a value\n")


def test_an_empty_path_is_not_the_current_folder(run: Run, agent: Path) -> None:
    code, out, err = run("lint", "")
    assert (code, out) == (2, "")
    assert err.startswith("stepflow lint: a path must not be empty\n")


def test_standard_input_is_one_file(run: Run, agent: Path) -> None:
    assert run("lint", "-", "-").err.startswith("stepflow lint: standard input can only be read once\n")
    assert run("lint", "-", "--stdin-filename", "a").err.startswith(
        "stepflow lint: --stdin-filename must name a file; a"
    )


# Output


@pytest.mark.parametrize(
    "form", ["full", "text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "rdjson"]
)
def test_every_format_can_be_written_to_a_file(form: str, run: Run, agent: Path, tmp_path: Path) -> None:
    printed = run("lint", "--format", form, agent)
    assert printed.code == 1
    assert run("lint", "--format", form, "--output", "report", agent) == (1, "", "")
    assert (tmp_path / "report").read_text("utf-8") == printed.out


def test_a_report_that_can_not_be_written_is_2(run: Run, agent: Path) -> None:
    code, out, err = run("lint", "--output", "gone/report", agent)
    assert (code, out) == (2, "")
    assert err == "stepflow lint: gone/report: can't be written (No such file or directory)\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_report_goes_into_a_pipe_and_leaves_it_there(run: Run, agent: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert run("lint", "--format", "concise", "--output", "pipe", agent) == (1, "", "")
        said = os.read(reader, 65536).decode("utf-8")
    finally:
        os.close(reader)
    assert said.endswith("1 error in 1 file\n")
    assert pipe.is_fifo()


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no such device here")
def test_a_report_goes_to_a_device(spawn: Run, agent: Path) -> None:
    code, out, err = spawn("lint", "--format", "concise", "--output", "/dev/stdout", str(agent))
    assert (code, err) == (1, "")
    assert out.endswith("1 error in 1 file\n")


def test_warnings_fail_when_asked_to(run: Run, write_agent: Write, tmp_path: Path) -> None:
    folder = write_agent("b", {f"{STEP}/name": 7})
    assert run("lint", folder).code == 0
    assert run("lint", "--strict", folder).code == 1
    (tmp_path / "stepflow.toml").write_text("strict = true", "utf-8")
    assert run("lint", folder).code == 1


def test_findings_fail_nothing_when_asked_not_to(run: Run, agent: Path) -> None:
    code, out, _err = run("lint", "--exit-zero", agent)
    assert code == 0
    assert "SF301" in out
    assert run("lint", "--exit-zero", agent, "gone").code == 2


def test_statistics_count_and_time_each_rule(run: Run, agent: Path) -> None:
    lines = run("lint", "--statistics", "--format", "concise", agent).out.splitlines()
    assert lines[2].split()[:3] == ["1", "SF301", "target-unknown"]
    assert lines[2].endswith(" ms")
    assert sum(int(line.split()[0]) for line in lines[2:-1]) == 1
    assert lines[-1].startswith("1 finding in ")
    ran = run("lint", "--statistics", "--format", "json", agent)
    assert json.loads(ran.out)
    assert "SF301" in ran.err


# Standard input


Feed = Callable[[bytes], None]


@pytest.fixture
def feed(monkeypatch: pytest.MonkeyPatch) -> Feed:
    """Lay bytes on standard input."""

    def fed(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return fed


def test_standard_input_is_laid_over_the_file(run: Run, agent: Path, feed: Feed) -> None:
    registry = agent / "steps_registry.json"
    feed(registry.read_bytes().replace(b"continuation.isue", b"continuation.issue"))
    assert run("lint", "-", "--stdin-filename", registry).code == 0
    feed(registry.read_bytes())
    assert run("lint", "-", "--stdin-filename", registry).code == 1


def test_a_schema_from_standard_input_is_linted_with_its_registry(run: Run, write_agent: Write, feed: Feed) -> None:
    folder = write_agent("b")
    (folder / "stepflow.toml").touch()  # the project's root
    schema = folder / "schemas" / "issue.schema.json"
    feed(schema.read_bytes().replace(b'"handoff"', b'"jump"'))
    assert "SF201" in run("lint", "-", "--stdin-filename", schema).out


def test_without_a_name_it_is_a_registry_here(
    run: Run, agent: Path, feed: Feed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path / "a")
    feed((agent / "steps_registry.json").read_bytes())
    assert run("lint", "-", "--format=concise").out.startswith("steps_registry.json:")
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    feed(b"{")
    code, out, err = run("lint", "-")
    assert (code, err) == (1, "")
    assert "SF001" in out


def test_a_difference_for_standard_input(run: Run, agent: Path, feed: Feed) -> None:
    registry = agent / "steps_registry.json"
    feed(registry.read_bytes())
    ran = run("lint", "-", "--stdin-filename", registry, "--diff", "--unsafe-fixes")
    assert ran.code == 1
    assert '+          "target": "continuation.issue"' in ran.out


@pytest.mark.parametrize(
    "options", [["--fix", "-"], ["-", "-"], ["--stdin-filename", "x.json"], ["--fix", "--write-baseline", "x"]]
)
def test_what_does_not_go_together_is_2(options: list[str], run: Run, feed: Feed) -> None:
    feed(b"{}")
    ran: Ran = run("lint", *options)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("stepflow lint: ")


def test_standard_input_that_is_no_text_is_2(run: Run, feed: Feed) -> None:
    feed(b"\xff")
    assert run("lint", "-") == (2, "", "stepflow lint: standard input isn't UTF-8 text (byte 0)\n")


def test_standard_input_that_is_closed_is_2(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert run("lint", "-") == (2, "", "stepflow lint: standard input is closed\n")


def test_an_unreadable_file_among_many_is_2_and_the_rest_is_linted(run: Run, agent: Path, write_agent: Write) -> None:
    other = write_agent("b")
    (other / "steps_registry.json").unlink()
    (other / "steps_registry.json").mkdir()
    code, out, err = run("lint", agent, other, "gone")
    assert code == 2
    assert "error SF301" in out
    assert "gone: no such file or folder" in err
