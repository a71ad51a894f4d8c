"""Control groups, with all differences between version 1 and version 2.

A machine is one group in every hierarchy. Its cgroup namespace shows that group as the root, so
that the kubelet and containers in it make theirs below, and the machine's limits hold for all.
"""

from hypershift.local.machine.cgroup.detection import detect
from hypershift.local.machine.cgroup.hierarchies import Hierarchies, Mount
from hypershift.local.machine.cgroup.removal import pids, remove
from hypershift.local.machine.cgroup.version1 import Version1
from hypershift.local.machine.cgroup.version2 import Version2

__all__ = ["Hierarchies", "Mount", "Version1", "Version2", "detect", "pids", "remove"]
