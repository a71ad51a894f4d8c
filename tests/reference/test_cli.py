"""What our command line renders and refuses, measured against the original's."""

import contextlib
import io
import subprocess
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.lib.memory import MemoryClient

from hypershift.cli.main import HCP, HYPERSHIFT, execute
from hypershift.cli.nodepool import agent, aws, azure, create, kubevirt, openstack, powervs
from hypershift.kit import Manifest

pytestmark = pytest.mark.reference

#: The two commands whose renderings are measured; a pool's asks for its cluster first.
MEASURED = "create cluster"
POOLS = "create nodepool"
PLATFORMS = {
    platform.name: platform
    for platform in (
        aws.PLATFORM,
        azure.PLATFORM,
        agent.PLATFORM,
        kubevirt.PLATFORM,
        openstack.PLATFORM,
        powervs.PLATFORM,
    )
}

#: What the renderings of the original's own tests have because these go around the flag library:
#: a required flag that is not given, and input files that here end in a newline.
UNREACHABLE = ("create-cluster-agent/minimal",)
RULES = "create-cluster-*/Secret/*-pull-secret data[.dockerconfigjson] # the file has a newline\n"


def cases(reference: Path, directory: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load((reference / directory / "index.yaml").read_text())
    return [
        case
        for case in found
        if MEASURED in case["command"]
        and not (directory == "cli-render" and case["case"] in UNREACHABLE)
    ]


def rendered(case: dict[str, Any]) -> str:
    program, *words = case["command"].split()
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        code = execute(HCP if program == "hcp" else HYPERSHIFT, [*words, *case["args"]])
    assert code == 0, case["case"]
    return output.getvalue()


@pytest.mark.parametrize("directory", ["cli-render", "cli-render-more"])
def test_rendered_clusters_equal_the_originals(
    reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, directory: str
) -> None:
    monkeypatch.chdir(reference / directory)
    monkeypatch.setenv("FAKE_CLIENT", "true")
    groups = set()
    for case in cases(reference, directory):
        target = tmp_path / f"{case['case']}.yaml"
        target.parent.mkdir(exist_ok=True)
        target.write_text(rendered(case))
        groups.add(target.parent.name)
    rules = tmp_path / "rules.txt"
    rules.write_text(RULES if directory == "cli-render" else "")
    tool = reference.parent / "tools" / "component-compare"
    command: list[str | Path] = [tool, reference / directory, tmp_path, "--show", "20"]
    command += ["--ignore", reference / directory / "ignore.txt", "--ignore", rules]
    for group in sorted(groups):
        command += ["--component", group]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def hosting(case: dict[str, Any]) -> MemoryClient:
    """A management cluster that has the HostedCluster of a case."""
    platform = PLATFORMS[case["command"].split()[-1]]
    spec: Manifest = case.get("hostedClusterSpec") or {"platform": {"type": platform.type}}
    metadata = {"name": "test-cluster", "namespace": "clusters"}
    return MemoryClient({"kind": "HostedCluster", "metadata": metadata, "spec": spec})


def test_rendered_pools_equal_the_originals(
    reference: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = yaml.safe_load((reference / "cli-render" / "index.yaml").read_text())
    measured, wrong = 0, {}
    for case in [each for each in listed if POOLS in each["command"]]:
        client = hosting(case)
        monkeypatch.setattr(create, "management_named", lambda found=client: nullcontext(found))
        key = PLATFORMS[case["command"].split()[-1]].key
        ours = yaml.safe_load(rendered(case))["spec"]["platform"][key]
        theirs = yaml.safe_load((reference / "cli-render" / f"{case['case']}.yaml").read_text())
        measured += 1
        if ours != theirs:
            wrong[case["case"]] = (ours, theirs)
    assert measured
    assert wrong == {}


def test_wrong_command_lines_get_the_originals_words(
    reference: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("KUBECONFIG", raising=False)
    monkeypatch.setenv("HOME", "/nonexistent")
    listed = yaml.safe_load((reference / "install-render" / "errors.yaml").read_text())
    wrong = []
    for case in listed:
        program, *words = case["command"].split()
        root = HCP if program == "hcp" else HYPERSHIFT
        with monkeypatch.context() as patch:
            patch.chdir(reference / case["directory"])
            for name, value in (case.get("env") or {}).items():
                patch.setenv(name, value)
            code = execute(root, [*words, *case["args"]])
        said = capsys.readouterr().err.strip()
        if code != case["exit"] or not _says(said, case):
            wrong.append((case["command"], case["args"], said, case["stderr"]))
    assert wrong == []


def _says(said: str, case: dict[str, Any]) -> bool:
    wanted = (case["stderr"] or "").strip()
    if case.get("prefix"):
        return said.startswith(wanted)
    if not wanted and case.get("log"):  # there the original says everything in its log
        return said in case["log"][0]
    return said == wanted
