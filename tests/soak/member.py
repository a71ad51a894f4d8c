"""A member of a hosted cluster's etcd: commands in its container, and the loss of its data."""

from tests.e2e.hosted import Hosted

from hypershift.controlplane.etcd.keeper import CONTAINER

#: Half a page of the database is left: the member ends at once and cannot start again.
RUIN = "truncate -s 2048 /var/lib/data/member/snap/db; kill 1"


def in_member(hosted: Hosted, member: str, *command: str, check: bool = True) -> str:
    """What a command in a member prints."""
    words = ("exec", "-n", hosted.plane, member, "-c", CONTAINER, "--", *command)
    return hosted.management.kubectl(*words, check=check)


def ruin(hosted: Hosted, member: str) -> None:
    """Destroy a member's data; the command may end with its container."""
    in_member(hosted, member, "sh", "-c", RUIN, check=False)
