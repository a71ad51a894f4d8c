"""Clusters at rest cost no writes: the management API's audit log says who changed what.

HYPERSHIFT_SOAK_CLUSTERS and HYPERSHIFT_SOAK_IDLE_MINUTES choose how many and how long.
"""

import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.e2e import processes
from tests.e2e.embedded import Cluster
from tests.e2e.hosted import Hosted

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(7200)]

CLUSTERS = int(os.environ.get("HYPERSHIFT_SOAK_CLUSTERS", "20"))
MINUTES = float(os.environ.get("HYPERSHIFT_SOAK_IDLE_MINUTES", "5"))
#: Disks are judged every five minutes, and all are slow while the last clusters are made.
SETTLE = 11 * 60.0
OURS = "system:serviceaccount:hypershift:"
ONE_PERCENT = 0.01
TICKS = os.sysconf("SC_CLK_TCK")


@pytest.fixture
def fleet(zones: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Hosted]]:
    files = tmp_path_factory.mktemp("hosted")
    made = [Hosted(zones, f"idle-{number}", files) for number in range(CLUSTERS)]
    for cluster in made:
        cluster.create()
    yield made
    for cluster in made:
        words = ("delete", "hostedcluster", cluster.name, "-n", cluster.namespace, "--wait=false")
        zones.kubectl(*words)
    for cluster in made:
        cluster.destroy()


def test_a_fleet_at_rest_is_not_written_to(fleet: list[Hosted]) -> None:
    cluster = fleet[0].management
    time.sleep(SETTLE)
    since, used, began = datetime.now(UTC), operator_cpu(cluster), time.monotonic()
    time.sleep(MINUTES * 60)
    share = (operator_cpu(cluster) - used) / (time.monotonic() - began)
    found = Counter(writes(cluster.where.logs / "audit.log", since))
    print(f"{len(fleet)} clusters, {MINUTES} minutes, operator {share:.2%} of a core")  # noqa: T201
    for (who, verb, what), count in found.most_common():
        print(f"{count:5} {who} {verb} {what}")  # noqa: T201
    assert {key: count for key, count in found.items() if key[0].startswith(OURS)} == {}
    assert share < ONE_PERCENT


def writes(log: Path, since: datetime) -> Iterator[tuple[str, str, str]]:
    """Who wrote what since a moment; leases, events and reads are not in this log."""
    with log.open() as lines:
        for line in lines:
            event = json.loads(line)
            if datetime.fromisoformat(event["requestReceivedTimestamp"]) < since:
                continue
            target = event.get("objectRef", {})
            what = "/".join(target.get(k, "") for k in ("namespace", "resource", "name"))
            yield event["user"]["username"], event["verb"], what


def operator_cpu(cluster: Cluster) -> float:
    """Seconds of processor time that the operator used so far."""
    pods = cluster.get("pods", "-n", "hypershift", "-l", "app=operator")
    running = processes.of_pods({pod["metadata"]["uid"] for pod in pods})
    return sum(_ticks(each.pid) for each in running) / TICKS


def _ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
