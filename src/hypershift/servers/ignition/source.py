"""Finds a machine's token Secret and gathers what its payload is rendered from."""

import asyncio
from base64 import b64decode
from datetime import datetime

from hypershift.api import HostedControlPlane, NodePool, read
from hypershift.api.cluster_domain import cluster_domain
from hypershift.api.configuration.proxy import Proxy
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.api.well_known import PULL_SECRET
from hypershift.ignition import fingerprint, render, token, trust
from hypershift.ignition.containerd import Mirror
from hypershift.kit import (
    InvalidSpec,
    Key,
    Manifest,
    Secret,
    TransientError,
    annotations_of,
    canonical_cidr,
    data_of,
    from_rfc3339,
)
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import Client, Resource, inline, kinds
from hypershift.platforms import cluster_proxy
from hypershift.release import Lookup, Release
from hypershift.servers.ignition.request import PayloadRequest
from hypershift.servers.ignition.settings import Settings


class NotYet(TransientError):
    """Something that the payload needs is not there, or is about to change."""


def is_token(secret: Manifest) -> bool:
    """Whether a Secret is a pool's token."""
    name: str = secret["metadata"]["name"]
    return name.startswith("token-") and (
        annotations_of(secret).get(token.IGNITION_CONFIG) == "true"
    )


def has_expired(secret: Manifest, now: datetime) -> bool:
    """Whether a token's time is over; a time that cannot be read is over."""
    expiry = annotations_of(secret).get(token.EXPIRES_AT)
    if expiry is None:
        return False
    try:
        return from_rfc3339(expiry) <= now
    except ValueError:
        return True


def admits(secret: Manifest, asked: PayloadRequest) -> bool:
    """Whether the token shown is the Secret's, or the one before it; in constant time."""
    shown = asked.token.reveal().encode()
    current, old = (data_of(secret, key) for key in (token.TOKEN, token.OLD_TOKEN))
    matches = Secret(current).matches(shown), Secret(old).matches(shown)
    return bool(shown) and any(matches)


class Source:
    """Reads the API on behalf of machines."""

    def __init__(self, kube: Client, releases: Lookup, settings: Settings) -> None:
        """Look releases up in `releases`, all else in `kube`."""
        self._kube, self._releases, self._settings = kube, releases, settings

    async def secret_of(self, asked: PayloadRequest) -> Manifest | None:
        """The token Secret that the request names and may use."""
        if asked.pool is None or not asked.config_hash:
            return None
        namespace = await self._namespace(asked.pool)
        if not namespace:
            return None
        name = token.token_name(asked.pool.name, asked.config_hash)
        return await self._kube.find(kinds.SECRET, name, namespace)

    async def _namespace(self, pool: Key) -> str:
        """The control plane namespace of a pool's cluster."""
        if not self._settings.shared:
            return self._settings.control_plane
        found = await self._kube.find(kinds.NODE_POOL, pool.name, pool.namespace)
        if found is None:
            return ""
        return control_plane_namespace(Key(pool.namespace, read(NodePool, found).spec.cluster_name))

    async def payload(self, secret: Manifest) -> bytes:
        """Render what the machines of a token boot with."""
        facts = await self.facts(secret)
        return await asyncio.to_thread(render.payload, facts)

    async def facts(self, secret: Manifest) -> render.Facts:
        """Gather what the payload follows; `NotYet` when the control plane is not there yet."""
        namespace = secret["metadata"]["namespace"]
        control_plane = await self._control_plane(namespace)
        pull_secret = await self._pull_secret(secret, namespace)
        release = await self._release(secret, pull_secret)
        kubeconfig = await self._value(kinds.SECRET, "bootstrap-kubeconfig", namespace)
        authority = await self._value(kinds.CONFIG_MAP, "kubelet-client-ca", namespace)
        domain = cluster_domain(control_plane.metadata.annotations)
        return render.Facts(
            config=token.unpacked(data_of(secret, token.CONFIG)).decode(),
            images=release.images,
            kubeconfig=_bootstrap(b64decode(kubeconfig["kubeconfig"])),
            authority=authority["ca.crt"],
            service_networks=_service_networks(control_plane),
            pull_secret=pull_secret,
            mirrors=self._mirrors(),
            trust_bundle=await self._trust_bundle(secret, control_plane),
            proxy=cluster_proxy(control_plane.spec, domain).variables,
            cluster_domain=domain,
        )

    async def _control_plane(self, namespace: str) -> HostedControlPlane:
        found = await self._kube.list(kinds.HOSTED_CONTROL_PLANE, namespace)
        if not found:
            raise NotYet(f"there is no hosted control plane in {namespace}")
        return read(HostedControlPlane, found[0])

    async def _pull_secret(self, secret: Manifest, namespace: str) -> Secret[bytes]:
        data = await self._value(kinds.SECRET, PULL_SECRET, namespace)
        content = b64decode(data.get(DOCKER_CONFIG, ""))
        if fingerprint.of_bytes(content) != data_of(secret, token.PULL_SECRET_HASH).decode():
            raise NotYet("pull secret hash mismatch: the control plane's copy is on its way")
        return Secret(content)

    async def _release(self, secret: Manifest, pull_secret: Secret[bytes]) -> Release:
        image = data_of(secret, token.RELEASE).decode()
        release = await self._releases.lookup(image, pull_secret)
        if release.openshift:
            raise InvalidSpec(
                "payloads of OpenShift need the release's own machine-config binaries"
            )
        return release

    async def _trust_bundle(self, secret: Manifest, control_plane: HostedControlPlane) -> str:
        namespace = control_plane.metadata.namespace
        texts = []
        for name in ("user-ca-bundle", _proxy_authorities(control_plane)):
            found = await self._kube.find(kinds.CONFIG_MAP, name, namespace) if name else None
            texts.append(((found or {}).get("data") or {}).get("ca-bundle.crt", ""))
        bundle = trust.bundle(*texts)
        if fingerprint.of_text(bundle) != data_of(secret, token.TRUST_BUNDLE_HASH).decode():
            raise NotYet("trust bundle hash mismatch: the control plane's copy is on its way")
        return bundle

    async def _value(self, kind: Resource, name: str, namespace: str) -> dict[str, str]:
        found = await self._kube.find(kind, name, namespace)
        if found is None:
            raise NotYet(f"{kind.kind} {namespace}/{name} is not there yet")
        return found.get("data") or {}

    def _mirrors(self) -> tuple[Mirror, ...]:
        mirrors = sorted(self._settings.registry_mirrors.items())
        return tuple(Mirror(host, (url,)) for host, url in mirrors)


def _service_networks(control_plane: HostedControlPlane) -> tuple[str, ...]:
    networking = control_plane.spec.networking
    entries = networking.service_network if networking else None
    return tuple(canonical_cidr(each.cidr) for each in entries or ())


def _proxy_section(control_plane: HostedControlPlane) -> Proxy | None:
    configuration = control_plane.spec.configuration
    return configuration.proxy if configuration else None


def _proxy_authorities(control_plane: HostedControlPlane) -> str:
    """The ConfigMap with the authorities of the cluster's proxy; empty for none."""
    proxy = _proxy_section(control_plane)
    return proxy.trusted_ca.name if proxy and proxy.trusted_ca else ""


def _bootstrap(content: bytes) -> Manifest:
    """The kubeconfig for new machines, checked: kubelet would run programs that it names."""
    return inline.checked(content, source="bootstrap-kubeconfig")
