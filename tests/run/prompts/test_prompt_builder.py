"""Which prompt a step gets, what is filled in, and what replaces a missing one."""

from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import CLIMPT_2026_03_14, CLIMPT_2026_04_01, ERAS, GUIDE, Era
from stepflow_gui.run.host.host import Ran
from stepflow_gui.run.machine.state import Start
from tests.run.flows import Json, registry, step
from tests.run.hosted import AGENT, Told, host, says

OWN = "prompts/steps/initial/a/f_default.md"


def asked(
    root: Path, *, more: Json | None = None, start: Start | None = None, era: Era = GUIDE, **setting: Any
) -> tuple[Told, Ran]:
    """A run of one step that is asked once."""
    content = registry(step("initial.a", "work", next="initial.a") | {"uvVariables": []} | (more or {}))
    content |= setting.pop("top", {})
    if era is not GUIDE:
        for each in content["steps"].values():
            each["structuredGate"]["intentSchemaRef"] = "#/properties/next_action"
            each["outputSchemaRef"] = {"file": "s.json", "schema": "a"}
        enum = {"properties": {"next_action": {"enum": ["next"]}}}
        setting["files"] = {"schemas/s.json": {"definitions": {"a": enum}}} | setting.get("files", {})
    effects = Told([says("abort" if era is GUIDE else "sideways")])
    return effects, host(root, content, effects, era=era, **setting).run(start)


def test_the_step_s_file_is_filled_in_without_its_front_matter(tmp_path: Path) -> None:
    text = "---\ntitle: x\n---\n\nIssue {uv-issue}, {uv-iteration} of {uv-max_iterations}: {input_text}\n"
    start = Start(args={"issue": 7, "none": None}, input_text="hello")
    effects, _ran = asked(tmp_path, files={OWN: text}, start=start, more={"usesStdin": True, "uvVariables": ["issue"]})
    assert effects.prompts == ["Issue 7, 1 of 20: hello"]
    assert [tried.why for tried in effects.asked[0].prompt.tried] == [""]


def test_the_guide_looks_below_user_prompts_base_by_its_template(tmp_path: Path) -> None:
    top = {"userPromptsBase": ".agent/demo/mine", "pathTemplateNoAdaptation": "{c3}-{c2}.md"}
    effects, _ran = asked(tmp_path, files={"mine/a-initial.md": "Mine."}, top=top)
    assert effects.prompts == ["Mine."]


def test_every_place_that_was_tried_is_reported(tmp_path: Path) -> None:
    effects, ran = asked(
        tmp_path, agent={"verdict": {"type": "detect:graph"}, "flow": {"prompts": {"fallbackDir": "spare"}}}
    )
    assert effects.asked == []
    assert ran.stopped is not None
    assert ran.stopped.error.code == "PR-C3L-004"
    effects, _ran = asked(tmp_path, needs_prompts=False)
    places = {tried.place for tried in effects.asked[0].prompt.tried}
    assert str(tmp_path / AGENT / OWN) in places


def test_the_fallback_folder_comes_before_the_key(tmp_path: Path) -> None:
    agent = {"verdict": {"type": "detect:graph"}, "flow": {"prompts": {"fallbackDir": "spare"}}}
    files = {"spare/steps/initial/a/f_default.md": "Spare."}
    effects, _ran = asked(tmp_path, files=files, agent=agent, more={"fallbackKey": "initial_a"})
    assert (effects.prompts, effects.asked[0].prompt.source) == (["Spare."], "fallback_dir")


def test_a_key_gives_the_text_that_somebody_set_for_it(tmp_path: Path) -> None:
    more = {"fallbackKey": "initial_a"}
    effects, _ran = asked(tmp_path, more=more, spare={"initial_a": "By key, {uv-iteration}."})
    assert effects.prompts == ["By key, 1."]
    effects, _ran = asked(tmp_path, more=more)
    assert (effects.prompts, effects.asked[0].prompt.key) == ([None], "initial_a")


def test_a_dotted_key_gives_the_documented_error(tmp_path: Path) -> None:
    _effects, ran = asked(tmp_path, more={"fallbackKey": "initial.a"})
    assert ran.stopped is not None
    assert ran.stopped.error.message == 'No fallback prompt found for key: "initial.a" (step: initial.a)'


