"""The objects of an API server by resource, at one revision: it decrypts and decodes each."""

import http.client
import json
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

PAGE: Final = 500
SILENCE: Final = 120.0
LONGEST: Final = 10_000
#: The server still reads objects whole; what it sends is small.
METADATA: Final = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
PLAIN: Final = "application/json"
#: Resources that are computed and stored nowhere.
COMPUTED: Final = frozenset({"componentstatuses"})


@dataclass(frozen=True, slots=True)
class Failed(Exception):
    """An answer that is not 200."""

    status: int
    message: str

    def __str__(self) -> str:
        """What the server said."""
        return f"{self.status} {self.message}"


#: Asks the API server for a document: path and Accept.
Get = Callable[[str, str], dict[str, Any]]


def api(host: str, port: int, authority: Path, token: Path) -> Get:
    """The API server of a proof, asked as its administrator."""
    context = ssl.create_default_context(cafile=str(authority))
    headers = {"Authorization": f"Bearer {token.read_text()}"}

    def get(path: str, accept: str) -> dict[str, Any]:
        connection = http.client.HTTPSConnection(host, port, timeout=SILENCE, context=context)
        try:
            connection.request("GET", path, headers={**headers, "Accept": accept})
            answer = connection.getresponse()
            body = answer.read()
        finally:
            connection.close()
        if answer.status != http.client.OK:
            raise Failed(answer.status, _message(body))
        found: dict[str, Any] = json.loads(body) if accept != "*/*" else {}
        return found

    return get


def _message(body: bytes) -> str:
    try:
        return str(json.loads(body)["message"])[:500]
    except (ValueError, KeyError, TypeError):
        text = body[:LONGEST].decode(errors="replace")
        # A health check lists what is well too.
        return "; ".join(line for line in text.splitlines() if line.startswith("[-]")) or text[:200]


@dataclass(frozen=True, slots=True)
class Listed:
    """A resource that can be listed."""

    group: str
    version: str
    name: str

    @property
    def path(self) -> str:
        base = f"/apis/{self.group}" if self.group else "/api"
        return f"{base}/{self.version}/{self.name}"

    @property
    def title(self) -> str:
        """How people call it."""
        return f"{self.name}.{self.group}" if self.group else self.name


def resources(get: Get) -> Iterator[Listed]:
    """Yield what the server lists, each group in its preferred version."""
    groups = get("/apis", PLAIN).get("groups", ())
    preferred = [(one["name"], one["preferredVersion"]["version"]) for one in groups]
    versions = [("", "v1"), *preferred]
    for group, version in versions:
        try:
            found = get(f"/apis/{group}/{version}" if group else f"/api/{version}", PLAIN)
        except Failed:
            continue  # a server of the guest's own, which is not here
        for one in found.get("resources", ()):
            if "/" not in one["name"] and "list" in one["verbs"] and one["name"] not in COMPUTED:
                yield Listed(group, version, one["name"])


def count(get: Get, listed: Listed, revision: int) -> int:
    """How many objects the server read at a revision."""
    total, token = 0, ""
    while True:
        query = {"limit": str(PAGE)}
        query |= (
            {"continue": token}
            if token
            else {"resourceVersion": str(revision), "resourceVersionMatch": "Exact"}
        )
        found = get(f"{listed.path}?{urlencode(query)}", METADATA)
        total += len(found.get("items") or ())
        token = (found.get("metadata") or {}).get("continue") or ""
        if not token:
            return total
