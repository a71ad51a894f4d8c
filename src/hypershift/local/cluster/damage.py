"""Detects when a part of a cluster's state is missing that cannot be created again.

Missing certificates, programs and images are created again. Authorities and etcd's data are not: a
cluster with new ones would look like the old one, without its objects.
"""

from collections.abc import Iterator
from pathlib import Path

from hypershift.kit import UsageError
from hypershift.local.cluster import pki
from hypershift.local.cluster.state import Layout
from hypershift.local.units import etcd
from hypershift.pki import read_authority

AUTHORITIES = (pki.CLUSTER_CA, pki.ETCD_CA)


def check(where: Layout) -> None:
    """Raise when the cluster cannot be continued; nothing has been changed then."""
    if lost := list(missing(where)):
        raise UsageError(
            f"cluster {where.name} is half deleted: without {', '.join(map(str, lost))} it would "
            "not be the same, and nothing was changed; put it back, or "
            f"`hypershift local reset --name {where.name}` removes what is left"
        )


def missing(where: Layout) -> Iterator[Path]:
    """What should be there and is not."""
    data = where.data(etcd.NAME) / "member"
    if data.is_dir():
        yield from (where.pki / f"{name}.key" for name in AUTHORITIES if not _readable(where, name))
        key = where.pki / f"{pki.SERVICE_ACCOUNT}.key"
        yield from () if key.exists() else (key,)
    elif any(where.machines.glob("*/disk/var")):
        yield data


def _readable(where: Layout, name: str) -> bool:
    files = (where.pki / f"{name}.crt", where.pki / f"{name}.key")
    try:
        return read_authority(*(file.read_bytes() for file in files)) is not None
    except FileNotFoundError:
        return False
