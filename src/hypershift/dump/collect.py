"""Collect objects, logs and what could not be had, into a directory of files; all in parallel."""

import asyncio
from collections.abc import Awaitable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import yaml

from hypershift.dump import mask
from hypershift.kit import HypershiftError, Manifest
from hypershift.kube import Client, NotFound, Resource, kinds

AT_ONCE = 16
SECONDS = 30.0
NOT_ALLOWED = 405
#: Too large for their use, or computed at every request.
LEFT_OUT = frozenset({"customresourcedefinitions", "componentstatuses", "apirequestcounts"})
T = TypeVar("T")


@dataclass(slots=True)
class Collector:
    """One API server, and the directory that its answers go to."""

    client: Client
    root: Path
    problems: list[str] = field(default_factory=list)
    files: int = 0
    _turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def served(self) -> Sequence[Resource]:
        """Every kind that can be listed here, in the version that the server prefers."""
        groups = await self.ask("API groups", self._groups(), [])
        found = await asyncio.gather(
            *(self.ask(f"kinds of {each}", self.client.discover(each), []) for each in groups)
        )
        return [kind for some in found for kind in some if kind.plural not in LEFT_OUT]

    async def namespace(self, name: str, kinds_served: Iterable[Resource]) -> None:
        """Everything in a namespace, and the logs of its pods."""
        listed = [self._list(kind, name) for kind in kinds_served if kind.namespaced]
        await asyncio.gather(*listed, self.logs(name))

    async def cluster(self, kinds_served: Iterable[Resource]) -> None:
        """Everything that belongs to no namespace."""
        await asyncio.gather(
            *(self._list(kind, "") for kind in kinds_served if not kind.namespaced)
        )

    async def logs(self, namespace: str) -> None:
        """The logs of every container, and those from before its last restart."""
        pods = await self.ask(f"pods in {namespace}", self.client.list(kinds.POD, namespace), [])
        await asyncio.gather(*(self._log(one) for pod in pods for one in containers(pod)))

    async def _log(self, log: "Log") -> None:
        question = self.client.logs(
            log.pod, log.namespace, container=log.container, previous=log.previous
        )
        if found := await self.ask(f"log {log.namespace}/{log.file}", question, ""):
            self.write(f"namespaces/{log.namespace}/core/pods/logs/{log.file}", found)

    async def _list(self, kind: Resource, namespace: str) -> None:
        what = f"{kind} in {namespace}" if namespace else str(kind)
        found = await self.ask(what, self.client.list(kind, namespace), [])
        if found:
            place = f"namespaces/{namespace}" if namespace else "cluster-scoped-resources"
            self.write(f"{place}/{kind.group or 'core'}/{kind.plural}.yaml", listing(found))

    async def ask(self, what: str, question: Awaitable[T], otherwise: T) -> T:
        """The answer; without one, a line about why there is none."""
        async with self._turns:
            try:
                return await asyncio.wait_for(question, SECONDS)
            except TimeoutError:
                self.problems.append(f"{what}: no answer within {SECONDS:.0f} s")
            except NotFound:
                pass  # gone, or a kind that can only be created
            except (HypershiftError, OSError) as error:
                if (
                    getattr(error, "status", 0) != NOT_ALLOWED
                ):  # a kind that is only asked, not kept
                    self.problems.append(f"{what}: {mask.text(str(error))}")
        return otherwise

    def write(self, path: str, content: str) -> None:
        """One file, readable by its owner alone, without secrets."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch(mode=0o600)
        target.write_text(mask.text(content))
        self.files += 1

    async def _groups(self) -> list[str]:
        document = yaml.safe_load(await self.client.raw("GET", "/apis"))
        return ["v1", *(each["preferredVersion"]["groupVersion"] for each in document["groups"])]


def listing(found: Sequence[Manifest]) -> str:
    """Objects as a List that kubectl could read."""
    items = [mask.manifest(each) for each in found]
    document = {"apiVersion": "v1", "kind": "List", "items": items}
    return yaml.dump(document, Dumper=yaml.CSafeDumper, sort_keys=False, width=1000)


@dataclass(frozen=True, slots=True)
class Log:
    """The log of one container, or the one from before its last restart."""

    pod: str
    namespace: str
    container: str
    previous: bool = False

    @property
    def file(self) -> str:
        """The name of the file that it goes to."""
        return f"{self.pod}-{self.container}{'-previous' if self.previous else ''}.log"


def containers(pod: Manifest) -> Iterator[Log]:
    """The logs that a pod has."""
    name, namespace = (pod["metadata"][key] for key in ("name", "namespace"))
    status = pod.get("status") or {}
    for section in ("initContainerStatuses", "containerStatuses"):
        for each in status.get(section) or ():
            again = bool(each.get("restartCount"))
            if again or {"running", "terminated"} & (each.get("state") or {}).keys():
                yield Log(name, namespace, each["name"])
            if again:
                yield Log(name, namespace, each["name"], previous=True)
