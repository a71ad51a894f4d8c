import json
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hypershift.ignition import encode
from hypershift.local.cluster import node, pki
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.machine.units import parse

NOW = datetime(2026, 1, 1, tzinfo=UTC)


IMAGES = {
    name: f"registry.hypershift.local/kubernetes/{name}@sha256:0" for name in node.FIRST_IMAGES
}


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
    config = json.loads(encode(node.user_data(where, spec, 0, IMAGES, NOW)))
    paths = {each["path"]: each for each in config["storage"]["files"]}
    assert node.SERVING_CERTIFICATE in paths
    assert paths[node.SERVING_KEY]["mode"] == 0o600
    assert "/etc/containerd/certs.d/registry.hypershift.local/hosts.toml" in paths


def test_the_same_node_gets_the_same_configuration_again(tmp_path: Path) -> None:
    where = Layout(tmp_path / "a", "a")
    where.make()
    spec = Spec("a", 3)
    pki.ensure(where, spec.plan, NOW)
    first = encode(node.user_data(where, spec, 0, IMAGES, NOW))
    assert encode(node.user_data(where, spec, 0, IMAGES, NOW)) == first


def test_a_node_fetches_its_first_images_while_its_kubelet_waits(tmp_path: Path) -> None:
    where = Layout(tmp_path / "a", "a")
    where.make()
    spec = Spec("a", 3)
    pki.ensure(where, spec.plan, NOW)
    config = json.loads(encode(node.user_data(where, spec, 0, IMAGES, NOW)))
    units = {each["name"]: each for each in config["systemd"]["units"]}
    (wait,) = units["kubelet.service"]["dropins"]
    service = parse(
        "kubelet.service", f"{units['kubelet.service']['contents']}\n{wait['contents']}"
    )
    assert service.start_pre == (node.AWAIT_API,)
    fetching = parse("first-images.service", units["first-images.service"]["contents"])
    assert [command.split()[-1] for command in fetching.start] == list(IMAGES.values())
    (script,) = (each for each in config["storage"]["files"] if each["path"] == node.AWAIT_API)
    assert script["mode"] == 0o755
