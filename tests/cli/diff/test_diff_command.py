"""`stepflow diff`: its output for two files, two folders and a revision, its exit codes, and what it can't compare."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, Write
from tests.conftest import Git

TARGET = "/steps/initial.issue/transitions/next/target"
OTHER = {
    TARGET: "closure.issue",
    "/steps/initial.issue/structuredGate/failFast": False,
    "/version": "9.9.9",
}
SAID = """\
{title}
~ initial.issue
    ~ next → closure.issue (was continuation.issue)
    + structuredGate/failFast  false
Registry
    ~ version  "1.0.0" → "9.9.9"

1 step changed, 1 transition differs, 3 fields differ
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def committed(here: Path, write_agent: Write, git: Git) -> Path:
    """A repository with one committed agent in `a`."""
    write_agent("a")
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "an agent")
    return here


def registry(folder: str) -> Path:
    return Path(folder, "steps_registry.json")


def expected(title: str) -> str:
    return SAID.format(title=title)


def rewritten(path: Path, **layout: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")), **layout), "utf-8")


def test_two_registries(run: Run, here: Path, write_agent: Write) -> None:
    write_agent("a")
    write_agent("b", OTHER)
    code, out, err = run("diff", registry("a"), registry("b"))
    assert (code, err) == (1, "")
    assert out == expected("a/steps_registry.json → b/steps_registry.json")


def test_equal_files_are_reported_as_equal(run: Run, here: Path, write_agent: Write) -> None:
    write_agent("a")
    write_agent("b")
    title = "a/steps_registry.json → b/steps_registry.json\n"
    assert run("diff", "a", "b") == (0, title + "No difference in the flow\n", "")
    rewritten(here / registry("b"), indent=7)
    said = title + "No difference in the flow: only the formatting differs\n"
    assert run("diff", "a", "b") == (0, said, "")
    assert run("diff", registry("a"), registry("b")) == (0, said, "")
    (here / registry("b")).write_bytes(b"\xef\xbb\xbf" + (here / registry("a")).read_bytes())
    assert run("diff", registry("a"), registry("b")) == (0, said, "")


def test_folders_are_compared_with_all_that_belongs_to_them(run: Run, here: Path, write_agent: Write) -> None:
    write_agent("a")
    folder = write_agent("b")
    rewritten(folder / "agent.json")
    agent = json.loads((folder / "agent.json").read_text("utf-8"))
    agent["displayName"] = "Another"
    (folder / "agent.json").write_text(json.dumps(agent), "utf-8")
    schema = min(folder.rglob("*.schema.json"))
    schema.write_text(schema.read_text("utf-8").replace('"string"', '"integer"', 1), "utf-8")
    prompt = min(folder.rglob("f_*.md"))
    prompt.write_text(prompt.read_text("utf-8") + "one more\n", "utf-8")
    code, out, _err = run("diff", "a", "b")
    assert code == 1
    assert "agent.json\n" in out
    assert "displayName" in out
    assert f"~ {schema.relative_to(folder).as_posix()}, schema\n" in out
    assert '"string" → "integer"' in out
    assert f"~ {prompt.relative_to(folder).as_posix()}, prompt, lines: +1 −0\n" in out
    assert out.endswith("\n3 files differ\n")
    assert run("diff", registry("a"), registry("b")).code == 0  # the files alone are the same


def test_against_head_and_other_revisions(run: Run, committed: Path, write_agent: Write, git: Git) -> None:
    assert run("diff").code == 0
    write_agent("a", OTHER)
    for words in ((), ("a",), (registry("a"),), ("--since", "main", "a")):
        code, out, err = run("diff", *words)
        assert (code, err) == (1, "")
        revision = "main" if "main" in words else "HEAD"
        assert out == expected(f"a/steps_registry.json ({revision} → work tree)"), words
    git("commit", "-qam", "changed")
    assert run("diff").code == 0
    title = "HEAD~:a/steps_registry.json → HEAD:a/steps_registry.json"
    assert run("diff", "HEAD~:a", "HEAD:a") == (1, expected(title), "")
    assert run("diff", "HEAD~:./a/steps_registry.json", "HEAD:a/steps_registry.json").out == expected(title)


def test_paths_of_a_revision_are_those_of_git(
    run: Run, committed: Path, write_agent: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_agent("a", OTHER)
    monkeypatch.chdir(committed / "a")
    for old in ("HEAD:a/steps_registry.json", "HEAD:./steps_registry.json"):
        assert run("diff", old, "steps_registry.json").code == 1
    assert run("diff", "HEAD:steps_registry.json", "steps_registry.json") == (
        2,
        "",
        "stepflow diff: HEAD:steps_registry.json: no such file or folder\n",
    )


def test_an_agent_that_is_new_or_gone(run: Run, committed: Path, write_agent: Write) -> None:
    write_agent("b")
    code, out, _err = run("diff", "b")
    assert code == 1
    assert out.startswith("no file → b/steps_registry.json\n+ initial.issue, work")
    for path in sorted((committed / "a").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    code, out, _err = run("diff", "a")
    assert code == 1
    assert out.startswith("HEAD:a/steps_registry.json → no file\n- initial.issue, work")
    assert "added" not in out


def test_all_agents_of_a_folder(run: Run, committed: Path, write_agent: Write) -> None:
    write_agent("a", OTHER)
    write_agent("b")
    code, out, _err = run("diff")
    assert code == 1
    assert [line for line in out.splitlines() if "steps_registry" in line] == [
        "a/steps_registry.json (HEAD → work tree)",
        "no file → b/steps_registry.json",
    ]


def test_a_submodule_is_compared_by_itself(run: Run, committed: Path, write_agent: Write, git: Git) -> None:
    """As git does: its files are not part of the repository around it."""
    write_agent("library/b")
    within = ("-C", "library")
    git(*within, "init", "-q")
    git(*within, "add", "-A")
    git(*within, "commit", "-qm", "another agent")
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "./library", "parts")
    shutil.rmtree("library")
    git("commit", "-qam", "with a submodule")
    assert (committed / "parts" / "b" / "steps_registry.json").is_file()
    assert run("diff", ".", "--since", "HEAD").code == 0
    assert run("diff", ".", "--since", "HEAD~1").code == 0
    assert run("diff", "HEAD~1:.", "HEAD:.").code == 0
    write_agent("parts/b", OTHER)
    assert run("diff", ".", "--since", "HEAD").code == 0
    assert run("diff", "parts", "--since", "HEAD").out == expected("parts/b/steps_registry.json (HEAD → work tree)")
    assert run("diff", "a", "parts").code == 1  # two folders are two folders


def test_it_works_without_git(run: Run, here: Path, write_agent: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write_agent("a")
    write_agent("b", OTHER)
    monkeypatch.setenv("PATH", str(here))
    assert run("diff", "a", "b").code == 1
    assert run("diff", "a") == (2, "", "stepflow diff: git is required, but was not found on PATH\n")


def test_the_json(run: Run, here: Path, write_agent: Write) -> None:
    write_agent("a")
    write_agent("b", OTHER)
    code, out, err = run("diff", "--format", "json", "a", "b")
    assert (code, err) == (1, "")
    found = json.loads(out)
    (agent,) = found.pop("agents")
    assert found == {"stepflow-diff": 1, "same": False}
    assert {key: agent[key] for key in ("old", "new", "same", "formatting", "files", "entries")} == {
        "old": "a/steps_registry.json",
        "new": "b/steps_registry.json",
        "same": False,
        "formatting": False,
        "files": [],
        "entries": [],
    }
    step = {"change": "changed", "id": "initial.issue", "was": "initial.issue", "pointer": "/steps/initial.issue"}
    assert agent["steps"] == [step]
    (edge,) = agent["edges"]
    assert edge == {
        "change": "changed",
        "step": "initial.issue",
        "intent": "next",
        "case": None,
        "old": {"to": "continuation.issue", "limit": None, "pointer": TARGET},
        "new": {"to": "closure.issue", "limit": None, "pointer": TARGET},
    }
    assert {field["new_pointer"]: field["new"] for field in agent["fields"]} == OTHER
    assert set(agent["fields"][0]) == {"change", "old_pointer", "new_pointer", "old", "new", "follows"}


def test_quiet_prints_nothing(run: Run, here: Path, write_agent: Write) -> None:
    write_agent("a")
    write_agent("b", OTHER)
    assert run("diff", "-q", "a", "b") == (1, "", "")
    assert run("diff", "--quiet", "a", "a") == (0, "", "")


def test_colours_when_asked_for(run: Run, here: Path, write_agent: Write) -> None:
    write_agent("a")
    write_agent("b", OTHER)
    plain, coloured = (run("diff", "--color", when, "a", "b").out for when in ("never", "always"))
    assert "\x1b[33m~ initial.issue\x1b[0m" in coloured
    assert "\x1b" not in plain
    assert run("diff", "a", "b").out == plain


def test_colours_in_gits_pager(run: Run, here: Path, write_agent: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write_agent("a")
    write_agent("b", OTHER)
    monkeypatch.setenv("GIT_PAGER_IN_USE", "true")
    assert "\x1b[33m~" in run("diff", "a", "b").out
    assert "\x1b" not in run("diff", "--color", "never", "a", "b").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("diff", "a", "b").out


def test_json_that_is_no_registry_is_compared_by_its_fields(run: Run, here: Path) -> None:
    (here / "a.json").write_text('{"x": 1, "y": [1]}', "utf-8")
    (here / "b.json").write_text('{"x": 2, "y": [1, 2]}', "utf-8")
    code, out, _err = run("diff", "a.json", "b.json")
    assert code == 1
    assert out == "a.json → b.json\n    ~ x  1 → 2\n    + y/1  2\n\n1 file differs\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lost", "a"], "lost: no such file or folder"),
        (["a", "lost"], "lost: no such file or folder"),
        (["a", "a/agent.json"], "can't compare a and a/agent.json: one is a folder, the other a file"),
        (["empty", "a"], "empty: no registry found; looked for"),
        (["--since", "lost", "a"], "unknown git revision “lost”"),
        (["lost:a", "a"], "unknown git revision “lost”"),
        (["HEAD:a"], "HEAD:a is in a git revision; name a second path to compare it with"),
        (["HEAD:lost"], "HEAD:lost is in a git revision"),
        (["HEAD:lost", "a"], "HEAD:lost: no "),
        (["--since", "HEAD", "a", "a"], "--since needs a single path"),
        (["a", "a", "a"], "expected at most two paths"),
        (["-x"], "unknown option -x"),
        (["latin.json", "latin.json"], "latin.json: not UTF-8 text (byte 2)"),
        (["latin.json", "a/agent.json"], "latin.json: not UTF-8 text (byte 2)"),
        (["--since", "--all", "a"], "--since needs a value"),
        (["--since=--all", "a"], "unknown git revision “--all”"),
    ],
)
def test_what_cannot_be_compared_is_trouble(words: list[str], said: str, run: Run, committed: Path) -> None:
    (committed / "empty").mkdir()
    (committed / "latin.json").write_bytes(b'{"\xe9": 1}')
    code, out, err = run("diff", *words)
    assert (code, out) == (2, "")
    assert f"stepflow diff: {said}" in err
    assert len(set(err.splitlines())) == len(err.splitlines())


