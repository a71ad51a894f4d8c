"""All NetworkPolicies of a control plane namespace, in the order in which they are written."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from hypershift.api import labels
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.publishing import labels_routes, published_by, uses_shared_ingress
from hypershift.api.values import PublishingStrategyType as Publishing
from hypershift.api.values import ServiceType as Service
from hypershift.api.well_known import (
    KONNECTIVITY_PORT,
    OAUTH_PORT,
    SHARED_INGRESS_NAMESPACE,
)
from hypershift.kit import Manifest
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy.rules import (
    dns,
    from_namespaces,
    labelled,
    open_to_all,
    outside,
    policy,
    tcp,
)
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy.surroundings import (
    Surroundings,
)
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy.virt_launcher import (
    virt_launcher,
)
from hypershift.platforms import platform_of
from hypershift.platforms.rules import ClusterRules

INGRESS = {"network.openshift.io/policy-group": "ingress"}
MONITORING = {"network.openshift.io/policy-group": "monitoring"}
SHARED_INGRESS = {"kubernetes.io/metadata.name": SHARED_INGRESS_NAMESPACE}
ETCD_METRICS_PORT = 2381
IGNITION_PORT, IGNITION_PROXY_PORT = 9090, 8443
#: The first release whose router gets rules for what it may dial.
ROUTER_EGRESS_SINCE = (4, 14)
_OPENSHIFT = 4


@dataclass(frozen=True)
class Case:
    """One control plane whose policies are wanted."""

    spec: HostedClusterSpec
    namespace: str
    around: Surroundings
    version: tuple[int, int] = ROUTER_EGRESS_SINCE  # of the control plane's release
    labels_management_access: bool = True  # its pods say whether they need the mgmt API
    annotations: dict[str, str] = field(default_factory=dict)

    @property
    def rules(self) -> ClusterRules:
        """How the cluster's cloud changes its policies."""
        return platform_of(self.spec).rules


def policies(case: Case) -> Iterator[Manifest]:
    """Yield every policy that the control plane needs.

    An order that matters: what depends on the management cluster's endpoints comes after what
    depends on nothing, so that a namespace is closed even where those cannot be read.
    """
    if not labels_routes(case.spec, case.annotations):
        yield from_namespaces("openshift-ingress", case.namespace, INGRESS)
    yield policy("same-namespace", case.namespace, {}, ingress=[{"from": [{"podSelector": {}}]}])
    yield kas(case)
    case.around.kept_from()  # all further policies wait until these addresses are known
    if case.rules.management_kas_exempts and case.labels_management_access:
        yield management_kas(case)
        if _reads_metrics(case):
            yield metrics_server(case)
    shared = uses_shared_ingress(case.spec, case.annotations)
    if shared:
        yield from_namespaces("sharedingress", case.namespace, SHARED_INGRESS)
    yield from_namespaces("openshift-monitoring", case.namespace, MONITORING)
    routed = labels_routes(case.spec, case.annotations) and not shared
    own_router = not case.around.openshift and routed
    if case.rules.private_router or own_router:
        yield private_router(case)
    if case.rules.machines_are_pods:
        yield virt_launcher(case.spec, case.namespace, case.around)
    yield from published(case)
    if case.around.operator_namespace:
        yield operator_metrics(case)
    if not case.rules.management_kas_exempts and case.labels_management_access:
        yield management_egress(case)


def kas(case: Case) -> Manifest:
    """The API server is open to the world: its clients prove who they are."""
    default = platform_of(case.spec).traits.api_port
    server = case.spec.networking.api_server
    wanted = (server.port if server else None) or default
    ports = [default] if wanted == default else [default, wanted]
    ingress = [{"ports": tcp(port)} for port in ports]
    return policy("kas", case.namespace, labelled(app="kube-apiserver"), ingress=ingress)


def management_kas(case: Case) -> Manifest:
    """Keep the pods that do not need the management API from it, and from all other pods."""
    exempt = case.rules.management_kas_exempts
    driver = {"key": "name", "operator": "NotIn", "values": [exempt]}
    return _kept_inside("management-kas", case, driver, case.around.kept_from())


def management_egress(case: Case) -> Manifest:
    """The same on every other platform: a stolen pod is no less curious there.

    Policies add up, so machines that are pods beside the control plane stay out of this one:
    their own policy allows less.
    """
    machine = {"key": "kubevirt.io", "operator": "NotIn", "values": ["virt-launcher"]}
    kept_from = case.around.with_metadata(case.around.kept_from())
    return _kept_inside("management-egress", case, machine, kept_from)


def operator_metrics(case: Case) -> Manifest:
    """Let an operator outside the namespace read how fast etcd's disks are, and nothing else."""
    rule = {"ports": tcp(ETCD_METRICS_PORT), "from": [_operator(case)]}
    managed = case.spec.etcd.managed
    shards = [f"etcd-{shard.name}" for shard in managed.shards] if managed else []
    apps = {"key": "app", "operator": "In", "values": ["etcd", *shards]}
    members = {"matchExpressions": [apps]} if shards else labelled(app="etcd")
    return policy("operator-metrics", case.namespace, members, ingress=[rule])


