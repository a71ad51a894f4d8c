"""etcd of the Kubernetes payload: upstream's binary alone, configured by flags."""

from collections.abc import Iterator
from pathlib import Path

from hypershift.api.conditions import ControlPlaneCondition
from hypershift.component import Asset, Component, Starts, Tier, View, disruption, edit
from hypershift.controlplane.etcd.members import NAME, Group, first, managed, with_storage
from hypershift.controlplane.etcd.restore import with_verified_restore
from hypershift.kit import Manifest

BOOTSTRAP = "etcd-bootstrap"
STATE, EXISTING = "initial-cluster-state", "existing"

#: Seconds that a member of several continues to serve after the one before it came back. Clients
#: try a lost member again at growing intervals; without a pause, a rollout or drain that takes
#: one member after the other could leave them with none that they are connected to.
HAND_OVER = 15
#: What etcd takes at most to end its clients' streams and pass on the leadership.
STOPPING = 15


def flags(view: View, group: Group) -> Iterator[str]:
    """Yield the flags that follow the cluster."""
    host = "[::]" if view.ipv6 else "0.0.0.0"  # noqa: S104 - inside a pod of its own
    yield f"--initial-cluster={group.initial_cluster(view.namespace)}"
    yield f"--listen-client-urls=https://{host}:2379"
    yield f"--listen-peer-urls=https://{host}:2380"
    # Probes have no client certificate, and metrics contain no secrets.
    yield f"--listen-metrics-urls=http://{host}:2381"
    yield f"--tls-min-version={view.tls.etcd_minimum}"
    if view.tls.etcd_suites and view.tls.etcd_minimum == "TLS1.2":
        yield f"--cipher-suites={','.join(view.tls.etcd_suites)}"


def stateful_set(view: View, manifest: Manifest) -> Manifest:
    group = first(view)
    manifest = with_storage(view, edit.add_args(manifest, NAME, flags(view, group)))
    return with_hand_over(group, with_verified_restore(view, manifest))


def with_hand_over(group: Group, manifest: Manifest) -> Manifest:
    """Let clients find other members before one of several stops; a single one stops at once."""
    if group.replicas == 1:
        return manifest
    manifest = edit.before_stop(manifest, NAME, {"sleep": {"seconds": HAND_OVER}})
    return edit.allow_to_stop(manifest, HAND_OVER + STOPPING)


def bootstrap(view: View, manifest: Manifest) -> Manifest:
    """The members create the cluster once; one that starts empty afterwards joins it."""
    had_quorum = view.has_condition(ControlPlaneCondition.ETCD_AVAILABLE)
    if view.text(BOOTSTRAP, STATE) == EXISTING or had_quorum:
        return edit.set_data(manifest, {STATE: EXISTING})
    return manifest


KUBERNETES = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("kubernetes/statefulset.yaml", adapt=stateful_set),
    manifests=(
        Asset("kubernetes/bootstrap.yaml", adapt=bootstrap),
        Asset("common/serviceaccount.yaml"),
        Asset("common/discovery-service.yaml"),
        Asset("common/client-service.yaml"),
        disruption.asset(NAME),
    ),
    when=managed,
    tier=Tier.STORAGE,
    starts=Starts.BEFORE_API_SERVER,
    owns_volumes=True,
    multi_zone_spread=True,
    reads=("Secret/etcd-server-tls", "Secret/etcd-peer-tls", "ConfigMap/etcd-ca"),
    # etcd reads its certificates at every handshake.
    reloads=frozenset({"Secret/etcd-server-tls", "Secret/etcd-peer-tls"}),
    # A write that is under way while the leader moves may be lost: no member stops without reason.
    follows_release=False,
    # `kubectl rollout restart statefulset/etcd` asks for it by name.
    follows_restart=False,
)
