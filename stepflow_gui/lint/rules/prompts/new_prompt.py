"""A prompt file that isn't there yet, as a step would need it."""

from pathlib import Path

from stepflow_gui.flow.model import Step
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.prompts.variables import listed
from stepflow_gui.messages import _
from stepflow_gui.text.document import TextFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source


def new_prompt(path: Path, step: Step) -> Proposal:
    """Begin the file with the step's name and all the variables that it lists."""
    used = [f"{{uv-{name}}}" for name in dict.fromkeys(text.value for text in listed(step)) if name]
    if step.raw.get("usesStdin") is True:
        used.append("{input_text}")
    text = "\n\n".join([f"# {step.title}", *used]) + "\n"
    file = TextFile(path, Source(""))
    return Proposal(_("Begin the file {path}").format(path=path.name), [(file, TextEdit(0, 0, text))])
