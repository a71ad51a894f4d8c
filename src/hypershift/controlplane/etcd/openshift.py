"""etcd of OpenShift's payload: with its own health checks, metrics proxy and defragmentation."""

from collections.abc import Iterator
from pathlib import Path

from hypershift.api.values import AvailabilityPolicy
from hypershift.component import (
    Asset,
    Component,
    Starts,
    Tier,
    View,
    disruption,
    edit,
    monitoring,
)
from hypershift.controlplane.etcd.members import NAME, initial_cluster, managed, with_storage
from hypershift.controlplane.etcd.restore import with_restore
from hypershift.kit import Manifest

DEFRAG_ACCOUNT = "etcd-defrag-controller"

SCRAPED = monitoring.Scraped(
    "etcd",
    monitoring.kept(
        "etcd_disk_wal_fsync_duration_seconds_bucket",
        "etcd_mvcc_db_total_size_in_bytes",
        "etcd_network_peer_round_trip_time_seconds_bucket",
        "etcd_mvcc_db_total_size_in_use_in_bytes",
        "etcd_disk_backend_commit_duration_seconds_bucket",
        "etcd_server_leader_changes_seen_total",
    ),
)


def defragments(view: View) -> bool:
    """Whether members are defragmented in turn, which takes more than one."""
    return view.availability == AvailabilityPolicy.HIGHLY_AVAILABLE


def environment(view: View) -> dict[str, str]:
    """The members' settings that follow the cluster."""
    values = {
        "ETCD_INITIAL_CLUSTER": initial_cluster(view),
        "ETCD_TLS_MIN_VERSION": view.tls.etcd_minimum,
    }
    if suites := view.tls.etcd_suites:
        values["ETCD_CIPHER_SUITES"] = ",".join(suites)
    return {**values, **six_groups(view)}


def six_groups(view: View) -> dict[str, str]:
    """Where members listen when their addresses need brackets."""
    if not view.ipv6:
        return {}
    return {
        "ETCD_LISTEN_PEER_URLS": "https://[$(POD_IP)]:2380",
        "ETCD_LISTEN_CLIENT_URLS": "https://[$(POD_IP)]:2379,https://localhost:2379",
        "ETCD_LISTEN_METRICS_URLS": "https://[::]:2382",
    }


def metrics_flags(view: View) -> Iterator[str]:
    """Yield where the metrics proxy listens, and by which TLS."""
    yield from listening(view)
    yield f"--tls-min-version={view.tls.etcd_minimum}"
    yield from _suites(view)


def listening(view: View) -> Iterator[str]:
    """Yield where the metrics proxy listens."""
    loopback, anywhere = ("[::1]", "[::]") if view.ipv6 else ("127.0.0.1", "0.0.0.0")  # noqa: S104 - inside a pod
    yield f"--listen-addr={loopback}:2383"
    yield f"--metrics-addr=https://{anywhere}:2381"
    yield "--advertise-client-url="


def health_flags(view: View) -> Iterator[str]:
    """Yield the TLS flags of the health checks."""
    yield f"--listen-tls-min-version={view.tls.etcd_minimum}"
    yield from _suites(view)


def _suites(view: View) -> Iterator[str]:
    if suites := view.tls.etcd_suites:
        yield f"--listen-cipher-suites={','.join(suites)}"


def stateful_set(view: View, manifest: Manifest) -> Manifest:
    manifest = edit.set_env(manifest, NAME, environment(view))
    manifest = edit.add_args(manifest, "etcd-metrics", metrics_flags(view))
    manifest = edit.add_args(manifest, "healthz", health_flags(view))
    manifest = with_defragmentation(view, manifest)
    return with_storage(view, with_restore(view, manifest))


def with_defragmentation(view: View, manifest: Manifest) -> Manifest:
    """Run the controller that defragments, under the account that may hold its lease."""
    path = (*edit.pod_path(manifest), "spec", "serviceAccountName")
    if not defragments(view):
        return edit.put(manifest, path, NAME)
    return edit.add_container(edit.put(manifest, path, DEFRAG_ACCOUNT), defragmenter(view))


def defragmenter(view: View, *flags: str) -> Manifest:
    """The controller beside each member; the leader among them does the work."""
    return {
        "name": "etcd-defrag",
        "image": "controlplane-operator",
        "command": ["control-plane-operator"],
        "args": ["etcd-defrag-controller", "--namespace", view.namespace, *flags],
        "resources": {"requests": {"cpu": "10m", "memory": "50Mi"}},
        "volumeMounts": [
            {"name": "client-tls", "mountPath": "/etc/etcd/tls/client"},
            {"name": "etcd-ca", "mountPath": "/etc/etcd/tls/etcd-ca"},
        ],
    }


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("openshift/statefulset.yaml", adapt=stateful_set),
    manifests=(
        Asset("openshift/defrag-role.yaml", when=defragments),
        Asset("openshift/defrag-rolebinding.yaml", when=defragments),
        Asset("openshift/defrag-serviceaccount.yaml", when=defragments),
        Asset("common/discovery-service.yaml"),
        Asset("openshift/self-register-role.yaml"),
        Asset("openshift/self-register-rolebinding-defrag.yaml", when=defragments),
        Asset("openshift/self-register-rolebinding.yaml"),
        Asset("common/serviceaccount.yaml"),
        disruption.asset(NAME),
        Asset("common/client-service.yaml"),
        Asset("openshift/servicemonitor.yaml", adapt=monitoring.scraping(SCRAPED)),
    ),
    when=managed,
    tier=Tier.STORAGE,
    starts=Starts.BEFORE_API_SERVER,
    owns_volumes=True,
    multi_zone_spread=True,
    management_access=True,
)
