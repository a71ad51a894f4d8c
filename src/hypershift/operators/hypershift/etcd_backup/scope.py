"""What one pass over an HCPEtcdBackup knows."""

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field

from hypershift.api import HCPEtcdBackup, read
from hypershift.api.conditions import EtcdBackupCondition, EtcdBackupReason
from hypershift.kit import Manifest
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift import ownership
from hypershift.operators.hypershift.reach import OwnClient, Reach
from hypershift.operators.hypershift.settings import Settings
from hypershift.release import Lookup
from hypershift.runtime import Scope, condition_of, is_true

COMPLETED = EtcdBackupCondition.COMPLETED
FINAL_FAILURES = (EtcdBackupReason.FAILED, EtcdBackupReason.REJECTED)


@dataclass(frozen=True)
class Environment:
    """What the controller was given when the operator started."""

    settings: Settings
    releases: Lookup
    openshift: bool = False  # the management cluster chooses the users of pods
    #: One decision at a time in each control plane namespace: which backup runs, and whether the
    #: rights of Jobs are still needed. Replicas share clusters by namespace, so a lock will do.
    locks: dict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))


def is_final(backup: Manifest) -> bool:
    """Whether a backup is done, well or badly."""
    found = condition_of(backup, COMPLETED) or {}
    return is_true(backup, COMPLETED) or found.get("reason") in FINAL_FAILURES


@dataclass(slots=True)
class BackupScope(Scope):
    """One pass over an HCPEtcdBackup; `find_plane` fills the plane, the cluster and the reach."""

    environment: Environment
    plane: Manifest = field(default_factory=dict)
    cluster: Manifest = field(default_factory=dict)
    reach: Reach | None = None
    _backup: HCPEtcdBackup | None = field(default=None, init=False, repr=False)

    @property
    def backup(self) -> HCPEtcdBackup:
        """The HCPEtcdBackup of this pass, decoded once."""
        if self._backup is None:
            self._backup = read(HCPEtcdBackup, self.object)
        return self._backup

    @property
    def namespace(self) -> str:
        """The control plane namespace."""
        return self.key.namespace

    @property
    def operator_namespace(self) -> str:
        """Where Jobs run and credentials lie."""
        return self.environment.settings.namespace

    @property
    def lock(self) -> asyncio.Lock:
        """Held while something is decided that concerns all backups of the control plane."""
        return self.environment.locks[self.namespace]

    def within(self, client: Client) -> Client:
        """A client that writes in this cluster's own namespaces alone."""
        if self.reach is None:
            raise ownership.NotOurs(f"no hosted cluster owns namespace {self.namespace!r}")
        return OwnClient(client, self.reach, self.context.rng)

    async def find_owner(self) -> str:
        """Find the HostedCluster that owns the namespace, or the reason why none does.

        The Namespace's own mark is the proof: a user who can create an HCPEtcdBackup in a namespace
        gets no other cluster's etcd read.
        """
        space = await self.kube.find(kinds.NAMESPACE, self.namespace)
        key = ownership.cluster_of(space or {})
        cluster = await self.kube.find(kinds.HOSTED_CLUSTER, *reversed(key)) if key else None
        if key is None or cluster is None:
            return f"namespace {self.namespace} belongs to no HostedCluster"
        reach = Reach(self.kube, self.context.live, key, cluster)
        if reach.plane != self.namespace or not await reach.owns_plane():
            return await reach.problem() or f"namespace {self.namespace} is not that of {key}"
        self.cluster, self.reach = cluster, reach
        return ""
