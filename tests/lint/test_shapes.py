"""Shapes that no guide describes: which rules speak there, as the table of the specification says."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.vocabulary import REGISTRY_FORMATS
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import REMOVED, Moved
from stepflow_gui.lint.rule import GATE, SHAPES, judged_as
from stepflow_gui.lint.rules.table import MODULES, checked_rule
from stepflow_gui.lint.rules.validators.example_checks import checked
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.real_agents import linted

from .conftest import Lint

_CODES = re.compile(r"SF(\d{1,3})x*(?: \((\d{3})–(\d{3})\))?(?:–SF(\d{3}))?((?:/(?:SF)?\d{3})*)")


def codes_in(text: str) -> set[str]:
    """The rules that a text of the specification names: codes, families as SF3, and from one to another."""
    found: set[str] = set()
    for first, low, high, last, others in _CODES.findall(text):
        if last or low:
            span = range(int(low or first), int(high or last) + 1)
            found |= {code for code in MODULES if code[2:].isdigit() and int(code[2:]) in span}
        else:
            found |= {code for code in MODULES if code.startswith(f"SF{first}")}
        found |= {f"SF{each.removeprefix('SF')}" for each in others.split("/")[1:]}
    return found


def rows(specification: str) -> Iterator[tuple[str, str, str]]:
    """Each shape with what is false there, and the judgement."""
    section = specification.partition("\n## 10.")[2]
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 5 and cells[0] in REGISTRY_FORMATS:
            yield cells[0], cells[3], cells[4]


@pytest.fixture(scope="module")
def specified(request: pytest.FixtureRequest) -> dict[str, tuple[str, str]]:
    page = request.config.getoption("--corpus").parent / "specs" / "climpt-1.14.md"
    if not page.is_file():
        pytest.skip(f"no specification: {page}")
    return {shape: (false, judgement) for shape, false, judgement in rows(page.read_text("utf-8"))}


def speaking(shape: str) -> set[str]:
    """The rules of a shape that aren't for every format."""
    return {code for code in MODULES if (rule := checked_rule(code).rule).formats and rule.applies_to(shape)}


def test_every_shape_without_a_guide_has_its_row() -> None:
    assert {*SHAPES, *GATE, "checks"} == {*REGISTRY_FORMATS}
    assert [judged_as(shape) for shape in ("entry-pair", "gateless", "c3l-flat", "closing")] == [
        "c3l",
        "c3l",
        "c3l-flat",
        "closing",
    ]
    for shape, premises in SHAPES.items():
        for start in (*premises.only, *premises.but):
            assert any(code.startswith(start) for code in MODULES), (shape, start)


def test_the_rules_that_the_specification_wants_speak(specified: Mapping[str, tuple[str, str]], corpus: Path) -> None:
    """What is false there may speak of another thing by now: it finds nothing in any real file of the shape."""
    assert specified.keys() == SHAPES.keys()
    of_c3l = speaking("c3l")
    real = {shape: set[str]() for shape in SHAPES}
    for registry in sorted((corpus / "climpt").rglob("steps_registry.json")):
        for each in linted(registry):
            real.get(each.format or "", set()).add(each.code)
    for shape, (false, judgement) in specified.items():
        off = {code for part in re.findall(r"(SF\d{3}) → off", judgement) for code in codes_in(part)}
        whole = "of c3l" in judgement
        said = re.search(r"(?:on:|switch on|only) (.*)", judgement)
        wanted = of_c3l - off if whole else codes_in(said[1]) if said else set()
        silent = {code for code in wanted if not checked_rule(code).rule.applies_to(shape)}
        assert silent - _of_others(shape) == set(), shape
        assert speaking(shape) & off == set(), shape
        wrong = codes_in(re.sub(r"\S+[^,]*\(true[^)]*\)", "", false)) - wanted
        assert real[shape] & wrong == set(), shape


def _of_others(shape: str) -> set[str]:
    """Rules of a wanted family that the format it is like hasn't either."""
    like = SHAPES[shape].like
    return {code for code in MODULES if not checked_rule(code).rule.applies_to(like)}


