"""What one pass over a pod of an API server knows."""

from dataclasses import dataclass

from hypershift.api import AuditLogPersistenceConfig, read
from hypershift.component.audit import LOG_VOLUME
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift import ownership
from hypershift.operators.hypershift.audit_logs.rules.wanted import Wanted, wanted
from hypershift.operators.hypershift.reach import OwnClient, Reach
from hypershift.runtime import Context, Scope

NAME = "cluster"
SNAPSHOTS = "volumesnapshots.snapshot.storage.k8s.io"


async def configured(kube: Client) -> Wanted | None:
    """What the configuration asks for; None without one."""
    found = await kube.find(kinds.AUDIT_LOG_PERSISTENCE_CONFIG, NAME)
    return wanted(read(AuditLogPersistenceConfig, found).spec) if found else None


async def serves_snapshots(kube: Client) -> bool:
    """Whether the management cluster has VolumeSnapshots."""
    return await kube.find(kinds.CUSTOM_RESOURCE_DEFINITION, SNAPSHOTS) is not None


async def within(context: Context, namespace: str) -> Client | None:
    """A client that writes in the control plane namespace of one hosted cluster, if it is that."""
    space = await context.kube.find(kinds.NAMESPACE, namespace)
    key = ownership.cluster_of(space or {})
    cluster = await context.kube.find(kinds.HOSTED_CLUSTER, *reversed(key)) if key else None
    if key is None or cluster is None:
        return None
    reach = Reach(context.kube, context.live, key, cluster)
    if reach.plane != namespace or not await reach.owns_plane():
        return None
    return OwnClient(context.kube, reach, context.rng)


@dataclass(slots=True)
class PodScope(Scope):
    """One pass over a pod of an API server."""

    #: What writes in the pod's namespace; `look` fills it.
    own: Client | None = None
    #: What the configuration asks for; `look` fills it.
    wanted: Wanted | None = None
    #: When the snapshot of this restart was taken; empty without one.
    taken: str = ""

    @property
    def namespace(self) -> str:
        """The control plane namespace."""
        return self.key.namespace

    @property
    def name(self) -> str:
        """The pod's name."""
        return self.key.name

    @property
    def claim(self) -> str:
        """The claim that the log is written to; empty if the log is deleted with the pod.

        Kubernetes names it after pod and volume.
        """
        volumes = self.spec.get("volumes") or ()
        is_kept = any(one["name"] == LOG_VOLUME and "ephemeral" in one for one in volumes)
        return f"{self.name}-{LOG_VOLUME}" if is_kept else ""
