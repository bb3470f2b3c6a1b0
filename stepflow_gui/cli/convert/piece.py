"""`stepflow convert PIECE.yaml --to workflow`: a TAKT piece in the words of newer runners."""

import json
from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.cli.output_file import write_output
from stepflow_gui.cli.parser import Parser, add_language
from stepflow_gui.cli.run.options import UsageError, report_usage_error
from stepflow_gui.cli.streams import write_bytes
from stepflow_gui.export.file_difference import file_difference
from stepflow_gui.formats.takt.renewing import Left, PieceConversionRefusal, renewed
from stepflow_gui.lint.fixing import FixedFile
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.locate import marked_root
from stepflow_gui.text.files.boundary import refuse_outside
from stepflow_gui.text.files.presence import is_file
from stepflow_gui.text.files.store import ChangedOnDisk, Saved, SaveFailed, reason_of, save

NOTHING, CHANGES, TROUBLE = 0, 1, 2
NAME = "stepflow convert"


def convert_piece(agent: AgentFolder, arguments: Sequence[str]) -> int:
    """Run it: 0 where it was written, 1 where it would change something, 2 where it can't be done."""
    parser = Parser(NAME, _("Bring a TAKT piece into the words of newer workflows."))
    parser.words.add_argument("piece", metavar=_("PIECE"), help=_("the YAML file of a piece or workflow"))
    options = parser.options
    options.add_argument("--to", choices=("workflow",), default="workflow", help=_("what it becomes"))
    options.add_argument("--output", "-o", metavar=_("FILE"), help=_("write it into another file"))
    options.add_argument("--force", action="store_true", help=_("overwrite a file that exists"))
    options.add_argument("--write", action="store_true", help=_("write it in place; without it nothing changes"))
    options.add_argument("--json", action="store_true", help=_("say all as JSON, for programs"))
    add_language(parser)
    chosen = parser.parse_args(arguments)
    if chosen.write and chosen.output:
        parser.error(_("--write and --output exclude each other"))
    path, source = agent.registry.path, agent.registry.source
    found = renewed(source)
    if isinstance(found, PieceConversionRefusal):
        return report_usage_error(NAME, UsageError(f"{shown_path(path, Path.cwd())}: {found.message}"))
    new = source.with_text(found.text)
    written = bool(chosen.write or chosen.output)
    if written:
        saved = (
            save(path, new, source, agent.root)
            if chosen.write
            else _write_copy(Path(chosen.output), found.text, force=chosen.force)
        )
        if isinstance(saved, ChangedOnDisk):
            message = _("{path}: changed meanwhile; nothing was written").format(path=shown_path(path, Path.cwd()))
            return report_usage_error(NAME, UsageError(message))
        if isinstance(saved, SaveFailed):
            message = _("{path}: can't be written ({reason})").format(path=saved.path, reason=saved.reason)
            return report_usage_error(NAME, UsageError(message))
    if chosen.json:
        left = [{"pointer": each.pointer, "message": each.message} for each in found.left]
        write_bytes(json.dumps({"text": found.text, "left": left}, ensure_ascii=False, indent=2) + "\n")
    else:
        if not written:
            write_bytes("".join(file_difference(FixedFile(path, source, new), Path.cwd())))
        _print_losses(found.left)
    return NOTHING if written else CHANGES


def _write_copy(path: Path, text: str, *, force: bool) -> Saved | SaveFailed:
    if is_file(path) and not force:
        return SaveFailed(path, _("it exists already; --force overwrites it"))
    root = marked_root(path)
    try:
        if root is not None:
            refuse_outside(path, root)
        path.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        return SaveFailed(path, reason_of(error))
    return write_output(path, text)


def _print_losses(left: Sequence[Left]) -> None:
    if left:
        print(_("What can't be carried over, or not as it was:"))
    for each in left:
        print(printable(f"  {each.pointer}: {each.message}"))
