"""Pictures of TAKT pieces: the text of a movement's card, its sub-steps, its monitors, both ends."""

from pathlib import Path

import pytest

from stepflow_gui.export.card import HEIGHT, ROW, card_of
from stepflow_gui.export.diagram import BAD_END, diagram_of
from stepflow_gui.export.dot import dot_text
from stepflow_gui.export.mermaid import mermaid_text
from stepflow_gui.export.outline_text import outline_text
from stepflow_gui.export.palette import Palette
from stepflow_gui.export.svg import flow_svg
from stepflow_gui.flow.layout import Layout, lay_out
from stepflow_gui.flow.layout.arcs import arcs_of
from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.read import read_flow
from stepflow_gui.formats.step_card import kind_name, kind_of, sign_of
from stepflow_gui.messages import use_language
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source

PIECE = """
name: drawn
personas: {coder: coder.md}
movements:
  - name: work
    persona: coder
    policy: [coding, testing]
    edit: true
    permission_mode: edit
    rules:
      - {condition: done, next: reviewers}
      - {condition: unclear, next: work, requires_user_input: true}
      - {condition: stop, next: ABORT}
  - name: reviewers
    parallel:
      - {name: style, persona: stylist, rules: [{condition: ok}]}
      - {name: safety, rules: [{condition: ok}]}
    rules:
      - {condition: all("ok"), next: COMPLETE}
      - {condition: any("bad"), next: work}
loop_monitors:
  - cycle: [work, reviewers]
    threshold: 2
    judge: {rules: [{condition: go on, next: work}]}
"""


def test_the_transitions_of_a_watched_cycle_have_a_sign() -> None:
    flow = _flow()
    told = {(move.intent, sign_of(flow, [move])) for move in flow.moves()}
    assert told == {
        ("done", "watched"),
        ("unclear", "user"),
        ("stop", ""),
        ('all("ok")', ""),
        ('any("bad")', "watched"),
    }
    (watch,) = next(move for move in flow.moves() if move.intent == "done").watched
    assert watch == (("work", "reviewers"), 2, (("go on", "work"),))
    palette = Palette(dark=False)
    assert flow_svg(flow, palette=palette).count(f'stroke="{palette["monitor"]}" stroke-width="1.4"') == 2
    assert sign_of(_flow(PIECE.partition("loop_monitors")[0]), [move for move in flow.moves() if move.asks]) == "user"


def _flow(text: str = PIECE) -> Flow:
    return read_flow(ParsedFile.read(Path("piece.yaml"), Source(text)))


def _laid_out(flow: Flow) -> Layout:
    return lay_out(flow, {step.id: card_of(step).size for step in flow.steps.values()})


def test_a_movements_card_shows_persona_and_permissions() -> None:
    card = card_of(_flow().steps["work"])
    assert (card.caption, card.kind) == ("coder · coding+testing · edits · edit", "movement")
    assert [pill.text for pill in card.pills] == ["done", "unclear", "stop"]


def test_a_step_that_always_asks_the_user_reports_it() -> None:
    flow = _flow(
        "steps:\n  - {name: a, persona: p, requires_user_input: true, rules: [{condition: x, next: COMPLETE}]}\n"
    )
    assert card_of(flow.steps["a"]).caption == "p · asks the user"


def test_sub_steps_and_watched_cycles_have_a_row_each() -> None:
    flow = _flow()
    assert card_of(flow.steps["reviewers"]).caption == "2 sub-steps"
    parallel, watched = card_of(flow.steps["reviewers"]), card_of(flow.steps["work"])
    assert [(row.text, row.boxed) for row in parallel.rows] == [("style · stylist", True), ("safety", True)]
    assert parallel.size.height == HEIGHT + 2 * ROW
    assert [(row.text, row.icon) for row in watched.rows] == [("work → reviewers ×2, then a judge", "monitor")]


def test_of_many_sub_steps_the_last_row_counts_the_rest() -> None:
    subs = "".join(f"      - {{name: s{number}, rules: [{{condition: ok}}]}}\n" for number in range(15))
    flow = _flow(
        f'movements:\n  - name: all\n    parallel:\n{subs}    rules: [{{condition: any("ok"), next: COMPLETE}}]\n'
    )
    assert [row.text for row in card_of(flow.steps["all"]).rows][-2:] == ["s10", "+4"]


def test_both_ends_are_drawn_and_stay_apart_when_the_text_changes() -> None:
    flow = _flow()
    layout = _laid_out(flow)
    ends = {node.word for node in layout.boxes if node.kind == "end"}
    assert ends == {"COMPLETE", "ABORT"}
    again = {(arc.source.name, arc.target.word) for arc in arcs_of(flow, layout.boxes)[1] if arc.target.kind == "end"}
    assert again == {("work", "ABORT"), ("reviewers", "COMPLETE")}


