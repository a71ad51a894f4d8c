"""`hypershift render` prints what a HostedCluster would become."""

from pathlib import Path

import pytest
import yaml

from hypershift.cli.main import execute
from hypershift.cli.render import COMMAND

CLUSTER = """
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: {name: demo, namespace: clusters}
spec:
  release: {image: registry.example/kubernetes/release:1.35.8}
  pullSecret: {name: pull}
  platform: {type: Local}
  controllerAvailabilityPolicy: SingleReplica
  etcd: {managementType: Managed}
  networking: {clusterNetwork: [{cidr: 10.132.0.0/14}], serviceNetwork: [{cidr: 172.31.0.0/16}]}
  services: []
"""


def run(path: Path, *words: str) -> int:
    return execute(COMMAND, ["cluster", "-f", str(path), "--release-version", "1.35.8", *words])


@pytest.fixture
def cluster(tmp_path: Path) -> Path:
    path = tmp_path / "cluster.yaml"
    path.write_text(CLUSTER)
    return path


def test_a_whole_control_plane_is_printed(
    cluster: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(cluster) == 0
    found = list(yaml.safe_load_all(capsys.readouterr().out))
    workloads = {m["metadata"]["name"] for m in found if m["kind"] in {"Deployment", "StatefulSet"}}
    assert workloads == {
        "control-plane-pki-operator",
        "etcd",
        "kube-apiserver",
        "kube-controller-manager",
        "kube-scheduler",
    }
    assert {m["metadata"]["namespace"] for m in found} == {"clusters-demo"}


def test_one_component_is_printed_alone(cluster: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(cluster, "--component", "kube-scheduler") == 0
    found = list(yaml.safe_load_all(capsys.readouterr().out))
    assert found[-1]["metadata"]["name"] == "kube-scheduler"


def test_rendering_is_the_same_every_time(
    cluster: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = []
    for _ in range(2):
        run(cluster)
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [(["--component", "nope"], "no component 'nope'"), (["--product", "plan9"], "plan9")],
)
def test_what_cannot_be_rendered_is_said_in_a_sentence(
    cluster: Path, capsys: pytest.CaptureFixture[str], words: list[str], complaint: str
) -> None:
    assert run(cluster, *words) == 1
    assert complaint in capsys.readouterr().err


def test_a_file_without_a_cluster_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "empty.yaml"
    path.write_text("kind: Secret\n")
    assert run(path) == 1
    assert "has no HostedCluster" in capsys.readouterr().err
