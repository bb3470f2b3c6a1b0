"""The HTML report, the JSON and the text of a flow."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import catalogue
from stepflow_gui.bundled import resource
from stepflow_gui.export.formats import FORMATS
from stepflow_gui.export.options import ExportOptions
from stepflow_gui.export.outline_text import outline_lines
from stepflow_gui.export.overlay import Overlay, broken_intents, coverage_overlay, lint_overlay
from stepflow_gui.export.palette import Palette
from stepflow_gui.flow.layout import lay_out
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.configured_lint import lint_as_configured
from stepflow_gui.messages import use_language
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.traces.trace import Trace, read_trace
from tests.flow.flows import flow_of, read

VOID = {"meta", "br", "link", "input"}
SVG = "{http://www.w3.org/2000/svg}"


class Page(HTMLParser):
    """Checks that tags close in order, and gathers them with their attributes and texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def example(name: str) -> AgentFolder:
    found = open_agent(Path(str(resource("examples", name))))
    assert isinstance(found, AgentFolder)
    return found


def findings(agent: AgentFolder) -> list[Diagnostic]:
    found = lint_as_configured(agent.registry.path)
    assert isinstance(found, list)
    return found


def make_text(agent: AgentFolder, format_id: str, options: ExportOptions) -> str:
    return FORMATS[format_id].content(agent, options).decode("utf-8")


def report(name: str, options: ExportOptions | None = None) -> str:
    agent = example(name)
    found = findings(agent)
    return make_text(agent, "html", options or ExportOptions(diagnostics=found, overlay=lint_overlay(agent, found)))


def test_the_report_shows_graph_steps_and_findings_with_their_places() -> None:
    page = Page(report("issue-flow-broken"))
    said = "".join(page.texts)
    agent = example("issue-flow-broken")
    for step in agent.flow.steps.values():
        assert step.id in said
        assert step.title in said
    for found in findings(agent):
        assert found.code in said
        assert found.message in said
        assert f"steps_registry.json:{found.range.start.line}:{found.range.start.column}" in said
    assert "5 errors" in said
    assert any(tag == "svg" for tag, _attributes in page.tags)


def test_the_report_needs_nothing_from_elsewhere_and_no_script() -> None:
    text = report("issue-flow-broken")
    page = Page(text)
    assert not {"script", "link", "img", "iframe", "object", "base"} & {tag for tag, _attributes in page.tags}
    links = [attributes["href"] for _tag, attributes in page.tags if attributes.get("href") is not None]
    places = {f"#{attributes['id']}" for _tag, attributes in page.tags if attributes.get("id")}
    assert links
    assert set(links) <= places
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", text)
    assert not any(name.startswith("on") for _tag, attributes in page.tags for name in attributes)


def test_a_graph_wider_than_the_page_can_be_seen_in_its_size(corpus: Path) -> None:
    assert 'id="full"' not in report("issue-flow-broken")
    agent = open_agent(next(corpus.glob("climpt/iterator/031-*/steps_registry.json")))
    assert isinstance(agent, AgentFolder)
    text = make_text(agent, "html", ExportOptions())
    assert '<input type="checkbox" id="full"><label for="full">Actual size</label>' in text
    assert "#full:checked~.graph svg{max-width:none}" in text


def test_its_look_follows_the_reader_and_is_light_on_paper() -> None:
    text = report("issue-flow-broken")
    rules = text[text.index("<style>") : text.index("</style>")]
    light, dark = (Palette(dark=is_dark) for is_dark in (False, True))
    used = set(re.findall(r"var\(--([\w-]+)\)", text))
    first, dark_rules, print_rules = re.findall(r":root\{([^}]*)\}", rules)
    for declared in (first, dark_rules, print_rules):
        assert used <= set(re.findall(r"--([\w-]+):#", declared))
    assert f"--canvas:{light['canvas']}" in first
    assert f"--canvas:{dark['canvas']}" in dark_rules
    assert f"--canvas:{light['canvas']}" in print_rules
    assert "@media (prefers-color-scheme:dark){:root{" in rules
    assert "@media print{:root{" in rules


