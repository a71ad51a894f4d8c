"""What kube-controller-manager has in common in every product."""

from collections.abc import Iterator

from hypershift.component import Asset, View, monitoring

NAME = "kube-controller-manager"
KUBECONFIG = "kube-controller-manager-kubeconfig"
CLIENT = "kube-controller-manager"

SERVICE = Asset("common/service.yaml")
MONITOR = monitoring.asset(
    NAME,
    job=NAME,
    namespace="openshift-kube-controller-manager",
    service=NAME,
    endpoints=(
        {
            "metricRelabelings": monitoring.dropped(
                "etcd_(debugging|disk|request|server).*",
                "rest_client_request_latency_seconds_(bucket|count|sum)",
                "root_ca_cert_publisher_sync_duration_seconds_(bucket|count|sum)",
            )
        },
    ),
    scraped=(
        monitoring.Scraped("kubeControllerManager", monitoring.kept("pv_collector_total_pv_count")),
    ),
)


def grace_flag(view: View) -> str:
    """How long a node may be silent before it counts as unhealthy."""
    return f"--node-monitor-grace-period={view.cloud.node_grace_seconds}s"


def common_flags(view: View) -> Iterator[str]:
    """Yield TLS, feature gates and profiling."""
    yield from view.tls.flags
    for gate, enabled in view.feature_gates.items():
        yield f"--feature-gates={gate}={str(enabled).lower()}"
    if view.profiling_disabled(NAME):
        yield "--profiling=false"
