"""HostedCluster spec.configuration and its parts as Go writes them to JSON, byte for byte."""

from hypershift.operators.hypershift.go_json.configuration import (
    IMAGE,
    PROXY,
    SECTIONS,
    TLS_PROFILE,
)
from hypershift.operators.hypershift.go_json.shape import shown

__all__ = ["IMAGE", "PROXY", "SECTIONS", "TLS_PROFILE", "shown"]
