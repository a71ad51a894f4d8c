"""Decides when etcd's files are worth defragmenting, and which member is next."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

#: A member stops serving while it is defragmented: small or dense files are not worth it.
LEAST_BYTES = 100_000_000
LEAST_SHARE = 0.45


@dataclass(frozen=True, slots=True)
class Endpoint:
    """What a member reports about its database."""

    url: str
    member: int
    leader: int
    size: int
    used: int
    learner: bool = False

    @property
    def leads(self) -> bool:
        return self.member == self.leader

    @property
    def fragmented(self) -> bool:
        """Whether enough of a large enough file is holes."""
        return self.size >= LEAST_BYTES and (self.size - self.used) / self.size >= LEAST_SHARE


def endpoints(text: str) -> list[Endpoint]:
    """Read `etcdctl endpoint status --write-out=json`."""
    return [
        Endpoint(
            url=item["Endpoint"],
            member=item["Status"]["header"]["member_id"],
            leader=item["Status"].get("leader", 0),
            size=item["Status"].get("dbSize", 0),
            used=item["Status"].get("dbSizeInUse", 0),
            learner=item["Status"].get("isLearner", False),
        )
        for item in json.loads(text)
    ]


def next_to_defragment(found: Iterable[Endpoint], members: int) -> Endpoint | None:
    """The member to defragment next; None unless all answer. The leader comes last."""
    voters = [one for one in found if not one.learner]
    if len(voters) < members or len({one.leader for one in voters}) != 1:
        return None
    due = [one for one in voters if one.fragmented]
    return min(due, key=lambda one: (one.leads, one.url), default=None)
