"""The recording rules of an installation: a name, and the query whose result it keeps."""

from hypershift.kit import Manifest

INTERVAL = "30s"
GROUP = "hypershift.rules"
READS = "LIST|GET|WATCH"
WRITES = "POST|PUT|PATCH|UPDATE|DELETE|APPLY"
CONTAINER = 'container!="POD",container!=""'
POD = "(pod, namespace)"


def recording_rules() -> list[Manifest]:
    """What clusters ask of API servers, what control planes use, and how many there are."""
    records = _requests() | _components() | _counts()
    return [{"record": name, "expr": expression} for name, expression in records.items()]


def rule_groups() -> list[Manifest]:
    return [{"name": GROUP, "interval": INTERVAL, "rules": recording_rules()}]


def _requests() -> dict[str, str]:
    total = "hypershift:apiserver_request_total"
    aborted = "sum(rate(apiserver_request_aborts_total[1m])) by (resource, verb)"
    return {
        f"{total}:read": _rate("namespace", f'verb=~"{READS}"'),
        f"{total}:write": _rate("namespace", f'verb=~"{WRITES}"'),
        f"{total}:client": _rate("namespace, system_client", ""),
        "hypershift:apiserver_request_aborts_total": f"sort_desc({aborted})",
    }


def _rate(labels: str, selector: str) -> str:
    return f"sum by ({labels}) (rate(apiserver_request_total{{{selector}}}[2m]))"


def _components() -> dict[str, str]:
    plane, memory = "hypershift:controlplane", "app, namespace, pod"
    calls = "sum(rest_client_requests_total) by (pod, namespace, code, method)"
    payloads = 'rate(ign_server_payload_generation_seconds_bucket{container="ignition-server"}[3m])'
    return {
        f"{plane}:component_api_requests_total": _of_component(
            "sum", "app, namespace, code, method, pod", calls
        ),
        f"{plane}:component_memory_usage": _of_component(
            "sum", memory, f"sum(container_memory_usage_bytes{{{CONTAINER}}}) by {POD}"
        ),
        f"{plane}:component_memory_rss": _of_component(
            "sum", memory, f"sum(container_memory_rss{{{CONTAINER}}}) by {POD}"
        ),
        f"{plane}:component_memory_request": _of_component("sum", memory, _requested("memory")),
        f"{plane}:ign_payload_generation_seconds_p90": (
            f"histogram_quantile(0.9, sum by (namespace, le) ({payloads}))"
        ),
        f"{plane}:component_cpu_usage_seconds": _average(memory),
        f"{plane}:component_cpu_request": _of_component("sum", memory, _requested("cpu")),
        "hypershift:operator:component_api_requests_total": _of_component(
            "sum", "app, namespace, code, method", calls, "operator"
        ),
    }


def _of_component(function: str, labels: str, query: str, part: str = "control_plane") -> str:
    """A query about pods, by the component that these belong to."""
    pods = f'kube_pod_labels{{label_hypershift_openshift_io_{part}_component!=""}}'
    named = f'label_replace({pods}, "app", "$1", "label_app", "(.*)")'
    return f"{function} by ({labels}) ( {query} * on {POD} group_left(app) {named} )"


def _requested(resource: str) -> str:
    return f'sum(kube_pod_container_resource_requests{{resource="{resource}"}}) by {POD}'


def _average(labels: str) -> str:
    seconds = 'container_cpu_usage_seconds_total{container_name!="POD",container!=""}[2m]'
    used = f"sum( rate( {seconds} ) ) by {POD}"
    return f"{_of_component('avg', labels, used)} / {_of_component('count', labels, used)}"


def _counts() -> dict[str, str]:
    pools = "max by(name, exported_namespace, platform, cluster_name)"
    return {
        **{
            f"platform:hypershift_{kind}:max": f"max by(platform) (hypershift_{kind})"
            for kind in ("hostedclusters", "nodepools")
        },
        **{
            f"cluster_name:hypershift_nodepools_{what}:sum": (
                f"sum by(cluster_name, exported_namespace) ({pools} (hypershift_nodepools_{what}))"
            )
            for what in ("size", "available_replicas")
        },
    }
