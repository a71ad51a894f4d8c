"""Read what the objects inside an OpenShift cluster follow, from its control plane namespace."""

import asyncio
import secrets

from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.api.well_known import (
    KUBEADMIN_PASSWORD,
    OPENSHIFT_APISERVER,
    OPENSHIFT_OAUTH_APISERVER,
    PACKAGESERVER,
    PULL_SECRET,
)
from hypershift.kit import Manifest, bcrypt, data_of
from hypershift.kube import Client, kinds
from hypershift.operators.guest_config.openshift.rules import access, referred
from hypershift.operators.guest_config.openshift.rules.guest import Guest
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.platforms import platform_of
from hypershift.release import Release

NO_ADDRESS = frozenset({"", "None"})
OAUTH_PATH = "/oauth2callback/"
REGISTRY_SECRET_BYTES = 64


async def read_guest(scope: GuestScope, release: Release) -> Guest:
    """One picture of what the inside follows."""
    kube, namespace = scope.kube, scope.namespace
    status = scope.hosted.status
    template = (status.oauth_callback_url_template if status else None) or ""
    ingress = await kube.find(kinds.SECRET, "ingress-crt", namespace)
    password = data_of(await kube.find(kinds.SECRET, KUBEADMIN_PASSWORD, namespace), "password")
    return Guest(
        plane=scope.hosted,
        release_version=release.version,
        components=release.components,
        images=release.images,
        labelled=release.labelled,
        objects=await _referred(scope),
        addresses=await _addresses(kube, namespace),
        root_ca=await _text(kube, namespace, "root-ca", "ca.crt"),
        oauth_ca=await _text(kube, namespace, "oauth-master-ca-bundle", "ca.crt"),
        user_ca=await _text(kube, namespace, "user-ca-bundle", "ca-bundle.crt"),
        signer_ca=await _text(kube, namespace, "kubelet-client-ca", "ca.crt"),
        pull_secret=data_of(await kube.find(kinds.SECRET, PULL_SECRET, namespace), DOCKER_CONFIG),
        ingress_cert={
            key: value for key in ("tls.crt", "tls.key") if (value := data_of(ingress, key))
        },
        oauth_url=template.partition(OAUTH_PATH)[0],
        registry_secret=secrets.token_hex(REGISTRY_SECRET_BYTES),
        password=password,
        password_hash=await _password_hash(scope, password),
    )


async def _referred(scope: GuestScope) -> dict[tuple[str, str], Manifest]:
    """What the user's configuration and the cloud refer to, as far as it is there."""
    wanted = {*referred.reads(scope.wanted), *platform_of(scope.wanted).guest.reads(scope.wanted)}
    resources = {each.kind: each for each in (kinds.SECRET, kinds.CONFIG_MAP)}
    found = {}
    for kind, name in sorted(wanted):
        if name and (one := await scope.kube.find(resources[kind], name, scope.namespace)):
            found[kind, name] = one
    return found


async def _password_hash(scope: GuestScope, password: bytes) -> str:
    """The hash of kubeadmin's password that the cluster has, if it is one, or a new one."""
    if not password:
        return ""
    live = await scope.inside.find(kinds.SECRET, access.ADMINISTRATOR, access.SYSTEM)
    found = data_of(live, access.ADMINISTRATOR).decode(errors="replace")
    # A tenth of a second of one core; what was checked once is remembered.
    if await asyncio.to_thread(bcrypt.matches, found, password):
        return found
    return await asyncio.to_thread(bcrypt.hashed, password)


async def _addresses(kube: Client, namespace: str) -> dict[str, str]:
    found = {}
    for name in (OPENSHIFT_APISERVER, OPENSHIFT_OAUTH_APISERVER, PACKAGESERVER):
        service = await kube.find(kinds.SERVICE, name, namespace)
        address = str(((service or {}).get("spec") or {}).get("clusterIP") or "")
        if address not in NO_ADDRESS:
            found[name] = address
    return found


async def _text(kube: Client, namespace: str, name: str, key: str) -> str:
    found = await kube.find(kinds.CONFIG_MAP, name, namespace)
    return str(((found or {}).get("data") or {}).get(key, ""))
