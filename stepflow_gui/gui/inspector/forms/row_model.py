"""What a row of a form shows, and how wide and how talkative the rows of a form are."""

from typing import NamedTuple

from stepflow_gui.formats.fields import Field
from stepflow_gui.gui.inspector.forms.choices import has_choices
from stepflow_gui.gui.inspector.forms.field_help import Help
from stepflow_gui.gui.inspector.forms.form_fields import FormField
from stepflow_gui.gui.widgets.problem import Problem


class RowModel(NamedTuple):
    """What a row shows. `addable` are the fields that can be added, with the pointer of the object they go to.

    `widest` is the longest of the keys beside which a free key stands, so that their values begin below each other.
    """

    line: FormField
    title: str = ""  # of a part of the form
    problems: tuple[Problem, ...] = ()
    addable: tuple[tuple[str, Field], ...] = ()
    folded: bool = False
    locked: bool = False
    widest: str = ""
    help: Help | None = None  # the button beside the line

    @property
    def kind(self) -> tuple[object, ...]:
        """Rows of the same kind can show each other's lines."""
        line = self.line
        return (line.control, line.role, line.heads or has_choices(line), bool(self.title), self.help)

    @property
    def is_plain(self) -> bool:
        """Whether a value with a name is edited: neither a part nor an element, and nothing belongs to it."""
        return not self.title and not self.line.heads and self.line.role != "item"


class RowLook(NamedTuple):
    """The room for names, in pixels, and whether the help of a line is beside it where there is room.

    Without help a form is narrow: a name stands above its field.

    A screen reader hears a line's place without its first levels, such as the step that it is in: `untold` of them.
    """

    label: int = 112
    explained: bool = False
    untold: int = 2
