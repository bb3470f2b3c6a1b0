"""PNG and PDF are what the canvas shows: the same picture, as vectors in a PDF."""

import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from stepflow_gui.bundled import resource
from stepflow_gui.export.formats import FORMATS
from stepflow_gui.export.options import ExportOptions
from stepflow_gui.export.overlay import NO_OVERLAY, FindingCounts, Overlay
from stepflow_gui.export.writing import ExportRefusal
from stepflow_gui.flow.model import is_dynamic
from stepflow_gui.gui.pictures.painting import Sheet, paint
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.flow.flows import chain, flow_of

SVG = "{http://www.w3.org/2000/svg}"
STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)


@pytest.fixture
def example(qtbot: QtBot) -> AgentFolder:
    del qtbot  # the application is there
    found = open_agent(Path(str(resource("examples", "issue-flow"))))
    assert isinstance(found, AgentFolder)
    return found


def agent_of(text: str, folder: Path) -> AgentFolder:
    (folder / "steps_registry.json").write_text(text, "utf-8")
    found = open_agent(folder)
    assert isinstance(found, AgentFolder)
    return found


def png(agent: AgentFolder, *, dark: bool = False, overlay: Overlay | None = None, scale: float = 1.0) -> QImage:
    data = paint(agent, FORMATS["png"], ExportOptions("dark" if dark else "light", scale, overlay or NO_OVERLAY))
    assert isinstance(data, bytes)
    image = QImage.fromData(data)
    assert not image.isNull()
    return image


def pdf(agent: AgentFolder, scale: float = 1.0) -> bytes:
    data = paint(agent, FORMATS["pdf"], ExportOptions(scale=scale))
    assert isinstance(data, bytes)
    return data


def drawn(data: bytes) -> Iterator[bytes]:
    """The contents of a PDF, unpacked."""
    for packed in STREAM.findall(data):
        try:
            yield zlib.decompress(packed)
        except zlib.error:
            yield packed


def page_size(data: bytes) -> tuple[float, float]:
    found = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data)
    assert found
    return float(found[1]), float(found[2])


def near(image: QImage, color: QColor) -> bool:
    """Whether some pixel has the colour."""
    wanted = color.rgb()
    return any(image.pixel(QPoint(x, y)) == wanted for y in range(image.height()) for x in range(image.width()))


@pytest.mark.parametrize("dark", [False, True])
def test_it_is_painted_in_the_colours_of_the_look(dark: bool, example: AgentFolder) -> None:
    image, theme = png(example, dark=dark), Theme(dark)
    assert image.pixelColor(2, 2) == theme.color("canvas")
    for token in ("surface", "work", "closure"):
        assert near(image, theme.color(token))


def test_the_scale_is_the_number_of_pixels(example: AgentFolder) -> None:
    one, two = png(example), png(example, scale=2.5)
    assert (two.width(), two.height()) == (round(one.width() * 2.5), round(one.height() * 2.5))


def test_findings_and_visits_lie_over_it(example: AgentFolder) -> None:
    theme = Theme(dark=False)
    assert not near(png(example), theme.color("error"))
    found = Overlay({"initial.issue": FindingCounts(3)}, frozenset({("initial.issue", "next")}))
    assert near(png(example, overlay=found), theme.color("error"))
    taken = Overlay(visits={"initial.issue": 2}, taken={("initial.issue", "next", None): 1})
    assert near(png(example, overlay=taken), theme.mix("active", "edge", 0.45))


def test_a_pdf_is_one_page_of_vectors(example: AgentFolder) -> None:
    data = pdf(example)
    assert data.startswith(b"%PDF-")
    assert data.count(b"/Type /Page\n") == 1
    assert b"/Subtype /Image" not in data
    assert any(b" c\n" in part for part in drawn(data))  # curves
    assert b"/Type /Font" in data
    width, height = page_size(data)
    image = png(example)
    assert (width, height) == pytest.approx((image.width() * 0.75, image.height() * 0.75), abs=1)
    assert page_size(pdf(example, 2.0)) == pytest.approx((2 * width, 2 * height), abs=1)


def test_it_stands_where_a_person_put_it(tmp_path: Path, qtbot: QtBot) -> None:
    flow = flow_of({"initial.a": {"next": "initial.b"}, "initial.b": {"next": None}})
    before = png(agent_of(flow.document.source.text, tmp_path))
    (tmp_path / ".stepflow").mkdir()
    places = {"version": 1, "steps": {"initial.a": [0, 0], "initial.b": [2000, 0]}}
    (tmp_path / ".stepflow" / "steps_registry.layout.json").write_text(json.dumps(places), "utf-8")
    after = png(agent_of(flow.document.source.text, tmp_path))
    assert before.width() < 800
    assert after.width() > 2200


def test_large_flows_fit_a_page_and_not_any_image(tmp_path: Path, qtbot: QtBot) -> None:
    agent = agent_of(chain(400).document.source.text, tmp_path)
    assert max(page_size(pdf(agent))) <= 14_400
    assert isinstance(paint(agent, FORMATS["png"], ExportOptions(scale=20)), ExportRefusal)


def test_a_registry_without_steps_is_an_empty_picture(tmp_path: Path, qtbot: QtBot) -> None:
    agent = agent_of('{"steps": {}}', tmp_path)
    assert png(agent).width() == 320
    assert pdf(agent).startswith(b"%PDF-")


def svg_of(agent: AgentFolder, overlay: Overlay) -> ET.Element:
    return ET.fromstring(FORMATS["svg"].content(agent, ExportOptions(overlay=overlay)))


@pytest.mark.parametrize("number", [0, 9, 19, 26])
def test_the_svg_shows_the_same_as_the_canvas(number: int, corpus: Path, qtbot: QtBot) -> None:
    """Badges, broken and dynamic pills, dead edges, grounds, entries in use: counted on both."""
    found = open_agent(sorted(corpus.glob("climpt/iterator/*/steps_registry.json"))[number])
    assert isinstance(found, AgentFolder)
    steps = list(found.flow.steps.values())
    broken = frozenset((step.id, rule.intent) for step in steps[::3] for rule in step.transitions[:1])
    overlay = Overlay({step.id: FindingCounts(1, 2) for step in steps[::2]}, broken)
    sheet = Sheet(found, ExportOptions(overlay=overlay))
    scene = sheet.scene
    picture = svg_of(found, overlay)
    light = Theme(dark=False)
    rects = [element.attrib for element in picture.iter(f"{SVG}rect")]
    paths = [element.attrib for element in picture.iter(f"{SVG}path") if element.attrib.get("fill") == "none"]
    dashed = [rect for rect in rects if "stroke-dasharray" in rect]
    pills = [(item.step, pill.intent, item.broken) for item in scene.steps() for pill in item.measured.pills]
    odd = [
        intent for step, intent, wrong in pills if intent in wrong or (intent is not None and is_dynamic(step, intent))
    ]
    ghosts = [node for node in scene.nodes if node.kind == "ghost"]
    assert len(dashed) == len(odd) + len(ghosts)
    assert sum("stroke-dasharray" in path for path in paths) == sum(edge.dead for edge in scene.edges.values())
    assert sum(rect.get("fill") == light.hex("error") for rect in rects) == len(overlay.found)
    grounds = {
        light.mix(token, "canvas", 0.1).name().upper() for token in ("accent", "closure", "verification", "work")
    }
    regions = [step.id for step in steps if scene.regions.region_of(step.id) is not None]
    marked = [node for node in scene.entries if scene.regions.region_of(node.name) is not None]
    assert sum(rect.get("fill") in grounds for rect in rects) == len(regions) + len(marked)
    sheet.close()
