import json
import stat
from pathlib import Path

import pytest

from hypershift.kit import UsageError
from hypershift.local.cluster import state
from hypershift.local.cluster.state import Layout, Spec


def a_layout(tmp_path: Path) -> Layout:
    where = Layout(tmp_path / "state" / "alpha", "alpha")
    where.make()
    return where


def test_a_cluster_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    where = a_layout(tmp_path)
    spec = Spec("alpha", 3, nodes=6, zones=3, powered_off=("alpha-node-1",))
    state.save(where, spec)
    assert state.load(where) == spec


def test_a_directory_without_a_cluster_is_no_error(tmp_path: Path) -> None:
    assert state.load(Layout(tmp_path / "nothing", "nothing")) is None


def test_a_state_of_a_newer_version_is_refused_and_untouched(tmp_path: Path) -> None:
    where = a_layout(tmp_path)
    text = json.dumps({"version": 99, "name": "alpha", "index": 0})
    where.spec_file.write_text(text)
    with pytest.raises(UsageError, match="newer hypershift"):
        state.load(where)
    assert where.spec_file.read_text() == text


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"version": 1}'])
def test_a_broken_state_names_its_file(tmp_path: Path, text: str) -> None:
    where = a_layout(tmp_path)
    where.spec_file.write_text(text)
    with pytest.raises(UsageError, match=r"cluster\.json"):
        state.load(where)


def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "key"
    state.write_file(path, "secret")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_second_holder_of_a_lock_is_told_at_once(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with (
        state.locked(lock, "first"),
        pytest.raises(UsageError, match="somebody else"),
        state.locked(lock, "somebody else is at it"),
    ):
        pass
    with state.locked(lock, "free again"):
        pass


def test_removing_the_last_cluster_removes_the_base_directory(tmp_path: Path) -> None:
    where = a_layout(tmp_path)
    state.remove(where)
    assert not where.root.parent.exists()


def test_clusters_are_listed_by_name(tmp_path: Path) -> None:
    for name in ("b", "a"):
        where = Layout(tmp_path / name, name)
        where.make()
        state.save(where, Spec(name, 0))
    (tmp_path / "other").mkdir()
    assert [found.name for found in state.clusters(tmp_path)] == ["a", "b"]


def test_power_is_remembered_once_per_machine() -> None:
    spec = Spec("a", 0)
    off = state.with_power(state.with_power(spec, "m", on=False), "m", on=False)
    assert off.powered_off == ("m",)
    assert state.with_power(off, "m", on=True) == spec


def test_the_flag_wins_over_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HYPERSHIFT_STATE", str(tmp_path / "env"))
    assert state.base_directory() == tmp_path / "env"
    assert state.base_directory(str(tmp_path / "flag")) == tmp_path / "flag"
