"""The argument parser: argparse with its texts through the catalogue, and arguments and options in any order."""

import argparse
import re
import sys
from argparse import _ArgumentGroup
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from stepflow_gui.cli.streams import COLOR_CHOICES, print_error
from stepflow_gui.messages import LANGUAGES, _

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

USAGE_ERROR = 2
AGENT, PIECE = "agent", "piece"  # the kinds of files that some options are for alone
_SECOND_COLUMN = "\0"

RENAMED = {
    "--era": "--runtime",
    "--args": "--arg",
    "--output-file": "--output",
    "--rev": "--since",
    "--json": "--format=json",
}
"""Earlier names of options and what they stand for. They are still accepted and shown nowhere."""


class UsageError(Exception):
    """What is wrong with the command line or a file that it names."""


class ValueType:
    """How the value of an option is read (`ValueError` for one that it can't have), and what is expected, in words."""

    __slots__ = ("_expected", "_read")

    def __init__(self, read: Callable[[str], Any], expected: Callable[[], str]) -> None:
        self._read = read
        self._expected = expected  # asked when it is shown, in the language in use then

    def __call__(self, text: str) -> Any:
        """The value."""
        return self._read(text)

    def expected(self) -> str:
        """What a value must be."""
        return self._expected()


def integer(low: int | None = None) -> ValueType:
    """Integers, from `low` where there is a lowest."""

    def read(text: str) -> int:
        value = int(text)
        if low is not None and value < low:
            raise ValueError
        return value

    return ValueType(read, lambda: _("an integer") if low is None else _("an integer ≥ {low}").format(low=low))


def number(low: float, high: float | None = None, *, above: bool = False) -> ValueType:
    """Finite numbers from `low` to `high`; with `above` they are greater than `low`."""

    def read(text: str) -> float:
        value = float(text)
        top = float("inf") if high is None else high
        if not low <= value <= top or value == float("inf") or (above and value == low):  # NaN is in no range
            raise ValueError
        return value

    def expected() -> str:
        if high is not None:
            return _("a number from {low} to {high}").format(low=f"{low:g}", high=f"{high:g}")
        text = _("a number > {low}") if above else _("a number ≥ {low}")
        return text.format(low=f"{low:g}")

    return ValueType(read, expected)


class OptionGroup(_ArgumentGroup):
    """A group of arguments or options that can be asked for what is in it."""

    @property
    def actions(self) -> list[argparse.Action]:
        """What is in it, in the order of the help."""
        return self._group_actions


class Parser(argparse.ArgumentParser):
    """`options` is the group for options, `words` the one for what is not an option.

    `only` holds the groups of options that apply to one kind of file alone.
    """

    def __init__(self, prog: str, description: str, usage: str | None = None) -> None:
        super().__init__(
            prog, usage=usage, description=description, add_help=False, allow_abbrev=False, formatter_class=_Formatter
        )
        self.words = self.add_argument_group(_("Arguments"))
        self.only: dict[str, OptionGroup] = {}
        self.options = self.add_argument_group(_("Options"))
        self.options.add_argument("-h", "--help", action="help", help=_("show this help and exit"))

    def add_only(self, kind: str) -> OptionGroup:
        """The group of the options that only this kind of file has."""
        title = _("TAKT pieces only") if kind == PIECE else _("Agents only")
        group = self.only[kind] = self.add_argument_group(title)
        return group

    def add_argument_group(self, title: str | None = None, description: str | None = None, **kept: Any) -> OptionGroup:
        """As argparse does it."""
        group = OptionGroup(self, title, description, **kept)
        self._action_groups.append(group)
        return group

    @property
    def sections(self) -> list[OptionGroup]:
        """Its groups, in the order of the help; those in which nothing is are left out."""
        return [group for group in self._action_groups if isinstance(group, OptionGroup) and group.actions]

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """The options and arguments, which may be in any order; exits with code 2 if they are wrong."""
        return self.parse_args(self._ordered(words))

    def given(self, options: argparse.Namespace, names: Iterable[str]) -> Iterator[str]:
        """The options that have another value than their default, of those with these names in the namespace."""
        wanted = set(names)
        for action in self._actions:
            if action.dest in wanted and getattr(options, action.dest) != action.default:
                yield self.name_of(action)

    def _ordered(self, words: Sequence[str]) -> list[str]:
        """The same with the options first, each with its value in one word, and by their present names."""
        options: list[str] = []
        operands: list[str] = []
        rest = list(reversed(words))
        while rest:
            word = rest.pop()
            if word == "--":
                operands += reversed(rest)
                break
            if word == "-" or not word.startswith("-"):
                operands.append(word)
            elif word.startswith("--"):
                options.append(self._long_option(word, rest))
            else:
                options += self._short_options(word[1:], rest)
        return [*options, "--", *operands] if operands and self._get_positional_actions() else [*options, *operands]

    def _long_option(self, word: str, rest: list[str]) -> str:
        name, equals, value = word.partition("=")
        if name in RENAMED and name not in self._option_string_actions:
            present, preset, preset_value = RENAMED[name].partition("=")
            if present in self._option_string_actions:
                name = present
                equals, value = (preset, preset_value) if preset else (equals, value)
        if self._takes_value(name):
            return f"{name}={value if equals else self._next_value(name, rest)}"
        if equals:
            self.error(_("{option} doesn't take a value").format(option=name))
        return name

    def _short_options(self, letters: str, rest: list[str]) -> list[str]:
        found = []
        for at, letter in enumerate(letters, 1):
            name = f"-{letter}"
            if not self._takes_value(name):
                found.append(name)
                continue
            value = letters[at:].removeprefix("=") or self._next_value(name, rest)
            return [*found, f"{self.name_of(self._option_string_actions[name])}={value}"]
        return found

    def _takes_value(self, name: str) -> bool:
        action = self._option_string_actions.get(name)
        if action is None:
            self._refuse_unknown(name)
        return action.nargs is None

    def _refuse_unknown(self, name: str) -> NoReturn:
        from stepflow_gui.lint.closest_name import nearest
        from stepflow_gui.lint.config.file import with_guess

        known = [each for each in self._option_string_actions if each.startswith("--")]
        self.error(with_guess(_("unknown option {option}").format(option=name), nearest(name, known)))

    def _next_value(self, name: str, rest: list[str]) -> str:
        if not rest or re.fullmatch(r"-(?![\d.]+$).+", rest[-1], re.DOTALL):  # an option, not a negative number
            self.error(_("{option} needs a value").format(option=name))
        return rest.pop()

    @staticmethod
    def name_of(action: argparse.Action) -> str:
        """The long name of an option; an argument's placeholder."""
        long = (name for name in action.option_strings if name.startswith("--"))
        return next(long, "/".join(action.option_strings)) or str(action.metavar or action.dest)

    def error(self, message: str) -> NoReturn:
        """Print what is wrong in one line, and how to get help; exits with code 2."""
        print_error(f"{self.prog}: {_translated(message)}")
        print_error(_("Try “{command} --help”.").format(command=self.prog))
        raise SystemExit(USAGE_ERROR)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """As argparse does it, with what was probably meant."""
        if action.choices is not None and value not in action.choices:
            self.error(choice_error(self.name_of(action), value, action.choices))

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """As argparse does it, with what is expected."""
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError:
            assert isinstance(action.type, ValueType)
            text = _("invalid value {word} for {option}: expected {expected}")
            self.error(text.format(word=repr(arg_string), option=self.name_of(action), expected=action.type.expected()))

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        """Argparse would ignore a full disk."""
        (file or sys.stderr).write(message)


