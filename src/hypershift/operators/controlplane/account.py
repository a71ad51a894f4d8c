"""The phases that manage a control plane's resources in a cloud account."""

from datetime import timedelta

from hypershift.api.annotations import CLEANUP_CLOUD_RESOURCES
from hypershift.api.conditions import ControlPlaneCondition, holds
from hypershift.kit import (
    InvalidSpec,
    Manifest,
    Secret,
    TransientError,
    data_of,
    from_rfc3339,
)
from hypershift.kube import Client, kinds
from hypershift.kube.hosted import across_namespaces
from hypershift.kube.tokens import mint
from hypershift.operators.controlplane.accounts import Connect
from hypershift.operators.controlplane.scope import PlaneScope
from hypershift.platforms import AccountFacts, AccountSide, Tokens, platform_named
from hypershift.runtime import Done, Outcome, Stop

#: The control plane operator's own access to hosted cluster and cloud, beside the control plane.
KUBECONFIG = "service-network-admin-kubeconfig"
CREDENTIALS = "control-plane-operator-creds"
AGAIN = timedelta(seconds=15)
PATIENCE = timedelta(minutes=10)


async def keep_account(scope: PlaneScope) -> Outcome:
    """Read the cloud account, create what nodes need, and report the result."""
    account = _account(scope)
    if account is None:
        return Done()
    kept = await account.keep(await _facts(scope))
    for condition in kept.conditions:
        scope.conditions.set(condition)
    if kept.status:
        scope.status["platform"] = kept.status
    return Done()


async def clean_account(scope: PlaneScope) -> Outcome:
    """Remove what was made there, while the hosted cluster can still show who it is."""
    account = _account(scope)
    if account is None or scope.annotations.get(CLEANUP_CLOUD_RESOURCES) != "true":
        return Done()
    needed = platform_named(scope.wanted.platform.type).rules.cleanup_needs
    if needed and not holds(scope.conditions.get(needed)):
        return Done()  # without credentials nothing can be deleted
    cleaned = await account.clean(await _facts(scope))
    for condition in cleaned.conditions:
        scope.conditions.set(condition)
    since = scope.clock.now() - from_rfc3339(scope.object["metadata"]["deletionTimestamp"])
    if cleaned.waiting and since < PATIENCE:
        return Stop("DestroyingCloudResources", cleaned.waiting, AGAIN)
    return Done()


def _account(scope: PlaneScope) -> AccountSide | None:
    """The account; None for a plane that cannot be decoded, which still has to go."""
    try:
        return scope.environment.accounts.of(scope.namespace, scope.wanted.platform.type)
    except InvalidSpec:
        return None


async def _facts(scope: PlaneScope) -> AccountFacts:
    return AccountFacts(
        plane=scope.plane,
        now=scope.clock.now(),
        tokens=tokens_of(scope.kube, scope.environment.accounts.connect, scope.namespace),
        serves=scope.conditions.is_true(ControlPlaneCondition.KUBE_API_SERVER_AVAILABLE),
        openshift=scope.release is not None and scope.release.openshift,
        credentials=await credentials_in(scope.kube, scope.namespace),
    )


async def credentials_in(kube: Client, namespace: str) -> Manifest | None:
    """The Secret that names the role of the control plane operator."""
    return await kube.find(kinds.SECRET, CREDENTIALS, namespace)


def tokens_of(kube: Client, connect: Connect, place: str) -> Tokens:
    """Tokens of the cluster whose control plane is in a namespace."""

    async def token(namespace: str, account: str, audience: str) -> Secret[str]:
        secret = await kube.find(kinds.SECRET, KUBECONFIG, place)
        if secret is None:
            raise TransientError(f"Secret {place}/{KUBECONFIG} is not there yet")
        kubeconfig = across_namespaces(data_of(secret, "kubeconfig"), place)
        async with connect(kubeconfig) as client:
            return Secret((await mint(client, namespace, account, audience))["token"])

    return token
