"""The HostedControlPlane of a HostedCluster: derived, never edited by hand."""

from collections.abc import Iterable, Mapping
from typing import Any

from hypershift.api import NodePool, read
from hypershift.api.annotations import (
    DISABLE_AWS_NODE_TERMINATION_HANDLER,
    DISABLE_CLUSTER_AUTOSCALER,
    ENABLE_METRICS_FORWARDING,
    mirrored,
)
from hypershift.api.facts import facts_of
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.api.reserved_labels import permitted
from hypershift.api.well_known import PULL_SECRET
from hypershift.kit import Key, Manifest, annotations_of, labels_of
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.platforms import platform_of, uses_spot

#: Spec fields that both kinds have and that the control plane does not take as they are.
DERIVED = frozenset(
    {"additionalTrustBundle", "auditWebhook", "etcd", "platform", "pullSecret", "sshKey"}
)
#: Spec fields that the control plane takes as they are: a new field of both kinds is one of them.
COPIED = tuple(
    sorted(
        {facts.wire for facts in facts_of(HostedClusterSpec)}
        & {facts.wire for facts in facts_of(HostedControlPlaneSpec)} - DERIVED
    )
)
#: Once there, these stay: taking them away would make stored data unreadable or lose an audit.
NEVER_CLEARED = frozenset({"auditWebhook", "etcd", "secretEncryption"})

MIRRORED_LABELS = "api.openshift.com/"


def hosted_control_plane(
    cluster: Manifest,
    namespace: str,
    platform: Manifest,
    pools: Iterable[Manifest] = (),
    live: Manifest | None = None,
) -> Manifest:
    """Derive the control plane; `live` is what is there, of which some things are kept."""
    metadata = cluster["metadata"]
    labels = {k: v for k, v in labels_of(cluster).items() if k.startswith(MIRRORED_LABELS)}
    return {
        "apiVersion": cluster["apiVersion"],
        "kind": "HostedControlPlane",
        "metadata": {
            "name": metadata["name"],
            "namespace": namespace,
            "labels": labels,
            "annotations": annotations(cluster, tuple(pools), annotations_of(live or {})),
        },
        "spec": spec(
            cluster["spec"],
            platform,
            (live or {}).get("spec") or {},
            forwarding=_forwarding(cluster["spec"], annotations_of(cluster)),
        ),
    }


def spec(wanted: Manifest, platform: Manifest, live: Manifest, *, forwarding: str = "") -> Manifest:
    """The control plane's spec: the cluster's, with names of copies in place of the user's."""
    derived: dict[str, Any] = {name: wanted[name] for name in COPIED if name in wanted}
    if "labels" in derived:  # an older image of the operator puts all of them on its pods
        derived["labels"] = permitted(derived["labels"])
    if _name(wanted, "auditWebhook"):
        derived["auditWebhook"] = wanted["auditWebhook"]
    if etcd := wanted.get("etcd"):
        derived["etcd"] = _etcd(etcd, live.get("etcd") or {})
    derived |= {name: live[name] for name in NEVER_CLEARED & live.keys() - derived.keys()}
    derived.setdefault("dns", {"baseDomain": ""})
    derived |= {
        "platform": platform,
        "releaseImage": wanted["release"]["image"],
        "pullSecret": {"name": PULL_SECRET},
        "sshKey": {"name": names.SSH_KEY if _name(wanted, "sshKey") else ""},
    }
    if release := wanted.get("controlPlaneRelease"):
        derived["controlPlaneReleaseImage"] = release["image"]
    if wanted.get("additionalTrustBundle") is not None:
        derived["additionalTrustBundle"] = {"name": names.USER_CA_BUNDLE}
    if forwarding:
        monitoring = wanted.get("monitoring") or {}
        section = (monitoring.get("metricsForwarding") or {}) | {"mode": forwarding}
        derived["monitoring"] = monitoring | {"metricsForwarding": section}
    return derived


def _etcd(wanted: Manifest, live: Manifest) -> Manifest:
    """The section of the way in which etcd is run; another one is not looked at, and stays."""
    kind = wanted.get("managementType")
    section = {"Managed": "managed", "Unmanaged": "unmanaged"}.get(str(kind), "")
    kept: dict[str, Any] = {name: live[name] for name in ("managed", "unmanaged") if name in live}
    chosen = {section: wanted[section]} if wanted.get(section) is not None else {}
    return {"managementType": kind, **kept, **chosen}


def _forwarding(wanted: Manifest, ours: Mapping[str, str]) -> str:
    """Whether metrics are forwarded: by the spec, else by the annotation of older versions."""
    section = (wanted.get("monitoring") or {}).get("metricsForwarding") or {}
    return str(section.get("mode") or ("Forward" if ENABLE_METRICS_FORWARDING in ours else ""))


def annotations(
    cluster: Manifest, pools: tuple[Manifest, ...], live: Mapping[str, str]
) -> dict[str, str]:
    """The control plane's annotations: mirrored ones, and what the pools decide."""
    ours = annotations_of(cluster)
    metadata = cluster["metadata"]
    derived = mirrored(ours)
    derived |= names.cluster_annotation(Key(metadata["namespace"], metadata["name"]))
    derived |= _restart(ours.get(names.RESTART_DATE, ""), live)
    forwarding = _forwarding(cluster["spec"], ours)
    if forwarding == "Forward":
        derived[ENABLE_METRICS_FORWARDING] = "true"
    elif forwarding == "None":
        derived.pop(ENABLE_METRICS_FORWARDING, None)
    if not any((pool.get("spec") or {}).get("autoScaling") for pool in pools):
        derived[DISABLE_CLUSTER_AUTOSCALER] = "true"
    drains = platform_of(cluster["spec"]).rules.drains_reclaimed_nodes
    if not (drains and any(uses_spot(read(NodePool, pool)) for pool in pools)):
        derived[DISABLE_AWS_NODE_TERMINATION_HANDLER] = "true"
    return derived


def strays(live: Manifest, derived: Manifest) -> Manifest:
    """A merge patch that removes what another writer added to the spec; empty if there is nothing.

    Apply alone restores our values, but leaves fields that we do not set.
    """
    extra = live.keys() - derived.keys()
    nested = {
        name: patch
        for name in live.keys() & derived.keys()
        if isinstance(live[name], dict) and isinstance(derived[name], dict)
        if (patch := strays(live[name], derived[name]))
    }
    return {**dict.fromkeys(sorted(extra)), **nested}


def _restart(wanted: str, live: Mapping[str, str]) -> dict[str, str]:
    # A certificate rotation may have overwritten the date since: a value counts once.
    current = live.get(names.RESTART_DATE, "")
    previous = live.get(names.PREVIOUS_RESTART_DATE, "")
    if wanted and wanted != previous:
        return {names.RESTART_DATE: wanted, names.PREVIOUS_RESTART_DATE: wanted}
    kept = {names.RESTART_DATE: current, names.PREVIOUS_RESTART_DATE: previous}
    return {name: value for name, value in kept.items() if value}


def _name(spec: Manifest, field: str) -> str:
    name: str = (spec.get(field) or {}).get("name", "")
    return name
