"""Whether what came back is what was stored: pure functions of tallies and counts."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from hypershift.controlplane.etcd.snapshot import Tally

#: Words in keys of etcd that differ from the name of the resource.
WORDS: Final = {
    "nodes": "minions",
    "replicationcontrollers": "controllers",
    "ingresses": "ingress",
    "endpoints": "services",
}
#: Groups whose objects are stored below their group's name although they are Kubernetes' own.
FULL: Final = frozenset({"apiextensions.k8s.io", "apiregistration.k8s.io"})
#: So many differences are told; the rest is counted.
TOLD: Final = 5


def listed_kinds(contents: Mapping[str, Any]) -> dict[str, Tally]:
    """The tallies in a list of contents."""
    found = contents["kinds"]
    return {
        str(kind): Tally(int(one["count"]), int(one["digest"], 16)) for kind, one in found.items()
    }


def differences(wanted: Mapping[str, Tally], found: Mapping[str, Tally]) -> Iterator[str]:
    """Yield each kind whose objects are not those that were stored."""
    for kind in sorted(wanted.keys() | found.keys()):
        was, now = wanted.get(kind, Tally()), found.get(kind, Tally())
        if was.count != now.count:
            yield f"{kind}: {now.count} of {was.count} objects"
        elif was.digest != now.digest:
            yield f"{kind}: {was.count} objects with other content"


def etcd_kind(group: str, name: str, kinds: Iterable[str]) -> str:
    """The kind of etcd's keys that holds a resource.

    Kubernetes' own resources lie below their name, those of CustomResourceDefinitions below their
    group and name; which of them a group is, the keys say.
    """
    full = f"{group}/{name}"
    return full if group in FULL or full in kinds else WORDS.get(name, name)


def unserved(wanted: Mapping[str, Tally], counted: Mapping[tuple[str, str], int]) -> Iterator[str]:
    """Yield each kind of which the API server read fewer or more objects than are stored.

    Two groups may serve the objects of one kind (events): those count once. Two resources may
    share a kind (services and endpoints): those are added.
    """
    sums: dict[str, dict[str, int]] = {}
    for (group, name), count in counted.items():
        kind = etcd_kind(group, name, wanted)
        names = sums.setdefault(kind, {})
        names[name] = max(names.get(name, 0), count)
    for kind, names in sorted(sums.items()):
        total, was = sum(names.values()), wanted.get(kind, Tally()).count
        if total != was:
            yield f"{kind}: the API server reads {total} of {was} objects"


def one_line(found: Iterable[str]) -> str:
    """Differences as one line."""
    every = list(found)
    more = f" and {len(every) - TOLD} more" if len(every) > TOLD else ""
    return "; ".join(every[:TOLD]) + more
