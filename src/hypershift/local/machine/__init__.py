"""Machines: nodes made of namespaces on this host, with a root, a disk and limits of their own."""

from hypershift.local.machine.machine import Machine, State, Status, clean, sweep
from hypershift.local.machine.spec import Attachment, Limits, MachineSpec, Metadata

__all__ = [
    "Attachment",
    "Limits",
    "Machine",
    "MachineSpec",
    "Metadata",
    "State",
    "Status",
    "clean",
    "sweep",
]
