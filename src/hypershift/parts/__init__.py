"""The real binaries that everything runs on: pinned, cached, downloaded or built on demand."""

from hypershift.parts.errors import (
    BuildFailed,
    ChecksumMismatch,
    PartMissing,
    PartUnavailable,
    UnknownPart,
)
from hypershift.parts.fetch import (
    damaged,
    ensure,
    estimate,
    missing,
    packages_tree,
    path,
    to_stderr,
    tools_tree,
)
from hypershift.parts.find import find
from hypershift.parts.install import install_packages, may_install
from hypershift.parts.lock import Report, locked
from hypershift.parts.manifests import cluster_api_crds, provider_aws_crds, provider_crds
from hypershift.parts.part import GoModule, Package, Part, titles
from hypershift.parts.settings import Settings, architecture
from hypershift.parts.table import (
    EMBEDDED,
    KUBERNETES,
    KUBERNETES_VERSIONS,
    OPENSHIFT_PARTS,
    parts,
)
from hypershift.parts.tree import from_tree

__all__ = [
    "EMBEDDED",
    "KUBERNETES",
    "KUBERNETES_VERSIONS",
    "OPENSHIFT_PARTS",
    "BuildFailed",
    "ChecksumMismatch",
    "GoModule",
    "Package",
    "Part",
    "PartMissing",
    "PartUnavailable",
    "Report",
    "Settings",
    "UnknownPart",
    "architecture",
    "cluster_api_crds",
    "damaged",
    "ensure",
    "estimate",
    "find",
    "from_tree",
    "install_packages",
    "locked",
    "may_install",
    "missing",
    "packages_tree",
    "parts",
    "path",
    "provider_aws_crds",
    "provider_crds",
    "titles",
    "to_stderr",
    "tools_tree",
]
