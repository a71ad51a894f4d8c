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
        scope.conditions.set(
            false(
                ControlPlaneCondition.CONFIG_OPERATOR_SUCCEEDED,
                ControlPlaneReason.MISSING_IMAGES,
                text,
            )
        )
        return Done()
    if why := await succession.why_unpublished(scope.inside, scope.values):
        scope.conditions.set(rules.waiting(why))
        return Wait("AuthoritiesUnpublished", after=RETRY)
    failures = [problem] if (problem := scope.values.credentials.problem) else []
    for manifest in catalog.manifests(scope.values):
        try:
            scope.applied.append(await scope.inside.apply(manifest))
        except ApiError as error:
            failures.append(f"{manifest['kind']} {manifest['metadata']['name']}: {error}")
            if isinstance(error, Unavailable):
                break  # the server does not answer: each further request would wait as long
    else:
        await _drop_unwanted(scope.inside, scope.values)
    kind = ControlPlaneCondition.CONFIG_OPERATOR_SUCCEEDED
    if failures:
        scope.conditions.set(
            false(kind, ControlPlaneReason.RECONCILE_ERROR, "; ".join(failures)[:1000])
        )
        scope.applied.clear()  # what is complete is told of everything or of nothing
        failed = TransientError("; ".join(failures)[:1000])
        return Wait("ApplyFailed", after=RETRY, error=failed)
    scope.conditions.set(true(kind))
    return Done()


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