@pytest.mark.parametrize("look", ["light", "dark"])
def test_a_look_of_choice_needs_no_variables_in_the_picture(look: str) -> None:
    text = report("issue-flow", ExportOptions("dark" if look == "dark" else "light"))
    picture = text[text.index("<svg") : text.index("</svg>")]
    assert "var(" not in picture
    assert Palette(dark=look == "dark")["surface"] in picture
    assert "prefers-color-scheme" not in text


def test_the_report_speaks_japanese(checkout: Path) -> None:
    catalogue.compile_catalogue(checkout)
    use_language("ja")
    text = report("issue-flow-broken")
    assert '<html lang="ja">' in text
    for word in ("グラフ", "ステップ", "遷移", "出力スキーマ", "指摘", "エラー"):
        assert word in text
    assert not re.search(r">(Graph|Steps|Findings|Kind|Transitions|error|the end)<", text)


@pytest.mark.parametrize("form", [form for form, each in FORMATS.items() if not each.painted])
@pytest.mark.parametrize(
    "name", ["<img src=x onerror=alert(1)>", "</style></svg><script>", "&amp;\u202e\x00", "\ud800"]
)
def test_names_that_would_be_markup_are_texts(form: str, name: str, tmp_path: Path) -> None:
    steps = {name: {"name": name, "transitions": {name: {"target": name + "!"}}, "outputSchemaRef": {"file": name}}}
    registry = {"agentId": name, "version": name, "entryStepMapping": {name: name}, "steps": steps}
    path = tmp_path / "steps_registry.json"
    path.write_text(json.dumps(registry), "utf-8")
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    found = findings(agent)
    text = make_text(agent, form, ExportOptions(diagnostics=found, overlay=lint_overlay(agent, found)))
    if form == "html":
        page = Page(text)
        assert not {"script", "img"} & {tag for tag, _attributes in page.tags}
        text = text[text.index("<svg") : text.index("</svg>") + 6]
    if form in {"html", "svg"}:
        assert not {element.tag for element in ET.fromstring(text).iter()} & {f"{SVG}script", f"{SVG}img"}
    if form == "json":
        assert json.loads(text)["steps"][0]["id"] == name
    assert "\x00" not in text
    assert "\u202e" not in text


def test_the_json_has_what_the_canvas_shows() -> None:
    agent = example("issue-flow-broken")
    found = json.loads(make_text(agent, "json", ExportOptions(diagnostics=findings(agent))))
    assert found["stepflow-flow"] == 1
    assert {"key": "poll:state", "step": "initial.issues", "continuation": False} in found["entries"]
    assert [step["id"] for step in found["steps"]] == list(agent.flow.steps)
    assert [(edge["step"], edge["intent"], edge["to"]) for edge in found["edges"]] == [
        (move.step, move.intent, move.target) for move in agent.flow.moves()
    ]
    assert [edge["to"] for edge in found["edges"] if edge["missing"]] == ["continuation.isue"]
    assert len(found["findings"]) == 5
    assert set(found["findings"][0]) == {"code", "severity", "message", "step", "file", "line", "column"}
    assert "findings" not in json.loads(make_text(agent, "json", ExportOptions()))
    boxes = [step["box"] for step in found["steps"]]
    assert all(box["width"] >= 216 for box in boxes)


