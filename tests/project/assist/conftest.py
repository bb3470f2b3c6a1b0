"""The example agent, opened."""

from pathlib import Path

import pytest

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.creating.example import copy_example


@pytest.fixture
def agent(tmp_path: Path) -> AgentFolder:
    opened = open_agent(copy_example(into=tmp_path / "project"))
    assert isinstance(opened, AgentFolder)
    return opened
