"""Lost machines are replaced, unless too many are lost at once."""

import sys
import time
from collections.abc import Iterator

import pytest
from tests.e2e.embedded import Manifest, until
from tests.e2e.hosted import PATIENCE, Hosted
from tests.e2e.workers import Pool, a_pool, on_host

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1800)]

#: Unhealthy is a node that has not been Ready for so long: longer than a new one takes to be.
SECONDS = 60
TIMEOUT = f"{SECONDS}s"
REBOOT = "infrastructure.local.hypershift.io/reboot"
MARK = "hypershift.openshift.io/machine-health-check-timeout"


@pytest.fixture(scope="module")
def pool(hosted: Hosted) -> Iterator[Pool]:
    """Three nodes that are repaired soon after they are lost."""
    with a_pool(hosted, "flock", replicas=3) as made:
        made.await_nodes(3)
        marks = {"metadata": {"annotations": {MARK: TIMEOUT}}}
        made.patch(marks | {"spec": {"management": {"autoRepair": True}}})
        until(lambda: made.conditions()["AutorepairEnabled"]["status"] == "True", PATIENCE)
        yield made


def test_a_lost_machine_is_replaced(pool: Pool) -> None:
    before, began = pool.machines(), time.monotonic()
    lost, *others = before
    pool.hosted.management.machine("kill", on_host(pool.hosted, lost))
    until(lambda: not uids([lost]) & uids(pool.machines()), PATIENCE)
    gone = time.monotonic() - began
    pool.await_nodes(3)
    assert uids(pool.machines()) > uids(others)
    whole = time.monotonic() - began
    told(f"timeout {TIMEOUT}: machine deleted after {gone:.0f} s, three nodes after {whole:.0f} s")


def test_three_lost_at_once_are_left_alone_and_two_are_replaced(pool: Pool) -> None:
    """More than two at once point to a trouble that new machines would only make worse."""
    hosted, before = pool.hosted, pool.machines()
    hosted.management.machine("kill", *(on_host(hosted, one) for one in before))
    until(lambda: remediation(pool)["status"] != "True", PATIENCE)
    # each of them has been away for longer than the timeout, and would be gone were it allowed
    time.sleep(SECONDS)
    assert remediation(pool)["status"] == "False"
    assert uids(pool.machines()) == uids(before)
    assert not any(one["metadata"].get("deletionTimestamp") for one in pool.machines())
    told(f"three lost: {remediation(pool)['message']}")
    back, *lost = before
    name = f"localmachine/{back['metadata']['name']}"
    hosted.management.kubectl("annotate", "-n", hosted.plane, name, f"{REBOOT}=again")
    until(lambda: not uids(lost) & uids(pool.machines()), PATIENCE)
    pool.await_nodes(3)
    assert uids(pool.machines()) & uids(before) == uids([back])


def remediation(pool: Pool) -> Manifest:
    """What the health check says about repairing."""
    words = ("machinehealthcheck", pool.name, "-n", pool.hosted.plane)
    found = pool.hosted.management.get(*words)["status"]["conditions"]
    by_type: dict[str, Manifest] = {one["type"]: one for one in found}
    return by_type["RemediationAllowed"]


def uids(manifests: list[Manifest]) -> set[str]:
    return {one["metadata"]["uid"] for one in manifests}


def told(text: str) -> None:
    """Show a figure to who runs the test with `-s`."""
    sys.stdout.write(f"\n  {text}\n")