def test_an_empty_value_fails_the_file_and_only_the_key_saves_it(tmp_path: Path) -> None:
    start = Start(args={"repository": ""})
    for era in (GUIDE, CLIMPT_2026_03_14):
        effects, _ran = asked(
            tmp_path,
            files={OWN: "Own."},
            start=start,
            era=era,
            more={"fallbackKey": "initial_issue"},
            spare={"initial_issue": "By key."},
        )
        assert effects.prompts == ["By key."]
        assert "empty" in effects.asked[0].prompt.tried[0].why
    effects, _ran = asked(tmp_path, files={OWN: "Own{uv-repository}."}, start=start, era=CLIMPT_2026_04_01)
    assert effects.prompts == ["Own."]


@pytest.mark.parametrize(
    ("text", "more", "code"),
    [
        ("x", {"uvVariables": ["uv-issue"]}, "PR-RESOLVE-003"),
        ("{uv-issue}", {}, "PR-RESOLVE-005"),
        ("x", {"usesStdin": True}, "PR-RESOLVE-004"),
        (None, {}, "PR-C3L-002"),
    ],
)
def test_what_is_missing_stops_later_runners_with_its_code(
    tmp_path: Path, text: str | None, more: Json, code: str
) -> None:
    files = {} if text is None else {OWN: text}
    _effects, ran = asked(tmp_path, files=files, more=more, era=CLIMPT_2026_04_01)
    assert ran.stopped is not None
    assert ran.stopped.error.code == code


def test_before_that_the_verdict_s_handler_made_one(tmp_path: Path) -> None:
    agent = {"verdict": {"type": "count:iteration"}}
    _effects, ran = asked(tmp_path, agent=agent, era=CLIMPT_2026_03_14)
    assert ran.stopped is not None
    assert ran.stopped.error.code == "AGENT_QUERY_ERROR"
    assert "initial.iteration" in ran.stopped.error.message
    effects, _ran = asked(tmp_path, era=CLIMPT_2026_03_14)
    assert (effects.asked[0].prompt.source, effects.asked[0].prompt.by_handler) == ("built_in", True)


def test_a_path_that_leaves_the_project_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret" / "x").mkdir(parents=True)
    (tmp_path / "secret" / "x" / "f_default.md").write_text("Secret.", "utf-8")
    root = tmp_path / "project"
    root.mkdir()
    (root / ".git").mkdir()
    _effects, ran = asked(root, more={"c2": "../../../../../secret", "c3": "x"})
    assert ran.stopped is not None


@pytest.mark.parametrize("era", [CLIMPT_2026_03_14, CLIMPT_2026_04_01])
def test_the_plain_prompt_is_shown_where_that_of_the_adaptation_is_missing(era: Era, tmp_path: Path) -> None:
    effects, _ran = asked(tmp_path, era=era, files={OWN: "Plain."}, more={"adaptation": "again"})
    assert effects.prompts[0] == "Plain."


MARCH = "prompts/steps/{}/m/f_default.md"
THREE = [
    step("initial.m", "work", next="continuation.m"),
    step("continuation.m", "work", next="verification.m"),
    step("verification.m", "verification", next="closure.m"),
    step("closure.m", "closure", closing=None),
]


def shown(
    root: Path,
    verdict: Json,
    *words: str,
    second: Json | None = None,
    files: Json | None = None,
    top: Json | None = None,
    era: Era = CLIMPT_2026_03_14,
) -> tuple[Told, Ran]:
    """The prompts of a run through work, verification and closure, whose files contain their place."""
    content = registry(*(each | {"uvVariables": []} for each in THREE)) | (top or {})
    content["steps"]["continuation.m"] |= second or {}
    written: Json = {MARCH.format(each["c2"]): f"At {each['stepId']}" for each in THREE}
    written |= files or {}
    enums = {}
    for name, each in content["steps"].items():
        each["structuredGate"]["intentSchemaRef"] = "#/properties/next_action"
        each["outputSchemaRef"] = {"file": "s.json", "schema": name}
        enums[name] = {"properties": {"next_action": {"enum": each["structuredGate"]["allowedIntents"]}}}
    effects = Told([says(word) for word in words])
    written |= {"schemas/s.json": {"definitions": enums}}
    return effects, host(root, content, effects, files=written, agent={"verdict": verdict}, era=era).run()


def test_the_handler_of_march_takes_its_steps_from_the_mapping(tmp_path: Path) -> None:
    verdict = {"type": "count:iteration", "config": {"maxIterations": 6}}
    top = {"entryStepMapping": {"count:iteration": "initial.m"}}
    effects, ran = shown(tmp_path, verdict, "next", "next", "next", "closing", top=top)
    assert effects.prompts == ["At initial.m", "At continuation.m", "At continuation.m", "At closure.m"]
    assert ran.outcome is not None
    assert (ran.outcome.success, ran.outcome.iterations) == (True, 4)
    top = {"entryStepMapping": {"count:iteration": "verification.m"}}
    effects, ran = shown(tmp_path, verdict, "next", "closing", top=top)
    assert effects.prompts == ["At verification.m", "At closure.m"]


