"""The phases that reach the hosted API server and gather what its cluster shall have."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from hypershift.api import HostedControlPlane, annotations
from hypershift.api.cluster_domain import cluster_domain
from hypershift.api.conditions import (
    ConditionStatus,
    ControlPlaneCondition,
    ControlPlaneReason,
    false,
)
from hypershift.api.hosted_control_plane import HostedControlPlaneStatus
from hypershift.api.networking import (
    APIServerNetworking,
    CIDREntry,
    ClusterNetworkEntry,
    ClusterNetworking,
)
from hypershift.api.publishing import Exposed, hostname, strategy
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.api.values import PublishingStrategyType, ServiceType
from hypershift.api.well_known import API_PORT, HTTPS_PORT, PULL_SECRET, advertised_address
from hypershift.kit import (
    HypershiftError,
    Key,
    Manifest,
    Secret,
    canonical_cidr,
    data_of,
    from_rfc3339,
)
from hypershift.kube import ApiError, Client, LimitExceeded, kinds
from hypershift.kube.cache import Change
from hypershift.kube.services import load_balancer_address
from hypershift.operators.guest_config import copies, succession, webhooks
from hypershift.operators.guest_config.rules import pull_secret
from hypershift.operators.guest_config.rules.catalog import OURS, SYSTEM, Values
from hypershift.operators.guest_config.rules.connection import is_news
from hypershift.operators.guest_config.rules.version import plane_image, software_image
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.platforms import cluster_proxy
from hypershift.runtime import Done, Outcome, Stop, Watch, connect_guest, is_true, mapping

RETRY = timedelta(seconds=5)
#: How long what is inside waits for the rest of its control plane, which starts meanwhile.
COMPLETION = timedelta(seconds=10)
KONNECTIVITY = "konnectivity-server"
#: All that is read of a node in a pass; a node is 30 KB, and a guest may invent thousands.
NODE_FIELDS = (
    ("metadata", "annotations", annotations.LABELS_SYNCED),
    ("spec", "taints"),
)
LIMITED = timedelta(seconds=60)
_SYSTEM_KINDS = (
    kinds.DAEMON_SET,
    kinds.DEPLOYMENT,
    kinds.SECRET,
    kinds.SERVICE,
    kinds.SERVICE_ACCOUNT,
)
_CLUSTER_KINDS = (
    kinds.CLUSTER_ROLE,
    kinds.CLUSTER_ROLE_BINDING,
    kinds.STORAGE_CLASS,
    kinds.VALIDATING_ADMISSION_POLICY,
    kinds.VALIDATING_ADMISSION_POLICY_BINDING,
)


def guest_watches(key: Key) -> Sequence[Watch]:
    """What is followed inside a cluster: what we keep there, and its nodes."""
    keys = mapping.always(key)
    return (
        *(Watch(kind, keys=keys, namespace=SYSTEM, labels=OURS) for kind in _SYSTEM_KINDS),
        Watch(kinds.CONFIG_MAP, keys=keys, namespace=SYSTEM, labels=OURS, wakes=is_news),
        *(
            Watch(kind, keys=keys, namespace="default", labels=OURS)
            for kind in (kinds.ENDPOINTS, kinds.ENDPOINT_SLICE)
        ),
        Watch(kinds.NODE, keys=keys, only=NODE_FIELDS),
        *(Watch(kind, keys=keys, labels=OURS) for kind in _CLUSTER_KINDS),
        *(Watch(kind, keys=keys, only=webhooks.ADMISSION_FIELDS) for kind in webhooks.ADMISSION),
        Watch(
            kinds.CUSTOM_RESOURCE_DEFINITION,
            keys=keys,
            only=webhooks.CONVERSION_FIELDS,
            wakes=_converts,
        ),
    )


def _converts(change: Change) -> bool:
    """True if a CRD calls a webhook; most do not, and are left alone."""
    return any(True for _ in webhooks.conversion_url(change.new or {}))


async def connect(scope: GuestScope) -> Outcome:
    """Reach the hosted API server, once there is one."""
    if not is_true(scope.object, ControlPlaneCondition.KUBE_API_SERVER_AVAILABLE):
        return Stop("ApiServerNotAvailable")
    if left := until_complete(scope.hosted, scope.clock.now()):
        return Stop("ControlPlaneIncomplete", after=left)
    scope.guest = await connect_guest(scope, guest_watches(scope.key))
    if scope.guest is None:
        return Stop("NoKubeconfig", after=RETRY)
    return await _look(scope, scope.guest)


async def _look(scope: GuestScope, guest: Client) -> Outcome:
    """See the nodes; a cluster that exceeds its limits or does not answer ends the pass here."""
    if problem := scope.context.remotes.problem(scope.namespace):
        return _exceeds(scope, problem)
    try:
        scope.nodes = await guest.list(kinds.NODE, only=NODE_FIELDS)
    except LimitExceeded as error:
        return _exceeds(scope, str(error))
    except (ApiError, OSError) as error:
        return Stop("GuestUnavailable", str(error), RETRY, error)
    return Done()


def _exceeds(scope: GuestScope, problem: str) -> Stop:
    """Report a cluster that answers more than we take from one."""
    text = f"The hosted cluster exceeds what one cluster may cost the operator: {problem}"[:1000]
    reason = ControlPlaneReason.GUEST_LIMIT_EXCEEDED
    scope.conditions.set(false(ControlPlaneCondition.CONFIG_OPERATOR_SUCCEEDED, reason, text))
    return Stop(reason, text, after=LIMITED)


def until_complete(hosted: HostedControlPlane, now: datetime) -> timedelta | None:
    """How long to leave a control plane alone that comes up: its users wait for that first.

    A component that needs something inside would wait for ever, so patience has an end.
    """
    status = hosted.status or HostedControlPlaneStatus()
    version = status.control_plane_version
    conditions = {each.type: each for each in status.conditions}
    available = conditions.get(ControlPlaneCondition.AVAILABLE)
    if (available and available.status == ConditionStatus.TRUE) or any(
        one.state == "Completed" for one in (version.history if version else ())
    ):
        return None
    served = conditions.get(ControlPlaneCondition.KUBE_API_SERVER_AVAILABLE)
    if served is None or served.status != ConditionStatus.TRUE:
        return COMPLETION
    left = from_rfc3339(served.last_transition_time) + COMPLETION - now
    return left if left > timedelta() else None


async def find_release(scope: GuestScope) -> Outcome:
    """Look up the wanted releases, and the one that the cluster's own software is made of now."""
    pull_secret = await scope.kube.find(kinds.SECRET, PULL_SECRET, scope.namespace)
    credentials = Secret(data_of(pull_secret, DOCKER_CONFIG))
    lookup = scope.environment.releases.lookup
    try:
        scope.release = await lookup(scope.wanted.release_image, credentials)
        scope.plane = await lookup(plane_image(scope.wanted), credentials)
        software = software_image(scope.hosted, scope.plane)
        scope.software = await lookup(software, credentials)
    except HypershiftError as error:
        return Stop(ControlPlaneReason.RELEASE_LOOKUP_FAILED, str(error), RETRY, error)
    return Done()


