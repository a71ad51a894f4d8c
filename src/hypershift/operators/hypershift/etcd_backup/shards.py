"""What a snapshot leaves out: kinds that a shard of etcd keeps are not in the first cluster."""

from collections.abc import Iterable

from hypershift.api import HostedControlPlane, read
from hypershift.api.etcd_shards import ManagedEtcdShard, ShardResource
from hypershift.component.etcd_shards import managed_shards
from hypershift.operators.hypershift.etcd_backup.scope import BackupScope
from hypershift.operators.hypershift.etcd_backup.status import fail
from hypershift.runtime import Done, Outcome

#: A restored cluster makes these again, or does without them.
TRANSIENT = frozenset(
    {("", "events"), ("events.k8s.io", "events"), ("coordination.k8s.io", "leases")}
)


def lost_kinds(shards: Iterable[ManagedEtcdShard]) -> list[str]:
    """The kinds in shards that a restored cluster would lack."""
    return sorted(
        _qualified_name(kind)
        for shard in shards
        for kind in shard.resources
        if (kind.api_group, kind.resource) not in TRANSIENT
    )


def _qualified_name(kind: ShardResource) -> str:
    return f"{kind.resource}.{kind.api_group}" if kind.api_group else kind.resource


async def refuse_without_shards(scope: BackupScope) -> Outcome:
    """Refuse a backup that would lack kinds which no controller recreates."""
    kinds = lost_kinds(managed_shards(read(HostedControlPlane, scope.plane).spec))
    if kinds:
        text = (
            f"shards of etcd keep {', '.join(kinds)}, and a backup has the first cluster alone: a"
            " restored cluster would lack them"
        )
        return fail(scope, text)
    return Done()
