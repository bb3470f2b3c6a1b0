"""The table of export formats; a format's module is loaded when something is exported to it."""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from stepflow_gui.export.options import ExportOptions
    from stepflow_gui.project.agent_folder import AgentFolder

Option = Literal["scale", "theme", "auto", "lint", "coverage", "checks"]


class ExportFormat(NamedTuple):
    """`function(agent, options)` of the module, which is in this folder, gives the file's text.

    A painted format is in `gui/pictures` instead, and its function takes a `Sheet` and the scale and gives bytes.
    """

    title: str  # the same in every language
    endings: tuple[str, ...]  # with the dot, in lower case; the first one is proposed
    mark: bytes  # what a file of this format holds near its beginning if an export made it
    module: str
    function: str
    takes: tuple[Option, ...] = ()  # `auto` is a theme: the reader's
    painted: bool = False
    scale: float = 1.0  # of a picture, where none is given
    always_lints: bool = False  # holds the list of findings, asked for or not
    in_menu: bool = True  # of the window

    def content(self, agent: "AgentFolder", options: "ExportOptions") -> bytes:
        """The content of the file; of a broken registry, what could be read. Not for painted formats."""
        function: Any = getattr(import_module(f"stepflow_gui.export.{self.module}"), self.function)
        made: str = function(agent, options)
        return made.encode("utf-8", "backslashreplace")


_PICTURE: tuple[Option, ...] = ("scale", "theme", "lint", "coverage")
_PAGE: tuple[Option, ...] = ("theme", "auto", "lint", "coverage")
_PDF_MARK = b"/Creator (" + b"\xfe\xff" + "Stepflow".encode("utf-16-be")
_HTML_MARK = b'<meta name="generator" content="Stepflow">'

FORMATS = {
    "svg": ExportFormat("SVG", (".svg",), b"<!-- Stepflow -->", "svg", "svg_of", _PICTURE),
    "png": ExportFormat(
        "PNG", (".png",), b"Software\0Stepflow", "painting", "png_of", _PICTURE, painted=True, scale=2.0
    ),
    "pdf": ExportFormat("PDF", (".pdf",), _PDF_MARK, "painting", "pdf_of", _PICTURE, painted=True),
    "mermaid": ExportFormat(
        "Mermaid", (".mmd", ".mermaid"), b"%% Stepflow", "mermaid", "mermaid_of", ("theme", "checks")
    ),
    "dot": ExportFormat("DOT", (".dot", ".gv"), b"// Stepflow", "dot", "dot_of", ("theme", "checks")),
    "html": ExportFormat("HTML", (".html", ".htm"), _HTML_MARK, "html_report", "html_of", _PAGE, always_lints=True),
    "json": ExportFormat("JSON", (".json",), b'"stepflow-flow": ', "flow_json", "json_of", ("lint",)),
    "text": ExportFormat("Text", (".txt",), b"# Stepflow", "outline_text", "outline_of", in_menu=False),
}


def format_of(path: Path) -> str | None:
    """The id of the format that a file's ending means."""
    ending = path.suffix.lower()
    return next((id_ for id_, each in FORMATS.items() if ending in each.endings), None)
