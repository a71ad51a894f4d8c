"""Whole reconciles of a pool against the original's, with the meter beside the reference data."""

import os
import subprocess
from pathlib import Path

import pytest
from tests.lib import virtual
from tests.lib.sim.schedule import quiet_logs
from tests.reference.node_pool.story import Story
from tests.reference.node_pool.telling import told

REFERENCE = Path(os.environ.get("HYPERSHIFT_REFERENCE") or "/nonexistent")
VECTORS = REFERENCE / "nodepool-vectors" / "objects"
METER = REFERENCE.parent / "tools" / "component-compare"
OURS = Path(__file__).parent / "objects.ignore"
CASES = sorted(f"{path.parent.name}/{path.stem}" for path in (VECTORS / "inputs").glob("*/*.yaml"))
pytestmark = [
    pytest.mark.reference,
    pytest.mark.skipif(not METER.exists(), reason="no meter beside the reference data"),
]


async def tell(case: str) -> str:
    story = Story(VECTORS / "inputs", case)
    await story.prepare()
    await story.play()
    return told(story)


def test_every_object_equals_the_originals(tmp_path: Path) -> None:
    assert len(CASES) > 100
    for case in CASES:
        place = tmp_path / f"{case}.yaml"
        place.parent.mkdir(exist_ok=True)
        with quiet_logs():
            place.write_text(virtual.run(tell(case)))
    command = [str(METER), str(VECTORS), str(tmp_path), "--show", "60"]
    command += ["--ignore", str(VECTORS / "ignore.txt"), "--ignore", str(OURS)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
