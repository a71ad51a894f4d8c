"""What the audit log records."""

import pytest
from tests.unit.component.clusters import a_view

from hypershift.component.audit import policy
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
