"""Installing for real: from a rendering, by the command, by helm; on a cluster, on a hosted one.

Both places begin without an operator and without our kinds, and end that way.
HYPERSHIFT_E2E_CLUSTER names an embedded cluster on which a hosted one is made; the plain one is
always made here.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.e2e import embedded
from tests.e2e.conftest import cluster  # noqa: F401 - a fixture
from tests.e2e.embedded import Cluster, Kubectl, run, until
from tests.e2e.hosted import Hosted, a_hosted_cluster

from hypershift import parts
from hypershift.payload import REGISTRY

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]
PATIENCE = 420.0
#: What an installation brings that has no namespace of its own to go with.
KINDS = (
    "customresourcedefinitions",
    "namespaces",
    "clusterroles",
    "clusterrolebindings",
    "rolebindings.rbac.authorization.k8s.io",
    "priorityclasses",
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
    "validatingwebhookconfigurations",
    "mutatingwebhookconfigurations",
    "deployments",
    "configmaps",
    "secrets",
)


@dataclass
class Place:
    """Where one installs: a cluster, and the embedded one whose registry has the images."""

    kube: Kubectl
    origin: Cluster
    files: Path

    def hypershift(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        argv = (sys.executable, "-m", "hypershift.cli", *words)
        environment = {"KUBECONFIG": str(self.kube.kubeconfig)}
        return run(argv, check=check, environment=environment, seconds=PATIENCE)

    def helm(self, *words: str | Path) -> str:
        own = {"HELM_CACHE_HOME": str(self.files), "HELM_CONFIG_HOME": str(self.files)}
        flags = (f"--kubeconfig={self.kube.kubeconfig}", "--namespace=hypershift")
        argv = (str(parts.path("helm")), *map(str, words), *flags)
        return run(argv, environment=own, seconds=PATIENCE).stdout

    @property
    def image(self) -> str:
        return self.origin.images["hypershift"]

    @property
    def flags(self) -> tuple[str, ...]:
        """What an installation has to know of this place."""
        return (
            f"--hypershift-image={self.image}",
            f"--cluster-api-image={self.origin.images['cluster-api']}",
            f"--registry-mirror={REGISTRY}=http://{self.origin.spec.plan.registry}",
            "--limit-crd-install=Local",
            "--enable-conversion-webhook=false",
            "--disable-capi-conversion-webhook",
            "--monitoring-objects=false",
        )

    def apply_rendered(self, *flags: str) -> None:
        """`install render ... | kubectl apply -f -`, the definitions first as the page says."""
        for outputs in ("crds", "resources"):
            words = ("install", "render", f"--outputs={outputs}", "--render-sensitive")
            text = self.hypershift(*words, *self.flags, *flags).stdout
            self.kube.kubectl("apply", "-f", "-", feed=text)
            if outputs == "crds":
                self.kube.kubectl("wait", "crd", "--all", "--for=condition=Established")

    def await_operator(self) -> None:
        words = ("rollout", "status", "deployment/operator", "-n", "hypershift")
        self.kube.kubectl(*words, f"--timeout={PATIENCE:.0f}s")

    def inventory(self) -> dict[str, set[str]]:
        """What is there; what Kubernetes itself puts into each namespace goes with it."""
        names = "{range .items[*]}{.metadata.namespace}/{.metadata.name}{'\\n'}{end}"
        found = {}
        for kind in KINDS:
            text = self.kube.kubectl("get", kind, "-A", "-o", f"jsonpath={names}")
            found[kind] = set(text.splitlines())
        return found

    @contextmanager
    def nothing_left(self) -> Iterator[None]:
        """Whatever is installed inside is gone in the end, when `uninstall` has returned."""
        before = self.inventory()
        yield
        said = self.hypershift("uninstall").stdout
        assert "removed" in said

        def same() -> bool:
            after = self.inventory()
            left = {
                kind: after[kind] - before[kind] for kind in KINDS if after[kind] - before[kind]
            }
            assert left == {}
            gone = {
                kind: before[kind] - after[kind] for kind in KINDS if before[kind] - after[kind]
            }
            assert gone == {}
            return True

        until(same, 60)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """An embedded cluster without an operator and without our kinds."""
    embedded.needs_root()
    name, base = os.environ.get("HYPERSHIFT_SOAK_PLAIN", "plain"), tmp_path_factory.mktemp("plain")
    made = Cluster(name, base)
    try:
        made.local("up", "--operator=false")
        place = Place(made, made, base)
        place.hypershift("uninstall")
        yield place
    finally:
        made.local("reset", "--yes", check=False)


@pytest.fixture(scope="module")
def nested(
    cluster: Cluster,  # noqa: F811 - the fixture
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Place]:
    """A hosted cluster of ours, which knows nothing of us."""
    files = tmp_path_factory.mktemp("nested")
    with a_hosted_cluster(cluster, "nested", files, nodes=1) as hosted:
        yield Place(hosted, cluster, files)


@pytest.fixture(params=["plain", "nested"])
def place(request: pytest.FixtureRequest) -> Place:
    found: Place = request.getfixturevalue(request.param)
    return found


def test_a_rendering_is_applied_upgraded_by_install_and_removed(place: Place) -> None:
    with place.nothing_left():
        manager = "install" if isinstance(place.kube, Hosted) else "adopt"
        place.apply_rendered("--shared", f"--cluster-api={manager}")
        place.await_operator()
        said = place.hypershift(
            "install", *place.flags, "--shared", "--personas", "--wait-until-available"
        )
        assert "applied Deployment hypershift/operator" in said.stdout
        assert place.kube.get("clusterrole", "hypershift-service-consumer")
        place.await_operator()


def test_helm_installs_upgrades_and_uninstalls(place: Place, tmp_path: Path) -> None:
    chart = tmp_path / "chart"
    repository, _, digest = place.image.partition("@sha256:")
    values = ("--set", f"image={repository}@sha256", "--set", f"imagetag={digest}")
    with place.nothing_left():
        place.hypershift("install", "helm", f"--output-dir={chart}", *place.flags)
        words = ("hypershift", chart, *values, "--wait", "--timeout", "7m")
        place.helm("install", *words, "--create-namespace")
        place.await_operator()
        place.helm("upgrade", *words, "--set", "registryOverrides=a.example=b.example")
        [release] = json.loads(place.helm("list", "-o", "json"))
        assert (release["status"], release["revision"]) == ("deployed", "2")
        place.helm("uninstall", "hypershift", "--wait")
        assert place.kube.try_kubectl(
            "get", "deployment", "operator", "-n", "hypershift"
        ).returncode


@pytest.mark.parametrize("mode", ["--shared", "--least-privilege"])
def test_an_installation_hosts_a_cluster(plain: Place, tmp_path: Path, mode: str) -> None:
    assert isinstance(plain.kube, Cluster)
    with plain.nothing_left():
        machines = plain.origin.spec.plan.machines
        plain.apply_rendered(mode, "--cluster-api=adopt", f"--hcp-egress-block-cidrs={machines}")
        plain.await_operator()
        with a_hosted_cluster(plain.kube, "guest", tmp_path, nodes=1) as hosted:
            assert "Ready" in hosted.kubectl("get", "nodes")
            refused = plain.hypershift("uninstall", check=False)
            assert refused.returncode == 1
            assert "hosted clusters exist: clusters/guest" in refused.stderr
            logs = plain.kube.kubectl(
                "logs", "-n", "hypershift", "-l", "name=operator", "--tail=-1"
            )
            assert [line for line in logs.splitlines() if "forbidden" in line.lower()] == []
        plain.kube.kubectl("delete", "namespace", "clusters")
