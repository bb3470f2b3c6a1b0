"""The tabs of the program, as the project view knows them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.project.project_page import ProjectPage


class AgentTab(Protocol):
    """A tab: a window with one agent, or none."""

    @property
    def desk(self) -> Desk: ...
    @property
    def project(self) -> ProjectPage: ...
    @property
    def document(self) -> Document | None: ...


class Tabs(Protocol):
    """The tabs in their order, and who opens agents in them."""

    @property
    def settings(self) -> Settings: ...
    @property
    def windows(self) -> Sequence[AgentTab]: ...
    @property
    def current(self) -> AgentTab: ...
    def open(self, path: Path) -> bool: ...
    def isActiveWindow(self) -> bool: ...
