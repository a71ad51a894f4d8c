import json
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hypershift.ignition import encode
from hypershift.local import node, pki
from hypershift.local.state import Layout, Spec

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@given(st.integers(1, 60), st.integers(1, 6))
def test_nodes_are_spread_over_zones_evenly(nodes: int, zones: int) -> None:
    spec = Spec("a", 0, nodes, zones)
    counts = [len(node.nodes_in(spec, f"zone-{chr(97 + zone)}")) for zone in range(zones)]
    assert sum(counts) == nodes
    assert max(counts) - min(counts) <= 1


def test_a_node_gets_its_certificates_and_the_clusters_registry(tmp_path: Path) -> None:
    where = Layout(tmp_path / "a", "a")
    where.make()
    spec = Spec("a", 3)
    pki.ensure(where, spec.plan, NOW)
    images = {"pause": "registry.hypershift.local/kubernetes/pause@sha256:0"}
    config = json.loads(encode(node.user_data(where, spec, 0, images, NOW)))
    paths = {each["path"]: each for each in config["storage"]["files"]}
    assert node.SERVING_CERTIFICATE in paths
    assert paths[node.SERVING_KEY]["mode"] == 0o600
    assert "/etc/containerd/certs.d/registry.hypershift.local/hosts.toml" in paths


def test_the_same_node_gets_the_same_configuration_again(tmp_path: Path) -> None:
    where = Layout(tmp_path / "a", "a")
    where.make()
    spec = Spec("a", 3)
    pki.ensure(where, spec.plan, NOW)
    images = {"pause": "p"}
    first = encode(node.user_data(where, spec, 0, images, NOW))
    assert encode(node.user_data(where, spec, 0, images, NOW)) == first
