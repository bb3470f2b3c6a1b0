"""What the window's actions about runs do."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from stepflow_gui.gui.panels.run_bar import ACTIONS
from stepflow_gui.gui.run_control import RunControl

if TYPE_CHECKING:
    from stepflow_gui.gui.window import MainWindow

RUN_ACTIONS = ACTIONS
_ACTS: dict[str, Callable[[RunControl], None]] = {
    "run-start": RunControl.start,
    "run-pause": RunControl.pause,
    "run-step": RunControl.step,
    "run-back": RunControl.back,
    "run-to-here": RunControl.to_here,
    "run-fork": RunControl.fork,
    "run-restart": RunControl.restart,
    "run-stop": RunControl.stop,
    "run-save-trace": RunControl.save_trace,
    "run-breakpoint": RunControl.toggle_breakpoint,
}


def bind_run_actions(window: "MainWindow") -> None:
    """Bind them, and put them on the run panel's bar."""
    actions, settings = window.actions_, window.settings

    def with_run(act: Callable[[RunControl], None]) -> None:
        if window.shown is not None:
            act(window.shown.run)

    def follow() -> None:
        settings.follow = actions["follow"].isChecked()
        with_run(RunControl.show_marks)

    def show_validators() -> None:
        settings.validation_layer = actions["validation-layer"].isChecked()
        with_run(RunControl.show_marks)

    for name, act in _ACTS.items():
        actions.bind(name, partial(with_run, act))
    actions.bind("follow", follow)
    actions.bind("validation-layer", show_validators)
    actions["follow"].setChecked(settings.follow)
    actions["validation-layer"].setChecked(settings.validation_layer)
    window.run_panel.set_actions([actions[name] for name in RUN_ACTIONS])
    window.trust.failed.connect(lambda text: window.banner.say("error", text))
