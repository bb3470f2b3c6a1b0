"""The window's colours and icons: the colour tokens of `resources/themes/tokens.json` in their light or dark form."""

import json
from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QImage, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QWidget

from stepflow_gui.bundled import resource

_ICON_SIZES = (16, 24, 32, 48)


@lru_cache(maxsize=1)
def _tokens() -> dict[str, dict[str, str]]:
    tokens: dict[str, dict[str, str]] = json.loads(resource("themes", "tokens.json").read_text("utf-8"))
    return tokens


@lru_cache(maxsize=64)
def _icon_source(name: str) -> str:
    return resource("icons", f"{name}.svg").read_text("utf-8")


def _renderer(name: str, colour: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(_icon_source(name).replace("currentColor", colour).encode()))


@lru_cache(maxsize=2048)
def _image(name: str, colour: str, size: int, opacity: float, ratio: float) -> QImage:
    """An icon painted once for all windows: an image, since pixmaps mustn't outlive the application."""
    image = QImage(QSize(round(size * ratio), round(size * ratio)), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setOpacity(opacity)
    _renderer(name, colour).render(painter, QRectF(0, 0, size * ratio, size * ratio))
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image


class Theme:
    """The colours of one look. Made for light or dark and passed to whoever paints; never a global."""

    def __init__(self, dark: bool) -> None:
        self.dark = dark
        self._side = "dark" if dark else "light"
        self._icons: dict[tuple[str, str], QIcon] = {}

    def hex(self, token: str) -> str:
        """A token's colour as `#RRGGBB`. Raises KeyError for a name that is not a token."""
        return _tokens()[token][self._side]

    def color(self, token: str, alpha: float = 1.0) -> QColor:
        """A token's colour; `alpha` from 0 (clear) to 1."""
        color = QColor(self.hex(token))
        color.setAlphaF(alpha)
        return color

    def mix(self, token: str, over: str, share: float) -> QColor:
        """A solid colour: `share` (0 to 1) of one token over another."""
        front, back = self.color(token), self.color(over)
        return QColor.fromRgbF(
            front.redF() * share + back.redF() * (1 - share),
            front.greenF() * share + back.greenF() * (1 - share),
            front.blueF() * share + back.blueF() * (1 - share),
        )

    @property
    def selected(self) -> QColor:
        """The ground of what is selected in a list."""
        return self.mix("accent", "surface", 0.1)

    def icon(self, name: str, token: str = "text") -> QIcon:
        """An icon of `resources/icons` in a token's colour, greyed where its action is off."""
        icon = self._icons.get((name, token))
        if icon is None:
            icon = QIcon()
            for size in _ICON_SIZES:
                icon.addPixmap(self.pixmap(name, token, size))
                icon.addPixmap(self.pixmap(name, token, size, 0.4), QIcon.Mode.Disabled)
            self._icons[name, token] = icon
        return icon

    def pixmap(self, name: str, token: str, size: int, opacity: float = 1.0, ratio: float = 1.0) -> QPixmap:
        """An icon as a picture of `size` × `size` pixels (times `ratio` on a high-density screen)."""
        return QPixmap.fromImage(_image(name, self.hex(token), size, opacity, ratio))

    def renderer(self, name: str, token: str) -> QSvgRenderer:
        """An icon as vectors, in a token's colour."""
        return _renderer(name, self.hex(token))

    def palette(self) -> QPalette:
        """The Qt palette of this look."""
        role = QPalette.ColorRole
        palette = QPalette()
        for where, token in (
            (role.Window, "chrome"),
            (role.WindowText, "text"),
            (role.Base, "surface"),
            (role.AlternateBase, "canvas"),
            (role.Text, "text"),
            (role.Button, "surface"),
            (role.ButtonText, "text"),
            (role.ToolTipBase, "surface"),
            (role.ToolTipText, "text"),
            (role.PlaceholderText, "muted"),
            (role.Highlight, "accent"),
            (role.HighlightedText, "onmark"),
            (role.Link, "accent"),
            (role.Mid, "line"),
            (role.Light, "surface"),
            (role.Dark, "line"),
        ):
            palette.setColor(where, self.color(token))
        for where in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, where, self.color("muted", 0.55))
        return palette

    def dress(self, *widgets: QWidget) -> None:
        """Show the look in widgets and all that they hold; nothing where they show it already.

        Not in the application: Qt would work through the hidden tabs as well.
        """
        application = QApplication.instance()
        if isinstance(application, QApplication) and not application.styleSheet():
            application.setStyleSheet(resource("themes", "application.qss").read_text("utf-8"))
        QApplication.setPalette(self.palette())
        sheet = self.style_sheet()
        for widget in widgets:
            if widget.styleSheet() != sheet:
                widget.setStyleSheet(sheet)

    def style_sheet(self) -> str:
        """The style template of `resources/themes/window.qss` with each `@token` replaced by its colour."""
        return _style_sheet(self.dark)


@lru_cache(maxsize=2)
def _style_sheet(dark: bool) -> str:
    theme = Theme(dark)
    style = resource("themes", "window.qss").read_text("utf-8")
    for token in sorted(_tokens(), key=len, reverse=True):
        style = style.replace(f"@{token}", theme.hex(token))
    style = style.replace("@selected", theme.selected.name())
    side = "dark" if dark else "light"
    return style.replace("@side", side).replace("@ticks", str(resource("themes")).replace("\\", "/"))


def system_theme() -> Theme:
    """The theme that the desktop asks for; light where it doesn't specify one."""
    return Theme(QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark)
