"""What helps an etcd whose members lost their quorum, decided from what is seen.

Members that may come back are waited for. Once so many are lost for good that a quorum never comes
back, the others are made anew from the one that knows most: it becomes a cluster of its own, with
an identity of its own, so that no lost member that comes back after all can vote in it.

    claims marked -> the survivor's data restored as a new cluster -> it runs with that -> claims
    and pods of the others deleted -> they start empty and join -> old data and mark are removed
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hypershift.controlplane.etcd.replacement import Member, why_replace
from hypershift.kit import Manifest, annotations_of

#: On the claim of the member that the others are made from: when that began.
RESCUED: Final = "hypershift.openshift.io/etcd-rescued"
#: On the claims of the others, which go with it.
EMPTIED: Final = "hypershift.openshift.io/etcd-emptied"
#: Clients that saw writes which are lost must not meet their revisions again with other content.
BUMP: Final = 1_000_000_000

#: Runs in the survivor. Its own etcd serves the snapshot without a quorum, and ends afterwards;
#: its container starts again with the restored data. Old data stays until all is well. The file
#: says which cluster it is now, and when the process began that does not know it yet.
RESTORE: Final = """\
set -eu
token=$1 cluster=$2 peer=$3
shift 3
cd /var/lib
if grep -qs "^${token} " rescued; then exit 0; fi
rm -rf rescue rescue.db rescue.db.part
"$@" snapshot save /var/lib/rescue.db >&2
etcdutl snapshot restore rescue.db --data-dir=/var/lib/rescue --name="${POD_NAME}" \\
  --initial-cluster="${cluster}" --initial-cluster-token="${token}" \\
  --initial-advertise-peer-urls="${peer}" --bump-revision=BUMP --mark-compacted >&2
rm -f rescue.db
if [ -e data.lost ]; then rm -rf data; else mv data data.lost; fi
mv rescue data
set -- $(cat /proc/1/stat)
echo "${token} ${22}" > rescued
kill 1
""".replace("BUMP", str(BUMP))
#: Prints the identity of the new cluster once the survivor runs with it. Its old process takes some
#: seconds to end, and a member that joins meanwhile would be told about the old cluster.
RUNS: Final = """\
read -r token began < /var/lib/rescued
set -- $(cat /proc/1/stat)
if [ "${22}" != "${began}" ]; then echo "${token}"; fi
"""
FORGET: Final = "rm -rf /var/lib/data.lost /var/lib/rescued"


class State(StrEnum):
    """How an etcd is, as far as a rescue is concerned."""

    WHOLE = "whole"  # every member serves
    SERVES = "serves"  # a quorum does: the operator rebuilds members that are lost for good
    WAITS = "waits"  # members may come back
    HOPELESS = "hopeless"  # nobody has the data: a backup does
    RESCUABLE = "rescuable"  # the others can be made from one member


@dataclass(frozen=True, slots=True)
class Known:
    """What a member that answers knows: the further the log, the more."""

    term: int
    index: int
    revision: int


@dataclass(frozen=True, slots=True)
class Seen:
    """One member as it is seen now."""

    member: Member
    #: Why its data is lost for good; empty while it may come back.
    lost: str = ""
    known: Known | None = None

    @property
    def name(self) -> str:
        """Its name, which is its pod's."""
        return self.member.name

    @property
    def rescued(self) -> str:
        """When the others began to be made from it; empty when that did not begin."""
        return annotations_of(self.member.claim or {}).get(RESCUED, "")

    @property
    def emptied(self) -> bool:
        """Whether its disk still has to go, in a rescue that began."""
        return EMPTIED in annotations_of(self.member.claim or {})

    def __str__(self) -> str:
        if self.member.ready:
            return f"{self.name}: serves"
        if self.lost:
            return f"{self.name}: lost, {self.lost}"
        if self.known:
            return f"{self.name}: answers without a quorum, at revision {self.known.revision}"
        return f"{self.name}: does not answer{_where(self.member)}"


@dataclass(frozen=True, slots=True)
class Finding:
    """What can be done: from which member, and which members are recreated."""

    state: State
    survivor: str = ""
    rebuilt: tuple[str, ...] = ()
    #: Members that are waited for.
    awaited: tuple[str, ...] = ()


def seen(
    member: Member, nodes: Mapping[str, Manifest], known: Known | None, given_up: Collection[str]
) -> Seen:
    """A member with the verdict about its data: what the operator's rules say, or the user."""
    lost = why_replace(member, nodes)
    if not lost and member.name in given_up and not member.ready:
        lost = "you gave it up"
    return Seen(member, lost, known)


def finding(members: Iterable[Seen]) -> Finding:
    """Decide what to do; a rescue that began is continued."""
    members = tuple(members)
    quorum = len(members) // 2 + 1
    if begun := [one for one in members if one.rescued]:
        emptied = tuple(one.name for one in members if one.emptied)
        return Finding(State.RESCUABLE, begun[0].name, emptied)
    if all(one.member.ready for one in members):
        return Finding(State.WHOLE)
    if sum(one.member.ready for one in members) >= quorum:
        return Finding(State.SERVES, rebuilt=tuple(one.name for one in members if one.lost))
    left = [one for one in members if not one.lost]
    if not left:
        return Finding(State.HOPELESS)
    silent = tuple(one.name for one in left if one.known is None)
    if silent or len(left) >= quorum:
        return Finding(State.WAITS, awaited=silent)
    survivor = max(left, key=_knowledge)
    rebuilt = tuple(one.name for one in members if one is not survivor)
    return Finding(State.RESCUABLE, survivor.name, rebuilt)


def _knowledge(one: Seen) -> tuple[int, int]:
    return (one.known.term, one.known.index) if one.known else (0, 0)


def _where(member: Member) -> str:
    node = ((member.pod or {}).get("spec") or {}).get("nodeName") or ", ".join(member.bound_to)
    return f" (node {node})" if node else ""
