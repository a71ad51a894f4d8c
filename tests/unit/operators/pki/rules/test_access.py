"""The rights of break-glass signers in the management cluster."""

from hypershift.kit import Key
from hypershift.operators.pki.rules import access

CLUSTER = Key("clusters", "demo")


def test_signers_are_those_of_the_cluster_alone() -> None:
    role = access.signer_role(CLUSTER)
    assert role["rules"][-1]["resourceNames"] == [
        "hypershift.openshift.io/clusters-demo.customer-break-glass",
        "hypershift.openshift.io/clusters-demo.sre-break-glass",
    ]


def test_who_approves_may_not_sign() -> None:
    verbs = {verb for rule in access.approver_role(CLUSTER)["rules"] for verb in rule["verbs"]}
    assert "approve" in verbs
    assert not verbs & {"sign", "patch", "*"}


def test_a_role_goes_to_the_operator_of_the_cluster() -> None:
    role = access.approver_role(CLUSTER)
    found = access.binding(CLUSTER, role, "clusters-demo")
    assert found["roleRef"]["name"] == role["metadata"]["name"] == "clusters-demo-csr-approver"
    assert found["subjects"][0]["namespace"] == "clusters-demo"
