"""The Cluster API manager of a Dedicated cluster: what it runs, and what it may do."""

from dataclasses import replace
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

import pytest

from hypershift.api import read
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.kit import Manifest
from hypershift.local.addons import cluster_api_objects
from hypershift.operators.hypershift.hosted_cluster.rules import cluster_api
from hypershift.operators.hypershift.hosted_cluster.rules.cluster_api import Manager, manifests
from hypershift.platforms import PLATFORMS
from hypershift.release import Product, Release

SPEC = read(HostedClusterSpec, {"platform": {"type": "Local"}, "nodeSelector": {"disk": "fast"}})
WANTED = Manager("clusters-demo", "registry.example/cluster-api:1", SPEC, ("--some",), uid=1007)

#: The machines of each cloud that Cluster API makes machines on.
WITH_MACHINES = {
    name: machines for name, cloud in PLATFORMS.items() if (machines := cloud.pools.machines)
}


def one(kind: str, wanted: Manager = WANTED) -> dict[str, Any]:
    (found,) = [each for each in manifests(wanted) if each["kind"] == kind]
    return found


def test_it_runs_restricted_as_the_namespaces_own_user() -> None:
    template = one("Deployment")["spec"]["template"]
    pod, (container,) = template["spec"], template["spec"]["containers"]
    assert pod["securityContext"]["runAsUser"] == 1007
    assert pod["securityContext"]["runAsNonRoot"]
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert container["image"] == WANTED.image
    assert pod["nodeSelector"] == {"disk": "fast"}
    assert template["metadata"]["labels"]["hypershift.openshift.io/need-management-kas-access"]


def test_it_watches_its_own_namespace_and_leads_there() -> None:
    (container,) = one("Deployment")["spec"]["template"]["spec"]["containers"]
    assert container["args"][0] == "--namespace=$(MY_NAMESPACE)"
    assert "--leader-elect=true" in container["args"]
    assert container["args"][-1] == "--some"
    assert container["env"][0]["valueFrom"]["fieldRef"]["fieldPath"] == "metadata.namespace"


@pytest.mark.parametrize("platform", WITH_MACHINES)
def test_it_may_do_nothing_outside_its_namespace(platform: str) -> None:
    wanted = replace(WANTED, spec=read(HostedClusterSpec, {"platform": {"type": platform}}))
    assert one("Role", wanted)["metadata"]["namespace"] == "clusters-demo"
    assert one("RoleBinding", wanted)["roleRef"]["kind"] == "Role"
    for rule in one("Role", wanted)["rules"]:
        assert "*" not in rule["verbs"] + rule["resources"] + rule["apiGroups"]


@pytest.mark.parametrize("platform", WITH_MACHINES)
def test_it_may_make_the_machines_of_its_platform(platform: str) -> None:
    wanted = replace(WANTED, spec=read(HostedClusterSpec, {"platform": {"type": platform}}))
    rule, template = one("Role", wanted)["rules"][-1], WITH_MACHINES[platform].resource
    assert rule["apiGroups"] == [template.group]
    assert template.plural in rule["resources"]
    assert template.plural.replace("templates", "s") in rule["resources"]


def test_of_the_whole_cluster_it_reads_definitions_alone() -> None:
    (rule,) = cluster_api.cluster_role()["rules"]
    assert rule["resources"] == ["customresourcedefinitions"]
    assert rule["verbs"] == ["get", "list", "watch"]
    binding = one("ClusterRoleBinding")
    assert binding["metadata"]["name"] == "hypershift-cluster-api-clusters-demo"
    assert binding["roleRef"]["name"] == cluster_api.cluster_role()["metadata"]["name"]


def test_it_cannot_write_secrets_beyond_marks_on_those_that_are_there() -> None:
    (secrets,) = [r for r in one("Role")["rules"] if "secrets" in r["resources"]]
    assert not {"create", "update", "delete"} & set(secrets["verbs"])


def test_every_asset_file_is_used() -> None:
    folder = files(cluster_api) / "assets"
    assert {path.name for path in folder.iterdir()} == {
        "capi-provider.yaml",
        "cluster-api.yaml",
        "cluster-role.yaml",
    }


@pytest.mark.parametrize(
    ("version", "gates", "phases"),
    [
        ("4.18.3", False, False),
        ("4.19.0", True, False),
        ("4.20.1", True, True),
        ("5.0.0", True, True),
    ],
)
def test_an_older_openshift_manager_gets_no_flag_that_it_does_not_know(
    version: str, *, gates: bool, phases: bool
) -> None:
    words = " ".join(cluster_api.flags(Release(version, Product.OPENSHIFT, {}, "")))
    assert ("MachineSetPreflightChecks=false" in words) is gates
    assert ("--skip-crd-migration-phases" in words) is phases


def test_the_manager_of_a_kubernetes_payload_checks_no_control_plane_machines() -> None:
    words = cluster_api.flags(Release("1.34.9", Product.KUBERNETES, {}, ""))
    assert "--feature-gates=MachineSetPreflightChecks=false" in words


def test_certificates_belong_to_one_namespace() -> None:
    made = cluster_api.certificates("clusters-demo", datetime(2026, 1, 1, tzinfo=UTC))
    assert made["metadata"] == {"name": "capi-webhooks-tls", "namespace": "clusters-demo"}
    assert set(made["data"]) == {"tls.crt", "tls.key"}


@pytest.mark.parametrize("word", ["--watch-filter=", "--namespace=", "--v=2"])
def test_a_manager_without_a_limit_watches_everything(word: str) -> None:
    found = _foreign(word)
    assert list(cluster_api.watches_everything([found])) == [found]


@pytest.mark.parametrize("word", ["--watch-filter=theirs", "--namespace=openshift-cluster-api"])
def test_a_manager_with_a_limit_leaves_dedicated_clusters_alone(word: str) -> None:
    assert list(cluster_api.watches_everything([_foreign(word)])) == []


def test_the_manager_of_our_installation_leaves_dedicated_clusters_alone() -> None:
    found = [each for each in cluster_api_objects("image") if each["kind"] == "Deployment"]
    assert all(cluster_api.is_manager(each) for each in found)
    assert list(cluster_api.watches_everything(found)) == []


def test_the_manager_of_one_cluster_is_none_of_those_that_serve_several() -> None:
    assert not cluster_api.is_manager(one("Deployment"))


def test_a_cluster_without_machines_of_cluster_api_needs_no_manager() -> None:
    assert cluster_api.is_needed(SPEC)
    assert not cluster_api.is_needed(read(HostedClusterSpec, {"platform": {"type": "None"}}))


def _foreign(word: str) -> Manifest:
    labels = {"cluster.x-k8s.io/provider": "cluster-api"}
    pod = {"containers": [{"name": "manager", "args": [word]}]}
    return {
        "kind": "Deployment",
        "metadata": {"name": "capi", "namespace": "theirs", "labels": labels},
        "spec": {"template": {"spec": pod}},
    }
