"""The field tables know every field of every real agent.json, and fit together."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.agent.fields import AGENT, CONFIG, VERDICTS
from stepflow_gui.formats.climpt.agent.flat_fields import AGENT_FLAT, moves
from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES, VERDICT_TYPES
from stepflow_gui.formats.fields import Field, Shape, field_at
from stepflow_gui.formats.shape_check import misfits
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source


def real_agents(corpus: Path) -> Iterator[tuple[Path, Any]]:
    for path in sorted((corpus / "climpt").glob("**/agent.json")):
        yield path, json.loads(path.read_bytes())


def test_every_real_field_is_known_to_an_era(corpus: Path) -> None:
    unknown = Counter[str]()
    seen = 0
    for path, value in real_agents(corpus):
        document = ParsedFile.read(path, Source.decode(path.read_bytes()))
        table = AGENT if "runner" in value else AGENT_FLAT
        assert document.root
        for pointer, _node in document.root.walk():
            seen += 1
            if not any(field_at(table, pointer, era) for era in ERAS):
                unknown[pointer] += 1
    assert seen > 6000
    assert unknown == Counter()


def test_real_values_are_of_their_fields_types_but_for_renamed_verdicts_and_placeholders(corpus: Path) -> None:
    found = Counter[tuple[str, str]]()
    for _path, value in real_agents(corpus):
        table = AGENT if "runner" in value else AGENT_FLAT
        for misfit in misfits(value, table, "climpt-2026-01-18"):
            if misfit.kind != "required":  # older files lack what has a default
                found[misfit.kind, misfit.pointer] += 1
    assert set(found) == {("enum", "/runner/verdict/type"), ("enum", "/behavior/completionType"), ("pattern", "/name")}


def test_every_verdict_is_explained() -> None:
    for name, verdict in VERDICTS.items():
        assert verdict.meaning(), name


def test_the_verdict_types_use_fields_of_the_config() -> None:
    known = {field.name for field in CONFIG.fields}
    used = {name for verdict in VERDICTS.values() for name in (*verdict.needed, *verdict.also)}
    assert tuple(VERDICTS) == VERDICT_TYPES
    assert used == known - {"type", "issueParam", "completionKeyword"}
    assert set(OLDER_VERDICT_TYPES.values()) == set(VERDICT_TYPES)


def test_what_moved_has_a_place_of_the_same_shape_today() -> None:
    found = dict(moves())
    assert len(found) == 15
    for older, newer in found.items():
        before = field_at(AGENT_FLAT, older, "climpt-2026-03-14")
        after = field_at(AGENT, newer, "climpt-2026-03-14")
        assert isinstance(before, Field), older
        assert isinstance(after, Field), newer
        assert before.shape.kind == after.shape.kind
        assert {field.name for field in after.shape.fields} <= {field.name for field in before.shape.fields}


@pytest.mark.parametrize(
    ("pointer", "era", "name"),
    [
        ("/runner/flow/prompts/fallbackDir", "climpt-2026-03-14", "fallbackDir"),
        ("/runner/flow/prompts/fallbackDir", "guide", "fallbackDir"),
        ("/runner/flow/prompts/fallbackDir", "climpt-2026-04-20", None),
        ("/runner/boundaries/sandbox/excludedCommands", "climpt-2026-04-20", "excludedCommands"),
        ("/runner/boundaries/sandbox/excludedCommands", "climpt-2026-04-01", None),
        ("/runner/completion/type", "climpt-2026-01-18", "type"),
        ("/runner/completion/type", "guide", None),
        ("/runner/integrations/github/labels/completion/add", "guide", "add"),
        ("/parameters/issue/cli", "guide", "cli"),
        ("/parameters/issue/clip", "guide", None),
        ("/runner/verdict/config/conditions/0/type", "guide", "type"),
    ],
)
def test_the_field_at_a_place(pointer: str, era: str, name: str | None) -> None:
    found = field_at(AGENT, pointer, era)
    assert (found.name if isinstance(found, Field) else None) == name


def test_labels_of_other_names_have_a_shape() -> None:
    pointer = "/runner/integrations/github/labels/attention"
    for era, kind in (("climpt-2026-03-14", "string"), ("climpt-2026-04-20", "any")):
        found = field_at(AGENT, pointer, era)
        assert isinstance(found, Shape)
        assert found.kind == kind
