"""The roles of a Dedicated cluster."""

from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.lib.decoded import a_decoded_spec

from hypershift.kit import InvalidSpec
from hypershift.operators.hypershift.hosted_cluster.rules import dedicated
from hypershift.operators.hypershift.hosted_cluster.rules.dedicated import (
    ROLES,
    Dedicated,
    manifests,
)

SPEC = {
    "services": [
        {"service": "Ignition", "servicePublishingStrategy": {"type": "LoadBalancer"}},
    ],
    "nodeSelector": {"disk": "fast"},
}
WANTED = Dedicated("clusters-demo", "registry.example/hypershift:1", a_decoded_spec(SPEC), uid=1007)


def of_kind(kind: str) -> dict[str, dict[str, Any]]:
    return {m["metadata"]["name"]: m for m in manifests(WANTED) if m["kind"] == kind}


def test_every_asset_file_is_a_role() -> None:
    folder = files(dedicated) / "assets"
    wanted = {f"{role}.yaml" for role in (*ROLES, "cluster-role")}
    assert {path.name for path in folder.iterdir()} == wanted


def test_the_deployments_of_a_contract_never_change() -> None:
    """An older image would be rolled by an update of the HyperShift operator alone.

    The file is not to be rewritten: another way to deploy is another contract.
    """
    written = yaml.safe_load_all((Path(__file__).parent / "contracts" / "1.yaml").read_text())
    assert list(of_kind("Deployment").values()) == list(written)


def test_a_contract_of_the_future_is_refused() -> None:
    with pytest.raises(InvalidSpec, match="newer than this operator"):
        manifests(replace(WANTED, contract="2"))


@pytest.mark.parametrize("role", ROLES)
def test_a_role_runs_restricted_as_the_namespaces_own_user(role: str) -> None:
    pod = of_kind("Deployment")[role]["spec"]["template"]
    assert pod["spec"]["securityContext"]["runAsUser"] == 1007
    assert pod["spec"]["serviceAccountName"] == role
    assert pod["spec"]["nodeSelector"] == {"disk": "fast"}
    assert pod["spec"]["containers"][0]["args"][:3] == [role, "run", "--namespace=clusters-demo"]
    assert pod["metadata"]["labels"]["hypershift.openshift.io/need-management-kas-access"] == "true"


@pytest.mark.parametrize("role", ROLES)
def test_a_role_may_do_nothing_outside_its_namespace(role: str) -> None:
    binding = of_kind("RoleBinding")[role]
    assert binding["metadata"]["namespace"] == "clusters-demo"
    assert binding["subjects"] == [
        {"kind": "ServiceAccount", "name": role, "namespace": "clusters-demo"}
    ]
    for rule in of_kind("Role")[role]["rules"]:
        assert "*" not in rule["verbs"] + rule["resources"] + rule["apiGroups"]


def test_the_ignition_server_is_published_as_the_cluster_asks() -> None:
    assert of_kind("Service")["ignition-server"]["spec"]["type"] == "LoadBalancer"


def test_cluster_wide_rights_are_to_look_at_nodes_and_volumes_alone() -> None:
    (binding,) = of_kind("ClusterRoleBinding").values()
    assert binding["metadata"]["name"] == "hypershift-control-plane-operator-clusters-demo"
    assert binding["roleRef"]["name"] == "hypershift-control-plane-operator"
