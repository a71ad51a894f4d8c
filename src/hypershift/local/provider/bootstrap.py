"""The user data of a machine, as Cluster API's bootstrap contract keeps it in a Secret."""

import base64
import binascii

from hypershift.kit import Secret, TerminalError
from hypershift.kube import Client, kinds

KEY = "value"


async def read_user_data(kube: Client, name: str, namespace: str) -> Secret[bytes]:
    """What the Secret holds; it is read when it is needed and kept nowhere but with the machine."""
    found = await kube.get(kinds.SECRET, name, namespace)
    encoded = (found.get("data") or {}).get(KEY)
    if encoded is None:
        raise TerminalError(f"Secret {namespace}/{name} has no key {KEY!r}")
    try:
        return Secret(base64.b64decode(encoded, validate=True))
    except binascii.Error:
        raise TerminalError(f"Secret {namespace}/{name}: {KEY!r} is not base64") from None
