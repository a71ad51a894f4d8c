"""Two clusters side by side, and what is left of one after `reset`: nothing."""

from pathlib import Path

import pytest
from tests.e2e import traces
from tests.e2e.embedded import Cluster

pytestmark = [pytest.mark.e2e]

#: What a cluster that is up is seen by; were one of them missing, the proof would prove nothing.
SUBJECTS = {"addresses", "cgroups", "files", "links", "processes", "routes", "tables"}


def test_a_second_cluster_lives_beside_the_first_and_leaves_no_trace(
    cluster: Cluster, tmp_path: Path
) -> None:
    second = Cluster("beside", tmp_path / "clusters")
    before = traces.look(second.base)
    try:
        second.local("up", "--operator=false")
        words = traces.marks(second)
        assert set(traces.left(before, traces.look(second.base), words)) >= SUBJECTS
        assert len(second.get("nodes")) == 1
        assert second.spec.plan.network != cluster.spec.plan.network
        assert len(cluster.get("nodes")) == cluster.spec.nodes
        assert "beside" in second.local("list").stdout
    finally:
        second.local("reset", "--yes")
    assert traces.left(before, traces.look(second.base), words) == {}
    assert len(cluster.get("nodes")) == cluster.spec.nodes
