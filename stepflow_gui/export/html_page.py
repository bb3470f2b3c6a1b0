"""The frame of the HTML pages that are exported: no script and no external resources."""

from collections.abc import Iterable
from html import escape

from stepflow_gui.bundled import resource
from stepflow_gui.export.options import Theme
from stepflow_gui.export.palette import CssPalette
from stepflow_gui.flow.layout.captions import visible
from stepflow_gui.messages import language

MARK = '<meta name="generator" content="Stepflow">'


def html_page(title: str, style: str, body: Iterable[str]) -> str:
    """A whole page. `title` is plain text, `style` CSS, `body` the lines of HTML in it."""
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="{language()}">',
        "<head>",
        '<meta charset="utf-8">',
        MARK,
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>{escaped(title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        *body,
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(lines)


def page_style(palette: CssPalette, theme: Theme) -> str:
    """The pages' CSS rules, with the variables that the palette has been asked for so far."""
    light, dark = (palette.variables(dark=is_dark) for is_dark in (False, True))
    rules = resource("themes", "report.css").read_text("utf-8").strip()
    if theme != "auto":
        return f":root{{color-scheme:{theme};{dark if theme == 'dark' else light}}}\n{rules}"
    return (
        f":root{{color-scheme:light dark;{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
        f"@media print{{:root{{{light}}}}}\n{rules}"
    )


def escaped(text: str) -> str:
    """A text as HTML shows it, invisible characters included."""
    return escape(visible(text))
