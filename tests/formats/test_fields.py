"""The field table knows every field of every real registry, with the types that occur there."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.fields import REGISTRY, STEP, TRANSITION
from stepflow_gui.formats.detect import detect
from stepflow_gui.formats.fields import Field, Shape, field_at, shape_at
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source

from .test_field_tables import fields

PYTHON_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "list": list,
    "map": dict,
    "object": dict,
}


def fits(value: Any, shape: Shape) -> bool:
    if shape.kind == "any" or (value is None and shape.nullable):
        return True
    if shape.kind == "either":
        return any(fits(value, alternative) for alternative in shape.either)
    return isinstance(value, PYTHON_TYPES[shape.kind])


def test_every_real_field_is_known_and_of_its_type(corpus: Path) -> None:
    unknown = Counter[tuple[str, str]]()
    unfit = Counter[tuple[str, str, str]]()
    seen = 0
    for path in sorted((corpus / "climpt").glob("**/steps_registry.json")):
        document = ParsedFile.read(path, Source.decode(path.read_bytes()))
        format_id = detect(document)
        assert format_id
        assert document.root
        for pointer, node in document.root.walk():
            shape = shape_at(REGISTRY, pointer, format_id)
            seen += 1
            if shape is None:
                unknown[format_id, pointer] += 1
            elif not fits(node.value, shape):
                unfit[format_id, pointer, node.kind] += 1
    assert seen > 50_000
    assert unknown == Counter()
    assert unfit == Counter()


def test_newer_names_exist() -> None:
    holders = [REGISTRY, *(field.shape.of for _, field in fields(REGISTRY) if field.shape.of), STEP]
    for where, field in fields(REGISTRY):
        if field.newer:
            assert any(field.newer in {other.name for other in holder.fields} for holder in holders), where


@pytest.mark.parametrize(
    ("pointer", "format_id", "name"),
    [
        ("/agentId", "closing", "agentId"),
        ("/steps/initial.issue/stepKind", "closing", "stepKind"),
        ("/steps/initial.issue/stepKind", "complete", None),
        ("/steps/initial.issue/address/c2", "adt-kind-address", "c2"),
        ("/steps/initial.issue/address/c2", "closing", None),
        ("/steps/a~1b/structuredGate/allowedIntents", "c3l", "allowedIntents"),
        ("/steps/a/structuredGate/allowedIntent", "c3l", None),
        ("/steps/a/transitions/next/target", "c3l", "target"),
        ("/steps/a/transitions/next/condition", "c3l", "condition"),
        ("/steps/a/transitions/next/nothing", "c3l", None),
        ("/validationSteps/closure.issue/onFailure/maxAttempts", "closing", "maxAttempts"),
        ("/steps/a/inputs/x/default/anything/below", "c3l", None),
    ],
)
def test_the_field_at_a_place(pointer: str, format_id: str, name: str | None) -> None:
    found = field_at(REGISTRY, pointer, format_id)
    assert (found.name if isinstance(found, Field) else None) == name


def test_elements_and_free_keys_have_a_shape_of_their_own() -> None:
    assert shape_at(REGISTRY, "/steps/a", "closing") is STEP
    assert shape_at(REGISTRY, "/steps/a/transitions/next", "closing") is TRANSITION
    intent = shape_at(REGISTRY, "/steps/a/structuredGate/allowedIntents/0", "closing")
    assert intent is not None
    assert intent.names == "intent"
    assert shape_at(REGISTRY, "/steps/a/inputs/x/default/deep/below", "closing") is not None
    assert shape_at(REGISTRY, "", "closing") is REGISTRY
