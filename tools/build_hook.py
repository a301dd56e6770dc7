"""What is made when a wheel is built: the workbench's editor. A checkout that is installed as it lies gets it from
`start.py`, when somebody first designs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))
from bundle_editor import bundle, target


class EditorHook(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        bundle(root)
        folder = target(root).parent.relative_to(root).as_posix()
        build_data["artifacts"] += [f"/{folder}/editor.js", f"/{folder}/editor.licenses.txt"]
