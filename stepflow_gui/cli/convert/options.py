"""The options of `stepflow convert`."""

from stepflow_gui.cli.parser import AGENT, PIECE, Parser, add_color, add_format, add_language
from stepflow_gui.messages import _

NAME = "stepflow convert"
AS_VERIFICATION, AS_ENUM = "verification", "enum"


def make_parser() -> Parser:
    """The options of `stepflow convert`, in groups by what they apply to."""
    parser = Parser(
        NAME,
        _("Convert an agent to another format, or a TAKT piece to another release, and report what can't be kept."),
    )
    parser.words.add_argument(
        "agent", metavar=_("AGENT"), help=_("an agent folder, a registry, an agent's name, or a TAKT piece")
    )
    options = parser.options
    options.add_argument(
        "--to",
        metavar=_("FORMAT"),
        help=_(
            "convert an agent to closing (with fallbackKey), c3l (without, for newer runners) or adt-kind-address"
            " (climpt 1.14, a pre-release); a piece to a release such as takt-0.36, takt-latest (default) or takt-head"
        ),
    )
    where = options.add_mutually_exclusive_group()
    where.add_argument(
        "-o", "--output", metavar=_("PATH"), help=_("write an agent to this new folder, or a piece to this file")
    )
    where.add_argument("--write", action="store_true", help=_("change the files in place"))
    options.add_argument("--diff", action="store_true", help=_("show the differences even if files are written"))
    add_format(options, _("print the result as text (default) or json"))
    add_color(parser)
    agents = parser.add_only(AGENT)
    agents.add_argument(
        "--checks",
        choices=(AS_VERIFICATION, AS_ENUM),
        default=AS_VERIFICATION,
        metavar=_("METHOD"),
        help=_("convert checks to verification steps (verification, default) or to an enum in a step's schema (enum)"),
    )
    pieces = parser.add_only(PIECE)
    pieces.add_argument(
        "--move-settings",
        action="store_true",
        help=_("move provider, model and options, which TAKT 0.60 and later refuse here, to .takt/runtime.yaml"),
    )
    pieces.add_argument(
        "--move-file",
        action="store_true",
        help=_("move the file, too, where the release looks for it elsewhere: .takt/workflows since 0.36"),
    )
    pieces.add_argument("--force", action="store_true", help=_("overwrite an existing file"))
    add_language(parser)
    parser.epilog = _(
        "Without --write and --output nothing is changed. Exit code: 0 if it was written or nothing has to change, 1 if"
        " something would change, 2 if it can't be converted."
    )
    return parser
