"""What `--to` means, what an upgrade rolls, and why the operator would refuse it.

The rules of a refusal are the operator's own. The version comes from the tag of the image; an
image that is named by its digest cannot be checked before it is written.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hypershift.api import HostedCluster, NodePool, annotations
from hypershift.api.conditions import ConditionStatus, ControlPlaneCondition
from hypershift.api.values import UpgradeType
from hypershift.kit import InvalidSpec, UsageError

if TYPE_CHECKING:
    from hypershift.release import Product, Version

_UPGRADEABLE = ControlPlaneCondition.CLUSTER_VERSION_UPGRADEABLE
#: How OpenShift's tags end: the processors that the release has images for.
_PROCESSORS = re.compile(r"-(aarch64|multi|multi-x86_64|ppc64le|s390x|x86_64)$")


def image(current: str, to: str) -> str:
    """The release image that `--to` means: an image, or a version as a tag of the current image."""
    if version(to) is None:
        return to
    repository, _, tag = current.rpartition(":")
    if "@" in current or "/" in tag or not repository:
        raise UsageError(
            f"--to {to}: the release now is {current}, which has no tag to put the version in; "
            "give the image of the release"
        )
    end = "" if _PROCESSORS.search(to) else _match(tag)
    start = "v" if tag.startswith("v") else ""
    return f"{repository}:{start}{to.removeprefix('v')}{end}"


def _match(tag: str) -> str:
    found = _PROCESSORS.search(tag)
    return found[0] if found else ""


def version(text: str) -> "Version | None":
    """The version that a text is; None when it is none."""
    from hypershift.release import Version  # noqa: PLC0415 - large

    try:
        return Version.parse(text)
    except InvalidSpec:
        return None


def _tagged(release: str) -> str:
    """The version in the tag of an image; empty where it has none."""
    text = _PROCESSORS.sub("", release.rpartition(":")[2])
    return text if version(text) else ""


def is_checked(release: str) -> bool:
    """Whether a refusal can be known before the operator has read the image."""
    return bool(_tagged(release))


def _product(text: str) -> "Product":
    from hypershift.release import Product, Version  # noqa: PLC0415 - large

    return Product.KUBERNETES if Version.parse(text).major == 1 else Product.OPENSHIFT


def plan_cluster(cluster: HostedCluster, pools: Sequence[NodePool], release: str) -> list[str]:
    """What a new release of a cluster rolls, and what it leaves alone."""
    name, current = cluster.metadata.name, cluster.spec.release.image
    if current == release:
        return [f"cluster {name} asks for {release} already: nothing rolls"]
    stays = (
        f"stays: node pool {pool.metadata.name} on {pool.spec.release.image} "
        "until it is upgraded itself"
        for pool in pools
    )
    return [
        f"cluster {name}: {current} -> {release}",
        *_left_behind(pools, release),
        "rolls: the pods of its control plane, component by component",
        *stays,
    ]


def _left_behind(pools: Sequence[NodePool], release: str) -> Iterator[str]:
    """The pools whose nodes would be too old for the control plane."""
    from hypershift.release import why_no_skew  # noqa: PLC0415 - large

    wanted = version(_tagged(release))
    for pool in pools:
        nodes = version(pool.status.version or "")
        if wanted and nodes and (why := why_no_skew(wanted, nodes)):
            yield f"mind: node pool {pool.metadata.name}: {why}; upgrade it first"


def plan_pool(pool: NodePool, release: str) -> list[str]:
    """What a new release of a pool does to its nodes."""
    name, current = pool.metadata.name, pool.spec.release.image
    if current == release:
        return [f"node pool {name} asks for {release} already: nothing rolls"]
    in_place = pool.spec.management.upgrade_type == UpgradeType.IN_PLACE
    there = pool.status.replicas
    count = (pool.spec.replicas or 0) if there is None else there
    how = "upgraded in place, one after the other" if in_place else "replaced by new machines"
    return [
        f"node pool {name}: {current} -> {release}",
        f"rolls: {count} nodes are drained and {how}",
        "stays: the control plane and every other pool",
    ]


def cluster_refusal(cluster: HostedCluster, release: str) -> str:
    """Why the operator will refuse a release; empty when it will not, or that is unknown."""
    from hypershift.release import why_invalid  # noqa: PLC0415 - large

    wanted, spec = _tagged(release), cluster.spec
    # A control plane with a release of its own does not follow `spec.release`.
    if not wanted or release == spec.release.image or spec.control_plane_release:
        return ""
    why = ""
    if annotations.SKIP_RELEASE_IMAGE_VALIDATION not in (cluster.metadata.annotations or {}):
        network, platform = spec.networking.network_type, spec.platform.type
        running = _running(cluster, release)
        why = why_invalid(_product(wanted), wanted, running, network=network, platform=platform)
    return why or _not_upgradeable(cluster, release, wanted)


def _running(cluster: HostedCluster, release: str) -> str:
    """The version that runs, when another one is wanted; empty when it is not known either."""
    known = cluster.status.version
    if known is None or known.desired.image == release:
        return ""
    newest = known.history[0].version if known.history else ""
    return known.desired.version or newest or ""


def _not_upgradeable(cluster: HostedCluster, release: str, wanted: str) -> str:
    """Why the cluster itself refuses another minor."""
    from hypershift.release import Product, Version  # noqa: PLC0415 - large

    running = version(_running(cluster, release))
    found = next((each for each in cluster.status.conditions if each.type == _UPGRADEABLE), None)
    if running is None or found is None or found.status == ConditionStatus.TRUE:
        return ""
    unknown = found.status != ConditionStatus.FALSE
    if unknown and _product(wanted) is Product.KUBERNETES:
        return ""
    forced = (cluster.metadata.annotations or {}).get(annotations.FORCE_UPGRADE_TO)
    if forced == release or Version.parse(wanted).line == running.line:
        return ""
    said = f"{_UPGRADEABLE}={found.status} ({found.reason}: {found.message})"
    return f"the cluster reports {said}; annotation {annotations.FORCE_UPGRADE_TO} overrides it"


def pool_refusal(pool: NodePool, cluster: HostedCluster | None, release: str) -> str:
    """Why the operator will give a pool no machines of a release; empty as of a cluster."""
    from hypershift.operators.hypershift.node_pool.rules import conditions  # noqa: PLC0415 - large
    from hypershift.release import Release  # noqa: PLC0415 - large

    wanted = _tagged(release)
    if not wanted or cluster is None or release == pool.spec.release.image:
        return ""
    if annotations.SKIP_RELEASE_IMAGE_VALIDATION in (cluster.metadata.annotations or {}):
        return ""
    return conditions.why_no_release(
        Release(wanted, _product(wanted), {}),
        current=pool.status.version or "",
        newest=conditions.completed_version(cluster),
        cluster=cluster,
    )
