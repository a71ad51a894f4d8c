"""The objects that install the operator."""

from importlib.resources import files
from typing import Any

import pytest

from hypershift.operators.hypershift import Mode, install
from hypershift.operators.hypershift.install import InstallSettings, manifests

SETTINGS = InstallSettings(
    image="registry.example/hypershift@sha256:1",
    mode=Mode.SHARED,
    registry_mirrors={"registry.example": "http://192.0.2.1:5000"},
    egress_block_cidrs=("192.0.2.0/24",),
)


def named(settings: InstallSettings = SETTINGS) -> dict[tuple[str, str], dict[str, Any]]:
    return {(m["kind"], m["metadata"]["name"]): m for m in manifests(settings)}


def test_every_asset_file_is_installed() -> None:
    folder = files(install) / "assets"
    assert {path.name for path in folder.iterdir()} == set(install.ASSETS)


def test_the_operator_runs_our_image_with_what_it_was_told() -> None:
    deployment = named()["Deployment", "operator"]
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    assert container["image"] == SETTINGS.image
    assert "--mode=shared" in container["args"]
    assert "--registry-mirror=registry.example=http://192.0.2.1:5000" in container["args"]
    assert "--hcp-egress-block-cidrs=192.0.2.0/24" in container["args"]


def test_machines_reach_the_shared_ignition_server_by_load_balancer() -> None:
    service = named()["Service", "ignition-server"]
    assert service["spec"]["type"] == "LoadBalancer"
    assert service["spec"]["ports"][0] == {"name": "https", "port": 443, "targetPort": "ignition"}


def test_a_dedicated_installation_has_no_shared_ignition_server() -> None:
    assert ("Service", "ignition-server") not in named(InstallSettings(image="x"))


def test_another_namespace_is_everywhere() -> None:
    found = manifests(InstallSettings(image="x", namespace="elsewhere", mode=Mode.SHARED))
    assert {m["metadata"]["namespace"] for m in found if "namespace" in m["metadata"]} == {
        "elsewhere"
    }
    binding = next(m for m in found if m["kind"] == "ClusterRoleBinding")
    assert binding["subjects"][0]["namespace"] == "elsewhere"


def test_no_rule_grants_everything() -> None:
    for rule in named()["ClusterRole", "hypershift-operator"]["rules"]:
        assert "*" not in rule["verbs"] + rule["resources"] + rule["apiGroups"]
        assert not {"escalate", "bind", "impersonate"} & set(rule["verbs"])


@pytest.mark.parametrize("field", ["runAsNonRoot", "seccompProfile"])
def test_the_operators_pod_is_restricted(field: str) -> None:
    pod = named()["Deployment", "operator"]["spec"]["template"]["spec"]
    assert pod["securityContext"][field]
    assert pod["containers"][0]["securityContext"]["capabilities"] == {"drop": ["ALL"]}


@pytest.mark.parametrize(
    ("mode", "replicas", "shares"),
    [(Mode.SHARED, 1, False), (Mode.SHARED, 2, True), (Mode.DEDICATED, 2, False)],
)
def test_several_replicas_in_shared_mode_share_the_clusters(
    mode: Mode, replicas: int, *, shares: bool
) -> None:
    settings = InstallSettings(image="image", mode=mode, replicas=replicas)
    assert ("--shard-clusters" in install.arguments(settings)) is shares
