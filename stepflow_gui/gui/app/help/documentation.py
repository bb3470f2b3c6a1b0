"""The documentation in a window of its own: the pages that the site has, too, from the files beside the program."""

import posixpath
import re
from typing import Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QImage,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextTable,
)
from PySide6.QtWidgets import QDialog, QHBoxLayout, QTextBrowser, QToolButton, QVBoxLayout, QWidget

from stepflow_gui.bundled import documentation
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _, language

FIRST = "index.md"
JAPANESE = "ja/"  # where its pages are
_FENCE = re.compile(r"^(`{3,}).*?^\1$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
_LANGUAGE_LINE = re.compile(r"^\[(?:日本語|English)\]\([^)]*\)$\n?", re.MULTILINE)
_IN_TABLE = re.compile(r"^\|.*", re.MULTILINE)
_PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")
_CODE = QTextFormat.Property.BlockCodeLanguage.value
_WIDTH, _WIDTH_IN_TABLE = 720, 360  # of pictures, in pixels


def anchor_of(heading: str) -> str:
    """What links call a heading by."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def headings_of(text: str) -> list[str]:
    """The headings of a page, in their order."""
    return _HEADING.findall(_FENCE.sub("", text))


class _Text(QTextBrowser):
    """A page's text; its pictures are not wider than it."""

    folder = ""  # of the page, below the documentation
    in_tables: frozenset[str] = frozenset()  # the links of its pictures that stand in tables

    def loadResource(self, _kind: int, name: QUrl | str) -> Any:
        """A picture beside the pages; nothing from elsewhere."""
        link = name.toString() if isinstance(name, QUrl) else name
        path = posixpath.normpath(posixpath.join(self.folder, link))
        if not path.startswith("images/"):
            return None
        file = documentation().joinpath(path)
        image = QImage.fromData(file.read_bytes()) if file.is_file() else QImage()
        width = _WIDTH_IN_TABLE if link in self.in_tables else _WIDTH
        smooth = Qt.TransformationMode.SmoothTransformation
        return image.scaledToWidth(width, smooth) if image.width() > width else image


class DocumentationWindow(QDialog):
    """Shows pages, and goes back to those before. `shown` is the page's path below the documentation."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._theme = theme
        self.shown = ""
        self._before: list[tuple[str, int]] = []  # pages with how far they were scrolled
        self.back = QToolButton()
        self.contents = QToolButton()
        for button, act in ((self.back, self._go_back), (self.contents, lambda: self._follow(QUrl(self._first)))):
            button.setProperty("flat", True)
            button.clicked.connect(act)
        self.back.setShortcut("Alt+Left")
        self.text = _Text()
        self.text.setObjectName("explanation")
        self.text.setOpenLinks(False)
        self.text.anchorClicked.connect(self._follow)
        row = QHBoxLayout()
        row.addWidget(self.back)
        row.addWidget(self.contents)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 12, 12)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.text, 1)
        self.resize(860, 680)
        self.retranslate()

    def retranslate(self) -> None:
        """Names in the language in use; a page stays in its own."""
        self.setWindowTitle(_("Documentation"))
        self.text.setAccessibleName(_("Documentation"))
        self.text.setFont(ui_font(13))
        for button, name in ((self.back, _("Back")), (self.contents, _("Contents"))):
            button.setText(name)
            button.setFont(ui_font(12))

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self._theme = theme
        self._fill("")

    def show_page(self, page: str) -> None:
        """Show a page in the language in use, at a heading: `window.md#canvas`, as its English page calls it."""
        path, _hash, anchor = page.partition("#")
        shown = JAPANESE + path if language() == "ja" and _text(JAPANESE + path) else path
        headings = [anchor_of(each) for each in headings_of(_text(path))]
        place = headings.index(anchor) if anchor in headings else 0
        here = headings_of(_text(shown))  # the same in number
        self.show()  # first: a place is only known once the text is laid out in its width
        self._turn_to(shown, anchor_of(here[place]) if place and place < len(here) else "")
        self.raise_()
        self.activateWindow()
        self.text.setFocus()

    @property
    def _first(self) -> str:
        return posixpath.relpath((JAPANESE if self.shown.startswith(JAPANESE) else "") + FIRST, self.text.folder or ".")

    def _follow(self, link: QUrl) -> None:
        if link.scheme():
            QDesktopServices.openUrl(link)
            return
        path = posixpath.normpath(posixpath.join(self.text.folder, link.path())) if link.path() else self.shown
        if _text(path):
            self._turn_to(path, link.fragment())

    def _turn_to(self, path: str, anchor: str) -> None:
        if self.shown:
            self._before.append((self.shown, self.text.verticalScrollBar().value()))
        self.shown = path
        self._fill(anchor)

    def _go_back(self) -> None:
        if self._before:
            self.shown, scrolled = self._before.pop()
            self._fill("")
            self.text.verticalScrollBar().setValue(scrolled)

    def _fill(self, anchor: str) -> None:
        self.back.setEnabled(bool(self._before))
        self.text.folder = posixpath.dirname(self.shown)
        text = _LANGUAGE_LINE.sub("", _text(self.shown))
        rows = _IN_TABLE.findall(text)
        self.text.in_tables = frozenset(link for row in rows for link in _PICTURE.findall(row))
        self.text.setMarkdown(text)
        self._dress()
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        if anchor:
            self._scroll_to(anchor)

    def _dress(self) -> None:
        """Room between paragraphs, code in its font and on a ground of its own, all in the colours of the look."""
        document = self.text.document()
        link, code = QTextCharFormat(), QTextCharFormat()
        link.setForeground(QColor(self._theme.hex("accent")))
        code.setFontFamilies([mono_font(12).family()])
        cursor = QTextCursor(document)
        block = document.begin()
        while block.isValid():
            cursor.setPosition(block.position())
            cursor.mergeBlockFormat(self._room_of(block))
            for (start, end), style in _fragments(block):
                cursor.setPosition(start)
                cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                if style.isAnchor():
                    cursor.mergeCharFormat(link)
                elif style.fontFixedPitch():
                    cursor.mergeCharFormat(code)
            block = block.next()
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                form = frame.format().toTableFormat()
                form.setBorder(1)
                form.setBorderCollapse(True)
                form.setBorderBrush(QColor(self._theme.hex("line")))
                form.setCellPadding(5)
                form.setBottomMargin(10)
                frame.setFormat(form)

    def _room_of(self, block: QTextBlock) -> QTextBlockFormat:
        form = QTextBlockFormat()
        within = QTextCursor(block).currentTable() is not None
        if block.blockFormat().headingLevel():
            form.setTopMargin(16)
            form.setBottomMargin(6)
        elif block.blockFormat().hasProperty(_CODE):
            form.setBackground(QColor(self._theme.hex("chrome")))
            form.setNonBreakableLines(False)
            goes_on = block.next().blockFormat().property(_CODE) == block.blockFormat().property(_CODE)
            form.setBottomMargin(0 if goes_on else 10)
        elif not within:
            form.setBottomMargin(2 if block.textList() is not None else 8)
        return form

    def _scroll_to(self, anchor: str) -> None:
        block = self.text.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and anchor_of(block.text()) == anchor:
                top = self.text.document().documentLayout().blockBoundingRect(block).top()
                self.text.verticalScrollBar().setValue(int(top) - 8)
                return
            block = block.next()


def _fragments(block: QTextBlock) -> list[tuple[tuple[int, int], QTextCharFormat]]:
    """The spans of a block with their formats."""
    found = []
    at = block.begin()
    while not at.atEnd():
        fragment = at.fragment()
        if fragment.isValid():
            start = fragment.position()
            found.append(((start, start + fragment.length()), fragment.charFormat()))
        at += 1
    return found


def _text(path: str) -> str:
    """A page's text; empty where there is none."""
    if path.startswith("..") or not path.endswith(".md"):
        return ""
    file = documentation().joinpath(path)
    return file.read_text("utf-8") if file.is_file() else ""
