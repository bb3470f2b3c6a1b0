"""SF502 to SF514: odd cases of prompts, their variables and fallback keys."""

import json
from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import REMOVED, Base, Removed, changed
from stepflow_gui.lint.fixing import any_fixes, fix_all
from tests.lint.conftest import Lint, Open

INITIAL = "prompts/steps/initial/issue/f_default.md"
CONTINUATION = "prompts/steps/continuation/issue/f_default.md"
CLOSURE = "prompts/steps/closure/issue/f_default.md"
STEP = "/steps/initial.issue"
ALL_PROMPTS: dict[str, str | Removed] = dict.fromkeys((INITIAL, CONTINUATION, CLOSURE, "prompts/system.md"), REMOVED)


def of(code: str, found: list[Diagnostic]) -> list[Diagnostic]:
    return [each for each in found if each.code == code]


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("initial_isue", "initial_issue"),
        ("intial_issue", "initial_issue"),
        ("continuation_porject", "continuation_project"),  # that it is for another phase is SF505's matter
        ("iterate_closure_default", None),  # climpt has it, though the guide's table doesn't
        ("test_initial_default", None),
        ("own_key", None),
    ],
)
def test_only_near_misses_of_a_key_are_reported(key: str, meant: str | None, lint_example: Lint) -> None:
    found = of("SF502", lint_example({f"{STEP}/fallbackKey": key}))
    assert [each.fixes[0].edits[0].text for each in found] == ([f'"{meant}"'] if meant else [])


def test_a_key_of_the_settings_is_known(lint_example: Lint) -> None:
    settings = LintSettings(fallback_keys=frozenset({"initial_isue"}))
    assert not of("SF502", lint_example({f"{STEP}/fallbackKey": "initial_isue"}, settings))


@pytest.mark.parametrize("key", ["initial_issues", "issues_initial_default"])
def test_a_key_of_the_steps_own_id_is_meant(key: str, lint_example: Lint) -> None:
    """As a new step gets it, though it is only a letter away from a built-in one."""
    changes: dict[str, Any] = {
        "/steps/initial.issues": {
            "stepId": "initial.issues",
            "name": "Issues",
            "c2": "initial",
            "c3": "issues",
            "edition": "default",
            "fallbackKey": key,
            "uvVariables": [],
        }
    }
    assert not of("SF502", lint_example(changes))


@pytest.mark.parametrize(
    ("step", "changes", "said"),
    [
        ("initial.issue", {"fallbackKey": "continuation_issue"}, True),
        ("initial.issue", {"fallbackKey": "issue_closure_default"}, True),
        ("initial.issue", {"fallbackKey": "project_again_default"}, False),
        ("initial.issue", {"fallbackKey": "issue_closure_default", "stepKind": "closure"}, False),
        ("continuation.issue", {"fallbackKey": "initial_issue"}, True),
        ("closure.issue", {"fallbackKey": "project_continuation_closure_default"}, False),
    ],
)
def test_the_phase_of_a_key(step: str, changes: dict[str, Any], said: bool, lint_example: Lint) -> None:
    found = lint_example({f"/steps/{step}/{key}": value for key, value in changes.items()})
    assert bool(of("SF505", found)) == said


def test_a_missing_key_and_a_missing_prompt_are_one_mistake(lint_example: Lint) -> None:
    found = lint_example(changed({f"{STEP}/fallbackKey": REMOVED}, texts={INITIAL: REMOVED}))
    assert [(each.code, each.severity) for each in found if each.code[:3] == "SF5"] == [("SF506", "error")]


