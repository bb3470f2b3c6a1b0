"""`stepflow diff`: what differs between two flows, two agents, or an agent and a git revision of it."""

import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.cli.diff.sides import (
    DiffArgument,
    DiffSide,
    at_revision,
    open_side,
    pair_agents,
    parse_argument,
    problems_of,
)
from stepflow_gui.cli.parser import Parser, add_color, add_format, add_language
from stepflow_gui.cli.streams import print_error, wants_color, write_bytes
from stepflow_gui.export.comparison_json import NamedComparison, comparisons_json
from stepflow_gui.export.comparison_text import comparison_lines
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.comparison import compare_agents, compare_documents
from stepflow_gui.project.git.revision import RevisionProblem
from stepflow_gui.text.document import ParsedFile

SAME, DIFFERENT, TROUBLE = 0, 1, 2
NAME = "stepflow diff"
_FROM_GIT = (7, 9)  # words that git gives an external diff; two more for a renamed file


def main(arguments: Sequence[str]) -> int:
    """Run it: 0 where nothing differs, 1 where something does, 2 for trouble; called by git always 0, as git wants."""
    parser = make_parser()
    options = parser.read(arguments)
    words: list[str] = options.paths
    if len(words) in _FROM_GIT:
        from stepflow_gui.cli.diff.for_git import show_change

        return show_change(words, color=_color(options))
    if len(words) > 2:
        parser.error(_("expected at most two paths"))
    if len(words) == 2 and options.since is not None:
        parser.error(_("--since needs a single path"))
    if len(words) == 1 and os.environ.get("GIT_DIFF_PATH_COUNTER"):  # as git calls it for a file in conflict
        print(_("{path}: not merged yet").format(path=words[0]))
        return SAME
    sides = _sides(words or ["."], options.since or "HEAD")
    if isinstance(sides, RevisionProblem):
        print_error(f"{NAME}: {sides.message}")
        return TROUBLE
    return _compare(*sides, options)


def make_parser() -> Parser:
    """The options of `stepflow diff`."""
    parser = Parser(
        NAME,
        _("Show the differences between two flows: steps, transitions, entries and every field, but not formatting."),
    )
    parser.words.add_argument(
        dest="paths",
        nargs="*",
        metavar=_("PATH"),
        help=_(
            "registries, or agent folders, which are compared with agent.json, schemas and prompts; REVISION:PATH is"
            " one in a git revision. A single path is compared with HEAD (default: the current folder)"
        ),
    )
    options = parser.options
    options.add_argument("--since", metavar=_("REVISION"), help=_("compare a single path with this git revision"))
    add_format(options, _("print the differences as text (default) or json"))
    options.add_argument("-q", "--quiet", action="store_true", help=_("print nothing; report by exit code only"))
    add_color(parser)
    add_language(parser)
    parser.epilog = _(
        "Exit code: 0 without differences, 1 with differences, 2 if something couldn't be compared. When git calls it"
        " as an external diff, with seven arguments, it is always 0."
    )
    return parser


def _color(options: Namespace) -> bool:
    in_pager = bool(os.environ.get("GIT_PAGER_IN_USE")) and not os.environ.get("NO_COLOR")
    choice: str = options.color
    return wants_color(choice) or (choice == "auto" and in_pager)


def _sides(words: Sequence[str], revision: str) -> tuple[DiffSide, DiffSide] | RevisionProblem:
    given = [parse_argument(word) for word in words]
    if len(given) == 1 and isinstance(given[0], DiffArgument):
        now = given[0]
        if now.revision is not None:
            return RevisionProblem(
                _("{path} is in a git revision; name a second path to compare it with").format(path=now.name)
            )
        given.insert(0, at_revision(now, revision))
    found: list[DiffArgument] = []
    for each in given:
        if isinstance(each, RevisionProblem):
            return each
        found.append(each)
    old, new = found
    folder = old.is_folder or new.is_folder
    return (
        open_side(old, folder=folder, beside=new.revision),
        open_side(new, folder=folder, beside=old.revision),
    )


def _compare(old: DiffSide, new: DiffSide, options: Namespace) -> int:
    problems = problems_of(old, new)
    compared = [] if problems else _compared(old, new)
    if compared and not options.quiet:
        problems += _show(compared, options)
    unsound = dict.fromkeys(path for each in compared for path in each.comparison.unsound)
    problems += [
        _("{path}: not valid JSON; compared as far as it could be read").format(path=shown_path(path, Path.cwd()))
        for path in unsound
    ]
    for line in problems:
        print_error(f"{NAME}: {line}")
    if problems:
        return TROUBLE
    return SAME if all(each.comparison.same for each in compared) else DIFFERENT


def _compared(old: DiffSide, new: DiffSide) -> list[NamedComparison]:
    if old.document is not None or new.document is not None:
        comparison = compare_documents(old.document, new.document)
        return [NamedComparison(_name(old, old.document), _name(new, new.document), comparison)]
    found = []
    for before, after in pair_agents(old, new):
        names = _name(old, before.registry if before else None), _name(new, after.registry if after else None)
        found.append(NamedComparison(*names, compare_agents(before, after)))
    return found


def _name(side: DiffSide, document: ParsedFile | None) -> str | None:
    return side.argument.shown(document.path) if document is not None else None


def _show(compared: Sequence[NamedComparison], options: Namespace) -> list[str]:
    """Print the comparisons; what keeps that from being done."""
    if options.format == "json":
        try:
            write_bytes(comparisons_json(compared))
        except RecursionError:
            return [_("a value is nested too deeply for JSON; use --format text")]
        return []
    differing = [each for each in compared if not each.comparison.same]
    differing = differing or [each for each in compared if each.comparison.formatting]
    if not differing and len(compared) > 1:
        count = len(compared)
        print(ngettext("No difference in {count} flow", "No difference in {count} flows", count).format(count=count))
        return []
    for number, each in enumerate(differing or compared):
        if number:
            print()
        for line in comparison_lines(each.comparison, _title(each), color=_color(options)):
            print(line)
    return []


def _title(compared: NamedComparison) -> str:
    old, new = (name if name is not None else _("no file") for name in (compared.old, compared.new))
    revision, _colon, path = old.partition(":")
    return f"{new} ({revision} → {_('work tree')})" if path == new else f"{old} → {new}"
