"""Says before the tests or the demo start which system packages Qt lacks; `--warn` only warns.

Run with the environment's own Python, in which Stepflow is installed.
"""

import os
import subprocess
import sys

from stepflow_gui.messages import choose_language, use_language
from stepflow_gui.qt_libraries import explain

PROBE = "from PySide6.QtWidgets import QApplication; QApplication([])"


def qt_problem(*, window: bool) -> str | None:
    """Why Qt doesn't start, None if it does. Tried in a process of its own: Qt aborts where its plug-in can't load."""
    environment = os.environ if window else os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", PROBE]
    probe = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    if probe.returncode == 0:
        return None
    lines = probe.stderr.strip().splitlines()
    return explain(lines[-1] if lines else "", window=window)


def main(arguments: list[str]) -> int:
    """Print the problem, if any; the exit code is 1 then, but with `--warn`."""
    use_language(choose_language(None))
    warn = "--warn" in arguments
    display = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    problem = qt_problem(window=warn and display)
    if problem is None:
        return 0
    sys.stderr.write(problem + "\n")
    return 0 if warn else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
