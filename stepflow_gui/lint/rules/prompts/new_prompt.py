"""A prompt file that isn't there yet, as a step would need it."""

from pathlib import Path

from stepflow_gui.formats.climpt.new_texts import check_prompt_text, prompt_text
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.prelude import Step, _
from stepflow_gui.text.document import TextFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source


def new_prompt(path: Path, step: Step, *, of_check: bool = False) -> Proposal:
    """Begin the file with the step's name and all the variables that it lists, or with what its check asks."""
    text = check_prompt_text(step) if of_check else prompt_text(step)
    file = TextFile(path, Source(""))
    return Proposal(_("Begin the file {path}").format(path=path.name), [(file, TextEdit(0, 0, text))])
