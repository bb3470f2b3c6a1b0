"""Starts the window: one Qt application, one window with a tab for each agent."""

import signal
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QApplication

from stepflow_gui import messages
from stepflow_gui.gui.app.crash_report import CrashReport
from stepflow_gui.gui.app.instance_address import may_run
from stepflow_gui.gui.app.preferences.choices import use_scale
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.recovery import Recovery
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application, translate_qt
from stepflow_gui.project.open_marks import OpenMarks
from stepflow_gui.project.save_journal import settle_saves, settled_text
from stepflow_gui.project.user_folders import runtime_folder


def run(paths: Sequence[Path], language: str | None = None, example: bool = False) -> int:
    """Show a window with a tab for each path until it is closed. Gives the exit code.

    Where the program runs already, that opens them. Without a path, what was open last is opened again. `language`
    overrides what the person chose in the window; `example` opens the bundled example.
    """
    settings = Settings()
    use_scale(settings)
    application = make_application()
    if not example and may_run(settings.state_folder) and _handed_over(settings.state_folder, paths):
        return 0
    settled = settle_saves()
    messages.use_language(language or settings.language or messages.choose_language(None, terminal=True))
    translate_qt(messages.language())
    recovery = Recovery(settings.state_folder / "unsaved", marks=OpenMarks(runtime_folder() / "open"))
    shell = Shell(settings, recovery)
    shell.show()
    trouble = CrashReport(shell, shell.log, settings.state_folder)
    crash = trouble.watch()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl+C in the terminal ends the program
    try:
        return _serve(application, shell, paths, example, trouble, crash, "\n".join(map(settled_text, settled)))
    finally:  # also where the window wasn't closed: by an exception, or by whoever ends the application
        recovery.close()
        shell.end()
        trouble.close()


def _serve(
    application: QApplication,
    shell: Shell,
    paths: Sequence[Path],
    example: bool,
    trouble: CrashReport,
    crash: str,
    settled: str,
) -> int:
    application.processEvents()  # the shell is on the screen before anything is read
    for path in paths:
        shell.open(path)
    if example:
        shell.open_example()
    elif not paths:
        shell.restore()
    if crash:
        trouble.show_crash(crash)
    if settled:
        shell.current.banner.show_message("warning", settled)
    shell.current.outside.offer_left()  # which matters more
    from stepflow_gui.gui.app.instance import Instance  # loaded when the agent is on the screen
    from stepflow_gui.gui.app.motion.desktop import ask_desktop

    instance = Instance(shell.settings.state_folder)
    instance.asked.connect(shell.come_to_front)
    instance.listen()
    ask_desktop(shell, shell.reduce_motion)
    try:
        return application.exec()
    finally:
        instance.close()


def _handed_over(folder: Path, paths: Sequence[Path]) -> bool:
    from stepflow_gui.gui.app.instance import Instance

    return Instance(folder).hand_over(paths)
