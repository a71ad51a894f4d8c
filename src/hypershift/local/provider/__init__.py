"""The Local infrastructure provider of Cluster API: machines of hosted clusters on this host."""

from hypershift.local.provider import cluster, machine, names, template
from hypershift.local.provider.fleet import Fleet, Guard, Order, unguarded
from hypershift.local.provider.main import controllers, provide, run, sweep_orphans
from hypershift.local.provider.settings import Settings

__all__ = [
    "Fleet",
    "Guard",
    "Order",
    "Settings",
    "cluster",
    "controllers",
    "machine",
    "names",
    "provide",
    "run",
    "sweep_orphans",
    "template",
    "unguarded",
]
