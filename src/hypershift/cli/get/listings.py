"""What `get` shows of clusters, pools and components: their columns, and objects as rows."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from hypershift.api.conditions import (
    ComponentCondition,
    ConditionStatus,
    ConditionType,
    EtcdBackupCondition,
    HostedClusterCondition,
    NodePoolConditionType,
)
from hypershift.kit import Manifest, from_rfc3339
from hypershift.kube import Resource, kinds

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """One kind that `get` shows: its columns, and how an object becomes a row."""

    word: str
    summary: str
    resource: Resource
    header: Row
    row: Callable[[Manifest], Row]
    aliases: tuple[str, ...] = ()
    wide_header: Row = ()
    wide_row: Callable[[Manifest], Row] = lambda _manifest: ()


def condition(manifest: Manifest, kind: ConditionType) -> str:
    """The status of one condition, `Unknown` when it is not set yet."""
    for each in manifest.get("status", {}).get("conditions", []):
        if each["type"] == kind:
            return str(each["status"])
    return str(ConditionStatus.UNKNOWN)


def _age(manifest: Manifest) -> str:
    created = from_rfc3339(manifest["metadata"]["creationTimestamp"])
    seconds = int((datetime.now(UTC) - created).total_seconds())
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def _message(manifest: Manifest, kind: ConditionType) -> str:
    for each in manifest.get("status", {}).get("conditions", []):
        if each["type"] == kind and each["status"] != ConditionStatus.TRUE:
            return str(each.get("message") or each.get("reason") or "")
    return ""


def _trouble(manifest: Manifest, kind: ConditionType) -> Row:
    """Reason and message of a condition that is not True; both empty when it is."""
    for each in manifest.get("status", {}).get("conditions", []):
        if each["type"] == kind and each["status"] != ConditionStatus.TRUE:
            return str(each.get("reason") or ""), str(each.get("message") or "")
    return "", ""


def _cluster(manifest: Manifest) -> Row:
    history = manifest.get("status", {}).get("version", {}).get("history") or [{}]
    endpoint = manifest.get("status", {}).get("controlPlaneEndpoint") or {}
    address = f"{endpoint['host']}:{endpoint['port']}" if endpoint.get("host") else ""
    return (
        manifest["metadata"]["namespace"],
        manifest["metadata"]["name"],
        str(history[0].get("version", "")),
        manifest["spec"]["platform"]["type"],
        condition(manifest, HostedClusterCondition.AVAILABLE),
        condition(manifest, HostedClusterCondition.DEGRADED),
        address,
        _age(manifest),
    )


def _pool(manifest: Manifest) -> Row:
    spec, status = manifest["spec"], manifest.get("status", {})
    wanted = spec.get("replicas", "auto")
    return (
        manifest["metadata"]["namespace"],
        manifest["metadata"]["name"],
        spec["clusterName"],
        f"{status.get('replicas', 0)}/{wanted}",
        str(status.get("version", "")),
        condition(manifest, NodePoolConditionType.READY),
        _age(manifest),
    )


def _backup(manifest: Manifest) -> Row:
    return (
        manifest["metadata"]["namespace"],
        manifest["metadata"]["name"],
        condition(manifest, EtcdBackupCondition.COMPLETED),
        _trouble(manifest, EtcdBackupCondition.COMPLETED)[0],
        condition(manifest, EtcdBackupCondition.RESTORE_PROVEN),
        manifest.get("status", {}).get("snapshotURL", ""),
        _age(manifest),
    )


def _component(manifest: Manifest) -> Row:
    return (
        manifest["metadata"]["namespace"],
        manifest["metadata"]["name"],
        str(manifest.get("status", {}).get("version", "")),
        condition(manifest, ComponentCondition.AVAILABLE),
        condition(manifest, ComponentCondition.ROLLOUT_COMPLETE),
        _message(manifest, ComponentCondition.AVAILABLE)
        or _message(manifest, ComponentCondition.ROLLOUT_COMPLETE),
    )


LISTINGS = (
    Listing(
        "clusters",
        "Hosted clusters",
        kinds.HOSTED_CLUSTER,
        ("NAMESPACE", "NAME", "VERSION", "PLATFORM", "AVAILABLE", "DEGRADED", "API", "AGE"),
        _cluster,
        ("cluster", "hc", "hostedcluster", "hostedclusters"),
        ("RELEASE", "REASON", "MESSAGE"),
        lambda each: (
            each["spec"]["release"]["image"],
            *_trouble(each, HostedClusterCondition.AVAILABLE),
        ),
    ),
    Listing(
        "nodepools",
        "Node pools",
        kinds.NODE_POOL,
        ("NAMESPACE", "NAME", "CLUSTER", "NODES", "VERSION", "READY", "AGE"),
        _pool,
        ("nodepool", "np"),
        ("RELEASE", "REASON", "MESSAGE"),
        lambda each: (
            each["spec"]["release"]["image"],
            *_trouble(each, NodePoolConditionType.READY),
        ),
    ),
    Listing(
        "components",
        "Components of control planes",
        kinds.CONTROL_PLANE_COMPONENT,
        ("NAMESPACE", "NAME", "VERSION", "AVAILABLE", "ROLLED OUT", "MESSAGE"),
        _component,
        ("component", "controlplanecomponent", "controlplanecomponents"),
    ),
    Listing(
        "backups",
        "Backups of hosted clusters' etcd",
        kinds.HCP_ETCD_BACKUP,
        ("NAMESPACE", "NAME", "COMPLETED", "REASON", "PROVEN", "URL", "AGE"),
        _backup,
        ("backup", "hcpetcdbackups", "hcpetcdbk"),
        ("MESSAGE",),
        lambda each: (
            _message(each, EtcdBackupCondition.COMPLETED)
            or _message(each, EtcdBackupCondition.RESTORE_PROVEN),
        ),
    ),
)


def rows(listing: Listing, items: list[Manifest], form: str) -> tuple[Row, list[Row]]:
    """Header and rows of a table, or of a wide one."""
    if form != "wide":
        return listing.header, [listing.row(item) for item in items]
    header = (*listing.header, *listing.wide_header)
    return header, [(*listing.row(item), *listing.wide_row(item)) for item in items]
