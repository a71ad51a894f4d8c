"""What is copied beside a control plane."""

from base64 import b64decode, b64encode

import pytest
from tests.lib.decoded import a_decoded_spec

from hypershift.kit import InvalidSpec, Key, Manifest
from hypershift.operators.hypershift.hosted_cluster.rules import copies
from hypershift.pki import Algorithm, key_to_pem, new_key

KEY = Key("clusters", "demo")


def copied(copy: copies.Copy, source: Manifest) -> Manifest:
    made = copies.copied(copy, source, KEY)
    assert made is not None
    return made


def coded(text: str) -> str:
    return b64encode(text.encode()).decode()


def test_only_the_key_that_matters_is_copied() -> None:
    (copy,) = copies.pull_secret(a_decoded_spec({"pullSecret": {"name": "mine"}}))
    source = {"data": {".dockerconfigjson": coded("{}"), "other": coded("x")}}
    made = copied(copy, source)
    assert made["data"] == {".dockerconfigjson": coded("{}")}
    assert made["type"] == "kubernetes.io/dockerconfigjson"
    assert made["metadata"]["namespace"] == "clusters-demo"


def test_a_pull_secret_without_its_key_is_the_users_to_change() -> None:
    (copy,) = copies.pull_secret(a_decoded_spec({"pullSecret": {"name": "mine"}}))
    said = 'hostedcluster pull secret "mine" must have a .dockerconfigjson key'
    with pytest.raises(InvalidSpec, match=said) as caught:
        copied(copy, {"data": {}})
    assert caught.value.field == "spec.pullSecret"


def test_every_reference_of_the_configuration_is_found_once() -> None:
    certificate = {"names": ["a"], "servingCertificate": {"name": "cert"}}
    provider = {"ldap": {"bindPassword": {"name": "ldap"}, "ca": {"name": "ldap-ca"}}}
    configuration = {
        "apiServer": {"servingCerts": {"namedCertificates": [certificate, certificate]}},
        "oauth": {"identityProviders": [{"name": "corp", **provider}]},
        "proxy": {"trustedCA": {"name": "proxy-ca"}},
    }
    found = {
        (c.kind, c.source)
        for c in copies.configuration(a_decoded_spec({"configuration": configuration}))
    }
    assert found == {
        ("Secret", "cert"),
        ("Secret", "ldap"),
        ("ConfigMap", "ldap-ca"),
        ("ConfigMap", "proxy-ca"),
    }


def test_labels_and_annotations_of_a_configuration_object_stay_with_the_user() -> None:
    (copy,) = copies.configuration(
        a_decoded_spec({"configuration": {"proxy": {"trustedCA": {"name": "ca"}}}})
    )
    source = {
        "metadata": {
            "labels": {"a": "b"},
            "annotations": {
                "referenced-resource.hypershift.openshift.io/demo": "true",
                "note": "kept",
            },
        },
        "data": {"ca-bundle.crt": "x"},
    }
    metadata = copied(copy, source)["metadata"]
    assert "labels" not in metadata
    assert metadata["annotations"] == {
        "hypershift.openshift.io/cluster": "clusters/demo",
        "hypershift.openshift.io/copy-of": "clusters/ca",
    }


def test_tokens_of_the_previous_signing_key_stay_valid() -> None:
    (copy,) = copies.signing_key(a_decoded_spec({"serviceAccountSigningKey": {"name": "k"}}))
    private = key_to_pem(new_key(Algorithm.RSA_2048))
    data = {"key": b64encode(private).decode(), "old-key.pub": coded("OLD")}
    made = copied(copy, {"data": data})
    assert b64decode(made["data"]["service-account.key"]) == private
    public = b64decode(made["data"]["service-account.pub"])
    assert public.startswith(b"-----BEGIN PUBLIC KEY-----")
    assert public.endswith(b"OLD")


def test_a_signing_key_that_is_none_is_refused() -> None:
    (copy,) = copies.signing_key(a_decoded_spec({"serviceAccountSigningKey": {"name": "k"}}))
    with pytest.raises(InvalidSpec, match="no private key"):
        copied(copy, {"data": {"key": coded("nonsense")}})


AESCBC = {"activeKey": {"name": "new"}, "backupKey": {"name": "old"}}


def test_encryption_keys_are_copied_for_the_kind_that_uses_them() -> None:
    found = copies.encryption_keys(
        a_decoded_spec({"secretEncryption": {"type": "aescbc", "aescbc": AESCBC}})
    )
    assert [copy.source for copy in found] == ["new", "old"]
    other = {"secretEncryption": {"type": "kms", "aescbc": AESCBC}}
    assert list(copies.encryption_keys(a_decoded_spec(other))) == []
    only_old = {"type": "aescbc", "aescbc": {"backupKey": {"name": "old"}}}
    assert list(copies.encryption_keys(a_decoded_spec({"secretEncryption": only_old}))) == []


def test_an_encryption_secret_without_a_key_is_no_failure() -> None:
    copy, _ = copies.encryption_keys(
        a_decoded_spec({"secretEncryption": {"type": "aescbc", "aescbc": AESCBC}})
    )
    assert copies.copied(copy, {"data": {}}, KEY) is None


def test_only_an_etcd_of_the_users_has_a_client_of_the_users() -> None:
    section = {"unmanaged": {"tls": {"clientSecret": {"name": "tls"}}}}
    etcd = {"managementType": "Unmanaged", **section}
    assert [copy.source for copy in copies.etcd_client(a_decoded_spec({"etcd": etcd}))] == ["tls"]
    assert (
        list(copies.etcd_client(a_decoded_spec({"etcd": {"managementType": "Managed", **section}})))
        == []
    )
