"""Fixing: rounds until nothing is left, over several files at once, with the rest of each file as it was."""

import difflib
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from stepflow_gui.lint.diagnostic import ERROR, Diagnostic, FileEdit, Fix, Range, writable
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.fixing import Fixed, FixedFile, any_fixes, fix_all, safe_fixes, save
from stepflow_gui.lint.rules.table import rule_module
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.files.store import ChangedOnDisk, SaveFailed
from stepflow_gui.text.source import Source
from tests.conftest import Thin

from .conftest import Open

STEP = "/steps/initial.issue"
ENUM = "issue.schema.json#/initial.issue/properties/next_action/properties/action/enum"
ALIASES = {
    f"{STEP}/structuredGate/allowedIntents": ["continue", "retry"],
    f"{STEP}/transitions": {"continue": {"target": "continuation.issue"}, "retry": {"target": "initial.issue"}},
    ENUM: ["continue", "retry"],
}


def codes(found: Sequence[Diagnostic]) -> list[str]:
    return [each.code for each in found]


def left(fixed: Fixed) -> list[str]:
    return [code for agent in fixed.agents for code in codes(lint(agent))]


def test_safe_fixes_are_applied_over_registry_and_schema_until_none_is_left(open_example: Open) -> None:
    agent = open_example(ALIASES)
    assert "SF207" in codes(lint(agent))
    fixed = fix_all([agent], lint)
    assert left(fixed) == []
    assert fixed.converged
    assert {change.path.name for change in fixed.changes} == {"steps_registry.json", "issue.schema.json"}
    assert len(fixed.groups) == 1
    registry = next(change for change in fixed.changes if change.path.name == "steps_registry.json")
    assert json.loads(registry.after.text)["steps"]["initial.issue"]["structuredGate"]["allowedIntents"] == [
        "next",
        "repeat",
    ]


def test_no_fix_takes_from_a_shared_enum_what_another_step_needs(open_example: Open) -> None:
    own = "issue.schema.json#/closure.issue/properties/next_action"
    shared = {"properties": {"action": {"type": "string", "enum": ["next", "repeat", "closing"]}}}
    agent = open_example(
        {
            "issue.schema.json#/words": shared,
            "issue.schema.json#/initial.issue/properties/next_action": {"$ref": "#/words"},
            own: {"$ref": "#/words"},
        }
    )
    found = [each for each in lint(agent) if each.step == "closure.issue"]
    assert "SF201" in {each.code for each in found}
    assert not any(fix.title == "Remove “next”" for each in found for fix in each.fixes)
    fixed = fix_all([agent], lint, any_fixes)
    assert fixed.converged
    for change in fixed.changes:
        if change.path.name == "issue.schema.json":
            assert {"next", "closing"} <= set(json.loads(change.after.text)["words"]["properties"]["action"]["enum"])


@pytest.mark.parametrize("odd", ["\0", "\ud800"])
def test_no_fix_is_offered_whose_file_no_disk_can_have(odd: str, open_example: Open) -> None:
    agent = open_example({**ALIASES, f"{STEP}/edition": f"x{odd}"})
    assert [each.fixes for each in lint(agent) if each.code == "SF506"] == [()]
    fixed = fix_all([agent], lint, any_fixes)
    assert fixed.converged
    assert {"SF207", "SF506"} & set(left(fixed)) == {"SF506"}
    assert all(isinstance(save(group), list) for group in fixed.groups)


@pytest.mark.parametrize("odd", ["\0", "\ud800"])
def test_a_schema_whose_name_no_disk_can_have_stops_no_fix(odd: str, open_example: Open) -> None:
    agent = open_example({**ALIASES, "/steps/closure.issue/outputSchemaRef/file": f"{odd}.json"})
    fixed = fix_all([agent], lint, any_fixes)
    assert "SF207" in {each.diagnostic.code for each in fixed.applied}
    assert "SF207" not in left(fixed)


@pytest.mark.parametrize(("name", "text", "fine"), [("a.md", "é", True), ("a.md", "\udcff", False), ("\0", "é", False)])
def test_a_text_that_utf_8_has_no_bytes_for_can_t_be_written(name: str, text: str, fine: bool) -> None:
    assert writable([text], [Path(name)]) is fine