def test_without_one_it_has_steps_named_by_the_verdict(tmp_path: Path) -> None:
    verdict = {"type": "count:iteration", "config": {"maxIterations": 6}}
    top = {"entryStepMapping": {"detect:keyword": "initial.m"}}
    effects, ran = shown(tmp_path, verdict, "next", "next", top=top)
    assert len(effects.asked) == 2
    assert ran.stopped is not None
    assert ran.stopped.error.code == "AGENT_QUERY_ERROR"
    assert "continuation.iteration" in ran.stopped.error.message


KEY = {"fallbackKey": "continuation_issue"}


@pytest.mark.parametrize(
    ("text", "more", "source", "prompt"),
    [
        ("Found {uv-nothing}", KEY, "file", "At initial.m"),  # found and not filled in: the handler's own
        ("Found", KEY | {"uvVariables": ["nothing"]}, "file", "At initial.m"),
        ("Found", KEY | {"usesStdin": True}, "file", "At initial.m"),
        ("Found", KEY | {"uvVariables": None}, "file", "At initial.m"),
        ("", KEY, "fallback_key", None),  # empty is as good as missing
        ("Found", KEY, "file", "Found"),
    ],
)
def test_only_a_missing_text_goes_to_the_key(
    text: str, more: Json, source: str, prompt: str | None, tmp_path: Path
) -> None:
    files = {MARCH.format("continuation"): text}
    effects, _ran = shown(tmp_path, {"type": "detect:graph"}, "next", "sideways", files=files, second=more)
    assert (effects.asked[1].prompt.source, effects.prompts[1]) == (source, prompt)


_RAW = [CLIMPT_2026_04_01, ERAS["climpt-2026-04-08"]]


@pytest.mark.parametrize("era", [*_RAW, ERAS["climpt-2026-04-20"]])
@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"uvVariables": "topic"}, "PR-RESOLVE-003"),
        ({"uvVariables": ""}, None),
        ({"uvVariables": {"topic": 1}}, None),
        ({"uvVariables": 3}, None),
        ({"usesStdin": "false"}, "PR-RESOLVE-004"),
        ({"usesStdin": []}, "PR-RESOLVE-004"),
        ({"usesStdin": 1}, "PR-RESOLVE-004"),
        ({"usesStdin": 0}, None),
        ({"usesStdin": None}, None),
    ],
)
def test_odd_values_are_taken_as_they_stand_until_april_20(
    era: Era, more: Json, code: str | None, tmp_path: Path
) -> None:
    effects, ran = shown(tmp_path, {"type": "detect:graph"}, "next", "sideways", era=era, second=more)
    refused = code if era in _RAW else None
    assert ran.stopped is not None
    assert ran.stopped.error.code == (refused or "GATE_INTERPRETATION_ERROR")
    assert len(effects.asked) == (1 if refused else 2)


@pytest.mark.parametrize(("era", "code"), [(CLIMPT_2026_04_01, "AGENT_QUERY_ERROR"), (ERAS["climpt-2026-04-20"], None)])
def test_a_step_without_variables_has_no_prompt_until_april_20(era: Era, code: str | None, tmp_path: Path) -> None:
    bare = {"uvVariables": None}
    effects, ran = shown(tmp_path, {"type": "detect:graph"}, "next", "sideways", era=era, second=bare)
    assert len(effects.asked) == (1 if code else 2)
    assert ran.stopped is not None
    assert ran.stopped.error.code == (code or "GATE_INTERPRETATION_ERROR")


def test_the_handler_of_a_composite_gives_what_its_first_member_gives(tmp_path: Path) -> None:
    member = {"type": "count:iteration", "config": {"maxIterations": 6}}
    verdict = {"type": "meta:composite", "config": {"operator": "or", "conditions": [member], "maxIterations": 6}}
    effects, _ran = asked(
        tmp_path,
        era=CLIMPT_2026_03_14,
        more={"stepKind": "verification", "c2": "verification", "uvVariables": ["max_iterations"]},
        files={"prompts/steps/verification/a/f_default.md": "At most {uv-max_iterations}"},
        agent={"verdict": verdict},
        top={
            "entryStep": "initial.a",
            "entryStepMapping": {"meta:composite": "initial.a", "count:iteration": "initial.a"},
        },
    )
    assert effects.prompts == ["At most 6"]
