"""Programs that others wrote, against a hosted cluster: kubectl, helm, clusterctl, client-go.

HYPERSHIFT_E2E_CLUSTER names an embedded cluster to do this on. clusterctl and the client-go program
are built from their modules, which takes minutes the first time.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.conftest import cluster  # noqa: F401 - a fixture
from tests.e2e.embedded import Cluster
from tests.e2e.hosted import Hosted

from hypershift import parts

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1800)]
CLUSTERCTL = "sigs.k8s.io/cluster-api/cmd/clusterctl@v1.13.6"
CHART = {
    "Chart.yaml": "apiVersion: v2\nname: hello\nversion: 0.1.0\n",
    "templates/map.yaml": (
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n"
        "data:\n  revision: '{{ .Release.Revision }}'\n"
    ),
}


@pytest.fixture(scope="module")
def hosted(
    cluster: Cluster,  # noqa: F811 - the fixture
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Hosted]:
    """A hosted cluster with a node; HYPERSHIFT_E2E_HOSTED names one that is there and stays."""
    name = os.environ.get("HYPERSHIFT_E2E_HOSTED", "")
    made = Hosted(cluster, name or "clients", tmp_path_factory.mktemp("clients"))
    if not name:
        made.create(nodes=1)
    yield made
    if not name:
        made.destroy()


def run(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program, and show what it said when that is not success."""
    done = subprocess.run(
        [str(word) for word in words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
        timeout=1500,
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
    return done


def go() -> str:
    found = shutil.which("go")
    if found is None:
        pytest.skip("go is not on the PATH, and nothing can be built without it")
    return found


def test_kubectl_talks_to_a_hosted_cluster(hosted: Hosted) -> None:
    assert "Ready" in hosted.kubectl("get", "nodes")
    assert hosted.kubectl("auth", "whoami")
    assert hosted.kubectl("api-resources")


async def test_helm_installs_upgrades_and_uninstalls(hosted: Hosted, tmp_path: Path) -> None:
    helm = (await parts.ensure(("helm",)))["helm"]
    for name, content in CHART.items():
        target = tmp_path / "hello" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)
    flags = ("--kubeconfig", hosted.kubeconfig, "-n", "default")
    run(helm, "install", "hello", tmp_path / "hello", *flags)
    run(helm, "upgrade", "hello", tmp_path / "hello", *flags)
    assert hosted.get("configmap", "hello")["data"] == {"revision": "2"}
    run(helm, "uninstall", "hello", *flags)
    assert hosted.try_kubectl("get", "configmap", "hello").returncode != 0


def test_clusterctl_describes_a_hosted_cluster(hosted: Hosted, tmp_path: Path) -> None:
    run(go(), "install", CLUSTERCTL, GOBIN=str(tmp_path), GOFLAGS="-mod=mod")
    [found] = hosted.management.get("clusters.cluster.x-k8s.io", "-n", hosted.plane)
    words = ("describe", "cluster", found["metadata"]["name"], "-n", hosted.plane)
    flags = ("--kubeconfig", hosted.management.kubeconfig, "--show-conditions", "all")
    said = run(tmp_path / "clusterctl", *words, *flags).stdout
    assert f"Cluster/{found['metadata']['name']}" in said
    assert "MachineDeployment" in said


def test_a_client_go_program_works_with_a_hosted_cluster(hosted: Hosted, tmp_path: Path) -> None:
    source = tmp_path / "client"
    shutil.copytree(Path(__file__).parent / "client", source)
    binary = tmp_path / "program"
    run(go(), "build", "-C", source, "-mod=mod", "-o", binary, ".")
    said = run(binary, hosted.kubeconfig).stdout
    assert said.splitlines()[-1] == "deleted three"