def test_nothing_is_written_before_it_is_saved(open_example: Open) -> None:
    agent = open_example(ALIASES)
    before = agent.registry.path.read_bytes()
    fixed = fix_all([agent], lint)
    assert agent.registry.path.read_bytes() == before
    for group in fixed.groups:
        assert save(group) == [change.path for change in group]
    reopened = open_agent(agent.registry.path)
    assert isinstance(reopened, AgentFolder)
    assert lint(reopened) == []


def test_suggestions_are_only_applied_when_asked_for(open_example: Open) -> None:
    agent = open_example({f"{STEP}/transitions/next/target": "continuation.isue"})
    assert fix_all([agent], lint).changes == []
    fixed = fix_all([agent], lint, any_fixes)
    assert left(fixed) == []
    (change,) = fixed.changes
    assert change.before
    lines = [
        line
        for line in difflib.ndiff(change.before.text.splitlines(), change.after.text.splitlines())
        if line[0] in "+-"
    ]
    assert [line.strip() for line in lines] == [
        '-           "target": "continuation.isue"',
        '+           "target": "continuation.issue"',
    ]


def test_one_rule_alone_can_be_fixed(open_example: Open) -> None:
    agent = open_example({**ALIASES, "/entryStepMapping/poll:state": "initial.isue"})
    fixed = fix_all([agent], lint, lambda found: any_fixes(found) if found.code == "SF402" else [])
    assert "SF207" in left(fixed)
    assert "SF402" not in left(fixed)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_bytes_besides_the_change_stay(newline: str, mark: bytes, open_example: Open) -> None:
    agent = open_example({f"{STEP}/name": "名前 👍", **ALIASES})
    path = agent.registry.path
    path.write_bytes(mark + path.read_bytes().replace(b"\n", newline.encode()))
    agent = agent.reread([path])
    fixed = fix_all([agent], lint, lambda found: safe_fixes(found) if found.code == "SF207" else [])
    for group in fixed.groups:
        save(group)
    after = path.read_bytes()
    assert after.startswith(mark + b"{" + newline.encode())
    assert after.replace(newline.encode(), b"").count(b"\n") == 0 or newline == "\n"
    assert "名前 👍".encode() in after or b"\\ud83d\\udc4d" in after


def test_a_byte_order_mark_goes_by_its_own_fix(open_example: Open) -> None:
    agent = open_example()
    path = agent.registry.path
    data = path.read_bytes()
    path.write_bytes(b"\xef\xbb\xbf" + data)
    agent = agent.reread([path])
    assert codes(lint(agent)) == ["SF003"]
    fixed = fix_all([agent], lint)
    assert left(fixed) == []
    assert [save(group) for group in fixed.groups] == [[path]]
    assert path.read_bytes() == data


def test_unsaved_texts_are_what_is_fixed(open_example: Open) -> None:
    agent = open_example()
    text = agent.registry.source.text.replace('"continuation.issue"', '"continuation.isue"', 1)
    unsaved = {agent.registry.path: Source(text)}
    fixed = fix_all([agent.with_buffers(unsaved)], lint, any_fixes, unsaved)
    assert left(fixed) == []
    assert fixed.changes[0].before == unsaved[agent.registry.path]


def test_a_schema_that_two_agents_share_is_fixed_once(open_example: Open) -> None:
    first = open_example(ALIASES)
    other = first.registry.path.parent / "other.json"
    other.write_bytes(first.registry.path.read_bytes())
    second = open_agent(other)
    assert isinstance(second, AgentFolder)
    fixed = fix_all([first, second], lint)
    assert left(fixed) == []
    assert [change.path.name for change in fixed.changes] == ["other.json", "issue.schema.json", "steps_registry.json"]
    assert len(fixed.groups) == 1


def test_many_findings_of_one_rule_take_several_rounds(open_example: Open) -> None:
    slips = [f"{'issue'[:at]}{letter}{'issue'[at + 1 :]}" for at in range(5) for letter in "abcdfghjklmnopqrtvwxyz"]
    cases = {slip: f"continuation.{slip}" for slip in slips} | {"right": "continuation.issue"}
    agent = open_example({f"{STEP}/transitions/next": {"condition": "x", "targets": {**cases, "default": None}}})
    fixed = fix_all([agent], lint, lambda found: any_fixes(found) if found.code == "SF301" else [])
    assert "SF301" not in left(fixed)
    assert len(fixed.applied) == len(slips) == 110
    assert fixed.converged


