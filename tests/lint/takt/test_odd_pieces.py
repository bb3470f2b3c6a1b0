"""The odd cases of rules about TAKT pieces: the findings about a small change, and what has none."""

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.piece import piece
from tests.lint.conftest import Open

Change = tuple[str, str]

MONITOR = "cycle: [implement, review]"

CASES: dict[str, tuple[list[Change], list[str]]] = {
    "a limit that isn't given": ([("max_iterations: 20\n", "")], ["T001 info"]),
    "a beginning that isn't given": ([("initial_movement: plan\n", "")], ["T001 info"]),
    "an end in small letters": ([("next: COMPLETE", "next: complete")], ["T004 error"]),
    "a rule without next": ([("It can't be done\n        next: ABORT\n", "It can't be done\n")], ["T005 error"]),
    "where the user is asked none is needed": (
        [("        next: ABORT\n", "        requires_user_input: true\n")],
        [],
    ),
    "a sub-step's next": (
        [("- condition: approved\n", "- condition: approved\n            next: plan\n")],
        ["T006 warning"],
    ),
    "any() of an unknown text": ([('any("needs_fix")', 'any("need_fix")')], ["T010 warning", "T012 warning"]),
    "one text for each sub-step": ([('all("approved")', 'all("approved", "approved")')], []),
    "one text too many": (
        [('all("approved")', 'all("approved", "approved", "approved")')],
        ["T011 warning"],
    ),
    "aggregate where nothing is parallel": ([("condition: Done", 'condition: all("Done")')], ["T009 warning"]),
    "a persona that isn't in the section": ([("persona: coder\n", "persona: codr\n")], ["T013 warning"]),
    "a sentence is not a reference": ([("persona: coder\n", "persona: You write code.\n")], []),
    "braces of prose": ([("Implement {task}", "Implement {task} with {result} at {path:line}")], []),
    "a variable in capitals": ([("Implement {task}", "Implement {Task}")], ["T017 warning"]),
    "a variable for monitors": ([("Implement {task}", "Implement {task} in {cycle_count}")], ["T017 warning"]),
    "a report that nobody writes": ([("{report:plan.md}", "{report:plans.md}")], ["T017 warning"]),
    "a cycle of one": ([(MONITOR, "cycle: [implement]")], ["T018 error", "T023 info"]),
    "a cycle that no run goes round": ([(MONITOR, "cycle: [plan, review]")], ["T018 warning", "T023 info"]),
    "a threshold of nothing": ([("threshold: 3", "threshold: 0")], ["T018 error"]),
    "editing with readonly": ([("permission_mode: edit", "permission_mode: readonly")], ["T020 warning"]),
    "one condition twice": ([("It can't be done\n", "Done\n")], ["T022 warning"]),
    "edit isn't given": ([("    edit: true\n", "")], ["T024 info"]),
    "a renamed key": ([("    persona: coder\n    policy", "    agent: coder\n    policy")], ["T025 warning"]),
    "an own key": ([("    edit: true\n", "    edit: true\n    x-note: mine\n")], []),
    "a name with a digit where one rule is asked for": ([("- name: tests", "- name: tests2")], ["T026 error"]),
    "a name with a digit that a judge is asked about": (
        [
            ("- name: review\n", "- name: review2\n"),
            ("next: review", "next: review2"),
            (MONITOR, "cycle: [implement, review2]"),
        ],
        ["T026 error"],
    ),
    "names of parallel movements are free": (
        [
            ("  - name: review\n", "  - name: review2\n"),
            ("next: review", "next: review2"),
            (MONITOR, "cycle: [implement, review2]"),
            ("        - condition: There is none\n          next: ABORT\n", ""),
        ],
        [],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_an_odd_case(name: str, open_example: Open) -> None:
    changes, codes = CASES[name]
    found = {f"{each.code} {each.severity}" for each in lint(open_example(piece(*changes)))}
    assert sorted(found) == sorted(codes)
