"""The one message catalogue: every text a user reads goes through `_` or `ngettext` from here.

Message ids are the English texts; `resources/locale/<language>/<room>.po` hold the translations, compiled to one
`LC_MESSAGES/stepflow.mo` at build. Placeholders are named (`{step}`) and filled with `str.format` after the look-up.
The texts of the rules' docs are in a catalogue of their own, `rules.mo`, as few commands show them.
"""

import gettext
import os
import sys
from collections.abc import Mapping

LANGUAGES = ("en", "ja")


class _InUse:
    """The catalogue in use: one a process, as the language is."""

    translations: gettext.NullTranslations = gettext.NullTranslations()
    language = "en"
    rules: gettext.NullTranslations | None = None  # None: not asked for yet


def use_language(language: str) -> None:
    """Make `language` (one of `LANGUAGES`) the language of all texts asked for from now on.

    A missing or broken catalogue leaves the English ids, so no text is ever lost.
    """
    _InUse.language = language
    _InUse.translations = _load(language, "stepflow")
    _InUse.rules = None


def use_translations(translations: gettext.NullTranslations) -> None:
    """Take any catalogue (tests use one that marks every text)."""
    _InUse.translations = translations


def language() -> str:
    """The language in use."""
    return _InUse.language


def _load(language: str, catalogue: str) -> gettext.NullTranslations:
    if language == "en":
        return gettext.NullTranslations()
    from stepflow_gui.bundled import resource  # English needs no files, and importlib.resources is slow to load

    try:
        with resource("locale", language, "LC_MESSAGES", f"{catalogue}.mo").open("rb") as file:
            return gettext.GNUTranslations(file)
    except (OSError, UnicodeDecodeError, ValueError):
        return gettext.NullTranslations()


def _(message: str) -> str:
    """The text in the language in use."""
    return _InUse.translations.gettext(message)


def ngettext(singular: str, plural: str, count: int) -> str:
    """The text for `count` things in the language in use."""
    return _InUse.translations.ngettext(singular, plural, count)


def rule_text(text: str) -> str:
    """A part of a rule's docs in the language in use. Their catalogue is read when it is first asked."""
    if _InUse.rules is None:
        _InUse.rules = _load(_InUse.language, "rules")
    return _InUse.rules.gettext(text)


def choose_language(
    option: str | None, environment: Mapping[str, str] | None = None, terminal: bool | None = None
) -> str:
    """The language: `--lang`, else STEPFLOW_LANG, else the locale where a person reads, else English.

    A person reads on a terminal and in a window, not where output is piped; `terminal` decides, None: check stdout.
    """
    environment = os.environ if environment is None else environment
    for name in (option, environment.get("STEPFLOW_LANG")):
        known = known_language(name)
        if known:
            return known
    if terminal is None:
        terminal = sys.stdout is not None and sys.stdout.isatty()
    if terminal:
        return known_language(_locale_name(environment)) or "en"
    return "en"


def known_language(name: str | None) -> str | None:
    """`ja_JP.UTF-8` and the like as one of `LANGUAGES`; None where it is none."""
    head = (name or "").replace("-", "_").split("_")[0].split(".")[0].lower()
    return head if head in LANGUAGES else None


def _locale_name(environment: Mapping[str, str]) -> str | None:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(variable):
            return environment[variable]
    import locale  # slow to load, and most systems have a variable

    return locale.getlocale()[0]
