from datetime import UTC, datetime
from pathlib import Path

import pytest

from hypershift.kit import UsageError
from hypershift.local.cluster import damage, pki
from hypershift.local.cluster.plan import Plan
from hypershift.local.cluster.state import Layout

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def a_cluster(tmp_path: Path) -> Layout:
    where = Layout(tmp_path / "a", "a")
    where.make()
    pki.ensure(where, Plan(0), NOW)
    (where.data("etcd") / "member").mkdir(parents=True)
    (where.machines / "a-node-0" / "disk" / "var").mkdir(parents=True)
    return where


def test_a_whole_cluster_and_a_new_one_are_fine(tmp_path: Path) -> None:
    damage.check(a_cluster(tmp_path))
    damage.check(Layout(tmp_path / "new", "new"))


@pytest.mark.parametrize(
    "name", ["ca.crt", "ca.key", "etcd-ca.crt", "etcd-ca.key", "service-account.key"]
)
def test_an_authority_that_is_gone_is_not_made_anew_for_old_data(tmp_path: Path, name: str) -> None:
    where = a_cluster(tmp_path)
    (where.pki / name).unlink()
    with pytest.raises(UsageError, match=r"half deleted: without .*key") as caught:
        damage.check(where)
    assert "local reset --name a" in str(caught.value)


def test_an_authority_that_cannot_be_read_is_gone_too(tmp_path: Path) -> None:
    where = a_cluster(tmp_path)
    (where.pki / "ca.key").write_text("rubbish")
    with pytest.raises(UsageError, match="half deleted"):
        damage.check(where)


def test_nodes_without_the_data_they_belong_to_are_half_a_cluster(tmp_path: Path) -> None:
    where = a_cluster(tmp_path)
    (where.data("etcd") / "member").rmdir()
    with pytest.raises(UsageError, match=r"without \S+etcd/member it"):
        damage.check(where)


def test_what_can_be_made_again_is_not_missed(tmp_path: Path) -> None:
    where = a_cluster(tmp_path)
    (where.pki / "apiserver.crt").unlink()
    (where.pki / f"{pki.FRONT_PROXY_CA}.key").unlink()
    where.admin.unlink()
    damage.check(where)
