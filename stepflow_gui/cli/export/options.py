"""The options of `stepflow export`."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.cli.parser import Parser, add_language, number
from stepflow_gui.export.formats import FORMATS, Option, format_of
from stepflow_gui.messages import _

STDOUT = "-"
NAME = "stepflow export"


def read_export_options(arguments: Sequence[str]) -> Namespace:
    """The options, checked; exits with 2 if they are invalid."""
    parser = make_parser()
    found = parser.read(arguments)
    if found.format is None:
        found.format = format_of(Path(found.output or ""))
    if found.format is None:
        parser.error(_("give --format, or --output with a known file extension"))
    given: dict[Option, tuple[str, bool]] = {
        "scale": ("--scale", found.scale is not None),
        "lint": ("--lint", found.lint),
        "coverage": ("--coverage", found.coverage is not None),
        "checks": ("--no-checks", found.no_checks),
        "theme": ("--theme", found.theme is not None),
        "auto": ("--theme auto", found.theme == "auto"),
    }
    chosen = FORMATS[found.format]
    for option, (shown, is_given) in given.items():
        if is_given and option not in chosen.takes:
            text = _("{option} is only for {formats}, not {format}")
            parser.error(text.format(option=shown, formats=_taking(option), format=found.format))
    if chosen.painted and found.output in {None, STDOUT} and sys.stdout.isatty():
        parser.error(_("{format} can't be shown in a terminal; name a file with --output").format(format=found.format))
    return found


def make_parser() -> Parser:
    """The options of `stepflow export`."""
    parser = Parser(NAME, _("Write the graph of an agent as a picture, a diagram for other programs, or a report."))
    parser.words.add_argument(
        "agent", metavar=_("AGENT"), nargs="?", default=".", help=_("an agent folder or file, or an agent's name")
    )
    options = parser.options
    options.add_argument(
        "--format",
        choices=FORMATS,
        metavar=_("FORMAT"),
        help=_("write {formats} (default: by the extension of --output)").format(formats=", ".join(FORMATS)),
    )
    options.add_argument(
        "-o", "--output", metavar=_("FILE"), help=_("write to this file (default: -, standard output)")
    )
    options.add_argument(
        "--theme",
        choices=("light", "dark", "auto"),
        metavar=_("THEME"),
        help=_("use light (default) or dark; for {formats} auto (default), which follows the reader's system").format(
            formats=_taking("auto")
        ),
    )
    scales = ", ".join(f"{id_} {each.scale:g}" for id_, each in FORMATS.items() if each.scale != 1)
    options.add_argument(
        "--scale",
        type=number(0.05, 20),
        metavar=_("N"),
        help=_("scale the picture, from 0.05 to 20 (default: 1; {others})").format(others=scales),
    )
    shown = options.add_mutually_exclusive_group()
    lists = ", ".join(id_ for id_, each in FORMATS.items() if "lint" in each.takes and "scale" not in each.takes)
    shown.add_argument(
        "--lint",
        action="store_true",
        help=_("show findings: badges in pictures, also as a list in {formats}").format(formats=lists),
    )
    shown.add_argument(
        "--coverage",
        action="append",
        metavar=_("TRACE"),
        help=_("show how often runs took each path, from a trace; can be repeated"),
    )
    options.add_argument(
        "--no-checks",
        action="store_true",
        help=_("leave out the checks before a step closes ({formats})").format(formats=_taking("checks")),
    )
    options.add_argument("--force", action="store_true", help=_("overwrite a file not written by stepflow export"))
    add_language(parser)
    parser.epilog = _(
        "Exit code: 0 if it was written, even if parts of a registry couldn't be read; 2 if nothing was written."
    )
    return parser


def _taking(option: Option) -> str:
    return ", ".join(id_ for id_, each in FORMATS.items() if option in each.takes)
