"""How many iterations an agent may take, and where it begins."""

from typing import NamedTuple

from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES
from stepflow_gui.lint.agent_file import AgentFile
from stepflow_gui.lint.rule_context import RuleContext
from stepflow_gui.lint.rules.agent.verdicts import OWN

LIMIT = f"{OWN}/config/maxIterations"


class Limit(NamedTuple):
    """The limit that agent.json sets, under which verdict type, and the step a run begins with."""

    iterations: int
    verdict: str
    entry: str


def limit_of(context: RuleContext, agent: AgentFile) -> Limit | None:
    """None where the file sets none, or no entry is known."""
    count = agent.value(LIMIT)
    definition = context.folder.agent
    verdict = definition.verdict_type.value if definition and definition.verdict_type else "count:iteration"
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        return None
    mapped = any(entry.key == verdict for entry in context.flow.entries)
    entry = context.flow.entry_target(verdict if mapped else OLDER_VERDICT_TYPES.get(verdict, verdict))
    return Limit(count, verdict, entry) if entry in context.flow.steps else None