def found(project: Path, registry: dict[str, Any], agent: dict[str, Any] | None = None) -> list[Diagnostic]:
    folder = project / ".agent" / "sample"
    folder.mkdir(parents=True)
    (folder / "steps_registry.json").write_text(json.dumps(registry), "utf-8")
    if agent is not None:
        (folder / "agent.json").write_text(json.dumps(agent), "utf-8")
    opened = open_agent(folder)
    assert isinstance(opened, AgentFolder)
    return lint(opened)


def step(name: str, **fields: Any) -> dict[str, Any]:
    phase, _dot, topic = name.partition(".")
    made = {"stepId": name, "name": name, "c2": phase, "c3": topic, "edition": "default"}
    return made | {"uvVariables": [], "usesStdin": False, **fields}


def registry(*steps: dict[str, Any], **fields: Any) -> dict[str, Any]:
    made = {"agentId": "sample", "version": "1.0.0", "c1": "steps"}
    return made | fields | {"steps": {each["stepId"]: each for each in steps}}


ON = "continuation.issue"
PAIRS: dict[str, Any] = {
    "/entryStepMapping": {"poll:state": {"initial": "initial.issue", "continuation": "continuation.issue"}},
    "/entryStep": REMOVED,
}


def test_pairs_are_judged_as_c3l(lint_example: Lint) -> None:
    said = lint_example({**PAIRS, "/steps/closure.issue/outputSchemaRef": REMOVED, "/version": "1.0"})
    assert {("SF107", "error"), ("SF006", "warning")} <= {(each.code, each.severity) for each in said}


def test_pairs_have_their_permissions_elsewhere(lint_example: Lint) -> None:
    without = {**PAIRS, "agent.json#/runner/boundaries": REMOVED}
    assert "SF801" not in {each.code for each in lint_example(without)}
    asked = lint_example(without, LintSettings("climpt-2026-04-20"))
    assert "SF801" in {each.code for each in asked}


def test_steps_without_gates_need_no_names_of_phases(tmp_path: Path) -> None:
    said = found(tmp_path, registry(step("merge"), entryStep="merge", entryStepMapping={"count:iteration": "gone"}))
    assert said[0].format == "gateless"
    assert "SF102" not in {each.code for each in said}
    assert "SF402" in {each.code for each in said}


def test_an_odd_c3_leaves_the_built_in_prompt(tmp_path: Path) -> None:
    flat = registry(step("initial.issue", c3="issueState", fallbackKey="issue_initial_default"))
    (odd,) = (each for each in found(tmp_path, flat) if each.code == "SF106")
    assert (odd.format, odd.severity) == ("c3l-flat", "warning")


def test_what_an_older_agent_checks_before_it_closes_is_used(tmp_path: Path) -> None:
    validator = {"type": "command", "command": "true", "successWhen": "exitCode:0", "failurePattern": "odd"}
    patterns = {"odd": {"description": "Odd", "edition": "failed"}}
    checked = registry(step("initial.issue"), completionPatterns=patterns, validators={"clean": validator})
    behavior = {"systemPromptPath": "prompts/system.md", "completionType": "iterate"}
    used = {"preCloseValidation": {"enabled": True, "validators": ["clean"]}}
    agent = {"name": "sample", "version": "1.0.0", "behavior": behavior}
    assert "SF605" in {each.code for each in found(tmp_path / "a", checked, agent)}
    agent = {**agent, "behavior": behavior | used}
    assert "SF605" not in {each.code for each in found(tmp_path / "b", checked, agent)}


def test_nothing_tells_which_of_key_and_id_is_right(tmp_path: Path) -> None:
    """A fix that takes the one or the other is the author's choice, unless the prompt's address has one of them."""
    odd = registry(step("initial.issue", fallbackKey="issue_initial_default"))
    odd["steps"] = {"initial.isue": odd["steps"]["initial.issue"]}
    (known,) = (each for each in found(tmp_path / "a", odd) if each.code == "SF101")
    assert known.format == "c3l-flat"
    assert [(fix.edits[0].text, fix.guess) for fix in known.fixes] == [('"initial.issue"', False)]
    odd["steps"]["initial.isue"] |= {"c2": "first", "c3": "other"}  # its name is that of the id
    (named,) = (each for each in found(tmp_path / "c", odd) if each.code == "SF101")
    assert [(fix.edits[0].text, fix.guess) for fix in named.fixes] == [('"initial.issue"', False)]
    odd["steps"] = {"initial.work": odd["steps"]["initial.isue"] | {"name": "Begin"}}
    (open_,) = (each for each in found(tmp_path / "b", odd) if each.code == "SF101")
    assert [(fix.edits[0].text, fix.guess) for fix in open_.fixes] == [
        ('"initial.work"', True),
        ('"initial.issue"', True),
    ]