def test_outside_of_a_work_tree(run: Run, here: Path, write_agent: Write, git: Git) -> None:
    write_agent("a")
    assert run("diff", "a") == (2, "", f"stepflow diff: {here / 'a'} is not in a git work tree\n")


def test_broken_text_is_compared_as_far_as_it_can_be_read(run: Run, here: Path, write_agent: Write) -> None:
    write_agent("a")
    write_agent("b", OTHER)
    path = here / registry("b")
    path.write_text(path.read_text("utf-8").replace('"version": "9.9.9",', '"version": "9.9.9"'), "utf-8")
    code, out, err = run("diff", "a", "b")
    assert code == 2
    assert out == expected("a/steps_registry.json → b/steps_registry.json")
    assert err == "stepflow diff: b/steps_registry.json: not valid JSON; compared as far as it could be read\n"


def test_no_name_in_a_file_reaches_the_terminal_raw(run: Run, here: Path, write_agent: Write) -> None:
    write_agent("a")
    write_agent("b", {"/steps/initial.issue/name": "x\x1b[2J\n+ forged", "/steps/e\x1bvil": {"name": "\x07"}})
    out = run("diff", "a", "b").out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "\n+ forged" not in out


def test_the_help_is_there_in_both_languages(run: Run, japanese_catalogue: None) -> None:
    code, out, _err = run("diff", "--help")
    assert (code, "seven arguments" in out) == (0, True)
    code, out, _err = run("diff", "--help", "--lang", "ja")
    assert (code, "seven arguments" in out, "終了コード" in out) == (0, False, True)


