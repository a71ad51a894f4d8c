"""Publish a control plane, and give it the keys, certificates and pods that make it one."""

import secrets as randomness
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta

from hypershift.api import annotations
from hypershift.api.cluster_domain import cluster_domain
from hypershift.api.configuration.ingress import Ingress
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.api.well_known import KUBE_APISERVER, KUBEADMIN_PASSWORD, PULL_SECRET
from hypershift.component import (
    View,
    apply_components,
    etcd_shards,
    versions,
    with_objects,
)
from hypershift.controlplane import kube_apiserver
from hypershift.kit import Manifest, side_by_side
from hypershift.kube import Client, kinds
from hypershift.operators.controlplane.routing import beside, publish_names, publish_routes
from hypershift.operators.controlplane.rules import conditions as rules
from hypershift.operators.controlplane.rules.publication import aggregated_services
from hypershift.operators.controlplane.rules.services import services
from hypershift.operators.controlplane.scope import PlaneScope
from hypershift.operators.controlplane.status import configures_oauth, find_addresses
from hypershift.pki import Policy, Site, by_kind_and_name, wanted
from hypershift.runtime import Done, Outcome, Stop

AGAIN = timedelta(seconds=15)
#: Without letters and digits that people mistake for each other.
PASSWORD_ALPHABET = "23456789abcdefghijkmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ"  # noqa: S105 - no secret
PASSWORD_LENGTH = 23
PASSWORD_DASHES = (5, 11, 17)


async def publish_services(scope: PlaneScope) -> Outcome:
    """Write the Services and Routes by which the control plane is reached."""
    found = services(
        scope.wanted, scope.namespace, oauth=scope.oauth, annotations=scope.annotations
    )
    openshift = scope.release is not None and scope.release.openshift
    aggregated = aggregated_services(scope.namespace, oauth=scope.oauth) if openshift else ()
    asked = (*found, *aggregated)
    wanted = [*map(scope.owned, asked), *await publish_names(scope)]
    for live in await scope.kube.apply_all(wanted):
        scope.services[live["metadata"]["name"]] = live
    await publish_routes(scope)
    return Done()


async def await_addresses(scope: PlaneScope) -> Outcome:
    """Certificates and kubeconfigs carry the published names: nothing more without those."""
    await find_addresses(scope)
    missing = scope.broken or scope.waiting
    return Stop("AwaitingAddresses", missing, AGAIN) if missing else Done()


async def issue_certificates(scope: PlaneScope) -> Outcome:
    """Create and renew every key and certificate of the table."""
    maps = await scope.kube.each(kinds.CONFIG_MAP, scope.namespace)
    existing = by_kind_and_name([*scope.secrets.values(), *maps])
    plan = wanted(site(scope), scope.succession)
    changes = await scope.environment.issue(existing, plan, scope.clock.now())
    scope.issued = bool(changes)
    for live in await write_issued(scope.kube, changes, existing):
        if live["kind"] == "Secret":
            scope.secrets[live["metadata"]["name"]] = live
    return Done()


async def write_issued(
    kube: Client, changes: Iterable[Manifest], existing: Mapping[tuple[str, str], Manifest]
) -> list[Manifest]:
    """Write keys and certificates; a Secret that is not in the cache is never overwritten.

    It may be the user's, or of an earlier pass: its clients would lose access.
    """

    async def write(manifest: Manifest) -> Manifest:
        known = (manifest["kind"], manifest["metadata"]["name"]) in existing
        return await (kube.apply(manifest) if known else kube.create(manifest))

    return await side_by_side(write, changes)


