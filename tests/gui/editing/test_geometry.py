"""The picture is a function of the texts and of where boxes stand: undo and redo bring it back to the pixel."""

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from PySide6.QtCore import QPoint, QPointF

from stepflow_gui.flow.layout import Layout
from stepflow_gui.formats.changes import AddStep, Connect, Disconnect, RemoveStep, Retarget
from stepflow_gui.gui.document import history
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.files.store import Saved
from tests.conftest import Thin
from tests.gui.canvas.hand import drag, node_point
from tests.gui.editing.conftest import Desk

EDITS = 25
FEW = 10  # without --full
FILES = 40  # of the corpus, with the edits above a thousand in all


def picture(desk: Desk) -> tuple[object, ...]:
    """All that is drawn, and every file that isn't as on disk."""
    canvas, document = desk.canvas, desk.document
    layout: Layout = canvas.graph.layout
    shown = {key: edge.route for key, edge in canvas.graph.edges.items()}
    assert shown.items() >= {(route.source, route.target): route for route in layout.routes}.items()
    for node, item in canvas.graph.nodes.items():
        assert item.pos() == QPointF(layout.boxes[node].x, layout.boxes[node].y)
    for edge in canvas.graph.edges.values():
        assert (edge.label is not None) == (edge.route.label_box is not None and bool(edge.route.lines))
    routes = [route._replace(moves=()) for route in layout.routes]
    changed = {text.path: text.source.text for text in document.texts if text.dirty}
    loops = {key: route.bends for key, route in shown.items() if route.kind == "loop"}
    return layout.boxes, [routes, loops], layout.entries, changed


class Chance:
    """Makes edits by chance. What a format refuses isn't made."""

    def __init__(self, desk: Desk, seed: int) -> None:
        self.desk = desk
        self.random = Random(seed)

    def edit(self) -> None:
        deeds: list[Callable[[list[str]], object]] = [
            *(self.move, self.move, self.move, self.rename, self.retarget, self.retarget),
            *(self.connect, self.disconnect, self.add, self.remove, self.duplicate, self.nudge, self.type, self.tidy),
        ]
        steps = list(self.desk.document.last_valid.flow.steps)
        if steps:
            self.random.choice(deeds)(steps)
        self.wait()

    def wait(self) -> None:
        document, canvas = self.desk.document, self.desk.canvas
        if not document.parsed or canvas.is_building:
            self.desk.qtbot.waitUntil(lambda: document.parsed and not canvas.is_building)

    def one(self, among: list[str]) -> str:
        return self.random.choice(among)

    def move(self, steps: list[str]) -> None:
        some = tuple(self.random.sample(steps, min(len(steps), self.random.choice((1, 1, 1, 3)))))
        self.desk.canvas.move_items(some, QPointF(self.random.randrange(-300, 300), self.random.randrange(-200, 200)))
        self.desk.canvas.settle_moved(some)

    def nudge(self, steps: list[str]) -> None:
        step = self.one(steps)
        for _time in range(3):
            self.desk.canvas.move_items((step,), QPointF(8, 0))
            self.desk.canvas.settle_moved((step,))

    def rename(self, steps: list[str]) -> None:
        old = self.one(steps)
        self.desk.editing.rename_to(old, f"{old}x")

    def add(self, steps: list[str]) -> None:
        new = self.one(steps) + self.one(["a", "b", "c"])
        place = (self.random.randrange(0, 900), self.random.randrange(0, 900))
        self.desk.editing.make(AddStep(new, "work"), places={new: place} if self.random.random() < 0.5 else None)

    def remove(self, steps: list[str]) -> None:
        self.desk.editing.make(RemoveStep(self.one(steps), force=True))

    def duplicate(self, steps: list[str]) -> None:
        self.desk.editing.duplicate([self.one(steps)])

    def connect(self, steps: list[str]) -> None:
        self.desk.editing.make(Connect(self.one(steps), self.one(["next", "jump", "needs_fix"]), self.one(steps)))

    def retarget(self, steps: list[str]) -> None:
        moves = list(self.desk.document.last_valid.flow.moves())
        if moves:
            move = self.random.choice(moves)
            self.desk.editing.make(Retarget(move.step, move.intent, self.one(steps), move.case))

    def disconnect(self, _steps: list[str]) -> None:
        moves = list(self.desk.document.last_valid.flow.moves())
        if moves:
            move = self.random.choice(moves)
            self.desk.editing.make(Disconnect(move.step, move.intent, move.case))

    def type(self, steps: list[str]) -> None:
        """Change an id in the text, letter by letter, so that what goes there dangles in between."""
        at = self.desk.text().find(self.one(steps))
        for letter in "zy" if at >= 0 else "":
            self.desk.document.apply({self.desk.document.path: [TextEdit(at, at, letter)]}, "", "source", typing=True)
            self.wait()

    def tidy(self, _steps: list[str]) -> None:
        if self.random.random() < 0.3:
            self.desk.window.desk.actions["tidy"].trigger()


