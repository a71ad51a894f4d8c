"""Where the definitions of Cluster API's infrastructure providers come from, and their checksums.

Only files are taken of these modules; nothing of them is compiled, but for the provider for AWS.
"""

from hypershift.parts.part import Definitions
from hypershift.parts.table.cluster import CLUSTER_API_AWS

_KUBERNETES = "sigs.k8s.io/cluster-api-provider"

#: The Agent provider's module is on no module proxy that was asked.
DEFINITIONS = (
    Definitions(
        "aws", CLUSTER_API_AWS.upstream, CLUSTER_API_AWS.version,
        "h1:yQz7GBrIkPLuEJ5MXNuZ/6eUssTJK8reUnZ6t5QIPnU=",
    ),
    Definitions(
        "azure", f"{_KUBERNETES}-azure", "1.26.0",
        "h1:r8j3FPec1GZ9SMx0f2Z9Pd0qXYu+qUOfR0U/TTgZ+6w=",
    ),
    Definitions(
        "gcp", f"{_KUBERNETES}-gcp", "1.13.1",
        "h1:l4zdwsHFwcA8CP5P4NPar9fUu5kMwucKhp2IQBHduJs=",
    ),
    Definitions(
        "ibmcloud", f"{_KUBERNETES}-ibmcloud", "0.13.1",
        "h1:cR7WFEaNJJb6/R67o35zZXd7Vqf9eRAFiZkVDJomPI8=",
    ),
    Definitions(
        "kubevirt", f"{_KUBERNETES}-kubevirt", "0.11.2",
        "h1:+DyQP1xvAD34Cce/5efG1sJFwJZ3pxwoj17oEuKv/EI=",
    ),
    Definitions(
        "openstack", f"{_KUBERNETES}-openstack", "0.14.7",
        "h1:paxhYMaCVkoOBBL3IL02Su2x+/ocXOxqNgZ0AyG2KSI=",
    ),
    Definitions(
        "openstack", "github.com/k-orc/openstack-resource-controller/v2", "2.6.0",
        "h1:KKmdPiec2rzXv8NWWF01qQT6pIp4pILhDTnj45Nq7Uc=",
    ),
)  # fmt: skip