# Fixes that don't behave


def replacing(agent: AgentFolder, what: str, text: str, message: str = "m") -> Diagnostic:
    """A finding on a text of the registry, whose fix writes another."""
    source = agent.registry.source
    start = source.text.index(what)
    where = Range(source.position(start), source.position(start + len(what)))
    fix = Fix("t", True, (FileEdit(agent.registry.path, where, text),))
    return Diagnostic("SF900", "odd", ERROR, message, agent.registry.path, None, None, None, where, (), (fix,))


def test_fixes_that_together_write_one_key_twice_are_not_both_applied(open_example: Open) -> None:
    def linting(agent: AgentFolder) -> list[Diagnostic]:
        keys = [key for key in ('"agentId"', '"version"') if key in agent.registry.source.text]
        return [replacing(agent, key, '"fresh"', message=key) for key in keys]

    fixed = fix_all([open_example()], linting)
    assert [each.diagnostic.message for each in fixed.applied] == ['"agentId"']
    assert fixed.agents[0].registry.tree.duplicates() == []
    assert not fixed.converged


def test_fixes_that_undo_each_other_end(open_example: Open) -> None:
    def linting(agent: AgentFolder) -> list[Diagnostic]:
        there, gone = ("1.0.0", "1.0.1") if '"1.0.0"' in agent.registry.source.text else ("1.0.1", "1.0.0")
        return [replacing(agent, there, gone, message=there)]

    fixed = fix_all([open_example()], linting)
    assert not fixed.converged
    assert len(fixed.applied) <= 2


def test_a_fix_that_settles_nothing_is_not_repeated(open_example: Open) -> None:
    fixed = fix_all([open_example()], lambda agent: [replacing(agent, "1.0.0", "1.0.00")])
    assert not fixed.converged
    assert len(fixed.applied) == 1


def test_a_fix_that_would_break_the_file_is_left_out(open_example: Open) -> None:
    def linting(agent: AgentFolder) -> list[Diagnostic]:
        found = [replacing(agent, '"1.0.0"', "{", message="bad")]
        if '"issue-flow"' in agent.registry.source.text:
            found.append(replacing(agent, '"issue-flow"', '"other"', message="good"))
        return found

    fixed = fix_all([open_example()], linting)
    assert [each.diagnostic.message for each in fixed.applied] == ["good"]
    assert json.loads(fixed.changes[0].after.text)["agentId"] == "other"


def test_fixes_at_one_place_take_turns(open_example: Open) -> None:
    def linting(agent: AgentFolder) -> list[Diagnostic]:
        text = agent.registry.source.text
        wanted = [("1.0.0", "1.0.1"), ("0.1", "0.2")]
        return [replacing(agent, old, new, message=old) for old, new in wanted if old in text]

    fixed = fix_all([open_example()], linting)
    assert json.loads(fixed.changes[0].after.text)["version"] == "1.0.2"


def test_where_a_finding_comes_back_the_next_of_its_fixes_is_taken(open_example: Open) -> None:
    def linting(agent: AgentFolder) -> list[Diagnostic]:
        text = agent.registry.source.text
        if "1.0.1" in text:
            return [replacing(agent, "1.0.1", "1.0.0", message="back")]
        if "1.0.0" not in text:
            return []
        (first,), (second,) = replacing(agent, "1.0.0", "1.0.1").fixes, replacing(agent, "1.0.0", "1.0.2").fixes
        return [replacing(agent, "1.0.0", "")._replace(fixes=(first, Fix("other", second.safe, second.edits)))]

    fixed = fix_all([open_example()], linting)
    assert json.loads(fixed.changes[0].after.text)["version"] == "1.0.2"
    assert fixed.converged


# Saving


