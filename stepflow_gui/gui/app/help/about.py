"""The page about the program: its version and licence, and those of everything that it is built with."""

import platform
from html import escape
from importlib import metadata

from PySide6.QtCore import qVersion
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from stepflow_gui import __version__
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.messages import _

_PARTS = (
    *("PySide6-Essentials", "shiboken6", "networkx", "jsonschema", "pydantic", "ruamel.yaml"),
    *("anthropic", "keyring"),
)


class Library:
    """A library that the program is built with; `version` is None where it isn't installed."""

    __slots__ = ("licence", "name", "version")

    def __init__(self, name: str) -> None:
        self.name = name
        self.version: str | None = None
        self.licence = ""
        try:
            fields = metadata.metadata(name)
        except metadata.PackageNotFoundError:
            return
        self.version = fields["Version"]
        licences = [*(fields.get_all("License-Expression") or ()), *(fields.get_all("License") or ()), ""]
        self.licence = licences[0].partition("\n")[0]


class AboutPage(QDialog):
    """Text that can be selected and copied, for who reports a fault."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("About Stepflow"))
        self.text = QTextBrowser()
        self.text.setObjectName("explanation")
        self.text.setFont(ui_font(12))
        self.text.setOpenLinks(False)
        self.text.setHtml(about_html())
        self.text.setAccessibleName(self.windowTitle())
        buttons = QDialogButtonBox()
        closing = buttons.addButton(_("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        closing.setFont(ui_font(12))
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 12)
        column.setSpacing(8)
        column.addWidget(self.text, 1)
        column.addWidget(buttons)
        self.resize(520, 440)


def about_html() -> str:
    """The page's text."""
    rows = "".join(
        f"<tr><td>{escape(part.name)}&nbsp;&nbsp;</td><td>{escape(part.version)}&nbsp;&nbsp;</td>"
        f"<td>{escape(part.licence)}</td></tr>"
        for part in map(Library, _PARTS)
        if part.version is not None
    )
    notice = _(
        "Qt {qt} and PySide6 are used under the GNU Lesser General Public License, version 3, as shared libraries: you"
        " may put other versions of them in their place. Their source is published by The Qt Company and the Qt Project"
        " at download.qt.io; the licence's text is at gnu.org/licenses/lgpl-3.0."
    ).format(qt=qVersion())
    return (
        f"<h2>Stepflow {escape(__version__)}</h2>"
        f"<p>{escape(_('Editor, linter and debugger for agents that are declared as steps.'))}</p>"
        f"<p>{escape(_('Licence: MIT.'))} Python {platform.python_version()}, Qt {qVersion()}, "
        f"{escape(platform.platform())}</p>"
        f"<p>{escape(notice)}</p><h3>{escape(_('Built with'))}</h3><table>{rows}</table>"
    )
