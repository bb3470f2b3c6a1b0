"""A file that can't be parsed: no run of it is a run of what its author means."""

from pathlib import Path

from stepflow_gui.cli.streams import print_error
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.lint.report.summary import severity_name
from stepflow_gui.project.agent_folder import AgentFolder

REFUSED = 2
_SYNTAX = "SF001"


def refuses(agent: AgentFolder) -> bool:
    """Whether the registry or piece isn't valid JSON or YAML; its findings are printed then."""
    if agent.registry.tree.valid:
        return False
    from stepflow_gui.lint.engine.engine import lint  # only a failure needs it

    for found in lint(agent, on_failure=lambda _failure: None):
        if found.code == _SYNTAX and found.file == agent.registry.path:
            start = found.range.start
            place = f"{printable(shown_path(found.file, Path.cwd()))}:{start.line}:{start.column}"
            print_error(f"{place}: {severity_name(found.severity)} {found.code}: {printable(found.message)}")
    return True
