"""Container images without Docker: layers, layouts, archives, and registries over HTTP."""

from hypershift.oci.archive import Archived, read_archive
from hypershift.oci.auth import Credential, PullSecret, read_pull_secret
from hypershift.oci.errors import (
    ImageNotFound,
    InvalidImage,
    InvalidReference,
    RegistryDenied,
    RegistryUnavailable,
)
from hypershift.oci.extract import extract
from hypershift.oci.image import Image, Settings, assemble
from hypershift.oci.layer import Entry, Tree, Written, directory, file, link, write_layer
from hypershift.oci.layout import Layout
from hypershift.oci.limits import DOCUMENT_BYTES, RELEASE
from hypershift.oci.members import Allowance, Members
from hypershift.oci.reference import Reference, parse
from hypershift.oci.registry import Located, Pulled, Registry
from hypershift.oci.spec import (
    MANIFEST,
    Descriptor,
    Index,
    Manifest,
    Platform,
    digest_of,
    encode,
    image_index,
)
from hypershift.oci.transfer import (
    extract_image,
    pull_image,
    push_image,
    push_images,
    read_files,
    write_archive,
)
from hypershift.oci.trust import Trust, hosts_of

__all__ = [
    "DOCUMENT_BYTES",
    "MANIFEST",
    "RELEASE",
    "Allowance",
    "Archived",
    "Credential",
    "Descriptor",
    "Entry",
    "Image",
    "ImageNotFound",
    "Index",
    "InvalidImage",
    "InvalidReference",
    "Layout",
    "Located",
    "Manifest",
    "Members",
    "Platform",
    "PullSecret",
    "Pulled",
    "Reference",
    "Registry",
    "RegistryDenied",
    "RegistryUnavailable",
    "Settings",
    "Tree",
    "Trust",
    "Written",
    "assemble",
    "digest_of",
    "directory",
    "encode",
    "extract",
    "extract_image",
    "file",
    "hosts_of",
    "image_index",
    "link",
    "parse",
    "pull_image",
    "push_image",
    "push_images",
    "read_archive",
    "read_files",
    "read_pull_secret",
    "write_archive",
    "write_layer",
]
