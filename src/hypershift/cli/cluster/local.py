"""`create cluster local`: machines on the same host as the embedded management cluster."""

from typing import Any

from hypershift.cli.cluster.platform import ClusterPlatform, PoolMaker
from hypershift.cli.flags import INT32, Flag, Values
from hypershift.kit import Manifest

DEFAULT_RELEASE = "registry.hypershift.local/kubernetes/release:1.35.8"
PUBLISHED = ("APIServer", "Ignition", "Konnectivity")


def shape(values: Values, _completed: Any, cluster: Manifest) -> Manifest:
    spec = cluster["spec"]
    spec["dns"]["baseDomain"] = values["base-domain"] or "hypershift.local"
    spec["release"]["image"] = spec["release"]["image"] or DEFAULT_RELEASE
    strategy = {"type": "LoadBalancer"}
    spec["services"] = [
        {"service": name, "servicePublishingStrategy": strategy} for name in PUBLISHED
    ]
    return cluster


def pools(values: Values, _completed: Any, pool: PoolMaker) -> list[Manifest]:
    manifest = pool(values["name"])
    spec = manifest["spec"]
    spec["release"]["image"] = spec["release"]["image"] or DEFAULT_RELEASE
    machine: Manifest = {}
    if values["cpu"]:
        machine["cpu"] = values["cpu"]
    if values["memory"]:
        machine["memory"] = values["memory"]
    spec["platform"]["local"] = machine
    return [manifest]


PLATFORM = ClusterPlatform(
    name="local",
    type="Local",
    summary="A cluster whose nodes are machines on this host",
    upgrade_type="Replace",
    needs_pull_secret=False,
    flags=(
        Flag("cpu", "Processors of each node (the host's when not given)", INT32),
        Flag("memory", "Memory of each node, for example 2Gi (the host's when not given)"),
    ),
    examples="""\
  # a cluster with two nodes; returns when they are Ready
  hypershift create cluster local --name demo --node-pool-replicas 2 --wait""",
    shape=shape,
    pools=pools,
)