@pytest.mark.parametrize(
    ("base", "removed", "changes", "severity"),
    [
        ("c3l", INITIAL, {}, "error"),
        ("closing", INITIAL, {}, "warning"),  # its fallbackKey replaces it
        ("closing", INITIAL, {f"{STEP}/fallbackKey": "own_key"}, "error"),
        ("closing", INITIAL, {f"{STEP}/fallbackKey": "initial.issue"}, None),  # SF501 reports it
        ("c3l", CLOSURE, {}, "warning"),  # the entry's continuation is shown
        ("c3l", CLOSURE, {"/steps/continuation.issue/c3": "none"}, "error"),
    ],
)
def test_a_missing_prompt(
    base: Any, removed: str, changes: dict[str, Any], severity: str | None, lint_example: Lint
) -> None:
    found = of("SF506", lint_example(changed(changes, base=base, texts={removed: REMOVED})))
    step = "/steps/closure.issue" if removed == CLOSURE else STEP
    assert [each.severity for each in found if each.pointer == step] == ([severity] if severity else [])


def test_the_continuation_of_the_verdicts_entry_stands_in_for_a_closure(lint_example: Lint) -> None:
    (missing,) = of("SF506", lint_example(changed(base="c3l", texts={CLOSURE: REMOVED})))
    assert missing.severity == "warning"
    assert "“continuation.issue”" in missing.message


def test_without_an_entry_of_its_own_a_verdict_has_a_pair_named_by_its_word(lint_example: Lint) -> None:
    polling = "prompts/steps/continuation/polling/f_default.md"
    changes = {
        "/entryStepMapping": REMOVED,
        "/steps/continuation.polling": {"stepId": "continuation.polling", "c2": "continuation", "c3": "polling"},
    }
    found = lint_example(changed(changes, base="c3l", texts={CLOSURE: REMOVED, polling: "Go on\n"}))
    (missing,) = of("SF506", found)
    assert missing.severity == "warning"
    assert "“continuation.polling”" in missing.message


@pytest.mark.parametrize("base", ["closing", "c3l"])
@pytest.mark.parametrize("runtime", [None, "guide"])
def test_the_plain_prompt_is_shown_for_a_closing_action_without_one(
    base: Any, runtime: str | None, lint_example: Lint
) -> None:
    action = {"github": {"enabled": True, "defaultClosureAction": "label-only"}}
    changes = {"agent.json#/runner/integrations": action}
    found = lint_example(changed(changes, base=base), LintSettings(runtime=runtime))
    (missing,) = of("SF515", found)
    assert (missing.severity, missing.pointer) == ("info", "/steps/closure.issue")
    assert "“label-only”: the prompt f_default.md is shown instead" in missing.message
    assert [fix.title for fix in missing.fixes] == ["Begin the file f_default_label-only.md"]
    (at_action,) = missing.related
    assert (at_action.file.name, at_action.pointer) == (
        "agent.json",
        "/runner/integrations/github/defaultClosureAction",
    )
    assert not of("SF506", found)
    there = changed(changes, base=base, texts={CLOSURE.replace(".md", "_label-only.md"): "Label {uv-issue}\n"})
    assert not [each for each in lint_example(there) if each.code in {"SF506", "SF513", "SF515"}]


@pytest.mark.parametrize("base", ["closing", "c3l"])
def test_the_plain_prompt_is_shown_for_an_adaptation_without_one(base: Any, lint_example: Lint) -> None:
    changes = {f"{STEP}/adaptation": "again"}
    found = lint_example(changed(changes, base=base))
    assert [(each.code, each.severity) for each in found] == [("SF515", "info")]
    assert "“initial.issue” has no prompt for the adaptation “again”: the prompt f_default.md" in found[0].message


@pytest.mark.parametrize("base", ["closing", "c3l"])
def test_neither_the_prompt_of_an_adaptation_nor_the_plain_one(base: Any, lint_example: Lint) -> None:
    changes: dict[str, Any] = {f"{STEP}/adaptation": "again"}
    spare = {f"{STEP}/fallbackKey": REMOVED} if base == "closing" else {}
    neither = lint_example(changed(changes | spare, base=base, texts={INITIAL: REMOVED}))
    assert [(each.code, each.severity) for each in neither if each.code[:3] == "SF5"] == [("SF506", "error")]


