"""The files around a registry that are there and can't be read."""

from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.files.store import ReadProblem

_NOT_THERE = ("missing", "outside")  # rules report what this means for the step that names the file


def unread_files(folder: AgentFolder) -> list[ReadProblem]:
    """Why agent.json, a schema that the steps use or a prompt asked for so far can't be read; each file once."""
    asked = [*folder.schema_files(), *folder.texts_read()]
    problems = [each for each in asked if isinstance(each, ReadProblem) and each.kind not in _NOT_THERE]
    if folder.agent_problem is not None:
        problems.insert(0, folder.agent_problem)
    return list({problem.path: problem for problem in problems}.values())
