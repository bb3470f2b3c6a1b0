"""The keys of a configuration file: one table for reading it, for its errors and for the documentation."""

from stepflow_gui.formats.climpt.vocabulary import REGISTRY_FORMATS
from stepflow_gui.formats.fields import ANY, BOOLEAN, STRING, Field, Shape, choice, list_of, map_of, object_of
from stepflow_gui.formats.runtimes import RUNTIMES
from stepflow_gui.lint.config.selecting import LEVELS
from stepflow_gui.messages import _

_SELECTORS = list_of(STRING)
_ERA = Shape("string", choices=RUNTIMES)
_FORMAT = choice(*REGISTRY_FORMATS)
_RUNTIME = Field(
    "runtime",
    Shape("either", either=(_ERA, map_of(_ERA))),
    lambda: _("The runtime that findings are about: for all files, or format → runner; takt-0.27, takt-0.12..0.35"),
)
_FORMAT_FIELD = Field(
    "format", _FORMAT, lambda: _("The registries’ format, where it isn’t to be detected from the file")
)
_IGNORE = Field("ignore", _SELECTORS, lambda: _("Disabled rules"), default=[])
_EXTEND = Field("extend-select", _SELECTORS, lambda: _("Rules enabled in addition"), default=[])
_SEVERITY = Field("severity", map_of(choice(*LEVELS)), lambda: _("Rule → error, warning, info or off"), default={})

PER_PATH = object_of(
    Field("paths", list_of(STRING), lambda: _("File patterns, relative to this file’s folder"), "load"),
    _EXTEND,
    _IGNORE,
    _SEVERITY,
    _RUNTIME,
    _FORMAT_FIELD,
)

SUPPRESS = object_of(
    Field("code", STRING, lambda: _("The rule, by code or name"), "load"),
    Field("reason", STRING, lambda: _("Why its findings don’t matter here; SF093 asks for it")),
    Field("until", ANY, lambda: _("The last day on which this applies, such as 2030-12-31")),
    Field("path", STRING, lambda: _("A file pattern, relative to this file’s folder")),
    Field("step", STRING, lambda: _("The step that the findings are about")),
    Field("pointer", STRING, lambda: _("A JSON Pointer: findings there or below")),
)

CONFIG = object_of(
    Field(
        "select",
        _SELECTORS,
        lambda: _("Enabled rules: codes, code prefixes such as SF2, names, or ALL"),
        default=["ALL"],
    ),
    _EXTEND,
    _IGNORE,
    _SEVERITY,
    _RUNTIME,
    _FORMAT_FIELD,
    Field("fallback-keys", list_of(STRING), lambda: _("Fallback keys in addition to the built-in ones"), default=[]),
    Field("baseline", STRING, lambda: _("File of known findings, which aren’t reported")),
    Field("strict", BOOLEAN, lambda: _("Fail on warnings as on errors"), default=False),
    Field("per-path", list_of(PER_PATH), lambda: _("Other settings for some files"), default=[]),
    Field("suppress", list_of(SUPPRESS), lambda: _("Findings that aren’t reported, and why"), default=[]),
)
