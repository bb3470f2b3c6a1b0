"""A rule's page: what it is about, why, how to put it right, with examples; other rules it names are links."""

import re
from html import escape

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtWidgets import QHBoxLayout, QTextBrowser, QToolButton, QVBoxLayout, QWidget

from stepflow_gui.gui.problems.model import severity_word
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.lint.examples.rule_docs import docs_of
from stepflow_gui.lint.examples.rule_examples import ExampleSnippet, pieces
from stepflow_gui.lint.rules.table import MODULES
from stepflow_gui.messages import _

_CODE = re.compile(r"\bSF\d{3}\b")
_MARKED = re.compile(r"`([^`]*)`")


class RulePage(QWidget):
    """Shows the same words as `stepflow explain`. `documentation_asked(page)`: its page of the documentation."""

    documentation_asked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.shown = ""  # the code
        self._before: list[str] = []
        self.back = QToolButton()
        self.back.setProperty("flat", True)
        self.back.setShortcut("Alt+Left")
        self.back.clicked.connect(self._go_back)
        self.text = QTextBrowser()
        self.text.setObjectName("explanation")
        self.text.setOpenLinks(False)
        self.text.setTabChangesFocus(True)
        self.text.anchorClicked.connect(self._follow)
        row = QHBoxLayout()
        row.addWidget(self.back)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 4, 12, 8)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.text, 1)
        self.back.hide()
        self.retranslate()

    def retranslate(self) -> None:
        """Show the page in the language in use."""
        self.text.setFont(ui_font(12))
        self.text.setAccessibleName(_("About the rule"))
        self.back.setFont(ui_font(11))
        self.back.setAccessibleName(_("Back"))
        self._fill()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self._theme = theme
        self._fill()

    def show_rule(self, code: str) -> None:
        """Show a rule's page, with nothing to go back to."""
        if code != self.shown or self._before:
            self._before = []
            self.shown = code
            self._fill()

    def _follow(self, link: QUrl) -> None:
        code = link.toString()
        if code.endswith(".md"):
            self.documentation_asked.emit(code)
        if code in MODULES and code != self.shown:
            self._before.append(self.shown)
            self.shown = code
            self._fill()

    def _go_back(self) -> None:
        if self._before:
            self.shown = self._before.pop()
            self._fill()
            self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill(self) -> None:
        self.back.setVisible(bool(self._before))
        if self._before:
            self.back.setText(f"← {self._before[-1]}")
            self.back.setAccessibleName(_("Back to {code}").format(code=self._before[-1]))
        self.text.setHtml(self._html(self.shown) if self.shown in MODULES else "")

    def _html(self, code: str) -> str:
        docs = docs_of(code)
        formats = ", ".join(docs.rule.all_formats) or _("all formats")
        muted = f"<span style='color:{self._theme.hex('muted')}'>"
        about = f"&nbsp; ·&nbsp; {severity_word(docs.rule.severity)}&nbsp; ·&nbsp; {escape(formats)}</span>"
        parts = [f"<p style='margin:0'><b>{code}</b>&nbsp; {escape(docs.name)}{muted}{about}</p>"]
        for heading, text in ((_("What it does"), docs.what), (_("Why is this bad"), docs.why), (_("Fix"), docs.fix)):
            parts.append(self._heading(heading))
            parts += [f"<p style='margin:2px 0 4px 0'>{self._words(part)}</p>" for part in text.split("\n\n")]
        for heading, listed in ((_("Bad"), pieces(code, "BAD")), (_("Good"), pieces(code, "GOOD"))):
            for piece in listed:
                parts.append(self._heading(heading, _where(piece)))
                parts.append(self._code(piece.text or _("(file not found)")))
        link = f"<a href='rules/{code}.md' style='color:{self._theme.hex('accent')}'>"
        shown = escape(_("{code} in the documentation").format(code=code))
        return "".join([*parts, f"<p style='margin:12px 0 4px 0'>{link}{shown}</a></p>"])

    def _heading(self, text: str, where: str = "") -> str:
        beside = f" <span style='color:{self._theme.hex('muted')}; font-weight:400'>{escape(where)}</span>"
        return f"<p style='margin:10px 0 2px 0'><b>{escape(text)}</b>{beside if where else ''}</p>"

    def _words(self, text: str) -> str:
        marked = _MARKED.sub(
            lambda found: f"<span style='font-family:\"{mono_font(11).family()}\"'>{found[1]}</span>", escape(text)
        )
        color = self._theme.hex("accent")
        return _CODE.sub(
            lambda found: (
                f"<a href='{found[0]}' style='color:{color}'>{found[0]}</a>"
                if found[0] in MODULES and found[0] != self.shown
                else found[0]
            ),
            marked,
        )

    def _code(self, text: str) -> str:
        family = mono_font(11).family()
        style = f'margin:0; font-family:"{family}"; font-size:11px; white-space:pre-wrap'
        return f"<pre style='{style}'>{escape(text)}</pre>"


def _where(piece: ExampleSnippet) -> str:
    return f"{piece.file}#{piece.pointer}" if piece.pointer else piece.file
