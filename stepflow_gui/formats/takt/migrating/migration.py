"""Takes a piece or workflow to a release of TAKT, and reports what isn't as it was."""

from collections.abc import Collection
from pathlib import PurePosixPath
from typing import NamedTuple

from stepflow_gui.formats.takt.eras import INITIALS
from stepflow_gui.formats.takt.migrating.conditions import migrate_rules, migrate_transitions
from stepflow_gui.formats.takt.migrating.meaning import changes_of_meaning
from stepflow_gui.formats.takt.migrating.names import FAMILIES, FORWARD_ONLY, VARIABLES, name_for, reading, variable_for
from stepflow_gui.formats.takt.migrating.places import Object, PieceObject, as_object, places
from stepflow_gui.formats.takt.migrating.refusing import refused_keys, still_refused, unread_keys
from stepflow_gui.formats.takt.migrating.reports import migrate_reports
from stepflow_gui.formats.takt.migrating.text import Left, PieceText, as_written
from stepflow_gui.formats.takt.releases.loading import held_against_releases
from stepflow_gui.formats.takt.releases.sets import Releases, between, named, row, since
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, split
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree

_SECTIONS = ("instructions", "report_formats")
_TEMPLATE, _INSTRUCTION = "instruction_template", "instruction"
_INSTRUCTION_WINS = between("0.32.0", "0.33.2")
_TOOLS_OF_STEPS = "allowed_tools"
_SHARED_BY_PATH, _SHARED_BY_NAME = "$ref", "extends"
_OBJECTS = ("piece_config", "workflow_config", "agents", "personas", "stances", "policies")
_CAPS = ("max_iterations", "max_movements", "max_steps")


class Migration(NamedTuple):
    """A piece for another release.

    `left` is what isn't carried over as it was, `refused` why the release doesn't load the result yet (empty where it
    does); both with pointers of the piece as it was. `moved` are the pointers of what went into runtime.yaml. `meaning`
    holds a sentence for each thing in the file that the release takes otherwise.
    """

    text: str
    left: tuple[Left, ...]
    moved: tuple[str, ...]
    refused: tuple[Left, ...]
    meaning: tuple[str, ...]


class MigrationRefusal(NamedTuple):
    """Why a piece stays as it is."""

    message: str


def migrated(
    source: Source, target: Releases, runtime: Releases | None = None, moved: Collection[str] = ()
) -> Migration | MigrationRefusal:
    """A piece as the target release (a set of one) reads it; comments, quotes and order stay.

    `runtime` are the releases that it has been run with, as far as a setting names them; the file says the rest.
    `moved` are pointers of what goes into runtime.yaml. Files that the piece names aren't touched.
    """
    tree = read_yaml_tree(source)
    if tree.root is None or not tree.valid or tree.root.kind != "object":
        return MigrationRefusal(_("The file has to be read without mistakes before it can be converted."))
    made_for = held_against_releases(tree).among(runtime)
    if runtime is None and made_for & target:
        made_for = target
    work = _Work(PieceText(tree), target, made_for, frozenset(moved))
    try:
        work.run()
    except ValueError as error:  # a key under both names, an anchor that the change would break
        return MigrationRefusal(_("The file can't be converted: {reason}").format(reason=error))
    return work.result()


