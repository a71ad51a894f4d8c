"""Lost machines are replaced, unless too many are lost at once."""

import pytest
from tests.e2e.embedded import Manifest, until
from tests.e2e.hosted import PATIENCE, Hosted
from tests.e2e.workers import Pool, a_pool, on_host

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1800)]

#: Unhealthy is a node that has not been Ready for so long: longer than a new one takes to be.
TIMEOUT = "60s"
REBOOT = "infrastructure.local.hypershift.io/reboot"
MARK = "hypershift.openshift.io/machine-health-check-timeout"


def test_three_lost_at_once_are_left_alone_and_two_are_replaced(hosted: Hosted) -> None:
    """More than two at once point to a trouble that new machines would only make worse."""
    with a_pool(hosted, "flock", replicas=3) as pool:
        pool.await_nodes(3)
        marks = {"metadata": {"annotations": {MARK: TIMEOUT}}}
        pool.patch(marks | {"spec": {"management": {"autoRepair": True}}})
        until(lambda: pool.conditions()["AutorepairEnabled"]["status"] == "True", PATIENCE)
        before = pool.machines()
        hosted.management.machine("kill", *(on_host(hosted, one) for one in before))
        until(lambda: remediation(pool)["status"] != "True", PATIENCE)
        assert uids(pool.machines()) == uids(before)
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
