"""What the build adds to the wheel: the compiled catalogue, with the rest of `resources/`, and the docs."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Resources(BuildHookInterface[BuilderConfig]):
    """Compiles the catalogue; a wheel then gets `resources/` and `docs/`.

    An editable install reads both from the checkout.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """`version` is `standard` or `editable`."""
        root = Path(self.root)
        runpy.run_path(str(root / "packaging" / "catalogue.py"))["compile_catalogue"](root)
        if version == "standard":
            build_data["force_include"] |= {"resources": "stepflow_gui/resources", "docs": "stepflow_gui/docs"}