def site(scope: PlaneScope) -> Site:
    """What the certificates need to know about the control plane."""
    spec, view = scope.wanted, scope.view()
    operators = spec.operator_configuration
    network = operators.cluster_network_operator if operators else None
    return Site(
        namespace=scope.namespace,
        name=scope.key.name,
        openshift=view.openshift,
        platform=view.platform,
        api_host=scope.infra.api_host,
        konnectivity_host=scope.infra.konnectivity_host,
        oauth_host=scope.infra.oauth_host,
        ingress_domain=ingress_domain(spec, scope.key.name),
        cluster_domain=cluster_domain(scope.plane.metadata.annotations),
        advertise_address=view.advertise_address,
        service_cidrs=view.service_cidrs,
        etcd_shards=tuple(shard.name for shard in etcd_shards.managed_shards(spec)),
        federated=view.federated,
        has_own_token_key=spec.service_account_signing_key is not None,
        oauth=scope.oauth,
        ignition=annotations.DISABLE_IGNITION_SERVER not in scope.annotations,
        disabled_capabilities=frozenset(spec.capabilities.disabled if spec.capabilities else ()),
        multus=network is None or not network.disable_multi_network,
        policy=Policy.from_annotations(scope.annotations),
        owner=scope.owner_reference(),
    )


def ingress_domain(spec: HostedControlPlaneSpec, name: str) -> str:
    """Under which domain the guest's applications are reached."""
    configured = (spec.configuration.ingress if spec.configuration else None) or Ingress()
    if chosen := configured.apps_domain or configured.domain:
        return chosen
    prefix = spec.dns.base_domain_prefix
    parts = ("apps", name if prefix is None else prefix, spec.dns.base_domain)
    return ".".join(part for number, part in enumerate(parts) if part or number != 1)


async def give_pull_secret(scope: PlaneScope) -> Outcome:
    """Let pods without an account of their own pull images too."""
    account = {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": {"name": "default", "namespace": scope.namespace},
        "imagePullSecrets": [{"name": PULL_SECRET}],
    }
    await scope.kube.apply(account)
    return Done()


async def keep_password(scope: PlaneScope) -> Outcome:
    """Make the first administrator's password once, unless the user configured how to log in."""
    explicit = configures_oauth(scope.wanted)
    found = scope.secrets.get(KUBEADMIN_PASSWORD)
    if not scope.oauth:
        return Done()
    if explicit and found:
        await scope.kube.delete(kinds.SECRET, KUBEADMIN_PASSWORD, scope.namespace)
    elif not explicit and found is None:
        await scope.kube.create(scope.owned(_password(scope.namespace)))
    elif not explicit and found and not (found.get("data") or {}).get("password"):
        await scope.kube.apply(scope.owned(_password(scope.namespace)))
    return Done()


async def run_components(scope: PlaneScope) -> Outcome:
    """Bring every component to its rendering; the failure of one never stops another."""
    now, rest = scope.clock.now(), scope.environment.rest
    objects = await versions(scope.view(), scope.kube)
    if rest.holds(scope.view(), objects, now):
        scope.conditions.set(rules.release_info(()))
        return Done()
    view = await _with_ending_servers(scope, await with_objects(scope.view(), scope.kube))
    view = replace(view, objects={**view.objects, **by_kind_and_name(await beside(scope))})
    catalog = scope.environment.catalog(view.product, view.spec)
    statuses = await apply_components(catalog, view, scope.kube, now)
    scope.worked = True
    missing = view.release.missing({name for status in statuses for name in status.images})
    scope.conditions.set(rules.release_info(missing))
    ready = not missing and all(status.ready for status in statuses if status.enabled)
    if ready and not kube_apiserver.changes_key(view):
        rest.begin(scope.view(), objects, now)
    return Done()


async def _with_ending_servers(scope: PlaneScope, view: View) -> View:
    """Show the API server's pods while a key is being changed: those that end still answer."""
    if not kube_apiserver.changes_key(view):
        return view
    pods = await scope.context.live.list(kinds.POD, scope.namespace, labels=f"app={KUBE_APISERVER}")
    return replace(view, objects={**view.objects, **by_kind_and_name(pods)})


def _password(namespace: str) -> Manifest:
    text = "".join(_password_characters())
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": KUBEADMIN_PASSWORD, "namespace": namespace},
        "type": "Opaque",
        "data": {"password": b64encode(text.encode()).decode()},
    }


def _password_characters() -> Iterator[str]:
    for position in range(PASSWORD_LENGTH):
        yield "-" if position in PASSWORD_DASHES else randomness.choice(PASSWORD_ALPHABET)
