"""Workflows that a step calls: opened, run, and back with what they return."""

import json
from collections.abc import Mapping

import pytest

from stepflow_gui.formats.takt.runners import runner_named
from stepflow_gui.run.responders.script import ScriptProblem
from stepflow_gui.run.takt.debugging import names_in
from stepflow_gui.run.takt.exploring import RuleAt, explore
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.results import results_of
from stepflow_gui.run.takt.machine.state import Begin, Entered, PieceState, Started
from stepflow_gui.run.takt.opening import piece_in
from stepflow_gui.run.takt.prompts.prompt_builder import compose
from stepflow_gui.run.takt.report import table
from stepflow_gui.run.takt.scripts.script import read_piece_script
from stepflow_gui.run.takt.scripts.script_check import unused_answers
from stepflow_gui.run.takt.scripts.scripted import Chance, Scripted, drive, path_of
from stepflow_gui.run.takt.scripts.trace import PieceTrace, read_trace, replayed, trace_text
from stepflow_gui.run.takt.session import PieceRun, TakenRule
from stepflow_gui.run.takt.shadow import parting
from stepflow_gui.run.takt.words import lines_of
from tests.run.takt.projects import STEPS, Project

PARENT = f"""{STEPS}  - name: plan
    persona: x
    rules: [{{condition: planned, next: delegate}}]
  - name: delegate
    call: child
    rules:
      - {{condition: ok, next: COMPLETE}}
      - {{condition: retry_plan, next: plan}}
      - {{condition: unused, next: plan}}
      - {{condition: ABORT, next: ABORT}}
"""
CHILD = """name: review-part
subworkflow: {callable: true, returns: [ok, retry_plan, unused]}
steps:
  - name: plan
    persona: x
    rules: [{condition: looked, next: check}]
  - name: check
    persona: x
    rules: [{condition: good, return: ok}, {condition: bad, return: retry_plan}, {condition: broken, next: ABORT}]
"""
ALONE = """name: review-part
subworkflow: {callable: false}
steps:
  - name: plan
    persona: x
    rules: [{condition: looked, next: COMPLETE}]
"""
HOME = ".takt/workflows"


def _files(child: str = CHILD, **others: str) -> dict[str, str]:
    return {f"{HOME}/child.yaml": child} | {f"{HOME}/{name}.yaml": text for name, text in others.items()}


def _by_script(machine: PieceMachine, answers: Mapping[str, object], **keys: object) -> PieceRun:
    script = read_piece_script(json.dumps({"answers": answers, **keys}), "s.json", machine.piece)
    assert not isinstance(script, ScriptProblem), script
    run = PieceRun(machine)
    run.send(Begin("T"))
    for _position in drive(run, Scripted(script).next_event):
        pass
    return run


def test_a_script_runs_the_steps_of_a_called_workflow(project: Project) -> None:
    run = _by_script(project.machine(PARENT, "0.60", _files()), {"child/check": ["bad", "good"]})
    once = ("plan", "delegate", "child/plan", "child/check")
    assert path_of(run) == (*once, *once)
    assert run.state.end is not None
    assert (run.state.end.kind, run.state.end.movement) == ("complete", "delegate")
    assert dict(run.taken) == {
        TakenRule("plan", 0): 2,
        TakenRule("delegate", 1): 1,
        TakenRule("delegate", 0): 1,
    }


def test_a_script_that_answers_for_the_call_doesnt_open_it(project: Project) -> None:
    run = _by_script(project.machine(PARENT, "0.60", _files()), {"delegate": "ok"})
    assert path_of(run) == ("plan", "delegate")


@pytest.mark.parametrize(("release", "iterations"), [("0.54", 4), ("0.55", 3), ("0.60", 3)])
def test_a_call_is_an_iteration_up_to_0_54(project: Project, release: str, iterations: int) -> None:
    run = _by_script(project.machine(PARENT, release, _files()), {})
    assert run.state.iteration == iterations


