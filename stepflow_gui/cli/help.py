"""`stepflow help`: the help of a command, or of all."""

from collections.abc import Sequence

from stepflow_gui.cli.main import COMMANDS, USAGE_ERROR, top_parser, unknown_command
from stepflow_gui.cli.parser import Parser, add_language
from stepflow_gui.cli.streams import print_error
from stepflow_gui.messages import _

DONE = 0


def main(arguments: Sequence[str]) -> int:
    """Run it: 0, or 2 for an unknown command."""
    command = make_parser().read(arguments).command
    if command is not None and command not in COMMANDS:
        print_error(f"stepflow help: {unknown_command(command)}")
        print_error(_("Run “stepflow help” for a list."))
        return USAGE_ERROR
    parser = top_parser() if command is None else COMMANDS[command].parser()
    print(parser.format_help(), end="")
    return DONE


def make_parser() -> Parser:
    """The options of `stepflow help`."""
    parser = Parser("stepflow help", _("Show the help of a command, or the list of commands."))
    parser.words.add_argument("command", nargs="?", metavar=_("COMMAND"), help=_("the command to show the help of"))
    add_language(parser)
    return parser
