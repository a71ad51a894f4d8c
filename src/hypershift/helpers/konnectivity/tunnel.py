"""How a proxy connects: through konnectivity into the hosted network, or directly."""

import argparse
import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from hypershift.helpers.streams import Stream, ask_for, dial
from hypershift.helpers.switch import add_switch
from hypershift.kit.no_proxy import exempts

#: APIs of clouds, which control plane programs call themselves and not through the hosted network.
CLOUDS = (
    ".amazonaws.com",
    ".c2s.ic.gov",
    ".hci.ic.gov",
    ".sc2s.sgov.gov",
    ".microsoftonline.com",
    ".azure.com",
    ".cloud.ibm.com",
)


def flags(parser: argparse.ArgumentParser) -> None:
    """Declare what both proxies take."""
    parser.add_argument("command", nargs="?", choices=("run",), help="Run the proxy")
    parser.add_argument("--konnectivity-hostname", default="konnectivity-server-local")
    parser.add_argument("--konnectivity-port", type=int, default=8090)
    parser.add_argument("--serving-port", type=int, default=8090)
    folder = "/etc/konnectivity"
    parser.add_argument("--ca-cert-path", default=f"{folder}/proxy-ca/ca.crt")
    parser.add_argument("--tls-cert-path", default=f"{folder}/proxy-client/tls.crt")
    parser.add_argument("--tls-key-path", default=f"{folder}/proxy-client/tls.key")
    add_switch(parser, "--connect-directly-to-cloud-apis", "Call APIs of clouds directly")
    add_switch(parser, "--prefer-ipv4", "Prefer IPv4 where a name has addresses of both families")


@dataclass(frozen=True, slots=True)
class Tunnel:
    """The konnectivity server, and who we are to it."""

    host: str
    port: int
    files: tuple[str, str, str] = ("", "", "")
    direct_clouds: bool = False

    @classmethod
    def of(cls, options: argparse.Namespace) -> "Tunnel":
        """The tunnel that flags describe."""
        files = (options.ca_cert_path, options.tls_cert_path, options.tls_key_path)
        clouds = options.connect_directly_to_cloud_apis
        return cls(options.konnectivity_hostname, options.konnectivity_port, files, clouds)

    async def open(self, host: str, port: int) -> Stream:
        """A connection to a host: of a cloud directly if asked for, of the guest by tunnel."""
        if self.direct_clouds and is_cloud(host):
            return await directly(host, port, os.environ)
        return await ask_for(await dial(self.host, self.port, self._tls()), host, port)

    def _tls(self) -> ssl.SSLContext | None:
        """Read again for each connection, because certificates are renewed."""
        ca, cert, key = self.files
        if not ca:
            return None
        context = ssl.create_default_context(cafile=ca)
        context.load_cert_chain(cert, key)
        return context


def is_cloud(host: str) -> bool:
    """True if a host is an API of a cloud."""
    return host.lower().rstrip(".").endswith(CLOUDS)


async def directly(host: str, port: int, environ: Mapping[str, str]) -> Stream:
    """A connection without konnectivity, through the management cluster's proxy if it has one."""
    proxy = proxy_for(host, port, environ.get("HTTPS_PROXY", ""), environ.get("NO_PROXY", ""))
    if proxy is None:
        return await dial(host, port)
    (place, at), user = proxy
    return await ask_for(await dial(place, at), host, port, user=user)


def proxy_for(
    host: str, port: int, proxy: str, no_proxy: str
) -> tuple[tuple[str, int], str] | None:
    """Host and port of a proxy and its user; None if a host is reached without."""
    if not proxy or exempts(no_proxy, host, port):
        return None
    parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    if parts.scheme != "http" or not parts.hostname:
        raise ValueError("only proxies of scheme http are supported")
    user = parts.netloc.rpartition("@")[0]
    return (parts.hostname, parts.port or 80), user
