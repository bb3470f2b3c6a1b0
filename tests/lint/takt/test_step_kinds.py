"""Steps of workflows: which fields their kinds may have, what they may return, and names of reports."""

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.piece import whole_piece
from tests.lint.conftest import Open

RULES = "    rules:\n      - condition: Done\n        next: COMPLETE\n"
SUB = "      - name: part\n        persona: You work.\n        instruction: Do it.\n        edit: false\n"
SUB_RULES = "        rules:\n          - condition: Done\n"
WORKS = "    persona: You work.\n    instruction: Do it.\n    edit: false\n"
HEAD = "name: flow\nmax_steps: 5\ninitial_step: it\n"


def errors(open_example: Open, step: str, *, head: str = HEAD, rules: str = RULES) -> list[Diagnostic]:
    text = f"{head}steps:\n  - name: it\n{step}{rules}"
    found = lint(open_example(whole_piece(text)), LintSettings("takt-latest"))
    return [each for each in found if each.severity == "error"]


@pytest.mark.parametrize(
    ("step", "places"),
    [
        (WORKS, []),
        (WORKS + "    session: refresh\n    session_key: one\n    requires_user_input: true\n", []),
        ("    kind: agent\n" + WORKS, []),
        (WORKS + "    call: other\n    kind: agent\n", ["/steps/0/call"]),
        (WORKS + "    args: {a: b}\n", ["/steps/0/args"]),
        (WORKS + "    effects: []\n", ["/steps/0/effects"]),
        (WORKS + "    team_leader: {}\n    arpeggio: {}\n", ["/steps/0/arpeggio"]),
        (WORKS + "    team_leader: {}\n    session: continue\n", ["/steps/0/session"]),
        (WORKS + "    team_leader: {}\n    promotion: [{at: 2}]\n", ["/steps/0/promotion"]),
        ("    kind: system\n    effects: []\n", []),
        ("    mode: system\n    effects: []\n", []),
        ("    mode: system\n    kind: system\n", ["/steps/0/mode"]),
        ("    kind: system\n    edit: false\n    session: refresh\n", ["/steps/0/edit", "/steps/0/session"]),
        ("    kind: system\n    vars: {a: b}\n", ["/steps/0/vars"]),
        ("    call: other\n    args: {a: b}\n", []),
        ("    kind: workflow_call\n", ["/steps/0/call"]),
        ("    call: other\n    tags: [a]\n    system_inputs: []\n", ["/steps/0/system_inputs", "/steps/0/tags"]),
        ("    uses: part\n    call: other\n    persona: x\n", []),
        (f"    parallel:\n{SUB}{SUB_RULES}", []),
        (f"    parallel:\n{SUB}        effects: []\n{SUB_RULES}", ["/steps/0/parallel/0/effects"]),
        (f"    parallel:\n{SUB}        vars: {{a: b}}\n{SUB_RULES}", ["/steps/0/parallel/0/vars"]),
        (f"    parallel:\n{SUB}{SUB_RULES}    session_key: one\n", ["/steps/0/session_key"]),
        ("    parallel:\n      - name: part\n        call: other\n        edit: true\n", ["/steps/0/parallel/0/edit"]),
        (
            f"    parallel:\n      fixed:\n  {SUB.replace('        ', '          ')}          mode: system\n",
            ["/steps/0/parallel/fixed/0/mode"],
        ),
    ],
)
def test_what_a_kind_of_step_cant_have_is_an_error_at_the_key(step: str, places: list[str], open_example: Open) -> None:
    found = [each for each in errors(open_example, step) if each.code == "T028"]
    assert sorted(each.pointer or "" for each in found) == places
    assert all("“it”" in each.message or "“part”" in each.message for each in found)


def test_a_field_that_stands_wrong_can_be_taken_away(open_example: Open) -> None:
    (found,) = errors(open_example, "    kind: system\n    edit: false\n")
    assert found.message == "“it” is a system step, which can't have “edit”: TAKT 0.60 refuses to load the file"
    (fix,) = found.fixes
    assert (fix.title, fix.safe) == ("Remove “edit”", False)


CALLABLE = HEAD + "subworkflow:\n  callable: true\n  returns: [ok, bad]\n"


@pytest.mark.parametrize(
    ("head", "rule", "places"),
    [
        (CALLABLE, "return: ok", []),
        (CALLABLE, "return: okay", ["/steps/0/rules/0/return"]),
        (CALLABLE, "return: COMPLETE", ["/steps/0/rules/0/return"]),
        (CALLABLE, "return: ok\n        next: COMPLETE", ["/steps/0/rules/0/return"]),
        (HEAD, "return: ok", ["/steps/0/rules/0/return"]),
        (CALLABLE.replace("true", "false"), "next: COMPLETE", ["/subworkflow/returns"]),
        (CALLABLE.replace("bad", "ABORT"), "return: ok", ["/subworkflow/returns/1"]),
    ],
)
def test_where_a_workflow_may_return(head: str, rule: str, places: list[str], open_example: Open) -> None:
    found = errors(open_example, WORKS, head=head, rules=f"    rules:\n      - condition: Done\n        {rule}\n")
    assert [(each.code, each.pointer) for each in found] == [("T029", place) for place in places]