def test_the_trace_names_the_workflow(project: Project) -> None:
    machine = project.machine(PARENT, "0.60", _files())
    run = _by_script(machine, {})
    said = [
        line for moment in run.moments for each in moment.happened for line in lines_of(machine, moment.state, each)
    ]
    assert "delegate opens “review-part” (.takt/workflows/child.yaml)" in said
    assert "2. review-part / plan" in said
    assert "“review-part” has ended with “ok”: The workflow returns “ok” to the one that called it." in said
    assert "1 ok (by the called workflow) → COMPLETE" in said
    records = [json.loads(line) for line in trace_text(run).splitlines()[1:]]
    assert [each["event"]["kind"] for each in records].count("entered") == 1
    assert {each.get("workflow") for each in records} == {None, f"{HOME}/child.yaml"}
    trace = read_trace(trace_text(run))
    assert isinstance(trace, PieceTrace)
    again = PieceRun(machine)
    assert len(list(replayed(again, trace))) == len(trace.events)
    assert again.state == run.state


def test_what_ends_badly_is_abort_for_the_caller(project: Project) -> None:
    run = _by_script(project.machine(PARENT, "0.60", _files()), {"child/check": "broken"})
    assert run.state.end is not None
    assert (run.state.end.kind, run.state.end.movement) == ("abort_transition", "delegate")
    assert run.state.caller is None


def test_a_result_without_a_rule_ends_the_run(project: Project) -> None:
    run = _by_script(
        project.machine(
            PARENT, "0.60", _files(CHILD.replace("return: ok", "return: other").replace("[ok,", "[other, ok,"))
        ),
        {},
    )
    assert run.state.end is not None
    assert (run.state.end.kind, run.state.end.movement) == ("no_rule_matched", "delegate")


def test_the_limit_is_that_of_the_whole_run(project: Project) -> None:
    run = _by_script(project.machine(f"max_steps: 2\n{PARENT}", "0.60", _files()), {})
    assert run.state.end is not None
    assert (run.state.end.kind, run.state.end.movement, run.state.iteration) == ("max_iterations", "check", 2)
    granted = _by_script(project.machine(f"max_steps: 2\n{PARENT}", "0.60", _files()), {}, limits=[5])
    assert granted.state.end is not None
    assert granted.state.end.success


@pytest.mark.parametrize(
    ("call", "child", "why"),
    [
        ("missing", CHILD, "there is no such file in the project"),
        ("./nowhere.yaml", CHILD, "there is no such file in the project"),
        ("../../../elsewhere.yaml", CHILD, "the file is outside the project"),
        ("p", CHILD, "it would call itself"),
        ("child", ALONE, "isn't true"),
        ("child", f"{CHILD}  - {{name: [\n", "has a syntax error"),
        ("child", CHILD.replace("next: check", "next: nowhere"), "nowhere"),
    ],
)
def test_what_cant_be_opened_is_chosen(project: Project, call: str, child: str, why: str) -> None:
    machine = project.machine(PARENT.replace("call: child", f"call: {call}"), "0.60", _files(child))
    run = _by_script(machine, {})
    assert path_of(run) == ("plan", "delegate")
    assert why in machine.piece.movements["delegate"].closed
    lines = [
        line for moment in run.moments for each in moment.happened for line in lines_of(machine, moment.state, each)
    ]
    [said] = [line for line in lines if "isn't run" in line]
    assert call in said
    assert why in said
    assert lines[-1] == "1 ok (by the called workflow) → COMPLETE"


def _calling(name: str, *called: str) -> str:
    steps = "".join(
        f"  - {{name: s{at}, call: {each}, rules: [{{condition: COMPLETE, next: {after}}}]}}\n"
        for at, (each, after) in enumerate(
            zip(called, [*(f"s{n}" for n in range(1, len(called))), "COMPLETE"], strict=True)
        )
    )
    return f"name: {name}\nsubworkflow: {{callable: true}}\nsteps:\n{steps}"


