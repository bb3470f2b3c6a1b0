"""Runs the commands of cases that need one."""

import subprocess
from pathlib import Path

from stepflow_gui.run.validators.command_result import CommandResult


def shell(command: str, folder: Path) -> CommandResult:
    """What `sh -c` makes of a command in a folder."""
    done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, timeout=20, check=False)
    return CommandResult(done.returncode, done.stdout, done.stderr)
