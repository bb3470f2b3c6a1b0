"""What the window's actions about runs do."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from stepflow_gui.gui.runs.panel.bar import ACTIONS

if TYPE_CHECKING:
    from stepflow_gui.gui.app.window import MainWindow

RUN_ACTIONS = ACTIONS


class RunActions(Protocol):
    """Who leads the runs of what is open."""

    def start(self) -> None: ...
    def pause(self) -> None: ...
    def step(self) -> None: ...
    def back(self) -> None: ...
    def to_here(self) -> None: ...
    def fork(self) -> None: ...
    def restart(self) -> None: ...
    def stop(self) -> None: ...
    def save_trace(self) -> None: ...
    def toggle_breakpoint(self) -> None: ...
    def show_marks(self) -> None: ...


_ACTS: dict[str, Callable[[RunActions], None]] = {
    "run-start": lambda run: run.start(),
    "run-pause": lambda run: run.pause(),
    "run-step": lambda run: run.step(),
    "run-back": lambda run: run.back(),
    "run-to-here": lambda run: run.to_here(),
    "run-fork": lambda run: run.fork(),
    "run-restart": lambda run: run.restart(),
    "run-stop": lambda run: run.stop(),
    "run-save-trace": lambda run: run.save_trace(),
    "run-breakpoint": lambda run: run.toggle_breakpoint(),
}


def bind_run_actions(window: "MainWindow") -> None:
    """Bind them, and put them on the run panel's bar."""
    actions, settings = window.actions_, window.settings

    def with_run(act: Callable[[RunActions], None]) -> None:
        if window.shown is not None:
            act(window.shown.leading)

    def follow() -> None:
        settings.follow = actions["follow"].isChecked()
        with_run(lambda run: run.show_marks())

    def show_validators() -> None:
        settings.validation_layer = actions["validation-layer"].isChecked()
        with_run(lambda run: run.show_marks())

    for name, act in _ACTS.items():
        actions.bind(name, partial(with_run, act))
    actions.bind("follow", follow)
    actions.bind("validation-layer", show_validators)
    actions["follow"].setChecked(settings.follow)
    actions["validation-layer"].setChecked(settings.validation_layer)
    window.run_panel.set_actions([actions[name] for name in RUN_ACTIONS])
    window.trust.failed.connect(lambda text: window.banner.say("error", text))