def test_a_result_that_isnt_listed_has_the_one_that_was_meant(open_example: Open) -> None:
    (found,) = errors(
        open_example,
        WORKS,
        head=CALLABLE.replace("ok, bad", "approved"),
        rules="    rules:\n      - condition: Done\n        return: aproved\n",
    )
    assert "Did you mean “approved”?" in found.message
    assert [fix.title for fix in found.fixes] == ["Write “approved”"]


@pytest.mark.parametrize(
    ("head", "result", "led"),
    [(HEAD, "ok", "COMPLETE"), (CALLABLE, "ABORT", "ABORT"), (CALLABLE, '"ABORT"', '"ABORT"')],
)
def test_a_rule_that_cant_return_is_led_to_an_end(head: str, result: str, led: str, open_example: Open) -> None:
    rules = RULES + f"      - condition: Else\n        return: {result}  # so far\n"
    (found,) = errors(open_example, WORKS, head=head, rules=rules)
    (fix,) = found.fixes
    assert [edit.text for edit in fix.edits] == ["next", led]
    assert not errors(open_example, WORKS, head=head, rules=rules.replace("return: " + result, "next: " + led))


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["plan.md", "deep/notes.md"], []),
        (["/plan.md"], ["T021 is outside the folder of the reports"]),
        (["../plan.md"], ["T021 is outside the folder of the reports"]),
        (["C:/plan.md"], ["T021 is outside the folder of the reports"]),
        (["a/../plan.md"], ["T021 is not a path"]),
        (["a//plan.md"], ["T021 is not a path"]),
        ([r"a\plan.md"], ["T021 is not a path"]),
        (["Resume-Artifacts.json"], ["T021 keeps for itself"]),
        ([".takt-report-internal/x.md"], ["T021 keeps for itself"]),
        (["plan.md", "Plan.md"], ["T021 in the case of letters only"]),
        (["plan.md", "plan.md"], ["T021 two reports of the name"]),
    ],
)
def test_names_of_reports(names: list[str], told: list[str], open_example: Open) -> None:
    entries = "".join(f"        - {{name: '{name}', format: As you like it.}}\n" for name in names)
    found = errors(open_example, f"{WORKS}    output_contracts:\n      report:\n{entries}")
    assert len(found) == len(told)
    for each, words in zip(found, told, strict=True):
        code, _space, text = words.partition(" ")
        assert each.code == code
        assert text in each.message


def test_two_rules_of_one_label_have_one_appendix(open_example: Open) -> None:
    two = "".join(
        f"      - condition: Done && when(context.a.b == {at})\n        next: COMPLETE\n        appendix: {at}0 x\n"
        for at in (1, 2)
    )
    (found,) = errors(open_example, WORKS, rules=f"    rules:\n{two}")
    assert (found.code, found.pointer) == ("T022", "/steps/0/rules/1/appendix")
    assert errors(open_example, WORKS, rules=f"    rules:\n{two.replace('20 x', '10 x')}") == []


@pytest.mark.parametrize("key", ["persona", "persona_name"])
def test_an_empty_persona_is_refused(key: str, open_example: Open) -> None:
    (found,) = errors(open_example, f"    instruction: Do it.\n    edit: false\n    {key}: ' '\n")
    assert (found.code, found.pointer) == ("SF004", f"/steps/0/{key}")


@pytest.mark.parametrize(
    ("condition", "codes"),
    [
        ("COMPLETE", []),
        ("needs_fix", []),
        ("when(true)", ["T008"]),
        ("needs_fix && when(context.a.b)", ["T008"]),
        ('all("x")', ["T009"]),
    ],
)
def test_a_call_is_led_by_the_word_that_it_returns(condition: str, codes: list[str], open_example: Open) -> None:
    rules = f"    rules:\n      - condition: '{condition}'\n        next: COMPLETE\n"
    assert [each.code for each in errors(open_example, "    call: other\n", rules=rules)] == codes


def test_a_movement_is_watched_or_ignored(open_example: Open) -> None:
    monitor = "loop_monitors:\n  - cycle: [it, other]\n    ignore_steps: [other]\n    judge:\n  " + RULES
    step = f"{WORKS}    rules:\n      - condition: Go on\n        next: other\n"
    other = f"  - name: other\n{WORKS}    rules:\n      - condition: Back\n        next: it\n"
    done = "      - condition: Done\n        next: COMPLETE\n"
    judged = monitor.replace("      - c", "        - c").replace("        next", "          next")
    (found,) = errors(open_example, step + done + other, rules=judged)
    assert (found.code, found.pointer) == ("T018", "/loop_monitors/0/ignore_steps/0")
    assert [related.pointer for related in found.related] == ["/loop_monitors/0/cycle/1"]
    assert [fix.title for fix in found.fixes] == ["Remove “other”"]
