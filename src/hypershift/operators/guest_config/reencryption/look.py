"""The phase that reads the keys and what API servers were given; and what lets them go."""

from hypershift.api import HostedControlPlane
from hypershift.api.conditions import (
    ControlPlaneReason,
    false,
)
from hypershift.api.values import KeyProvider
from hypershift.controlplane.kube_apiserver.encryption import (
    FILE,
    SECRET,
    keeper_of,
    providers_of,
)
from hypershift.kit import data_of
from hypershift.kube import kinds
from hypershift.operators.guest_config.look import until_complete
from hypershift.operators.guest_config.reencryption.scope import CONDITION, MATERIAL, KeyScope
from hypershift.runtime import (
    Done,
    Outcome,
    Stop,
)

#: Who may keep the keys that we follow.
FOLLOWED = frozenset(KeyProvider) - {KeyProvider.IBMCLOUD}


async def look(scope: KeyScope) -> Outcome:
    """Read the keys, and what the API servers were last given."""
    if scope.keys.provider not in FOLLOWED:
        scope.conditions.remove(CONDITION)
        return Stop("NothingToTell", "no encryption whose keys we follow")
    if left := until_complete(scope.hosted, scope.clock.now()):
        return Stop("ControlPlaneIncomplete", after=left)
    named = {_active_key(scope.hosted), _target_key(scope.hosted)}
    for name in sorted(named - {""}):
        found = await scope.kube.find(kinds.SECRET, name, scope.namespace)
        scope.secrets[name] = data_of(found, MATERIAL)
    config = await scope.kube.find(kinds.SECRET, SECRET, scope.namespace)
    scope.content = data_of(config, FILE)
    if not scope.content:
        return Stop("NotRolledYet", "the API servers have no encryption configuration yet")
    keeper = keeper_of(providers_of(scope.content))
    if keeper and keeper != scope.keys.provider:
        text = f"Stored data is encrypted by {keeper}: it cannot change to {scope.keys.provider}"
        scope.conditions.set(false(CONDITION, ControlPlaneReason.RE_ENCRYPTION_FAILED, text))
        return Stop("AnotherKeeper", text)
    return Done()


def _active_key(hosted: HostedControlPlane) -> str:
    """The Secret of the key that the user chose; empty without one."""
    section = hosted.spec.secret_encryption
    return section.aescbc.active_key.name if section and section.aescbc else ""


def _target_key(hosted: HostedControlPlane) -> str:
    """The Secret of the key that stored data changes to; empty without one."""
    told = hosted.status.secret_encryption if hosted.status else None
    key = told.target_key if told else None
    return key.aescbc.secret.name if key and key.aescbc else ""


async def forget(scope: KeyScope) -> Outcome:
    """Let go of a hosted cluster that is going away."""
    scope.rewriter.forget(scope.namespace)
    await scope.context.remotes.drop(scope.namespace)
    return Done()