@pytest.mark.parametrize("name", ["completionPatterns", "completionSteps"])
def test_names_of_the_time_are_offered(name: str, tmp_path: Path) -> None:
    other = ({"completionPatterns", "completionSteps"} - {name}).pop()
    odd = registry(step("initial.issue"), **{other: {}, name[:-2] + name[-1]: {}})
    (unknown,) = (each for each in found(tmp_path, odd) if each.code == "SF005")
    assert unknown.format == "c3l-completion"
    assert [fix.edits[0].text for fix in unknown.fixes] == [f'"{name}"']


def test_names_of_no_phase_are_one_note_in_older_shapes(tmp_path: Path) -> None:
    flat = [step(name, c3=name, fallbackKey=f"{name}_default") for name in ("work", "check")]
    (note,) = (each for each in found(tmp_path, registry(*flat)) if each.code == "SF102")
    assert (note.format, note.severity, len(note.related)) == ("c3l-flat", "info", 1)


def test_the_missing_side_of_a_pair_is_a_guess(lint_example: Lint) -> None:
    half = {"/entryStepMapping": {"poll:state": {"initial": "initial.issue"}}, "/entryStep": REMOVED}
    (lacking,) = (each for each in lint_example(half) if each.code == "SF407" and each.fixes)
    assert [fix.guess for fix in lacking.fixes] == [True]


@pytest.mark.parametrize("runtime", [None, "guide", "climpt-2026-04-20"])
def test_what_a_pair_says_is_judged_beside_its_shape(runtime: str | None, lint_example: Lint) -> None:
    """The steps of a pair are known though no climpt loads it: what follows from them isn't hidden."""
    lost = {"initial": "closure.issue", "continuation": "nowhere"}
    found = lint_example({**PAIRS, "/entryStepMapping/poll:state": lost}, LintSettings(runtime))
    codes = [each.code for each in found]
    assert {"SF402", "SF405", "SF407"} <= {*codes}
    beginning = {**PAIRS, "/entryStepMapping/poll:state": {"initial": ON, "continuation": ON}}
    assert "SF302" in {each.code for each in lint_example(beginning, LintSettings(runtime))}  # initial.issue
    (unknown,) = (each for each in found if each.code == "SF402")
    assert unknown.pointer == "/entryStepMapping/poll:state/continuation"
    assert "“continuation” of the entry for “poll:state” is “nowhere”" in unknown.message


def test_a_validation_step_that_never_runs_is_told_beside_the_shape_of_the_entries(lint_example: Lint) -> None:
    moved: dict[str, object] = {
        "/validationSteps/closure.issue": Moved("/validationSteps/closure.polling"),
        "/validationSteps/closure.issue/stepId": "closure.issue",
    }
    example = checked({**PAIRS, **moved})
    assert {"SF407", "SF611"} <= {each.code for each in lint_example(example)}


def test_an_entry_that_is_added_is_a_pair_among_pairs(lint_example: Lint) -> None:
    other = {**PAIRS, "/entryStepMapping": {"count:check": PAIRS["/entryStepMapping"]["poll:state"]}}
    (unmapped,) = (each for each in lint_example(other) if each.code == "SF404")
    ((_edit,),) = (fix.edits for fix in unmapped.fixes)
    assert '"continuation": "continuation.issue"' in _edit.text


@pytest.mark.parametrize("conditions", ["postLLMConditions", "preflightConditions", "validationConditions"])
def test_a_validator_of_any_list_beside_pairs_needs_its_parameters(conditions: str, lint_example: Lint) -> None:
    moved = {
        f"/validationSteps/closure.polling/{conditions}": [{"validator": "git-clean"}],
        "/validators/git-clean/extractParams": REMOVED,
    }
    listed: dict[str, object] = (
        {} if conditions == "validationConditions" else {"/validationSteps/closure.polling/validationConditions": []}
    )
    found = lint_example(checked({**PAIRS, **listed, **moved}))
    assert [each.severity for each in found if each.code == "SF615"] == ["error"]


