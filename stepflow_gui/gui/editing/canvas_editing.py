"""What is done on the canvas becomes changes of the texts: connecting, making, removing, renaming, moving steps.

Each is one entry of the history. The banner shows why a change isn't made, with what would allow it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QGuiApplication

from stepflow_gui.flow.layout import Box
from stepflow_gui.flow.layout.shapes import Direction
from stepflow_gui.flow.layout.spots import Spots
from stepflow_gui.flow.model import Step
from stepflow_gui.formats.change import can, plan
from stepflow_gui.formats.changes import (
    AddStep,
    Change,
    Disconnect,
    DuplicateStep,
    RemoveStep,
    RenameStep,
    SetField,
    StepKind,
    TransitionKey,
)
from stepflow_gui.formats.edits import Edits, Refusal
from stepflow_gui.gui.canvas.align import Alignment, aligned
from stepflow_gui.gui.canvas.arrange import Position
from stepflow_gui.gui.canvas.gestures import ConnectAsked, CreateStep
from stepflow_gui.gui.canvas.hand.inline_edit import edit_in_place
from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.gui.canvas.metrics import measured
from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document import generated_ids
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.movements import are_named
from stepflow_gui.gui.document.step_clipboard import copied, free_id, inserted, pasted
from stepflow_gui.gui.document.step_places import StepPlaces, merged
from stepflow_gui.gui.document.step_terms import counted_steps, new_step_title
from stepflow_gui.gui.editing.box_places import BoxPlaces
from stepflow_gui.gui.editing.canvas_commands import alignment_of
from stepflow_gui.gui.editing.connect_command import Connecting
from stepflow_gui.gui.editing.new_step_popup import NewStepPopup, addition, ask_name
from stepflow_gui.gui.editing.part_commands import command_of_part
from stepflow_gui.gui.inspector.form_notice import allowed_changes
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.problem_text import describe
from stepflow_gui.text.pointer import join

ORIGIN = "canvas"
KINDS: tuple[StepKind, ...] = ("work", "verification", "closure", "section")
_FIRST_WORDS = {"work": "continuation", "verification": "verification", "closure": "closure", "section": "section"}
_BESIDE = QPointF(40, 40)  # where a copy would stand beside what it copies


class CanvasEditing:
    """The changes to one document that are asked for on the canvas."""

    def __init__(self, desk: Desk, document: Document) -> None:
        self._desk = desk
        self._document = document
        self._canvas = desk.canvas
        self.places = StepPlaces(document)
        self.boxes = BoxPlaces(desk.canvas, document, self.places)
        self.connecting = Connecting(desk, document, self)
        self._links = [
            (self._canvas.connect_requested, self.connect),
            (self._canvas.create_requested, self.create_at),
            (self._canvas.command_requested, self.command),
            (self._canvas.moved, self.moved),
            (document.text_changed, self.boxes.text_changed),
            (document.stack.indexChanged, self.boxes.follow),
        ]
        for signal, slot in self._links:
            signal.connect(slot)
        trouble = self.places.trouble()
        if trouble is not None:
            desk.notices.show("warning", _("{reason}. Layout was recomputed.").format(reason=trouble.reason))

    def detach(self) -> None:
        """Hear nothing of the canvas any more."""
        for signal, slot in self._links:
            signal.disconnect(slot)

    # Connecting

    def connect(self, wanted: ConnectAsked) -> None:
        """Point a transition at a step or at the end."""
        self.connecting.connect(wanted)

    def create_at(self, wanted: CreateStep, at: QPointF) -> None:
        """Ask for the kind and id of a new step there, the target of the wanted transition."""
        if self._is_stale():
            return
        flow = self._document.last_valid.flow
        title = new_step_title(flow, wanted.step, wanted.intent)
        spot = self._canvas.viewport().mapToGlobal(self._canvas.mapFromScene(at))
        if are_named(flow):
            refused = self.refusal(addition(flow, title, wanted))
            if refused is not None:
                self._desk.notices.notice(refused)
            else:
                ask_name(self._canvas, spot, title, lambda name: self._create(addition(flow, name, wanted), at))
            return
        kinds = {kind: step for kind in KINDS if (step := self._proposed(kind, wanted)) is not None}
        if not kinds:
            self._desk.notices.notice(_("“{intent}” can't go to a new step").format(intent=wanted.intent))
            return
        popup = NewStepPopup(
            self._canvas, title, kinds, lambda kind, step: self.refusal(self._addition(kind, step, wanted))
        )
        popup.wanted.connect(lambda kind, step: self._create(self._addition(kind, step, wanted), at))
        popup.open_at(spot)

    def _create(self, change: AddStep, at: QPointF) -> None:
        shape = measured(change.name or change.step, change.step, change.kind, ())
        spot = self._free([QRectF(at, shape.rect.size())])[0]
        if self.make(change, places={change.step: spot}):
            self._document.select(change.step, "link")

    def _addition(self, kind: StepKind, step: str, wanted: CreateStep) -> AddStep:
        via = None
        if wanted.step is not None and wanted.intent is not None:
            via = TransitionKey(wanted.step, wanted.intent, wanted.case)
        return AddStep(step, kind, after=wanted.step, incoming=via)

    def _proposed(self, kind: StepKind, wanted: CreateStep) -> str | None:
        """A free id for a new step of a kind; None where no step of that kind fits."""
        steps = self._document.last_valid.flow.steps
        topic = (wanted.step or next(iter(steps), "")).partition(".")[2] or "step"
        first = _FIRST_WORDS[kind]
        if kind == "closure" and self._document.last_valid.flow.format == "complete":
            first = "complete"
        step = free_id(f"{first}.{topic}", steps)
        if wanted.step is None and kind == "work":
            step = free_id(f"initial.{topic}", steps)
        return step if can(self._document.folder, self._addition(kind, step, wanted)) is None else None

    def refusal(self, change: Change) -> str | None:
        """Why a change can't be made; None where it can."""
        refused = can(self._document.folder, change)
        return refused.reason if refused else None

    # What the keyboard and the menus ask for

    def command(self, name: str) -> None:
        """Do one of the commands about the selection, by the name that keys and menus have for it."""
        graph = self._canvas.graph
        match name:
            case "rename" | "remove" | "copy" | "cut" | "duplicate" if graph.part and graph.selected is not None:
                command_of_part(self, self._desk, self._document, name)
            case "select-all":
                everything = list(self._document.last_valid.flow.steps)
                self._canvas.choose_steps(everything, graph.selected or next(iter(everything), None))
            case "remove" if graph.selected_transition is not None:
                self.disconnect(graph.selected_transition)
            case "paste":
                self.paste()
            case "step-problems":
                self._desk.actions[name].trigger()
            case "new-step":
                centre = self._canvas.mapToScene(self._canvas.viewport().rect().center())
                self.create_at(CreateStep(None, None, None), centre)
            case "rename" if graph.selected is not None:
                self.rename(graph.selected)
            case "rename-name" if graph.selected is not None:
                self.rename_name(graph.selected)
            case _ if graph.selected is not None:
                self._command_of_steps(name, graph.selected_steps)

    def _command_of_steps(self, name: str, steps: Sequence[str]) -> None:
        via = alignment_of(name)
        if via is not None:
            self.align(via)
        elif name == "tidy-selection" and len(steps) > 1:
            self.tidy_selected(steps)
        elif name == "duplicate":
            self.duplicate(steps)
        elif name in {"copy", "cut"}:
            self.copy(steps)
        if name in {"remove", "cut"}:
            self.remove(steps)

    def disconnect(self, ref: TransitionRef) -> None:
        """Take a transition out, or one case of it; the last case goes with the whole transition."""
        if self.make(Disconnect(ref.step, ref.intent, self._own_case(ref))):
            self._canvas.choose_step(ref.step)

    def remove(self, steps: Sequence[str]) -> None:
        """Remove steps. Where others go to them, ask what becomes of those transitions."""
        if not steps or self._is_stale():
            return
        inbound = self._transitions_to(steps)
        flow = self._document.last_valid.flow
        over = generated_ids.bridged(flow, steps[0]) if len(steps) == 1 else None
        if inbound or (over is not None and generated_ids.begins(flow, steps[0])):
            count = ngettext("{count} transition goes there", "{count} transitions go there", len(inbound))
            text = _("Remove {steps}: {transitions}").format(
                steps=self._named(steps),
                transitions=count.format(count=len(inbound)) if inbound else _("a run begins there"),
            )
            offers: list[tuple[str, Callable[[], object]]] = []
            if over is not None:
                title = _("Connect them to {step}").format(step=generated_ids.shown_name(flow, over.retarget_to or ""))
                offers.append((title, partial(self.make, over)))
            offers += [
                (_("Remove them too"), lambda: self._remove(steps, inbound)),
                (_("Leave without target"), lambda: self._remove(steps, [])),
                (_("Cancel"), lambda: None),
            ]
            self._desk.notices.ask(text, offers)
            return
        self._remove(steps, [])

    def _remove(self, steps: Sequence[str], inbound: Sequence[TransitionRef]) -> None:
        changes: list[Change] = [Disconnect(via.step, via.intent, self._own_case(via)) for via in reversed(inbound)]
        changes += [RemoveStep(step, force=True) for step in steps]
        self.make_all(changes, _("Remove {steps}").format(steps=self._named(steps)))

    def _transitions_to(self, steps: Sequence[str]) -> list[TransitionRef]:
        """The transitions from other steps; one for those whose every case goes there."""
        flow = self._document.last_valid.flow
        gone = set(steps)
        found: list[TransitionRef] = []
        for step in flow.steps.values():
            if step.id in gone:
                continue
            for rule in step.transitions:
                if rule.implied:
                    continue
                cases = [case.value for case in rule.cases if case.target and case.target.value in gone]
                if cases and len(cases) == len(rule.cases):
                    found.append(TransitionRef(step.id, rule.intent))
                elif cases:
                    found += [TransitionRef(step.id, rule.intent, case) for case in cases]
                elif not rule.cases and rule.target is not None and rule.target.value in gone:
                    found.append(TransitionRef(step.id, rule.intent))
        return found

    def _own_case(self, ref: TransitionRef) -> str | None:
        """The case to take out; None where it is the only one, or there is none."""
        step = self._document.folder.flow.steps.get(ref.step)
        rule = step.transition(ref.intent) if step else None
        return ref.case if rule is not None and len(rule.cases) > 1 else None

    def rename(self, step_id: str) -> None:
        """Edit a step's id in place; one that means nothing stays, and its name is edited."""
        if generated_ids.are_hashed(self._document.last_valid.flow):
            self.rename_name(step_id)
            return
        edit_in_place(
            *(self._canvas, step_id, "id", step_id, partial(self.rename_to, step_id)),
            why_not=lambda new: self.refusal(RenameStep(step_id, new)),
        )

    def rename_to(self, step_id: str, new: str) -> None:
        """Give a step another id; it stays where it is."""
        place = self._canvas.positions().get(step_id)
        if place is not None:
            self.boxes.wanted[new] = place
        if self.make(RenameStep(step_id, new)):
            self._document.select(new, "link")

    def rename_name(self, step_id: str) -> None:
        """Edit a step's name where it is."""
        step = self._document.last_valid.flow.steps.get(step_id)
        if step is not None:
            edit_in_place(self._canvas, step_id, "name", step.title, partial(self.name_to, step))

    def name_to(self, step: Step, name: str) -> None:
        """Give a step another name."""
        self.make(SetField(join(step.pointer, "name"), name))

    # Copies

    def copy(self, steps: Sequence[str]) -> None:
        """Put the text of steps on the clipboard."""
        good = self._document.last_valid
        QGuiApplication.clipboard().setText(copied(good.registry, good.flow, steps))
        text = ngettext("{count} step copied", "{count} steps copied", len(steps)).format(count=len(steps))
        self._desk.notices.done(text)

    def paste(self) -> None:
        """Put the steps of the clipboard in, under free ids, beside where steps of these ids stand."""
        if self._is_stale():
            return
        found = pasted(QGuiApplication.clipboard().text(), self._document.folder.flow)
        if isinstance(found, str):
            self._desk.notices.notice(found)
            return
        flow = self._document.folder.flow
        taken: dict[str, object] = {**flow.steps}
        changes: list[Change] = []
        for step, value in found.steps.items():
            known = flow.steps.get(step)
            own = flow.steps.get(step) if are_named(flow) else None
            new = generated_ids.id_of_copy(flow, own, taken) if own is not None else free_id(step, taken)
            taken[new] = value
            if known is not None and known.node.value == value:
                changes.append(DuplicateStep(step, new))
            else:
                changes.append(inserted(flow, value, step, new))
        new_ids = list(taken)[-len(found.steps) :]
        self._make_copies(changes, list(found.steps), new_ids, _("Paste {steps}").format(steps=self._named(new_ids)))

    def duplicate(self, steps: Sequence[str]) -> None:
        """Each of the steps once more, beside it."""
        if self._is_stale():
            return
        flow = self._document.folder.flow
        taken: dict[str, object] = {**flow.steps}
        changes: list[Change] = []
        copies: list[str] = []
        for step in steps:
            new = generated_ids.id_of_copy(flow, flow.steps[step], taken)
            taken[new] = None
            copies.append(new)
            changes.append(DuplicateStep(step, new))
        self._make_copies(changes, steps, copies, _("Duplicate {steps}").format(steps=self._named(steps)))

    def _make_copies(self, changes: Sequence[Change], steps: Sequence[str], copies: Sequence[str], title: str) -> None:
        frames = self._canvas.graph.step_frames()
        of = {copy: frames[step] for step, copy in zip(steps, copies, strict=True) if step in frames}
        wished = [QRectF(frame.topLeft() + _BESIDE, frame.size()) for frame in of.values()]
        places = dict(zip(of, self._free(wished), strict=True))
        if self.make_all(changes, title, places):
            self._canvas.choose_steps(copies, copies[0])

    def _free(self, wished: Sequence[QRectF]) -> list[Position]:
        """The corners of the free spots that are nearest to these."""
        boxes = [Box(rect.x(), rect.y(), rect.width(), rect.height()) for rect in wished]
        dx, dy = Spots(self._canvas.graph.box_frames()).shift(boxes) if boxes else (0.0, 0.0)
        return [(box.x + dx, box.y + dy) for box in boxes]

    # Moving

    def moved(
        self,
        places: Mapping[str, Position],
        label: str = "",
        *,
        own_entry: bool = False,
        chosen: Direction | None = None,
    ) -> None:
        """Write down where steps were put. Small moves of the same steps, one after the other, are one entry."""
        edits = self.places.moved(places, chosen)
        if isinstance(edits, Refusal):
            self._desk.notices.notice(_("{reason}: positions aren’t saved.").format(reason=edits.reason))
            self.boxes.store()
            return
        label = label or _("Move {steps}").format(steps=self._named(list(places)))
        repeats = None if own_entry else ("move", frozenset(places))
        if self.boxes.record(edits, label, repeats):
            self._desk.notices.done(label)

    def align(self, via: Alignment) -> None:
        """Align the selected steps, or spread them evenly."""
        frames = self._canvas.graph.step_frames()
        places = aligned({step: frames[step] for step in self._canvas.graph.selected_steps}, via)
        if places:
            places = self._canvas.own_places(places)
            self._canvas.set_layout_positions(places)
            self.moved(places, _("Align {steps}").format(steps=self._named(list(places))), own_entry=True)

    def tidy_selected(self, steps: Sequence[str]) -> None:
        """Lay only these steps out again, where they are."""
        here = self._canvas.positions()
        tidy = self._canvas.arrangement.tidied(self._document.last_valid.flow, steps)
        places = {step: place for step, place in tidy.items() if place != here[step]}
        if places:
            self._canvas.set_layout_positions(places)
            self.moved(places, _("Auto-layout {steps}").format(steps=self._named(list(places))), own_entry=True)

    def tidied(self, places: Mapping[str, Position], chosen: Direction | None = None) -> None:
        """Write down where all steps are after they were laid out again, and a direction that was chosen for it."""
        self.moved(places, _("Auto-layout"), own_entry=True, chosen=chosen)

    # Making changes

    def make(self, change: Change, places: Mapping[str, Position] | None = None) -> bool:
        """Make a change as one entry of the history; `places` go along with it. False where it was refused."""
        if self._is_stale():
            return False
        found = plan(self._document.folder, change)
        if isinstance(found, Refusal):
            offers: list[tuple[str, Callable[[], object]]] = [
                (via.label, partial(self.make, via.change, places)) for via in allowed_changes(change, found)
            ]
            self._desk.notices.notice(found.reason, offers)
            return False
        if self._apply(merged(found.edits, self._put(places or {})), found.title):
            self._desk.notices.done("  ".join((found.title, *found.notes)))
            return True
        return False

    def make_all(self, changes: Sequence[Change], title: str, places: Mapping[str, Position] | None = None) -> bool:
        """Make several changes, each on what the ones before it left, as one entry of the history: all or none."""
        if self._is_stale():
            return False
        self.boxes.wanted |= places or {}  # the flow may be shown before all is done
        stack = self._document.stack
        stack.beginMacro(title)
        refused: Refusal | None = None
        for change in changes:
            found = plan(self._document.folder, change)
            if isinstance(found, Refusal):
                refused = found
                break
            self._apply(found.edits, found.title)
        if refused is None and places:
            self._apply(self._put(places), title)
        stack.endMacro()
        made = stack.command(stack.index() - 1)
        if refused is not None or not made.childCount():
            stack.undo()
            made.setObsolete(True)
            stack.redo()  # which drops it, so that there is nothing to do again
        if refused is not None:
            self._desk.notices.notice(refused.reason)
            return False
        self._desk.notices.done(title)
        return True

    def _put(self, places: Mapping[str, Position]) -> Edits:
        edits = self.places.moved(places) if places else {}
        self.boxes.wanted |= places  # so that they are there even where nothing can be written down
        return {} if isinstance(edits, Refusal) else edits

    def _apply(self, edits: Edits, title: str) -> bool:
        problem = self._document.apply(edits, title, ORIGIN)
        if problem is not None:
            self._desk.notices.show("error", describe(problem))
        return problem is None

    def _is_stale(self) -> bool:
        if self._document.text_broken:
            self._desk.notices.notice(_("Fix the syntax error first."))
        return self._document.text_broken

    def _named(self, steps: Sequence[str]) -> str:
        """Steps as a title names them, many by their number."""
        if len(steps) <= 2:
            return _(" and ").join(generated_ids.shown_name(self._document.last_valid.flow, step) for step in steps)
        return counted_steps(self._document.last_valid.flow, len(steps))
