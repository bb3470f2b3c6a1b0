"""Kinds of mistakes in pieces and workflows, by key, place and release: what is said, and how often."""

from pathlib import Path

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.project.agent_folder import AgentFolder, open_agent

WORKFLOW = "name: x\ninitial_step: FIRST\nmax_steps: 5\nsteps:\n"
PIECE = "name: x\ninitial_movement: a\nmax_movements: 5\nmovements:\n"
RULES = "    rules: [{condition: ok, next: COMPLETE}, {condition: no, next: ABORT}]\n"
ONE = "  - name: a\n    persona: You are it.\n    edit: true\n    instruction: Do {task}.\nKEYS" + RULES
SUBS = """\
  - name: a
    parallel:
      - {name: s, persona: You are it., edit: true, instruction: Do it., KEYS, rules: [{condition: ok}]}
    rules: [{condition: 'all("ok")', next: COMPLETE}, {condition: 'any("error")', next: ABORT}]
"""
CHILD = """\
name: child
initial_step: only
max_steps: 5
subworkflow: {callable: true, returns: [fine, poor]}
steps:
  - {name: only, persona: You., edit: true, instruction: Go on., rules: [{condition: g, return: fine}]}
"""
CALL = """\
  - name: a
    kind: workflow_call
    call: NAME
    rules: [{condition: fine, next: COMPLETE}, {condition: OTHER, next: ABORT}]
"""


def _said(folder: Path, text: str, runtime: str, files: dict[str, str] | None = None) -> list[str]:
    return [each for each in _all_of(folder, text, runtime, files) if not each.startswith("T030")]


def _all_of(folder: Path, text: str, runtime: str, files: dict[str, str] | None = None) -> list[str]:
    home = "pieces" if "movements:" in text else "workflows"
    text = text.replace("FIRST", "a")
    for name, content in {f".takt/{home}/x.yaml": text, **(files or {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    agent = open_agent(folder / ".takt" / home / "x.yaml")
    assert isinstance(agent, AgentFolder)
    return [f"{each.code} {each.message}" for each in lint(agent, LintSettings(f"takt-{runtime}"))]


@pytest.mark.parametrize(
    ("keys", "release", "said"),
    [
        ("delay_before_ms: 5", "0.54", "T025 TAKT 0.54.1 doesn't know “delay_before_ms” here: it is dropped silently"),
        ("delay_before_ms: 5", "0.55", "T028 “s” is a sub-step, which can't have “delay_before_ms”"),
        ("'promotion': [{at: 2}]", "0.40", "T025 TAKT 0.40 doesn't know “promotion” here: it is dropped silently"),
        ("'promotion': [{at: 2}]", "0.60", "T028 “s” is a sub-step, which can't have “promotion”"),
        ("'concurrency': 2", "0.60", "T028 “s” is a sub-step, which can't have “concurrency”"),
        ("requires_user_input: true", "0.50", "T028 “s” is a sub-step, which can't have “requires_user_input”"),
        ("companion: {}", "0.59", "T028 “s” is a sub-step, which can't have “companion”"),
        ("parallel: [{name: z}]", "0.54", "T025 TAKT 0.54.1 doesn't know “parallel” here: it is dropped silently"),
        ("parallel: [{name: z}]", "0.60", "T025 TAKT 0.60 doesn't know “parallel” here: it refuses to load the file"),
    ],
)
def test_a_key_that_sub_steps_cant_have_is_told_once(keys: str, release: str, said: str, tmp_path: Path) -> None:
    found = [each for each in _said(tmp_path, WORKFLOW + SUBS.replace("KEYS", keys), release) if "T010" not in each]
    assert len(found) == 1, found
    assert found[0].startswith(said)
    assert "Did you mean" not in found[0]


@pytest.mark.parametrize("value", ["5", "null", "[]", "{runtime: 3}"])
@pytest.mark.parametrize(("key", "release"), [("workflow_config", "0.40"), ("piece_config", "0.30")])
def test_a_config_that_is_no_object_is_refused(value: str, key: str, release: str, tmp_path: Path) -> None:
    text = (WORKFLOW if key.startswith("w") else PIECE).replace("name: x", f"name: x\n{key}: {value}")
    (found,) = _said(tmp_path, text + ONE.replace("KEYS", ""), release)
    assert found.startswith("SF004 ")
    assert "refuses to load the file" in found


def test_a_value_of_a_provider_names_those_of_the_release(tmp_path: Path) -> None:
    (found,) = _said(tmp_path, PIECE + ONE.replace("KEYS", "    provider: gpt\n"), "0.15")
    assert "must be one of claude, codex, mock, opencode: TAKT 0.15" in found


@pytest.mark.parametrize(
    ("name", "release", "said"),
    [
        ("context:a.b", "0.35.4", ["T017 TAKT 0.35.4 leaves “{context:a.b}” as it is: it is replaced by TAKT 0.36+"]),
        ("context:a.b", "0.36", []),
        ("var:v", "0.54", ["T017 TAKT 0.54.1 leaves “{var:v}” as it is: it is replaced by TAKT 0.55+"]),
        ("cycle_count", "0.60", ["T017 “{cycle_count}” is replaced for judges of loop monitors only"]),
    ],
)
def test_variables_with_names_are_of_releases_too(name: str, release: str, said: list[str], tmp_path: Path) -> None:
    text = (PIECE if release < "0.36" else WORKFLOW) + ONE.replace("KEYS", "").replace("{task}", f"{{{name}}}")
    assert [each for each in _said(tmp_path, text, release) if "T017" in each] == said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("child", []),
        ("./child.yaml", []),
        ("chlid", ["Did you mean “child”?"]),
        ("elsewhere", ["There is no workflow “elsewhere” here: unless one is bundled"]),
        ("./gone.yaml", ["There is no workflow “./gone.yaml”: a run of TAKT 0.60 ends"]),
    ],
)
def test_a_called_workflow_is_looked_for(name: str, said: list[str], tmp_path: Path) -> None:
    text = WORKFLOW + CALL.replace("NAME", name).replace("OTHER", "poor")
    found = _said(tmp_path, text, "0.60", {".takt/workflows/child.yaml": CHILD})
    assert len(found) == len(said), found
    assert all(part in each for part, each in zip(said, found, strict=True))


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ("poor", []),
        ("ABORT", ["T029 “a” has no rule for “poor”, which “child” may return: TAKT 0.60 aborts the run then"]),
        ("splendid", ["T029 “a” calls “child”, which can't end with “splendid”: TAKT 0.60 refuses to load the file"]),
    ],
)
def test_results_of_a_called_workflow_and_rules_fit(other: str, said: list[str], tmp_path: Path) -> None:
    text = WORKFLOW + CALL.replace("NAME", "child").replace("OTHER", other)
    assert _said(tmp_path, text, "0.60", {".takt/workflows/child.yaml": CHILD}) == said


