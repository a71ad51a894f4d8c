"""Reads everything that may explain a problem, in parallel; a failed read is noted, not fatal."""

import asyncio
from base64 import b64decode
from collections.abc import Awaitable, Iterable, Sequence
from datetime import UTC, datetime
from typing import TypeVar

from hypershift.api import HostedCluster, read
from hypershift.explain import secrets
from hypershift.explain.picture import Picture
from hypershift.kit import HypershiftError, Manifest, key_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import Client, NotFound, Resource, kinds
from hypershift.kube.limits import VISITED

#: How long one question may take: a broken API server must not keep the answer from the others.
SECONDS = 8.0
LOG_LINES = 6
MOST_LOGS = 8

T = TypeVar("T")

CONTROL_PLANE: Sequence[Resource] = (
    kinds.HOSTED_CONTROL_PLANE,
    kinds.CONTROL_PLANE_COMPONENT,
    kinds.DEPLOYMENT,
    kinds.STATEFUL_SET,
    kinds.REPLICA_SET,
    kinds.JOB,
    kinds.POD,
    kinds.EVENT,
    kinds.PERSISTENT_VOLUME_CLAIM,
    kinds.SERVICE,
    kinds.ENDPOINT_SLICE,
    kinds.RESOURCE_QUOTA,
    kinds.NETWORK_POLICY,
    kinds.CAPI_CLUSTER,
    kinds.MACHINE_DEPLOYMENT,
    kinds.MACHINE_SET,
    kinds.MACHINE,
    kinds.LOCAL_MACHINE,
)
OPERATOR: Sequence[Resource] = (
    kinds.DEPLOYMENT,
    kinds.POD,
    kinds.EVENT,
    kinds.SERVICE,
    kinds.ENDPOINT_SLICE,
    kinds.NETWORK_POLICY,
)
EVERYWHERE: Sequence[Resource] = (
    kinds.NODE,
    kinds.NAMESPACE,
    kinds.STORAGE_CLASS,
    kinds.VALIDATING_WEBHOOK_CONFIGURATION,
    kinds.MUTATING_WEBHOOK_CONFIGURATION,
)
USER: Sequence[Resource] = (kinds.NODE_POOL, kinds.EVENT)
GUEST: Sequence[Resource] = (kinds.NODE, kinds.CERTIFICATE_SIGNING_REQUEST)


class Notes:
    """What could not be read, and why."""

    def __init__(self) -> None:
        """Nothing went wrong so far."""
        self.unread: list[str] = []

    async def ask(self, what: str, question: Awaitable[T], otherwise: T) -> T:
        """The answer, or `otherwise` with a note."""
        try:
            return await asyncio.wait_for(question, SECONDS)
        except NotFound:  # a kind that this cluster does not have
            return otherwise
        except TimeoutError:
            self.unread.append(f"{what}: no answer within {SECONDS:.0f} s")
        except HypershiftError as error:
            self.unread.append(f"{what}: {error}")
        return otherwise


async def look(
    client: Client, cluster: Manifest, *, operator_namespace: str, now: datetime | None = None
) -> Picture:
    """One picture of the cluster, taken now."""
    notes = Notes()
    key = key_of(cluster)
    namespace = control_plane_namespace(key)
    places = (
        (namespace, CONTROL_PLANE),
        (operator_namespace, OPERATOR),
        ("", EVERYWHERE),
        (key.namespace, USER),
    )
    lists = [_all(client, notes, place, kind) for place, wanted in places for kind in wanted]
    (inside, guest_error), facts, found = await asyncio.gather(
        _guest(client, cluster),
        secrets.read(client, notes.ask, cluster, namespace),
        asyncio.gather(*lists),
    )
    objects = tuple(each for some in found for each in some)
    return Picture(
        now=now or datetime.now(UTC),
        cluster=cluster,
        namespace=namespace,
        operator_namespace=operator_namespace,
        objects=objects,
        guest=inside,
        guest_error=guest_error,
        references=facts.references,
        certificates=facts.certificates,
        user_data=facts.user_data,
        logs=await _logs(client, notes, objects, namespace),
        unread=tuple(notes.unread),
    )


async def _all(
    client: Client, notes: Notes, namespace: str, kind: Resource
) -> tuple[Manifest, ...]:
    what = f"{kind} in {namespace}" if namespace else str(kind)
    return tuple(await notes.ask(what, client.list(kind, namespace), []))


async def _guest(client: Client, cluster: Manifest) -> tuple[tuple[Manifest, ...], str]:
    """The nodes of the hosted cluster, or why they cannot be read."""
    reference = read(HostedCluster, cluster).status.kubeconfig
    if not reference:
        return (), ""
    try:
        async with asyncio.timeout(SECONDS):
            place = cluster["metadata"]["namespace"]
            secret = await client.get(kinds.SECRET, reference.name, place)
            content = b64decode(secret["data"]["kubeconfig"])
            async with Client.from_secret(content, limits=VISITED) as inside:
                found = [await inside.list(kind) for kind in GUEST]
    except TimeoutError:
        return (), f"no answer within {SECONDS:.0f} s"
    except (HypershiftError, KeyError) as error:
        return (), str(error)
    return tuple(each for some in found for each in some), ""


async def _logs(
    client: Client, notes: Notes, objects: Iterable[Manifest], namespace: str
) -> dict[str, str]:
    """The ends of the logs of containers that failed."""
    wanted = [
        (pod["metadata"]["name"], status["name"], status)
        for pod in objects
        if pod["kind"] == "Pod" and pod["metadata"].get("namespace") == namespace
        for status in (pod.get("status") or {}).get("containerStatuses") or ()
        if not status.get("ready") and status.get("restartCount")
    ][:MOST_LOGS]
    found = {}
    for pod, container, status in wanted:
        previous = "terminated" in (status.get("lastState") or {}) and "waiting" in status["state"]
        question = client.logs(
            pod, namespace, container=container, previous=previous, tail=LOG_LINES
        )
        if text := await notes.ask(f"log of {pod}/{container}", question, ""):
            found[f"{pod}/{container}"] = text
    return found
