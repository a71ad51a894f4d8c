"""Names of Secrets and ConfigMaps in a control plane namespace that are ours and not a user's.

Some copies of users' objects keep the name that the user gave them. Such a name must not be one
that an object of ours has or may have, or the user would choose what our components read.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from hypershift.component.render import constant_object
from hypershift.controlplane import CATALOG
from hypershift.kit import Manifest
from hypershift.operators.hypershift.reserved_names import OF_THE_ORIGINAL
from hypershift.pki import openshift, table
from hypershift.pki.inventory import SERVICE_ACCOUNT_SECRET
from hypershift.pki.succession import SUCCESSION_SECRET

#: Names that follow the cluster: tokens and user data of pools, kubeconfigs of components and of
#: Cluster API, authorities, members and shards of etcd.
PREFIXES: Final = ("token-", "user-data-", "etcd-", "ignition-config-", "awskmskey-", "tuned-")
SUFFIXES: Final = ("-kubeconfig", "-signer")

#: What our operators write beside PKI and components.
OF_OPERATORS: Final = frozenset(
    {
        "admin-kubeconfig",
        "customer-system-admin-client-cert-key",
        "customer-system-admin-signer-ca",
        "ignition-server",
        "ignition-server-ca-cert",
        "ignition-server-serving-cert",
        "kubeadmin-password",
        "pull-secret",
        "sa-signing-key",
        "sre-metric-set",
        "sre-system-admin-client-cert-key",
        "sre-system-admin-signer-ca",
        "ssh-key",
        "user-ca-bundle",
    }
)
_REFERENCES: Final = ("secret", "configMap", "secretRef", "configMapRef")
_KEY_REFERENCES: Final = ("secretKeyRef", "configMapKeyRef")


def reserved(name: str) -> bool:
    """True if an object of ours has that name, or may have it."""
    return name.startswith(PREFIXES) or name.endswith(SUFFIXES) or name in ours()


@cache
def ours() -> frozenset[str]:
    """Every fixed name: of the PKI, of all components and what they mount, of the operators."""
    return OF_THE_ORIGINAL | OF_OPERATORS | frozenset(_pki()) | frozenset(_components())


def _pki() -> Iterator[str]:
    yield from (SERVICE_ACCOUNT_SECRET, SUCCESSION_SECRET)
    for authority in table.AUTHORITIES:
        yield authority.secret
    for bundle in table.BUNDLES:
        yield bundle.name
        yield from (name for name, _ in bundle.also)
    for leaf in (*table.LEAVES, *openshift.OPENSHIFT_LEAVES):
        yield leaf.secret


def _components() -> Iterator[str]:
    for components in CATALOG.values():
        for component in components:
            for asset in (component.workload, *component.manifests):
                yield from _named(constant_object(component, asset))


def _named(manifest: Manifest) -> Iterator[str]:
    """The name of a Secret or ConfigMap, and the names of those that a workload reads."""
    if manifest["kind"] in ("Secret", "ConfigMap"):
        yield manifest["metadata"]["name"]
    yield from referenced(manifest)


def referenced(value: Any) -> Iterator[str]:
    """The Secrets and ConfigMaps that a manifest mounts or takes variables from."""
    if isinstance(value, list):
        for item in value:
            yield from referenced(item)
    elif isinstance(value, dict):
        for field in (*_REFERENCES, *_KEY_REFERENCES):
            source = value.get(field)
            if isinstance(source, dict):
                yield from filter(None, (source.get("secretName"), source.get("name")))
        for inner in value.values():
            yield from referenced(inner)
