"""Object stores that backups go to: S3 and Azure Blob, by their HTTP interfaces alone.

The SDKs would add 4 to 28 MB to an image that every control plane pulls; what a backup
needs is a signed PUT in pieces. docs/adr/0026-object-stores-without-sdks.md has the figures.
"""

from hypershift.cloud.stores.blob import AuthType, Blob, BlobAccess, blob_token
from hypershift.cloud.stores.documents import DocumentBucket, Documents
from hypershift.cloud.stores.http import StoreFailed
from hypershift.cloud.stores.keys import (
    Keys,
    endpoint_from_file,
    endpoint_from_text,
    keys_from_file,
    keys_from_role,
    keys_from_text,
    keys_of_profile,
    lend,
)
from hypershift.cloud.stores.s3 import Bucket

__all__ = [
    "AuthType",
    "Blob",
    "BlobAccess",
    "Bucket",
    "DocumentBucket",
    "Documents",
    "Keys",
    "StoreFailed",
    "blob_token",
    "endpoint_from_file",
    "endpoint_from_text",
    "keys_from_file",
    "keys_from_role",
    "keys_from_text",
    "keys_of_profile",
    "lend",
]
