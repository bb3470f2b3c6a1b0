"""Every action of the window, declared once: menus, tool bar and shortcuts are built from this table."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

Key = str | QKeySequence.StandardKey


class ActionSpec(NamedTuple):
    """An action: `title` is asked for at use, so that it follows the language; `&` marks its mnemonic."""

    id: str
    title: Callable[[], str]
    icon: str | None = None
    keys: tuple[Key, ...] = ()
    checkable: bool = False


_LONG = 72  # characters of what an action would do

_Std = QKeySequence.StandardKey

ACTIONS = (
    ActionSpec("new-agent", lambda: _("&New Agent…"), None, (_Std.New,)),
    ActionSpec("open-folder", lambda: _("&Open Folder…"), "open", (_Std.Open,)),
    ActionSpec("close-project", lambda: _("Close the Pro&ject")),
    ActionSpec("open-file", lambda: _("Open &File…"), None, ("Ctrl+Shift+O",)),
    ActionSpec("save", lambda: _("&Save"), "save", (_Std.Save,)),
    ActionSpec("save-all", lambda: _("Save A&ll"), None, ("Ctrl+Alt+S",)),
    ActionSpec("save-copy", lambda: _("Save a &Copy…")),
    ActionSpec("convert", lambda: _("Con&vert…")),
    ActionSpec("reload", lambda: _("Reload from &Disk")),
    ActionSpec("quit", lambda: _("&Quit"), None, (_Std.Quit,)),
    ActionSpec("undo", lambda: _("&Undo"), "undo", (_Std.Undo,)),
    ActionSpec("redo", lambda: _("&Redo"), "redo", (_Std.Redo, "Ctrl+Y", "Ctrl+Shift+Z")),  # people know either
    ActionSpec("find-step", lambda: _("&Go to Step…"), "search", ("Ctrl+G",)),
    ActionSpec("step-files", lambda: _("&Files of the Step…"), None, ("Ctrl+J",)),
    ActionSpec("palette", lambda: _("&Command Palette…"), None, ("Ctrl+K", "Ctrl+Shift+P")),
    ActionSpec("jump-back", lambda: _("Go &Back"), None, ("Alt+Left",)),
    ActionSpec("jump-forth", lambda: _("Go For&ward"), None, ("Alt+Right",)),
    ActionSpec("fit", lambda: _("&Fit"), "fit", ("F", "Ctrl+9")),
    ActionSpec("zoom-in", lambda: _("Zoom &In"), "zoom-in", (_Std.ZoomIn, "Ctrl+=")),
    ActionSpec("zoom-out", lambda: _("Zoom &Out"), "zoom-out", (_Std.ZoomOut,)),
    ActionSpec("zoom-reset", lambda: _("&Actual Size"), None, ("Ctrl+0",)),
    ActionSpec("zoom-selection", lambda: _("Zoom to &Selection"), "zoom-selection", ("Ctrl+8",)),
    ActionSpec("tidy", lambda: _("&Tidy"), "tidy", ("Ctrl+Shift+T",)),
    ActionSpec("versions", lambda: _("Compare &Versions"), None, ("Ctrl+Shift+D",)),
    ActionSpec("minimap", lambda: _("&Minimap"), None, (), checkable=True),
    ActionSpec("follow", lambda: _("F&ollow the Active Step"), "follow", (), checkable=True),
    ActionSpec("validation-layer", lambda: _("Show &Validators"), None, (), checkable=True),
    ActionSpec("run-start", lambda: _("&Run"), "run", ("F5",)),
    ActionSpec("run-pause", lambda: _("&Pause"), "pause", ("Ctrl+F5",)),
    ActionSpec("run-step", lambda: _("S&tep"), "step", ("F10",)),
    ActionSpec("run-back", lambda: _("Step &Back"), "back", ("Shift+F10",)),
    ActionSpec("run-to-here", lambda: _("Run to &Here"), "to-here", ("Ctrl+F10",)),
    ActionSpec("run-fork", lambda: _("&Fork from Here"), "fork"),
    ActionSpec("run-save-trace", lambda: _("Save the Tr&ace…")),
    ActionSpec("run-breakpoint", lambda: _("Toggle Brea&kpoint"), None, ("F9",)),
    ActionSpec("run-restart", lambda: _("R&estart"), "restart", ("Ctrl+Shift+F5",)),
    ActionSpec("run-stop", lambda: _("&Stop"), "stop", ("Shift+F5",)),
    ActionSpec("next-problem", lambda: _("&Next Problem"), None, ("F8",)),
    ActionSpec("previous-problem", lambda: _("&Previous Problem"), None, ("Shift+F8",)),
    ActionSpec("fix-problem", lambda: _("Preview the &Fix"), None, ("Ctrl+Shift+.",)),
    ActionSpec("fix-safe", lambda: _("Fix &All Safe…")),
    ActionSpec("explain-problem", lambda: _("&Explain the Problem"), None, ("F1",)),
    ActionSpec("suppress-problem", lambda: _("&Suppress the Problem…")),
    ActionSpec("focus-canvas", lambda: _("Go to &Canvas"), None, ("Ctrl+1",)),
    ActionSpec("focus-inspector", lambda: _("Go to I&nspector"), None, ("Ctrl+2",)),
    ActionSpec("focus-source", lambda: _("Go to Sourc&e"), None, ("Ctrl+3",)),
    ActionSpec("focus-problems", lambda: _("Go to Pro&blems"), None, ("Ctrl+4",)),
    ActionSpec("focus-run", lambda: _("Go to &Run"), None, ("Ctrl+5",)),
    ActionSpec("focus-agent", lambda: _("Go to the A&gent"), None, ("Ctrl+6",)),
    ActionSpec("focus-project", lambda: _("Go to the Pro&ject"), None, ("Ctrl+Shift+E",)),
    ActionSpec("choose-verdict", lambda: _("Choose the &Verdict Type…")),
    ActionSpec("next-panel", lambda: _("Ne&xt Panel"), None, ("F6",)),
    ActionSpec("previous-panel", lambda: _("Previo&us Panel"), None, ("Shift+F6",)),
    ActionSpec("reduce-motion", lambda: _("Re&duce Motion"), None, (), checkable=True),
    ActionSpec("demo", lambda: _("Open the Exam&ple")),
    ActionSpec("tour", lambda: _("Take the &Tour")),
    ActionSpec("shortcuts", lambda: _("&Keyboard Shortcuts…")),
    ActionSpec("log", lambda: _("Show the &Log")),
    ActionSpec("about", lambda: _("&About Stepflow")),
)


class Actions:
    """The window's QActions by id. `bind` gives each its handler; `chosen` are the shortcuts that the person chose."""

    def __init__(self, owner: QObject, theme: Theme, chosen: Mapping[str, Sequence[str]] | None = None) -> None:
        self._specs = {spec.id: spec for spec in ACTIONS}
        self._actions = {spec.id: QAction(owner) for spec in ACTIONS}
        for spec in ACTIONS:
            action = self._actions[spec.id]
            action.setObjectName(spec.id)
            action.setCheckable(spec.checkable)
        self.take_keys(chosen or {})
        self.set_theme(theme)

    def __getitem__(self, action_id: str) -> QAction:
        """The action of that id. Raises KeyError for an id that isn't declared."""
        return self._actions[action_id]

    def default_keys(self, action_id: str) -> list[QKeySequence]:
        """The shortcuts that an action has as long as the person gives it no others."""
        keys = [QKeySequence(key) for key in self._specs[action_id].keys]
        return [key for at, key in enumerate(keys) if key not in keys[:at]]  # a usual key may be one named besides

    def take_keys(self, chosen: Mapping[str, Sequence[str]]) -> None:
        """Give the actions the shortcuts that the person chose for them, and all others their own."""
        for spec in ACTIONS:
            keys = [QKeySequence(key) for key in chosen[spec.id]] if spec.id in chosen else self.default_keys(spec.id)
            self._actions[spec.id].setShortcuts(keys)
        self.retranslate()

    def bind(self, action_id: str, handler: Callable[[], object]) -> None:
        """Call `handler` when the action is triggered."""
        self._actions[action_id].triggered.connect(lambda _checked=False: handler())

    def enable(self, ids: tuple[str, ...], on: bool) -> None:
        """Switch actions on or off."""
        for action_id in ids:
            self._actions[action_id].setEnabled(on)

    def retranslate(self) -> None:
        """Give every action its title in the language in use, and a tool tip with its first shortcut."""
        for spec in ACTIONS:
            self.name(spec.id, "")

    def name(self, action_id: str, what: str) -> None:
        """Add to an action's title what it would do just now; nothing where that is empty."""
        action, title = self._actions[action_id], self._specs[action_id].title()
        what = what if len(what) <= _LONG else what[: _LONG - 1] + "…"
        action.setText(f"{title}: {what.replace('&', '&&')}" if what else title)
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        plain = f"{plain_title(title)}: {what}" if what else plain_title(title)
        action.setToolTip(f"{plain} ({keys})" if keys else plain)
        action.setIconText(plain_title(title))

    def set_theme(self, theme: Theme) -> None:
        """Tint the icons."""
        for spec in ACTIONS:
            if spec.icon:
                self._actions[spec.id].setIcon(theme.icon(spec.icon))


def plain_title(title: str) -> str:
    """A title without its mnemonic and dots: “Open…” and the Japanese “(&O)” form alike."""
    return re.sub(r"\(&.\)|&", "", title).rstrip("…")
