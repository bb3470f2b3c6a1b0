"""Pictures of flows with checks and of staged flows: cards, signs, lines and bands."""

import re
from xml.etree import ElementTree as ET

from stepflow_gui.export.card import HEIGHT, card_of
from stepflow_gui.export.svg import flow_svg
from stepflow_gui.flow.layout import lay_out
from stepflow_gui.formats.read import read_flow
from tests.formats.test_shapes import document_of
from tests.seeds.documents import CHECKS, COMPLETE

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter(f"{SVG}text")]


def test_a_card_shows_what_judges_the_step() -> None:
    flow = read_flow(document_of(CHECKS))
    card = card_of(flow.steps["s_a8f3"])
    assert [row.text for row in card.rows] == ["checks/step/analyze · ok|ng"]
    assert card.size.height == card.height > HEIGHT
    assert "checks/step/analyze · ok|ng" in texts(flow_svg(flow))
    assert card_of(read_flow(document_of(COMPLETE)).steps["initial.issue"]).height == HEIGHT


def test_outcomes_differ_without_colour() -> None:
    picture = flow_svg(read_flow(document_of(CHECKS)))
    assert (
        len(re.findall(r'stroke-width="1.8"/>', picture)) == 5
    )  # three passed, two failed; what comes back is on its pill
    assert len(re.findall(r'stroke-dasharray="11.2 4 1.92 4"', picture)) == 2  # the two that fall back
    assert "1.8" not in flow_svg(read_flow(document_of(COMPLETE)))


def test_stages_are_bands_with_names_inside_the_picture() -> None:
    flow = read_flow(document_of(COMPLETE))
    picture = flow_svg(flow)
    assert [text for text in texts(picture) if text in {"initial", "continuation", "complete"}][:3] == [
        "initial",
        "continuation",
        "complete",
    ]
    root = ET.fromstring(picture)
    left, top, width, height = (float(number) for number in (root.get("viewBox") or "").split())
    for rect in root.findall(f"{SVG}rect")[1:4]:
        x, y = float(rect.get("x") or 0), float(rect.get("y") or 0)
        assert left <= x
        assert top <= y
        assert x + float(rect.get("width") or 0) <= left + width
        assert y + float(rect.get("height") or 0) <= top + height


def test_labels_keep_their_room() -> None:
    flow = read_flow(document_of(CHECKS))
    picture = flow_svg(flow)
    plain = lay_out(flow, {})
    assert {route.label for route in plain.routes} <= set(texts(picture))
