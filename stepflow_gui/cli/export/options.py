"""The options of `stepflow export`."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.cli.parser import Parser, add_language
from stepflow_gui.export.formats import FORMATS, Option, format_of
from stepflow_gui.messages import _

STDOUT = "-"


def read_export_options(arguments: Sequence[str], name: str) -> Namespace:
    """The options, checked; exits with 2 if they are invalid."""
    parser = _parser(name)
    found = parser.parse_args(arguments)
    if found.format is None:
        found.format = format_of(Path(found.output or ""))
    if found.format is None:
        parser.error(_("say --format, or a file by whose ending it can be told"))
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
            parser.error(_("{option} goes with {formats}").format(option=shown, formats=_taking(option)))
    if chosen.painted and found.output in {None, STDOUT} and sys.stdout.isatty():
        parser.error(_("{format} is nothing for a terminal; name a file with -o").format(format=found.format))
    return found


def _parser(name: str) -> Parser:
    parser = Parser(name, _("Write the graph of an agent as a picture, a diagram for other programs, or a report."))
    parser.words.add_argument(
        "agent", metavar=_("AGENT"), nargs="?", default=".", help=_("an agent folder or file, or an agent's name")
    )
    options = parser.options
    options.add_argument(
        "--format",
        choices=FORMATS,
        metavar=_("FORMAT"),
        help=_("{formats} (default: told by the file's ending)").format(formats=", ".join(FORMATS)),
    )
    options.add_argument("-o", "--output", metavar=_("FILE"), help=_("where to; - or nothing is standard output"))
    options.add_argument(
        "--theme",
        choices=("light", "dark", "auto"),
        metavar=_("THEME"),
        help=_("light (default), dark or, for {formats}, auto (default there): as the reader's").format(
            formats=_taking("auto")
        ),
    )
    scales = ", ".join(f"{id_} {each.scale:g}" for id_, each in FORMATS.items() if each.scale != 1)
    options.add_argument(
        "--scale",
        type=_scale,
        metavar=_("N"),
        help=_("how large a picture is (default: 1; {others})").format(others=scales),
    )
    shown = options.add_mutually_exclusive_group()
    lists = ", ".join(id_ for id_, each in FORMATS.items() if "lint" in each.takes and "scale" not in each.takes)
    shown.add_argument(
        "--lint",
        action="store_true",
        help=_("show findings: badges in pictures, also a list in {formats}").format(formats=lists),
    )
    shown.add_argument(
        "--coverage",
        action="append",
        metavar=_("TRACE"),
        help=_("show how often runs went where, by the trace of one; may be given several times"),
    )
    options.add_argument(
        "--no-checks",
        action="store_true",
        help=_("{formats}: leave out what is checked before a step closes").format(formats=_taking("checks")),
    )
    options.add_argument("--force", action="store_true", help=_("write over a file that no export has made"))
    add_language(parser)
    parser.epilog = _(
        "Exit code: 0, also where a registry could be read only in part, which is said; 2 where nothing was written."
    )
    return parser


def _taking(option: Option) -> str:
    return ", ".join(id_ for id_, each in FORMATS.items() if option in each.takes)


def _scale(text: str) -> float:
    number = float(text)
    if not 0.05 <= number <= 20:  # NaN is nothing of these
        raise ValueError
    return number
