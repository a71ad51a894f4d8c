"""The keys that protect a browser's session while its user logs in."""

import hashlib
import hmac
import json
from base64 import b64decode, urlsafe_b64encode

from hypershift.component import View, edit
from hypershift.kit import Manifest
from hypershift.kit.budget import BadDocument
from hypershift.kit.documents import read

KEY = "v4-0-config-system-session"
AUTHENTICATION, ENCRYPTION = 64, 32


def session(view: View, manifest: Manifest) -> Manifest:
    """Keep the keys that are there; derive the first ones from the key that signs tokens.

    A pass that is repeated after a crash then writes the same keys again.
    """
    if usable(b64decode((manifest.get("data") or {}).get(KEY) or "")):
        return manifest
    secret = view.secret("sa-signing-key", "service-account.key")
    if not secret:
        return edit.put(manifest, ("data",), {KEY: ""})
    document = {
        "apiVersion": "osin.config.openshift.io/v1",
        "kind": "SessionSecrets",
        "secrets": [
            {
                "authentication": _derived(secret, b"authentication", AUTHENTICATION),
                "encryption": _derived(secret, b"encryption", ENCRYPTION),
            }
        ],
    }
    return edit.set_data(manifest, {KEY: json.dumps(document)})


def usable(text: bytes) -> bool:
    """Whether a document holds both keys."""
    try:
        found = read(text)
        first = found["secrets"][0]
        return all(first[name] for name in ("authentication", "encryption"))
    except (BadDocument, TypeError, KeyError, IndexError):
        return False


def _derived(secret: bytes, purpose: bytes, size: int) -> str:
    label = b"oauth-openshift session " + purpose
    return urlsafe_b64encode(hmac.digest(secret, label, hashlib.sha512)).decode()[:size]
