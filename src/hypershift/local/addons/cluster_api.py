"""Cluster API's own kinds, in v1beta2 alone, and the pair its webhook server insists on."""

from base64 import b64encode
from datetime import datetime

from hypershift.kit import Manifest
from hypershift.pki import TEN_YEARS, Leaf, new_authority

NAMESPACE = "capi-system"
CERTIFICATES = "capi-webhook-certificates"
SERVICE = "capi-webhook-service.capi-system.svc"


def one_version(definition: Manifest) -> Manifest:
    """Offer the newest contract only: older ones would lose fields without a conversion webhook."""
    versions = definition["spec"]["versions"]
    stored = [each for each in versions if each.get("storage")]
    kept = [{**each, "served": True} for each in stored]
    metadata = {
        name: value
        for name, value in definition["metadata"].items()
        if name in {"name", "labels", "annotations"}
    }
    return {
        "apiVersion": definition["apiVersion"],
        "kind": definition["kind"],
        "metadata": metadata,
        "spec": {**definition["spec"], "versions": kept},
    }


def webhook_certificates(now: datetime) -> Manifest:
    """The manager always starts its webhook server; no program calls it here."""
    ca = new_authority("capi-webhook", now, unit="hypershift")
    pair = ca.issue(Leaf(SERVICE, dns_names=frozenset({SERVICE}), validity=TEN_YEARS), now)
    data = {"tls.crt": pair.certificate, "tls.key": pair.key.reveal()}
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": CERTIFICATES, "namespace": NAMESPACE},
        "type": "kubernetes.io/tls",
        "data": {name: b64encode(value).decode() for name, value in data.items()},
    }
