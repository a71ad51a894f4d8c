"""Replaces the server's authority by one with a new key, when an annotation of its Secret asks.

`rotate-authorities` asks once for each value; `rotate-authorities-grace` says for how long
machines may boot with what they were given before.
"""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from hypershift.api import annotations
from hypershift.ignition import token
from hypershift.ignition.authority import NAME as AUTHORITY
from hypershift.kit import InvalidSpec, Manifest, annotations_of, data_of, go_duration, key_of
from hypershift.kube import kinds
from hypershift.runtime import Context, Controller, Done, Outcome, Phase, Scope, Stop, Wait
from hypershift.servers.ignition.authority import Signer, ended, read_signer, replaced
from hypershift.servers.ignition.settings import Settings

NAME = "ignition-authority"
GRACE = timedelta(hours=24)
#: Every replica of the server has looked for its certificate several times by then.
SHORTEST = timedelta(minutes=1)
RETRY = timedelta(seconds=10)
_USER_DATA, _TOKEN = "user-data-", "token-"


@dataclass(slots=True)
class AuthorityScope(Scope):
    """One pass over the Secret with the authority."""

    settings: Settings

    @property
    def request(self) -> str:
        return annotations_of(self.object).get(annotations.ROTATE_AUTHORITIES, "")


async def drop_others(scope: AuthorityScope) -> Outcome:
    """Leave every other Secret alone, and copies that other servers made."""
    is_ours = scope.key.namespace == scope.settings.namespace and scope.key.name == AUTHORITY
    return Done() if is_ours else Stop("NoAuthority")


async def replace_authority(scope: AuthorityScope) -> Outcome:
    """Have a new authority sign when it is asked for, and end the trust in the old one in time."""
    found, now = read_signer(scope.object), scope.clock.now()
    if found is None:
        return Done()
    if found.replaces:
        return await _end(scope, found, now)
    if scope.request and scope.request != found.request:
        await _patch(scope, replaced(found, scope.request, now))
        scope.log.info("the ignition server's authority is replaced", request=scope.request)
    return Done()


async def _end(scope: AuthorityScope, found: Signer, now: datetime) -> Outcome:
    try:
        text = annotations_of(scope.object).get(annotations.ROTATE_AUTHORITIES_GRACE, "")
        grace = max(go_duration(text) if text else GRACE, SHORTEST)
    except InvalidSpec as error:
        return Wait("NoDuration", after=RETRY, error=error)
    left = (found.since or now) + grace - now
    if left > timedelta():
        return Wait("OldAuthorityKept", after=left)
    if late := sorted(await _unaware(scope, found)):
        scope.log.info("user data lacks the new authority", secrets=late)
        return Wait("UserDataFollows", after=RETRY)
    await _patch(scope, ended())
    scope.log.info("the ignition server's old authority is trusted no more")
    return Done()


async def _unaware(scope: AuthorityScope, found: Signer) -> list[str]:
    """User data that machines may be made with, and that lacks the new authority."""
    planes = await scope.kube.each(kinds.HOSTED_CONTROL_PLANE, scope.settings.control_plane)
    late: list[str] = []
    for place in {key_of(plane).namespace for plane in planes}:
        secrets = await scope.kube.each(kinds.SECRET, place)
        late += (f"{place}/{name}" for name in unaware(secrets, found.authority.pem))
    return late


def unaware(secrets: Sequence[Manifest], authority: bytes) -> Iterator[str]:
    """The names of user data without an authority; that of expiring tokens makes no machine."""
    used = {
        one["metadata"]["name"].removeprefix(_TOKEN)
        for one in secrets
        if token.IGNITION_CONFIG in annotations_of(one)
        and token.EXPIRES_AT not in annotations_of(one)
    }
    wanted = b64encode(authority)
    for one in secrets:
        name: str = one["metadata"]["name"]
        of_token = name.startswith(_USER_DATA) and name.removeprefix(_USER_DATA) in used
        if of_token and wanted not in data_of(one, "value"):
            yield name


async def _patch(scope: AuthorityScope, data: Manifest) -> None:
    """Change the Secret, unless it changed since it was looked at: one step at a time."""
    version = {"resourceVersion": scope.object["metadata"]["resourceVersion"]}
    patch = {"metadata": version, "data": data}
    await scope.kube.patch(kinds.SECRET, AUTHORITY, patch, scope.key.namespace)


NORMAL: tuple[Phase[AuthorityScope], ...] = (drop_others, replace_authority)


def controller(settings: Settings) -> Controller[AuthorityScope]:
    """The controller of the authority's Secret."""

    def scope(secret: Manifest, context: Context) -> AuthorityScope:
        return AuthorityScope(secret, context, settings)

    return Controller(
        name=NAME,
        resource=kinds.SECRET,
        scope=scope,
        normal=NORMAL,
        namespace=settings.namespace,
        manages_status=False,
        honour_pause=False,
    )
