"""The texts about an agent, a folder or a file of the project view."""

from stepflow_gui.gui.project.tree import TreeNode
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.report.counts import counted
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.problem_text import describe


def row_details(node: TreeNode) -> list[str]:
    """The status of a row in words; nothing for a file without any."""
    return [text for text in (_agent(node) if node.kind == "agent" else _file(node)) if text]


def tip_of(node: TreeNode) -> str:
    """All of it, with the path, and why what can't be read can't."""
    checked = node.agent.examined
    problem = checked.problem if checked is not None and node.kind == "agent" else None
    return "\n".join([str(node.path), *row_details(node), *([describe(problem)] if problem is not None else [])])


def sign_of(node: TreeNode) -> tuple[str, str]:
    """The name of the icon that shows the status of a row, and its colour token; two empty texts for none."""
    if node.kind == "agent" and node.agent.health is None:
        return "", ""
    worst: Severity | None = node.worst
    if node.kind == "agent":
        agent = node.agent
        worst = "error" if agent.examined and agent.examined.problem else agent.health.worst if agent.health else None
        if agent.lacking and worst not in {"error", "warning"}:
            worst = "warning"
        if worst in {None, "info"}:
            return "check", "closure"
    return ("", "") if worst in {None, "info"} else (str(worst), str(worst))


def _agent(node: TreeNode) -> list[str]:
    agent = node.agent
    if agent.examined is not None and agent.examined.problem is not None:
        problem = agent.examined.problem
        return [_("the registry is missing") if problem.kind == "no-registry" else _("can’t be read")]
    if agent.health is None:
        return [_("not checked yet")]
    checked = [text for text in (*counted(*agent.health), _lacking(agent.lacking)) if text]
    return checked or [_("no problems")]


def _file(node: TreeNode) -> list[str]:
    if node.kind == "file" and not node.there:
        return [_("missing")]
    return [*counted(*node.health), _lacking(node.missing)]


def _lacking(count: int) -> str:
    return ngettext("{count} missing", "{count} missing", count).format(count=count) if count else ""
