"""AWS' key service without the SDK: whether a key encrypts."""

import json
from base64 import b64encode
from datetime import UTC, datetime
from typing import Final

from hypershift.cloud.aws.errors import AwsUnavailable, of_answer
from hypershift.cloud.aws.query import endpoint
from hypershift.cloud.stores.http import Call, StoreFailed, send
from hypershift.cloud.stores.keys import Keys
from hypershift.cloud.stores.signing import signed

SERVICE: Final = "kms"
_TEXT: Final = b64encode(b"text").decode()


def encrypt(region: str, keys: Keys, key: str) -> None:
    """Encrypt a word with a key (ARN); an error says that the key service does not."""
    headers = {
        "Content-Type": "application/x-amz-json-1.1",
        "X-Amz-Target": "TrentService.Encrypt",
    }
    body = json.dumps({"KeyId": key, "Plaintext": _TEXT}).encode()
    call = Call("POST", f"{endpoint(SERVICE, region)}/", headers, body)
    try:
        send(lambda: signed(call, {}, keys, region, datetime.now(UTC), service=SERVICE))
    except StoreFailed as error:
        if not error.status:
            raise AwsUnavailable(f"no answer from AWS to {SERVICE}:Encrypt") from None
        raise of_answer(SERVICE, "Encrypt", error.code, "", error.status) from None
