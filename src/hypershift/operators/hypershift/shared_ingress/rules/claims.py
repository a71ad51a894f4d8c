"""What a cluster may put into a configuration that it shares with other tenants' clusters.

HAProxy refuses a whole configuration for one word that it does not understand, and of two rules for
one name the first has all its traffic. Names, ranges and ids are users' text; the API's patterns
admit some that would do the one or the other: `-f.example.org`, `999.0.0.1/99`, the name or the id
of another tenant's cluster.
"""

import re
from collections.abc import Iterable
from ipaddress import ip_address, ip_network
from typing import Final

from hypershift.component.haproxy import Backend

_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_LONGEST_HOST: Final = 253
_ID: Final = re.compile(r"[A-Za-z0-9-]{1,255}")

#: Older clusters first.
Age = tuple[str, str]


def served(members: Iterable[tuple[Age, tuple[Backend, ...]]]) -> frozenset[Backend]:
    """The back ends that are served: sound ones, whose name and claim no older cluster has."""
    taken: set[str] = set()
    found: set[Backend] = set()
    for _, backends in sorted(members, key=lambda member: member[0]):
        sound = [each for each in backends if is_sound(each)]
        free = [each for each in sound if not taken.intersection(_claims(each))]
        found.update(free)
        taken.update(claim for each in free for claim in _claims(each))
    return frozenset(found)


def _claims(backend: Backend) -> tuple[str, str]:
    """What only one cluster can have: a section's name, and what a client is known by."""
    known_by = f"id {backend.cluster_id}" if backend.cluster_id else f"host {backend.host.lower()}"
    return f"name {backend.name}", known_by


def is_sound(backend: Backend) -> bool:
    """Whether the words of a back end are what they claim to be.

    Ranges that are none are left out, which admits fewer clients; with none left the back end is
    left out too, because without a range it would admit all.
    """
    if backend.cluster_id:
        named = _ID.fullmatch(backend.cluster_id) is not None
    else:
        named = is_host(backend.host)
    ranges = not backend.allowed or any(map(is_range, backend.allowed))
    return named and ranges and _is_address(backend.address)


def is_host(text: str) -> bool:
    """Whether a text is a host name of DNS."""
    return len(text) <= _LONGEST_HOST and _HOST.fullmatch(text) is not None


def is_range(text: str) -> bool:
    """Whether a text is a range of addresses."""
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
