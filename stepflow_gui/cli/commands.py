"""The table of subcommands; a command's module is loaded when the command is run."""

import gc
from collections.abc import Callable, Sequence
from importlib import import_module

from stepflow_gui.messages import _


class Subcommand:
    """A subcommand: what help says of it, and its module, whose `main(arguments)` gives the exit code."""

    __slots__ = ("module", "summary")

    def __init__(self, module: str, summary: Callable[[], str]) -> None:
        self.module = module
        self.summary = summary  # asked when it is shown, in the language in use then

    def run(self, arguments: Sequence[str]) -> int:
        """Run it."""
        gc.disable()  # what loads stays: there is nothing to collect
        try:
            module = import_module(f"stepflow_gui.cli.{self.module}")
        finally:
            gc.enable()
        code = module.main(arguments)
        assert isinstance(code, int)
        return code


COMMANDS = {
    "gui": Subcommand("gui", lambda: _("open the window on an agent folder or file")),
    "new": Subcommand("new", lambda: _("make an agent from a template")),
    "lint": Subcommand("lint.command", lambda: _("check registries and the files around them")),
    "diff": Subcommand("diff.command", lambda: _("say what differs between two flows, or since a git revision")),
    "convert": Subcommand("convert.command", lambda: _("bring an agent into another format")),
    "export": Subcommand("export.command", lambda: _("write the graph as a picture, a diagram or a report")),
    "run": Subcommand("run.command", lambda: _("run an agent by a script, by chance, by a model or by hand")),
    "test": Subcommand("flow_tests.command", lambda: _("run the scripts of an agent's flow_tests folder")),
    "trust": Subcommand("trust", lambda: _("let commands run in a project, or take that back")),
    "explain": Subcommand("explain", lambda: _("say what a rule is about, or an error code of the runner")),
    "rules": Subcommand("rules", lambda: _("list the rules")),
    "demo": Subcommand("demo", lambda: _("show it all on the example that comes with Stepflow")),
}


def command_like(word: str) -> str | None:
    """The command that was probably meant by a mistyped word; None for what looks like a path."""
    if "/" in word or "." in word or "\\" in word:
        return None
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, COMMANDS, n=1, cutoff=0.7)), None)
