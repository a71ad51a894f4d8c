"""Helpers that know no Kubernetes API server: errors, time, secrets, manifests as JSON."""

from hypershift.kit.clock import Clock, SystemClock, from_rfc3339, rfc3339
from hypershift.kit.duration import go_duration
from hypershift.kit.errors import (
    HypershiftError,
    InvalidSpec,
    TerminalError,
    TransientError,
    UsageError,
    aggregate,
)
from hypershift.kit.files import replace_file, temporary_name
from hypershift.kit.manifest import (
    Key,
    Manifest,
    annotations_of,
    data_of,
    deep_merge,
    key_of,
    labels_of,
)
from hypershift.kit.networks import METADATA_RANGES, canonical_cidr, cidrs, ip_versions
from hypershift.kit.secret import Secret
from hypershift.kit.side_by_side import side_by_side

__all__ = [
    "METADATA_RANGES",
    "Clock",
    "HypershiftError",
    "InvalidSpec",
    "Key",
    "Manifest",
    "Secret",
    "SystemClock",
    "TerminalError",
    "TransientError",
    "UsageError",
    "aggregate",
    "annotations_of",
    "canonical_cidr",
    "cidrs",
    "data_of",
    "deep_merge",
    "from_rfc3339",
    "go_duration",
    "ip_versions",
    "key_of",
    "labels_of",
    "replace_file",
    "rfc3339",
    "side_by_side",
    "temporary_name",
]
