"""What a request to replace authorities asks for, and why it is not followed: pure functions."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from hypershift.api import annotations
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.kit import InvalidSpec, go_duration
from hypershift.pki import Part

#: Programs that read the root's certificate once have this long to be restarted.
GRACE = timedelta(hours=24)
#: Tokens in pods live for an hour; kubelets renew them after 80 % of that, at the latest in a day.
TOKEN_LIFETIME = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Wish:
    """What the annotations of a control plane ask for."""

    request: str
    only: str = ""
    grace: timedelta = GRACE
    token_lifetime: timedelta = TOKEN_LIFETIME

    @property
    def of_authorities(self) -> bool:
        return self.only != Part.TOKEN_KEYS

    @property
    def of_token_keys(self) -> bool:
        return self.only != Part.AUTHORITIES


def wish(found: Mapping[str, str]) -> Wish:
    """Read the annotations; InvalidSpec for what cannot be read."""
    only = found.get(annotations.ROTATE_AUTHORITIES_ONLY, "")
    if only not in ("", *Part):
        allowed = " or ".join(Part)
        raise InvalidSpec(f"annotation {annotations.ROTATE_AUTHORITIES_ONLY} is not {allowed}")
    return Wish(
        found.get(annotations.ROTATE_AUTHORITIES, ""),
        only,
        _duration(found, annotations.ROTATE_AUTHORITIES_GRACE, GRACE),
        _duration(found, annotations.ROTATE_AUTHORITIES_TOKEN_LIFETIME, TOKEN_LIFETIME),
    )


def _duration(found: Mapping[str, str], name: str, default: timedelta) -> timedelta:
    text = found.get(name, "")
    return go_duration(text) if text else default


def why_key_stays(spec: HostedControlPlaneSpec, *, federated: bool, publishes: bool) -> str:
    """Return why the key that signs tokens of service accounts is not ours to replace."""
    if spec.service_account_signing_key is not None:
        return "it is the one of spec.serviceAccountSigningKey, where you change it"
    if federated and not publishes:
        return "the documents of spec.issuerURL, which would have to list a new one, are not ours"
    return ""