def test_no_workflow_is_opened_inside_itself(project: Project) -> None:
    machine = project.machine(_calling("p", "a"), "0.60", _files(a=_calling("a", "b"), b=_calling("b", "a", "p")))
    run = _by_script(machine, {})
    assert path_of(run) == ("s0", "a/s0", "b/s0", "b/s1")
    assert run.state.end is not None
    assert run.state.end.success


def _chain(length: int) -> dict[str, str]:
    return {f"w{at}": _calling(f"w{at}", f"w{at + 1}") for at in range(length)}


def test_five_workflows_are_open_at_most(project: Project) -> None:
    machine = project.machine(_calling("p", "w0"), "0.60", _files(**_chain(8)))
    run = _by_script(machine, {})
    assert path_of(run) == ("s0", *(f"w{at}/s0" for at in range(4)))
    said = [
        line for moment in run.moments for each in moment.happened for line in lines_of(machine, moment.state, each)
    ]
    assert "“w4” isn't run (5 workflows are open already): what it returns is chosen" in said


def test_what_is_too_deep_to_be_run_isnt_read(project: Project) -> None:
    piece = project.machine(_calling("p", "w0"), "0.60", _files(**_chain(40))).piece
    assert {called.file for called in piece.workflows.values()} == {f"{HOME}/w{at}.yaml" for at in range(5)}


SUBS = f"""{STEPS}  - name: review
    parallel:
      - {{name: one, call: child, rules: [{{condition: ok}}, {{condition: retry_plan}}]}}
      - {{name: own, persona: x, rules: [{{condition: fine}}, {{condition: poor}}]}}
      - {{name: two, call: child, rules: [{{condition: ok}}, {{condition: retry_plan}}]}}
    rules:
      - {{condition: 'all("ok", "fine", "ok")', next: COMPLETE}}
      - {{condition: 'any("retry_plan", "poor")', next: review}}
"""


def test_sub_steps_open_what_they_call(project: Project) -> None:
    run = _by_script(project.machine(SUBS, "0.60", _files()), {"child/check": ["good", "bad", "good"]})
    child = ("child/plan", "child/check")
    assert path_of(run) == ("review", *child, *child, "review", *child, *child)
    assert run.state.end is not None
    assert run.state.end.success
    assert dict(run.taken) == {TakenRule("review", 1): 1, TakenRule("review", 0): 1}


def test_sub_steps_count_their_iterations_beside_each_other(project: Project) -> None:
    machine = project.machine(SUBS, "0.60", _files())
    run = _by_script(machine, {})
    started = [each.iteration for moment in run.moments for each in moment.happened if isinstance(each, Started)]
    assert started == [1, 2, 3, 2, 3]
    assert run.state.iteration == 3


def test_the_results_of_sub_steps_are_told_as_they_come(project: Project) -> None:
    run = _by_script(project.machine(SUBS, "0.60", _files()), {})
    results = [
        (result.name, result.rule)
        for number, moment in enumerate(run.moments)
        for result in results_of(run.machine, run.moment_at(number).state, moment)
    ]
    child = [("child/plan", "looked"), ("child/check", "good")]
    whole = 'all("ok", "fine", "ok")'
    assert results == [*child, ("one", "ok"), ("own", "fine"), *child, ("two", "ok"), ("review", whole)]


def test_a_trace_of_what_sub_steps_call_is_gone_through_again(project: Project) -> None:
    machine = project.machine(SUBS, "0.60", _files())
    run = _by_script(machine, {"child/check": ["good", "bad", "good"]})
    trace = read_trace(trace_text(run))
    assert isinstance(trace, PieceTrace)
    again = PieceRun(machine)
    assert len(list(replayed(again, trace))) == len(trace.events)
    assert again.state == run.state


def test_exploring_goes_through_what_sub_steps_call(project: Project) -> None:
    found = explore(project.machine(SUBS, "0.60", _files(CHILD.replace(", {condition: broken, next: ABORT}", ""))))
    assert not found.cut
    assert not found.endless
    assert {end.kind for end in found.endings} == {"complete"}
    assert {"review", "one", "own", "two", "child/plan", "child/check"} <= found.reached
    assert {RuleAt(name, rule) for name in ("review", "one", "two", "own") for rule in (0, 1)} <= found.taken


