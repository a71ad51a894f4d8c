"""`create break-glass-credentials` and `create break-glass-revocation`: access that can be ended.

key ─► CertificateSigningRequest ─► CertificateSigningRequestApproval ─► certificate ─► file
"""

import asyncio
import secrets
import sys
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509.oid import NameOID

from hypershift.api.conditions import RevocationCondition, SigningRequestCondition
from hypershift.cli.command import Command
from hypershift.cli.files import write_file
from hypershift.cli.flags import BOOL, DURATION, Flag
from hypershift.cli.management import existing, management
from hypershift.cli.output import to_yaml
from hypershift.cli.typed import Typed
from hypershift.kit import Manifest, UsageError, data_of, documents, key_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import Client, inline, kinds
from hypershift.operators.pki import CLASSES, SignerClass
from hypershift.pki import key_to_pem, new_key
from hypershift.pki.keys import PrivateKey
from hypershift.runtime import condition_of, is_true

GROUP = "certificates.hypershift.openshift.io/v1alpha1"
POLL = 1.0
BY_WORD = {one.prefix: one for one in CLASSES}


@dataclass(frozen=True, slots=True)
class BreakGlass:
    """What both commands of a break-glass signer are given."""

    signer: str
    timeout: timedelta


@dataclass(frozen=True, slots=True)
class Create(BreakGlass):
    """What the command that signs a certificate is given."""

    expiration: timedelta
    kubeconfig: str
    name: str
    namespace: str
    output_file: str


@dataclass(frozen=True, slots=True)
class Revoke(BreakGlass):
    """What the command that revokes a signer is given."""

    kubeconfig: str
    name: str
    namespace: str
    wait: bool


async def create(options: Create) -> int:
    """Get a certificate of a break-glass signer and write a kubeconfig with it."""
    which = _class(options)
    async with management(options.kubeconfig) as client:
        cluster = await existing(client, kinds.HOSTED_CLUSTER, options.name, options.namespace)
        namespace, published = await _plane(client, cluster)
        key, name = new_key(), f"{options.name}-{which.prefix}-{secrets.token_hex(5)}"
        await client.create(_request(which, namespace, name, key, options.expiration))
        await client.create(_approval(namespace, name))
        signed = await _wait(options, f"certificate {name}", lambda: _certificate(client, name))
    text = to_yaml(_kubeconfig(published, name, signed, key_to_pem(key)))
    if not options.output_file:
        sys.stdout.write(text)
        return 0
    write_file(options.output_file, text, private=True)
    sys.stderr.write(f"{options.output_file}: credentials of signer {which.name}\n")
    return 0


async def revoke(options: Revoke) -> int:
    """Make every certificate of a break-glass signer invalid."""
    which = _class(options)
    async with management(options.kubeconfig) as client:
        cluster = await existing(client, kinds.HOSTED_CLUSTER, options.name, options.namespace)
        namespace = _namespace(cluster)
        name = f"{which.prefix}-{secrets.token_hex(5)}"
        await client.create(_revocation(namespace, name, which))
        sys.stderr.write(f"certificaterevocationrequest {namespace}/{name} created\n")
        if options.wait:
            await _wait(options, f"revocation {name}", lambda: _revoked(client, namespace, name))
            sys.stderr.write(f"every certificate of {which.name} from before is refused\n")
    return 0


def _class(options: BreakGlass) -> SignerClass:
    which = BY_WORD.get(options.signer.removesuffix("-break-glass"))
    if which is None:
        raise UsageError(f"--signer: {options.signer!r} is neither customer nor sre")
    return which


def _namespace(cluster: Manifest) -> str:
    return control_plane_namespace(key_of(cluster))


async def _plane(client: Client, cluster: Manifest) -> tuple[str, Manifest]:
    """The control plane namespace, and the published kubeconfig with the API server's address."""
    reference = (cluster.get("status") or {}).get("kubeconfig")
    if not reference:
        name = cluster["metadata"]["name"]
        raise UsageError(f"hostedcluster {name} has not published a kubeconfig yet")
    place = cluster["metadata"]["namespace"]
    content = data_of(await client.get(kinds.SECRET, reference["name"], place), "kubeconfig")
    inline.checked(content, source=f"kubeconfig of hostedcluster {cluster['metadata']['name']}")
    return _namespace(cluster), documents.read(content)


