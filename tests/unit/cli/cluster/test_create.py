import base64
from pathlib import Path
from random import SystemRandom
from typing import Any

import pytest
import yaml

from hypershift.cli.cluster import create
from hypershift.cli.main import HYPERSHIFT, execute
from hypershift.kit.names import infra_id


def render(
    capsys: pytest.CaptureFixture[str], platform: str, *words: str
) -> dict[str, dict[str, Any]]:
    code = execute(HYPERSHIFT, ["create", "cluster", platform, "--name=demo", "--render", *words])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return {each["kind"]: each for each in yaml.safe_load_all(captured.out)}


def test_a_local_cluster_needs_nothing_but_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    objects = render(capsys, "local", "--node-pool-replicas=2", "--memory=2Gi")
    spec = objects["HostedCluster"]["spec"]
    assert spec["platform"] == {"type": "Local"}
    assert {each["service"] for each in spec["services"]} == {
        "APIServer",
        "Ignition",
        "Konnectivity",
    }
    assert objects["NodePool"]["spec"]["replicas"] == 2
    assert objects["NodePool"]["spec"]["platform"]["local"] == {"memory": "2Gi"}
    assert objects["NodePool"]["spec"]["release"] == spec["release"]


def test_secrets_are_printed_only_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Secret" not in render(capsys, "local")
    secret = render(capsys, "local", "--render-sensitive")["Secret"]
    assert len(base64.b64decode(secret["data"]["key"])) == 32


def test_two_clusters_never_share_an_encryption_key(capsys: pytest.CaptureFixture[str]) -> None:
    first = render(capsys, "local", "--render-sensitive")["Secret"]["data"]
    second = render(capsys, "local", "--render-sensitive")["Secret"]["data"]
    assert first != second


def test_a_negative_number_of_nodes_makes_no_pool(capsys: pytest.CaptureFixture[str]) -> None:
    assert "NodePool" not in render(capsys, "local", "--node-pool-replicas=-1")


def test_objects_can_be_written_into_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "demo.yaml"
    words = ["create", "cluster", "local", "--name=demo", f"--render-into={target}"]
    assert execute(HYPERSHIFT, words) == 0
    assert capsys.readouterr().out == ""
    kinds = [each["kind"] for each in yaml.safe_load_all(target.read_text())]
    assert kinds == ["Namespace", "HostedCluster", "NodePool"]


def test_a_generated_ssh_key_is_a_pair(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["create", "cluster", "local", "--name=demo", "--render", "--render-sensitive"]
    assert execute(HYPERSHIFT, [*words, "--generate-ssh"]) == 0
    objects = list(yaml.safe_load_all(capsys.readouterr().out))
    secret = next(each for each in objects if each["metadata"]["name"] == "demo-ssh-key")
    public = base64.b64decode(secret["data"]["id_rsa.pub"])
    assert public.startswith(b"ssh-rsa ")
    assert b"RSA PRIVATE KEY" in base64.b64decode(secret["data"]["id_rsa"])


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("none", "--render"), "--name is required"),
        (("none", "--name=demo", "--render"), "--pull-secret is required"),
        (("local", "--name=Demo", "--render"), "HostedCluster name failed RFC1123 validation"),
        (("local", "--name=demo", "--cluster-cidr=10", "--render"), "parsing ClusterCIDR (10)"),
        (("local", "--name=demo", "--wait"), "--wait requires --node-pool-replicas > 0"),
    ],
)
def test_wrong_flags_are_refused_before_anything_happens(
    words: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(HYPERSHIFT, ["create", "cluster", *words]) == 1
    assert capsys.readouterr().err.startswith(complaint)


def test_an_infra_id_stays_within_its_length() -> None:
    name = infra_id("a.very.long.name.that.goes.on.and.on", SystemRandom())
    assert len(name) <= 27
    assert "." not in name


def test_a_cluster_with_one_replica_is_said_to_be_not_for_production(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def created(*_: object) -> int:
        return 0

    kubeconfig = tmp_path / "kubeconfig"
    kubeconfig.write_text("{}")
    monkeypatch.setenv("KUBECONFIG", str(kubeconfig))
    monkeypatch.setattr(create, "_create", created)
    monkeypatch.setattr(create, "draft", lambda *_: None)
    words = ["create", "cluster", "local", "--name=demo", "--release-image=registry.example/r:1"]
    assert execute(HYPERSHIFT, words) == 0
    assert "SingleReplica is not for production" in capsys.readouterr().err
    several = "--control-plane-availability-policy=HighlyAvailable"
    assert execute(HYPERSHIFT, [*words, several]) == 0
    assert capsys.readouterr().err == ""
