"""What kube-apiserver has in common in every product."""

from collections.abc import Sequence

from hypershift.api.configuration.api_server import NamedCertificate
from hypershift.api.etcd_shards import ManagedEtcdShard
from hypershift.api.values import EtcdManagementType
from hypershift.api.well_known import KUBE_APISERVER
from hypershift.component import View, etcd_shards, monitoring, with_proxy
from hypershift.kit import Manifest

NAME = KUBE_APISERVER

_SLOW = (
    "0.15|0.25|0.3|0.35|0.4|0.45|0.6|0.7|0.8|0.9|1.25|1.5|1.75|2.5|3|3.5|4.5|6|7|8|9|15|25|30|50"
)


def _any_of(prefix: str, *names: str) -> str:
    return f"{prefix}_({'|'.join(names)})"


#: Metrics that are not worth their cost.
DROPPED = (
    *monitoring.dropped(
        "etcd_(debugging|disk|server).*",
        "apiserver_admission_controller_admission_latencies_seconds_.*",
        "apiserver_admission_step_admission_latencies_seconds_.*",
        _any_of(
            "scheduler",
            "e2e_scheduling_latency_microseconds",
            "scheduling_algorithm_predicate_evaluation",
            "scheduling_algorithm_priority_evaluation",
            "scheduling_algorithm_preemption_evaluation",
            "scheduling_algorithm_latency_microseconds",
            "binding_latency_microseconds",
            "scheduling_latency_seconds",
        ),
        _any_of(
            "apiserver",
            "request_count",
            "request_latencies",
            "request_latencies_summary",
            "dropped_requests",
            "storage_data_key_generation_latencies_microseconds",
            "storage_transformation_failures_total",
            "storage_transformation_latencies_microseconds",
            "proxy_tunnel_sync_latency_secs",
        ),
        _any_of(
            "docker",
            "operations",
            "operations_latency_microseconds",
            "operations_errors",
            "operations_timeout",
        ),
        _any_of(
            "reflector",
            "items_per_list",
            "items_per_watch",
            "list_duration_seconds",
            "lists_total",
            "short_watches_total",
            "watch_duration_seconds",
            "watches_total",
        ),
        _any_of(
            "etcd",
            "helper_cache_hit_count",
            "helper_cache_miss_count",
            "helper_cache_entry_count",
            "request_cache_get_latencies_summary",
            "request_cache_add_latencies_summary",
            "request_latencies_summary",
        ),
        _any_of("transformation", "transformation_latencies_microseconds", "failures_total"),
        "network_plugin_operations_latency_microseconds|sync_proxy_rules_latency_microseconds"
        "|rest_client_request_latency_seconds",
    ),
    {
        "action": "drop",
        "regex": rf"apiserver_request_duration_seconds_bucket;({_SLOW})(\.0)?",
        "sourceLabels": ["__name__", "le"],
    },
)

MONITOR = monitoring.asset(
    NAME,
    job="apiserver",
    namespace="default",
    service="kubernetes",
    endpoints=({"metricRelabelings": list(DROPPED)},),
    scraped=(
        monitoring.Scraped(
            "kubeAPIServer",
            monitoring.kept(
                "apiserver_storage_objects",
                "apiserver_request_total",
                "apiserver_current_inflight_requests",
            ),
        ),
    ),
)


def with_own_proxy(view: View, manifest: Manifest) -> Manifest:
    """Give the server the management cluster's proxy, but not for addresses behind the tunnel."""
    return with_proxy(view, manifest, NAME, (*view.cluster_cidrs, *view.service_cidrs))


def etcd_overrides(view: View) -> list[str]:
    """The kinds that other etcd clusters keep, ours or the user's own, each with its addresses."""
    etcd = view.spec.etcd
    places = [(shard.resources, _servers(view, shard)) for shard in etcd_shards.active_shards(view)]
    if etcd.management_type == EtcdManagementType.UNMANAGED:
        own = etcd.unmanaged.shards if etcd.unmanaged else ()
        places = [(shard.resources, shard.endpoint) for shard in own]
    return [
        f"{kind.api_group}/{kind.resource}#{address}" for kinds, address in places for kind in kinds
    ]


def _servers(view: View, shard: ManagedEtcdShard) -> str:
    """A shard's addresses; of a hosted Kubernetes every member by its own name.

    So the client finds another member when one is gone, as with the first cluster.
    """
    if view.openshift or shard.replicas == 1:
        return f"https://etcd-client-{shard.name}.{view.namespace}.svc:2379"
    names = (f"etcd-{shard.name}-{i}" for i in range(shard.replicas))
    hosts = (f"{name}.etcd-discovery-{shard.name}.{view.namespace}.svc" for name in names)
    return ";".join(f"https://{host}:2379" for host in hosts)


def named_certificates(view: View) -> Sequence[NamedCertificate]:
    """The serving certificates that the user brought, with the names they are for."""
    serving = view.api_server.serving_certs
    return serving.named_certificates if serving else ()


def certificate_secret(item: NamedCertificate) -> str:
    """The Secret that holds a certificate of the user's; empty when none is named."""
    return item.serving_certificate.name if item.serving_certificate else ""