def test_a_call_of_a_sub_step_counts_since_it_is_read(tmp_path: Path) -> None:
    text = WORKFLOW + SUBS.replace("KEYS", "call: child").replace("[{condition: ok}]", "[{condition: none}]")
    files = {".takt/workflows/child.yaml": CHILD}
    assert not [each for each in _said(tmp_path, text, "0.50", files) if "T029" in each]
    assert [each for each in _said(tmp_path, text, "0.60", files) if "T029" in each]


@pytest.mark.parametrize(
    ("file", "release", "said"),
    [
        ("personas/writer", "0.21", []),
        ("personas/writer", "0.22", ["T013 TAKT 0.22 doesn't look at .takt/personas/writer.md: the word “writer”"]),
        ("facets/personas/writer", "0.21", ["T013 TAKT 0.21 doesn't look at .takt/facets/personas/writer.md"]),
        ("facets/personas/writer", "0.22", []),
    ],
)
def test_a_facet_in_the_folder_of_other_releases(file: str, release: str, said: list[str], tmp_path: Path) -> None:
    text = PIECE + ONE.replace("KEYS", "").replace("You are it.", "writer")
    found = [each for each in _said(tmp_path, text, release, {f".takt/{file}.md": "W"}) if "T013" in each]
    assert len(found) == len(said)
    assert all(each.startswith(part) for part, each in zip(said, found, strict=True))


def test_a_list_of_instructions_before_it_is_taken(tmp_path: Path) -> None:
    text = WORKFLOW + ONE.replace("KEYS", "").replace("Do {task}.", "[Do it., Again.]")
    assert _said(tmp_path, text, "0.59") == [
        "SF004 “instruction” of “a” is of a form that TAKT 0.59.1 doesn't accept: it refuses to load the file"
    ]
    assert _said(tmp_path, text, "0.60") == []