def test_the_guide_shows_no_plain_prompt_for_the_adaptation_of_a_step(lint_example: Lint) -> None:
    changes = {f"{STEP}/adaptation": "again", f"{STEP}/fallbackKey": REMOVED}
    found = lint_example(changed(changes, base="closing"), LintSettings(runtime="guide"))
    assert [(each.code, each.severity) for each in found if each.code in {"SF506", "SF515"}] == [("SF506", "error")]


def test_a_closing_action_without_a_prompt_where_the_plain_one_is_missing_too(lint_example: Lint) -> None:
    changes = {
        "/steps/closure.issue/adaptation": "again",
        "agent.json#/runner/integrations": {"github": {"enabled": True, "defaultClosureAction": "label-only"}},
    }
    texts: dict[str, Any] = {CLOSURE: REMOVED, CLOSURE.replace(".md", "_again.md"): "Close {uv-issue}\n"}
    found = lint_example(changed(changes, base="c3l", texts=texts))
    (missing,) = of("SF506", found)
    assert (missing.severity, missing.pointer) == ("warning", "/steps/closure.issue")
    assert "f_default_label-only.md" in missing.message


def test_a_misspelt_adaptation_is_fixed_where_its_prompt_is_there(lint_example: Lint) -> None:
    there = {INITIAL.replace(".md", "_again.md"): "Issue {uv-issue} once more\n"}
    (found,) = lint_example(changed({f"{STEP}/adaptation": "agian"}, base="c3l", texts=there))
    assert (found.code, found.severity, found.pointer) == ("SF515", "warning", f"{STEP}/adaptation")
    assert [edit.text for edit in found.fixes[0].edits] == ['"again"']


def test_an_agent_without_any_prompts_is_reported_once(lint_example: Lint) -> None:
    found = [each for each in lint_example(changed(texts=ALL_PROMPTS)) if each.code[:3] in {"SF5", "SF8"}]
    assert [(each.code, each.severity) for each in found] == [("SF506", "info")]


def test_a_template_is_not_looked_at(lint_example: Lint) -> None:
    changes = {"/agentId": "{{AGENT_NAME}}", "agent.json#/name": "{{AGENT_NAME}}"}
    found = lint_example(changed(changes, base="c3l", texts={INITIAL: REMOVED}))
    assert not [each for each in found if each.code[:3] in {"SF5", "SF8"}]


def test_a_program_needs_no_prompt(lint_example: Lint) -> None:
    runner = {"command": "true"}
    found = lint_example(changed({"/steps/closure.issue/runner": runner}, base="c3l", texts={CLOSURE: REMOVED}))
    assert not of("SF506", found)


def test_sections_and_front_matter(lint_example: Lint) -> None:
    text = "---\ntitle: {uv-title}\n---\nIssue {uv-issue} {uv-not-a-name}\n"
    found = lint_example(changed(texts={INITIAL: text}))
    assert not of("SF508", found)


@pytest.mark.parametrize(
    ("use", "severity"),
    [("issue", None), ("iteration", "warning"), ("repository", "warning"), ("guideline", "warning")],
)
def test_a_variable_that_is_not_listed(use: str, severity: str | None, lint_example: Lint) -> None:
    found = of("SF508", lint_example(changed(texts={INITIAL: f"Issue {{uv-issue}} {{uv-{use}}} {{uv-{use}}}\n"})))
    assert [each.severity for each in found] == ([severity] if severity else [])
    assert all(each.file.name == "f_default.md" and each.fixes[0].safe for each in found)


def test_a_variable_is_listed_with_or_without_its_prefix(lint_example: Lint) -> None:
    assert not [each for each in lint_example({f"{STEP}/uvVariables": ["uv-issue"]}) if each.code[:3] == "SF5"]


def test_nothing_is_unused_in_a_prompt_that_is_still_to_be_written(lint_example: Lint) -> None:
    changes = {f"{STEP}/uvVariables": ["issue", "iteration"], f"{STEP}/usesStdin": True}
    found = lint_example(changed(changes, texts={INITIAL: "---\ntitle: x\n---\n\n"}))
    assert not of("SF509", found)
    assert not of("SF512", found)


