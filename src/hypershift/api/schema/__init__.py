"""Derives CustomResourceDefinitions from the shapes, per feature set and gates."""

from hypershift.api.schema.derive import schema_of
from hypershift.api.schema.features import (
    GATES,
    LOCAL_PLATFORM,
    FeatureSet,
    gates_of,
)
from hypershift.api.schema.manifests import crds, file_name, files, karpenter_crds

__all__ = [
    "GATES",
    "LOCAL_PLATFORM",
    "FeatureSet",
    "crds",
    "file_name",
    "files",
    "gates_of",
    "karpenter_crds",
    "schema_of",
]