async def gather(scope: GuestScope) -> Outcome:
    """Gather the values that the guest's objects follow."""
    service = await scope.kube.find(kinds.SERVICE, KONNECTIVITY, scope.namespace)
    host, port = tunnel_address(scope.wanted, service)
    if not host:
        return Stop("NoTunnelAddress", "the konnectivity server has no address yet", after=RETRY)
    agent = await scope.kube.find(kinds.SECRET, "konnectivity-agent", scope.namespace)
    bundle = await scope.kube.find(kinds.CONFIG_MAP, "konnectivity-ca-bundle", scope.namespace)
    if agent is None or bundle is None or scope.software is None:
        return Stop("NoTunnelCertificate", after=RETRY)
    copied = await copies.gather(scope.kube, scope.namespace)
    networking = scope.wanted.networking or ClusterNetworking(network_type="")
    address, api_port = api_address(networking)
    domain = cluster_domain(scope.hosted.metadata.annotations)
    scope.values = Values(
        images=scope.software.images,
        cluster_networks=_ranges(networking.cluster_network),
        service_networks=_ranges(networking.service_network),
        network_type=networking.network_type,
        api_address=address,
        api_port=api_port,
        konnectivity_host=host,
        konnectivity_port=port,
        konnectivity_ca=(bundle.get("data") or {}).get("ca.crt", ""),
        konnectivity_cert=data_of(agent, "tls.crt"),
        konnectivity_key=data_of(agent, "tls.key"),
        nodes=len(scope.nodes),
        platform=scope.wanted.platform.type,
        proxy=cluster_proxy(scope.wanted, domain).variables,
        cluster_domain=domain,
        copied=copied,
        credentials=await _pull_secret(scope, copied.pull_secret),
        authorities=await succession.gather(scope.kube, scope.namespace),
        image=scope.environment.image,
    )
    return Done()


async def _pull_secret(scope: GuestScope, original: bytes) -> pull_secret.PullSecret:
    """What nodes pull with: what the cluster's administrators add is in no cache of ours."""
    place = pull_secret.NAMESPACE
    additional = await scope.inside.find(kinds.SECRET, pull_secret.ADDITIONAL, place)
    ours = await scope.inside.list(kinds.DAEMON_SET, place, labels=OURS)
    syncer = next((one for one in ours if one["metadata"]["name"] == pull_secret.SYNCER), None)
    return pull_secret.decided(original, additional, syncer, len(scope.nodes))


def _ranges(entries: Iterable[ClusterNetworkEntry | CIDREntry] | None) -> tuple[str, ...]:
    return tuple(canonical_cidr(each.cidr) for each in entries or ())


def api_address(networking: ClusterNetworking) -> tuple[str, int]:
    """The address and port that the cluster advertises for its API; a node's proxy has them."""
    api = networking.api_server or APIServerNetworking()
    services = [each.cidr for each in networking.service_network or ()]
    return advertised_address(api.advertise_address, services), api.port or API_PORT


def tunnel_address(spec: Exposed, service: Manifest | None) -> tuple[str, int]:
    """Where nodes find the konnectivity server; an empty host while it is not published."""
    if service is None:
        return "", 0
    chosen = strategy(spec, ServiceType.KONNECTIVITY)
    entry = service["spec"]["ports"][0]
    if chosen and chosen.type == PublishingStrategyType.NODE_PORT:
        return (chosen.node_port.address if chosen.node_port else ""), entry.get("nodePort", 0)
    if chosen and chosen.type == PublishingStrategyType.ROUTE:
        return hostname(spec, ServiceType.KONNECTIVITY), HTTPS_PORT
    if address := load_balancer_address(service):
        return hostname(spec, ServiceType.KONNECTIVITY) or address, entry["port"]
    return "", 0


async def forget(scope: GuestScope) -> Outcome:
    """Let go of a hosted cluster that is going away."""
    await scope.context.remotes.drop(scope.namespace)
    return Done()
