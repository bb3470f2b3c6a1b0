"""What a command left behind."""

from typing import NamedTuple


class CommandResult(NamedTuple):
    """A finished command: its exit code, -1 where it could not be run, and what it wrote."""

    exit_code: int = 0
    stdout: str = ""
    stderr: str = ""

    @property
    def output(self) -> str:
        """Both streams, as the parsers that look at either see them."""
        return f"{self.stdout}\n{self.stderr}"
