"""Keys that an earlier version had for something else: the first press of each says what it does now."""

from PySide6.QtGui import QKeySequence

from stepflow_gui.gui.desk import Desk, Feature
from stepflow_gui.gui.widgets.actions import shown_keys, whole_title
from stepflow_gui.messages import _

MOVED = {  # keys -> the action that they meant
    "Ctrl+O": "open-folder",
    "Ctrl+Shift+O": "open-file",
    "Ctrl+G": "find",
    "Ctrl+J": "step-files",
    "Ctrl+Shift+T": "tidy",
    "Ctrl+Shift+D": "versions",
    "Ctrl+Shift+.": "fix-problem",
}


class MovedKeys(Feature):
    """Tells those who knew the earlier keys, each key once."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        if desk.settings.announced_keys is None and not desk.settings.is_new:
            desk.settings.announced_keys = []  # a person who was here before
        desk.actions.by_key.connect(self._pressed)

    def _pressed(self, action: str, keys: QKeySequence) -> None:
        pressed, settings, actions = keys.toString(), self._desk.settings, self._desk.actions
        meant, announced = MOVED.get(pressed), settings.announced_keys
        if meant is None or announced is None or pressed in announced or actions.chosen_by_user(action):
            return
        settings.announced_keys = [*announced, pressed]
        names = {each.id: whole_title(each) for each in actions.specs if each.id in {action, meant}}
        moved_to = shown_keys(actions[meant].shortcut())
        if meant == action:
            text = _("“{action}” now has the keys {keys}; {old} still works.")
        else:
            text = _("{old} is now “{now}”. “{action}” has the keys {keys}.")
        self._desk.notices.done(
            text.format(old=shown_keys(keys), now=names[action], action=names[meant], keys=moved_to)
        )
