"""Removes webhooks of a hosted cluster that would make its API server call the management side."""

import ipaddress
from collections.abc import AsyncIterator, Iterable, Iterator
from datetime import timedelta
from typing import Final

from hypershift.api import annotations, labels
from hypershift.kit import Manifest, labels_of
from hypershift.kube import ApiError, Client, NotFound, Resource, kinds
from hypershift.kube.shape import Path
from hypershift.operators.guest_config.rules.callback import Network, Surroundings, why_refused
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.runtime import Done, Outcome, Wait

#: What is followed of each kind, and where its webhooks stand.
ADMISSION: Final = (kinds.VALIDATING_WEBHOOK_CONFIGURATION, kinds.MUTATING_WEBHOOK_CONFIGURATION)
ADMISSION_FIELDS: Final[tuple[Path, ...]] = (("webhooks",),)
CONVERSION_FIELDS: Final[tuple[Path, ...]] = (("spec", "conversion"),)
#: A pass removes so many; the rest waits for the next one.
MOST = 20
AGAIN = timedelta(seconds=1)
RETRY = timedelta(seconds=5)
REASON = "WebhookRefused"
_LONGEST_NAME = 200


async def refuse_webhooks(scope: GuestScope) -> Outcome:
    """Delete admission webhooks and disable conversion webhooks that call where they must not."""
    try:
        near = await _surroundings(scope)
        found = [one async for one in _refused(scope.inside, near)]
        for resource, manifest, why in found[:MOST]:
            await _remove(scope, resource, manifest, why)
    except ApiError as error:
        return Wait("WebhooksNotChecked", after=RETRY, error=error)
    return Wait("MoreWebhooks", after=AGAIN) if len(found) > MOST else Done()


async def _refused(
    guest: Client, near: Surroundings
) -> AsyncIterator[tuple[Resource, Manifest, str]]:
    for resource in ADMISSION:
        for manifest in await guest.list(resource, only=ADMISSION_FIELDS):
            if why := why_no_webhook(urls_of(manifest), near):
                yield resource, manifest, why
    crd = kinds.CUSTOM_RESOURCE_DEFINITION
    for manifest in await guest.list(crd, only=CONVERSION_FIELDS):
        if why := why_no_webhook(conversion_url(manifest), near):
            yield crd, manifest, why


def why_no_webhook(urls: Iterable[str], near: Surroundings) -> str:
    """Return why webhooks with these URLs are refused; empty if none is."""
    return next((why for url in urls if (why := why_refused(url, near))), "")


def urls_of(manifest: Manifest) -> Iterator[str]:
    """The URLs of an admission configuration; webhooks with a Service have none."""
    for webhook in manifest.get("webhooks") or ():
        if url := (webhook.get("clientConfig") or {}).get("url"):
            yield str(url)


def conversion_url(manifest: Manifest) -> Iterator[str]:
    """The URL of a CRD's conversion webhook, if it has one."""
    conversion = (manifest.get("spec") or {}).get("conversion") or {}
    client = (conversion.get("webhook") or {}).get("clientConfig") or {}
    if url := client.get("url"):
        yield str(url)


async def _surroundings(scope: GuestScope) -> Surroundings:
    services = await scope.kube.each(kinds.SERVICE, scope.namespace)
    addresses = {address for one in services for address in _addresses(one)}
    return Surroundings(
        scope.namespace,
        {
            one["metadata"]["name"]: labels.ALLOW_GUEST_WEBHOOKS in labels_of(one)
            for one in services
        },
        frozenset(addresses),
        _management_networks(scope),
    )


def _management_networks(scope: GuestScope) -> tuple[Network, ...]:
    """The ranges that the operator was configured with; it hands them to every control plane."""
    ranges = (scope.hosted.metadata.annotations or {}).get(annotations.MANAGEMENT_NETWORKS, "")
    return tuple(ipaddress.ip_network(one, strict=False) for one in ranges.split(",") if one)


def _addresses(service: Manifest) -> Iterator[str]:
    if labels.ALLOW_GUEST_WEBHOOKS not in labels_of(service):
        spec = service.get("spec") or {}
        yield from spec.get("clusterIPs") or ([spec["clusterIP"]] if spec.get("clusterIP") else ())


async def _remove(scope: GuestScope, resource: Resource, manifest: Manifest, why: str) -> None:
    metadata = manifest["metadata"]
    name, uid = metadata["name"], metadata.get("uid", "")
    deletes = resource in ADMISSION
    try:
        if deletes:
            await scope.inside.delete(resource, name, uid=uid)
        else:
            patch = {"spec": {"conversion": {"strategy": "None", "webhook": None}}}
            await scope.inside.patch(resource, name, patch)
    except NotFound:
        return
    done = "deleted" if deletes else "left without conversion"
    text = f"{resource.kind} {name[:_LONGEST_NAME]} was {done}: {why[:_LONGEST_NAME]}"
    scope.log.warning("webhook of a hosted cluster was refused", text=text)
    await scope.events.warning(REASON, text)
    await _tell_guest(scope, manifest, text)


async def _tell_guest(scope: GuestScope, manifest: Manifest, text: str) -> None:
    """Tell the cluster's own admins, beside the object."""
    await scope.events.inside(scope.inside, manifest).warning(REASON, text)
