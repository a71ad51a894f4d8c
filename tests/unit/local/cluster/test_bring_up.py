from pathlib import Path

from hypershift.local.cluster.bring_up import failure
from hypershift.local.cluster.state import Layout


def test_a_unit_that_fails_is_named_with_its_last_lines(tmp_path: Path) -> None:
    where = Layout(tmp_path / "a", "a")
    where.make()
    (where.logs / "etcd.log").write_text("one\ntwo\n")
    message = failure(where, "etcd")
    assert "etcd does not start" in message
    assert "two" in message
    assert "local logs etcd" in message
