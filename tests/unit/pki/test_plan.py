"""The plan brings a namespace's certificates in line with the table, and then leaves them alone."""

from base64 import b64encode
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from hypershift.kit import Manifest
from hypershift.pki import (
    Algorithm,
    Policy,
    PrivateKey,
    Site,
    by_kind_and_name,
    certificate_from_pem,
    described,
    new_key,
    read_authority,
    reconcile,
    secret_data,
    wanted,
)
from hypershift.pki.plan import leaf_of

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SITE = Site(
    namespace="clusters-demo",
    name="demo",
    openshift=False,
    platform="Local",
    api_host="10.0.0.7",
    konnectivity_host="konnectivity.example.org",
    advertise_address="172.20.0.1",
    service_cidrs=("172.31.0.0/16", "fd00:1::/112"),
)
RSA = new_key(Algorithm.RSA_2048)


def keys(algorithm: Algorithm) -> PrivateKey:
    return RSA if algorithm is Algorithm.RSA_2048 else new_key(algorithm)


def pki(site: Site = SITE) -> dict[tuple[str, str], Manifest]:
    return by_kind_and_name(reconcile({}, wanted(site), NOW, keys=keys))


def names(changes: list[Manifest]) -> set[str]:
    return {change["metadata"]["name"] for change in changes}


def test_a_second_pass_writes_nothing() -> None:
    assert reconcile(pki(), wanted(SITE), NOW + timedelta(days=1), keys=keys) == []


def test_every_leaf_verifies_against_the_bundle_of_its_signer() -> None:
    objects = pki()
    plan = wanted(SITE)
    for spec in plan.leaves:
        signer = secret_data(objects, spec.signer)
        authority = read_authority(signer["ca.crt"], signer["ca.key"])
        certificate = certificate_from_pem(secret_data(objects, spec.secret)[f"{spec.stem}.crt"])
        assert authority is not None
        assert certificate is not None
        assert authority.issued(certificate), spec.secret


def test_the_api_server_is_known_by_every_name_it_is_called() -> None:
    certificate = certificate_from_pem(secret_data(pki(), "kas-server-crt")["tls.crt"])
    assert certificate is not None
    leaf = described(certificate)
    assert leaf.ip_addresses == {
        "127.0.0.1",
        "::1",
        "172.31.0.1",
        "fd00:1::1",
        "172.20.0.1",
        "10.0.0.7",
    }
    assert {"localhost", "kubernetes.default.svc", "api.demo.hypershift.local"} <= leaf.dns_names


def test_each_shard_of_etcd_is_known_by_its_own_services() -> None:
    sharded = replace(SITE, openshift=True, etcd_shards=("events",))
    leaves = {spec.secret: leaf_of(spec, sharded) for spec in wanted(sharded).leaves}
    member = f"*.etcd-discovery-events.{SITE.namespace}.svc"
    assert {"etcd-client-events", member} <= leaves["etcd-events-server-tls"].dns_names
    assert member in leaves["etcd-events-peer-tls"].dns_names
    assert member not in leaves["etcd-peer-tls"].dns_names


def test_a_published_name_goes_into_the_certificate_of_konnectivity() -> None:
    objects = pki()
    moved = replace(SITE, konnectivity_host="10.9.9.9")
    assert names(reconcile(objects, wanted(moved), NOW, keys=keys)) == {"konnectivity-cluster"}


def test_a_deleted_leaf_is_made_again_alone() -> None:
    objects = pki()
    del objects["Secret", "kcm-server"]
    assert names(reconcile(objects, wanted(SITE), NOW, keys=keys)) == {"kcm-server"}


def test_a_replaced_authority_signs_its_leaves_again() -> None:
    objects = pki()
    del objects["Secret", "konnectivity-signer"]
    assert names(reconcile(objects, wanted(SITE), NOW, keys=keys)) == {
        "konnectivity-signer",
        "konnectivity-ca-bundle",
        "konnectivity-server",
        "konnectivity-cluster",
        "konnectivity-client",
        "konnectivity-agent",
    }


def test_an_authority_that_lost_its_certificate_keeps_its_key() -> None:
    objects = pki()
    key = objects["Secret", "etcd-signer"]["data"]["ca.key"]
    del objects["Secret", "etcd-signer"]["data"]["ca.crt"]
    changes = by_kind_and_name(reconcile(objects, wanted(SITE), NOW, keys=keys))
    assert set(changes) == {("Secret", "etcd-signer"), ("ConfigMap", "etcd-ca")}
    assert changes["Secret", "etcd-signer"]["data"]["ca.key"] == key


