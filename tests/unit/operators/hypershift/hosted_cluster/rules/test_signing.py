"""A cluster's PKI operator signs for its own cluster alone."""

from hypershift.controlplane import CATALOG
from hypershift.operators.hypershift.hosted_cluster.rules import signing
from hypershift.operators.pki import CLASSES
from hypershift.release import Product

MADE = signing.manifests("clusters-demo", {"owner": "demo"})


def test_rights_to_sign_name_the_signers_of_this_cluster() -> None:
    rules = [rule for one in MADE if one["kind"] == "ClusterRole" for rule in one["rules"]]
    named = [rule for rule in rules if rule["resources"] == ["signers"]]
    wanted = [one.signer_name("clusters-demo") for one in CLASSES]
    assert [rule["verbs"] for rule in named] == [["approve"], ["sign"]]
    assert all(rule["resourceNames"] == wanted for rule in named)


def test_every_right_is_bound_to_the_account_that_the_component_has() -> None:
    component = next(one for one in CATALOG[Product.KUBERNETES] if one.name == signing.ACCOUNT)
    assert component.management_access
    bindings = [one for one in MADE if one["kind"].endswith("Binding")]
    assert len(bindings) * 2 == len(MADE)
    for one in bindings:
        assert one["subjects"][0]["name"] == signing.ACCOUNT
        assert one["subjects"][0]["namespace"] == "clusters-demo"


def test_what_is_of_the_whole_cluster_is_found_when_the_cluster_goes() -> None:
    for one in MADE:
        assert one["kind"].startswith("Cluster") == ("namespace" not in one["metadata"])
        assert one["kind"].startswith("Cluster") == ("labels" in one["metadata"])
