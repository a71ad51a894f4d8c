"""Files of the repository that repeat what the program says are equal to it."""

import re
from pathlib import Path

import yaml
from tools.chart import chart

from hypershift.cli.manual import escaped, files
from hypershift.oci import Tree
from hypershift.payload.images import Recipe
from hypershift.payload.own import HELPERS, OPERATOR, own_image

ROOT = Path(__file__).parents[3]


def tree(directory: Path) -> dict[str, str]:
    found = (path for path in directory.rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): path.read_text() for path in found}


def test_manual_pages_and_completions_are_those_of_the_commands() -> None:
    assert tree(ROOT / "share") == files(), "run `make generated`"


def test_a_line_of_text_is_no_command_of_roff() -> None:
    assert escaped(".hidden -x") == "\\&.hidden \\-x"


def test_the_chart_is_what_install_helm_writes() -> None:
    assert tree(ROOT / "charts" / "hypershift") == chart(), "run `make generated`"


def test_the_workflow_calls_targets_that_exist() -> None:
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yaml").read_text())["jobs"]
    lines = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    called = {target for line in lines for target in re.findall(r"\bmake ([a-z0-9-]+)", line)}
    assert called >= {"check", "integration", "e2e", "demo", "release"}
    assert called <= targets


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's last stage, line by line."""
    text = re.sub(r"\\\n\s*", " ", (ROOT / "Dockerfile").read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    start = max(number for number, line in enumerate(lines) if line.startswith("FROM "))
    split = (line.partition(" ") for line in lines[start:])
    return [(name, rest.strip()) for name, _, rest in split]


def pairs(kind: str) -> dict[str, str]:
    found = [rest for name, rest in instructions() if name == kind]
    words = (word for rest in found for word in rest.split())
    return {name: value.strip('"') for name, _, value in (word.partition("=") for word in words)}


def ours(tmp_path: Path) -> Recipe:
    version = "org.opencontainers.image.version"
    return own_image(Tree(), tmp_path, {version: "${VERSION}"})


def test_the_dockerfile_makes_the_image_that_we_assemble(tmp_path: Path) -> None:
    settings = ours(tmp_path).settings
    last = dict(instructions())
    assert last["ENTRYPOINT"] == f'["{settings.entrypoint[0]}"]'
    assert last["USER"] == settings.user
    assert last["WORKDIR"] == settings.directory
    assert pairs("ENV") == settings.environment
    assert pairs("LABEL") == settings.labels


def test_the_dockerfile_has_the_programs_that_we_assemble(tmp_path: Path) -> None:
    entries = ours(tmp_path).layers[-1].entries
    copied = (ROOT / "tools" / "image" / "control-plane-operator").read_bytes()
    assert entries[HELPERS].content == copied
    said = [f"{name} {rest}" for name, rest in instructions()]
    assert f"COPY tools/image/control-plane-operator /{HELPERS}" in said
    assert f"RUN ln -s {entries[OPERATOR].target} /{OPERATOR}" in said
    programs = {path for path in entries if re.fullmatch(r"usr/(local/)?bin/[^/]+", path)}
    # the last two are the wheel's own entry points
    others = {"usr/bin/control-plane-pki-operator", "usr/bin/karpenter-operator"}
    for other in others:
        assert f"RUN ln -s {entries[other].target} /{other}" in said
    # the base image has a shell of its own
    programs -= {"usr/bin/bash"}
    entry_points = {"usr/local/bin/hypershift", "usr/local/bin/hcp"}
    assert programs == {OPERATOR, HELPERS} | others | entry_points
