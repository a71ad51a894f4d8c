"""What the audit log records."""

import pytest
from tests.unit.component.clusters import a_view

from hypershift.component.audit import policy, rotation, with_kept_log
from hypershift.kit import Manifest


@pytest.mark.parametrize(
    ("profile", "levels"),
    [
        ("None", ["None", "None"]),
        ("Default", ["None", "Metadata"]),
        ("WriteRequestBodies", ["None", "Metadata", "RequestResponse", "Metadata"]),
        ("AllRequestBodies", ["None", "Metadata", "RequestResponse"]),
    ],
)
def test_audit_profiles(profile: str, levels: list[str]) -> None:
    assert [rule["level"] for rule in policy(a_view(), profile)["rules"]] == levels


@pytest.mark.parametrize(("section", "count"), [({"profile": "Default"}, 3), ({}, 2)])
def test_rules_for_groups_need_a_profile_for_the_others(section: Manifest, count: int) -> None:
    rules = {"customRules": [{"group": "robots", "profile": "None"}], **section}
    view = a_view(configuration={"apiServer": {"audit": rules}})
    assert len(policy(view, "Default")["rules"]) == count


def test_bodies_of_secrets_are_never_recorded() -> None:
    for rule in policy(a_view(), "AllRequestBodies")["rules"]:
        named = [name for r in rule.get("resources", ()) for name in r["resources"]]
        if "secrets" in named:
            assert rule["level"] == "Metadata"
            return
        assert rule["level"] == "None"
    pytest.fail("no rule is about secrets")


KEPT = {
    "hypershift.openshift.io/audit-log-persistence": (
        '{"auditLog":{"maxBackup":10,"maxSize":200},'
        '"storage":{"size":"5Gi","storageClassName":"fast"}}'
    )
}


def a_server() -> Manifest:
    volumes = [{"name": "logs", "emptyDir": {}}, {"name": "other", "emptyDir": {}}]
    template = {"spec": {"containers": [], "volumes": volumes}}
    return {
        "kind": "Deployment",
        "metadata": {"name": "kube-apiserver"},
        "spec": {"template": template},
    }


def test_a_log_that_is_kept_is_on_a_claim_that_is_made_with_its_pod() -> None:
    view = a_view(annotations=KEPT)
    volumes = with_kept_log(view, a_server())["spec"]["template"]["spec"]["volumes"]
    claim = volumes[0]["ephemeral"]["volumeClaimTemplate"]
    assert claim["spec"] == {
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": "5Gi"}},
        "storageClassName": "fast",
    }
    assert volumes[1] == {"name": "other", "emptyDir": {}}
    assert rotation(view) == {"audit-log-maxbackup": "10", "audit-log-maxsize": "200"}


def test_a_log_goes_with_its_pod_where_nobody_keeps_it_or_nothing_is_written() -> None:
    silent = a_view(annotations=KEPT, configuration={"apiServer": {"audit": {"profile": "None"}}})
    for view in (a_view(), silent):
        assert with_kept_log(view, a_server()) == a_server()
        assert rotation(view) == {}
