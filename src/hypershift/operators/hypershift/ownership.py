"""Decides which hosted cluster owns an object outside the user's own namespace.

A mark is two annotations: the HostedCluster's key and its uid. The control plane Namespace carries
both from its creation on, and consumers cannot write Namespaces: so its mark is the proof for
everything inside it. Objects outside of namespaces (RBAC) carry both as well.

    namespace of that name     its mark                        standing
    absent                                                     ABSENT   create it
    there                      this key, this uid              OURS     write and delete
    there                      this key, no uid                OURS     if proven, see `is_proven`
    there                      none, another key or uid        FOREIGN  read, write, delete nothing

The uid distinguishes a cluster from an earlier one of that name, maybe of another tenant.
A restore from a backup gives the HostedCluster a new uid: an administrator confirms that the
namespace is to be used again by writing the new uid into its mark, as the condition says.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from hypershift.api import annotations, labels
from hypershift.kit import Key, Manifest, TransientError, annotations_of, labels_of

CLUSTER_UID: Final = annotations.CLUSTER_UID


class NotOurs(TransientError):
    """A write that was refused because its object belongs to another cluster or program."""


class Owner(NamedTuple):
    """A hosted cluster; the uid is empty where only the name of a deleted one is known."""

    key: Key
    uid: str


class Ownership(StrEnum):
    """Whose a control plane namespace is, for one hosted cluster."""

    ABSENT = "Absent"
    OURS = "Ours"
    FOREIGN = "Foreign"


def mark(owner: Owner) -> dict[str, str]:
    """The annotations that mark an object's owner."""
    return {annotations.CLUSTER: str(owner.key), CLUSTER_UID: owner.uid}


def cluster_of(manifest: Manifest) -> Key | None:
    """The hosted cluster in an object's mark."""
    namespace, _, name = annotations_of(manifest).get(annotations.CLUSTER, "").partition("/")
    return Key(namespace, name) if name else None


def uid_mark(manifest: Manifest) -> str:
    """The uid of the hosted cluster in an object's mark; empty without one."""
    return annotations_of(manifest).get(CLUSTER_UID, "")


def ownership_of(namespace: Manifest | None, owner: Owner, *, proven: bool = False) -> Ownership:
    """Whose a control plane namespace is; `proven` speaks for one whose mark has no uid."""
    if namespace is None:
        return Ownership.ABSENT
    if cluster_of(namespace) != owner.key:
        return Ownership.FOREIGN
    uid = uid_mark(namespace)
    ours = owner.uid in ("", uid) if uid else proven
    return Ownership.OURS if ours else Ownership.FOREIGN


def needs_proof(namespace: Manifest | None, owner: Owner) -> bool:
    """Whether an older operator may have made the namespace: it wrote the key and no uid."""
    return (
        namespace is not None
        and cluster_of(namespace) == owner.key
        and not uid_mark(namespace)
        and labels_of(namespace).get(labels.HOSTED_CONTROL_PLANE) == "true"
    )


def is_proven(namespace: Manifest, plane: Manifest | None, owner: Owner, born: str) -> bool:
    """Whether a namespace whose mark has no uid was made for this cluster.

    `plane` is the HostedControlPlane in it, `born` when the HostedCluster was created. An older
    operator adopted namespaces that it had not made, and marked them too: those are older than
    the cluster.
    """
    made = str(namespace["metadata"].get("creationTimestamp") or "")
    return (
        needs_proof(namespace, owner)
        and plane is not None
        and cluster_of(plane) == owner.key
        and made >= born
    )


def may_change(found: Manifest | None, owner: Owner) -> bool:
    """Whether a cluster may write or delete an object that is in no namespace.

    An older operator wrote no uid there; only administrators can write such objects.
    """
    if found is None:
        return True
    return cluster_of(found) == owner.key and uid_mark(found) in ("", owner.uid)


def is_of_pool(manifest: Manifest, pool: Key) -> bool:
    """Whether an object of a control plane namespace was made for a node pool.

    A MachineSet that Cluster API made has the mark in its template alone.
    """
    template = (manifest.get("spec") or {}).get("template") or {}
    named = {annotations_of(one).get(annotations.NODE_POOL) for one in (manifest, template)}
    return str(pool) in named


def problem(name: str, namespace: Manifest | None, owner: Owner) -> str:
    """Return why a cluster may not use a namespace that is not its own, and what to do."""
    found = namespace or {}
    theirs = cluster_of(found)
    what = f"the control plane namespace {name!r}"
    elsewhere = "choose another name or namespace for this hosted cluster"
    if theirs is None:
        return f"{what} exists already and was not made for a hosted cluster: {elsewhere}"
    if theirs != owner.key:
        return f"{what} belongs to hosted cluster {theirs}: {elsewhere}"
    if found.get("metadata", {}).get("deletionTimestamp"):
        return f"{what} of an earlier hosted cluster {theirs} is still being deleted: wait for it"
    confirm = (
        f"an administrator deletes it, or confirms with annotation {CLUSTER_UID}={owner.uid} on"
        " the Namespace that this hosted cluster continues in it (after a restore)"
    )
    if uid := uid_mark(found):
        return f"{what} belongs to an earlier hosted cluster {theirs} (uid {uid}): {confirm}"
    return f"{what} does not prove that it was made for this hosted cluster: {confirm}"