def _operator(case: Case) -> Manifest:
    """The pods of an operator that manages this control plane from outside."""
    return {
        "namespaceSelector": {
            "matchLabels": {"kubernetes.io/metadata.name": case.around.operator_namespace}
        },
        "podSelector": labelled(app="operator"),
    }


def metrics_server(case: Case) -> Manifest:
    """Let the pods that ask for it read the management cluster's metrics."""
    if case.around.rhobs and _is_rosa(case.spec):
        querier = {
            "app.kubernetes.io/instance": "hypershift-monitoring-stack",
            "app.kubernetes.io/name": "prometheus",
        }
        port = 9090
    else:
        querier = {
            "app.kubernetes.io/instance": "thanos-querier",
            "app.kubernetes.io/name": "thanos-query",
        }
        port = 9092
    peer = {
        "namespaceSelector": {"matchLabels": MONITORING},
        "podSelector": {"matchLabels": querier},
    }
    reader = {"key": labels.NEED_METRICS_SERVER_ACCESS, "operator": "Exists"}
    rule = {"ports": tcp(port), "to": [peer]}
    return policy("metrics-server", case.namespace, {"matchExpressions": [reader]}, egress=[rule])


def private_router(case: Case) -> Manifest:
    """The control plane's own router: in from anywhere, out to what it serves."""
    ingress = [{"ports": tcp(8080, 8443)}]
    selector = labelled(app="private-router")
    if case.version[0] == _OPENSHIFT and case.version < ROUTER_EGRESS_SINCE:
        return policy("private-router", case.namespace, selector, ingress=ingress)
    serving = {"key": labels.REQUEST_SERVING_COMPONENT, "operator": "Exists"}
    egress = [
        {"to": outside(case.around.kept_from())},
        {"to": [{"podSelector": {"matchExpressions": [serving]}}]},
        dns(openshift=case.around.openshift),
    ]
    if case.around.operator_namespace:  # the ignition server is in the operator's own pod
        egress.append({"ports": tcp(IGNITION_PORT), "to": [_operator(case)]})
    return policy("private-router", case.namespace, selector, ingress=ingress, egress=egress)


#: (service, way, policy, app, port) of what is reached past any router. The load balancers of
#: Konnectivity and Ignition are ours; the original publishes those by NodePort and Route alone.
PUBLISHED = (
    (Service.OAUTH_SERVER, Publishing.NODE_PORT, "nodeport-oauth", "oauth-openshift", OAUTH_PORT),
    (
        Service.OAUTH_SERVER,
        Publishing.LOAD_BALANCER,
        "loadbalancer-oauth",
        "oauth-openshift",
        OAUTH_PORT,
    ),
    (
        Service.IGNITION,
        Publishing.NODE_PORT,
        "nodeport-ignition",
        "ignition-server",
        IGNITION_PORT,
    ),
    (
        Service.IGNITION,
        Publishing.NODE_PORT,
        "nodeport-ignition-proxy",
        "ignition-server-proxy",
        IGNITION_PROXY_PORT,
    ),
    (
        Service.IGNITION,
        Publishing.LOAD_BALANCER,
        "loadbalancer-ignition",
        "ignition-server",
        IGNITION_PORT,
    ),
    (
        Service.KONNECTIVITY,
        Publishing.NODE_PORT,
        "nodeport-konnectivity",
        "konnectivity-server",
        KONNECTIVITY_PORT,
    ),
    (
        Service.KONNECTIVITY,
        Publishing.NODE_PORT,
        "nodeport-konnectivity-kas",
        "kube-apiserver",
        KONNECTIVITY_PORT,
    ),
    (
        Service.KONNECTIVITY,
        Publishing.LOAD_BALANCER,
        "loadbalancer-konnectivity-kas",
        "kube-apiserver",
        KONNECTIVITY_PORT,
    ),
)


def published(case: Case) -> Iterator[Manifest]:
    """Open what is published by node port or load balancer."""
    for service, way, name, app, port in PUBLISHED:
        if published_by(case.spec, service, way):
            yield open_to_all(name, case.namespace, app, port)


def _kept_inside(name: str, case: Case, but: Manifest, kept_from: tuple[str, ...]) -> Manifest:
    needless = {"key": labels.NEED_MANAGEMENT_KAS_ACCESS, "operator": "DoesNotExist"}
    return policy(
        name,
        case.namespace,
        {"matchExpressions": [needless, but]},
        egress=[
            {"to": [{"podSelector": {}}]},
            {"to": outside(kept_from)},
            dns(openshift=case.around.openshift),
        ],
    )


def _reads_metrics(case: Case) -> bool:
    return case.around.metrics_access or (case.around.rhobs and _is_rosa(case.spec))


def _is_rosa(spec: HostedClusterSpec) -> bool:
    tags = platform_of(spec).rules.resource_tags(spec.platform)
    return ("red-hat-managed", "true") in tags