def test_positions_that_a_person_gave_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "steps_registry.json"
    flow = flow_of({"initial.a": {"next": "initial.b"}, "initial.b": {"next": None}})
    path.write_text(flow.document.source.text, "utf-8")
    (tmp_path / ".stepflow").mkdir()
    places = {"version": 1, "steps": {"initial.a": [700, 900], "initial.b": [-300, 20]}}
    (tmp_path / ".stepflow" / "steps_registry.layout.json").write_text(json.dumps(places), "utf-8")
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    steps = json.loads(make_text(agent, "json", ExportOptions()))["steps"]
    assert [(step["box"]["x"], step["box"]["y"]) for step in steps] == [(700, 900), (-300, 20)]
    assert 'transform="translate(700 900)"' in make_text(agent, "svg", ExportOptions())


def test_the_text_is_the_same_however_the_file_is_written() -> None:
    flow = flow_of({"initial.b": {"next": "initial.a"}, "initial.a": {"next": {"x": None, "y": "lost"}}}, entry="a")
    value = json.loads(flow.document.source.text)
    value["steps"] = dict(reversed(value["steps"].items()))
    lines = list(outline_lines(flow))
    assert lines == list(outline_lines(read(json.dumps(value, indent=3, sort_keys=True))))
    assert lines[:2] == ["# Stepflow", 'agentId: "made"']
    assert lines[lines.index("step initial.a (work)") :][:4] == [
        "step initial.a (work)",
        "  next: x → ·",
        "  next: y → lost",
        '  c2: "initial"',
    ]
    assert '  structuredGate/allowedIntents: ["next"]' in lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", ["null"]),
        ("[1, [2], {}]", ["0: 1", "1: [2]", "2: {}"]),
        ('{"b": 1, "a": {"/": "x\\n"}}', ['a/~1: "x\\n"', "b: 1"]),
        ('{"steps": {"a": 1, "b": {}}}', ["", "step b", "", "step a", "  1"]),
    ],
)
def test_what_is_no_registry_is_text_too(text: str, lines: list[str]) -> None:
    from stepflow_gui.formats.read import read_flow
    from stepflow_gui.text.document import ParsedFile
    from stepflow_gui.text.source import Source

    assert list(outline_lines(read_flow(ParsedFile.read(Path("x.json"), Source(text))))) == ["# Stepflow", *lines]


def test_findings_lie_over_their_steps() -> None:
    agent = example("issue-flow-broken")
    overlay = lint_overlay(agent, findings(agent))
    assert {step: found.errors for step, found in overlay.found.items()} == {
        "initial.issue": 1,
        "continuation.issue": 2,
        "closure.issue": 1,
    }
    assert overlay.broken == {("initial.issue", "closing"), ("continuation.issue", "handoff")}
    assert list(broken_intents(example("issue-flow"))) == []


def trace_of(agent: AgentFolder, folder: Path) -> Trace:
    from stepflow_gui.cli.main import main

    file = folder / "trace.jsonl"
    script = agent.folder / "flow_tests" / "happy.jsonl"
    assert main(["run", str(agent.folder), "--script", str(script), "--trace", str(file), "--simulate", "-q"]) == 0
    found = read_trace(file)
    assert isinstance(found, Trace)
    return found


def test_coverage_counts_what_runs_went_through(tmp_path: Path) -> None:
    agent = example("issue-flow")
    trace = trace_of(agent, tmp_path)
    overlay = coverage_overlay([trace, trace])
    assert overlay.visits == {"initial.issue": 4, "continuation.issue": 4, "closure.issue": 2}
    assert overlay.taken == {
        ("initial.issue", "repeat", None): 2,
        ("initial.issue", "next", None): 2,
        ("continuation.issue", "next", None): 2,
        ("continuation.issue", "handoff", None): 2,
        ("closure.issue", "closing", None): 2,
    }
    counts = overlay.taken_between(lay_out(agent.flow, {}, loops=True))
    assert sum(counts.values()) == 10


def test_nothing_lies_over_a_picture_unasked() -> None:
    agent = example("issue-flow-broken")
    assert make_text(agent, "svg", ExportOptions()) == make_text(agent, "svg", ExportOptions(overlay=Overlay()))
    assert "errors: " not in make_text(agent, "svg", ExportOptions())
