"""What mistakes are made in: agents and pieces in which all that fixes had to fix is fixed already."""

import json
import re
import shutil
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.climpt.eras import era_for
from stepflow_gui.formats.climpt.new_texts import prompt_text
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.lint.prompt_files import PromptFiles
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.creating.new_agent import NewAgentPlan, want
from stepflow_gui.project.creating.templates import Template, templates
from stepflow_gui.text.source import Source

from .kinds import CHECKS, CLIMPT, TAKT

PIECES = ("seed-era/builtins/en/pieces", "head/builtins/en/workflows")


class Original(NamedTuple):
    """An agent or piece that no fix changes any more, with the texts that lie over its files."""

    agent: AgentFolder
    texts: Mapping[Path, Source]


def of_templates(into: Path) -> Iterator[Original]:
    """New agents and pieces of each template."""
    for template in templates():
        yield from of_template(template, into)


def of_template(template: Template, into: Path) -> Iterator[Original]:
    """A new agent or piece of a template."""
    root = into / template.id
    root.mkdir()
    plan = want(template, root, "sample")
    assert isinstance(plan, NewAgentPlan)
    for path, text in plan.files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    yield from _mended(plan.opened)


def of_corpus(corpus: Path, into: Path, one_in: int = 1, part: int = 0) -> Iterator[Original]:
    """Real registries, each text once, with prompts where they had them; and real pieces, read where they are.

    About one in so many of them, others in each part.
    """
    for registry in _registries(corpus):
        if zlib.crc32(registry.read_bytes()) % one_in == part:
            yield from _copied(registry, corpus, into)
    for place in PIECES:
        for piece in sorted((corpus / "takt" / place).glob("*.yaml")):
            if zlib.crc32(piece.read_bytes()) % one_in == part:
                yield from _mended(piece)


def of_shapes(corpus: Path, into: Path, most: int | None) -> Iterator[Original]:
    """Real registries of every format and shape, at most so many of each."""
    counted: Counter[str | None] = Counter()
    for registry in _registries(corpus):
        agent = open_agent(registry)
        shape = agent.format if isinstance(agent, AgentFolder) else None
        counted[shape] += 1
        if most is None or counted[shape] <= most:
            yield from _copied(registry, corpus, into)


def _registries(corpus: Path) -> Iterator[Path]:
    """Each text once."""
    seen: set[bytes] = set()
    for registry in sorted((corpus / "climpt").rglob("steps_registry.json")):
        text = registry.read_bytes()
        if text not in seen:
            seen.add(text)
            yield registry


def _copied(registry: Path, corpus: Path, into: Path) -> Iterator[Original]:
    name = registry.relative_to(corpus / "climpt").parts
    folder = into / "-".join(name[:-1]) / ".agent" / _agent_name(registry)
    shutil.copytree(registry.parent, folder)
    yield from _mended(folder / registry.name)


def _agent_name(registry: Path) -> str:
    """As climpt finds an agent by its folder: the name in agent.json, else the registry's."""
    agent = registry.with_name("agent.json")
    held = json.loads((agent if agent.is_file() else registry).read_text("utf-8"))
    name = held.get("name" if agent.is_file() else "agentId") if isinstance(held, dict) else None
    return name if isinstance(name, str) and re.fullmatch(r"[\w-]+", name) else "agent"


def _mended(path: Path) -> Iterator[Original]:
    agent = open_agent(path)
    if not isinstance(agent, AgentFolder) or agent.format not in {*CLIMPT, *CHECKS, *TAKT}:
        return
    _write_prompts(agent)
    fixed = fix_all([agent], lint, any_fixes)
    texts = {change.path: change.after for change in fixed.changes}
    yield Original(fixed.agents[0].with_buffers(texts), texts)  # an agent.json may have been begun


def _write_prompts(agent: AgentFolder) -> None:
    """The prompts that `prompts.txt` lists, with the variables of the steps that show them."""
    listed = agent.folder / "prompts.txt"
    if not listed.is_file():
        return
    for line in listed.read_text("utf-8").splitlines():
        file = agent.folder / line.strip()
        if line.strip() and not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("# Prompt\n", "utf-8")
    prompts = PromptFiles(agent, era_for(agent.flow.format))
    for step in agent.flow.steps.values():
        tail = prompts.tail_of(step)
        for folder in prompts.folders if tail else ():
            if tail and (folder / tail).is_file():
                (folder / tail).write_text(prompt_text(step), "utf-8")
