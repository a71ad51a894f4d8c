"""Keys that are disabled or wait for their deletion: moto encrypts with them, AWS does not."""

import json
from base64 import b64decode

from moto.kms.models import kms_backends

TARGETS = {"TrentService.Encrypt", "TrentService.Decrypt", "TrentService.GenerateDataKey"}
#: How long the id of a key is, which moto writes in front of what it encrypted.
ID = 36
_REFUSALS = {"Disabled": "DisabledException", "PendingDeletion": "KMSInvalidStateException"}


def refusal(body: bytes, account: str) -> bytes | None:
    """AWS' answer to a call with a key that may not be used; None when it may."""
    wanted = _used(json.loads(body or b"{}"))
    for backend in kms_backends[account].values():
        for key in backend.keys.values():
            if wanted in {key.arn, key.id} and (code := _REFUSALS.get(key.key_state)):
                return json.dumps({"__type": code, "message": f"{key.arn} is not enabled"}).encode()
    return None


def _used(asked: dict[str, str]) -> str:
    """The key that a call names; what is decrypted begins with the id of its own."""
    return asked.get("KeyId") or b64decode(asked.get("CiphertextBlob", ""))[:ID].decode("ascii")
