"""Which etcd clusters beside the first one keep kinds of their own.

An API server that is told of a shard does not see what the first cluster holds of its kinds. So a
shard comes with its cluster; one that was added to a cluster whose API server was started without
it is left out, and a condition says so. (The definitions refuse the change as well.)
"""

from hypershift.api.etcd_shards import ManagedEtcdShard
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.api.values import EtcdManagementType
from hypershift.api.well_known import KUBE_APISERVER
from hypershift.component import edit
from hypershift.component.view import View
from hypershift.kit import Manifest


def managed_shards(spec: HostedControlPlaneSpec) -> tuple[ManagedEtcdShard, ...]:
    """The etcd clusters of ours beside the first one, as they are asked for."""
    etcd = spec.etcd
    ours = etcd.management_type == EtcdManagementType.MANAGED
    return etcd.managed.shards if ours and etcd.managed else ()


def workload_of(shard: ManagedEtcdShard) -> str:
    """The StatefulSet of a shard."""
    return f"etcd-{shard.name}"


def is_late(
    shard: ManagedEtcdShard, stateful_set: Manifest | None, server: Manifest | None
) -> bool:
    """Whether a shard came after the first start of the API server, given what is there of both."""
    if stateful_set is not None or server is None:
        return False
    containers = edit.pod_of(server)["spec"]["containers"]
    args = next((one.get("args") or () for one in containers if one["name"] == KUBE_APISERVER), ())
    told = (arg for arg in args if arg.startswith("--etcd-servers-overrides="))
    return not any(f"-{shard.name}." in arg for arg in told)


def active_shards(view: View) -> tuple[ManagedEtcdShard, ...]:
    """The shards that the API servers are configured with."""
    return tuple(shard for shard in managed_shards(view.spec) if is_active(view, shard))


def is_active(view: View, shard: ManagedEtcdShard) -> bool:
    """Whether the API servers are configured with a shard."""
    found = view.find("StatefulSet", workload_of(shard))
    return view.openshift or not is_late(shard, found, view.find("Deployment", KUBE_APISERVER))
