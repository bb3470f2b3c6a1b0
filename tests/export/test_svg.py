"""The picture of a flow as an SVG file."""

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from stepflow_gui.export.card import MAX_WIDTH, MIN_WIDTH, card_of
from stepflow_gui.export.overlay import FindingCounts, Overlay
from stepflow_gui.export.palette import Palette
from stepflow_gui.export.svg import flow_svg
from tests.conftest import Thin
from tests.flow.flows import Ways, flow_of, read

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


def test_everything_of_a_flow_is_in_the_picture() -> None:
    found = texts(flow_svg(FLOW))
    for text in ("Name of initial.issue", "initial.issue", "work", "closure", "section", "poll:state", "lost"):
        assert text in found
    assert found.count("next") == 1  # the pill says it, the edge needs no label
    assert found.count("closing") == 1


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
    light, dark = flow_svg(FLOW), flow_svg(FLOW, palette=Palette(dark=True))
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
    picture = flow_svg(flow, overlay=Overlay({name: FindingCounts(errors=200)}))
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


def test_findings_are_badges_and_broken_intents_dashed() -> None:
    overlay = Overlay(
        {
            "initial.issue": FindingCounts(2, 1),
            "closure.issue": FindingCounts(0, 5, 1),
            "section.context": FindingCounts(0, 0, 3),
        },
        frozenset({("initial.issue", "jump"), ("initial.issue", "next")}),
    )
    plain, marked = flow_svg(FLOW), flow_svg(FLOW, overlay=overlay)
    assert set(texts(marked)) - set(texts(plain)) == {"2", "5", "3"}
    assert marked.count("stroke-dasharray") == plain.count("stroke-dasharray") + 4  # two pills and their edges
    assert any("errors: 2, warnings: 1" in title for title in titles(marked))
    for token in ("error", "warning", "info"):
        assert Palette(dark=False)[token] in marked


def test_how_often_runs_went_where_is_counted_and_tinted() -> None:
    overlay = Overlay(
        visits={"initial.issue": 4, "closure.issue": 1},
        taken={("initial.issue", "next", None): 3, ("initial.issue", "repeat", None): 1},
    )
    plain, marked = flow_svg(FLOW), flow_svg(FLOW, overlay=overlay)
    assert set(texts(marked)) - set(texts(plain)) == {"×4", "next ×3"}
    for share in (0.45, 0.75):  # once, and often
        assert Palette(dark=False).mix("active", "edge", share) in marked


def test_an_intent_that_the_gate_never_lets_through_is_dashed() -> None:
    registry = json.loads(FLOW.document.source.text)
    registry["steps"]["initial.issue"]["structuredGate"]["allowedIntents"] = ["next", "jump"]
    assert (
        flow_svg(read(json.dumps(registry))).count("stroke-dasharray") == flow_svg(FLOW).count("stroke-dasharray") + 1
    )


def test_a_jump_that_the_answer_names_has_a_dashed_pill() -> None:
    registry = json.loads(FLOW.document.source.text)
    gate = registry["steps"]["closure.issue"]["structuredGate"]
    gate["allowedIntents"].append("jump")
    before = flow_svg(read(json.dumps(registry))).count("stroke-dasharray")
    gate["targetField"] = "target"
    assert flow_svg(read(json.dumps(registry))).count("stroke-dasharray") == before + 1


def test_steps_that_one_of_several_entries_reaches_stand_on_a_ground() -> None:
    ways: dict[str, Ways] = {
        "initial.a": {"next": "closure.c"},
        "initial.b": {"next": "closure.c"},
        "closure.c": {"closing": None},
    }
    flow = flow_of(ways, entries={"poll:state": "initial.a", "count:iteration": "initial.b"})
    light = Palette(dark=False)
    picture = flow_svg(flow)
    assert light.mix("accent", "canvas", 0.1) in picture
    assert light.mix("closure", "canvas", 0.1) in picture


def test_an_entry_of_another_verdict_type_is_muted() -> None:
    flow = flow_of({"initial.a": {}, "initial.b": {}}, entries={"poll:state": "initial.a", "x": "initial.b"})
    hollow = f'fill="{Palette(dark=False)["canvas"]}" stroke="{Palette(dark=False)["accent"]}"'
    assert flow_svg(flow, verdict="poll:state").count(hollow) == 1
    assert flow_svg(flow).count(hollow) == 0


def test_a_scale_makes_it_larger_and_changes_nothing_in_it() -> None:
    one, two = (ET.fromstring(flow_svg(FLOW, scale=scale)) for scale in (1, 2.5))
    assert float(two.attrib["width"]) == pytest.approx(2.5 * float(one.attrib["width"]), abs=0.1)
    assert one.attrib["viewBox"] == two.attrib["viewBox"]
    assert [path.attrib for path in one.iter(f"{SVG}path")] == [path.attrib for path in two.iter(f"{SVG}path")]


def test_a_registry_without_steps_reports_it() -> None:
    assert texts(flow_svg(read("[]"))) == ["This registry has no steps."]


def test_every_real_registry_gives_a_well_formed_picture(corpus: Path, thin: Thin) -> None:
    """One in three; --full: each."""
    for path in thin(sorted(corpus.glob("climpt/*/*/steps_registry.json")), 3):
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
