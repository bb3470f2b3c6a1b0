"""Every real registry, of whatever shape, opens, is laid out, drawn and linted without a crash or a false error."""

import json
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from stepflow_gui.export.svg import flow_svg
from stepflow_gui.flow.layout import NodeId, lay_out
from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.vocabulary import GATE_FORMATS, REGISTRY_FORMATS
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.rule import GATE, judged_as
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.conftest import Thin
from tests.real_agents import linted, opened

UNDOCUMENTED = frozenset(REGISTRY_FORMATS) - {*GATE_FORMATS, "checks"}


def registries(corpus: Path) -> list[Path]:
    """84 snapshots, and both sides of 31 fixes."""
    return sorted((corpus / "climpt").rglob("steps_registry.json"))


# What is so in those files: a step's or a validator's words that climpt of then didn't take either.
TRUE_WARNINGS = {"SF106", "SF204", "SF317", "SF607", "SF608"}


def undocumented(corpus: Path) -> list[Path]:
    return [registry for registry in registries(corpus) if opened(registry).format in UNDOCUMENTED]


def test_all_of_them_take_part(corpus: Path) -> None:
    found = Counter(opened(registry).format for registry in registries(corpus))
    assert found.total() == 84 + 2 * 31
    assert found.keys() == frozenset(REGISTRY_FORMATS) - {"checks", "gateless"}


def test_every_registry_opens_is_drawn_and_linted(corpus: Path, thin: Thin) -> None:
    """One in six; --full: each."""
    for registry in thin(registries(corpus), 6):
        agent = opened(registry)
        flow = agent.flow
        assert flow.steps, registry
        drawn = lay_out(flow, {}, loops=True)
        assert list(drawn.steps) == list(flow.steps)
        assert edges(flow) == Counter(
            (route.source, move.intent, move.case, route.target.kind == "end" or route.target)
            for route in drawn.routes
            for move in route.moves
        )
        assert {mark.target for mark in drawn.entries} == {
            node(flow, entry.target.value) for entry in flow.entries if entry.target
        }
        picture = ET.fromstring(flow_svg(flow))
        written = "".join(picture.itertext())
        assert all(step.title.split()[0] in written for step in flow.steps.values()), registry
        for diagnostic in linted(registry):
            assert diagnostic.format == agent.format


def node(flow: Flow, name: str) -> NodeId:
    return NodeId("step" if name in flow.steps else "ghost", name)


def edges(flow: Flow) -> Counter[tuple[NodeId, str, str | None, NodeId | bool]]:
    return Counter(
        (
            NodeId("step", move.step),
            move.intent,
            move.case,
            True if move.target is None else node(flow, move.target),
        )
        for move in flow.moves()
    )


def of_severity(diagnostics: list[Diagnostic], *severities: str) -> list[str]:
    return [f"{each.code} {each.pointer}" for each in diagnostics if each.severity in severities]


def test_shapes_that_no_guide_describes_get_one_note_and_no_more(corpus: Path) -> None:
    found = undocumented(corpus)
    assert len(found) > 40
    for registry in found:
        diagnostics = linted(registry)
        assert [each.code for each in diagnostics].count("SF011") == 1, registry
        if judged_as(opened(registry).format or "") in GATE:
            continue  # which is checked in full
        assert of_severity(diagnostics, "error") == [], registry
        about_registry = [each for each in diagnostics if each.file == registry]  # agent.json is judged by itself
        assert {each.code for each in about_registry if each.severity == "warning"} <= TRUE_WARNINGS, registry


def test_the_note_stands_where_the_shape_shows(corpus: Path) -> None:
    places = {
        "prompt-path": "steps",
        "flow-array": "flow",
        "c3l-completion": "completion",
        "c3l-flat": "steps",
        "transitions-only": "steps",
        "entry-pair": "entryStepMapping",
        "adt-kind-address": "steps",
    }
    for registry in undocumented(corpus):
        agent = opened(registry)
        (note,) = (each for each in linted(registry) if each.code == "SF011")
        assert agent.format is not None
        assert note.severity == "info"
        assert (note.pointer or "").startswith(f"/{places[agent.format]}"), registry
        text = agent.registry.source.text
        marked = json.loads(text[note.range.start.offset : note.range.end.offset])
        assert note.pointer == f"/{marked}"


def test_documented_formats_get_no_note(corpus: Path, thin: Thin) -> None:
    """One registry in three; --full: each."""
    for registry in thin(registries(corpus), 3):
        if opened(registry).format in GATE_FORMATS:
            assert "SF011" not in {each.code for each in linted(registry)}


@pytest.mark.parametrize("format_id", sorted(REGISTRY_FORMATS))
def test_any_registry_read_as_any_format_neither_crashes_nor_loses_a_step(
    format_id: str, corpus: Path, full: bool
) -> None:
    """A person may choose the format by hand. One registry in 21, others for each format; --full: one in seven."""
    first = 7 * (sorted(REGISTRY_FORMATS).index(format_id) % 3)
    for registry in registries(corpus)[::7] if full else registries(corpus)[first::21]:
        agent = open_agent(registry, format_id=format_id)
        assert isinstance(agent, AgentFolder)
        assert agent.format == format_id
        assert list(agent.flow.steps) == list(opened(registry).flow.steps)
        lay_out(agent.flow, {})
        lint(agent)