@pytest.mark.parametrize(
    ("declared", "text", "said"), [(True, "", True), (False, "{input_text}", True), (True, "{input_text}", False)]
)
def test_the_input_text(declared: bool, text: str, said: bool, lint_example: Lint) -> None:
    found = lint_example(changed({f"{STEP}/usesStdin": declared}, texts={INITIAL: f"Issue {{uv-issue}} {text}\n"}))
    assert bool(of("SF512", found)) == said


@pytest.mark.parametrize(
    ("variable", "severity"),
    [("issue", None), ("max_checks", None), ("completed_iterations", "warning"), ("guideline", "warning")],
)
def test_where_a_variable_comes_from(variable: str, severity: str | None, lint_example: Lint) -> None:
    example = changed({f"{STEP}/uvVariables": [variable]}, texts={INITIAL: f"{{uv-{variable}}}\n"})
    assert [each.severity for each in of("SF510", lint_example(example))] == ([severity] if severity else [])


def test_what_other_flows_lack_is_reported_once(lint_example: Lint) -> None:
    changes = {
        "/steps/section.a": {"stepId": "section.a", "name": "A", "c2": "section", "c3": "a", "uvVariables": ["one"]},
        "/steps/section.b": {"stepId": "section.b", "name": "B", "c2": "section", "c3": "b", "uvVariables": ["two"]},
    }
    (found,) = of("SF510", lint_example(changes))
    assert found.severity == "info"
    assert "2 places" in found.message
    assert [related.pointer for related in found.related] == ["/steps/section.b/uvVariables/0"]


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{c1}/{c2}/{c3}/f_{edition}.md", ""),
        ("{c2}/{c3}/f_{edition}.md", ""),
        ("{c1}/{c2}/f_{edition}.md", "{c3}"),
        ("{c1}/{c2}/{c3}/f_{edition}_{phase}.md", "{phase}"),
        ("{{ROOT}}/{c3}", ""),
    ],
)
def test_templates_of_paths(template: str, said: str, lint_example: Lint) -> None:
    found = of("SF507", lint_example({"/pathTemplateNoAdaptation": template}))
    assert bool(found) == bool(said)
    assert all(said in each.message for each in found)


def test_retry_prompts_are_no_orphans(lint_example: Lint) -> None:
    changes = {
        "/validators": {
            "clean": {"type": "command", "command": "git status", "successWhen": "empty", "failurePattern": "dirty"}
        },
        "/failurePatterns": {"dirty": {"description": "d", "edition": "failed", "adaptation": "dirty"}},
        "/validationSteps": {
            "closure.polling": {
                "stepId": "closure.polling",
                "name": "n",
                "c2": "retry",
                "c3": "issue",
                "validationConditions": [{"validator": "clean"}],
                "onFailure": {"action": "retry", "maxAttempts": 2},
            }
        },
    }
    texts: dict[str, str | Removed] = {
        "prompts/steps/retry/issue/f_failed_dirty.md": "Clean up\n",
        "prompts/steps/retry/issue/f_failed.md": "Mend\n",
        "prompts/steps/retry/issue/f_other.md": "Nobody reads this\n",
        "prompts/notes.md": "Not below c1\n",
    }
    (found,) = of("SF513", lint_example(changed(changes, texts=texts)))
    assert "f_other.md" in found.message
    assert len(found.related) == 1


def test_the_engine_reads_either_configuration(lint_example: Lint) -> None:
    head = "params:\n  two:\n    directiveType:\n      pattern: ^(initial|continuation|closure)$\n    layerType:\n"
    app, user = (f"../climpt/config/issue-flow-steps-{kind}.yml" for kind in ("app", "user"))
    texts: dict[str, str | Removed] = {app: head + "      pattern: '^(project)$'\n"}
    assert len(of("SF514", lint_example(changed(base="c3l", texts=texts)))) == 1
    texts[user] = head + '      # ours\n      pattern: "^(issue)$"  # all\n'
    assert not of("SF514", lint_example(changed(base="c3l", texts=texts)))
    texts = {app: head + '      pattern: "^(issue"\n'}
    (found,) = of("SF514", lint_example(changed(base="c3l", texts=texts)))  # and nothing of its words
    assert (found.severity, found.file.name) == ("warning", "issue-flow-steps-app.yml")
    assert found.range.end.offset - found.range.start.offset == len("^(issue")
    assert "pattern of layerType is not a valid regular expression" in found.message
    for pattern in ("^(?<topic>issue)$", "^[[issue]+$"):  # a named group and a set as JavaScript reads them
        texts = {app: head + f'      pattern: "{pattern}"\n'}
        assert not of("SF514", lint_example(changed(base="c3l", texts=texts)))


