"""A picture of an agent's graph as PNG, painted by the canvas without showing a window."""

from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter

from stepflow_gui.gui.app import make_application
from stepflow_gui.gui.canvas.view import GraphView
from stepflow_gui.gui.theme import Theme
from stepflow_gui.project.agent_folder import AgentFolder

_SIZE = QSize(1280, 800)
_SCALE = 2


def render_png(agent: AgentFolder, path: Path, dark: bool = False) -> bool:
    """Paint the whole graph and write it; False where the file can't be written."""
    application = make_application()
    view = GraphView(Theme(dark))
    view.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    view.resize(_SIZE)
    view.show()  # only a shown view lays itself out to its size
    verdict = agent.agent.verdict_type.value if agent.agent and agent.agent.verdict_type else None
    view.show_flow(agent.flow, keep_positions=False, verdict=verdict)
    while view.is_building:
        application.processEvents()
    view.fit()
    image = QImage(_SIZE * _SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_SCALE)
    painter = QPainter(image)
    view.render(painter, QRectF(0, 0, _SIZE.width(), _SIZE.height()), view.viewport().rect())
    painter.end()
    view.close()
    view.deleteLater()
    return image.save(str(path))
