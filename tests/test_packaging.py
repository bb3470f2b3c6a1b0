"""What a user installs: the lock covers what pyproject asks for, and the wheel runs with its resources."""

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path
from typing import Any

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

PIN = re.compile(r"^([\w.-]+)==([\w.+!-]+)(?: ; (.+?))? \\$", re.MULTILINE)

USE_RESOURCES = """
import stepflow_gui
from stepflow_gui.bundled import resource
from stepflow_gui.lint.examples.rule_docs import docs_of
from stepflow_gui.messages import _, use_language

use_language("ja")
print(stepflow_gui.__file__)
print(resource("examples", "issue-flow"))
print(_("Qt can't start: {reason}"))
print(docs_of("SF204").fix)
"""


def pyproject(checkout: Path) -> dict[str, Any]:
    return tomllib.loads((checkout / "pyproject.toml").read_text("utf-8"))


def asked_for(project: dict[str, Any]) -> list[Requirement]:
    extras = project["project"]["optional-dependencies"]
    lists = [
        project["build-system"]["requires"],
        project["project"]["dependencies"],
        *(extra for name, extra in extras.items() if name != "all"),
        project["dependency-groups"]["dev"],
    ]
    return [Requirement(text) for each in lists for text in each]


def test_the_lock_covers_all_that_is_asked_for(checkout: Path) -> None:
    pins: dict[str, list[tuple[Version, Marker | None]]] = {}
    for name, version, marker in PIN.findall((checkout / "requirements.lock").read_text("utf-8")):
        pins.setdefault(canonicalize_name(name), []).append((Version(version), Marker(marker) if marker else None))
    unmet = [
        str(asked)
        for asked in asked_for(pyproject(checkout))
        if not any(
            version in asked.specifier and (marker is None or marker.evaluate())
            for version, marker in pins.get(canonicalize_name(asked.name), [])
        )
    ]
    assert not unmet, "run `make lock`"


def test_the_lock_names_hashes_and_no_host(checkout: Path) -> None:
    text = (checkout / "requirements.lock").read_text("utf-8")
    assert "://" not in text
    entries = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
    assert entries
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []


def test_all_installs_every_extra(checkout: Path) -> None:
    extras = pyproject(checkout)["project"]["optional-dependencies"]
    (everything,) = (Requirement(text) for text in extras["all"])
    assert everything.extras == set(extras) - {"all"}


def run(*command: str | Path, folder: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # would hide the wheel
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=check)


@pytest.fixture(scope="session")
def installed(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that holds the wheel, and this environment's libraries behind it."""
    folder = tmp_path_factory.mktemp("installed")
    dist = folder / "dist"
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", dist, folder=checkout)
    (wheel,) = dist.glob("*.whl")
    venv.create(folder / "venv", with_pip=False)
    scheme = sysconfig.get_paths("venv", vars={"base": str(folder / "venv"), "platbase": str(folder / "venv")})
    python = Path(scheme["scripts"]) / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel, folder=folder)
    (Path(scheme["purelib"]) / "libraries.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", "utf-8")
    return python.parent


@pytest.mark.slow
def test_the_wheel_finds_its_resources(installed: Path, checkout: Path, tmp_path: Path) -> None:
    package, example, japanese, rule = run(
        installed / "python", "-X", "utf8", "-c", USE_RESOURCES, folder=tmp_path
    ).stdout.splitlines()
    assert Path(package).is_relative_to(installed.parent)
    assert not Path(package).is_relative_to(checkout)
    assert Path(example).is_relative_to(Path(package).parent)
    assert japanese == "Qt を起動できません: {reason}"
    assert rule == "intent を許可するか、遷移を削除します。遷移をたどらせたいステップにはゲートを書きます。"
    assert (Path(example) / ".agent" / "issue-flow" / "steps_registry.json").is_file()
    assert (Path(package).parent / "docs" / "ja" / "index.md").is_file()  # what Help ▸ Documentation shows


@pytest.mark.slow
def test_the_installed_program_runs(installed: Path, checkout: Path, tmp_path: Path) -> None:
    version = run(installed / "stepflow", "--version", folder=tmp_path)
    assert re.fullmatch(r"stepflow \d+\.\d+\.\d+\n", version.stdout)
    example = checkout / "resources" / "examples" / "issue-flow"
    lint = run(installed / "stepflow", "lint", example, folder=tmp_path, check=False)
    assert lint.returncode == 0, lint.stdout + lint.stderr
