"""How many virtual CPUs an EC2 instance has: an administrator keeps a table of the types."""

from hypershift.api.node_pool import NodePoolPlatform
from hypershift.platforms.pools import FindData, UnknownCpus

#: The ConfigMap with the CPUs of each type of instance.
TABLE = ("hypershift", "rosa-cpus-instance-types-config")


def cpus(section: NodePoolPlatform, data: FindData) -> int:
    """Look the pool's type of instance up in the table."""
    if section.aws is None:
        raise UnknownCpus("spec.platform.aws missing in node pool")
    instance = section.aws.instance_type
    table = data(*TABLE)
    if table is None:
        raise UnknownCpus("ROSA CPUs instance types ConfigMap not found")
    if instance not in table:
        raise UnknownCpus("unknown instance type")
    try:
        return int(table[instance])
    except ValueError as error:
        raise UnknownCpus("unable to parse ConfigMap data") from error
