"""The fix for an agent.json that isn't there: the file, with what the registry tells of the agent."""

import json
from pathlib import Path

from stepflow_gui.lint.rule import DocumentEdits, Later, Proposal
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source


def new_agent_file(path: Path, folder: AgentFolder) -> Proposal:
    """Write the file at a path; it is an edit of an empty text."""

    def edits() -> DocumentEdits:
        from stepflow_gui.formats.climpt.changes.agent.beginning import first_agent

        registry = folder.registry.path.relative_to(folder.folder).as_posix()
        value = first_agent(folder.flow, folder.folder.name, "prompts/system.md", registry)
        text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
        return ((ParsedFile.read(path, Source("")), TextEdit(0, 0, text)),)

    return Proposal(_("Create {file}").format(file=path.name), Later(edits, (), [path]))
