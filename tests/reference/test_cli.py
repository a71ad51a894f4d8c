"""What our command line renders and refuses, measured against the original's."""

import contextlib
import io
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from hypershift.cli.main import HCP, HYPERSHIFT, execute

pytestmark = pytest.mark.reference

#: The groups that are built; a new platform adds its name.
GROUPS = {"cli-render-more": ("create-cluster-none", "create-cluster-agent")}


def cases(reference: Path, directory: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load((reference / directory / "index.yaml").read_text())
    return [case for case in found if case["case"].split("/")[0] in GROUPS[directory]]


def rendered(case: dict[str, Any]) -> str:
    program, *words = case["command"].split()
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        code = execute(HCP if program == "hcp" else HYPERSHIFT, [*words, *case["args"]])
    assert code == 0, case["case"]
    return output.getvalue()


@pytest.mark.parametrize("directory", sorted(GROUPS))
def test_rendered_clusters_equal_the_originals(
    reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, directory: str
) -> None:
    monkeypatch.chdir(reference / directory)
    for case in cases(reference, directory):
        target = tmp_path / f"{case['case']}.yaml"
        target.parent.mkdir(exist_ok=True)
        target.write_text(rendered(case))
    tool = reference.parent / "tools" / "component-compare"
    command: list[str | Path] = [tool, reference / directory, tmp_path, "--show", "20"]
    command += ["--ignore", reference / directory / "ignore.txt"]
    for group in GROUPS[directory]:
        command += ["--component", group]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_wrong_command_lines_get_the_originals_words(
    reference: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("KUBECONFIG", raising=False)
    monkeypatch.setenv("HOME", "/nonexistent")
    listed = yaml.safe_load((reference / "install-render" / "errors.yaml").read_text())
    wrong = []
    for case in (each for each in listed if each["command"] == "hypershift create cluster none"):
        monkeypatch.chdir(reference / case["directory"])
        code = execute(HYPERSHIFT, [*case["command"].split()[1:], *case["args"]])
        said = capsys.readouterr().err.strip()
        if code != case["exit"] or said != case["stderr"].strip():
            wrong.append((case["args"], said, case["stderr"]))
    assert wrong == []
