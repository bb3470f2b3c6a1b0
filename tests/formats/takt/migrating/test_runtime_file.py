"""Settings of providers moved into runtime.yaml: profiles by what steps ask for, what is there stays."""

import pytest

from stepflow_gui.formats.takt.migrating.places import Object
from stepflow_gui.formats.takt.migrating.runtime_file import MovedSettings, moved_settings
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree


def _workflow(*steps: Object, **top: object) -> Object:
    return {"name": "w", "steps": [*steps], **top}


def _moved(workflow: Object, existing: str | None = None) -> MovedSettings:
    found = moved_settings(workflow, None if existing is None else Source(existing))
    assert found is not None
    return found


def _value(text: str) -> object:
    root = read_yaml_tree(Source(text)).root
    return root.value if root is not None else None


def test_steps_that_ask_for_the_same_share_a_profile() -> None:
    opus: Object = {"provider": "claude", "model": "opus"}
    found = _moved(_workflow({"name": "a", **opus}, {"name": "b", **opus}, {"name": "c", "provider": "codex"}))
    assert _value(found.text) == {
        "version": 1,
        "provider": {
            "profiles": {"claude-opus": opus, "codex": {"provider": "codex"}},
            "defaults": {"profile": "claude-opus"},
            "targets": {
                "steps": {
                    "w/a": {"profile": "claude-opus"},
                    "w/b": {"profile": "claude-opus"},
                    "w/c": {"profile": "codex"},
                }
            },
        },
    }
    assert found.moved == {"/steps/0/provider", "/steps/0/model", "/steps/1/provider", "/steps/1/model"} | {
        "/steps/2/provider"
    }


def test_the_settings_of_the_workflow_are_those_of_every_step_without_its_own() -> None:
    found = _moved(
        _workflow(
            {"name": "a"}, {"name": "b", "model": "haiku"}, workflow_config={"provider": "claude", "model": "opus"}
        )
    )
    value = _value(found.text)
    assert isinstance(value, dict)
    assert value["provider"]["defaults"] == {"profile": "claude-opus"}
    assert value["provider"]["targets"]["steps"] == {
        "w/a": {"profile": "claude-opus"},
        "w/b": {"profile": "claude-haiku"},
    }


def test_options_are_those_of_the_provider_and_others_are_reported() -> None:
    options: Object = {"codex": {"reasoning_effort": "high"}, "claude": {"sandbox": True}}
    found = _moved(_workflow({"name": "a", "provider": "codex", "provider_options": options}))
    value = _value(found.text)
    assert isinstance(value, dict)
    assert value["provider"]["profiles"] == {"codex": {"provider": "codex", "options": {"reasoning_effort": "high"}}}
    assert [left.message for left in found.left if left.pointer] == [
        "options of claude aren't moved: the step uses codex"
    ]


def test_what_the_file_says_stays_and_wins() -> None:
    existing = """\
# ours
version: 1
provider:
  defaults: {profile: mine}   # chosen
  profiles:
    claude-opus: {provider: claude, model: opus-4}
  targets:
    steps:
      w/a: {profile: mine}
"""
    asked: Object = {"provider": "claude", "model": "opus"}
    found = _moved(_workflow({"name": "a", **asked}, {"name": "b", **asked}), existing)
    assert found.text.startswith(existing.split("  profiles:", maxsplit=1)[0])
    value = _value(found.text)
    assert isinstance(value, dict)
    assert value["provider"]["targets"]["steps"] == {"w/a": {"profile": "mine"}, "w/b": {"profile": "claude-opus-2"}}
    assert value["provider"]["profiles"]["claude-opus-2"] == asked
    assert [left.message for left in found.left] == ["runtime.yaml has another profile for “w/a” already: it stays"]


def test_without_a_provider_nothing_can_be_moved() -> None:
    found = _moved(_workflow({"name": "a", "model": "opus"}))
    assert (found.text, found.moved) == ("", frozenset())
    assert [left.pointer for left in found.left] == ["/steps/0"]
    assert moved_settings(_workflow({"name": "a"}), None) is None


@pytest.mark.parametrize("text", ["a: [", "- 1\n", "provider: 3\n"])
def test_a_file_that_cant_be_changed_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        moved_settings(_workflow({"name": "a", "provider": "claude"}), Source(text))


@pytest.mark.parametrize(
    ("asked", "profile"),
    [
        (
            {"provider": "claude-sdk", "provider_options": {"claude": {"effort": "high"}}},
            {"provider": "claude-sdk", "options": {"effort": "high"}},
        ),
        (
            {"provider": {"type": "codex", "model": "gpt", "network_access": True}},
            {"provider": "codex", "model": "gpt", "options": {"network_access": True}},
        ),
        (
            {"provider": "codex", "provider_options": {"extends": "edit"}},
            {"provider": "codex", "capabilities": "edit"},
        ),
    ],
)
def test_each_form_of_a_provider_becomes_a_profile(asked: Object, profile: Object) -> None:
    found = _moved(_workflow({"name": "a", **asked}))
    read = _value(found.text)
    assert isinstance(read, dict)
    assert list(read["provider"]["profiles"].values()) == [profile]
    assert [each.message for each in found.left if each.pointer] == []
