"""Secrets of Cluster API's contracts: user data and kubeconfigs, both under the key `value`."""

import base64
import binascii

from hypershift.kit import Manifest, Secret, TerminalError, key_of
from hypershift.kube import Client, kinds

KEY = "value"


async def read_user_data(kube: Client, name: str, namespace: str) -> Secret[bytes]:
    """What a machine boots from; it is read when needed and kept nowhere but with the machine."""
    return read_secret(await kube.get(kinds.SECRET, name, namespace))


def read_secret(found: Manifest) -> Secret[bytes]:
    """What the Secret holds."""
    encoded = (found.get("data") or {}).get(KEY)
    if encoded is None:
        raise TerminalError(f"Secret {key_of(found)} has no key {KEY!r}")
    try:
        return Secret(base64.b64decode(encoded, validate=True))
    except binascii.Error:
        raise TerminalError(f"Secret {key_of(found)}: {KEY!r} is not base64") from None