def check_kind(parser: Parser, options: argparse.Namespace, kind: str) -> None:
    """Refuse options that don't apply to the kind of file. Raises UsageError."""
    foreign = [action.dest for each, group in parser.only.items() if each != kind for action in group.actions]
    for option in parser.given(options, foreign):
        text = _("{option} is only for TAKT pieces") if kind == AGENT else _("{option} is only for agents")
        raise UsageError(text.format(option=option))


def choice_error(option: str, word: str, choices: Iterable[str]) -> str:
    """What is wrong with a value that isn't one of the choices."""
    from stepflow_gui.lint.config.choices import choice_names, nearest_choice
    from stepflow_gui.lint.config.file import with_guess

    text = _("invalid value {word} for {option}: choose from {choices}").format(
        word=repr(word), option=option, choices=", ".join(choice_names(choices))
    )
    return with_guess(text, nearest_choice(word, choices))


def add_language(parser: Parser) -> None:
    """The option that all commands have."""
    parser.options.add_argument(
        "--lang",
        choices=LANGUAGES,
        metavar=_("LANG"),
        help=_("language of all texts: en or ja (default: the terminal's)"),
    )


def add_format(group: _ArgumentGroup, text: str, choices: Iterable[str] = ("text", "json")) -> None:
    """The option of what is printed, `text` being its help; the first of the choices is the default."""
    known = tuple(choices)
    group.add_argument("--format", choices=known, default=known[0], metavar=_("FORMAT"), help=text)


def add_color(parser: Parser) -> None:
    """The option of all commands that print in colours."""
    parser.options.add_argument(
        "--color",
        choices=COLOR_CHOICES,
        default="auto",
        metavar=_("WHEN"),
        help=_("use colours: auto (default: on a terminal), always or never"),
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
        if usage is None:  # options are below, in groups
            self._prog = f"{self._prog} {_('[options]')}"
            actions, groups = (action for action in actions if not action.option_strings), ()
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
        (_UNEXPECTED, _("unexpected argument: {word}")),
        (_MISSING, _("missing argument: {word}")),
        (_EXCLUDED, _("{option} can't be used with {other}")),
    ):
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found:
            return text.format(**found.groupdict())
    return message


# What argparse prints in English only; compiled once there is something to print.
_UNEXPECTED = r"unrecognized arguments: (?P<word>.*)"
_EXCLUDED = r"argument (?P<option>.*): not allowed with argument (?P<other>.*)"
_MISSING = r"the following arguments are required: (?P<word>.*)"