@pytest.mark.parametrize(
    ("first", "second", "covering"),
    [
        ("when(true)", "late", ["0.53"]),
        ("ok", "ok && when(context.a.b == 1)", ["0.53"]),
        ("ok", "when(context.a.b == 1)", ["0.53"]),  # the only label
        ("ok && when(context.a.b == 1)", "ok", []),
        ("when(context.a.b == 1)", "ok", []),
        ("when(context.a.b == 1 || context.a.c)", "when(context.a.c)", ["0.53"]),
        ('any("x", "y")', 'any("y")', ["0.52", "0.53"]),  # up to 0.52 the sub-step comes to one of them
        ('any("y")', 'any("x", "y")', []),
        ('any("x")', 'any("x") && when(context.a.b == 1)', ["0.53"]),
        ('all("x")', 'all("x") && when(context.a.b == 1)', ["0.53"]),
        ('any("x", "y")', "else", ["0.52"]),
        ('any("x", "y", "error")', "else", ["0.52", "0.53"]),
        ("else", 'any("x", "y")', ["0.52", "0.53"]),
    ],
)
def test_a_rule_that_another_one_covers(first: str, second: str, covering: list[str], tmp_path: Path) -> None:
    rules = "".join(f"      - {{condition: '{each}', next: ABORT}}\n" for each in (first, second))
    step = SUBS.replace("KEYS, ", "").replace("[{condition: ok}]", "[{condition: x}, {condition: y}]")
    text = WORKFLOW + (step if "(" in (first + second)[3:8] else ONE.replace("KEYS", "")).rpartition("    rules")[0]
    text += f"    rules:\n{rules}"
    found = [any(each.startswith("T033") for each in _said(tmp_path, text, release)) for release in ("0.52", "0.53")]
    assert [release for release, told in zip(("0.52", "0.53"), found, strict=True) if told] == covering


@pytest.mark.parametrize(
    ("parts", "said"), [(3, []), (9, ["SF004 “max_parts” is 9, and must be at most 3: TAKT 0.30"])]
)
def test_a_team_has_no_more_than_three_parts(parts: int, said: list[str], tmp_path: Path) -> None:
    text = PIECE + ONE.replace("KEYS", f"    team_leader: {{max_parts: {parts}}}\n")
    assert [each.split(" refuses")[0] for each in _said(tmp_path, text, "0.30")] == said


@pytest.mark.parametrize(
    ("keys", "runtime", "said"),
    [
        ("    session: compact\n", "0.49..0.52", "TAKT 0.49–0.50 refuses to load the file"),
        ("    session: compact\n", "0.51..0.52", ""),
    ],
)
def test_a_range_that_is_set_is_spoken_of_as_a_whole(keys: str, runtime: str, said: str, tmp_path: Path) -> None:
    found = _all_of(tmp_path, WORKFLOW + ONE.replace("KEYS", keys), runtime)
    assert any(said in each for each in found if each.startswith("T030")) is bool(said), found


def test_a_mixture_is_no_matter_of_releases_that_the_settings_dont_name(tmp_path: Path) -> None:
    step = ONE.replace("KEYS", "    permission_mode: edit\n    report: r.md\n")
    assert not [each for each in _all_of(tmp_path, WORKFLOW + step, "0.60") if each.startswith("T031")]


@pytest.mark.parametrize(
    ("gates", "release", "said"),
    [
        ("[fast]", "0.60", []),
        ("fast", "0.60", ["“quality_gates” of “a” must be a list but is a string"]),
        ("[[fast]]", "0.60", ["An item of “quality_gates” must be a string but is a list"]),
        ("[5]", "0.30", ["An item of “quality_gates” must be a string but is a number"]),
        ("[{type: command, command: make}]", "0.60", []),
        ("[{type: command}]", "0.60", ["“command” is missing"]),
        ("[{command: make}]", "0.60", ["“type” is missing"]),
        ("[{type: shell, command: make}]", "0.60", ["“type” is “shell”, and must be one of command"]),
        ("[{type: command, command: 5}]", "0.60", ["“command” of “a” must be a string but is a number"]),
        (
            "[{type: command, command: 5}]",
            "0.42",
            ["“quality_gates” of “a” is of a form that TAKT 0.42 doesn't accept"],
        ),
        ("[{type: command, command: make}]", "0.30", ["“quality_gates” of “a” is of a form"]),
    ],
)
def test_gates_of_wrong_types_are_refused(gates: str, release: str, said: list[str], tmp_path: Path) -> None:
    text = (WORKFLOW if release >= "0.36" else PIECE) + ONE.replace("KEYS", f"    quality_gates: {gates}\n")
    allowed = {".takt/config.yaml": "workflow_command_gates: {custom_scripts: true}\n"}
    found = [each for each in _all_of(tmp_path, text, release, allowed) if each.startswith("SF004")]
    assert len(found) == len(said), found
    assert all(part in each and "refuses to load the file" in each for part, each in zip(said, found, strict=True))


