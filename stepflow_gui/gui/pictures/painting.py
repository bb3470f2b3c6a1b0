"""The graph as the canvas paints it, as the bytes of a PNG or PDF file, without a window being shown."""

from importlib import import_module
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QEventLoop, QIODevice, QMarginsF, QRectF, QSizeF, Qt
from PySide6.QtGui import QImage, QImageWriter, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtWidgets import QGraphicsItem

from stepflow_gui.export.formats import ExportFormat
from stepflow_gui.export.options import ExportOptions
from stepflow_gui.export.placement import placed_direction, placed_positions
from stepflow_gui.export.writing import ExportRefusal
from stepflow_gui.gui.canvas.marks import RunMarks, SeverityCounts, TransitionRef
from stepflow_gui.gui.canvas.scene import GraphScene
from stepflow_gui.gui.canvas.view import GraphView
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder

_MARGIN = 28.0
_EMPTY = QRectF(0, 0, 320, 120)
_MOST_PIXELS = 250_000_000
_LONGEST_PAGE = 14_000.0  # points that a side of a PDF page may have
_POINT = 0.75  # points of a pixel
_DOTS = 1200  # an inch of a PDF: how finely places are rounded


def paint(agent: AgentFolder, painted: ExportFormat, options: ExportOptions) -> bytes | ExportRefusal:
    """A picture in a painted format."""
    function: Any = getattr(import_module(f"{__package__}.{painted.module}"), painted.function)
    sheet = Sheet(agent, options)
    try:
        made: bytes | ExportRefusal = function(sheet, options.scale)
    finally:
        sheet.close()
    return made


_WAITING = QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents | QEventLoop.ProcessEventsFlag.WaitForMoreEvents


class Sheet:
    """A canvas that is painted on nothing but pictures. `close` it when they are made."""

    def __init__(self, agent: AgentFolder, options: ExportOptions) -> None:
        application = make_application()
        self._view = GraphView(Theme(options.theme == "dark"))
        self.title = agent.flow.agent_id.value if agent.flow.agent_id else agent.folder.name
        positions, overlay = options.positions, options.overlay
        self._view.set_layout_positions(placed_positions(agent) if positions is None else positions)
        self._view.set_loops_as_edges(options.loops)
        self._view.arrangement.direction = placed_direction(agent)
        self._view.show_flow(agent.flow, keep_positions=False, verdict=agent.verdict)
        while self._view.is_building:
            application.processEvents(_WAITING)
        self._view.set_diagnostics(
            {step: SeverityCounts(*found) for step, found in overlay.found.items()}, overlay.broken
        )
        taken = {TransitionRef(*transition): count for transition, count in overlay.taken.items()}
        self.scene.set_run(RunMarks(step_visits=overlay.visits, move_visits=taken))

    @property
    def scene(self) -> GraphScene:
        """What is painted."""
        return self._view.graph

    def close(self) -> None:
        """Take the canvas down."""
        self._view.close()
        self._view.deleteLater()


def png_of(sheet: Sheet, scale: float) -> bytes | ExportRefusal:
    """The picture as PNG, `scale` pixels for each at 100 %."""
    scene = sheet.scene
    area = _area(scene)
    width, height = max(1, round(area.width() * scale)), max(1, round(area.height() * scale))
    if width * height > _MOST_PIXELS:
        message = _("{width} × {height} pixels are too large; choose a smaller scale, or SVG or PDF")
        return ExportRefusal(message.format(width=width, height=height))
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.setDotsPerMeterX(round(scale * 96 / 0.0254))
    image.setDotsPerMeterY(round(scale * 96 / 0.0254))
    image.setText("Software", "Stepflow")
    painter = QPainter(image)
    _paint(scene, painter, QRectF(0, 0, width, height), area)
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    buffer.close()
    return bytes(data.data())


def pdf_of(sheet: Sheet, scale: float) -> bytes:
    """The picture as vectors on one page of a PDF."""
    scene = sheet.scene
    area = _area(scene)
    point = min(scale * _POINT, _LONGEST_PAGE / max(area.width(), area.height()))
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setCreator("Stepflow")
    writer.setTitle(sheet.title)
    writer.setResolution(_DOTS)
    size = QPageSize(
        QSizeF(area.width() * point, area.height() * point),
        QPageSize.Unit.Point,
        "",
        QPageSize.SizeMatchPolicy.ExactMatch,
    )
    writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    painter = QPainter(writer)
    _paint(scene, painter, QRectF(0, 0, writer.width(), writer.height()), area)
    painter.end()
    buffer.close()
    return bytes(data.data())


def _area(scene: GraphScene) -> QRectF:
    area = scene.content_rect()
    return area.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN) if not area.isEmpty() else _EMPTY


def _paint(scene: GraphScene, painter: QPainter, target: QRectF, area: QRectF) -> None:
    kept = [(item, item.cacheMode()) for item in scene.items()]
    for item, _mode in kept:
        item.setCacheMode(QGraphicsItem.CacheMode.NoCache)  # else a PDF would hold pictures of them
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    painter.fillRect(target, scene.pens.canvas)
    scene.render(painter, target, area, Qt.AspectRatioMode.KeepAspectRatio)
    for item, mode in kept:
        item.setCacheMode(mode)
