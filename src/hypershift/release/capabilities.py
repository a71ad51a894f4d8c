"""What a control plane operator can do, as the labels of its image say.

The HyperShift operator is newer than many control planes that it manages. It does for an older
one what that one cannot do itself, and sends it nothing that it would not understand.
"""

from collections.abc import Mapping
from enum import StrEnum

_PREFIX = "io.openshift.hypershift."


class Capability(StrEnum):
    """A label, and by its name what its image can do; older images lack some."""

    #: It is also the image of its helpers.
    SUBCOMMANDS = f"{_PREFIX}control-plane-operator-subcommands"
    #: It publishes a kubeconfig for the user's own name of the API.
    CUSTOM_KUBECONFIG = f"{_PREFIX}control-plane-operator-supports-kas-custom-kubeconfig"
    #: Its pods say whether they need the management API.
    LABELS_MANAGEMENT_ACCESS = (
        f"{_PREFIX}control-plane-operator-applies-management-kas-network-policy-label"
    )
    #: Its PKI operator signs break-glass certificates.
    SIGNS_REQUESTS = f"{_PREFIX}control-plane-pki-operator-signs-csrs"
    #: Its pods live in a namespace that is held to Pod Security `restricted`.
    RESTRICTED = f"{_PREFIX}restricted-psa"
    #: It restarts what does not reread its certificates.
    RESTARTS_ON_ROTATION = f"{_PREFIX}control-plane-operator.v2-isdefault"
    #: It leaves the proxy on nodes to the HyperShift operator.
    SKIPS_HAPROXY = f"{_PREFIX}control-plane-operator-skips-haproxy"
    DECODES_CONFIG = f"{_PREFIX}control-plane-operator-manages.decompress-decode-config"
    #: It makes the default security group of a cluster on AWS.
    CREATES_SECURITY_GROUP = f"{_PREFIX}control-plane-operator-creates-aws-sg"
    REPORTS_NODE_COUNT = f"{_PREFIX}hosted-cluster-config-operator-reports-node-count"


#: What this very program can do.
OURS = frozenset(Capability)

#: How the Deployments of an image's roles look: it is fixed for an image, so that a newer
#: HyperShift operator never changes those of an older one.
CONTRACT = f"{_PREFIX}dedicated-contract"
FIRST_CONTRACT = "1"
VERSION = "org.opencontainers.image.version"


def labels_of_ours(version: str) -> dict[str, str]:
    """The labels of the image that is made of this program."""
    able = {str(one): "true" for one in sorted(OURS)}
    return {**able, CONTRACT: FIRST_CONTRACT, VERSION: version}


def capabilities_of(labels: Mapping[str, str]) -> frozenset[Capability]:
    """The capabilities that labels declare: a label counts with any value."""
    return frozenset(one for one in Capability if one in labels)


def read_labels(text: str) -> dict[str, str]:
    """Labels as an annotation gives them: `k=v,k=v`."""
    pairs = (item.partition("=") for item in text.split(",") if item.strip())
    return {name.strip(): value.strip() for name, _, value in pairs}
