"""The picture of a flow as an SVG file."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from stepflow_gui.export.card import MAX_WIDTH, MIN_WIDTH, card_of
from stepflow_gui.export.palette import Palette
from stepflow_gui.export.svg import RunMarks, StepMarks, flow_svg
from stepflow_gui.flow.layout import NodeId
from tests.flow.flows import flow_of, read

SVG = "{http://www.w3.org/2000/svg}"
FLOW = flow_of(
    {
        "initial.issue": {"next": "closure.issue", "repeat": "initial.issue", "jump": "lost"},
        "closure.issue": {"closing": None},
        "section.context": {},
    },
    entries={"poll:state": "initial.issue"},
)


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter(f"{SVG}text")]


def titles(picture: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter(f"{SVG}title")]


def test_everything_a_flow_says_is_in_the_picture() -> None:
    found = texts(flow_svg(FLOW))
    for text in ("Name of initial.issue", "initial.issue", "work", "closure", "section", "poll:state", "lost"):
        assert text in found
    assert found.count("next") == 2  # the edge and the pill
    assert found.count("closing") == 2


def test_the_picture_refers_to_nothing_outside(corpus: Path) -> None:
    text = (corpus / "climpt/iterator/031-06e570d/steps_registry.json").read_text("utf-8")
    picture = flow_svg(read(text))
    assert "href" not in picture
    assert "url(" not in picture
    assert "currentColor" not in picture
    assert not {element.tag for element in ET.fromstring(picture).iter()} - {
        f"{SVG}{name}" for name in ("svg", "title", "g", "rect", "circle", "path", "text")
    }


def test_light_and_dark_take_their_colours_from_the_tokens() -> None:
    light, dark = flow_svg(FLOW), flow_svg(FLOW, dark=True)
    for token in ("canvas", "surface", "work", "closure", "accent", "error"):
        assert Palette(dark=False)[token] in light
        assert Palette(dark=True)[token] in dark
        assert Palette(dark=True)[token] not in light


@pytest.mark.parametrize(
    "name",
    ["<b>&\"'", "a\u0000\u001b[31m\nb", "x" * 300, "\ud800 lone", "\u202eturned", "日本語のステップ" * 20, "]]>"],
)
def test_odd_names_break_nothing_and_fit_their_card(name: str) -> None:
    flow = flow_of({name: {name: "initial.b", "next": name + "!"}, "initial.b": {}}, entries={name: name})
    picture = flow_svg(flow, marks={name: StepMarks(errors=200)})
    picture.encode("utf-8")
    assert ET.fromstring(picture).tag == f"{SVG}svg"
    card = card_of(flow.steps[name])
    assert MIN_WIDTH <= card.width <= MAX_WIDTH
    assert all(pill.x + pill.width <= card.width for pill in card.pills)
    assert max(len(text) for text in texts(picture)) < 70


def test_long_ids_keep_their_beginning_and_end() -> None:
    flow = flow_of({"initial." + "x" * 300 + ".last": {}})
    (caption,) = [text for text in texts(flow_svg(flow)) if text.startswith("initial.x") and "…" in text]
    assert caption.endswith(".last")


def test_more_intents_than_fit_are_counted() -> None:
    flow = flow_of({"initial.a": {f"intent-number-{number}": None for number in range(9)}})
    shown = [text for text in texts(flow_svg(flow)) if text.startswith("+")]
    pills = card_of(flow.steps["initial.a"]).pills
    assert shown == [f"+{9 - (len(pills) - 1)}"]


def test_findings_and_a_run_can_be_marked() -> None:
    taken = {(NodeId("step", "initial.issue"), NodeId("step", "closure.issue")): 3}
    marks = {
        "initial.issue": StepMarks(errors=2, warnings=1, broken=frozenset({"jump"}), visits=4),
        "closure.issue": StepMarks(warnings=5),
    }
    plain, marked = flow_svg(FLOW), flow_svg(FLOW, marks=marks, run=RunMarks("closure.issue", taken))
    new = set(texts(marked)) - set(texts(plain))
    assert new == {"2", "5", "×4", "next ×3"}
    assert Palette(dark=False)["active"] in marked
    assert any("errors: 2" in title for title in titles(marked))


def test_a_registry_without_steps_says_so() -> None:
    assert texts(flow_svg(read("[]"))) == ["This registry has no steps."]


def test_every_real_registry_gives_a_well_formed_picture(corpus: Path) -> None:
    for path in sorted(corpus.glob("climpt/*/*/steps_registry.json")):
        flow = read(path.read_text("utf-8"))
        picture = flow_svg(flow)
        assert len(titles(picture)) >= len(flow.steps), path


def test_a_picture_is_made_without_qt(checkout: Path) -> None:
    code = (
        "import sys\nfrom stepflow_gui.export.svg import flow_svg\nfrom tests.flow.flows import chain\n"
        "flow_svg(chain(3))\nprint([name for name in sys.modules if name.startswith(('PySide6', 'numpy'))])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=checkout)
    assert run.stdout.strip() == "[]"


def test_qt_draws_the_picture() -> None:
    svg = pytest.importorskip("PySide6.QtSvg")
    renderer = svg.QSvgRenderer(flow_svg(FLOW).encode("utf-8"))
    assert renderer.isValid()
    assert renderer.defaultSize().width() > 300
