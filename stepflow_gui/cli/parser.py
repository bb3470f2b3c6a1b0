"""The argument parser: argparse with its texts through the catalogue."""

import argparse
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn

from stepflow_gui.cli.streams import complain
from stepflow_gui.messages import LANGUAGES, _

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

USAGE_ERROR = 2


class Parser(argparse.ArgumentParser):
    """`options` is the group for options, `words` the one for what is no option."""

    def __init__(self, prog: str, description: str, usage: str | None = None) -> None:
        super().__init__(
            prog, usage=usage, description=description, add_help=False, allow_abbrev=False, formatter_class=_Formatter
        )
        self.words = self.add_argument_group(_("Arguments"))
        self.options = self.add_argument_group(_("Options"))
        self.options.add_argument("-h", "--help", action="help", help=_("show this help and end"))

    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line, and how to get help; ends with exit code 2."""
        complain(f"{self.prog}: {_translated(message)}")
        complain(_("Try “{command} --help”.").format(command=self.prog))
        raise SystemExit(USAGE_ERROR)

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        """Argparse would pass over a full disk."""
        (file or sys.stderr).write(message)


def add_language(parser: Parser) -> None:
    """The option that all commands have."""
    parser.options.add_argument(
        "--lang",
        choices=LANGUAGES,
        metavar=_("LANG"),
        help=_("language of all texts: en or ja (default: the terminal's)"),
    )


class _Formatter(argparse.HelpFormatter):
    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, prefix or _("Usage: "))


def _translated(message: str) -> str:
    """An error of argparse in the language in use."""
    for pattern, text in (
        (_UNKNOWN, _("unknown: {word}")),
        (_NO_CHOICE, _("{option} can't be {word}; it is one of {choices}")),
        (_NO_VALUE, _("{option} wants a value")),
        (_MISSING, _("missing: {word}")),
        (_UNFIT, _("{option} can't be {word}")),
        (_EXCLUDED, _("{option} and {other} exclude each other")),
    ):
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found:
            return text.format(**found.groupdict())
    return message


# What argparse says in English only; compiled once it has something to say.
_UNKNOWN = r"unrecognized arguments: (?P<word>.*)"
_NO_VALUE = r"argument (?P<option>.*): expected .*"
_NO_CHOICE = r"argument (?P<option>.*): invalid choice: (?P<word>.*) \(choose from (?P<choices>.*)\)"
_UNFIT = r"argument (?P<option>.*): invalid \w+ value: (?P<word>.*)"
_EXCLUDED = r"argument (?P<option>.*): not allowed with argument (?P<other>.*)"
_MISSING = r"the following arguments are required: (?P<word>.*)"
