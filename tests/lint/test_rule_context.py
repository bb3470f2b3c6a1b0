"""What rules may ask of a run: the era that a registry is judged by."""

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.rule_context import RuleContext
from stepflow_gui.project.agent_folder import AgentFolder, open_agent

from .conftest import Open


def under(agent: AgentFolder, runtime: str | None = None) -> str:
    return RuleContext(agent, LintSettings(runtime)).era.name


@pytest.mark.parametrize(
    ("format_id", "era"),
    [
        ("closing", "climpt-2026-03-14"),
        ("c3l", "climpt-2026-04-20"),
        ("complete", "climpt-2026-01-18"),
        ("checks", "climpt-2026-01-09"),
        ("transitions-only", "climpt-2026-04-20"),
    ],
)
def test_a_format_is_judged_by_the_last_era_that_read_it_unless_one_is_set(
    format_id: str, era: str, open_example: Open
) -> None:
    agent = open_agent(open_example().registry.path, format_id=format_id)
    assert isinstance(agent, AgentFolder)
    assert under(agent) == era
    assert under(agent, "climpt-2026-04-08") == "climpt-2026-04-08"


def test_the_guide_is_an_era_as_well(open_example: Open) -> None:
    agent = open_example()
    assert under(agent, "guide") == "guide"
    assert RuleContext(agent, LintSettings("guide")).era.null_ends
    with pytest.raises(KeyError):
        under(agent, "climpt-2020")
