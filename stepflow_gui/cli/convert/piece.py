"""`stepflow convert PIECE.yaml --to takt-0.36`: a TAKT piece as another release reads it."""

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.cli.output_file import write_output
from stepflow_gui.cli.parser import UsageError
from stepflow_gui.cli.streams import print_error, show_difference, write_bytes
from stepflow_gui.export.file_difference import file_difference
from stepflow_gui.formats.takt.homes import FLOW_TESTS
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
from stepflow_gui.text.files.save_together import Removal
from stepflow_gui.text.files.store import ChangedOnDisk, SaveFailed, reason_of

NOTHING, CHANGES = 0, 1
WORKFLOW = "workflow"  # the name of the newest form before releases could be named


def convert_from(agent: AgentFolder, chosen: Namespace) -> int:
    """Run it: 0 where it was written or nothing has to change, 1 where it would. Raises UsageError."""
    if chosen.move_file and chosen.output:
        raise UsageError(_("{option} can't be used with {other}").format(option="--move-file", other="--output"))
    path = agent.registry.path
    wanted = NEWEST if chosen.to is None else chosen.to
    target = release_of(NEWEST if wanted == WORKFLOW else wanted)
    if target is None:
        text = _(
            "invalid value {word} for --to: expected a release of TAKT such as takt-0.36, takt-latest or takt-head"
        )
        raise UsageError(text.format(word=repr(wanted)))
    runtime = Configs().of(path).runtime(path, "takt")
    found = convert_piece(agent, target, runtime, move_settings=chosen.move_settings, move_file=chosen.move_file)
    if isinstance(found, MigrationRefusal):
        raise UsageError(f"{shown_path(path, Path.cwd())}: {found.message}")
    changes = [FixedFile(*change, agent.root) for change in found.changes]
    same = FixedFile(path, agent.registry.source, agent.registry.source, agent.root)
    piece = next((change for change in changes if change.path == path), same)
    written = bool(chosen.write or chosen.output)
    goes = found.home if chosen.move_file else None
    if written:
        problem = _write(changes, chosen, piece, goes)
        if problem is not None:
            raise UsageError(problem)
    if chosen.format == "json":
        shown = _as_json(found, piece, goes, written=written)
        write_bytes(json.dumps(shown, ensure_ascii=False, indent=2) + "\n")
    else:
        if chosen.diff or not written:
            for change in changes:
                show_difference("".join(file_difference(change, Path.cwd())), chosen.color)
        _report(found, piece.path, goes, written=written)
    return NOTHING if written or not (changes or goes) else CHANGES


def _write(changes: Sequence[FixedFile], chosen: Namespace, piece: FixedFile, goes: Path | None) -> str | None:
    """Write all files or none; gives why it can't be done. `--output` puts the piece elsewhere, nothing else.

    `goes`: where the piece is moved to, if it is.
    """
    refused, removals = None, []
    if goes is not None:
        if is_file(goes):
            return _("{path}: can't be written ({reason})").format(path=goes, reason=_("it exists already"))
        others = [change for change in changes if change.path != piece.path]
        changes = [piece._replace(path=goes, before=None), *others]
        removals = [Removal(piece.path, piece.before, piece.root, piece.path.parent)]
    if chosen.output:
        refused = _write_copy(Path(chosen.output), piece.after.text, force=chosen.force)
        changes = [change for change in changes if change.path != piece.path]
    saved = refused or (save(changes, removals) if changes else None)
    here = Path.cwd()
    if isinstance(saved, ChangedOnDisk):
        return _("{path}: changed on disk in the meantime; nothing was written").format(
            path=shown_path(saved.path, here)
        )
    if isinstance(saved, SaveFailed):
        return _("{path}: can't be written ({reason})").format(path=saved.path, reason=saved.reason)
    return None


def _write_copy(path: Path, text: str, *, force: bool) -> SaveFailed | None:
    if is_file(path) and not force:
        return SaveFailed(path, _("it already exists; use --force to overwrite it"))
    root = marked_root(path)
    try:
        if root is not None:
            refuse_outside(path, root)
        path.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        return SaveFailed(path, reason_of(error))
    written = write_output(path, text)
    return written if isinstance(written, SaveFailed) else None


def _report(found: PieceConversion, piece: Path, goes: Path | None, *, written: bool) -> None:
    release = named(found.target)
    if not found.changes and not found.refused and found.home is None:
        text = (
            _("{release} loads it as it is, but doesn't read all of it.")
            if found.left
            else _("{release} reads it as it is: nothing has to change.")
        )
        print_error(text.format(release=release))
    if goes is not None:
        text = _("{file} is at {path} now") if written else _("{file} goes to {path}")
        print_error(text.format(file=shown_path(piece, Path.cwd()), path=shown_path(goes, Path.cwd())))
        tests = piece.parent / FLOW_TESTS / piece.stem
        if tests.is_dir():
            text = _("Its tests stay in {folder}: move them, too")
            print_error(text.format(folder=shown_path(tests, Path.cwd())))
    _print_all(_("Moved to runtime.yaml:"), found.moved)
    _print_all(_("What can't be kept, or changes:"), note_lines(found.left))
    _print_all(_("What {release} treats differently:").format(release=release), list(found.meaning))
    _print_all(
        _("{release} doesn't load the file until this is fixed:").format(release=release),
        note_lines(found.refused),
    )


def _print_all(title: str, lines: Sequence[str]) -> None:
    if lines:
        print_error(title)
    for line in lines:
        print_error(printable(f"  {line}"))


def _as_json(found: PieceConversion, piece: FixedFile, goes: Path | None, *, written: bool) -> dict[str, object]:
    here = Path.cwd()
    return {
        "version": 1,
        "piece": str(shown_path(piece.path, here)),
        "goes": None if goes is None else str(shown_path(goes, here)),
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
