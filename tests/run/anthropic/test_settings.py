"""The person's settings and key: where they come from, what is wrong with them, and that no folder can set them."""

from pathlib import Path

import pytest

from stepflow_gui.run.responders import anthropic_key
from stepflow_gui.run.responders.anthropic_costs import Spent, Usage
from stepflow_gui.run.responders.anthropic_key import find_key
from stepflow_gui.run.responders.anthropic_request import is_strict, is_tool_input, mode_of
from stepflow_gui.run.responders.anthropic_settings import (
    ModelSettings,
    SettingsProblem,
    read_settings,
)
from tests.run.anthropic.asking import LOOSE, SECRET, STRICT


def read(text: str, folder: Path, **environment: str) -> ModelSettings | SettingsProblem:
    file = folder / "anthropic.toml"
    file.write_text(text, "utf-8")
    return read_settings(file, environment)


def good(text: str, folder: Path, **environment: str) -> ModelSettings:
    found = read(text, folder, **environment)
    assert isinstance(found, ModelSettings), found
    return found


def test_every_name_of_a_registry_has_a_model_and_a_price() -> None:
    found = read_settings(environment={})
    assert isinstance(found, ModelSettings)
    for name in ("opus", "sonnet", "haiku"):
        model = found.model_of(name)
        assert model.startswith(f"claude-{name}")
        cost = found.cost(model, Usage(1000, 1000))
        assert cost
        assert found.cost(f"{model}-20261007", Usage(1000, 1000)) == cost, "a dated id is the same model"
    assert found.base_url is None


def test_a_person_lays_models_and_prices_over_what_is_shipped(tmp_path: Path) -> None:
    text = """
        max_tokens = 100
        conversation = "fresh"
        [models]
        opus = "claude-mine"
        [model.claude-mine]
        input = 1
        output = 2
    """
    found = good(text, tmp_path)
    assert (found.model_of("opus"), found.model_of("sonnet")) == ("claude-mine", "claude-sonnet-5-5")
    assert found.cost("claude-mine", Usage(1_000_000, 1_000_000, 1_000_000)) == 4
    assert found.cost("claude-of-tomorrow", Usage(1, 1)) is None
    assert (found.max_tokens, found.conversation) == (100, "fresh")


def test_the_sum_is_unknown_as_soon_as_a_part_is() -> None:
    assert Spent().plus(Usage(1), 0.5).plus(Usage(2), None).plus(Usage(3), 0.5) == Spent(3, Usage(6), None)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("max_tokens = 0", "max_tokens"),
        ("max_tokens = true", "max_tokens"),
        ('attempts = "many"', "attempts"),
        ("api_key = 'sk-ant-1'", "api_key"),
        ("conversation = 'long'", "resume"),
        ("base_url = 7", "base_url"),
        ("base_url = 'ftp://127.0.0.1'", "ftp://127.0.0.1"),
        ("base_url = 'http://api.example.com'", "https"),
        ("[models]\nopus = 7", "models"),
        ("[models]\nhamlet = 'claude'", "hamlet"),
        ("model = 7", "model"),
        ("[model.x]\ninput = -1", "input"),
        ("[model", "anthropic.toml"),
    ],
)
def test_what_is_wrong_in_the_file_is_reported(text: str, says: str, tmp_path: Path) -> None:
    found = read(text, tmp_path)
    assert isinstance(found, SettingsProblem)
    assert says in found.message
    assert str(tmp_path) not in found.message


def test_the_server_is_the_persons_choice(tmp_path: Path) -> None:
    assert good("base_url = 'https://mine.example'", tmp_path).base_url == "https://mine.example"
    assert good("", tmp_path, ANTHROPIC_BASE_URL="http://localhost:8000").base_url == "http://localhost:8000"
    refused = read("", tmp_path, ANTHROPIC_BASE_URL="http://api.example.com")
    assert isinstance(refused, SettingsProblem)


def test_an_opened_folder_decides_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("anthropic.toml", "stepflow.toml", ".env"):
        (tmp_path / name).write_text("base_url = 'https://evil.example'\nANTHROPIC_BASE_URL = 'https://evil.example'")
    found = read_settings(environment={"HOME": str(tmp_path / "home"), "XDG_CONFIG_HOME": "relative"})
    assert isinstance(found, ModelSettings)
    assert found.base_url is None


def test_strict_is_what_structured_outputs_can_hold() -> None:
    assert is_strict(STRICT)
    assert not is_strict(LOOSE)
    assert not is_strict({**STRICT, "additionalProperties": True})
    assert not is_strict({"type": "array", "items": STRICT})
    many = {f"p{at}": {"type": "string"} for at in range(25)}
    assert not is_strict({"type": "object", "additionalProperties": False, "properties": many})
    assert not is_tool_input({"type": "object", "oneOf": []})
    assert not is_tool_input({"type": "object", "properties": {"日本": {}}})
    assert mode_of(None, True) == "free"
    assert [mode_of(LOOSE, forced) for forced in (True, False)] == ["forced_tool", "tool"]


class _Ring:
    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, account: str) -> str | None:
        return self.kept.get((service, account))


class _Locked(_Ring):
    def get_password(self, service: str, account: str) -> str | None:
        raise RuntimeError("locked")


def test_the_environments_key_comes_before_the_keyrings(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = _Ring()
    monkeypatch.setattr(anthropic_key, "_keyring", lambda: ring)
    assert find_key({}) is None
    ring.kept["stepflow", "anthropic"] = f" {SECRET}\n"
    key = find_key({})
    assert key is not None
    assert (key.reveal(), key.whence) == (SECRET, "keyring")
    key = find_key({"ANTHROPIC_API_KEY": "sk-other"})
    assert key is not None
    assert (key.reveal(), key.whence) == ("sk-other", "environment")
    ring.kept.clear()
    assert find_key({}) is None


def test_a_locked_keyring_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anthropic_key, "_keyring", _Locked)
    assert find_key({}) is None


def test_a_keyring_that_writes_files_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = pytest.importorskip("keyring")
    monkeypatch.undo()
    plain = type("Plain", (), {"__module__": "keyrings.alt.file"})()
    own = type("Own", (), {"__module__": "keyring.backends.SecretService"})()
    chain = type("Chain", (), {"__module__": "keyring.backends.chainer", "backends": [plain, own]})()
    for found, usable in ((plain, None), (own, own), (chain, own)):
        monkeypatch.setattr(keyring, "get_keyring", lambda found=found: found)
        assert anthropic_key._keyring() is usable
