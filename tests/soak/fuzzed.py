"""Readers of what users, registries and guests hand us: each takes a text, answers or refuses."""

import base64
import gzip
import ipaddress
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from tests.adversary.test_documents import READERS as DOCUMENTS
from tests.lib.decoded import a_decoded_name, a_decoded_spec

from hypershift.api import annotations
from hypershift.api.cluster_domain import domain_problem
from hypershift.cloud.aws import query
from hypershift.controlplane.etcd import replacement
from hypershift.controlplane.etcd.proof import verdict
from hypershift.kit import HypershiftError, Key, Manifest
from hypershift.kube import inline
from hypershift.kube.expiry import not_after
from hypershift.kube.hosted import across_namespaces
from hypershift.oci import reference
from hypershift.oci.auth import read_challenge
from hypershift.oci.spec import Index, decode
from hypershift.oci.spec import Manifest as ImageManifest
from hypershift.oci.token import read_token
from hypershift.operators.controlplane.endpoint import failing_checks
from hypershift.operators.guest_config.openshift.rules import status
from hypershift.operators.guest_config.rules import connection, pull_secret
from hypershift.operators.guest_config.rules.callback import Surroundings
from hypershift.operators.guest_config.webhooks import urls_of, why_no_webhook
from hypershift.operators.hypershift import claims, recovery
from hypershift.operators.hypershift.etcd_backup import schedule
from hypershift.operators.hypershift.etcd_backup.rules import credentials
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy.ranges import ranges_of
from hypershift.operators.hypershift.hosted_cluster.rules.validation.bundles import proxy_problem
from hypershift.operators.hypershift.shared_ingress.rules.claims import is_host, is_range
from hypershift.pki import issuer, kubelet_request
from hypershift.platforms.aws.credentials import role_in
from hypershift.platforms.aws.private_link import spec_of
from hypershift.release.capabilities import read_labels
from hypershift.release.documents import BOOT_IMAGES, read_release
from hypershift.release.documents import DOCUMENTS as RELEASE
from hypershift.servers.ignition.request import Unauthenticated, read_request

NEAR: Final = Surroundings(
    "clusters-demo",
    {"hook": True, "etcd-client": False},
    frozenset({"10.96.0.7"}),
    (ipaddress.ip_network("192.0.2.0/24"), ipaddress.ip_network("2001:db8::/32")),
)
NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
#: How each reader says no; anything else is a fault of ours.
REFUSALS: Final = (HypershiftError, Unauthenticated)


def raw(text: str) -> bytes:
    return text.encode(errors="replace")


def signing_request(text: str) -> object:
    spec = {"request": base64.b64encode(raw(text)).decode(), "signerName": text, "usages": [text]}
    metadata = {"name": "csr", "creationTimestamp": "2026-01-01T00:00:00Z"}
    return kubelet_request.read({"metadata": metadata, "spec": spec | {"username": text}}).content()


def bundle(text: str) -> str:
    return proxy_problem("proxy", {"data": {"ca-bundle.crt": text}}, NOW)


def expiry(text: str) -> object:
    try:
        return not_after(raw(text))
    except ValueError:  # its callers know
        return None


def boot_images(text: str) -> object:
    whole = dict.fromkeys(RELEASE, b"{}")
    return read_release("x", whole | {BOOT_IMAGES: raw(text)})


def node(text: str) -> object:
    address = {"type": "InternalIP", "address": text}
    return ranges_of([{"spec": {"podCIDRs": [text]}, "status": {"addresses": [address]}}])


def webhook(text: str) -> str:
    return why_no_webhook(urls_of({"webhooks": [{"clientConfig": {"url": text}}]}), NEAR)


def words_of_a_version_operator(text: str) -> object:
    condition = dict.fromkeys(("type", "status", "reason", "message", "lastTransitionTime"), text)
    history = [dict.fromkeys(("image", "startedTime", "completionTime", "state"), text)]
    known: Manifest = {"status": {"history": history, "conditions": [condition], "desired": text}}
    return status.version_status(known), list(status.conditions(known))


