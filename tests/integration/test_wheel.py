"""The wheel, installed into an empty environment far from the clone."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

pytestmark = [pytest.mark.integration]

ROOT = Path(__file__).parents[2]


def uv() -> str:
    """The program that `make setup` installed."""
    cache = Path(os.environ.get("HYPERSHIFT_CACHE") or Path.home() / ".cache" / "hypershift")
    found = shutil.which("uv") or next(map(str, sorted(cache.glob("uv-*/bin/uv"))), "")
    if not found:
        pytest.skip("there is no uv: `make setup` installs it")
    return found


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("wheel")
    python = where / "environment" / "bin" / "python"
    for words in (
        ("build", "--quiet", "--wheel", "--out-dir", str(where), str(ROOT)),
        ("venv", "--quiet", "--python", sys.executable, str(where / "environment")),
    ):
        subprocess.run((uv(), *words), check=True)
    (wheel,) = where.glob("*.whl")
    subprocess.run((uv(), "pip", "install", "--quiet", "--python", python, wheel), check=True)
    return where / "environment"


def typed(prefix: Path, *words: str) -> str:
    """What the installed program prints, with nothing of the clone in sight."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(prefix.parent / "home")}
    argv = (str(prefix / "bin" / "hypershift"), *words)
    done = subprocess.run(
        argv, cwd=prefix.parent, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_says_what_it_is(prefix: Path) -> None:
    assert "Available Commands" in typed(prefix, "--help")
    assert typed(prefix, "version", "--client-only").startswith("Client Version: hypershift: ")


def test_it_renders(prefix: Path) -> None:
    installed = list(yaml.load_all(typed(prefix, "install", "render"), yaml.CSafeLoader))
    assert {"Deployment", "CustomResourceDefinition"} <= {each["kind"] for each in installed}
    words = ("create", "cluster", "local", "--name=blue", "--render")
    kinds = {each["kind"] for each in yaml.safe_load_all(typed(prefix, *words)) if each}
    assert {"HostedCluster", "NodePool"} <= kinds


def test_it_writes_definitions_and_a_chart(prefix: Path) -> None:
    typed(prefix, "api", "crds", "--output=crds")
    assert list((prefix.parent / "crds").rglob("*hostedclusters*.yaml"))
    typed(prefix, "install", "helm", "--output-dir=chart")
    assert (prefix.parent / "chart" / "Chart.yaml").is_file()


def test_it_has_the_table_of_parts(prefix: Path) -> None:
    names = {each["name"] for each in json.loads(typed(prefix, "parts", "list", "-o", "json"))}
    assert {"kube-apiserver", "etcd", "kubelet", "e2e.test"} <= names


def test_it_brings_manual_pages_and_completions(prefix: Path) -> None:
    places = ("man/man1/hypershift.1", "man/man1/hcp.1", "zsh/site-functions/_hcp")
    assert all((prefix / "share" / place).is_file() for place in places)
    completion = (prefix / "share/bash-completion/completions/hypershift").read_text()
    assert completion == typed(prefix, "completion", "bash")
