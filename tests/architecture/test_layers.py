"""The layers of docs/architecture.md hold, as written in pyproject.toml."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_imports_point_downwards() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run(
        [linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
