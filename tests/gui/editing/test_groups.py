"""Grouping from the menu, groups made by hand in the layout file, folds kept for the next time."""

import json

import pytest

from stepflow_gui.flow.groups.grouping import BY
from stepflow_gui.formats.layout_sidecar import groups
from stepflow_gui.gui.editing.step_groups import StepGroups
from stepflow_gui.gui.widgets.ask_popup import AskPopup
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.gui.editing.conftest import Desk


def written(desk: Desk) -> dict[str, tuple[str, ...]]:
    path = desk.document.layout_path
    source = desk.document.source(path)
    return groups(ParsedFile.read(path, source)) if isinstance(source, Source) else {}


def steps_of(desk: Desk, count: int) -> list[str]:
    return list(desk.document.last_valid.flow.steps)[:count]


def test_a_small_flow_is_not_grouped_at_first(desk: Desk) -> None:
    assert desk.canvas.folding.by == "none"
    assert [by for by in BY if desk.window.desk.actions[f"group-by-{by}"].isChecked()] == ["none"]


def test_grouping_by_topic_and_back_changes_no_file(desk: Desk) -> None:
    before, places = desk.texts(), desk.canvas.positions()
    desk.window.desk.actions["group-by-stage"].trigger()
    assert desk.canvas.graph.groups.cards
    desk.window.desk.actions["fold"].trigger()  # nothing is selected: all
    assert all(node.kind != "step" for node in desk.canvas.graph.nodes)
    desk.window.desk.actions["unfold"].trigger()
    desk.window.desk.actions["group-by-none"].trigger()
    assert desk.canvas.positions() == places
    assert desk.texts() == before
    assert not desk.document.stack.canUndo()


def test_a_group_made_by_hand_is_one_entry_in_the_layout_file(desk: Desk) -> None:
    steps, before = steps_of(desk, 2), desk.texts()
    desk.canvas.choose_steps(steps, steps[0])
    made(desk).make(steps, "Checks 1")
    assert written(desk) == {"Checks 1": tuple(steps)}
    assert json.loads(desk.texts()[1])["version"] == 2
    assert desk.canvas.folding.by == "hand"
    assert {card.group.name for card in desk.canvas.graph.groups.cards.values()} == {"Checks 1"}
    desk.document.undo()
    assert desk.texts() == before
    assert not desk.canvas.graph.groups.cards
    desk.document.redo()
    assert written(desk) == {"Checks 1": tuple(steps)}
    assert len(desk.canvas.graph.groups.cards) == 1


def test_the_name_is_asked_for(desk: Desk) -> None:
    steps = steps_of(desk, 2)
    desk.canvas.choose_steps(steps, steps[0])
    desk.window.desk.actions["group-selection"].trigger()
    popup = desk.canvas.findChild(AskPopup)
    assert popup is not None
    popup.field.setText("Both")
    popup.field.returnPressed.emit()
    assert written(desk) == {"Both": tuple(steps)}


def test_a_step_leaves_the_group_that_it_was_in(desk: Desk) -> None:
    one, two = steps_of(desk, 2)
    made(desk).make([one, two], "A")
    made(desk).make([two], "B")
    assert written(desk) == {"A": (one,), "B": (two,)}
    made(desk).remove("A")
    made(desk).rename("B", "C")
    assert written(desk) == {"C": (two,)}
    made(desk).remove("C")
    assert "groups" not in desk.texts()[1]


def test_renaming_and_removing_a_step_keeps_its_group_right(desk: Desk) -> None:
    one, two = steps_of(desk, 2)
    made(desk).make([one, two], "A")
    desk.editing.rename_to(one, "initial.renamed")
    desk.settle()
    assert written(desk) == {"A": ("initial.renamed", two)}
    card = next(iter(desk.canvas.graph.groups.cards.values()))
    assert set(card.group.steps) == {"initial.renamed", two}
    desk.undo_all()
    assert written(desk) == {}


def test_folds_are_kept_for_the_next_time_and_are_not_in_undo(desk: Desk) -> None:
    desk.window.desk.actions["group-by-stage"].trigger()
    key = desk.canvas.folding.keys[0]
    desk.canvas.folding.fold([key], on=True)
    assert not desk.document.stack.canUndo()
    again = StepGroups(desk.window.desk)
    desk.window.on_canvas.groups.close()
    desk.canvas.folding.set_grouping("none", {}, ())
    again.open(desk.document, desk.editing.places)
    assert (desk.canvas.folding.by, desk.canvas.folding.folds) == ("stage", frozenset({key}))
    again.close()


@pytest.mark.parametrize("stored", ["", "[]", "{", '{"x": 1}', '{"PATH": {"by": "moon", "folds": 3}}'])
def test_broken_settings_count_as_absent(desk: Desk, stored: str) -> None:
    desk.window.desk.settings.groupings = stored.replace("PATH", str(desk.document.path.absolute()))
    desk.window.on_canvas.groups.close()
    desk.window.on_canvas.groups.open(desk.document, desk.editing.places)
    assert desk.canvas.folding.by == "none"


def test_the_menu_of_a_group(desk: Desk) -> None:
    steps = steps_of(desk, 2)
    made(desk).make(steps, "A")
    key = desk.canvas.folding.keys[0]
    desk.canvas.choose_group(key)
    titles = [
        action.text().replace("&", "")
        for action in desk.menu.build(desk.canvas.graph.groups.fields[key].center()).actions()
    ]
    assert titles[1:] == ["Fold", "Fold All", "Unfold All", "Zoom to Group", "Rename Group…", "Ungroup"]


def made(desk: Desk) -> StepGroups:
    return desk.window.on_canvas.groups
