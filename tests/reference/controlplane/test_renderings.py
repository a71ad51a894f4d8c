"""Our renderings against the original's, with the meter that comes with the reference data."""

import subprocess
from pathlib import Path

import pytest

from hypershift.cli.main import execute
from hypershift.cli.render import COMMAND

COMPONENTS = (
    "aws-cloud-config",
    "kube-scheduler-config",
    "aws-cloud-controller-manager",
    "dns-operator",
    "etcd",
    "konnectivity-agent",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
)
OURS = Path(__file__).parents[2] / "golden" / "component-compare.ignore"


@pytest.mark.reference
def test_components_equal_the_originals_renderings(reference: Path, tmp_path: Path) -> None:
    meter = reference.parent / "tools" / "component-compare"
    if not meter.exists():
        pytest.skip("no meter beside the reference data")
    inputs = str(reference / "components" / "inputs")
    assert execute(COMMAND, ["components", "--inputs", inputs, "--out", str(tmp_path)]) == 0
    ignore = (reference / "components" / "ignore.txt", OURS)
    command = [str(meter), str(reference / "components"), str(tmp_path), "--show", "40"]
    command += [word for name in COMPONENTS for word in ("--component", name)]
    command += [word for path in ignore for word in ("--ignore", str(path))]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