def test_sub_steps_open_nothing_before_0_51(project: Project) -> None:
    machine = project.machine(SUBS, "0.50", _files())
    assert machine.piece.workflows == {}
    assert path_of(_by_script(machine, {"one": "ok", "two": "ok", "own": "fine"})) == ("review",)


GIVING = f"""{STEPS}  - name: first
    call: child
    args: {{style: strict, then: helper}}
    rules: [{{condition: COMPLETE, next: second}}]
  - name: second
    call: child
    rules: [{{condition: COMPLETE, next: COMPLETE}}]
"""
GIVEN = """name: child
subworkflow:
  callable: true
  params:
    style: {type: facet_ref, facet_kind: policy, default: usual}
    then: {type: workflow_ref, default: other}
steps:
  - {name: plan, persona: x, policy: [{$param: style}], rules: [{condition: ok, next: more}]}
  - {name: more, call: {$param: then}, args: {style: {$param: style}}, rules: [{condition: COMPLETE, next: COMPLETE}]}
"""
LEAF = """name: NAME
subworkflow: {callable: true, params: {style: {type: facet_ref, facet_kind: policy}}}
steps:
  - {name: look, persona: x, policy: {$param: style}, rules: [{condition: ok, next: COMPLETE}]}
"""


def test_a_called_workflow_gets_its_arguments(project: Project) -> None:
    files = _files(GIVEN, helper=LEAF.replace("NAME", "helper"), other=LEAF.replace("NAME", "other"))
    machine = project.machine(GIVING, "0.60", files)
    run = _by_script(machine, {})
    policies = []
    for moment in run.moments:
        running = machine.running(moment.state) if moment.state.workflow else None
        if running is not None:
            policies.append((machine.named(moment.state, moment.state.movement or ""), running.policies))
    assert [each for each in policies if not each[0].endswith("more")] == [
        ("child/plan", ("strict",)),
        ("helper/look", ("strict",)),
        ("child/plan", ("usual",)),
        ("other/look", ("usual",)),
    ]
    assert run.state.end is not None
    assert run.state.end.success


def test_a_called_workflow_gets_the_variables_of_its_callers(project: Project) -> None:
    told = "persona: x, instruction: 'speak {var:tongue}, {var:tone}'"
    inner = f"{{name: one, {told}, rules: [{{condition: ok}}]}}"
    leaf = _calling("leaf", "x").split("steps:")[0] + "steps:\n"
    leaf += f"  - {{name: look, parallel: [{inner}], rules: [{{condition: 'all(\"ok\")', next: COMPLETE}}]}}\n"
    step = "  - {{name: s, call: {}, vars: {}, rules: [{{condition: COMPLETE, next: COMPLETE}}]}}\n"
    middle = _calling("m", "x").split("steps:")[0] + "steps:\n" + step.format("leaf", "{tone: low}")
    text = STEPS + step.format("m", "{tongue: Welsh, tone: loud}")
    machine = project.machine(text, "0.60", _files(m=middle, leaf=leaf))
    run = PieceRun(machine)
    run.send(Begin("T"))
    run.send(Entered("s"))
    run.send(Entered("s"))
    assert "speak Welsh, low" in compose(machine, run.state, run.calls[0]).text


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("args: {colour: red}", "“colour” isn't one of its parameters"),
        ("description: without", "its parameter “style” has no value"),
    ],
)
def test_arguments_that_dont_fit_close_the_workflow(project: Project, call: str, why: str) -> None:
    text = f"{STEPS}  - {{name: only, call: leaf, {call}, rules: [{{condition: COMPLETE, next: COMPLETE}}]}}\n"
    machine = project.machine(text, "0.60", _files(leaf=LEAF.replace("NAME", "leaf")))
    assert machine.piece.movements["only"].closed == why


