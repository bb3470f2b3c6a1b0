"""Takes the pictures of the window for the docs: `python packaging/screenshots.py AGENT [FOLDER]`.

AGENT is the agent to show, FOLDER where the pictures go (docs/images). Each view is taken light and dark, in English
and Japanese, at two sizes; what the README shows is `window-light.png`.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from stepflow_gui import messages
from stepflow_gui.gui.app import make_application
from stepflow_gui.gui.settings import Settings
from stepflow_gui.gui.window import MainWindow

SIZES = {"": (1440, 900), "-small": (800, 600)}


def main() -> int:
    """Take all pictures."""
    if len(sys.argv) < 2:
        sys.stderr.write(f"{(__doc__ or '').strip()}\n")
        return 2
    agent = Path(sys.argv[1])
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else "docs/images")
    folder.mkdir(parents=True, exist_ok=True)
    application = make_application()
    for language in messages.LANGUAGES:
        for look in ("light", "dark"):
            for suffix, size in SIZES.items():
                tongue = "" if language == "en" else f"-{language}"
                _take(application, agent, folder / f"window-{look}{tongue}{suffix}.png", language, look, size)
    return 0


def _take(
    application: QApplication, agent: Path, target: Path, language: str, look: str, size: tuple[int, int]
) -> None:
    messages.use_language(language)
    with tempfile.TemporaryDirectory() as kept:
        settings = Settings(Path(kept) / "settings.ini")
        settings.look = look
        window = MainWindow(settings)
        window.resize(*size)
        window.show()
        window.open(agent)
        _wait(application, window)
        if window.shown is not None and window.session is not None:
            window.shown.run.start()
            run = window.shown.run.run
            if run is not None and run.choices():
                run.choose(run.choices()[0])
        _wait(application, window)
        window.grab().save(str(target))
        window.close()


def _wait(application: QApplication, window: MainWindow) -> None:
    end = time.monotonic() + 20
    quiet = time.monotonic() + 1.0
    while time.monotonic() < end:
        application.processEvents()
        done = window.session is None or (window.session.linted and not window.canvas.is_building)
        if done and time.monotonic() > quiet:
            return
        time.sleep(0.01)


if __name__ == "__main__":
    sys.exit(main())
