"""Beside each member of etcd: the leader among these defragments members whose files have holes.

It speaks to etcd by JSON over HTTPS, which etcd serves on its client port.
"""

import argparse
import asyncio
import json
import os
import random
import ssl
import urllib.request
from datetime import timedelta

from hypershift.helpers.log_line import log_line
from hypershift.kit import Manifest, SystemClock
from hypershift.kit.fragmentation import Endpoint, next_to_defragment
from hypershift.kube import Client
from hypershift.runtime import Leadership
from hypershift.runtime.leader import Elector

LOOK = timedelta(minutes=10)
REST = timedelta(seconds=36)
PATIENCE = 120.0
TLS = "/etc/etcd/tls"
CERT, KEY = f"{TLS}/client/etcd-client.crt", f"{TLS}/client/etcd-client.key"
CA = f"{TLS}/etcd-ca/ca.crt"


def flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags that etcd's pods pass."""
    parser.add_argument("--namespace", required=True)
    parser.add_argument("--leader-election-id", default="etcd-defrag-controller-leader-elect")
    parser.add_argument("--etcd-endpoint", default="", help="Default: etcd-client.NAMESPACE.svc")


async def run(options: argparse.Namespace) -> int:
    """Look at the members every ten minutes while this replica leads."""
    clock = SystemClock()
    identity = os.environ.get("HOSTNAME", "etcd-defrag")
    wanted = Leadership(options.leader_election_id, options.namespace, identity, 60.0, 40.0, 15.0)
    server = options.etcd_endpoint or f"https://etcd-client.{options.namespace}.svc:2379"
    async with Client.connect() as client:
        elector = Elector(client, wanted, clock=clock, rng=random.Random())  # noqa: S311 - jitter
        await elector.acquire()
        async with asyncio.TaskGroup() as group:
            group.create_task(elector.keep())
            while True:
                rest = await visit(server)
                await asyncio.sleep(rest.total_seconds())


async def visit(server: str) -> timedelta:
    """Defragment at most one member; how long to rest then."""
    try:
        members = (await _ask(server, "cluster/member/list"))["members"]
        voters = [one for one in members if not one.get("isLearner")]
        urls = [one["clientURLs"][0] for one in voters]
        found = [endpoint(url, await _ask(url, "maintenance/status")) for url in urls]
        chosen = next_to_defragment(found, len(voters))
        if chosen is None or len(voters) == 1:
            return LOOK
        await _ask(chosen.url, "maintenance/defragment")
    except (OSError, ValueError, LookupError) as error:
        log_line("etcd is not whole", error=error)
        return LOOK
    log_line("defragmented", member=chosen.url)
    return REST


def endpoint(url: str, status: Manifest) -> Endpoint:
    """The status of a member; its JSON carries numbers as text."""
    return Endpoint(
        url=url,
        member=int(status["header"]["member_id"]),
        leader=int(status.get("leader", 0)),
        size=int(status.get("dbSize", 0)),
        used=int(status.get("dbSizeInUse", 0)),
        learner=bool(status.get("isLearner", False)),
    )


async def _ask(server: str, method: str) -> Manifest:
    return await asyncio.to_thread(_post, f"{server}/v3/{method}")


def _post(url: str) -> Manifest:
    tls = ssl.create_default_context(cafile=CA)
    tls.load_cert_chain(CERT, KEY)
    request = urllib.request.Request(url, b"{}")  # noqa: S310 - a member's own https URL
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=tls)
    )
    with opener.open(request, timeout=PATIENCE) as answer:
        found: Manifest = json.load(answer)
    return found
