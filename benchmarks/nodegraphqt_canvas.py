"""`python nodegraphqt_canvas.py GRAPH.json`: NodeGraphQt makes, pans and drags the same graph; tells its times as JSON.

Started by `test_canvas.py` with the interpreter that NodeGraphQt is installed for. It imports nothing of ours.
"""

import json
import os
import sys
import time
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QT_PREFERRED_BINDING"] = "PySide6"

nodegraphqt = import_module("NodeGraphQt")
QtCore, QtTest, QtWidgets = (import_module(f"Qt.{part}") for part in ("QtCore", "QtTest", "QtWidgets"))


def _make_ready(node: Any) -> None:
    """A node that any number of edges may come to; its outputs are made for its intents."""
    nodegraphqt.BaseNode.__init__(node)
    node.add_input("in", multi_input=True)


Step = type(
    "Step",
    (nodegraphqt.BaseNode,),
    {"__identifier__": "stepflow", "NODE_NAME": "Step", "__init__": _make_ready, "__module__": __name__},
)


def main() -> None:
    """Measure, and write what was found."""
    asked = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    application = QtWidgets.QApplication([])
    graph = nodegraphqt.NodeGraph()
    graph.register_node(Step)
    graph.set_acyclic(False)
    view = graph.viewer()
    view.resize(*asked["size"])
    view.show()
    application.processEvents()
    start = time.thread_time()
    nodes = {}
    for name, (x, y), outputs in asked["nodes"]:
        nodes[name] = graph.create_node("stepflow.Step", name=name, pos=[x, y], push_undo=False, selected=False)
        for output in outputs:
            nodes[name].add_output(output, multi_output=True)
    for source, output, target in asked["edges"]:
        nodes[source].outputs()[output].connect_to(nodes[target].input(0), push_undo=False, emit_signal=False)
    application.processEvents()
    told = {"build": time.thread_time() - start, "version": version("NodeGraphQt")}

    middle = nodes[asked["middle"]].view
    view.reset_zoom(middle.sceneBoundingRect().center())
    application.processEvents()
    port = view.viewport()
    frames = []
    before = view.mapToScene(0, 0)
    QtTest.QTest.mousePress(port, QtCore.Qt.MiddleButton, pos=QtCore.QPoint(30, 30))
    for number in range(asked["frames"]):
        start = time.thread_time()
        QtTest.QTest.mouseMove(port, QtCore.QPoint(31 + 7 * (number % 20), 31 + 11 * (number % 15)))
        application.processEvents()
        frames.append(time.thread_time() - start)
    told["panned"] = view.mapToScene(0, 0) != before
    QtTest.QTest.mouseRelease(port, QtCore.Qt.MiddleButton, pos=QtCore.QPoint(30, 30))
    told["pan"] = median(frames)
    view.reset_zoom(middle.sceneBoundingRect().center())
    application.processEvents()
    at = view.mapFromScene(middle.sceneBoundingRect().center())
    frames = []
    QtTest.QTest.mousePress(port, QtCore.Qt.LeftButton, pos=at)
    for number in range(asked["frames"]):
        start = time.thread_time()
        QtTest.QTest.mouseMove(port, at + QtCore.QPoint(4 + number % 40, 4 + number % 25))
        application.processEvents()
        frames.append(time.thread_time() - start)
    QtTest.QTest.mouseRelease(port, QtCore.Qt.LeftButton, pos=at)
    application.processEvents()
    told["drag"] = median(frames)
    told["moved"] = middle.pos().x() != asked["nodes"][asked["at"]][1][0]

    told["zoom"] = view.transform().m11()
    sys.stdout.write(json.dumps(told))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
