"""The files that are mutated: the product's own examples and templates, and the real ones where they are at hand."""

import os
import random
from functools import cache
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.text.edit import apply
from stepflow_gui.text.json.edit import remove
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Source

CHECKOUT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("STEPFLOW_CORPUS", CHECKOUT.parent / "shared" / "corpus"))
_OWN_SHARE = 0.5  # of the cases, where there are real files
_FEW = 4  # steps
_WHOLE = 0.3  # of the cases with files as they are


class Original(NamedTuple):
    """A project's files by their names, and the registry or piece in it."""

    files: dict[str, str]
    registry: str


def agent(chance: random.Random) -> Original:
    """An agent of any format of climpt's; often with some of its steps alone, as small files are looked at sooner."""
    files, registry = _chosen("steps_registry.json", chance)
    tree = read_json(Source(files[registry]))
    steps = tree.at("/steps")
    if steps is None or len(steps.members()) <= _FEW or chance.random() < _WHOLE:
        return Original(files, registry)
    gone = chance.sample([member.key for member in steps.members()], len(steps.members()) - _FEW)
    edits = remove(tree, *(join("/steps", step) for step in gone))
    return Original({**files, registry: apply(files[registry], edits)}, registry)


def piece(chance: random.Random) -> Original:
    """A piece or workflow of any age."""
    return _chosen("piece", chance)


@cache
def template(name: str) -> Original:
    """The files of a template or an example."""
    folders = [CHECKOUT / "resources" / "templates" / name / "files", CHECKOUT / "resources" / "examples" / name]
    return _filled(next(folder for folder in folders if folder.is_dir()))


def _chosen(kind: str, chance: random.Random) -> Original:
    own, real = _own(kind), _real(kind)
    from_own = not real or chance.random() < _OWN_SHARE
    if from_own:
        return chance.choice(own)
    path = chance.choice(real)
    return _real_agent(path) if kind != "piece" else _real_piece(path)


@cache
def _own(kind: str) -> list[Original]:
    found = [_filled(folder) for folder in sorted((CHECKOUT / "resources" / "templates").glob("*/files"))]
    found += [_filled(folder) for folder in sorted((CHECKOUT / "resources" / "examples").iterdir()) if folder.is_dir()]
    return [each for each in found if each.registry.endswith(".yaml") == (kind == "piece")]


def _filled(folder: Path) -> Original:
    """The files of a template or example, with a name for an agent."""
    files = {
        _named(file.relative_to(folder).as_posix()): _named(file.read_text("utf-8"))
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }
    registries = [name for name in files if name.endswith("steps_registry.json") or "pieces/demo.yaml" in name]
    return Original(files, registries[0])


def _named(text: str) -> str:
    return text.replace("@name@", "demo").replace("@title@", "Demo")


@cache
def _real(kind: str) -> list[Path]:
    if kind != "piece":
        return sorted((CORPUS / "climpt").rglob(kind))
    folders = [CORPUS / "takt" / age / part for age in ("seed-era", "head") for part in ("builtins", "e2e")]
    folders.append(CORPUS / "takt" / "defects")
    return sorted(path for folder in folders for path in folder.rglob("*.yaml"))


@cache
def _real_agent(registry: Path) -> Original:
    """A registry with what lies beside it; its prompts hold nothing."""
    home = ".agent/demo"
    files = {
        f"{home}/{file.relative_to(registry.parent).as_posix()}": file.read_text("utf-8")
        for file in sorted(registry.parent.rglob("*.json"))
    }
    listed = registry.parent / "prompts.txt"
    if listed.is_file():
        files |= dict.fromkeys((f"{home}/{name}" for name in listed.read_text("utf-8").split()), "")
    return Original(files, f"{home}/{registry.name}")


@cache
def _real_piece(path: Path) -> Original:
    folder = "workflows" if "workflows" in path.parts else "pieces"
    name = f".takt/{folder}/{path.name}"
    return Original({name: path.read_text("utf-8")}, name)
