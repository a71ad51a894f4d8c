"""What a process may follow: kinds that are served and that its rights let it see."""

import asyncio
import json
from typing import Any

from tests.lib.memory import MemoryClient

from hypershift.kube import Forbidden, kinds
from hypershift.process.bench import served_links


class Server(MemoryClient):
    """A management cluster with the kind of links, or without; it may refuse to list them."""

    def __init__(self, *, served: bool = True, allowed: bool = True) -> None:
        super().__init__()
        self.served, self.allowed = served, allowed

    async def raw(self, *_: Any, **__: Any) -> bytes:
        found = [{"name": kinds.AWS_ENDPOINT_SERVICE.plural}] if self.served else []
        return json.dumps({"resources": found}).encode()

    async def list(self, *words: Any, **options: Any) -> Any:
        if not self.allowed:
            raise Forbidden(403, "Forbidden", "no")
        return await super().list(*words, **options)


def links(server: Server) -> list[str]:
    return [each.called for each in asyncio.run(served_links(server, "clusters-demo"))]


def test_links_are_followed_where_their_kind_is_served() -> None:
    assert links(Server()) == ["awsendpointservices"]
    assert links(Server(served=False)) == []


def test_a_role_of_an_older_operator_keeps_nothing_waiting() -> None:
    assert links(Server(allowed=False)) == []