@pytest.mark.parametrize(("base", "severity"), [("complete", "error"), ("closing", "warning"), ("c3l", "warning")])
@pytest.mark.parametrize(
    ("known", "field"), [(("initial|continuation|closure", "topic"), "c3"), (("initial", "issue"), "c2")]
)
def test_a_word_that_the_engine_does_not_know_is_reported_once_and_can_be_added(
    base: Base, severity: str, known: tuple[str, str], field: str, lint_example: Lint
) -> None:
    lines = ["params:", "  two:", "    directiveType:", f'      pattern: "^({known[0]})$"']
    lines += ["    layerType:", f'      pattern: "^({known[1]})$"', ""]
    example = changed(base=base, texts={"../climpt/config/issue-flow-steps-user.yml": "\n".join(lines)})
    found = [each for each in of("SF514", lint_example(example)) if (each.pointer or "").endswith(field)]
    words = [each.message.split("“")[1].partition("”")[0] for each in found]
    assert words == list(dict.fromkeys(words)) != []
    assert {each.severity for each in found} == {severity}
    (edit,) = found[0].fixes[0].edits
    assert edit.file.name == "issue-flow-steps-user.yml"
    before = known[0] if field == "c2" else known[1]
    assert edit.text == f"^({before}|{words[0]})$"


def test_an_unsaved_prompt_counts(open_example: Open) -> None:
    from stepflow_gui.lint.engine.engine import lint
    from stepflow_gui.text.source import Source

    agent = open_example(changed(base="c3l", texts={INITIAL: REMOVED}))
    assert of("SF506", lint(agent))
    typed = agent.with_buffers({agent.folder / INITIAL: Source("Issue {uv-issue} {uv-more}\n")})
    assert not of("SF506", lint(typed))
    assert of("SF508", lint(typed))


# What is a slip away


def fixes_of(code: str, found: list[Diagnostic]) -> list[list[str]]:
    return [[edit.text for edit in each.fixes[0].edits] if each.fixes else [] for each in found if each.code == code]


@pytest.mark.parametrize(
    ("field", "wrong", "right"),
    [("edition", "defualt", "default"), ("c3", "isue", "issue"), ("c2", "initail", "initial")],
)
def test_a_misspelt_address_is_fixed_where_the_prompt_is_there(
    field: str, wrong: str, right: str, lint_example: Lint
) -> None:
    found = lint_example({f"{STEP}/{field}": wrong})
    (missing,) = found
    assert (missing.code, missing.pointer) == ("SF506", f"{STEP}/{field}")
    assert fixes_of("SF506", found) == [[f'"{right}"']]


def test_a_prompt_that_another_step_shows_is_not_offered(lint_example: Lint) -> None:
    other = {"stepId": "initial.other", "name": "Other", "c2": "initial", "c3": "issue", "edition": "defualt"}
    (missing,) = of("SF506", lint_example({"/steps/initial.other": other}))
    assert missing.pointer == "/steps/initial.other"
    assert [fix.title for fix in missing.fixes] == ["Begin the file f_defualt.md"]


def test_without_prompts_the_edition_of_other_steps_is_suggested(lint_example: Lint) -> None:
    found = lint_example(changed({f"{STEP}/edition": "defualt"}, texts=ALL_PROMPTS))
    assert [each for each in fixes_of("SF506", found) if each] == [['"default"']]


