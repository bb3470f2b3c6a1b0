"""The project as a tree: where its items are, what a filter leaves, and that it grows with its agents, not faster."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from stepflow_gui.gui.project.model import NODE, ProjectModel
from stepflow_gui.gui.project.row_text import row_details, sign_of
from stepflow_gui.gui.project.tree import TreeNode
from stepflow_gui.lint.engine.project_status import CheckedAgent, Health
from stepflow_gui.text.files.store import ReadProblem
from tests.gui.project.told import ROOT, key_of, told

AGENTS = (
    told("apps/web", "iterator", Health(errors=2), ["prompts/steps/a/f_default.md", "prompts/system.md"]),
    told("apps/shop", "iterator", Health(warnings=1), ["prompts/a.md"], ["prompts/deep/down/f_failed.md"]),
    told("docs", "Writer", Health(infos=3), ["texts/one/two.md"]),
)


def shown(model: ProjectModel, parent: TreeNode | None = None, depth: int = 0) -> list[str]:
    """The tree as indented lines."""
    index = model.index_of(parent) if parent else model.parent(model.index(-1, 0))
    lines = []
    if model.canFetchMore(index):
        model.fetchMore(index)
    for row in range(model.rowCount(index)):
        node = model.index(row, 0, index).data(NODE)
        assert isinstance(node, TreeNode)
        words = ", ".join(row_details(node))
        lines.append("  " * depth + node.title + (f": {words}" if words else ""))
        lines += shown(model, node, depth + 1)
    return lines


@pytest.fixture
def model(qapp: object) -> ProjectModel:
    del qapp
    made = ProjectModel()
    tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Warning, made)
    tester.setUseFetchMore(False)  # it would, in the midst of a reset
    made.show_agents([each.key for each in AGENTS])
    made.update_agents(AGENTS)
    made.settle()
    return made


def titles(model: ProjectModel) -> list[str]:
    return [f"{agent.node.title} {agent.apart}".strip() for agent in model.rows]


def test_agents_and_below_them_their_files_in_folders(model: ProjectModel) -> None:
    assert shown(model) == [
        "iterator: 1 warning, 1 missing",
        "  steps_registry.json: 1 warning",
        "  agent.json",
        "  prompts: 1 missing",
        "    deep/down: 1 missing",
        "      f_failed.md: missing",
        "    a.md",
        "iterator: 2 errors",
        "  steps_registry.json: 2 errors",
        "  agent.json",
        "  prompts",
        "    steps/a",
        "      f_default.md",
        "    system.md",
        "Writer: 3 notes",
        "  steps_registry.json: 3 notes",
        "  agent.json",
        "  texts/one",
        "    two.md",
    ]


def test_the_same_name_is_distinguished_by_the_folder_that_differs(model: ProjectModel) -> None:
    assert titles(model) == ["iterator shop", "iterator web", "Writer"]
    model.show_agents([key_of("apps/web"), key_of("docs")])
    assert titles(model) == ["iterator", "Writer"]


@pytest.mark.parametrize(
    ("text", "only_problems", "left"),
    [
        ("ITERA", False, ["iterator shop", "iterator web"]),
        ("f_def", False, ["iterator web"]),
        ("one two", False, ["Writer"]),
        ("nowhere", False, []),
        ("", True, ["iterator shop", "iterator web"]),
        ("failed", True, ["iterator shop"]),
    ],
)
def test_what_a_filter_leaves(model: ProjectModel, text: str, only_problems: bool, left: list[str]) -> None:
    model.set_filter(text, only_problems)
    assert titles(model) == left
    model.set_filter("", only_problems=False)
    assert len(titles(model)) == 3


def test_only_the_files_with_problems_are_left(model: ProjectModel) -> None:
    model.set_filter("", only_problems=True)
    assert shown(model)[:4] == [
        "iterator: 1 warning, 1 missing",
        "  steps_registry.json: 1 warning",
        "  prompts/deep/down: 1 missing",
        "    f_failed.md: missing",
    ]


def test_the_worst_come_first_where_that_is_wanted(model: ProjectModel) -> None:
    broken = CheckedAgent(key_of("zz"), None, Health(), {}, {}, ReadProblem("not-utf8", key_of("zz"), "3"))
    model.show_agents([*model.agents, key_of("zz"), key_of("new")])
    model.update_agents([broken])
    model.set_order("health")
    assert titles(model) == ["zz", "iterator web", "iterator shop", "Writer", "new"]
    assert [row_details(agent.node) for agent in model.rows[::4]] == [["can’t be read"], ["not checked yet"]]
    assert [sign_of(agent.node)[0] for agent in model.rows] == ["error", "error", "warning", "check", ""]
    assert "not UTF-8 text (byte 3)" in str(model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole))
    model.set_order("folder")
    assert titles(model) == ["iterator shop", "iterator web", "Writer", "new", "zz"]


def test_what_is_reported_later_comes_and_goes_in_its_place(model: ProjectModel) -> None:
    model.set_filter("", only_problems=True)
    shown(model)  # the files of all were asked for
    model.update_agents([told("docs", "Writer", Health(errors=1), ["texts/one/two.md"])])
    assert titles(model) == ["iterator shop", "iterator web", "Writer"]
    model.update_agents([told("apps/shop", "iterator")])
    assert titles(model) == ["iterator web", "Writer"]
    assert shown(model)[-2:] == ["Writer: 1 error", "  steps_registry.json: 1 error"]


def test_texts_that_are_open_count_as_they_are(model: ProjectModel) -> None:
    key = key_of("docs")
    model.set_live({key: Health(errors=4)}, [key])
    agent = model.agents[key]
    assert (row_details(agent.node), agent.opened) == (["4 errors"], True)
    model.set_live({}, [])
    assert (row_details(agent.node), agent.opened) == (["3 notes"], False)


def test_files_outside_the_agents_folder_are_reported_as_seen_from_it(model: ProjectModel) -> None:
    model.update_agents([told("docs", "Writer", prompts=["../shared/a.md", "../shared/b.md"])])
    assert shown(model)[-3:] == ["  ../shared", "    a.md", "    b.md"]
    assert model.find(key_of("docs"), Path(f"{ROOT}/docs/../shared/b.md")).data() == "b.md"


@pytest.mark.parametrize("only_problems", [False, True])
def test_the_work_grows_with_the_agents_and_not_faster(only_problems: bool) -> None:
    def work(count: int) -> int:
        model = ProjectModel()
        model.set_filter("", only_problems)
        keys = [key_of(f"a{number}") for number in range(count)]
        for at in range(0, count, 50):
            model.add_agents(keys[at : at + 50])
        model.show_agents(keys)
        for number, key in enumerate(keys):
            model.update_agents([told(key.parent.name, "agent", Health(errors=number % 2), ["prompts/a.md"])])
        model.settle()
        return model.work

    assert work(400) <= 4.2 * work(100)
