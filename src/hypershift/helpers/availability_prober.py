"""Before a pod starts: wait until the hosted API server is ready and serves what is needed."""

import argparse
import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hypershift.helpers.log_line import log_line
from hypershift.helpers.streams import dial
from hypershift.helpers.switch import add_switch

if TYPE_CHECKING:
    from hypershift.kit import Manifest
    from hypershift.kube import Client

INTERVAL = 1.0
PATIENCE = 10.0
#: A pod that is being deleted for longer is on a lost node and serves no requests.
STUCK = timedelta(minutes=10)
_PORTS = {"http": 80, "https": 443}
_SUCCESS = range(200, 300)


def flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags that pods pass."""
    parser.add_argument("--target", required=True, help="URL that must answer 2xx")
    parser.add_argument("--kubeconfig", type=Path, help="Kubeconfig for the other checks")
    parser.add_argument(
        "--required-api", action="append", default=[], type=_api, help="group,version,kind"
    )
    add_switch(parser, "--wait-for-infrastructure-resource", "Wait for the Infrastructure")
    parser.add_argument("--wait-for-cluster-rolebinding", default="", help="Wait for this one")
    parser.add_argument(
        "--wait-for-labeled-pods-gone", default="", help="Wait while such pods run: namespace/label"
    )


def _api(text: str) -> tuple[str, str, str]:
    group, version, kind = text.split(",")
    return group, version, kind


async def run(options: argparse.Namespace) -> int:
    """Wait for each check in turn."""
    await _until(lambda: _answers(options.target), options.target)
    if options.kubeconfig is None:
        return 0
    from hypershift.kube import Client  # noqa: PLC0415 - most pods ask for the target alone

    async with Client.connect(options.kubeconfig) as client:
        await _until(lambda: missing(client, options), "the hosted cluster")
    return 0


async def _until(check, name: str) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    """Repeat a check until it has no complaint; a new complaint is logged once."""
    from hypershift.kit import HypershiftError  # noqa: PLC0415 - see above

    said = None
    while True:
        try:
            async with asyncio.timeout(PATIENCE):
                problem = await check()
        except (OSError, EOFError, TimeoutError, HypershiftError) as error:
            problem = str(error) or type(error).__name__
        if not problem:
            log_line("available", what=name)
            return
        if problem != said:
            log_line("waiting", what=name, problem=problem)
        said = problem
        await asyncio.sleep(INTERVAL)


async def _answers(url: str) -> str:
    """What is wrong with the answer of a URL; its certificate is not checked."""
    parts = urlsplit(url)
    tls = None
    if parts.scheme == "https":
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE
    host = parts.hostname or ""
    stream = await dial(host, parts.port or _PORTS[parts.scheme], tls)
    try:
        request = f"GET {parts.path or '/'} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
        stream.writer.write(f"{request}Connection: close\r\n\r\n".encode())
        line = await stream.reader.readline()
    finally:
        stream.writer.close()
    words = line.decode("latin-1").split()
    good = len(words) > 1 and words[1].isdecimal() and int(words[1]) in _SUCCESS
    return "" if good else f"answered {line.decode('latin-1').strip()[:100]!r}"


async def missing(client: "Client", options: argparse.Namespace) -> str:
    """What the hosted cluster does not have yet; empty if nothing is missing."""
    from hypershift.kube import kinds  # noqa: PLC0415 - see above

    for group, version, kind in options.required_api:
        if not await _serves(client, group, version, kind):
            return f"{kind} of {group}/{version} is not served"
    if options.wait_for_infrastructure_resource:
        found = await client.find(kinds.INFRASTRUCTURE, "cluster")
        if not ((found or {}).get("status") or {}).get("infrastructureName"):
            return "the Infrastructure has no name"
    binding = options.wait_for_cluster_rolebinding
    if binding and await client.find(kinds.CLUSTER_ROLE_BINDING, binding) is None:
        return f"ClusterRoleBinding {binding} is missing"
    if options.wait_for_labeled_pods_gone:
        namespace, _, label = options.wait_for_labeled_pods_gone.partition("/")
        pods = await client.list(kinds.POD, namespace, labels=label)
        if any(stays(pod, datetime.now(UTC)) for pod in pods):
            return f"pods {label} in {namespace} still run"
    return ""


def stays(pod: "Manifest", now: datetime) -> bool:
    """True unless a pod is being deleted for so long that nothing deletes it any more."""
    from hypershift.kit import from_rfc3339  # noqa: PLC0415 - see above

    deleted = pod["metadata"].get("deletionTimestamp")
    return not deleted or now - from_rfc3339(deleted) < STUCK


async def _serves(client: "Client", group: str, version: str, kind: str) -> bool:
    from hypershift.kube import NotFound  # noqa: PLC0415 - see above

    path = f"/apis/{group}/{version}" if group else f"/api/{version}"
    try:
        found = await client._call.object("GET", path)  # noqa: SLF001 - discovery has no verb
    except NotFound:
        return False
    return any(one["kind"] == kind for one in found.get("resources") or ())