def test_what_changed_on_disk_meanwhile_is_not_written_over(open_example: Open) -> None:
    agent = open_example(ALIASES)
    fixed = fix_all([agent], lint)
    schema = agent.registry.path.parent / "schemas" / "issue.schema.json"
    schema.write_text("{}", "utf-8")
    before = agent.registry.path.read_bytes()
    (group,) = fixed.groups
    assert save(group) == ChangedOnDisk(schema, removed=False)
    assert agent.registry.path.read_bytes() == before


def test_a_file_that_comes_into_being_is_made_and_never_written_over(tmp_path: Path) -> None:
    change = FixedFile(tmp_path / "a" / "new.json", None, Source("{}"))
    assert save([change]) == [change.path]
    assert change.path.read_text("utf-8") == "{}"
    assert save([change]) == ChangedOnDisk(change.path, removed=False)


@pytest.mark.usefixtures("permissions_bind")
def test_a_read_only_file_keeps_all_files_of_its_group(open_example: Open) -> None:
    agent = open_example(ALIASES)
    (group,) = fix_all([agent], lint).groups
    agent.registry.path.chmod(0o400)
    assert isinstance(save(group), SaveFailed)
    assert [change.path.read_bytes() for change in group] == [
        change.before.encode() for change in group if change.before
    ]


@pytest.mark.slow
def test_real_defects_are_fixed_to_the_end(corpus: Path, thin: Thin) -> None:
    """Every safe fix converges, and leaves no finding that has one: in one defect in three; --full: in each."""
    applied = 0
    for registry in thin(sorted((corpus / "climpt").glob("defects/*/before/steps_registry.json")), 3):
        agent = open_agent(registry)
        assert isinstance(agent, AgentFolder)
        fixed = fix_all([agent], lint)
        applied += len(fixed.applied)
        assert fixed.converged, registry
        assert [each for each in lint(fixed.agents[0]) if safe_fixes(each)] == [], registry
    assert applied > 0


def test_no_folder_is_left_where_nothing_could_be_written(tmp_path: Path) -> None:
    there, made = tmp_path / "there.json", tmp_path / "a" / "b" / "made.json"
    there.write_text("{}", "utf-8")
    changes = [FixedFile(made, None, Source("{}")), FixedFile(there, Source("[]"), Source("{ }"))]
    assert isinstance(save(changes), ChangedOnDisk)
    assert [path.name for path in tmp_path.iterdir()] == ["there.json"]
    assert save([changes[0]]) == [made]


def test_fixes_that_are_sound_alone_leave_no_empty_yaml_file_together(tmp_path: Path) -> None:
    piece = tmp_path / ".takt" / "pieces" / "x.yaml"
    piece.parent.mkdir(parents=True)
    piece.write_text("# c\nlanguage: en\n\n# y\n\nlog_level: info\n", "utf-8")
    agent = open_agent(piece)
    assert isinstance(agent, AgentFolder)
    fixed = fix_all([agent], lint, any_fixes)
    (change,) = fixed.changes
    assert change.after.text == "# c\n\n# y\n\n{}\n"
    assert len(fixed.applied) == 2


def test_files_of_an_agent_that_is_not_fixed_stay_as_they_are(open_example: Open) -> None:
    enum = "issue.schema.json#/continuation.issue/properties/next_action/properties/action/enum"
    base = ".agent/issue-flow/schemas"
    agent = open_example(
        {enum: ["next", "repeat"], "/schemasBase": base, "/userPromptsBase": ".agent/issue-flow/prompts"}
    )
    copied = agent.root / "converted" / agent.registry.path.name
    copied.parent.mkdir()
    copied.write_text(agent.registry.source.text, "utf-8")
    copy = open_agent(copied)
    assert isinstance(copy, AgentFolder)
    assert "SF201" in {each.code for each in lint(copy)}
    assert {change.path.parent for change in fix_all([copy], lint, any_fixes).changes} <= {copied.parent}
    both = {change.path.parent.name for change in fix_all([copy, agent], lint, any_fixes).changes}
    assert "schemas" in both


def test_a_file_that_a_fix_begins_is_looked_at_in_the_next_round(open_example: Open) -> None:
    agent = open_example(rule_module("SF817").BAD)
    assert "SF817" in codes(lint(agent))
    fixed = fix_all([agent], lint, any_fixes)
    assert "SF817" not in left(fixed)
    assert fixed.converged
