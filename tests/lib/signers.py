"""A control plane around break-glass signers: its API servers, and people who ask for access."""

import asyncio
from base64 import b64encode
from contextlib import suppress
from datetime import UTC, datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509.oid import NameOID

from hypershift.api import annotations
from hypershift.kit import Manifest, annotations_of
from hypershift.kube import ApiError, Client, Unavailable, kinds
from hypershift.operators.pki import SignerClass
from hypershift.operators.pki.rules import rotation
from hypershift.operators.pki.rules.signer import TOTAL_BUNDLE
from hypershift.operators.pki.verify import Replica
from hypershift.pki import KeyPair, certificate_from_pem, new_authority, new_key
from hypershift.pki.keys import PrivateKey

NAMESPACE, NAME = "clusters-blue", "blue"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def a_plane(namespace: str = NAMESPACE, name: str = NAME, **annotations: str) -> Manifest:
    return {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedControlPlane",
        "metadata": {"name": name, "namespace": namespace, "annotations": dict(annotations)},
        "spec": {"releaseImage": "registry.example/release:1.35.8"},
    }


def a_revocation(
    signer_class: str, name: str = "compromised", namespace: str = NAMESPACE
) -> Manifest:
    return {
        "apiVersion": "certificates.hypershift.openshift.io/v1alpha1",
        "kind": "CertificateRevocationRequest",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"signerClass": signer_class},
    }


def an_approval(name: str, namespace: str = NAMESPACE) -> Manifest:
    return {
        "apiVersion": "certificates.hypershift.openshift.io/v1alpha1",
        "kind": "CertificateSigningRequestApproval",
        "metadata": {"name": name, "namespace": namespace},
    }


def pkcs10(
    common_name: str,
    *,
    organizations: tuple[str, ...] = ("system:masters",),
    alternative: str = "",
    key: PrivateKey | None = None,
) -> bytes:
    """A request as openssl would make it."""
    names = [x509.NameAttribute(NameOID.ORGANIZATION_NAME, one) for one in organizations]
    names.append(x509.NameAttribute(NameOID.COMMON_NAME, common_name))
    builder = x509.CertificateSigningRequestBuilder().subject_name(x509.Name(names))
    if alternative:
        extension = x509.SubjectAlternativeName([x509.DNSName(alternative)])
        builder = builder.add_extension(extension, critical=False)
    signed = builder.sign(key or new_key(), hashes.SHA256())
    return signed.public_bytes(serialization.Encoding.PEM)


def a_request(
    which: SignerClass,
    name: str = "alice",
    *,
    namespace: str = NAMESPACE,
    common_name: str = "",
    usages: tuple[str, ...] = ("client auth",),
    request: bytes = b"",
    seconds: int | None = None,
) -> Manifest:
    text = request or pkcs10(common_name or f"{which.common_name_prefix}{name}")
    spec = {
        "request": b64encode(text).decode(),
        "signerName": which.signer_name(namespace),
        "usages": list(usages),
    }
    if seconds is not None:
        spec["expirationSeconds"] = seconds  # type: ignore[assignment]
    return {
        "apiVersion": "certificates.k8s.io/v1",
        "kind": "CertificateSigningRequest",
        "metadata": {"name": name},
        "spec": spec,
    }


def deployment(replicas: int) -> Manifest:
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "kube-apiserver", "namespace": NAMESPACE},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": "kube-apiserver"}},
            "template": {"metadata": {"labels": {"app": "kube-apiserver"}}, "spec": {}},
        },
    }


def pod(number: int) -> Manifest:
    port = {"name": "client", "containerPort": 6443}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": f"kube-apiserver-{number}",
            "namespace": NAMESPACE,
            "labels": {"app": "kube-apiserver"},
        },
        "spec": {"containers": [{"name": "kube-apiserver", "image": "i", "ports": [port]}]},
    }


def pod_status(number: int) -> Manifest:
    ready = {"type": "Ready", "status": "True"}
    return {"podIP": f"10.0.0.{number + 1}", "conditions": [ready]}


def root_authority() -> Manifest:
    pem = new_authority("root-ca", NOW).pem
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "root-ca", "namespace": NAMESPACE},
        "data": {"ca.crt": b64encode(pem).decode()},
    }


class Servers:
    """API servers that read the trust bundle from time to time, each on its own."""

    def __init__(self, client: Client, count: int = 2, delay: float = 20.0) -> None:
        """Read the bundle as `client`; each replica is later than the one before."""
        self._client, self._delay = client, delay
        self._trusted: list[list[x509.Certificate]] = [[] for _ in range(count)]
        self.down = False

    async def prepare(self) -> None:
        """Make the objects that tell of them."""
        space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
        await self._client.create(space)
        await self._client.create(root_authority())
        await self._client.create(deployment(len(self._trusted)))
        for number in range(len(self._trusted)):
            made = await self._client.create(pod(number))
            await self._client.replace_status(made | {"status": pod_status(number)})

    async def run(self) -> None:
        """Reread for ever."""
        while True:
            for number in range(len(self._trusted)):
                await asyncio.sleep(self._delay / len(self._trusted))
                with suppress(ApiError):
                    await self.reread(number)

    async def reread(self, number: int) -> None:
        found = await self._client.find(kinds.CONFIG_MAP, TOTAL_BUNDLE, NAMESPACE)
        self._trusted[number] = rotation.certificates(found)

    async def follow(self) -> None:
        """Reread as kubelets do that look at a pod when it is made and when it changes."""
        seen: dict[int, str] = {}
        while True:
            await asyncio.sleep(1)
            with suppress(ApiError):
                await self._publish()
                for number in range(len(self._trusted)):
                    found = await self._client.get(kinds.POD, f"kube-apiserver-{number}", NAMESPACE)
                    asked = annotations_of(found).get(annotations.CLIENT_AUTHORITIES_ASKED, "")
                    if seen.get(number) != asked:
                        await self.reread(number)
                        seen[number] = asked

    async def _publish(self) -> None:
        """Take the bundle into the authorities of clients, as the control plane's operator does."""
        found = await self._client.get(kinds.CONFIG_MAP, TOTAL_BUNDLE, NAMESPACE)
        await self._client.apply(
            {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": {"name": "client-ca", "namespace": NAMESPACE},
                "data": {"ca.crt": found["data"]["ca-bundle.crt"]},
            }
        )

    async def check(self, replica: Replica, root: bytes, pair: KeyPair) -> bool:
        """Answer as an API server does that verifies a client's certificate."""
        del root
        if self.down:
            raise Unavailable(0, "", "connection refused")
        return self.accepts(int(replica.pod.rpartition("-")[2]), pair.certificate)

    def accepts(self, number: int, certificate: bytes) -> bool:
        """Whether a replica knows the signer of a certificate."""
        read = certificate_from_pem(certificate)
        return read is not None and rotation.verifies(read, self._trusted[number])

    def accepted_anywhere(self, certificate: bytes) -> bool:
        """Whether any replica still lets a certificate in."""
        return any(self.accepts(number, certificate) for number in range(len(self._trusted)))

    def accepted_everywhere(self, certificate: bytes) -> bool:
        """Whether each replica lets a certificate in."""
        return all(self.accepts(number, certificate) for number in range(len(self._trusted)))
