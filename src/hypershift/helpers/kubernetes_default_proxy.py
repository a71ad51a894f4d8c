"""On each node: carry connections to the hosted API server through an HTTP CONNECT proxy."""

import argparse
from dataclasses import dataclass

from hypershift.helpers.streams import Stream, ask_for, dial, host_and_port, relay, serve


def flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags that the static pod passes."""
    parser.add_argument("--listen-addr", required=True, help="Address to listen on: host:port")
    parser.add_argument("--proxy-addr", required=True, help="The proxy: [user:password@]host:port")
    parser.add_argument("--apiserver-addr", required=True, help="The API server: host:port")


@dataclass(frozen=True, slots=True)
class Forward:
    """Where connections go, and through which proxy."""

    proxy: tuple[str, int]
    target: tuple[str, int]
    user: str = ""

    async def __call__(self, client: Stream) -> None:
        """Carry one connection."""
        stream = await ask_for(await dial(*self.proxy), *self.target, user=self.user)
        await relay(client, stream)


def forward(proxy: str, target: str) -> Forward:
    """Read the addresses; what follows the port of a proxy's URL means nothing to CONNECT."""
    if "://" in proxy:
        raise ValueError(f"proxies of scheme {proxy.partition('://')[0]} are not supported")
    user, _, place = proxy.partition("/")[0].rpartition("@")
    return Forward(host_and_port(place), host_and_port(target), user)


async def run(options: argparse.Namespace) -> int:
    """Serve until the pod ends."""
    host, port = host_and_port(options.listen_addr)
    return await serve(host, port, forward(options.proxy_addr, options.apiserver_addr))
