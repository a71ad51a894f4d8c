"""The HostedControlPlane that follows from a HostedCluster."""

from typing import Any

import pytest

from hypershift.api import HostedCluster, annotations, read
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.rules.hosted_control_plane import (
    emptied,
    hosted_control_plane,
    without_foreign_fields,
)


def a_cluster(**spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedCluster",
        "metadata": {
            "name": "demo",
            "namespace": "clusters",
            "labels": {"api.openshift.com/id": "7", "team": "blue"},
            "annotations": {
                "hypershift.openshift.io/disable-profiling": "kube-scheduler",
                "resource-request-override.hypershift.openshift.io/etcd.etcd": "cpu=1",
                "hypershift.openshift.io/force-upgrade-to": "x",
            },
        },
        "spec": {
            "release": {"image": "example.com/release:1"},
            "platform": {"type": "None"},
            "pullSecret": {"name": "mine"},
            "services": [],
            **spec,
        },
    }


def derive(
    cluster: dict[str, Any],
    live: dict[str, Any] | None = None,
    pools: tuple[dict[str, Any], ...] = (),
) -> dict[str, Any]:
    known, section = read(HostedCluster, cluster), cluster["spec"]["platform"]
    return hosted_control_plane(cluster, known, "clusters-demo", section, pools=pools, live=live)


def test_references_become_the_names_of_the_copies() -> None:
    cluster = a_cluster(sshKey={"name": "s"}, additionalTrustBundle={"name": "b"})
    spec = derive(cluster)["spec"]
    assert spec["pullSecret"] == {"name": "pull-secret"}
    assert spec["sshKey"] == {"name": "ssh-key"}
    assert spec["additionalTrustBundle"] == {"name": "user-ca-bundle"}
    assert spec["releaseImage"] == "example.com/release:1"


def test_a_field_that_both_kinds_have_is_copied() -> None:
    given: dict[str, Any] = {
        "services": [{"service": "APIServer"}],
        "networking": {"networkType": "Other"},
        "configuration": {"proxy": {"noProxy": "x"}},
        "fips": True,
    }
    spec = derive(a_cluster(**given))["spec"]
    assert {name: spec[name] for name in given} == given


def test_a_cluster_without_ssh_key_gives_an_empty_reference() -> None:
    spec = derive(a_cluster())["spec"]
    assert spec["sshKey"] == {"name": ""}
    assert "additionalTrustBundle" not in spec
    assert "controlPlaneReleaseImage" not in spec


def test_only_annotations_that_the_control_plane_reads_are_mirrored() -> None:
    made = derive(a_cluster())["metadata"]["annotations"]
    assert made["hypershift.openshift.io/disable-profiling"] == "kube-scheduler"
    assert "resource-request-override.hypershift.openshift.io/etcd.etcd" in made
    assert "hypershift.openshift.io/force-upgrade-to" not in made
    assert made["hypershift.openshift.io/cluster"] == "clusters/demo"


def test_labels_of_the_service_are_mirrored_and_others_are_not() -> None:
    assert derive(a_cluster())["metadata"]["labels"] == {"api.openshift.com/id": "7"}


def test_encryption_once_asked_for_is_never_cleared() -> None:
    live = {"metadata": {}, "spec": {"secretEncryption": {"type": "aescbc"}, "fips": True}}
    spec = derive(a_cluster(), live)["spec"]
    assert spec["secretEncryption"] == {"type": "aescbc"}
    assert "fips" not in spec


def test_the_autoscaler_runs_only_for_pools_that_scale() -> None:
    key = "hypershift.openshift.io/disable-cluster-autoscaler"
    scaling = {"metadata": {}, "spec": {"autoScaling": {"min": 1, "max": 3}}}
    assert derive(a_cluster())["metadata"]["annotations"][key] == "true"
    assert key not in derive(a_cluster(), None, (scaling,))["metadata"]["annotations"]


@pytest.mark.parametrize(
    ("cloud", "placement", "marks", "handled"),
    [
        ("AWS", {"marketType": "Spot"}, {}, True),
        ("AWS", {}, {annotations.ENABLE_SPOT: ""}, True),
        ("AWS", {"marketType": "OnDemand"}, {}, False),
        ("None", {"marketType": "Spot"}, {}, False),
    ],
)
def test_the_termination_handler_runs_only_for_machines_that_aws_may_take_back(
    cloud: str, placement: dict[str, str], marks: dict[str, str], *, handled: bool
) -> None:
    platform = {"type": cloud, "aws": {"placement": placement}}
    pool = {"metadata": {"annotations": marks}, "spec": {"platform": platform}}
    made = derive(a_cluster(platform={"type": cloud}), None, (pool,))["metadata"]["annotations"]
    assert (annotations.DISABLE_AWS_NODE_TERMINATION_HANDLER not in made) is handled


