from pathlib import Path

import pytest

from hypershift.kit import UsageError
from hypershift.local import down
from hypershift.local.cluster import state
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.host.shared import Host


async def test_a_cluster_that_is_not_there_cannot_be_reset(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no cluster"):
        await down.reset(Layout(tmp_path / "a", "a"), Host(tmp_path / "host"))


async def test_what_is_left_of_a_cluster_without_claims_is_files(tmp_path: Path) -> None:
    where = Layout(tmp_path / "base" / "a", "a")
    where.make()
    await down.reset(where, Host(tmp_path / "host"))
    assert not where.root.exists()


def test_a_cluster_without_its_file_is_known_by_its_claim(tmp_path: Path) -> None:
    where, host = Layout(tmp_path / "base" / "a", "a"), Host(tmp_path / "host")
    where.make()
    index = host.claim(where.root, ())
    assert down.remains(where, host) == Spec("a", index)
    state.save(where, Spec("a", index, nodes=3))
    assert down.remains(where, host) == Spec("a", index, nodes=3)


async def test_a_newer_state_is_not_destroyed(tmp_path: Path) -> None:
    where = Layout(tmp_path / "base" / "a", "a")
    where.make()
    where.spec_file.write_text('{"version": 99}')
    with pytest.raises(UsageError, match="newer"):
        await down.reset(where, Host(tmp_path / "host"))
    assert where.spec_file.exists()


def test_two_commands_cannot_change_one_cluster(tmp_path: Path) -> None:
    where = Layout(tmp_path / "a", "a")
    with (
        state.locked(down.lock_file(where), down.busy(where)),
        pytest.raises(UsageError, match="another command"),
        state.locked(down.lock_file(where), down.busy(where)),
    ):
        pass
