"""What a workflow that another file calls says of itself, as far as that file's own checks need it."""

import re
from pathlib import Path

from stepflow_gui.formats.takt.files import called_workflows, is_workflow_path
from stepflow_gui.formats.takt.releases.results import is_callable, results_listed
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import ParsedFile, TextFile
from stepflow_gui.text.source import Source

_KEY = "subworkflow"
_HEAD = re.compile(rf"^{_KEY}[ \t]*:.*?(?=^[^\s#]|\Z)", re.MULTILINE | re.DOTALL)


def results_of_called(name: str, caller: Path, folder: AgentFolder) -> list[str] | None:
    """What the workflow of a name returns besides the ends; None where there is none that is callable.

    What is called by a path is found when it is run, so it gives None, too.
    """
    child = next(filter(folder.exists, called_workflows(name, caller)), None) if not is_workflow_path(name) else None
    file = folder.text(child) if child is not None else None
    if child is None or not isinstance(file, TextFile):
        return None
    text = file.source.text
    head = _HEAD.search(text)  # the rest of the file needn't be read
    if head is not None:
        from stepflow_gui.text.yaml.tree import read_yaml_tree  # registries are JSON, and reading YAML loads much

        root = read_yaml_tree(Source(head[0])).root
    else:  # the key is in quotes, or the file in braces
        document = folder.document(child) if _KEY in text else None
        root = document.root if isinstance(document, ParsedFile) else None
    return results_listed(root.value) if root is not None and is_callable(root.value) else None
