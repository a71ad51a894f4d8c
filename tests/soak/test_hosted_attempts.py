"""Two hostile tenants, one Shared and one Dedicated: each attempt is refused, nobody has a gap."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.embedded import Cluster
from tests.e2e.hosted import Hosted
from tests.e2e.traffic import Traffic
from tests.soak.attempts import ATTEMPTS
from tests.soak.party import Party

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(1800)]

DEDICATED = "hypershift.openshift.io/mode=Dedicated"
#: A moment that a client on a busy machine waits for an answer anyway.
GAP = 5.0


@pytest.fixture(scope="module")
def parties(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Party]]:
    """Two tenants whose names meet: the plane of team-b/blue could be that of team/b-blue."""
    files: Path = tmp_path_factory.mktemp("parties")
    red = Party(Hosted(cluster, "red", files, "team"))
    blue = Party(Hosted(cluster, "blue", files, "team-b"))
    try:
        red.move_in()
        blue.move_in("--annotations", DEDICATED)
        yield [red, blue]
    finally:
        for each in (red, blue):
            each.move_out()


@pytest.mark.parametrize("direction", ["shared against dedicated", "dedicated against shared"])
def test_every_attempt_is_refused_and_the_other_is_served_all_the_time(
    parties: list[Party], direction: str, capsys: pytest.CaptureFixture[str]
) -> None:
    me, other = parties if direction.startswith("shared") else reversed(parties)
    gained = {}
    with Traffic(other.cluster.kubeconfig, name=f"against-{me.cluster.name}") as traffic:
        for name, attempt in ATTEMPTS.items():
            gained[name] = attempt(me, other)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{direction}: {len(gained)} attempts; the API of the other: {traffic.log}\n"
        )
    assert {name: what for name, what in gained.items() if what} == {}
    assert traffic.log.failed == []
    assert traffic.log.longest_gap < GAP
    assert traffic.lost() == []
    assert other.cluster.conditions()["Available"]["status"] == "True"
