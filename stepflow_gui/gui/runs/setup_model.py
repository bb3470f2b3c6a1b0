"""How a run is set up: who answers, by which file, under which runtime."""

from pathlib import Path
from typing import Literal, NamedTuple

from stepflow_gui.formats.climpt.eras import GUIDE

Who = Literal["me", "script", "replay", "random", "anthropic"]


class Setup(NamedTuple):
    """What the person has chosen. `file`: the script or trace; `era` and `shadow` are public names."""

    who: Who = "me"
    file: Path | None = None
    seed: int = 1
    era: str = GUIDE.name
    shadow: str | None = None
    prompts: bool = True  # a step whose prompt can't be made ends the run where the era has it so
    real: bool = False  # commands are run for real, where the folder is trusted
    args: str = ""  # the agent's parameters, as `name=value` with blanks between
    max_cost: float | None = None  # US dollars after which no model is asked any more
    task: str = ""  # of a piece: the value of {task}
    interactive: bool = False  # of a piece: rules for a person alone can be taken


class CantAnswer(NamedTuple):
    """Why a run can't be answered as it was set up, in words."""

    message: str