def test_the_service_account_key_outlives_everything() -> None:
    objects = pki()
    later = reconcile(objects, wanted(SITE), NOW + timedelta(days=3300), keys=keys)
    assert "sa-signing-key" not in names(later)
    assert "root-ca" in names(later)


@pytest.mark.parametrize(("federated", "title"), [(True, b"RSA"), (False, b"EC")])
def test_tokens_are_signed_with_rsa_where_somebody_outside_may_check_them(
    *, federated: bool, title: bytes
) -> None:
    made = pki(replace(SITE, federated=federated))
    key = secret_data(made, "sa-signing-key")["service-account.key"]
    assert key.startswith(b"-----BEGIN " + title + b" PRIVATE KEY")
    later = replace(SITE, federated=not federated)
    assert "sa-signing-key" not in names(reconcile(made, wanted(later), NOW, keys=keys))


def test_short_certificates_rotate_while_their_authorities_stay() -> None:
    site = replace(SITE, policy=Policy(timedelta(minutes=20), renewal=0.5))
    objects = pki(site)
    changed = names(reconcile(objects, wanted(site), NOW + timedelta(minutes=11), keys=keys))
    assert changed == {spec.secret for spec in wanted(site).leaves}


def test_nothing_is_touched_when_somebody_else_owns_the_pki() -> None:
    site = replace(SITE, policy=Policy(enabled=False))
    assert reconcile({}, wanted(site), NOW) == []


def test_what_the_pki_operator_trusts_is_appended_to_the_client_bundle() -> None:
    objects = pki()
    extra = objects["ConfigMap", "etcd-ca"]["data"]["ca.crt"]
    objects["ConfigMap", "total-client-ca"] = {"data": {"ca-bundle.crt": extra}}
    changes = by_kind_and_name(reconcile(objects, wanted(SITE), NOW, keys=keys))
    assert list(changes) == [("ConfigMap", "client-ca")]
    assert changes["ConfigMap", "client-ca"]["data"]["ca.crt"].endswith(extra)


@pytest.mark.parametrize("platform", ["AWS", "Azure", "IBMCloud", "None"])
def test_each_secret_is_declared_once_per_cluster(platform: str) -> None:
    plan = wanted(replace(SITE, openshift=True, platform=platform, ingress_domain="apps.x.org"))
    secrets = [spec.secret for spec in (*plan.authorities,)] + [leaf.secret for leaf in plan.leaves]
    assert len(secrets) == len(set(secrets))
    assert ("aws-pod-identity-webhook-serving-cert" in secrets) == (platform == "AWS")


def test_names_longer_than_x520_allows_are_issued_and_kept() -> None:
    site = replace(SITE, openshift=True, platform="AWS", ingress_domain="apps.x.org")
    objects = pki(site)
    certificate = certificate_from_pem(secret_data(objects, "kas-bootstrap-client")["tls.crt"])
    assert certificate is not None
    assert described(certificate).common_name.endswith(":node-bootstrapper")
    assert reconcile(objects, wanted(site), NOW, keys=keys) == []


def test_kubernetes_has_no_certificates_of_openshift() -> None:
    assert not [name for name in wanted(SITE).secret_names() if "openshift" in name]


def test_the_public_half_of_an_older_signing_key_stays() -> None:
    objects = pki()
    secret = objects["Secret", "sa-signing-key"]
    both = secret_data(objects, "sa-signing-key")["service-account.pub"] + b"older\n"
    secret["data"] |= {"service-account.pub": b64encode(both).decode()}
    assert reconcile(objects, wanted(SITE), NOW, keys=keys) == []


def test_the_guests_ingress_is_trusted_unless_it_has_none() -> None:
    objects = pki()
    observed = secret_data(objects, "etcd-signer")["ca.crt"].decode()
    objects["ConfigMap", "observed-default-ingress-cert"] = {"data": {"ca.crt": observed}}
    (bundle,) = reconcile(objects, wanted(SITE), NOW, keys=keys)
    assert bundle["data"]["ca.crt"].endswith(observed)
    without = replace(SITE, disabled_capabilities=frozenset({"Ingress"}))
    assert reconcile(objects, wanted(without), NOW, keys=keys) == []
