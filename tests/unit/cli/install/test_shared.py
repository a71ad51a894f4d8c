"""An operator that runs the roles of all clusters: density for a wider trust boundary."""

from typing import Any

import pytest
from tests.lib.command_line import install_options

from hypershift.cli.install.resources import resources

Objects = dict[tuple[str, str], dict[str, Any]]


def rendered(*words: str) -> Objects:
    found = resources(install_options(*words))
    return {(each["kind"], each["metadata"]["name"]): each for each in found}


def pod(objects: Objects) -> dict[str, Any]:
    spec: dict[str, Any] = objects["Deployment", "operator"]["spec"]["template"]["spec"]
    return spec


def test_the_operator_is_told_its_mode_and_its_mirrors() -> None:
    (container,) = pod(rendered("--shared", "--registry-mirror=a.example=http://b"))["containers"]
    assert "--mode=shared" in container["args"]
    assert "--registry-mirror=a.example=http://b" in container["args"]


def test_the_operator_is_told_which_registries_are_allowed() -> None:
    words = ("--allowed-registries=quay.io/a,*.example.com",)
    (container,) = pod(rendered(*words))["containers"]
    told = [word for word in container["args"] if word.startswith("--allowed-registries")]
    assert told == ["--allowed-registries=quay.io/a", "--allowed-registries=*.example.com"]


def test_machines_reach_the_shared_ignition_server_by_load_balancer() -> None:
    service = rendered("--shared")["Service", "ignition-server"]
    assert service["spec"]["type"] == "LoadBalancer"
    assert service["spec"]["ports"][0] == {"name": "https", "port": 443, "targetPort": "ignition"}


def test_a_dedicated_installation_has_no_shared_ignition_server() -> None:
    assert ("Service", "ignition-server") not in rendered()


@pytest.mark.parametrize("words", [("--shared",), ("--least-privilege",)])
def test_no_rule_grants_everything(words: tuple[str, ...]) -> None:
    for rule in rendered(*words)["ClusterRole", "hypershift-operator"]["rules"]:
        assert "*" not in rule["verbs"] + rule["resources"] + rule["apiGroups"]
        assert not {"escalate", "bind", "impersonate"} & set(rule["verbs"])


def test_a_shared_pod_fits_into_its_restricted_namespace() -> None:
    objects = rendered("--shared", "--namespace=elsewhere")
    labels = objects["Namespace", "elsewhere"]["metadata"]["labels"]
    assert labels["pod-security.kubernetes.io/enforce"] == "restricted"
    spec = pod(objects)
    assert "initContainers" not in spec
    assert spec["securityContext"]["runAsNonRoot"]
    assert spec["containers"][0]["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    mounts = {each["name"] for each in spec["containers"][0]["volumeMounts"]}
    assert mounts == {each["name"] for each in spec["volumes"]}


def test_the_embedded_clusters_kinds_come_when_they_are_named() -> None:
    groups = [
        rule["apiGroups"]
        for rule in rendered("--limit-crd-install=local")["ClusterRole", "hypershift-operator"][
            "rules"
        ]
    ]
    assert ["infrastructure.local.hypershift.io"] in groups


def test_monitoring_objects_can_be_left_out() -> None:
    kinds = {kind for kind, _ in rendered("--monitoring-objects=false", "--slos-alerts")}
    assert not {"ServiceMonitor", "PrometheusRule"} & kinds


@pytest.mark.parametrize(
    ("words", "shares"),
    [
        (("--shared",), True),
        (
            ("--shared", "--enable-conversion-webhook=false", "--disable-capi-conversion-webhook"),
            False,
        ),
        ((), False),
    ],
)
def test_several_replicas_in_shared_mode_share_the_clusters(
    words: tuple[str, ...], *, shares: bool
) -> None:
    (container,) = pod(rendered(*words))["containers"]
    assert ("--shard-clusters" in container["args"]) is shares
