"""How the Messages API is asked: which models the registry's names mean, prices, limits, where the server is.

Read from `anthropic.toml` in the person's configuration folder, laid over the one that is shipped, and from the
environment. Nothing of it is ever taken from the opened folder: that could send the key elsewhere.
"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from stepflow_gui.bundled import resource
from stepflow_gui.formats.climpt.vocabulary import MODELS
from stepflow_gui.messages import _
from stepflow_gui.project.user_folders import config_folder
from stepflow_gui.run.responders.anthropic_costs import Price, Usage, faults_of_price, read_price
from stepflow_gui.text.files.store import ReadProblem, read
from stepflow_gui.text.toml_errors import toml_error_text

FILE = "anthropic.toml"
BASE_URL = "ANTHROPIC_BASE_URL"  # the environment's, before the file's
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_LIMITS = {"max_tokens": (1, 1_000_000), "attempts": (1, 20), "timeout": (1, 3600)}
_OTHERS = frozenset({"models", "model", "conversation", "base_url"})

Conversation = Literal["resume", "fresh"]


class Model(NamedTuple):
    """What is known of a model. `price` None: unknown. `forced_tool`: it can be made to call a tool."""

    price: Price | None = None
    forced_tool: bool = True


UNKNOWN = Model()


class ModelSettings(NamedTuple):
    """How to ask. `names`: model ids by the registry's words; `models`: what is known of ids.

    `conversation` "resume" goes on with the one of the answers before, as upstream does; "fresh" starts over at each
    step. `timeout` in seconds, between two signs of life. `base_url` None: Anthropic's own.
    """

    names: Mapping[str, str]
    models: Mapping[str, Model] = {}
    max_tokens: int = 32_000
    attempts: int = 5
    timeout: float = 600.0
    conversation: Conversation = "resume"
    base_url: str | None = None
    pace: float = 1.0  # of the waits between attempts

    def model_of(self, name: str) -> str:
        """The id of the model that a registry's word means; any other name is taken as an id."""
        return self.names.get(name, name)

    def known(self, model: str) -> Model:
        """What is known of a model, by its id; one with a date at its end is the one without."""
        head, _dash, tail = model.rpartition("-")
        dated = len(tail) == 8 and tail.isdecimal()
        return self.models.get(model) or (self.models.get(head) if dated else None) or UNKNOWN

    def cost(self, model: str, usage: Usage) -> float | None:
        """US dollars; None where the price is unknown."""
        price = self.known(model).price
        return None if price is None else price.of(usage)


class SettingsProblem(NamedTuple):
    """Why the settings can't be used, and what to do."""

    message: str


def read_settings(
    file: Path | None = None, environment: Mapping[str, str] | None = None
) -> ModelSettings | SettingsProblem:
    """The settings as they are now. `file` None: `anthropic.toml` in the configuration folder; it may be missing."""
    environment = os.environ if environment is None else environment
    path = file or config_folder(environment) / FILE
    shipped = tomllib.loads(resource("models", FILE).read_text("utf-8"))
    own = _own(path)
    if isinstance(own, SettingsProblem):
        return own
    fault = _fault(own)
    if fault is not None:
        return SettingsProblem(_("“{file}”: {fault}").format(file=_shown(path), fault=fault))
    url = environment.get(BASE_URL) or own.get("base_url")
    refused = _refused(url) if isinstance(url, str) else None
    return SettingsProblem(refused) if refused else _made(_over(shipped, own), url)


def _own(path: Path) -> dict[str, Any] | SettingsProblem:
    """The settings of the person's file; empty where there is none."""
    source = read(path)
    if isinstance(source, ReadProblem):
        return {} if source.kind == "missing" else _unread(path, source)
    try:
        return tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as problem:
        return SettingsProblem(_cant_read().format(file=_shown(path), reason=toml_error_text(str(problem))))


def _unread(path: Path, problem: ReadProblem) -> SettingsProblem:
    reason = {"not-utf8": _("it is not text in UTF-8"), "folder": _("it is a folder")}.get(problem.kind, problem.detail)
    return SettingsProblem(_cant_read().format(file=_shown(path), reason=reason))


def _cant_read() -> str:
    return _("“{file}” can't be read: {reason}")


def _made(table: Mapping[str, Any], url: object) -> ModelSettings:
    models = {
        model: Model(read_price(facts), facts.get("forced_tool", True) is not False)
        for model, facts in table["model"].items()
    }
    rest = {key: table[key] for key in ("max_tokens", "attempts", "timeout", "conversation") if key in table}
    return ModelSettings(dict(table["models"]), models, base_url=url if isinstance(url, str) else None, **rest)


def _over(shipped: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **shipped,
        **own,
        "models": {**shipped["models"], **own.get("models", {})},
        "model": {**shipped["model"], **own.get("model", {})},
    }


def _fault(own: Mapping[str, Any]) -> str | None:
    """The first thing in a person's file that can't be meant."""
    for key, value in own.items():
        if key in _LIMITS:
            least, most = _LIMITS[key]
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                return _("“{key}” must be a whole number from {least} to {most}.").format(
                    key=key, least=least, most=most
                )
        elif key not in _OTHERS:
            return _("“{key}” is not a setting.").format(key=key)
    if own.get("conversation", "fresh") not in {"resume", "fresh"}:
        return _("“conversation” must be “resume” or “fresh”.")
    if not isinstance(own.get("base_url", ""), str):
        return _("“{key}” must be a text.").format(key="base_url")
    return _fault_of_models(own.get("models", {}), own.get("model", {}))


def _fault_of_models(names: object, models: object) -> str | None:
    if not isinstance(names, dict) or not all(isinstance(each, str) and each for each in names.values()):
        return _("“{key}” must give a model's id for each name.").format(key="models")
    other = next((name for name in names if name not in MODELS), None)
    if other is not None:
        return _("“{name}” is not a model that a registry can name. Those are {names}.").format(
            name=other, names=", ".join(MODELS)
        )
    if not isinstance(models, dict) or not all(isinstance(each, dict) for each in models.values()):
        return _("“{key}” must be a table for each model.").format(key="model")
    for model, facts in models.items():
        wrong = next(iter(faults_of_price(facts)), None)
        if wrong is not None:
            return _("“{key}” of “{model}” is not a price.").format(key=wrong, model=model)
    return None


def _refused(url: str) -> str | None:
    """Why no key is sent to an address; None where it may."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        host = None
    if host is None or parts.scheme not in {"http", "https"}:
        return _(
            "“{url}” is not an address of a server. Correct base_url in anthropic.toml, or ANTHROPIC_BASE_URL."
        ).format(url=url)
    if parts.scheme == "http" and host not in _LOCAL:
        return _("“{url}” would send your key unencrypted. Use https.").format(url=url)
    return None


def _shown(path: Path) -> str:
    """A path without the home folder's name."""
    home = Path.home()
    return f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else path.name
