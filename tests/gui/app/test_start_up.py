"""A window that opens an agent loads nothing that only later commands need: people wait for it."""

import subprocess
import sys

LATER = (
    *("stepflow_gui.export.options", "stepflow_gui.export.svg", "stepflow_gui.export.html_report"),
    *("stepflow_gui.export.comparison_text", "stepflow_gui.project.comparison", "stepflow_gui.project.git.revision"),
    *("stepflow_gui.gui.versions.panel", "stepflow_gui.gui.pictures.painting", "stepflow_gui.gui.app.help.shortcuts"),
    *(
        "stepflow_gui.gui.runs.exploring",
        "stepflow_gui.gui.runs.answer_form.form",
        "stepflow_gui.gui.versions.conflicts",
    ),
    *("stepflow_gui.run.exploring.search", "stepflow_gui.gui.runs.panel.model_answer"),
    *("stepflow_gui.gui.agent.page", "stepflow_gui.gui.agent.chart", "stepflow_gui.gui.agent.parameters_table"),
    *(
        "stepflow_gui.gui.project.view",
        "stepflow_gui.gui.editing.step_files_popup",
        "stepflow_gui.lint.engine.project_status",
    ),
    *("stepflow_gui.gui.runs.logs.opened_logs", "stepflow_gui.run.logs.opening", "stepflow_gui.run.logs.log_runs"),
    *(
        "PySide6.QtNetwork",
        "stepflow_gui.gui.app.help.about",
        "stepflow_gui.gui.app.help.tour",
        "jsonschema",
        "pydantic",
        "anthropic",
    ),
)

OPEN = """
import sys, tempfile
from pathlib import Path
from stepflow_gui.gui.app.main import make_application
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.project.creating.example import copy_example
application = make_application()
with tempfile.TemporaryDirectory() as folder:
    shell = Shell(Settings(Path(folder, "settings.ini")))
    shell.show()
    assert shell.open(copy_example(into=Path(folder, "project")))
    application.processEvents()
    print(*sorted(sys.modules))
    shell.close()
"""


def test_the_window_is_there_before_the_linter_is_loaded() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", "import sys, stepflow_gui.gui.app.main; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert not set(ran.stdout.split()) & {"stepflow_gui.lint.engine.memory", "networkx", "jsonschema"}


def test_opening_an_agent_loads_nothing_of_what_comes_later() -> None:
    ran = subprocess.run([sys.executable, "-c", OPEN], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert "stepflow_gui.gui.app.shell" in loaded
    assert not loaded & set(LATER)
