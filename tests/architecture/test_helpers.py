"""Helpers run in many pods: they know kit and kube, and load the runtime only to elect a leader."""

import re
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src/hypershift"
IMPORT = re.compile(r"^\s*(?:from|import) hypershift\.(\w+)", re.MULTILINE)
ALLOWED = {"helpers", "kit", "kube"}
ELECTS = "etcd_defrag.py"


def test_helpers_import_little() -> None:
    for path in (SOURCE / "helpers").rglob("*.py"):
        allowed = ALLOWED | ({"runtime"} if path.name == ELECTS else set())
        assert set(IMPORT.findall(path.read_text())) <= allowed, path


def test_only_the_image_names_them() -> None:
    for path in SOURCE.rglob("*.py"):
        if "helpers" not in path.parts and path.name != "own.py":
            assert "helpers" not in IMPORT.findall(path.read_text()), path
