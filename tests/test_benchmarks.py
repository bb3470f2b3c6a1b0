"""The benchmarks take the options that their README names."""

import subprocess
import sys
from pathlib import Path


def test_the_benchmarks_take_a_folder_of_real_files(checkout: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--collect-only", "-q"]
    done = subprocess.run(
        [*command, "benchmarks/test_linting.py", "--corpus", tmp_path],
        cwd=checkout,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