def last_words_of_etcd(text: str) -> bool:
    ended = {"state": {"terminated": {"message": text}}, "name": "etcd"}
    return replacement.Member("etcd-0", {"status": {"containerStatuses": [ended]}}).corrupt


def service_of_a_link(text: str) -> object:
    ingress = [{"hostname": text}]
    section = a_decoded_spec({"platform": {"type": "AWS", "aws": {"region": text}}}).platform
    return spec_of({"status": {"loadBalancer": {"ingress": ingress}}}, section)


def manifest_of_a_cluster(text: str) -> object:
    return recovery.unpacked(gzip.compress(raw(text)))


def record(text: str) -> object:
    found = {"metadata": {"name": connection.RECORD}, "data": {connection.LAST_SUCCEEDED: text}}
    return connection.control_plane_connection([{}], found, NOW)


def row_of_backups(text: str) -> object:
    marks = {annotations.BACKUP_EVERY: text, annotations.BACKUP_KEEP: text}
    found: Manifest = {"metadata": {"name": "a", "annotations": marks}}
    return schedule.number_to_keep(found), schedule.period(found)


def credentials_of_a_store(text: str) -> object:
    coded = base64.b64encode(raw(text)).decode()
    keys = (credentials.FILE, credentials.CLOUD)
    found = [{"metadata": {"name": "s"}, "data": {key: coded}} for key in keys]
    return [one(each) for each in found for one in
            (credentials.aws_credentials, credentials.azure_credentials)]  # fmt: skip


def host_names(text: str) -> object:
    section = {"type": "Route", "route": {"hostname": text}}
    spec = {"services": [{"servicePublishingStrategy": section}], "kubeAPIServerDNSName": text}
    found = claims.Claims([{"metadata": {"namespace": "a", "name": "b"}, "spec": spec}], [])
    return found.refused(Key("c", "d"), a_decoded_name(spec)), is_host(text), is_range(text)


READERS: Final[dict[str, Callable[[str], Any]]] = DOCUMENTS | {
    "kubeconfig": lambda text: inline.checked(raw(text), source="a Secret"),
    "kubeconfig of a receiver": lambda text: inline.check_receiver(raw(text), source="a Secret"),
    "kubeconfig elsewhere": lambda text: inline.at(raw(text), "https://192.0.2.1"),
    "headers of a machine": lambda text: read_request(
        {"Authorization": text, "NodePool": text, "TargetConfigVersionHash": text}
    ),
    "bearer": lambda text: read_request(
        {"Authorization": f"Bearer {base64.b64encode(raw(text)).decode()}", "NodePool": text}
    ),
    "image reference": reference.parse,
    "challenge of a registry": read_challenge,
    "token of a registry": lambda text: read_token(raw(text)),
    "manifest of an image": lambda text: decode(raw(text), ImageManifest, "manifest"),
    "index of an image": lambda text: decode(raw(text), Index, "index"),
    "release": lambda text: read_release("x", dict.fromkeys(RELEASE, raw(text))),
    "boot images": boot_images,
    "labels of an image": read_labels,
    "signing request": signing_request,
    "authorities of a proxy": bundle,
    "certificate's end": expiry,
    "health of an API server": failing_checks,
    "webhook of a guest": webhook,
    "words of a version operator": words_of_a_version_operator,
    "last words of etcd": last_words_of_etcd,
    "verdict of a proof": lambda text: (verdict.read_verdict(text), verdict.read_figures(text)),
    "keys of an issuer": lambda text: issuer.documents("https://issuer.example.com", raw(text)),
    "kubeconfig of OpenShift": lambda text: across_namespaces(raw(text), "clusters-demo"),
    "service of a link": service_of_a_link,
    "node": node,
    "manifest of a cluster": manifest_of_a_cluster,
    "added pull secret": lambda text: pull_secret.merged(b"", raw(text)),
    "record of a checker": record,
    "row of backups": row_of_backups,
    "credentials of a store": credentials_of_a_store,
    "host name": host_names,
    "domain": lambda text: domain_problem({annotations.CLUSTER_DOMAIN: text}, None),
    "answer of a cloud": lambda text: query.parsed(raw(text)),
    "role in a file": role_in,
}
