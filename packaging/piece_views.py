"""Views of the window with a TAKT piece."""

from collections.abc import Callable

from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.runs.piece.control import PieceControl
from stepflow_gui.project.creating.templates import template_of


def piece_view(page: str, settle: Callable[[Shell], None]) -> Callable[[Shell], None]:
    """A piece made of the template, whose run has come to its second movement, with a page of it in front."""

    def show(shell: Shell) -> None:
        session = shell.current.document
        template = template_of("takt-piece")
        assert session is not None
        assert template is not None
        folder = session.path.parents[3] / "piece"
        for path, text in template.files("review", "Review").items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, "utf-8")
        (piece,) = (path for path in folder.rglob("*.yaml") if path.parent.name == "pieces")
        assert shell.open(piece)
        settle(shell)
        window = shell.current
        leading = window.runs.control if window.document is not None else None
        assert isinstance(leading, PieceControl)
        leading.start()
        assert leading.run is not None
        leading.run.pick(leading.run.calls[0].task, 0)
        window.run_panel.show_page(getattr(leading.pages, page))

    return show
