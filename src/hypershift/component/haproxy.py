"""What every HAProxy configuration of ours begins with, and how its back ends look."""

from collections.abc import Iterable
from dataclasses import dataclass

#: Connections to API servers are watches that live for hours: a day without a byte ends them.
BEGINNING = """\
global
  log stdout local0
  maxconn 20000

defaults
  mode tcp
  log global
  log-format "%ci:%cp -> %fi:%fp [%t] %ft %b/%s %Tw/%Tc/%Tt %B %ts %ac/%fc/%bc/%sc/%rc %sq/%bq"
  option  dontlognull
  retries 3
  timeout http-request 30s
  timeout queue        1m
  timeout connect      10s
  timeout client       86400s
  timeout server       86400s
  timeout tunnel       86400s
"""
#: Where the kubelet asks whether the proxy answers.
HEALTH = """\
listen health_check_http_url
  bind :::9444 v4v6
  mode http
  monitor-uri /haproxy_ready
"""
#: TLS without termination: the name in the client's first message chooses the back end.
READ_HELLO = """\
  tcp-request inspect-delay 5s
  tcp-request content accept if { req_ssl_hello_type 1 }
"""


@dataclass(frozen=True, slots=True)
class Backend:
    """A server behind a name."""

    name: str
    address: str
    port: int
    #: The name that clients ask for; empty where something else chooses this back end.
    host: str = ""
    #: Clients outside of these ranges are turned away; none admits all.
    allowed: tuple[str, ...] = ()
    #: The value that the PROXY header of a node's proxy carries instead of a host.
    cluster_id: str = ""

    @property
    def section(self) -> str:
        """The section of the configuration that names the server."""
        return f"backend {self.name}\n  server {self.name} {self.address}:{self.port}\n"


def lines(rules: Iterable[str]) -> str:
    """Rules of a section, one on each line."""
    return "".join(f"  {rule}\n" for rule in rules)
