"""A hosted cluster as management cluster of another: our operator on it, a cluster in the cluster.

host ─ management cluster ─ hosted cluster `shared` with nodes ─ hosted cluster `inner`
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from tests.e2e.embedded import Kubectl, Manifest, run
from tests.e2e.hosted import PATIENCE, Hosted
from tests.e2e.workers import a_pool

from hypershift import parts, payload

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1800)]

NAME = "inner"
PUBLISHED = ("APIServer", "Ignition", "Konnectivity")


class Inner(Kubectl):
    """The cluster in the cluster; a second face for the cluster that carries it."""

    def __init__(self, outer: Hosted, files: Path) -> None:
        self.outer, self.files = outer, files

    @property
    def kubeconfig(self) -> Path:
        """Its admin kubeconfig, as its own management cluster hands it out."""
        path = self.files / "inner.kubeconfig"
        if not path.exists():
            said = self.hypershift("create", "kubeconfig", "--name", NAME)
            path.write_text(said.stdout)
            path.chmod(0o600)
        return path

    def hypershift(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Type `hypershift ...` at the hosted cluster."""
        argv = (sys.executable, "-m", "hypershift.cli", *words)
        environment = {"KUBECONFIG": str(self.outer.kubeconfig)}
        return run(argv, check=check, environment=environment, seconds=PATIENCE)

    def conditions(self) -> dict[str, Manifest]:
        found = self.outer.get("hostedcluster", NAME, "-n", "clusters")
        return {each["type"]: each for each in found.get("status", {}).get("conditions", [])}


@pytest.fixture(scope="module")
def inner(hosted: Hosted, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inner]:
    """The operator on a hosted cluster whose nodes have room for a control plane."""
    made = Inner(hosted, tmp_path_factory.mktemp("nested"))
    management = hosted.management
    with a_pool(hosted, "roomy", "--memory", "4Gi", replicas=1) as pool:
        pool.await_nodes(1)
        mirror = f"{payload.REGISTRY}=http://{management.spec.plan.registry}"
        flags = ("--enable-conversion-webhook=false", "--monitoring-objects=false")
        made.hypershift(
            *("install", "--shared", "--cluster-api=none", "--wait-until-available", *flags),
            *("--hypershift-image", management.images["hypershift"], "--registry-mirror", mirror),
        )
        try:
            yield made
        finally:
            made.hypershift("uninstall", check=False)


def test_a_cluster_inside_a_hosted_cluster_becomes_available(inner: Inner) -> None:
    outer, began = inner.outer, time.monotonic()
    outer.apply(*manifests(inner))
    try:
        outer.until(
            lambda: inner.conditions().get("Available", {}).get("status") == "True",
            "cluster inside",
            lambda: (inner.conditions(), pods(outer)),
        )
        sys.stdout.write(f"\n  inner cluster Available after {time.monotonic() - began:.0f} s\n")
        version = json.loads(inner.kubectl("version", "-o", "json"))["serverVersion"]
        assert version["gitVersion"] == f"v{parts.KUBERNETES}"
        inner.kubectl("create", "configmap", "deep", "--from-literal=down=below")
        assert inner.get("configmap", "deep")["data"] == {"down": "below"}
        assert outer.try_kubectl("get", "configmap", "deep").returncode != 0
        claims = outer.get("persistentvolumeclaims", "-n", f"clusters-{NAME}")
        assert {claim["status"]["phase"] for claim in claims} == {"Bound"}
        assert {claim["spec"]["storageClassName"] for claim in claims} == {"local"}
    finally:
        inner.hypershift("destroy", "cluster", "none", "--name", NAME, check=False)
    assert outer.try_kubectl("get", "namespace", f"clusters-{NAME}").returncode != 0


def manifests(inner: Inner) -> list[Manifest]:
    """A cluster of platform None, published by load balancers of the cluster that carries it."""
    pull_secret = inner.files / "auth.json"
    pull_secret.write_text(json.dumps({"auths": {}}))
    said = inner.hypershift(
        *("create", "cluster", "none", "--name", NAME, "--render", "--render-sensitive"),
        *("--release-image", str(payload.release_reference(parts.KUBERNETES))),
        *("--pull-secret", str(pull_secret), "--node-pool-replicas", "-1"),
        *("--external-api-server-address", "192.0.2.1"),
    )
    found: list[Manifest] = list(yaml.safe_load_all(said.stdout))
    for cluster in (one for one in found if one["kind"] == "HostedCluster"):
        for service in cluster["spec"]["services"]:
            if service["service"] in PUBLISHED:
                service["servicePublishingStrategy"] = {"type": "LoadBalancer"}
    return found


def pods(outer: Hosted) -> list[tuple[str, str]]:
    """What runs in the hosted cluster, for the complaint."""
    found = outer.get("pods", "-A")
    return [(pod["metadata"]["name"], pod["status"].get("phase", "")) for pod in found]
