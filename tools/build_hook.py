"""Bundle the pages and make the workbench's editor when a wheel is built. A checkout that is installed as it lies gets
them from `start.py`, when somebody first designs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))
from bundle_pages import bundle, folder


class BundleHook(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        bundle(root)
        build_data["artifacts"] += [
            f"/{folder(root, room).relative_to(root).as_posix()}/*" for room in ("server", "workbench")
        ]
