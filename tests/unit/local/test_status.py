import os
import time
from pathlib import Path

from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.status import age, machine_rows, report, rows, unsupervised
from hypershift.local.supervise import process
from hypershift.local.units import CATALOG

SPEC = Spec("a", 39, kubernetes="1.35.8")  # an index that no cluster of a test host has


def a_cluster(tmp_path: Path) -> Layout:
    where = Layout(tmp_path / "a", "a")
    where.make()
    return where


async def test_a_cluster_that_is_down_shows_its_units_as_down(tmp_path: Path) -> None:
    found = await report(a_cluster(tmp_path), SPEC)
    assert found["state"] == "down"
    assert [unit["name"] for unit in found["units"]] == [module.NAME for module, _ in CATALOG]
    assert {unit["state"] for unit in found["units"]} == {"down"}
    assert rows(found)[1][:3] == ("etcd", "down", "-")
    assert machine_rows(found)[1:] == []


def test_a_unit_that_goes_on_without_its_supervisor_is_seen(tmp_path: Path) -> None:
    where, now = a_cluster(tmp_path), time.time()
    own = process.identify(os.getpid(), started=now - 90)
    assert own is not None
    process.remember(where.units / "etcd.json", own)
    found = unsupervised(where, SPEC, now)
    assert found["state"] == "unsupervised"
    (etcd,) = (unit for unit in found["units"] if unit["name"] == "etcd")
    assert (etcd["state"], etcd["pid"], etcd["age"]) == ("unsupervised", os.getpid(), 90)
    assert etcd["memory"] > 1 << 20
    assert etcd["cpuSeconds"] > 0


def test_ages_are_written_as_kubectl_does() -> None:
    assert [age(each) for each in (0, 59, 119, 7199, 3 * 86400)] == [
        "-",
        "59s",
        "119s",
        "119m",
        "3d",
    ]
