"""Keys that are disabled or wait for their deletion: moto encrypts with them, AWS does not."""

import json

from moto.kms.models import kms_backends

TARGETS = {"TrentService.Encrypt", "TrentService.Decrypt", "TrentService.GenerateDataKey"}
_REFUSALS = {"Disabled": "DisabledException", "PendingDeletion": "KMSInvalidStateException"}


def refusal(body: bytes, account: str) -> bytes | None:
    """AWS' answer to a call with a key that may not be used; None when it may."""
    wanted = str(json.loads(body or b"{}").get("KeyId", ""))
    for backend in kms_backends[account].values():
        for key in backend.keys.values():
            if wanted in {key.arn, key.id} and (code := _REFUSALS.get(key.key_state)):
                return json.dumps({"__type": code, "message": f"{key.arn} is not enabled"}).encode()
    return None
