"""The controller of break-glass signers: one pass keeps them, and answers requests for them."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from hypershift.api.conditions import Owner
from hypershift.kit import Key, Manifest
from hypershift.kube import Resource, kinds
from hypershift.kube.cache import BY_NAMESPACE
from hypershift.operators.pki import requests, signers
from hypershift.operators.pki.rules.signer import namespace_of
from hypershift.operators.pki.scope import Environment, SignerScope, scope_in
from hypershift.runtime import Controller, Phase, Watch, mapping

NAME = Owner.PKI.value
PASS = timedelta(minutes=2)

NORMAL: Sequence[Phase[SignerScope]] = (
    signers.leave_foreign_pki,
    signers.observe,
    signers.keep_signers,
    signers.publish_trust,
    signers.keep_clients,
    requests.approve_requests,
    requests.sign_requests,
)


def controller(environment: Environment, namespace: str = "") -> Controller[SignerScope]:
    """The signers of one control plane namespace, or of all."""
    index = BY_NAMESPACE.name
    return Controller(
        name=NAME,
        resource=kinds.HOSTED_CONTROL_PLANE,
        scope=scope_in(environment),
        normal=NORMAL,
        namespace=namespace,
        watches=(
            Watch(kinds.SECRET, _ours(kinds.SECRET), through=index),
            Watch(kinds.CONFIG_MAP, _ours(kinds.CONFIG_MAP), through=index),
            Watch(kinds.CERTIFICATE_SIGNING_REQUEST, to_namespace, through=index),
            Watch(kinds.CERTIFICATE_SIGNING_REQUEST_APPROVAL, mapping.its_namespace, through=index),
            Watch(kinds.CERTIFICATE_REVOCATION_REQUEST, mapping.its_namespace, through=index),
        ),
        honour_pause=False,
        stop_on_error=True,
        timeout=PASS,
    )


def to_namespace(manifest: Manifest) -> Iterator[Key]:
    """The namespace of the control plane whose signer a request names."""
    if namespace := namespace_of(manifest["spec"].get("signerName", "")):
        yield Key("", namespace)


def _ours(resource: Resource) -> mapping.Keys:
    names = frozenset(signers.names_of(resource))

    def keys(manifest: Manifest) -> Iterator[Key]:
        if manifest["metadata"]["name"] in names:
            yield from mapping.its_namespace(manifest)

    return keys