@pytest.mark.parametrize("key", ["initial_isssue", "intial_issue"])
def test_a_fallback_key_that_another_step_has_is_not_offered(key: str, lint_example: Lint) -> None:
    changes: dict[str, Any] = {f"{STEP}/fallbackKey": key, "/steps/continuation.issue/fallbackKey": "initial_issue"}
    (found,) = of("SF502", lint_example(changes))
    assert found.fixes == ()
    changes["/steps/closure.issue/fallbackKey"] = "initial_issue"  # several share it
    (found,) = of("SF502", lint_example(changes))
    assert [edit.text for edit in found.fixes[0].edits] == ['"initial_issue"']


def test_a_fallback_key_of_ones_own_is_compared_with_the_steps_id(lint_example: Lint) -> None:
    step = {"stepId": "initial.triage", "name": "Triage", "c2": "initial", "c3": "triage", "edition": "default"}
    found = lint_example({"/steps/initial.triage": {**step, "fallbackKey": "initial_triagee"}})
    assert fixes_of("SF502", found) == [['"initial_triage"']]


def test_a_misspelt_parameter_is_renamed_and_reported_once(lint_example: Lint) -> None:
    parameter = {"type": "string", "cli": "--guideline", "required": True, "description": "What to heed"}
    listed = {f"/steps/{step}/uvVariables": ["issue", "guideline"] for step in ("initial.issue", "continuation.issue")}
    texts = dict.fromkeys((INITIAL, CONTINUATION), "Issue {uv-issue} {uv-guideline}\n")
    found = lint_example(changed({"agent.json#/parameters/guidline": parameter, **listed}, texts=texts))
    (unknown,) = of("SF510", found)
    assert [(edit.file.name, edit.text) for edit in unknown.fixes[0].edits] == [("agent.json", '"guideline"')]


def test_a_variable_misspelt_in_the_list_is_fixed_there(lint_example: Lint) -> None:
    found = lint_example({f"{STEP}/uvVariables": ["isue"]})
    assert len(found) == 1
    assert [edit.text for edit in found[0].fixes[0].edits] == ['"issue"']


def test_a_variable_misspelt_in_the_prompt_is_fixed_there(lint_example: Lint) -> None:
    (found,) = lint_example(changed(texts={INITIAL: "Issue {uv-isue}\n"}))
    assert found.code == "SF508"
    assert [edit.text for edit in found.fixes[0].edits] == ["{uv-issue}"]


@pytest.mark.parametrize(
    ("key", "right", "wrong"),
    [
        ("c1", "steps", "stpes"),
        ("pathTemplateNoAdaptation", "{c1}/{c2}/{c3}/f_{edition}.md", "{c1}/{c2}/{c3}/f_{edtion}.md"),
        ("pathTemplateNoAdaptation", "{c1}/{c2}/{c3}/f_{edition}.md", "{c1}/{c2}/{c3}/f{edition}.md"),
    ],
)
def test_a_word_that_hides_all_prompts_is_fixed_and_no_prompt_begun(
    key: str, right: str, wrong: str, open_example: Open
) -> None:
    agent = open_example({f"/{key}": wrong})
    found = [each for each in lint(agent) if each.code in {"SF506", "SF507"}]
    assert [each.pointer for each in found] == [f"/{key}"]
    (change,) = fix_all([agent], lint, any_fixes).changes
    assert change.path == agent.registry.path
    assert json.loads(change.after.text).get(key) == right


@pytest.mark.parametrize("unknown", [["nothing"], ["nothing", "other"]])
def test_each_variable_that_nothing_gives_is_named_beside_one_that_is_not_used(
    unknown: list[str], lint_example: Lint
) -> None:
    uses = " ".join(f"{{uv-{name}}}" for name in unknown)
    found = lint_example(changed(texts={INITIAL: f"{uses}\n"}, base="c3l"), LintSettings("climpt-2026-04-20"))
    assert [each.severity for each in of("SF508", found)] == ["error"] * len(unknown)
    assert all(f"“{name}”" in each.message for name, each in zip(unknown, of("SF508", found), strict=True))
    assert not of("SF509", found)
