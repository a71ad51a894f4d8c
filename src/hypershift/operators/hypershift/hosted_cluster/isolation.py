"""Close the control plane namespace off: NetworkPolicies, and nothing else than ours."""

from contextlib import suppress

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy import (
    Case,
    Networks,
    Surroundings,
    networks_of,
    policies,
)
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.operators.hypershift.settings import Mode
from hypershift.release import Capability
from hypershift.runtime import Done, Outcome

#: The Endpoints in which the management cluster lists the addresses of its own API.
API_NAMESPACE, API_LABELS = "default", "kubernetes.io/service-name=kubernetes"


async def close_new_namespace(scope: ClusterScope) -> Outcome:
    """Write the policies before anything else, so that no pod ever runs in an open namespace.

    The network plugin reads a new namespace anyway, so this costs it no extra work.
    """
    policies_there = await scope.kube.list(kinds.NETWORK_POLICY, scope.namespace)
    if not policies_there:
        with suppress(
            Exception
        ):  # an error happens again in the policies' own phase, and is reported there
            await sync_policies(scope)
    return Done()


async def sync_policies(scope: ClusterScope) -> None:
    """Write every policy; what is no longer wanted goes, once the rest is in place."""
    wanted: list[Manifest] = []
    try:
        wanted.extend(policies(await _case(scope)))
    finally:
        # Together: the network plugin computes the rules of a whole node again for each change.
        await scope.kube.apply_all(map(scope.marked, wanted))
    known = {policy["metadata"]["name"] for policy in wanted}
    for found in await scope.kube.list(kinds.NETWORK_POLICY, scope.namespace):
        name = found["metadata"]["name"]
        if name not in known and names.cluster_of(found) == scope.key:
            await scope.kube.delete(kinds.NETWORK_POLICY, name, scope.namespace)


async def _case(scope: ClusterScope) -> Case:
    release = scope.release
    version = (release.semantic.major, release.semantic.minor) if release else (4, 14)
    if release and not release.openshift:
        version = (4, 14)  # the rules that depend on a version are about OpenShift's
    return Case(
        spec=scope.wanted,
        namespace=scope.namespace,
        around=await surroundings(scope),
        version=version,
        labels_management_access=scope.operator.can(Capability.LABELS_MANAGEMENT_ACCESS),
        annotations=scope.annotations,
    )


async def surroundings(scope: ClusterScope) -> Surroundings:
    """Ranges and addresses that the management cluster publishes about itself."""
    settings = scope.settings
    networks = Networks()
    ranges: tuple[str, ...] = ()
    if scope.environment.openshift:
        networks = networks_of(await scope.kube.find(kinds.CONFIG_NETWORK, "cluster"))
    else:
        ranges = scope.environment.ranges.learn(await scope.kube.each(kinds.NODE))
    slices = await scope.kube.list(kinds.ENDPOINT_SLICE, API_NAMESPACE, labels=API_LABELS)
    return Surroundings(
        openshift=scope.environment.openshift,
        api_addresses=_addresses(slices) or None,
        networks=networks,
        block_cidrs=settings.egress_block_cidrs,
        cluster_ranges=ranges,
        guards_metadata=True,
        metrics_access=settings.metrics_access,
        rhobs=settings.rhobs_monitoring,
        operator_namespace=settings.namespace if scope.mode is Mode.SHARED else "",
    )


def _addresses(slices: list[Manifest]) -> tuple[str, ...]:
    found = {
        address
        for item in slices
        for endpoint in item.get("endpoints") or ()
        for address in endpoint.get("addresses") or ()
    }
    # Sorted, so that the same endpoints in another order are the same policy.
    return tuple(sorted(found))