def _request(
    which: SignerClass, namespace: str, name: str, key: PrivateKey, life: timedelta
) -> Manifest:
    pairs = (
        (NameOID.ORGANIZATION_NAME, "system:masters"),
        (NameOID.COMMON_NAME, f"{which.common_name_prefix}{secrets.token_hex(8)}"),
    )
    subject = x509.Name([x509.NameAttribute(oid, text) for oid, text in pairs])
    builder = x509.CertificateSigningRequestBuilder().subject_name(subject)
    pem = builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    return {
        "apiVersion": "certificates.k8s.io/v1",
        "kind": "CertificateSigningRequest",
        "metadata": {"name": name},
        "spec": {
            "request": b64encode(pem).decode(),
            "signerName": which.signer_name(namespace),
            "usages": ["client auth"],
            "expirationSeconds": int(life.total_seconds()),
        },
    }


def _approval(namespace: str, name: str) -> Manifest:
    kind = kinds.CERTIFICATE_SIGNING_REQUEST_APPROVAL.kind
    return {
        "apiVersion": GROUP,
        "kind": kind,
        "metadata": {"name": name, "namespace": namespace},
    }


def _revocation(namespace: str, name: str, which: SignerClass) -> Manifest:
    kind = kinds.CERTIFICATE_REVOCATION_REQUEST.kind
    return {
        "apiVersion": GROUP,
        "kind": kind,
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"signerClass": which.name},
    }


async def _certificate(client: Client, name: str) -> bytes | None:
    found = await client.get(kinds.CERTIFICATE_SIGNING_REQUEST, name)
    for word in (SigningRequestCondition.DENIED, SigningRequestCondition.FAILED):
        if condition := condition_of(found, word):
            raise UsageError(f"request {name}: {word.value}: {condition.get('message', '')}")
    return b64decode((found.get("status") or {}).get("certificate") or "") or None


async def _revoked(client: Client, namespace: str, name: str) -> bytes | None:
    resource = kinds.CERTIFICATE_REVOCATION_REQUEST
    found = await client.get(resource, name, namespace)
    return b"yes" if is_true(found, RevocationCondition.PREVIOUS_CERTIFICATES_REVOKED) else None


async def _wait(
    options: BreakGlass, what: str, look: Callable[[], Awaitable[bytes | None]]
) -> bytes:
    """Look until there is an answer, for as long as the user waits."""
    limit: timedelta = options.timeout
    try:
        async with asyncio.timeout(limit.total_seconds()):
            while (found := await look()) is None:  # noqa: ASYNC110 - the API server is polled
                await asyncio.sleep(POLL)
    except TimeoutError:
        raise UsageError(f"{what} is not there after {limit}: does the operator run?") from None
    return found


def _kubeconfig(published: Manifest, user: str, certificate: bytes, key: bytes) -> dict[str, Any]:
    """The published way to the API server, with this identity."""
    credentials = {
        "client-certificate-data": b64encode(certificate).decode(),
        "client-key-data": b64encode(key).decode(),
    }
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "cluster", "cluster": published["clusters"][0]["cluster"]}],
        "users": [{"name": user, "user": credentials}],
        "contexts": [{"name": "break-glass", "context": {"cluster": "cluster", "user": user}}],
        "current-context": "break-glass",
    }


_COMMON = (
    Flag("name", "Name of the cluster", required=True),
    Flag("namespace", "Namespace of the cluster", default="clusters"),
    Flag("signer", "Whose signer: customer or sre", default="customer"),
    Flag("kubeconfig", "Kubeconfig of the management cluster"),
)

CREATE = Command(
    "break-glass-credentials",
    "A kubeconfig of a break-glass signer",
    description=(
        "Makes a key, requests and approves a certificate for it, and writes a kubeconfig.\n"
        "The key never leaves this machine. The credentials are a cluster administrator's; they\n"
        "end by themselves, or all at once with `create break-glass-revocation`."
    ),
    examples="""\
  # an administrator's kubeconfig for two hours, readable by its owner alone
  hypershift create break-glass-credentials --name demo --expiration 2h \\
    --output-file demo.kubeconfig""",
    flags=(
        *_COMMON,
        Flag("output-file", "File to write (mode 0600); without it the kubeconfig is printed"),
        Flag(
            "expiration",
            "How long the credentials live, 10m to 36h",
            DURATION,
            default=timedelta(hours=36),
        ),
        Flag("timeout", "How long to wait", DURATION, default=timedelta(minutes=2)),
    ),
    run=Typed(Create, create),
)

REVOKE = Command(
    "break-glass-revocation",
    "End what a break-glass signer signed",
    examples="""\
  # end all access by the customer's signer, and wait until every API server refuses it
  hypershift create break-glass-revocation --name demo --signer customer --wait""",
    flags=(
        *_COMMON,
        Flag("wait", "Wait until old certificates are refused", BOOL),
        Flag("timeout", "How long to wait", DURATION, default=timedelta(minutes=15)),
    ),
    run=Typed(Revoke, revoke),
)
