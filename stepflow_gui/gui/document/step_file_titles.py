"""What the files of a step are called."""

from stepflow_gui.messages import _
from stepflow_gui.project.step_file import StepFile


def title_of(file: StepFile) -> str:
    """What a file is to its step."""
    titles = {
        "prompt": _("Prompt"),
        "closing-prompt": _("Prompt of the closing action “{name}”"),
        "check-prompt": _("Prompt of the check"),
        "schema": _("Output schema"),
        "failure-prompt": _("Retry prompt of “{name}”"),
        "persona": _("Persona “{name}”"),
        "policy": _("Policy “{name}”"),
        "knowledge": _("Knowledge “{name}”"),
        "instruction": _("Instruction “{name}”"),
        "report-format": _("Report format “{name}”"),
        "shared-step": _("Shared step “{name}”"),
        "called-workflow": _("Called workflow “{name}”"),
    }
    title = titles[file.kind].format(name=file.name)
    return _("{title}, for the judge of the loop").format(title=title) if file.for_judge else title


def not_searched() -> str:
    """Why a file is looked for nowhere."""
    return _("The step doesn’t specify the file")
