"""What only pods have: logs and commands in their containers."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from hypershift.kube import kinds
from hypershift.kube.base import Base
from hypershift.kube.execution import ExecResult


class Pods(Base):
    """logs, follow_logs and exec."""

    async def logs(
        self,
        name: str,
        namespace: str,
        *,
        container: str = "",
        previous: bool = False,
        tail: int | None = None,
        most: int | None = None,
    ) -> str:
        """What a container has printed so far; `most` asks for so many bytes at most."""
        query = {
            "container": container,
            "previous": "true" if previous else "",
            "tailLines": "" if tail is None else str(tail),
            "limitBytes": "" if most is None else str(most),
        }
        answer = await self._call.answer("GET", kinds.POD.item(name, namespace, "log"), query=query)
        return answer.body.decode(errors="replace")

    async def follow_logs(
        self, name: str, namespace: str, *, container: str = ""
    ) -> AsyncGenerator[str, None]:
        """The lines of a container as it prints them."""
        query = {"container": container, "follow": "true"}
        path = kinds.POD.item(name, namespace, "log")
        async with aclosing(self._call.lines("GET", path, query=query)) as lines:
            async for line in lines:
                yield line.decode(errors="replace")

    async def exec(
        self,
        name: str,
        namespace: str,
        command: Sequence[str],
        *,
        container: str = "",
        stdin: bytes = b"",
    ) -> ExecResult:
        """Run a command in a container and wait for its end."""
        from hypershift.kube.websocket import execute  # noqa: PLC0415 - aiohttp, where it is used

        path = kinds.POD.item(name, namespace, "exec")
        return await execute(self.transport, path, command, container=container, stdin=stdin)