def test_how_long_certificates_last_is_told_to_the_control_plane() -> None:
    cluster = a_cluster()
    cluster["metadata"]["annotations"][annotations.CERTIFICATE_VALIDITY] = "24h"
    assert derive(cluster)["metadata"]["annotations"][annotations.CERTIFICATE_VALIDITY] == "24h"


def test_a_restart_date_counts_once_so_that_a_rotation_may_overwrite_it() -> None:
    cluster = a_cluster()
    cluster["metadata"]["annotations"][names.RESTART_DATE] = "monday"
    first = derive(cluster)["metadata"]["annotations"]
    assert first[names.RESTART_DATE] == "monday"
    rotated = {"metadata": {"annotations": first | {names.RESTART_DATE: "CertHash:1"}}}
    second = derive(cluster, rotated)["metadata"]["annotations"]
    assert second[names.RESTART_DATE] == "CertHash:1"
    cluster["metadata"]["annotations"][names.RESTART_DATE] = "tuesday"
    assert derive(cluster, rotated)["metadata"]["annotations"][names.RESTART_DATE] == "tuesday"


def test_what_somebody_added_to_the_spec_is_taken_out_again() -> None:
    wanted = {"dns": {"baseDomain": "x"}, "fips": False}
    live = {"dns": {"baseDomain": "y", "publicZoneID": "z"}, "fips": False, "channel": "fast"}
    assert without_foreign_fields(live, wanted) == {"channel": None, "dns": {"publicZoneID": None}}


def test_a_spec_as_derived_has_no_strays() -> None:
    spec = derive(a_cluster())["spec"]
    assert without_foreign_fields(spec, spec) == {}


MANAGED = {"storage": {"type": "PersistentVolume"}}


def test_etcd_keeps_to_the_section_of_its_kind() -> None:
    both = {"managementType": "Managed", "managed": MANAGED, "unmanaged": {"endpoint": "x"}}
    assert derive(a_cluster(etcd=both))["spec"]["etcd"] == {
        "managementType": "Managed",
        "managed": MANAGED,
    }
    live = {"spec": {"etcd": {"managementType": "Managed", "managed": MANAGED}}}
    bare = derive(a_cluster(etcd={"managementType": "Managed"}), live)
    assert bare["spec"]["etcd"] == {"managementType": "Managed", "managed": MANAGED}


def test_an_audit_webhook_without_a_name_is_none() -> None:
    assert "auditWebhook" not in derive(a_cluster(auditWebhook={"name": ""}))["spec"]
    live = {"spec": {"auditWebhook": {"name": "audit"}}}
    kept = derive(a_cluster(auditWebhook={"name": ""}), live)["spec"]
    assert kept["auditWebhook"] == {"name": "audit"}


FORWARDING = "hypershift.openshift.io/enable-metrics-forwarding"


@pytest.mark.parametrize(
    ("mode", "annotated", "wanted", "told"),
    [
        ("", False, None, False),
        ("", True, "Forward", True),
        ("Forward", False, "Forward", True),
        ("None", True, "None", False),
    ],
)
def test_metrics_are_forwarded_by_the_spec_or_as_an_annotation_of_before_said(
    mode: str,
    annotated: bool,  # noqa: FBT001 - a column
    wanted: str | None,
    told: bool,  # noqa: FBT001 - a column
) -> None:
    cluster = a_cluster(monitoring={"metricsForwarding": {"mode": mode}} if mode else {})
    if annotated:
        cluster["metadata"]["annotations"][FORWARDING] = "yes"
    plane = derive(cluster)
    section = plane["spec"]["monitoring"].get("metricsForwarding") or {}
    assert section.get("mode") == wanted
    assert (plane["metadata"]["annotations"].get(FORWARDING) == "true") is told
    assert (FORWARDING in plane["metadata"]["annotations"]) is told


def test_an_object_that_is_to_be_empty_loses_its_fields_first() -> None:
    live = {
        "networking": {"apiServer": {"allowedCIDRBlocks": ["::/0"]}, "type": "a"},
        "dns": {"a": 1},
    }
    wanted = {"networking": {"apiServer": {}, "type": "b"}, "dns": {"b": 1}, "etcd": {}}
    assert emptied(live, wanted) == {"networking": {"apiServer": {"allowedCIDRBlocks": None}}}
    assert emptied(wanted, wanted) == {}
