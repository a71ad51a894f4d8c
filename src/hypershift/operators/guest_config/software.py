"""Apply our own software inside a hosted cluster, and delete what it no longer needs."""

from datetime import timedelta

from hypershift.api.conditions import (
    ControlPlaneCondition,
    ControlPlaneReason,
    false,
    true,
)
from hypershift.kit import TransientError
from hypershift.kube import ApiError, Client, Unavailable
from hypershift.operators.guest_config import copies, succession
from hypershift.operators.guest_config.openshift import configure as openshift
from hypershift.operators.guest_config.rules import catalog, pull_secret
from hypershift.operators.guest_config.rules import succession as rules
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.runtime import Done, Outcome, Wait

RETRY = timedelta(seconds=5)
SUCCEEDED = ControlPlaneCondition.CONFIG_OPERATOR_SUCCEEDED


async def apply_software(scope: GuestScope) -> Outcome:
    """Apply every object of ours; what a user changed or deleted is restored."""
    if scope.values is None:
        return Done()
    if scope.release is not None and scope.release.openshift:
        return await openshift.configure(scope, scope.release)
    missing = catalog.missing_images(scope.values.images, scope.values)
    if missing:
        # ValidReleaseInfo is the control plane's: two writers would wake each other for ever.
        text = f"the release lacks the images {', '.join(missing)}"
        scope.conditions.set(false(SUCCEEDED, ControlPlaneReason.MISSING_IMAGES, text))
        return Done()
    if why := await succession.why_unpublished(scope.inside, scope.values):
        scope.conditions.set(rules.waiting(why))
        return Wait("AuthoritiesUnpublished", after=RETRY)
    if text := "; ".join(await _apply_all(scope, scope.values))[:1000]:
        scope.conditions.set(false(SUCCEEDED, ControlPlaneReason.RECONCILE_ERROR, text))
        scope.applied.clear()  # what is complete is reported of everything or of nothing
        return Wait("ApplyFailed", after=RETRY, error=TransientError(text))
    scope.conditions.set(true(SUCCEEDED))
    return Done()


async def _apply_all(scope: GuestScope, values: catalog.Values) -> list[str]:
    """Apply every object and delete what is unwanted; the failures, each with its object."""
    failures = [problem] if (problem := values.credentials.problem) else []
    for manifest in catalog.manifests(values):
        try:
            scope.applied.append(await scope.inside.apply(manifest))
        except ApiError as error:
            failures.append(f"{manifest['kind']} {manifest['metadata']['name']}: {error}")
            if isinstance(error, Unavailable):
                # The server does not answer: each further request would wait as long.
                return failures
    await _drop_unwanted(scope.inside, values)
    return failures


async def _drop_unwanted(guest: Client, values: catalog.Values) -> None:
    """Delete the copies whose original is gone, and what served a replacement that is over."""
    for resource, name in (
        *copies.unwanted(values.copied),
        *rules.unwanted(values),
        *pull_secret.unwanted(values.credentials),
    ):
        ours = await guest.list(resource, copies.NAMESPACE, labels=catalog.OURS)
        for found in ours:
            if found["metadata"]["name"] == name:
                await copies.drop(guest, resource, found)
