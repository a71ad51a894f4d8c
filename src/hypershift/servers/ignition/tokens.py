"""The life of token Secrets: payload checked, token rotated at half life, expired ones deleted."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from hypershift.api import annotations
from hypershift.ignition import token
from hypershift.kit import (
    InvalidSpec,
    Key,
    Manifest,
    TerminalError,
    annotations_of,
    data_of,
    from_rfc3339,
    rfc3339,
)
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import kinds
from hypershift.release import Lookup
from hypershift.runtime import Context, Controller, Done, Outcome, Phase, Scope, Stop, Wait
from hypershift.servers.ignition.settings import Settings
from hypershift.servers.ignition.source import (
    NotYet,
    Source,
    has_expired,
    is_token,
)

NAME = "ignition-server"
RETRY = timedelta(seconds=5)


@dataclass(slots=True)
class TokenScope(Scope):
    """One pass over a token Secret."""

    settings: Settings
    source: Source

    @property
    def annotations(self) -> dict[str, str]:
        return annotations_of(self.object)


def _moment(text: str) -> datetime | None:
    try:
        return from_rfc3339(text)
    except ValueError:
        return None


async def drop_others(scope: TokenScope) -> Outcome:
    """Leave every other Secret alone, and what looks like a token in a namespace of users."""
    if not is_token(scope.object):
        return Stop("NoToken")
    if scope.settings.shared and not await _is_beside_plane(scope):
        return Stop("NotBesideControlPlane")
    return Done()


async def _is_beside_plane(scope: TokenScope) -> bool:
    """Whether the Secret is in a control plane namespace, which our operator marks."""
    name = scope.key.namespace
    found = await scope.kube.find(kinds.NAMESPACE, name)
    namespace, _, cluster = annotations_of(found or {}).get(annotations.CLUSTER, "").partition("/")
    return bool(cluster) and control_plane_namespace(Key(namespace, cluster)) == name


async def delete_expired(scope: TokenScope) -> Outcome:
    """Delete a token whose time is over; a time that cannot be read is over."""
    expiry = scope.annotations.get(token.EXPIRES_AT)
    if expiry is None:
        return Done()
    now = scope.clock.now()
    if not has_expired(scope.object, now):
        return Wait("TokenStillValid", after=from_rfc3339(expiry) - now)
    metadata = scope.object["metadata"]
    await scope.kube.delete(kinds.SECRET, scope.key.name, scope.key.namespace, uid=metadata["uid"])
    return Stop("TokenExpired")


async def check_payload(scope: TokenScope) -> Outcome:
    """Render the payload, and report the result to the pool as reason and message."""
    try:
        payload = await scope.source.payload(scope.object)
    except NotYet as error:
        reason = "CloudConfigPending" if "hash mismatch" in str(error) else token.INVALID_CONFIG
        await _write(scope, {token.REASON: reason, token.MESSAGE: str(error)})
        return Wait("PayloadPending", after=RETRY, message=str(error))
    except (InvalidSpec, TerminalError) as error:
        await _write(scope, {token.REASON: token.INVALID_CONFIG, token.MESSAGE: str(error)})
        return Done()
    in_place = scope.annotations.get(token.UPGRADE_TYPE) == "InPlace"
    await _write(
        scope,
        {
            token.REASON: token.AS_EXPECTED,
            token.MESSAGE: token.GENERATED,
            token.PAYLOAD: token.packed(payload).decode() if in_place else None,
        },
    )
    return Done()


async def rotate(scope: TokenScope) -> Outcome:
    """Give the Secret a new token at half life; the old one stays good until the next turn."""
    half = scope.settings.token_lifetime / 2
    made = _moment(scope.annotations.get(token.GENERATED_AT, ""))
    age = scope.clock.now() - made if made else half
    if age < half:
        return Wait("TokenYoung", after=half - age)
    fresh = {
        token.TOKEN: token.new_token(),
        token.OLD_TOKEN: data_of(scope.object, token.TOKEN).decode(),
    }
    stamp = {token.GENERATED_AT: rfc3339(scope.clock.now())}
    await _write(scope, fresh, annotations=stamp)
    scope.log.info("token rotated", secret=str(scope.key))
    return Wait("TokenYoung", after=half)


async def _write(
    scope: TokenScope, values: Mapping[str, str | None], annotations: dict[str, str] | None = None
) -> None:
    """Patch what differs; an unchanged Secret costs no request."""
    changed = {
        key: b64encode(value.encode()).decode() if value is not None else None
        for key, value in values.items()
        if (value or "") != data_of(scope.object, key).decode()
    }
    patch: dict[str, Any] = {"data": changed} if changed else {}
    if annotations:
        patch["metadata"] = {"annotations": annotations}
    if patch:
        # Only the version we saw: two rotations must not overwrite each other.
        version = scope.object["metadata"]["resourceVersion"]
        patch.setdefault("metadata", {})["resourceVersion"] = version
        key = scope.key
        scope.object = await scope.kube.patch(kinds.SECRET, key.name, patch, key.namespace)


NORMAL: tuple[Phase[TokenScope], ...] = (drop_others, delete_expired, check_payload, rotate)


def controller(settings: Settings, releases: Lookup) -> Controller[TokenScope]:
    """The controller of token Secrets."""

    def scope(secret: Manifest, context: Context) -> TokenScope:
        source = Source(context.kube, releases, settings)
        return TokenScope(secret, context, settings, source)

    return Controller(
        name=NAME,
        resource=kinds.SECRET,
        scope=scope,
        normal=NORMAL,
        namespace=settings.control_plane,
        manages_status=False,
        honour_pause=False,
    )