class _Work:
    """The conversion in progress. Pointers are those of the text as it stands then."""

    def __init__(self, text: PieceText, target: Releases, source: Releases, moved: frozenset[str]) -> None:
        self._text = text
        self._target = target
        self._source = source
        self._movable = moved
        self._moved: list[str] = []
        self._before = text.root
        self._renamed_top: dict[str, str] = {}
        self._refused: list[Left] = []

    def run(self) -> None:
        for place in places(self._before):
            self._settle_instructions(place)
            self._settle_doubles(place.level, place.pointer, place.value)
        self._settle_doubles("top", "", self._before)
        self._text.make()
        for place in places(self._text.root):
            self._rename(place.level, place.pointer, place.value)
            if place.level in {"step", "sub"}:
                self._move_tools(place)
                self._rename_shared(join(place.pointer, "provider_options"))
                migrate_reports(self._text, place.pointer, self._target)
                migrate_transitions(self._text, place.pointer, self._target)
            migrate_rules(self._text, join(place.pointer, "rules"), self._source, self._target)
            self._variables(place.pointer, (_INSTRUCTION, _TEMPLATE))
        for section in _SECTIONS:
            self._variables(join("", section), tuple(as_object(self._text.root.get(section))))
        self._rename("top", "", self._text.root)
        self._text.make()
        self._remove_refused()

    def result(self) -> Migration:
        """What has come of it."""
        return Migration(
            self._text.text,
            tuple(self._text.left),
            tuple(self._moved),
            tuple(self._at_first(left) for left in self._refused),
            tuple(changes_of_meaning(self._before, self._source, self._target)),
        )

    def _settle_instructions(self, place: PieceObject) -> None:
        """Of two texts for one prompt, keep the one that has been used, where the target would use the other."""
        if not {_TEMPLATE, _INSTRUCTION} <= place.value.keys():
            return
        wins, loses = _INSTRUCTION, _TEMPLATE
        if not self._source & _INSTRUCTION_WINS or (place.level == "judge" and not self._source & since("0.32.0")):
            wins, loses = _TEMPLATE, _INSTRUCTION
        if not reading(place.level, _TEMPLATE) & self._target or (wins == _TEMPLATE) == bool(
            self._target & _INSTRUCTION_WINS
        ):
            message = _("{other} beside it is what has been used").format(other=wins)
            self._text.drop(join(place.pointer, loses), message)

    def _settle_doubles(self, level: str, pointer: str, value: Object) -> None:
        """Of two names for one thing, keep the one that has been read, where the target reads the other."""
        for key in [key for names in FAMILIES[level] for key in names if key in value]:
            new = name_for(level, key, self._target)
            if new == key or new not in value or {key, new} == {_TEMPLATE, _INSTRUCTION}:
                continue
            reads = [name for name in (key, new) if self._source & reading(level, name)]
            if len(reads) == 2 and value[key] == value[new]:
                self._text.remove(join(pointer, key))
            elif len(reads) == 1:
                unused = new if reads == [key] else key
                self._text.drop(
                    join(pointer, unused), _("{other} beside it is what has been used").format(other=reads[0])
                )

    def _rename(self, level: str, pointer: str, value: Object) -> None:
        known, taken = {key for names in FAMILIES[level] for key in names}, set(value)
        for key in [key for key in value if key in known]:
            new = name_for(level, key, self._target)
            if new == key or not self._text.has(join(pointer, key)) or not _fits(key, value[key]):
                continue
            if new in taken or (key in INITIALS and value[key] not in self._steps()):
                continue  # the target reads that one, or would refuse it; what becomes of this one is reported
            taken.add(new)
            self._note_rename(level, join(pointer, key), key, new)
            self._text.rename(join(pointer, key), new)
            if level == "top":
                self._renamed_top[new] = key

    def _steps(self) -> list[JsonValue]:
        """The names of the steps."""
        return [place.value.get("name") for place in places(self._before) if place.level == "step"]

    def _note_rename(self, level: str, pointer: str, key: str, new: str) -> None:
        unread = self._source & ~reading(level, key)
        if (key, new) == FORWARD_ONLY:
            self._text.note(pointer, _("the exact mode is the least mode now: provider_profiles may raise it"))
        elif unread:
            message = _("{release} didn't read “{key}”; it has an effect as “{new}” now")
            self._text.note(pointer, message.format(release=named(unread), key=key, new=new))
        elif key == _TEMPLATE and level != "judge" and self._is_looked_up(self._text.value(pointer)):
            self._text.note(pointer, _("“instruction” looks it up as a name; instruction_template took it as text"))

    def _is_looked_up(self, text: object) -> bool:
        """Whether `instruction` takes a text for a name: of the section, or of a file with an instruction."""
        if not isinstance(text, str) or not text or any(letter.isspace() for letter in text):
            return False
        return text in as_object(self._before.get("instructions")) or bool(self._target & since("0.9.0"))

    def _move_tools(self, place: PieceObject) -> None:
        """Tools that a step may use are an option of a provider since 0.30, until options left the file."""
        pointer = join(place.pointer, _TOOLS_OF_STEPS)
        options = row("step", "provider_options.claude.allowed_tools")
        if not self._text.has(pointer) or reading("step", _TOOLS_OF_STEPS) & self._target:
            return
        if options is None or not options.read & self._target or "provider_options" in place.value:
            return
        tools = self._text.value(pointer)
        self._text.note(pointer, _("applies to the provider claude alone now: provider_options.claude.allowed_tools"))
        self._text.rename(pointer, "provider_options")
        self._text.set(pointer, {"claude": {"allowed_tools": tools}})

    def _rename_shared(self, options: str) -> None:
        """Shared options of a provider: 0.46 named them by a path, later releases by the name of their file."""
        pointer = join(options, _SHARED_BY_PATH)
        path = self._text.value(pointer) if self._text.has(pointer) else None
        row_of_name = row("step", f"provider_options.{_SHARED_BY_NAME}")
        if not isinstance(path, str) or row_of_name is None or not row_of_name.read & self._target:
            return
        if self._text.has(join(options, _SHARED_BY_NAME)):
            return
        self._text.note(pointer, _("“extends” looks it up by its name in .takt/provider-options; it was a path"))
        self._text.rename(pointer, _SHARED_BY_NAME)
        self._text.set(pointer, PurePosixPath(path).stem)

    def _variables(self, holder: str, keys: tuple[str, ...]) -> None:
        for key in keys:
            pointer = join(holder, key)
            text = self._text.value(pointer) if self._text.has(pointer) else None
            if not isinstance(text, str) or (text.endswith(".md") and "\n" not in text):
                continue
            new = text
            for variable in (name for names in VARIABLES for name in names):
                if variable in text:
                    new = new.replace(variable, variable_for(variable, self._target))
            if new != text:
                self._text.set(pointer, new)

    def _remove_refused(self) -> None:
        """Take out keys that the target refuses; report what it doesn't read, and what else it refuses."""
        held, known = held_against_releases(self._text.tree), len(self._text.left)
        release = named(self._target)
        for pointer in refused_keys(held, self._target):
            first = self._at_first(Left(pointer, "")).pointer
            if first in self._movable:
                self._text.remove(pointer)
                self._moved.append(first)
            elif self._text.has(pointer):
                value = as_written(self._text.value(pointer))
                self._text.drop(pointer, _("{release} refuses it; it was {value}").format(release=release, value=value))
        self._text.make()
        held = held_against_releases(self._text.tree)
        noted = {left.pointer for left in self._text.left}
        for pointer in unread_keys(held, self._source, self._target):
            if not {pointer, self._at_first(Left(pointer, "")).pointer} & noted and self._text.has(pointer):
                self._text.note(pointer, _("{release} doesn't read it").format(release=release))
        self._refused = still_refused(held, self._target, self._text.tree)
        self._text.left[known:] = [self._at_first(left) for left in self._text.left[known:]]

    def _at_first(self, left: Left) -> Left:
        """What is left with the pointer of the piece as it was."""
        first, *rest = split(left.pointer) or [""]
        old = self._renamed_top.get(first, first)
        return left._replace(pointer=join("", old, *rest)) if left.pointer else left


def _fits(key: str, value: JsonValue) -> bool:
    """Whether a value can stand under each name of a key; what only newer releases take, such as `$param`, can't."""
    if key in _CAPS:
        return isinstance(value, int) and not isinstance(value, bool) and value > 0
    return isinstance(value, dict) == (key in _OBJECTS)
