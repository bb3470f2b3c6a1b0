"""The argument parser: argparse with its texts through the catalogue."""

import argparse
import re
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NoReturn

from stepflow_gui.cli.streams import print_error
from stepflow_gui.messages import LANGUAGES, _

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

USAGE_ERROR = 2
_SECOND_COLUMN = "\0"


class Parser(argparse.ArgumentParser):
    """`options` is the group for options, `words` the one for what is not an option."""

    def __init__(self, prog: str, description: str, usage: str | None = None) -> None:
        super().__init__(
            prog, usage=usage, description=description, add_help=False, allow_abbrev=False, formatter_class=_Formatter
        )
        self.words = self.add_argument_group(_("Arguments"))
        self.options = self.add_argument_group(_("Options"))
        self.options.add_argument("-h", "--help", action="help", help=_("show this help and end"))

    def error(self, message: str) -> NoReturn:
        """Print what is wrong in one line, and how to get help; exits with code 2."""
        print_error(f"{self.prog}: {_translated(message)}")
        print_error(_("Try “{command} --help”.").format(command=self.prog))
        raise SystemExit(USAGE_ERROR)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """As argparse does it, with what was probably meant."""
        choices = action.choices
        if choices is None or value in choices:
            return
        from stepflow_gui.lint.config.choices import choice_names, nearest_choice
        from stepflow_gui.lint.config.file import with_guess

        text = _("{option} can't be {word}; it is one of {choices}").format(
            option="/".join(action.option_strings) or action.dest,
            word=repr(value),
            choices=", ".join(map(repr, choice_names(choices))),
        )
        self.error(with_guess(text, nearest_choice(value, choices)))

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
    """Columns and lines by what letters take in a terminal; argparse counts a wide one as one column.

    What argparse measures itself has a mark after every wide letter, taken out of what is printed.
    """

    def format_help(self) -> str:
        return super().format_help().replace(_SECOND_COLUMN, "")

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, _spread(prefix or _("Usage: ")))

    def _metavar_formatter(self, action: argparse.Action, default_metavar: str) -> Callable[[int], tuple[str, ...]]:
        plain = super()._metavar_formatter(action, default_metavar)
        return lambda size: tuple(_spread(word) for word in plain(size))

    def _split_lines(self, text: str, width: int) -> list[str]:
        from stepflow_gui.cli.wrapping import wrapped

        return list(wrapped(" ".join(text.split()), width))

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for line in self._split_lines(text, width - len(indent)))


def _spread(text: str) -> str:
    from stepflow_gui.lint.report.printable import width

    return "".join(letter + _SECOND_COLUMN * (width(letter) - 1) for letter in text)


def _translated(message: str) -> str:
    """An error of argparse in the language in use."""
    for pattern, text in (
        (_UNKNOWN, _("unknown: {word}")),
        (_NO_VALUE, _("{option} wants a value")),
        (_MISSING, _("missing: {word}")),
        (_UNFIT, _("{option} can't be {word}")),
        (_EXCLUDED, _("{option} and {other} exclude each other")),
    ):
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found:
            return text.format(**found.groupdict())
    return message


# What argparse prints in English only; compiled once there is something to print.
_UNKNOWN = r"unrecognized arguments: (?P<word>.*)"
_NO_VALUE = r"argument (?P<option>.*): expected .*"
_UNFIT = r"argument (?P<option>.*): invalid \w+ value: (?P<word>.*)"
_EXCLUDED = r"argument (?P<option>.*): not allowed with argument (?P<other>.*)"
_MISSING = r"the following arguments are required: (?P<word>.*)"
