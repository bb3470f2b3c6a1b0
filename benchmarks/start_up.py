"""`python -m benchmarks.start_up BEGAN AGENT`: open an agent as `stepflow AGENT` does, tell what is painted when.

The times are seconds since BEGAN, which is what `time.monotonic()` gave just before this process was started; `cpu` is
what the process worked until the graph was painted.
"""

import json
import os
import sys
import time
from pathlib import Path


def main(began: float, agent: str) -> None:
    """Start the window; the process ends when the graph is painted, and writes its times as JSON."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtGui import QPaintEvent

    from stepflow_gui.gui.app.window import MainWindow
    from stepflow_gui.gui.canvas.view import GraphView

    opens, paints = MainWindow.open, GraphView.paintEvent
    told: dict[str, float] = {}

    def open_noted(window: MainWindow, path: Path) -> bool:
        told["shell"] = time.monotonic() - began  # it was painted before anything is read
        return opens(window, path)

    def paint_noted(view: GraphView, event: QPaintEvent) -> None:
        paints(view, event)
        if view.graph.nodes and not view.is_building:
            told["graph"] = time.monotonic() - began
            told["cpu"] = time.process_time()
            sys.stdout.write(json.dumps(told))
            sys.stdout.flush()
            os._exit(0)

    for owner, name, noted in ((MainWindow, "open", open_noted), (GraphView, "paintEvent", paint_noted)):
        setattr(owner, name, noted)
    from stepflow_gui.cli.main import main as stepflow

    stepflow([agent])


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2])