@pytest.mark.parametrize(("language", "asks"), [("en", "unclear (asks the user)"), ("ja", "unclear（ユーザーに質問）")])
def test_the_picture_has_words_for_all_of_it(language: str, asks: str) -> None:
    use_language(language)
    try:
        picture = flow_svg(_flow())
    finally:
        use_language("en")
    for shown in ("COMPLETE", "ABORT", asks, "style · stylist", "all(&quot;ok&quot;)"):
        assert shown in picture or shown.replace("&quot;", '"') in picture, shown


def test_real_pieces_are_drawn_without_a_crossed_box(corpus: Path) -> None:
    for file in sorted(corpus.joinpath("takt", "seed-era").rglob("builtins/en/pieces/*.yaml")):
        layout = _laid_out(_flow(file.read_text("utf-8")))
        boxes = list(layout.boxes.values())
        assert not any(a.overlaps(b) for at, a in enumerate(boxes) for b in boxes[:at]), file


ASKING = """
name: asks
movements:
  - name: work
    rules:
      - {condition: done, next: check}
      - {condition: unclear, next: check, requires_user_input: true}
      - {condition: lost, next: ABORT, requires_user_input: true}
      - {condition: answered, next: COMPLETE, interactive_only: true}
  - name: check
    rules: [{condition: ok, next: COMPLETE}]
"""


def test_a_rule_that_asks_the_user_is_a_loop_and_its_next_only_reported() -> None:
    flow = _flow(ASKING)
    layout = lay_out(flow, {}, loops=True)
    routes = {(route.source.name, route.target.word or route.target.name): route for route in layout.routes}
    loop, nominal, mixed = routes["work", "work"], routes["work", "ABORT"], routes["work", "check"]
    assert loop.kind == "loop"
    assert [move.intent for move in loop.gone] == ["unclear", "lost"]
    assert loop.lines == ("unclear (asks the user)", "lost (asks the user)")
    assert (nominal.nominal, nominal.gone, nominal.label) == (True, (), "lost")
    assert (mixed.nominal, mixed.label) == (False, "done")
    assert routes["work", "COMPLETE"].label == "answered (interactive only)"
    picture = flow_svg(
        flow, layout=lay_out(flow, {step.id: card_of(step).size for step in flow.steps.values()}, loops=True)
    )
    assert picture.count("a4 3.6 0 0 1 8.0 0") == 2  # a person at the loop and at the interactive transition
    assert picture.count('stroke-dasharray="2.4 4.8"') == 1
    arcs = {(arc.source.name, arc.target.word or arc.target.name): arc for arc in arcs_of(flow, layout.boxes)[1]}
    assert [move.intent for move in arcs["work", "work"].moves] == ["unclear", "lost"]


def test_diagrams_have_both_ends_and_unlinked_targets() -> None:
    diagram = diagram_of(_flow(ASKING))
    names = {node.name: node.text for node in diagram.nodes}
    ways = {(names[link.source], names[link.target], link.is_transition): link.label for link in diagram.links}
    assert ways["work", "work", True] == "lost (asks the user)"
    assert ways["work", "ABORT", False] == "lost"
    assert ways["work", "COMPLETE", True] == "answered (interactive only)"
    assert {node.text: node.kind for node in diagram.nodes if node.shape == "end"} == {"COMPLETE": "", "ABORT": BAD_END}
    palette = Palette(dark=False)
    assert ":::stop" in mermaid_text(diagram, palette)
    assert 'label="ABORT"' in dot_text(diagram, palette)
    parallel = diagram_of(_flow())
    assert "reviewers: style, safety" in {node.text for node in parallel.nodes}
    assert "classDef parallel" in mermaid_text(parallel, palette)


def test_no_class_is_a_word_of_mermaid() -> None:
    text = "steps:\n  - {name: a, call: other, rules: [{condition: COMPLETE, next: COMPLETE}]}\n"
    picture = mermaid_text(diagram_of(_flow(text)), Palette(dark=False))
    assert ":::called" in picture
    assert "classDef called" in picture


@pytest.mark.parametrize("begun", ["movements:", "initial_step: a\nmax_steps: 3\nsteps:"])
def test_what_is_no_movement_is_in_the_outline(begun: str) -> None:
    flow = _flow(f"name: x\n{begun}\n  - just this\n  - name: a\n  -\n")
    assert len(flow.odd_steps) == 2
    assert "just this" in outline_text(flow)


@pytest.mark.parametrize(("key", "word", "other"), [("movements", "movement", "step"), ("steps", "step", "movement")])
def test_a_card_has_the_word_of_its_file(key: str, word: str, other: str) -> None:
    text = PIECE.replace("movements:", f"{key}:")
    flow = read_flow(ParsedFile.read(Path("p.yaml"), Source(text)))
    assert card_of(flow.steps["work"]).kind == word
    assert kind_name(flow.steps["work"]) == word
    assert kind_name(flow.steps["reviewers"]) == f"parallel {word}"
    assert kind_of(flow.steps["work"]) == "movement"  # by which it has its colour
    assert f">{word}<" in flow_svg(flow)
    assert f">{other}<" not in flow_svg(flow)
