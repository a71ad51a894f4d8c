"""The installation on the session's cluster: what it stands on, the same again, its rights."""

import subprocess
import sys

import yaml
from tests.e2e.embedded import Cluster, run

from hypershift.cli.local.operator import flags
from hypershift.local.images import prepare


def hypershift(cluster: Cluster, *words: str) -> subprocess.CompletedProcess[str]:
    """Type `hypershift ...` at the management cluster."""
    argv = (sys.executable, "-m", "hypershift.cli", *words)
    return run(argv, check=False, environment={"KUBECONFIG": str(cluster.kubeconfig)})


def installed(cluster: Cluster) -> list[str]:
    """The command line by which the session's cluster got its operator."""
    made = prepare.published(cluster.where)
    assert made is not None
    return flags(cluster.spec, made)


def test_the_embedded_cluster_is_fit_for_an_installation(cluster: Cluster) -> None:
    said = hypershift(cluster, "install", "--check", "--limit-crd-install=Local")
    assert said.returncode == 0, said.stdout + said.stderr
    lines = {line[9:25].strip(): line[:8].strip() for line in said.stdout.splitlines()}
    assert lines == dict.fromkeys(
        ("version", "storage", "load balancer", "network policy", "definitions", "cluster api"),
        "ok",
    )


def test_what_render_prints_is_what_runs(cluster: Cluster) -> None:
    """Applied once more by kubectl, nothing of the operator changes."""
    words = ("install", "render", "--outputs=resources", *installed(cluster))
    printed = hypershift(cluster, *words).stdout
    assert {"Deployment", "ClusterRole", "ValidatingAdmissionPolicy"} <= {
        each["kind"] for each in yaml.safe_load_all(printed)
    }
    before = cluster.get("deployment", "operator", "-n", "hypershift")["metadata"]["generation"]
    cluster.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", feed=printed)
    after = cluster.get("deployment", "operator", "-n", "hypershift")["metadata"]["generation"]
    assert after == before


def test_the_operator_is_refused_nothing_that_it_asks_for(cluster: Cluster) -> None:
    """Whatever the session has done so far: its rights are the least that it gets along with."""
    logs = cluster.kubectl("logs", "-n", "hypershift", "-l", "name=operator", "--tail=-1")
    refused = [line for line in logs.splitlines() if "forbidden" in line.lower()]
    assert refused == []
