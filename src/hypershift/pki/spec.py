"""The building blocks of the table of certificates."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hypershift.api.platforms.traits import PlatformTraits, traits_of
from hypershift.pki.leaf import Usage
from hypershift.pki.site import Site

Names = Callable[[Site], Iterable[str]]
Condition = Callable[[Site], bool]

SERVER, CLIENT, PEER = Usage.SERVER, Usage.CLIENT, Usage.PEER


def always(_site: Site) -> bool:
    return True


def on_openshift(site: Site) -> bool:
    return site.openshift


def with_oauth(site: Site) -> bool:
    return site.openshift and site.oauth


def with_storage(site: Site) -> bool:
    return site.openshift and traits_of(site.platform).hosts_storage_operators


def with_ignition(site: Site) -> bool:
    """Hold where an ignition server of the cluster's own answers machines."""
    return site.ignition and not traits_of(site.platform).published_by_provider


def without(capability: str) -> Condition:
    """Hold on OpenShift unless the cluster switched `capability` off."""
    return lambda site: site.openshift and capability not in site.disabled_capabilities


def on_cloud(asks: Callable[[PlatformTraits], bool]) -> Condition:
    """Hold on OpenShift where the cloud answers a question with yes."""
    return lambda site: site.openshift and asks(traits_of(site.platform))


def nothing(_site: Site) -> Iterable[str]:
    return ()


def service(name: str, *, guest: bool = False, local: bool = False) -> Names:
    """The names of a Service in the control plane namespace.

    `guest` adds the names of the same Service in the guest; `local` adds localhost, for containers
    of the same pod.
    """

    def names(site: Site) -> Iterable[str]:
        own = f"{name}.{site.namespace}.svc"
        yield from (name, own, f"{own}.cluster.local")
        if guest:
            yield from (f"{name}.default.svc", f"{name}.default.svc.cluster.local")
        if local:
            yield "localhost"

    return names


def only(*fixed: str) -> Names:
    """Names that are the same in every cluster."""
    return lambda _site: fixed


@dataclass(frozen=True, slots=True)
class AuthoritySpec:
    """An authority and the Secret that keeps it."""

    secret: str
    common_name: str = ""
    unit: str = "openshift"
    when: Condition = always


@dataclass(frozen=True, slots=True)
class BundleSpec:
    """A ConfigMap with the certificates of authorities, and of others where they exist."""

    name: str
    authorities: tuple[str, ...]
    #: (ConfigMap, key) pairs that others write and we append, and where we do.
    also: tuple[tuple[str, str], ...] = ()
    also_when: Condition = always
    when: Condition = always


@dataclass(frozen=True, slots=True)
class LeafSpec:
    """A leaf certificate and the Secret that keeps it."""

    secret: str
    signer: str
    common_name: str
    organizations: tuple[str, ...] = ("kubernetes",)
    usage: Usage = CLIENT
    dns: Names = nothing
    ips: Names = nothing
    #: The name of the data keys; `ca.crt` is added for the ordinary `tls`.
    stem: str = "tls"
    type: str = "Opaque"
    when: Condition = always


def loopback(_site: Site) -> Iterable[str]:
    yield from ("127.0.0.1", "::1")


def loopback4(_site: Site) -> Iterable[str]:
    yield "127.0.0.1"


def rooted(
    secret: str, name: str, *, when: Condition, guest: bool = False, local: bool = False
) -> LeafSpec:
    """Serving certificate of a Service in the control plane namespace, signed by the root."""
    names = service(name, guest=guest, local=local)
    return LeafSpec(secret, "root-ca", name, ("openshift",), PEER, names, when=when)
