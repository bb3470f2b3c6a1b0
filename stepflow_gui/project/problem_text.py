"""What a problem with reading a file means, in words for the user."""

from stepflow_gui.messages import _
from stepflow_gui.text.files.presence import link_of
from stepflow_gui.text.files.store import ReadProblem


def describe(problem: ReadProblem) -> str:
    """One sentence that names the file, what is wrong and, where there is something, what to do."""
    path = printable(str(problem.path))
    match problem.kind:
        case "missing":
            return _("{path}: no such file or folder.").format(path=path)
        case "folder":
            return _("{path}: this is a folder, not a file.").format(path=path)
        case "not-utf8":
            return _("{path}: not UTF-8 text (byte {offset}). Save the file as UTF-8.").format(
                path=path, offset=problem.detail
            )
        case "outside" if problem.detail:
            return _(
                "{path}: not read, because the link “{link}” points outside the project. To open it, use its "
                "target: {target}"
            ).format(path=path, link=printable(str(link_of(problem.path))), target=printable(problem.detail))
        case "outside":
            return _("{path}: lies outside the project and is not read.").format(path=path)
        case "no-registry":
            return _(
                "{path}: no registry found here. Looked for steps_registry.json, a registry.json beside an agent.json,"
                " and the registry that an agent.json names."
            ).format(path=path)
        case "no-piece":
            return _(
                "{path}: not a TAKT piece (found {what}). A piece has a “name” and a list “movements”, which newer"
                " workflows call “steps”, each with a “name” and an instruction."
            ).format(path=path, what=printable(problem.detail))
        case _:
            return _("{path}: can't be read ({reason}).").format(path=path, reason=printable(problem.detail))


def printable(text: str) -> str:
    """A text from outside made safe for one line: control characters and lone surrogates are escaped."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)
