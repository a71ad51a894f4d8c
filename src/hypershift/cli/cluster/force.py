"""`destroy cluster --force`: strip the finalizers that hold a cluster whose time is over.

What the finalizers would have cleaned up, machines and volumes, is left behind; that is why
nothing of this is done before the grace period has passed.
"""

from collections.abc import Iterator, Sequence

from hypershift.api.finalizers import DESTROY_FINALIZER
from hypershift.cli.cluster.wait import Progress
from hypershift.kit import HypershiftError, Key, Manifest, key_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import Client, NotFound, Resource, kinds

INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io"
#: In the order in which their owners would have let go of them.
PROVIDERS = ("AWS", "Azure", "Agent", "Kubevirt", "OpenStack", "GCP", "IBMPowerVS")
OWNED: Sequence[Resource] = (
    kinds.MACHINE,
    kinds.MACHINE_SET,
    kinds.MACHINE_DEPLOYMENT,
    kinds.CAPI_CLUSTER,
    kinds.HOSTED_CONTROL_PLANE,
    kinds.DEPLOYMENT,
)


async def strip(client: Client, namespace: str, name: str, progress: Progress) -> None:
    """Let everything of the cluster go, children first."""
    plane = control_plane_namespace(Key(namespace, name))
    cluster = await client.find(kinds.HOSTED_CLUSTER, name, namespace)
    space = await _own_namespace(client, Key(namespace, name), cluster, progress)
    for resource in (*await _infrastructure(client), *OWNED) if space else ():
        await _release(client, resource, plane, progress)
    await _release(client, kinds.NODE_POOL, namespace, progress, of=name)
    if cluster is not None:
        await _free(client, kinds.HOSTED_CLUSTER, cluster, progress)
    if space is not None:
        await _free(client, kinds.NAMESPACE, space, progress)


async def _own_namespace(
    client: Client, key: Key, cluster: Manifest | None, progress: Progress
) -> Manifest | None:
    """The control plane namespace, if its mark names this cluster."""
    # The operator is large: other commands of this family start without it.
    from hypershift.operators.hypershift import ownership  # noqa: PLC0415

    found = await client.find(kinds.NAMESPACE, control_plane_namespace(key))
    owner = ownership.Owner(key, str((cluster or {}).get("metadata", {}).get("uid") or ""))
    older = ownership.needs_proof(found, owner)  # the administrator's decision replaces the proof
    if ownership.ownership_of(found, owner, proven=older) is not ownership.Ownership.FOREIGN:
        return found
    why = ownership.problem(control_plane_namespace(key), found, owner)
    progress.say(f"nothing is deleted in that namespace: {why}")
    return None


async def _infrastructure(client: Client) -> Iterator[Resource]:
    """Machines and Clusters of every provider that this management cluster knows."""
    served: list[Resource] = [kinds.LOCAL_MACHINE, kinds.LOCAL_CLUSTER]
    for version in ("v1beta2", "v1beta1"):
        try:
            found = await client.discover(f"{INFRASTRUCTURE}/{version}")
        except NotFound:
            continue
        known = {each.kind for each in served}
        wanted = {f"{name}{kind}" for name in PROVIDERS for kind in ("Machine", "Cluster")}
        served += [each for each in found if each.kind in wanted - known]
    return iter(served)


async def _release(
    client: Client, resource: Resource, namespace: str, progress: Progress, of: str = ""
) -> None:
    try:
        found = await client.list(resource, namespace)
    except NotFound:
        return
    for each in found:
        if not of or each["spec"].get("clusterName") == of:
            await _free(client, resource, each, progress)


async def _free(client: Client, resource: Resource, found: Manifest, progress: Progress) -> None:
    """Delete one object and take its finalizers; trouble with one does not stop the others."""
    key = key_of(found)
    try:
        if not found["metadata"].get("deletionTimestamp"):
            await client.delete(resource, key.name, key.namespace)
        # `destroy cluster` itself lets a cluster go, once its infrastructure is gone
        held = found["metadata"].get("finalizers") or []
        kept = [each for each in held if each == DESTROY_FINALIZER]
        if held != kept:
            progress.say(f"removing the finalizers of {resource.kind} {key}")
            patch = {"metadata": {"finalizers": kept or None}}
            await client.patch(resource, key.name, patch, key.namespace)
    except NotFound:
        return
    except HypershiftError as error:
        progress.say(f"{resource.kind} {key} could not be released: {error}")