@pytest.mark.parametrize(
    ("prepare", "key", "release", "said"),
    [
        ("[gradle]", "workflow_config", "0.60", []),
        ("gradle", "workflow_config", "0.60", ["“prepare” must be a list of strings but is a string"]),
        ("null", "workflow_config", "0.40", ["“prepare” must be a list of strings but is null"]),
        ("[5]", "workflow_config", "0.34", ["An item of “prepare” must be a string but is a number"]),
        ("['']", "workflow_config", "0.60", ["“prepare” is empty"]),
        ("{a: 1}", "piece_config", "0.15", ["“prepare” must be a list of strings but is an object"]),
        ("{a: 1}", "piece_config", "0.14", []),  # which doesn't read `runtime`
    ],
)
def test_what_is_prepared_has_its_types(prepare: str, key: str, release: str, said: list[str], tmp_path: Path) -> None:
    head = WORKFLOW if key == "workflow_config" else PIECE
    text = head.replace("name: x", f"name: x\n{key}: {{runtime: {{prepare: {prepare}}}}}") + ONE.replace("KEYS", "")
    found = [each for each in _all_of(tmp_path, text, release) if each.startswith("SF004")]
    assert len(found) == len(said), found
    assert all(part in each for part, each in zip(said, found, strict=True))


@pytest.mark.parametrize("release", ["0.36", "0.60"])
def test_a_key_that_went_without_another_name_is_reported_once(release: str, tmp_path: Path) -> None:
    text = WORKFLOW.replace("max_steps: 5\n", "answer_agent: x\n") + ONE.replace("KEYS", "")
    found = [each for each in _all_of(tmp_path, text, release) if "answer_agent" in each or each.startswith("T030")]
    assert len(found) == 1, found
    assert "refuses to load the file" in found[0]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("edit: ture", "edit: true"),
        ("edit: flase", "edit: false"),
        ("edit: yes", "edit: true"),
        ("edit: 'true'", "edit: true"),
        ("session: refesh", "session: refresh"),
        ("session: Refresh", "session: refresh"),
        ("provider: claud", "provider: claude"),
        ("interactive_mode: asistant", "interactive_mode: assistant"),
        ("delay_before_ms: '50'", "delay_before_ms: 50"),
        ("delay_before_ms: 5O", "delay_before_ms: 50"),
        ("delay_before_ms: 1_000", "delay_before_ms: 1000"),
        ("required_permission_mode: raedonly", "required_permission_mode: readonly"),
        ("requires_user_input: ture", "requires_user_input: true"),
        ("max_steps: infinit", "max_steps: infinite"),
        ("subworkflow: {callable: ture, visibility: internal}", "subworkflow: {callable: true, visibility: internal}"),
    ],
)
def test_a_misspelt_word_of_a_fixed_set_is_taken_back(wrong: str, right: str, tmp_path: Path) -> None:
    at_top = right.startswith(("max_steps", "interactive_mode", "subworkflow"))

    def text(line: str) -> str:
        head = WORKFLOW.replace("max_steps: 5\n", "") if line.startswith("max_steps") else WORKFLOW
        step = ONE.replace("    edit: true\n", "") if line.startswith("edit") else ONE
        step = step.replace("KEYS", "" if at_top else f"    {line}\n")
        return head.replace("steps:\n", f"{line}\nsteps:\n" if at_top else "steps:\n", 1).replace("FIRST", "a") + step

    path = tmp_path / ".takt" / "workflows" / "x.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text(wrong), "utf-8")
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    settings = LintSettings("takt-0.58")
    fixed = fix_all([agent], lambda each: lint(each, settings), any_fixes)
    assert [change.after.text for change in fixed.changes] == [text(right)]


@pytest.mark.parametrize("line", ["edit: maybe", "session: other", "delay_before_ms: soon", "edit: nothing"])
def test_a_word_that_is_like_none_is_left_to_the_author(line: str, tmp_path: Path) -> None:
    step = (ONE.replace("    edit: true\n", "") if line.startswith("edit") else ONE).replace("KEYS", f"    {line}\n")
    path = tmp_path / ".takt" / "workflows" / "x.yaml"
    path.parent.mkdir(parents=True)
    path.write_text((WORKFLOW + step).replace("FIRST", "a"), "utf-8")
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    (found,) = [each for each in lint(agent, LintSettings("takt-0.58")) if each.severity == "error"]
    assert (found.code, found.fixes) == ("SF004", ())
