"""The operator of a fleet: every role of Shared mode in one process, as `hypershift operator run`.

`python -m tests.bench.fleet_child PORT` reads the management cluster's kubeconfig and those of
hosted API servers as JSON, and serves metrics on PORT. Three things are not the operator's own: the
releases, the look at published addresses, and the address of each hosted API server.
"""

import asyncio
import json
import logging
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import structlog
import yaml
from tests.integration.operators.samples import Releases

from hypershift.controlplane import catalog
from hypershift.kit import Manifest
from hypershift.kube import Client
from hypershift.operators import controlplane
from hypershift.operators.hypershift import Settings
from hypershift.process.bench import Workbench, served_groups
from hypershift.process.operator import hosted_clusters
from hypershift.process.shared import SHARED_ROLES
from hypershift.runtime import Controller, Manager, run_until_signal
from hypershift.runtime.remotes import client_of


class Hosted:
    """Leads each hosted API server's name to a server of its own on loopback."""

    def __init__(self, kubeconfigs: list[str]) -> None:
        self._free = iter(kubeconfigs)
        self._taken: dict[str, bytes] = {}

    def __call__(self, kubeconfig: bytes) -> Client:
        server = yaml.safe_load(kubeconfig)["clusters"][0]["cluster"]["server"]
        host = urlsplit(server).hostname or ""
        if host not in self._taken:
            self._taken[host] = next(self._free).encode()
        return client_of(self._taken[host])


async def reachable(host: str, port: int, authority: str, name: str) -> str:
    del host, port, authority, name
    return ""


def controllers(bench: Workbench) -> Iterator[Controller[Any]]:
    """What the operator runs in Shared mode; endpoints count as reachable."""
    environment = controlplane.Environment(
        controlplane.Settings(), bench.releases, catalog, bench.groups, reachable
    )
    yield from hosted_clusters(bench)
    yield controlplane.controller(environment)
    _control_planes, *others = SHARED_ROLES
    for role in others:
        yield from role(bench)


async def main(management: Manifest, hosted: list[str], port: int) -> None:
    async with Client.from_kubeconfig_dict(management, manager="hypershift-operator") as client:
        bench = Workbench(Settings(), client, Releases(), await served_groups(client))
        probes = ("127.0.0.1", port)
        manager = Manager(
            client, list(controllers(bench)), probes=probes, remote_client=Hosted(hosted)
        )
        await run_until_signal(manager)


if __name__ == "__main__":
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    given = json.load(sys.stdin)
    asyncio.run(main(given["management"], given["hosted"], int(sys.argv[1])))
