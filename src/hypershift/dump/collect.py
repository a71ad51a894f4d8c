"""Collect objects, logs and what could not be had, into a directory of files; all in parallel.

A hosted cluster answers what its administrators like: names that lead out of the directory, kinds
and namespaces without end. So no name becomes a path, and everything that is taken has a limit.
"""

import asyncio
import hashlib
import os
import re
from collections.abc import Awaitable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

import yaml

from hypershift.dump import mask
from hypershift.kit import HypershiftError, Manifest, documents
from hypershift.kit.budget import MEBIBYTE, refusing
from hypershift.kube import Client, NotFound, Resource, kinds

AT_ONCE = 16
SECONDS = 30.0
NOT_ALLOWED = 405
#: What is taken of one server: API groups, kinds, files, and characters of all files.
MOST_GROUPS: Final = 500
MOST_KINDS: Final = 2000
MOST_FILES: Final = 50_000
MOST_CHARACTERS: Final = 4096 * MEBIBYTE
#: Of a log, its end: so many lines, and so many bytes of these.
LOG_LINES: Final = 100_000
MOST_LOG: Final = 32 * MEBIBYTE
#: Signs of a file's name; any other is replaced.
_ODD: Final = re.compile(r"[^A-Za-z0-9._-]")
_LONGEST_NAME: Final = 200
_VERSION: Final = re.compile(r"[a-z0-9.-]{1,253}/v[a-z0-9]{1,30}")
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
    characters: int = 0
    _turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def served(self) -> Sequence[Resource]:
        """Every kind that can be listed here, in the version that the server prefers."""
        groups = await self.ask("API groups", self._groups(), [])
        found = await asyncio.gather(
            *(self.ask(f"kinds of {each}", self.client.discover(each), []) for each in groups)
        )
        kept = [kind for some in found for kind in some if kind.plural not in LEFT_OUT]
        if len(kept) > MOST_KINDS:
            self.problems.append(f"kinds: {len(kept)} are served, {MOST_KINDS} are read")
        return kept[:MOST_KINDS]

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
        pods = await self.ask(f"pods in {namespace}", self._containers(namespace), [])
        await asyncio.gather(*map(self._log, pods))

    async def _containers(self, namespace: str) -> "list[Log]":
        pods = await self.client.list(kinds.POD, namespace)
        return [one for pod in pods for one in containers(pod)]

    async def _log(self, log: "Log") -> None:
        question = self.client.logs(
            log.pod,
            log.namespace,
            container=log.container,
            previous=log.previous,
            tail=LOG_LINES,
            most=MOST_LOG,
        )
        if found := await self.ask(f"log {log.namespace}/{log.file}", question, ""):
            self.write(f"namespaces/{log.namespace}/core/pods/logs/{log.file}", found)

    async def _list(self, kind: Resource, namespace: str) -> None:
        what = f"{kind} in {namespace}" if namespace else str(kind)
        if found := await self.ask(what, self._listed(kind, namespace), ""):
            place = f"namespaces/{namespace}" if namespace else "cluster-scoped-resources"
            self.write(f"{place}/{kind.group or 'core'}/{kind.plural}.yaml", found)

    async def _listed(self, kind: Resource, namespace: str) -> str:
        found = await self.client.list(kind, namespace)
        return listing(found) if found else ""

    async def ask(self, what: str, question: Awaitable[T], otherwise: T) -> T:
        """The answer; without one, a line about why there is none."""
        async with self._turns:
            try:
                with refusing("the answer"):
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
        """One file below the directory, readable by its owner alone, without secrets."""
        shown = mask.text(content)
        if self.files >= MOST_FILES or self.characters + len(shown) > MOST_CHARACTERS:
            self.problems.append(f"{path}: the dump is full, it was not written")
            return
        target = self.root.joinpath(*map(file_name, path.split("/")))
        target.parent.mkdir(parents=True, exist_ok=True)
        # A link that somebody put there before us is not followed.
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with open(target, "w", opener=lambda name, _: os.open(name, flags, 0o600)) as file:
            file.write(shown)
        self.files += 1
        self.characters += len(shown)

    async def _groups(self) -> list[str]:
        document = documents.read_json(await self.client.raw("GET", "/apis"))
        found = [str(each["preferredVersion"]["groupVersion"]) for each in document["groups"]]
        sound = [each for each in found if _VERSION.fullmatch(each)]
        if left := len(found) - len(sound[:MOST_GROUPS]):
            self.problems.append(f"API groups: {left} of {len(found)} are not read")
        return ["v1", *sound[:MOST_GROUPS]]


def file_name(name: str) -> str:
    """A name that a user or guest chose, as one segment of a path."""
    plain = _ODD.sub("_", name)
    if plain.startswith("."):
        plain = f"_{plain[1:]}"
    if len(plain) > _LONGEST_NAME:
        # Kinds of names end with what they are: the end stays.
        unique = hashlib.sha256(name.encode(errors="replace")).hexdigest()[:8]
        plain = f"{plain[:100]}-{unique}-{plain[-80:]}"
    return plain or "_"


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
