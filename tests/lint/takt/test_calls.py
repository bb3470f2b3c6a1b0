"""T032: calls of workflows that a run can't follow."""

from pathlib import Path

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent

STEP = "  - {{name: s{}, call: {}, rules: [{{condition: COMPLETE, next: {}}}]}}\n"
LEAF = "name: leaf\nsubworkflow: {callable: true}\nsteps:\n  - {name: only, rules: [{condition: ok, next: COMPLETE}]}\n"


def _calling(*called: str, callable_: str = "true") -> str:
    steps = (
        STEP.format(at, name, f"s{at + 1}" if at + 1 < len(called) else "COMPLETE") for at, name in enumerate(called)
    )
    return f"name: x\nsubworkflow: {{callable: {callable_}}}\nsteps:\n" + "".join(steps)


def _found(home: Path, files: dict[str, str], *, runtime: str = "takt-0.60") -> list[tuple[str, str]]:
    """The severity and text of each finding about the file `x`."""
    folder = home / ".takt" / "workflows"
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)
    agent = open_agent(folder / "x.yaml")
    assert isinstance(agent, AgentFolder)
    return [(each.severity, each.message) for each in lint(agent, LintSettings(runtime)) if each.code == "T032"]


@pytest.mark.parametrize("name", ["leaf", "./leaf.yaml"])
def test_a_call_that_works_has_no_finding(name: str, tmp_path: Path) -> None:
    assert _found(tmp_path, {"x": _calling(name), "leaf": LEAF}) == []


@pytest.mark.parametrize(
    ("leaf", "why"),
    [
        (f"{LEAF}  - {{name: [\n", "which has a syntax error in line 6: TAKT 0.60 can't run it"),
        (LEAF.replace("true", "false"), "whose “subworkflow.callable” isn't true: TAKT 0.60 doesn't run it"),
        (
            LEAF.replace("subworkflow: {callable: true}\n", ""),
            "whose “subworkflow.callable” isn't true: TAKT 0.60 doesn't run it",
        ),
        ("colour: red\n", "which isn't a workflow: TAKT 0.60 can't run it"),
    ],
)
def test_a_called_file_that_cant_be_opened(leaf: str, why: str, tmp_path: Path) -> None:
    assert _found(tmp_path, {"x": _calling("leaf"), "leaf": leaf}) == [("warning", f"“s0” calls “leaf”, {why}")]


GIVEN = LEAF.replace("true}", "true, params: {style: {type: facet_ref, facet_kind: policy}}}")


@pytest.mark.parametrize(
    ("args", "runtime", "found"),
    [("{style: x}", "takt-0.60", 0), ("{stile: x}", "takt-0.60", 1), ("{stile: x}", "takt-0.36", 0)],
)
def test_an_argument_without_a_parameter(args: str, runtime: str, found: int, tmp_path: Path) -> None:
    text = _calling("leaf").replace("call: leaf", f"call: leaf, args: {args}")
    leaf = GIVEN if runtime != "takt-0.36" else LEAF
    texts = [each for _severity, each in _found(tmp_path, {"x": text, "leaf": leaf}, runtime=runtime)]
    wrong = "“s0” gives “leaf” the argument “stile”, which isn't one of its parameters: TAKT 0.60 can't run it"
    assert texts == [wrong] * found


def test_a_call_of_itself_and_calls_that_lead_back(tmp_path: Path) -> None:
    files = {"x": _calling("x", "a", "b"), "a": _calling("leaf", "b"), "b": _calling("x"), "leaf": LEAF}
    assert [text.partition(": TAKT")[0] for _severity, text in _found(tmp_path, files)] == [
        "“s0” calls its own workflow",
        "“s1” calls “a”, which calls this file again (x.yaml → a.yaml → b.yaml → x.yaml)",
        "“s2” calls “b”, which calls this file again (x.yaml → b.yaml → x.yaml)",
    ]


def test_a_circle_of_others_is_told_in_those(tmp_path: Path) -> None:
    assert _found(tmp_path, {"x": _calling("a"), "a": _calling("b"), "b": _calling("a")}) == []


@pytest.mark.parametrize(("length", "found"), [(4, 0), (5, 1), (30, 1)])
def test_calls_that_go_too_deep(length: int, found: int, tmp_path: Path) -> None:
    chain = {f"w{at}": _calling(f"w{at + 1}") for at in range(length - 1)} | {f"w{length - 1}": LEAF}
    texts = [text for _severity, text in _found(tmp_path, {"x": _calling("w0"), **chain})]
    assert len(texts) == found
    assert all("x.yaml → w0.yaml → w1.yaml → w2.yaml → w3.yaml → w4.yaml" in text for text in texts)


def test_what_leads_out_of_the_project_is_mentioned(tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere.yaml"
    outside.write_text(LEAF)
    home = tmp_path / "project"
    (home / ".git").mkdir(parents=True)
    found = _found(home, {"x": _calling("../../../elsewhere.yaml")})
    assert found == [
        ("info", "“s0” calls “../../../elsewhere.yaml”, which is outside the project: what it calls isn't checked")
    ]


def test_a_link_that_leads_out_of_the_project_is_mentioned(tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere.yaml"
    outside.write_text(LEAF)
    home = tmp_path / "project"
    (home / ".git").mkdir(parents=True)
    folder = home / ".takt" / "workflows"
    folder.mkdir(parents=True)
    (folder / "linked.yaml").symlink_to(outside)
    (folder / "x.yaml").write_text(_calling("linked"))
    agent = open_agent(folder / "x.yaml")
    assert isinstance(agent, AgentFolder)
    [found] = [each for each in lint(agent, LintSettings("takt-0.60")) if each.code == "T032"]
    assert found.severity == "info"


@pytest.mark.parametrize(("runtime", "found"), [("takt-0.50", 0), ("takt-0.51", 1)])
def test_sub_steps_call_since_0_51(runtime: str, found: int, tmp_path: Path) -> None:
    text = (
        "name: x\nsteps:\n  - name: all\n    parallel:\n      - {name: one, call: leaf, rules: [{condition: ok}]}\n"
        "    rules: [{condition: 'all(\"ok\")', next: COMPLETE}]\n"
    )
    assert len(_found(tmp_path, {"x": text, "leaf": LEAF.replace("true", "false")}, runtime=runtime)) == found
