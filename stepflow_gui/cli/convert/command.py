"""`stepflow convert`: an agent in another format, shown, written in place or into another folder."""

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.cli.convert.options import NAME, make_parser
from stepflow_gui.cli.parser import AGENT, PIECE, UsageError, check_kind, choice_error
from stepflow_gui.cli.streams import print_error, show_difference, write_bytes
from stepflow_gui.export.file_difference import file_difference
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.lint.config.config import Configs
from stepflow_gui.lint.fixing import FixedFile, save
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.converting.conversion import TARGETS, Conversion, convert
from stepflow_gui.project.converting.writing import changes_of, notes_of, removals_of, write_copy
from stepflow_gui.project.finding.choosing import NotChosen, choose_agent
from stepflow_gui.text.files.store import ChangedOnDisk, SaveFailed

NOTHING, CONVERTED, TROUBLE = 0, 1, 2
TAKT = "takt"


def main(arguments: Sequence[str]) -> int:
    """Run it: 0 if written, or nothing is to be done; 1 if it would change something; 2 if it can't be done."""
    parser = make_parser()
    options = parser.read(arguments)
    agent = choose_agent(options.agent)
    if isinstance(agent, NotChosen):
        return _trouble(agent.message)
    kind = PIECE if agent.format == TAKT else AGENT
    try:
        check_kind(parser, options, kind)
        if kind == PIECE:
            from stepflow_gui.cli.convert.piece import convert_from

            return convert_from(agent, options)
    except UsageError as error:
        return _trouble(str(error))
    if options.to not in TARGETS:
        return _trouble(
            _("--to is required: choose from {choices}").format(choices=", ".join(TARGETS))
            if options.to is None
            else choice_error("--to", options.to, TARGETS)
        )
    agent = agent.read_as(Configs().of(agent.registry.path).format(agent.registry.path))
    found = convert(agent, options.to, options.checks)
    if isinstance(found, Refusal):
        return _trouble(f"{shown_path(agent.registry.path, Path.cwd())}: {found.reason}")
    if options.write or options.output:
        code = _write(found, _copied_to(options))
    else:
        code = CONVERTED if found.edits else NOTHING
    if code == TROUBLE:
        return code
    if options.format == "json":
        write_bytes(json.dumps(_as_json(found, options), ensure_ascii=False, indent=2) + "\n")
        return code
    if options.diff or not (options.write or options.output):
        for change in changes_of(found):
            show_difference("".join(file_difference(FixedFile(*change), Path.cwd())), options.color)
    _report(found, options)
    return code


def _copied_to(options: Namespace) -> Path | None:
    return Path(options.output) if options.output else None


def _trouble(message: str) -> int:
    print_error(f"{NAME}: {message}")
    return TROUBLE


def _write(found: Conversion, folder: Path | None) -> int:
    changes = [FixedFile(*change, found.before.root) for change in changes_of(found)]
    written = save(changes, removals_of(found)) if folder is None else write_copy(found, folder)
    if isinstance(written, ChangedOnDisk):
        path = shown_path(written.path, Path.cwd())
        return _trouble(_("{path}: changed on disk in the meantime; nothing was written").format(path=path))
    if isinstance(written, SaveFailed):
        goes = written.path in found.unused and folder is None
        text = _("{path}: can't be removed ({reason})") if goes else _("{path}: can't be written ({reason})")
        return _trouble(text.format(path=shown_path(written.path, Path.cwd()), reason=written.reason))
    count = len(written)
    print_error(ngettext("{count} file written", "{count} files written", count).format(count=count))
    return NOTHING


def _report(found: Conversion, options: Namespace) -> None:
    here = Path.cwd()
    if not found.edits:
        print_error(_("It already has this format: nothing has to change."))
    if found.lost:
        print_error(_("What can't be kept, or changes:"))
    for part in found.lost:
        place = f"{shown_path(part.file, here)}#{part.pointer}".removesuffix("#")
        print_error(f"  {place}: {printable(part.what)} ({part.why})")
    for note in notes_of(found, _copied_to(options)):
        print_error(note)
    if found.unused and not options.output:
        text = _("Moved: {paths}") if options.write else _("These prompts are moved: {paths}")
        print_error(text.format(paths=", ".join(str(shown_path(path, here)) for path in found.unused)))


def _as_json(found: Conversion, options: Namespace) -> dict[str, object]:
    here = Path.cwd()
    return {
        "version": 1,
        "registry": str(shown_path(found.before.registry.path, here)),
        "from": found.before.flow.format,
        "to": found.after.flow.format,
        "written": bool(options.write or options.output),
        "files": [
            {"path": str(shown_path(each.path, here)), "new": each.before is None, "text": each.after.text}
            for each in changes_of(found)
        ],
        "moved": [str(shown_path(path, here)) for path in found.unused],
        "steps": {old: list(new) for old, new in found.steps.items()},
        "lost": [
            {"file": str(shown_path(part.file, here)), "pointer": part.pointer, "what": part.what, "why": part.why}
            for part in found.lost
        ],
        "notes": notes_of(found, _copied_to(options)),
    }