def completing(**fields: Any) -> dict[str, Any]:
    validator = {"type": "command", "command": "true", "successWhen": "exitCode:0", "failurePattern": "odd"}
    step_ = {"stepId": "complete.issue", "name": "Done", "c2": "retry", "c3": "issue"}
    return registry(
        step("initial.issue", fallbackKey="issue_initial_default"),
        completionPatterns={"odd": {"description": "Odd", "edition": "failed"}},
        validators={"clean": validator},
        completionSteps={"complete.issue": {**step_, "completionConditions": [{"validator": "clean"}]}},
        **fields,
    )


def test_a_validator_under_the_older_names_needs_its_parameters(tmp_path: Path) -> None:
    found_ = found(tmp_path, completing())
    assert [(each.format, each.severity) for each in found_ if each.code == "SF615"] == [("c3l-completion", "warning")]


@pytest.mark.parametrize(
    ("runtime", "severity"), [(None, "warning"), ("guide", "warning"), ("climpt-2026-04-20", "error")]
)
def test_a_c3_in_camel_case_was_right_in_the_older_shapes(runtime: str | None, severity: str, tmp_path: Path) -> None:
    """Also where no key stands in for the prompt, which is there."""
    odd = completing()
    odd["steps"]["initial.issue"] |= {"c3": "issueState", "fallbackKey": "none_of_those"}
    folder = tmp_path / ".agent" / "sample"
    prompt = folder / "prompts" / "steps" / "initial" / "issueState" / "f_default.md"
    prompt.parent.mkdir(parents=True)
    prompt.write_text("Go on\n", "utf-8")
    (folder / "steps_registry.json").write_text(json.dumps(odd), "utf-8")
    opened = open_agent(folder)
    assert isinstance(opened, AgentFolder)
    (form,) = (each for each in lint(opened, LintSettings(runtime)) if each.code == "SF106")
    assert form.severity == severity


def severities(code: str, tmp_path: Path, registry: dict[str, Any]) -> list[tuple[str | None, str]]:
    return [(each.pointer, each.severity) for each in found(tmp_path, registry) if each.code == code]


@pytest.mark.parametrize("key", ["c3", "c2", "name"])
def test_a_field_that_an_older_step_needs_is_missed(key: str, tmp_path: Path) -> None:
    spoiled = completing()
    del spoiled["steps"]["initial.issue"][key]
    assert severities("SF004", tmp_path, spoiled) == [("/steps/initial.issue", "warning")]


def test_an_older_validator_without_a_command_is_reported(tmp_path: Path) -> None:
    spoiled = completing()
    del spoiled["validators"]["clean"]["command"]
    assert [pointer for pointer, _severity in severities("SF004", tmp_path, spoiled)] == ["/validators/clean"]


@pytest.mark.parametrize("others_have_it", [False, True])
def test_what_no_step_of_an_older_file_has_is_not_missed(others_have_it: bool, tmp_path: Path) -> None:
    one, other = step("initial.issue", fallbackKey="one"), step("initial.other", fallbackKey="two")
    for key in ("edition", "uvVariables", "usesStdin"):
        del one[key]
        if not others_have_it:
            del other[key]
    expected = [("/steps/initial.issue", "warning")] if others_have_it else []
    assert severities("SF004", tmp_path, registry(one, other)) == expected


def test_a_task_without_steps_is_reported(tmp_path: Path) -> None:
    listing = registry(step("initial.issue"), flow={"issue": [], "other": ["initial.issue"]})
    assert severities("SF004", tmp_path, listing) == [("/flow/issue", "warning")]


@pytest.mark.parametrize(("runtime", "target"), [(None, "c3l"), ("climpt-1.14", "adt-kind-address")])
def test_what_converts_an_older_shape_is_named(runtime: str | None, target: str, tmp_path: Path) -> None:
    found(tmp_path, completing())
    opened = open_agent(tmp_path / ".agent" / "sample")
    assert isinstance(opened, AgentFolder)
    (note,) = (each for each in lint(opened, LintSettings(runtime)) if each.code == "SF011")
    assert f"“stepflow convert --to {target}”" in note.message
