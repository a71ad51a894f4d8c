"""Signs the tokens that Secrets of a hosted cluster keep anew, before their key is dropped.

The controller manager makes such a token once and never again. The API server accepts the one that
its Secret holds and no other, so the old one ends at the moment of the write: no earlier than its
key would have ended it. There is no moment in which the Secret has none.
"""

from base64 import b64encode
from datetime import timedelta
from typing import Final

from hypershift.api.conditions import ControlPlaneReason, holds
from hypershift.kit import Key, Manifest, annotations_of, data_of, key_of
from hypershift.kube import Client, Conflict, NotFound, kinds
from hypershift.kube.shape import Path
from hypershift.operators.guest_config import succession
from hypershift.operators.guest_config.rules import succession as rules
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.pki import PrivateKey, Stage, Succession, key_from_pem, public_pem
from hypershift.pki.inventory import SERVICE_ACCOUNT_SECRET
from hypershift.pki.token_keys import KEY, Kept, is_of, kept_token
from hypershift.runtime import Done, Outcome, Wait

TYPE: Final = "type=kubernetes.io/service-account-token"
ACCOUNT, UID = "kubernetes.io/service-account.name", "kubernetes.io/service-account.uid"
FIELDS: Final[tuple[Path, ...]] = (("metadata", "annotations"), ("data", "token"))
#: A pass signs so many; the rest waits for the next one.
MOST = 50
AGAIN, RETRY = timedelta(seconds=1), timedelta(seconds=5)


async def renew_tokens(scope: GuestScope) -> Outcome:
    """Replace tokens of the old key in their Secrets, and report when there is none left."""
    found = await succession.read(scope.kube, scope.namespace)
    if found is None or found.stage is not Stage.RENEW:
        return Done()
    if found.replaces_authorities and not holds(scope.conditions.get(rules.CONDITION)):
        return Done()  # nodes and software come first
    key = await _signing_key(scope, found)
    if key is None:
        scope.conditions.set(rules.waiting("the control plane's key is not of this stage yet"))
        return Wait(ControlPlaneReason.GUEST_FOLLOWS, after=RETRY)
    old = await _kept_by_other_keys(scope.inside, key)
    written = [await _write(scope.inside, version, kept, key) for version, kept in old[:MOST]]
    if len(old) > MOST or not all(written):
        scope.conditions.set(rules.waiting(f"{len(old)} Secrets keep tokens of the old key"))
        return Wait(ControlPlaneReason.GUEST_FOLLOWS, after=AGAIN)
    scope.conditions.set(rules.renewed(found.word))
    return Done()


async def _signing_key(scope: GuestScope, found: Succession) -> PrivateKey | None:
    """The key that API servers sign with in this stage; None while a cache shows an older one."""
    secret = await scope.kube.find(kinds.SECRET, SERVICE_ACCOUNT_SECRET, scope.namespace)
    key, keys = key_from_pem(data_of(secret, KEY)), found.token_keys
    if key is None or scope.wanted.service_account_signing_key is not None:
        return key
    return key if keys and public_pem(key) == keys.new_public else None


async def _kept_by_other_keys(guest: Client, key: PrivateKey) -> list[tuple[str, Kept]]:
    """Tokens that other keys signed, with the versions of their Secrets.

    As for the controller manager, there is none for an account that is gone or another one by now.
    """
    listed = await guest.list(kinds.SECRET, fields=TYPE, only=FIELDS)
    old = [one for one in listed if _is_of_another(one, key)]
    if not old:
        return []
    accounts = await guest.list(kinds.SERVICE_ACCOUNT, only=(("metadata", "uid"),))
    uids = {key_of(one): one["metadata"]["uid"] for one in accounts}
    found = ((one["metadata"]["resourceVersion"], _kept(one)) for one in old)
    return [
        (version, kept)
        for version, kept in found
        if uids.get(Key(kept.namespace, kept.account)) == kept.uid
    ]


def _is_of_another(secret: Manifest, key: PrivateKey) -> bool:
    token = data_of(secret, "token").decode(errors="replace")
    return bool(token) and not is_of(token, key)


def _kept(secret: Manifest) -> Kept:
    metadata, marks = secret["metadata"], annotations_of(secret)
    return Kept(metadata["namespace"], metadata["name"], marks.get(ACCOUNT, ""), marks.get(UID, ""))


async def _write(guest: Client, version: str, kept: Kept, key: PrivateKey) -> bool:
    """Write a new token; False where the Secret changed meanwhile."""
    token = b64encode(kept_token(key, kept).encode()).decode()
    patch: Manifest = {"metadata": {"resourceVersion": version}, "data": {"token": token}}
    try:
        await guest.patch(kinds.SECRET, kept.secret, patch, kept.namespace)
    except NotFound:
        return True
    except Conflict:
        return False
    return True
