"""Pointing a transition elsewhere changes one value; a new rule looks as its neighbours do."""

import difflib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.change import can_connect, retarget
from stepflow_gui.formats.detect import detect
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.formats.read import read_flow
from stepflow_gui.text import edit
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.sampling import examples

PATH = Path("/agent/steps_registry.json")


def read(text: str, format_id: str | None = None) -> Flow:
    return read_flow(ParsedFile.read(PATH, Source(text)), format_id)


def changed(flow: Flow, *asked: Any) -> str:
    """The registry's text after a change, which undoing gives back."""
    edits = retarget(flow, *asked)
    assert not isinstance(edits, Refusal), edits.reason
    assert set(edits) <= {flow.document.path}
    before = flow.document.source.text
    mine = edits.get(flow.document.path, [])
    after = edit.apply(before, mine)
    assert edit.apply(after, edit.inverse(before, mine)) == before
    return after


def changed_lines(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that went and those that came."""
    lines = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    return [line[2:] for line in lines if line[0] == "-"], [line[2:] for line in lines if line[0] == "+"]


FLOW = """{
  "agentId": "demo", "version": "1.0.0", "schemasBase": "schemas",
  "entryStep": "initial.issue",
  "steps": {
    "initial.issue": {
      "c2": "initial",
      "structuredGate": { "allowedIntents": ["next", "repeat", "handoff", "jump"] },
      "transitions": {
        "next": { "target": "continuation.issue" },
        "handoff": { "condition": "status", "targets": { "done": "closure.issue", "default": "closure.issue" } }
      }
    },
    "continuation.issue": {
      "c2": "continuation",
      "structuredGate": { "allowedIntents": ["next", "handoff"] },
      "transitions": { "next": {"target": "continuation.issue"} }
    },
    "check.issue": {
      "c2": "verification",
      "structuredGate": { "allowedIntents": ["next", "escalate"] }
    },
    "closure.issue": {
      "c2": "closure",
      "structuredGate": { "allowedIntents": ["closing", "repeat"] },
      "transitions": {}
    },
    "closure.other": {
      "c2": "closure",
      "structuredGate": { "allowedIntents": ["closing", "repeat"] },
      "transitions": null
    },
    "initial.other": { "c2": "initial", "structuredGate": {"allowedIntents": ["next"]}, "transitions": { "next": {} } },
    "section.context": { "c2": "section" }
  }
}
"""


def test_one_value_is_replaced() -> None:
    after = changed(read(FLOW), "initial.issue", "next", None, "check.issue")
    assert changed_lines(FLOW, after) == (
        ['        "next": { "target": "continuation.issue" },'],
        ['        "next": { "target": "check.issue" },'],
    )


def test_the_same_target_changes_nothing() -> None:
    assert retarget(read(FLOW), "initial.issue", "next", None, "continuation.issue") == {}


def test_a_case_of_a_conditional_rule() -> None:
    after = changed(read(FLOW), "initial.issue", "handoff", "done", "closure.other")
    assert '"targets": { "done": "closure.other", "default": "closure.issue" }' in after
    after = changed(read(FLOW), "initial.issue", "handoff", "stuck", "closure.other")
    assert '"default": "closure.issue", "stuck": "closure.other" }' in after


def test_a_conditional_rule_is_not_pointed_elsewhere_as_a_whole() -> None:
    refused = retarget(read(FLOW), "initial.issue", "handoff", None, "closure.other")
    assert isinstance(refused, Refusal)
    assert "handoff" in refused.reason
    assert isinstance(retarget(read(FLOW), "initial.issue", "next", "done", "check.issue"), Refusal)


def test_a_new_rule_looks_as_its_neighbours_do() -> None:
    after = changed(read(FLOW), "initial.issue", "repeat", None, "initial.issue")
    gone, come = changed_lines(FLOW, after)
    assert come[-1] == '        "repeat": { "target": "initial.issue" }'
    assert [line.rstrip(",") for line in gone] == [line.rstrip(",") for line in come[:-1]]
    after = changed(read(FLOW), "continuation.issue", "handoff", None, "closure.issue")
    assert '{ "next": {"target": "continuation.issue"}, "handoff": {"target": "closure.issue"} }' in after


def test_the_first_rule_of_a_step() -> None:
    after = changed(read(FLOW), "check.issue", "next", None, "check.issue")
    assert (
        '      "structuredGate": { "allowedIntents": ["next", "escalate"] },\n'
        '      "transitions": {\n'
        '        "next": { "target": "check.issue" }\n'
        "      }\n"
        "    },\n"
    ) in after
    after = changed(read(FLOW), "closure.issue", "closing", None, None)
    assert '      "transitions": {\n        "closing": { "target": null }\n      }\n' in after
    after = changed(read(FLOW), "closure.other", "closing", None, None)
    assert '      "transitions": {\n        "closing": { "target": null }\n      }\n' in after


def test_a_rule_without_a_target_gets_one() -> None:
    after = changed(read(FLOW), "initial.other", "next", None, "initial.issue")
    assert '"transitions": { "next": { "target": "initial.issue" } } }' in after


def test_line_ends_and_tabs_are_kept() -> None:
    windows = FLOW.replace("  ", "\t").replace("\n", "\r\n")
    after = changed(read(windows), "check.issue", "next", None, "check.issue")
    assert '\r\n\t\t\t"transitions": {\r\n\t\t\t\t"next": { "target": "check.issue" }\r\n\t\t\t}\r\n' in after
    assert after.count("\n") == after.count("\r\n")


def test_a_file_on_one_line_stays_on_it() -> None:
    compact = json.dumps(json.loads(FLOW), separators=(",", ":"))
    for asked in (("check.issue", "next", None, "check.issue"), ("closure.issue", "closing", None, None)):
        after = changed(read(compact), *asked)
        assert "\n" not in after
        assert json.loads(after)["steps"][asked[0]]["transitions"] == {asked[1]: {"target": asked[3]}}


def test_names_other_than_ascii_are_escaped_where_the_file_escapes() -> None:
    plain = FLOW.replace("closure.other", "closure.別")
    assert '"closure.別"' in changed(read(plain), "continuation.issue", "handoff", None, "closure.別")
    escaped = plain.replace("別", "\\u5225")
    after = changed(read(escaped), "continuation.issue", "handoff", None, "closure.別")
    assert '"handoff": {"target": "closure.\\u5225"}' in after
    assert after.isascii()


def test_formats_without_transitions_are_refused() -> None:
    flow = read('{"steps": {"s_12ab": {"prompt": {}}}}')
    assert isinstance(retarget(flow, "s_12ab", "next", None, "s_12ab"), Refusal)
    assert isinstance(can_connect(flow, "s_12ab", "next", "s_12ab"), Refusal)


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_in_real_files_only_the_asked_value_changes(corpus: Path, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(texts(corpus)))
    flow = read(text)
    step = flow.steps[data.draw(st.sampled_from(sorted(flow.steps)))]
    known = [rule.intent for rule in step.transitions] + [
        intent.value for intent in (step.gate.intents if step.gate else [])
    ]
    if not known:
        return
    intent = data.draw(st.sampled_from(known))
    target = data.draw(st.sampled_from([None, *sorted(flow.steps)]))
    edits = retarget(flow, step.id, intent, None, target)
    if isinstance(edits, Refusal):
        assert edits.reason
        return
    after = changed(flow, step.id, intent, None, target)
    expected = json.loads(text)
    expected["steps"][step.id].setdefault("transitions", {}).setdefault(intent, {})["target"] = target
    assert json.loads(after) == expected
    assert detect(ParsedFile.read(PATH, Source(after))) == flow.format
    gone, come = changed_lines(text, after)
    if step.transition(intent):
        assert len(gone) == len(come) <= 1
    else:
        assert len(come) - len(gone) <= 3


_TEXTS: dict[Path, list[str]] = {}


def texts(corpus: Path) -> list[str]:
    """Every registry whose steps have transitions."""
    if corpus not in _TEXTS:
        found = [
            path.read_text(encoding="utf-8") for path in sorted((corpus / "climpt").glob("**/steps_registry.json"))
        ]
        routed = ("closing", "c3l", "complete", "adt-kind-address", "entry-pair", "transitions-only")
        _TEXTS[corpus] = [text for text in found if detect(ParsedFile.read(PATH, Source(text))) in routed]
        assert len(_TEXTS[corpus]) > 100
    return _TEXTS[corpus]


# Allowed targets.


def registry(format_id: str = "closing", **kinds: str) -> Flow:
    """Steps by id and c2; each may emit every intent."""
    gate = {"allowedIntents": ["next", "repeat", "jump", "handoff", "closing", "escalate", "abort", "complete"]}
    steps = {name.replace("__", "."): {"c2": c2, "structuredGate": gate} for name, c2 in kinds.items()}
    return read(json.dumps({"steps": steps}), format_id)


SIMPLE = {"initial__issue": "initial", "continuation__issue": "continuation", "closure__issue": "closure"}
PROJECT = {
    "initial__project__preparation": "initial",
    "continuation__project__preparation": "continuation",
    "initial__project__review": "initial",
    "continuation__project__review": "continuation",
    "initial__project__again": "initial",
    "continuation__project__again": "continuation",
    "initial__project__closure": "initial",
    "check": "verification",
    "closure__issue": "closure",
    "closure__other": "closure",
    "section__context": "section",
}


@pytest.mark.parametrize(
    ("step", "intent", "target"),
    [
        ("initial.issue", "next", "continuation.issue"),
        ("continuation.issue", "next", "continuation.issue"),
        ("continuation.issue", "handoff", "closure.issue"),
        ("closure.issue", "closing", None),
        ("initial.issue", "repeat", "initial.issue"),
        ("closure.issue", "repeat", "closure.issue"),
    ],
)
def test_the_guide_s_simple_pattern_may_be_drawn(step: str, intent: str, target: str | None) -> None:
    assert can_connect(registry(**SIMPLE), step, intent, target) is None


@pytest.mark.parametrize(
    ("step", "intent", "target"),
    [
        ("initial.project.preparation", "next", "continuation.project.preparation"),
        ("initial.project.preparation", "handoff", "initial.project.review"),
        ("continuation.project.preparation", "handoff", "initial.project.review"),
        ("initial.project.review", "next", "continuation.project.review"),
        ("initial.project.review", "repeat", "initial.project.again"),
        ("initial.project.review", "handoff", "initial.project.closure"),
        ("continuation.project.review", "repeat", "initial.project.again"),
        ("continuation.project.review", "handoff", "initial.project.closure"),
        ("initial.project.again", "next", "continuation.project.again"),
        ("initial.project.again", "handoff", "initial.project.review"),
        ("continuation.project.again", "handoff", "initial.project.review"),
        # beyond the picture: what runtime-semantics 15 allows
        ("check", "next", "closure.issue"),
        ("check", "jump", "closure.issue"),
        ("check", "escalate", "initial.project.again"),
        ("check", "escalate", "check"),
        ("closure.issue", "repeat", "initial.project.again"),
        ("initial.project.again", "next", "check"),
        ("initial.project.again", "jump", "check"),
    ],
)
def test_the_guide_s_project_pattern_may_be_drawn(step: str, intent: str, target: str | None) -> None:
    assert can_connect(registry(**PROJECT), step, intent, target) is None


@pytest.mark.parametrize(
    ("step", "intent", "target"),
    [
        ("nowhere", "next", "check"),
        ("check", "next", "nowhere"),
        ("check", "next", "section.context"),
        ("section.context", "next", "check"),
        ("check", "next", None),
        ("check", "repeat", None),
        ("closure.issue", "closing", "check"),
        ("closure.issue", "next", "check"),
        ("closure.issue", "repeat", "closure.other"),
        ("closure.issue", "repeat", "check"),
        ("initial.project.again", "closing", None),
        ("initial.project.again", "next", "closure.issue"),
        ("initial.project.again", "jump", "closure.issue"),
        ("initial.project.again", "handoff", "continuation.project.review"),
        ("initial.project.again", "handoff", "check"),
        ("initial.project.again", "escalate", "check"),
        ("check", "handoff", "closure.issue"),
        ("check", "escalate", "closure.issue"),
        ("check", "abort", "closure.issue"),
    ],
)
def test_what_the_design_forbids_is_refused_with_a_reason(step: str, intent: str, target: str | None) -> None:
    refused = can_connect(registry(**PROJECT), step, intent, target)
    assert refused is not None
    assert refused.reason
    assert isinstance(retarget(registry(**PROJECT), step, intent, None, target), Refusal)


@pytest.mark.parametrize(
    ("step", "intent", "target", "allowed"),
    [
        ("initial.issue", "complete", "complete.issue", True),
        ("initial.issue", "complete", "initial.issue", False),
        ("initial.issue", "complete", None, False),
        ("complete.issue", "complete", None, True),
        ("complete.issue", "complete", "initial.issue", False),
        ("initial.issue", "next", "complete.issue", True),
        ("initial.issue", "next", None, False),
        ("initial.issue", "abort", "complete.issue", False),
        ("initial.issue", "abort", None, True),
    ],
)
def test_complete_goes_to_a_completion_step(step: str, intent: str, target: str | None, allowed: bool) -> None:
    flow = registry("complete", initial__issue="initial", complete__issue="complete")
    assert (can_connect(flow, step, intent, target) is None) == allowed


def test_a_handoff_to_a_first_step_that_verifies_is_refused() -> None:
    gate = {"allowedIntents": ["handoff", "next"]}
    steps = {
        "initial.issue": {"c2": "initial", "structuredGate": gate},
        "initial.check": {"c2": "initial", "stepKind": "verification", "structuredGate": gate},
    }
    assert can_connect(read(json.dumps({"steps": steps}), "closing"), "initial.issue", "handoff", "initial.check")


def test_an_intent_that_the_step_does_not_allow_has_no_transition() -> None:
    refused = can_connect(read(FLOW), "continuation.issue", "jump", "initial.issue")
    assert refused is not None
    assert "jump" in refused.reason
