"""Reports before the tests start which system packages Qt lacks.

Run with the environment's own Python, in which Stepflow is installed.
"""

import os
import subprocess
import sys

from stepflow_gui.messages import choose_language, use_language
from stepflow_gui.qt_libraries import explain

PROBE = "from PySide6.QtWidgets import QApplication; QApplication([])"


def main() -> int:
    """Start Qt without a display; if that fails, print why and return 1.

    It is tried in a process of its own, since Qt aborts where its plug-in can't load.
    """
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", PROBE]
    probe = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    if probe.returncode == 0:
        return 0
    lines = probe.stderr.strip().splitlines()
    use_language(choose_language(None))
    sys.stderr.write(explain(lines[-1] if lines else "", window=False) + "\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
