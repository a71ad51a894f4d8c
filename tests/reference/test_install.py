"""What `install render` and `install helm` make, measured against the original's."""

import contextlib
import io
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from hypershift.cli.main import HYPERSHIFT, execute

pytestmark = pytest.mark.reference
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
#: Our operator asks etcd by exec, and looks for the volumes of lost members. It may take minutes
#: until it listens, on machines where the original takes a second.
RULES = """\
*/ClusterRole/hypershift-operator rules[16].resources[] # pods/exec is ours
*/ClusterRole/hypershift-operator rules[17].verbs[] # list and watch of volumes are ours
*/Deployment/operator spec.template.spec.containers[operator].startupProbe* # slow starts are ours
render/template/Template/* *startupProbe* # slow starts are ours
"""
FEATURE_SET = "release.openshift.io/feature-set"


def configuration(definition: dict[str, Any]) -> str:
    """A definition in one line, as the reference writes it."""
    spec, metadata = definition["spec"], definition["metadata"]
    labels = (metadata.get("labels") or {}).items()
    facts = {
        "conversion": (spec.get("conversion") or {}).get("strategy"),
        "served": ",".join(each["name"] for each in spec["versions"] if each["served"]),
        "storage": ",".join(each["name"] for each in spec["versions"] if each["storage"]),
        "feature-set": (metadata.get("annotations") or {}).get(FEATURE_SET),
        "labels": ",".join(f"{name}={value}" for name, value in sorted(labels)),
    }
    said = (f"{name}={value or '-'}" for name, value in facts.items())
    return " ".join((metadata["name"], *said))


def rendered(text: str) -> list[dict[str, Any]]:
    """The objects of a rendering: a List and a Template hold theirs."""
    found = []
    for document in yaml.load_all(text, LOADER):
        inner = document.pop("items", []) or document.pop("objects", [])
        found += [*inner, *([] if document["kind"] == "List" else [document])]
    return found


def files(directory: Path) -> list[dict[str, Any]]:
    found = sorted(directory.iterdir())
    return [yaml.load(each.read_bytes(), LOADER) for each in found]  # noqa: S506 - both are safe


def write(case: str, made: list[dict[str, Any]], target: Path) -> None:
    definitions = [each for each in made if each["kind"] == "CustomResourceDefinition"]
    others = [each for each in made if each not in definitions]
    group, name = case.split("/")
    for folder in (group, "crds"):
        (target / folder).mkdir(exist_ok=True)
    (target / f"{case}.yaml").write_text(yaml.safe_dump_all(others))
    names = (f"{each['metadata']['name']}\n" for each in definitions)
    (target / f"{case}.crds.txt").write_text("".join(names))
    lines = sorted(f"{configuration(each)}\n" for each in definitions)
    (target / "crds" / f"{name}.cfg").write_text("".join(lines))


def make(case: dict[str, Any], target: Path) -> None:
    chart = target.parent / "charts" / case["case"]
    args = [word.replace("OUT", str(chart)) for word in case["args"]]
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        assert execute(HYPERSHIFT, [*case["command"].split()[1:], *args]) == 0, case["case"]
    made = rendered(output.getvalue())
    if chart.exists():
        made = [*files(chart / "templates"), *files(chart / "crds")]
    write(case["case"], made, target)
    if chart.exists():
        names = sorted(str(each.relative_to(chart)) for each in chart.rglob("*") if each.is_file())
        (target / f"{case['case']}.files.txt").write_text("\n".join(names) + "\n")


async def no_schemas(_platforms: object) -> list[dict[str, Any]]:
    """Definitions of providers stay open: their schemas are not compared, and they are large."""
    return []


def test_definitions_with_their_providers_schemas_are_configured_as_the_originals(
    reference: Path, tmp_path: Path
) -> None:
    expected = reference / "install-render/crds/outputs-crds.cfg"
    target = tmp_path / "definitions.json"
    words = ["--outputs=crds", "--format=json", f"--output-file={target}"]
    assert execute(HYPERSHIFT, ["install", "render", *words]) == 0
    made = json.loads(target.read_text())["items"]
    assert sorted(configuration(each) for each in made) == expected.read_text().splitlines()


def test_installations_equal_the_originals(
    reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hypershift.parts.provider_crds", no_schemas)
    source = reference / "install-render"
    ours = tmp_path / "ours"
    ours.mkdir()
    monkeypatch.chdir(source)
    for case in yaml.safe_load((source / "index.yaml").read_text()):
        with monkeypatch.context() as patch:
            for name, value in (case.get("env") or {}).items():
                patch.setenv(name, value)
            make(case, ours)
    rules = tmp_path / "rules.txt"
    rules.write_text(RULES)
    tool = reference.parent / "tools" / "component-compare"
    command: list[str | Path] = [tool, source, ours, "--show", "20"]
    command += ["--ignore", source / "ignore.txt", "--ignore", rules]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
