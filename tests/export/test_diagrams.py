"""Mermaid and DOT: the guide's diagrams edge by edge; they read again to the same edges whatever is in them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.export.diagram import diagram_of
from stepflow_gui.export.dot import dot_text
from stepflow_gui.export.mermaid import mermaid_text
from stepflow_gui.export.palette import Palette
from stepflow_gui.flow.layout.captions import visible
from stepflow_gui.flow.layout.dimensions import label_of
from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.read import read_flow
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.export.diagrams import Edge, dot_edges, mermaid_edges, mermaid_groups
from tests.flow.flows import Ways, chain, flow_of
from tests.seeds import guide
from tests.seeds.test_guide import opened

LIGHT = Palette(dark=False)
END = "End"


def mermaid(flow: Flow, verdict: str | None = None, *, checks: bool = True) -> str:
    return mermaid_text(diagram_of(flow, verdict, checks=checks), LIGHT)


def dot(flow: Flow, verdict: str | None = None, *, checks: bool = True) -> str:
    return dot_text(diagram_of(flow, verdict, checks=checks), LIGHT)


def both(flow: Flow, verdict: str | None = None) -> set[Edge]:
    """The edges, which both formats must have alike."""
    edges = mermaid_edges(mermaid(flow, verdict))
    assert dot_edges(dot(flow, verdict)) == edges
    assert len(set(edges)) == len(edges)
    return set(edges)


def test_the_simple_pattern_of_the_guide() -> None:
    assert both(opened(guide.SIMPLE)) == {
        ("initial.issue", "next", "continuation.issue"),
        ("continuation.issue", "next", "continuation.issue"),
        ("continuation.issue", "handoff", "closure.issue"),
        ("closure.issue", "closing", END),
        ("initial.issue", "repeat", "initial.issue"),
        ("closure.issue", "repeat", "closure.issue"),
    }


def test_the_project_pattern_of_the_guide() -> None:
    preparation, review, again = "project.preparation", "project.review", "project.again"
    assert both(opened(guide.PROJECT)) == {
        (f"initial.{preparation}", "next", f"continuation.{preparation}"),
        (f"initial.{preparation}", "handoff", f"initial.{review}"),
        (f"continuation.{preparation}", "next", f"continuation.{preparation}"),
        (f"continuation.{preparation}", "handoff", f"initial.{review}"),
        (f"initial.{review}", "next", f"continuation.{review}"),
        (f"initial.{review}", "repeat", f"initial.{again}"),
        (f"initial.{review}", "handoff", "initial.project.closure"),
        (f"continuation.{review}", "next", f"continuation.{review}"),
        (f"continuation.{review}", "repeat", f"initial.{again}"),
        (f"continuation.{review}", "handoff", "initial.project.closure"),
        (f"initial.{again}", "next", f"continuation.{again}"),
        (f"initial.{again}", "handoff", f"initial.{review}"),
        (f"continuation.{again}", "handoff", f"initial.{review}"),
        ("initial.project.closure", "closing", END),
    }


def test_the_retry_pattern_of_the_guide() -> None:
    flow = opened(guide.VALIDATED)
    assert both(flow, "poll:state") == {
        ("continuation.issue", "handoff", "closure.issue"),
        ("closure.issue", "validator: git-clean", "git-clean?"),
        ("git-clean?", "pass", "type-check?"),
        ("git-clean?", "fail", "failure pattern: git-dirty"),
        ("failure pattern: git-dirty", "edition=failed, adaptation=git-dirty", "retry with f_failed_git-dirty.md"),
        ("retry with f_failed_git-dirty.md", "", "continuation.issue"),
        ("type-check?", "pass", END),
        ("type-check?", "fail", "failure pattern: type-error"),
        ("failure pattern: type-error", "edition=failed, adaptation=type-error", "retry with f_failed_type-error.md"),
        ("retry with f_failed_type-error.md", "", "continuation.issue"),
    }
    assert mermaid_edges(mermaid(flow, "poll:state", checks=False)) == [
        ("continuation.issue", "handoff", "closure.issue"),
        ("closure.issue", "closing", END),
    ]


def test_steps_of_hashed_ids_are_reported_by_their_names() -> None:
    text = (Path(__file__).parent.parent / "seeds" / "checks" / "steps_registry.json").read_text("utf-8")
    flow = read_flow(ParsedFile.read(Path("steps_registry.json"), Source(text)))
    first, second, third = (f"{step.title} ({step.id})" for step in flow.steps.values())
    assert first != "s_a8f3 (s_a8f3)"
    assert both(flow) == {
        (first, "pass", second),
        (first, "retry (max 2)", first),
        (second, "pass", third),
        (second, "fallback", first),
        (third, "pass", END),
        (third, "fallback", second),
    }


def expected(flow: Flow) -> list[Edge]:
    return [
        (visible(move.step), label_of(move), END if move.target is None else visible(move.target))
        for move in flow.moves()
    ]


NAMES = st.text(st.characters(), min_size=1, max_size=12).filter(str.strip)


@given(st.dictionaries(NAMES, st.dictionaries(NAMES, NAMES | st.none(), max_size=3), max_size=5))
def test_they_read_again_to_the_same_edges(steps: dict[str, dict[str, str | None]]) -> None:
    flow = flow_of(steps)
    edges = [tuple(text or " " for text in edge) for edge in expected(flow)]
    for text, read in ((mermaid(flow, checks=False), mermaid_edges), (dot(flow, checks=False), dot_edges)):
        text.encode("utf-8")
        assert [tuple(part or " " for part in edge) for edge in read(text)] == edges


@pytest.mark.parametrize(
    "name",
    ['a"] --> n0; click n0 "javascript:x"', "]]--x", "%%{init: {}}%%", "<script>", "\\N\\", "`md`", "end", "a;b"],
)
def test_no_name_is_anything_but_a_text(name: str) -> None:
    flow = flow_of({name: {name: name, "next": {name: None}}}, entries={name: name})
    assert mermaid_edges(mermaid(flow)) == expected(flow)
    assert dot_edges(dot(flow)) == expected(flow)
    assert "<" not in mermaid(flow)


def test_a_missing_step_and_cases_are_shown() -> None:
    flow = flow_of({"initial.a": {"next": {"x": "lost", "y": None}}})
    assert both(flow) == {("initial.a", "next: x", "lost"), ("initial.a", "next: y", END)}
    assert '["lost"]:::ghost' in mermaid(flow)
    assert 'label="lost", shape="box", color="#C62828"' in dot(flow)


def test_entries_and_sections_are_groups() -> None:
    ways: dict[str, Ways] = {
        "initial.a": {"next": "closure.c"},
        "initial.b": {"next": "closure.c"},
        "closure.c": {"closing": None},
        "section.s": {},
    }
    flow = flow_of(ways, entries={"poll:state": "initial.a", "count:iteration": "initial.b"})
    assert mermaid_groups(mermaid(flow)) == {
        "poll:state": ["initial.a"],
        "count:iteration": ["initial.b"],
        "Prompt sections": ["section.s"],
    }
    assert dot(flow).count("subgraph cluster_") == 3
    assert "    class n0,n1 entry" in mermaid(flow)


def test_every_real_registry_reads_again(corpus: Path) -> None:
    from tests.flow.flows import read

    for path in sorted(corpus.glob("climpt/*/*/steps_registry.json")):
        flow = read(path.read_text("utf-8"))
        assert mermaid_edges(mermaid(flow, checks=False)) == expected(flow), path
        assert dot_edges(dot(flow, checks=False)) == expected(flow), path


def test_a_thousand_steps() -> None:
    assert len(mermaid_edges(mermaid(chain(1000)))) == 2000
