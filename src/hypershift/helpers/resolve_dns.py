"""Before a member of etcd starts: wait until its own name resolves, and help that along."""

import argparse
import asyncio
import os
from collections.abc import Mapping

from hypershift.helpers.log_line import log_line
from hypershift.helpers.switch import add_switch
from hypershift.kit import HypershiftError, Manifest

INTERVAL, PATIENCE = 1.0, 600.0


def flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags that etcd's pods pass."""
    parser.add_argument("name", help="The name to wait for")
    add_switch(parser, "--self-register", "Publish the pod's address under its name")


async def run(options: argparse.Namespace) -> int:
    """Wait for the name; 1 if it does not resolve in time."""
    if options.self_register:
        try:
            await register(options.name, os.environ)
        except (HypershiftError, OSError, KeyError) as error:
            # The endpoints controller does the same a little later.
            log_line("not registered", name=options.name, error=error)
    loop = asyncio.get_running_loop()
    end = loop.time() + PATIENCE
    while loop.time() < end:
        try:
            await loop.getaddrinfo(options.name, None)
        except OSError:
            await asyncio.sleep(INTERVAL)
        else:
            return 0
    log_line("not resolved", name=options.name)
    return 1


async def register(name: str, environ: Mapping[str, str]) -> None:
    """Publish the address of this pod, so that its name resolves at once."""
    from hypershift.kube import Client, kinds  # noqa: PLC0415 - only those who register pay

    host, service = name.split(".")[:2]
    namespace = environ["NAMESPACE"]
    async with Client.connect() as client:
        pod = await client.get(kinds.POD, host, namespace)
        wanted = endpoint_slice(pod, service, environ["POD_IP"])
        # The account may get, create and update, not patch: a server-side apply would be refused.
        found = await client.find(kinds.ENDPOINT_SLICE, wanted["metadata"]["name"], namespace)
        await (client.create(wanted) if found is None else client.replace(wanted))


def endpoint_slice(pod: Manifest, service: str, address: str) -> Manifest:
    """An EndpointSlice of a headless Service with this one pod, deleted together with the pod."""
    metadata = pod["metadata"]
    name, namespace = metadata["name"], metadata["namespace"]
    reference = {"kind": "Pod", "name": name, "uid": metadata["uid"]}
    return {
        "apiVersion": "discovery.k8s.io/v1",
        "kind": "EndpointSlice",
        "metadata": {
            "name": f"{service}-self-{name}",
            "namespace": namespace,
            "labels": {"kubernetes.io/service-name": service},
            "ownerReferences": [{"apiVersion": "v1", **reference}],
        },
        "addressType": "IPv6" if ":" in address else "IPv4",
        "endpoints": [
            {
                "addresses": [address],
                "hostname": name,
                "conditions": {"ready": True},
                "targetRef": {**reference, "namespace": namespace},
            }
        ],
        "ports": [],
    }