@pytest.fixture(autouse=True, params=["in one entry", "each its own"])
def repeats(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is: small moves one after the other are one entry, or never are."""
    monkeypatch.setattr(history, "BURST_PAUSE", float("inf") if request.param == "in one entry" else -1.0)


def edited_and_back(desk: Desk, seed: int, edits: int) -> None:
    """Make edits by chance, then hold the picture of each entry against what undo and redo bring."""
    stack = desk.document.stack
    chance = Chance(desk, seed)
    pictures = {0: picture(desk)}
    for _number in range(edits):
        chance.edit()
        pictures[stack.index()] = picture(desk)
    last = stack.index()
    for number in (*reversed(range(last)), *range(1, last + 1), *reversed(range(last))):
        stack.setIndex(number)
        chance.wait()
        if number in pictures:
            assert picture(desk) == pictures[number], (number, stack.text(number))


@pytest.mark.slow
def test_undo_and_redo_bring_each_picture_back(
    desk: Desk, corpus: Path, thin: Thin, tmp_path: Path, full: bool
) -> None:
    """One file in twenty, with ten edits; --full: forty, with a thousand edits in all."""
    pieces = sorted(corpus.glob("takt/head/builtins/en/workflows/*.yaml")) + sorted(
        corpus.glob("takt/seed-era/**/*.yaml")
    )
    files = [*Random(1).sample(sorted(corpus.glob("climpt/**/steps_registry.json")), FILES // 2)]
    files += Random(2).sample(pieces, FILES // 2)
    for number, file in enumerate(thin(files, 20)):
        there = tmp_path / str(number)
        if file.suffix == ".json":
            shutil.copytree(file.parent, there)
        else:
            there.mkdir()
            shutil.copy(file, there)
        assert desk.window.open(there / file.name)
        opened = Desk(desk.qtbot, desk.window)
        opened.settle()
        edited_and_back(opened, number, EDITS if full else FEW)
        opened.document.stack.clear()
        assert desk.window.close_agent()


@pytest.mark.takes_turns("repeats")
@pytest.mark.parametrize("seed", range(4))
def test_in_the_example_too(desk: Desk, seed: int, full: bool) -> None:
    """Four times ten edits, two as one entry; --full: with 25, each in both ways."""
    edited_and_back(desk, seed, EDITS if full else FEW)


def test_the_layout_file_that_a_move_made_goes_with_its_undo(desk: Desk) -> None:
    path, before = desk.document.layout_path, picture(desk)
    at = node_point(desk.canvas, "closure.issue")
    drag(desk.canvas, at, at + QPoint(80, 24))
    moved = picture(desk)
    assert isinstance(desk.document.save(), Saved)
    assert path.is_file()
    desk.document.undo()
    assert picture(desk)[:3] == before[:3]
    assert isinstance(desk.document.save(), Saved)
    assert not path.exists()
    assert not path.parent.exists()
    assert not desk.document.dirty
    assert picture(desk) == before
    desk.document.redo()
    assert picture(desk) == moved
    assert isinstance(desk.document.save(), Saved)
    assert path.is_file()


def test_a_layout_file_that_was_there_stays_where_all_moves_are_undone(desk: Desk, example: Path) -> None:
    path = desk.document.layout_path
    path.parent.mkdir()
    path.write_text('{\n  "version": 1,\n  "steps": {}\n}\n', "utf-8")
    assert desk.window.open(example)
    again = Desk(desk.qtbot, desk.window)
    again.settle()
    drag(again.canvas, at := node_point(again.canvas, "closure.issue"), at + QPoint(80, 24))
    again.document.save()
    again.document.undo()
    again.document.save()
    assert path.read_text("utf-8") == '{\n  "version": 1,\n  "steps": {}\n}\n'


def test_an_edit_of_the_layout_file_from_outside_moves_boxes_and_is_undone(desk: Desk) -> None:
    path, before = desk.document.layout_path, picture(desk)
    text = '{"version": 1, "steps": {"closure.issue": [400, 500]}}'
    desk.document.apply({path: [TextEdit(0, 0, text)]}, "", "source")
    assert desk.canvas.positions()["closure.issue"] == (400, 500)
    desk.document.undo()
    assert picture(desk) == before


def test_boxes_that_no_file_keeps_are_moved_back_too(desk: Desk) -> None:
    desk.window.desk.actions["tidy"].trigger()
    count, before = len(desk.history), picture(desk)
    corners = desk.document.geometry.corners
    end = next(node for node in corners if node.kind == "end")
    desk.canvas.put_boxes({**corners, end: (900.0, 900.0)})
    assert desk.editing.boxes.record({}, "Elsewhere", None)
    moved = picture(desk)
    assert (len(desk.history), moved == before) == (count + 1, False)
    desk.document.undo()
    assert picture(desk) == before
    desk.document.redo()
    assert picture(desk) == moved
