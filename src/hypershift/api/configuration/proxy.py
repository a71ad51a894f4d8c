"""The proxy through which a cluster reaches the outside."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.meta import NameReference
from hypershift.api.shape import Field, Refers, Shape


class Proxy(Shape):
    """The proxy through which the cluster reaches the outside.

    A change restarts components and rolls nodes.
    """

    http_proxy: Annotated[
        str | None, Field("Address of the proxy for HTTP requests, `http://...`.")
    ] = None
    https_proxy: Annotated[str | None, Field("Address of the proxy for HTTPS requests.")] = None
    no_proxy: Annotated[
        str | None,
        Field(
            "Names, addresses and ranges to reach directly, separated by commas; `*` switches"
            " the proxy off. The cluster's own ranges are added."
        ),
    ] = None
    readiness_endpoints: Annotated[
        tuple[str, ...], Field("Addresses that must answer through the proxy before it is used.")
    ] = ()
    trusted_ca: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `ca-bundle.crt`) with CA certificates for proxies that inspect TLS.",
            refers=Refers.CONFIG_MAP,
        ),
    ] = None