def test_steps_of_hashed_ids_are_reported_by_their_names(run: Run, here: Path, checkout: Path) -> None:
    text = (checkout / "tests" / "seeds" / "checks" / "steps_registry.json").read_text("utf-8")
    (here / "a.json").write_text(text, "utf-8")
    (here / "b.json").write_text(text.replace('"maxRetries": 2', '"maxRetries": 3'), "utf-8")
    code, out, _err = run("diff", "a.json", "b.json")
    assert code == 1
    assert "\n~ s_a8f3, “Code Analysis”\n    ~ retry → s_a8f3 (max 3) (was s_a8f3 (max 2))\n" in out


def test_values_however_deep(run: Run, here: Path) -> None:
    for name, value in (("a.json", "1"), ("b.json", "2"), ("c.json", '"flat"')):
        deep = "[" * 5000 + value + "]" * 5000 if name != "c.json" else value
        (here / name).write_text(f'{{"steps": {{"initial.a": {{"x": {deep}}}}}}}', "utf-8")
    assert run("diff", "a.json", "a.json").code == 0
    code, out, _err = run("diff", "a.json", "b.json")
    assert code == 1
    assert "1 → 2\n" in out
    assert max(map(len, out.splitlines())) < 200
    assert '~ x  … → "flat"' in run("diff", "a.json", "c.json").out
    said = "stepflow diff: a value is nested too deeply for JSON; use --format text\n"
    assert run("diff", "a.json", "c.json", "--format", "json") == (2, "", said)


def test_a_thousand_steps(run: Run, here: Path) -> None:
    from tests.flow.flows import chain

    text = chain(1000).document.source.text
    (here / "a.json").write_text(text, "utf-8")
    (here / "b.json").write_text(text.replace("Name of initial.5", "Name no initial.5"), "utf-8")
    code, out, _err = run("diff", "a.json", "b.json")
    assert (code, out.endswith("\n111 steps changed, 111 fields differ\n")) == (1, True)
    assert os.environ.get("GIT_DIFF_PATH_COUNTER") is None
