"""`stepflow convert PIECE.yaml --to takt-0.36`: a TAKT piece as another release reads it."""

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.cli.output_file import write_output
from stepflow_gui.cli.parser import Parser, add_language
from stepflow_gui.cli.run.options import UsageError, report_usage_error
from stepflow_gui.cli.streams import print_error, write_bytes
from stepflow_gui.export.file_difference import file_difference
from stepflow_gui.formats.takt.migrating.migration import MigrationRefusal
from stepflow_gui.formats.takt.migrating.text import note_lines
from stepflow_gui.formats.takt.releases.sets import named, names
from stepflow_gui.lint.config.config import Configs
from stepflow_gui.lint.fixing import FixedFile, save
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.converting.pieces import NEWEST, PieceConversion, convert_piece, release_of
from stepflow_gui.project.finding.locate import marked_root
from stepflow_gui.text.files.boundary import refuse_outside
from stepflow_gui.text.files.presence import is_file
from stepflow_gui.text.files.store import ChangedOnDisk, SaveFailed, reason_of

NOTHING, CHANGES, TROUBLE = 0, 1, 2
NAME = "stepflow convert"
WORKFLOW = "workflow"  # the name of the newest form before releases could be named


def convert_from(agent: AgentFolder, arguments: Sequence[str]) -> int:
    """Run it: 0 where it was written or nothing has to change, 1 where it would, 2 where it can't be done."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    if chosen.write and chosen.output:
        parser.error(_("--write and --output exclude each other"))
    path = agent.registry.path
    target = release_of(NEWEST if chosen.to == WORKFLOW else chosen.to)
    if target is None:
        parser.error(
            _("argument --to: “{value}” isn't a release of TAKT: write takt-0.36, takt-latest or takt-head").format(
                value=chosen.to
            )
        )
    runtime = Configs().of(path).runtime(path, "takt")
    found = convert_piece(agent, target, runtime, move_settings=chosen.move_settings)
    if isinstance(found, MigrationRefusal):
        return report_usage_error(NAME, UsageError(f"{shown_path(path, Path.cwd())}: {found.message}"))
    changes = [FixedFile(*change, agent.root) for change in found.changes]
    same = FixedFile(path, agent.registry.source, agent.registry.source, agent.root)
    piece = next((change for change in changes if change.path == path), same)
    written = bool(chosen.write or chosen.output)
    if written:
        problem = _write(changes, chosen, piece)
        if problem is not None:
            return report_usage_error(NAME, UsageError(problem))
    if chosen.json:
        shown = _as_json(found, piece, written=written)
        write_bytes(json.dumps(shown, ensure_ascii=False, indent=2) + "\n")
    else:
        if not written:
            for change in changes:
                write_bytes("".join(file_difference(change, Path.cwd())))
        _report(found)
    return NOTHING if written or not changes else CHANGES


def _parser() -> Parser:
    parser = Parser(NAME, _("Take a TAKT piece or workflow to another release, and say what isn't as it was."))
    parser.words.add_argument("piece", metavar=_("PIECE"), help=_("the YAML file of a piece or workflow"))
    options = parser.options
    options.add_argument(
        "--to",
        metavar=_("RELEASE"),
        default=NEWEST,
        help=_("the release: takt-0.36, takt-latest (default) or takt-head; newer or older than the file's own"),
    )
    options.add_argument(
        "--move-settings",
        action="store_true",
        help=_("move provider, model and options, which 0.60 and later refuse here, into .takt/runtime.yaml"),
    )
    options.add_argument("--output", "-o", metavar=_("FILE"), help=_("write it into another file"))
    options.add_argument("--force", action="store_true", help=_("overwrite a file that exists"))
    options.add_argument("--write", action="store_true", help=_("write it in place; without it nothing changes"))
    options.add_argument("--json", action="store_true", help=_("say all as JSON, for programs"))
    add_language(parser)
    parser.epilog = _(
        "Exit code: 0 if it was written or nothing has to change, 1 if it would change something, 2 if it can't be"
        " done."
    )
    return parser


def _write(changes: Sequence[FixedFile], chosen: Namespace, piece: FixedFile) -> str | None:
    """Write all files or none; gives why it can't be done. `--output` puts the piece elsewhere, nothing else."""
    refused = None
    if chosen.output:
        refused = _write_copy(Path(chosen.output), piece.after.text, force=chosen.force)
        changes = [change for change in changes if change.path != piece.path]
    saved = refused or (save(changes) if changes else None)
    here = Path.cwd()
    if isinstance(saved, ChangedOnDisk):
        return _("{path}: changed meanwhile; nothing was written").format(path=shown_path(saved.path, here))
    if isinstance(saved, SaveFailed):
        return _("{path}: can't be written ({reason})").format(path=saved.path, reason=saved.reason)
    return None


def _write_copy(path: Path, text: str, *, force: bool) -> SaveFailed | None:
    if is_file(path) and not force:
        return SaveFailed(path, _("it exists already; --force overwrites it"))
    root = marked_root(path)
    try:
        if root is not None:
            refuse_outside(path, root)
        path.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        return SaveFailed(path, reason_of(error))
    written = write_output(path, text)
    return written if isinstance(written, SaveFailed) else None


def _report(found: PieceConversion) -> None:
    release = named(found.target)
    if not found.changes and not found.refused:
        print_error(_("{release} reads it as it is: nothing has to change.").format(release=release))
    _print_all(_("Moved to runtime.yaml:"), found.moved)
    _print_all(_("What can't be carried over, or not as it was:"), note_lines(found.left))
    _print_all(_("What {release} takes otherwise:").format(release=release), list(found.meaning))
    _print_all(
        _("{release} doesn't load the file until this is settled:").format(release=release),
        note_lines(found.refused),
    )


def _print_all(title: str, lines: Sequence[str]) -> None:
    if lines:
        print_error(title)
    for line in lines:
        print_error(printable(f"  {line}"))


def _as_json(found: PieceConversion, piece: FixedFile, *, written: bool) -> dict[str, object]:
    here = Path.cwd()
    return {
        "version": 1,
        "piece": str(shown_path(piece.path, here)),
        "to": names(found.target)[0],
        "written": written,
        "text": piece.after.text,
        "files": [
            {"path": str(shown_path(each.path, here)), "new": each.before is None, "text": each.after.text}
            for each in found.changes
        ],
        "moved": list(found.moved),
        "left": [left._asdict() for left in found.left],
        "meaning": list(found.meaning),
        "refused": [left._asdict() for left in found.refused],
    }
