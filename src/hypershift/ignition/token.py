"""The token Secret of a pool: its names, its keys and how it carries configuration and payload.

The NodePool controller writes it and the ignition server reads it; both speak through this module.
"""

import base64
import binascii
import gzip
import uuid
import zlib
from typing import Final

from hypershift.api import annotations
from hypershift.api.conditions import Reason
from hypershift.kit import InvalidSpec

NODE_POOL: Final = annotations.NODE_POOL
IGNITION_CONFIG: Final = annotations.IGNITION_CONFIG
REACHED: Final = annotations.IGNITION_REACHED
UPGRADE_TYPE: Final = annotations.NODE_POOL_UPGRADE_TYPE
GENERATED_AT: Final = annotations.LAST_TOKEN_GENERATION_TIME
EXPIRES_AT: Final = annotations.IGNITION_TOKEN_EXPIRATION

TOKEN: Final = "token"  # noqa: S105 - the key's name
OLD_TOKEN: Final = "old_token"  # noqa: S105 - the key's name
CONFIG: Final = "config"
RELEASE: Final = "release"
RELEASE_VERSION: Final = "release-version"
PULL_SECRET_HASH: Final = "pull-secret-hash"  # noqa: S105 - the key's name
TRUST_BUNDLE_HASH: Final = "additional-trust-bundle-hash"
CONFIGURATION_HASH: Final = "hc-configuration-hash"
CLOUD_CONFIG_HASH: Final = "cloud-config-hash"
OS_STREAM: Final = "os-stream"
PAYLOAD: Final = "payload"
REASON: Final = "reason"
MESSAGE: Final = "message"

#: A request's header: a tool asks, not a machine that boots.
PREVIEW: Final = "Hypershift-Preview"

AS_EXPECTED: Final = Reason.AS_EXPECTED.value
INVALID_CONFIG: Final = "InvalidConfig"
GENERATED: Final = "Payload generated successfully"


def token_name(pool: str, config_hash: str) -> str:
    """The name of a pool's token Secret."""
    return f"token-{pool}-{config_hash}"


def user_data_name(pool: str, config_hash: str) -> str:
    """The name of a pool's user data Secret."""
    return f"user-data-{pool}-{config_hash}"


def new_token() -> str:
    """A fresh token; uuid4 takes its bits from the system's random source."""
    return str(uuid.uuid4())


def packed(data: bytes) -> bytes:
    """Gzip at its best, then base64; the same bytes for the same data."""
    return base64.b64encode(gzip.compress(data, compresslevel=9, mtime=0))


def unpacked(data: bytes) -> bytes:
    """What `packed` packed; the base64 step may be missing, as older control planes leave it."""
    try:
        raw = data if data[:2] == b"\x1f\x8b" else base64.b64decode(data, validate=True)
        return gzip.decompress(raw)
    except (OSError, EOFError, binascii.Error, zlib.error) as error:
        raise InvalidSpec(f"configuration of the token is not readable: {error}") from error