def test_what_a_script_answers_and_nobody_asks_is_reported(project: Project) -> None:
    machine = project.machine(PARENT, "0.60", _files())
    script = read_piece_script('{"answers": {\n"delegate": "ok",\n"child/check": "bad"}}', "s.json", machine.piece)
    assert not isinstance(script, ScriptProblem)
    run = PieceRun(machine)
    run.send(Begin("T"))
    for _position in drive(run, Scripted(script).next_event):
        pass
    [left] = unused_answers(run, script)
    assert left.line == 3
    assert "child/check" in left.message


def test_a_change_of_the_called_file_that_isnt_saved_counts(project: Project) -> None:
    from stepflow_gui.text.source import Source

    agent = project.agent(PARENT, _files())
    path = project.folder / HOME / "child.yaml"
    agent = agent.with_buffers(
        {path: Source(CHILD.replace("name: check", "name: look").replace("next: check", "next: look"))}
    )
    runner = runner_named("takt-0.60")
    assert runner is not None
    piece = piece_in(agent, runner)
    assert not isinstance(piece, PieceRefusal)
    assert list(piece.workflows[f"{HOME}/child.yaml"].movements) == ["plan", "look"]


def test_exploring_goes_through_called_workflows(project: Project) -> None:
    machine = project.machine(PARENT, "0.60", _files())
    found = explore(machine)
    child = f"{HOME}/child.yaml"
    assert RuleAt("delegate", 0) in found.taken
    assert RuleAt("delegate", 2) not in found.taken  # the workflow never returns it
    assert RuleAt("check", 1, child) in found.taken
    assert {"plan", "delegate", "child/plan", "child/check"} == found.reached
    complete = next(end for end in found.endings if end.kind == "complete")
    assert complete.path == ("plan:1", "delegate", "child/plan:1", "child/check:1")
    text = "\n".join(table(machine, found))
    assert "4 of 5 rules are taken." in text
    assert "delegate:3 unused" in text


def test_exploring_tells_callers_apart(project: Project) -> None:
    again = "{condition: retry_plan, next: ABORT}"
    twice = STEPS + "".join(
        f"  - {{name: {name}, call: child, rules: [{{condition: ok, next: {after}}}, {again}]}}\n"
        for name, after in (("one", "two"), ("two", "COMPLETE"))
    )
    found = explore(project.machine(twice, "0.60", _files(CHILD.replace(", {condition: broken, next: ABORT}", ""))))
    assert {end.kind for end in found.endings} == {"complete", "abort_transition"}
    assert not found.endless


def test_loops_of_a_called_workflow_end_the_search(project: Project) -> None:
    endless = CHILD.replace("{condition: good, return: ok}", "{condition: good, next: plan}")
    endless = endless.replace(
        "{condition: bad, return: retry_plan}, {condition: broken, next: ABORT}", "{condition: bad, next: plan}"
    )
    found = explore(project.machine(PARENT, "0.60", _files(endless)))
    assert "child/check" in found.endless


def test_chance_opens_what_it_can(project: Project) -> None:
    run = PieceRun(project.machine(PARENT, "0.60", _files()))
    run.send(Begin("T"))
    for _position in drive(run, Chance(1).next_event):
        pass
    assert "child/plan" in path_of(run)


def test_a_shadow_gets_what_was_returned(project: Project) -> None:
    run = _by_script(project.machine(PARENT, "0.60", _files()), {"child/check": ["bad", "good"]})
    assert parting(run, project.machine(PARENT, "0.50", _files())) is None


def test_a_step_of_a_called_workflow_can_have_a_breakpoint(project: Project) -> None:
    machine = project.machine(PARENT, "0.60", _files())
    assert {"child/plan", "child/check"} <= set(names_in(machine.piece))


def test_only_the_call_itself_is_opened(project: Project) -> None:
    machine = project.machine(PARENT, "0.60", _files())
    state, _happened = machine.step(PieceState(), Begin("T"))
    assert machine.step(state, Entered("plan")) == (state, ())
