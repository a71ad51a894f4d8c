"""The address of an HTTPS proxy as nodes are configured with it, in the original's bytes.

It is part of what machines are configured by: another spelling would roll every pool behind a
proxy. So what the user wrote stays, but for the scheme and a missing port.
"""

import re

from hypershift.kit import InvalidSpec

_ABSOLUTE = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):(?P<rest>.*)", re.DOTALL)
_AUTHORITY = re.compile(
    r"//(?P<user>[^/?#]*@)?(?P<name>\[[^\]]*\]|[^/?#:@]*)(?::(?P<port>[^/?#]*))?(?P<tail>.*)",
    re.DOTALL,
)
_PORTS = {"https": "443"}
_DEFAULT_PORT = "80"
#: Schemes that go without saying.
_PLAIN = ("http", "https")


def address(proxy: str) -> str:
    """User, host, port and path of a proxy."""
    found = _ABSOLUTE.fullmatch(proxy)
    if not found:
        raise InvalidSpec(_why_no_url(proxy))
    scheme, rest = found["scheme"].lower(), found["rest"]
    parts = _AUTHORITY.fullmatch(rest)
    if not parts:
        return f"{scheme}:{rest}"  # `proxy.example.com:3128` is a URL, of scheme proxy.example.com
    port = parts["port"] or _PORTS.get(scheme, _DEFAULT_PORT)
    if not port.isdecimal():
        raise InvalidSpec(f'parse "{proxy}": invalid port ":{port}" after host')
    text = f"{parts['user'] or ''}{parts['name']}:{port}{parts['tail']}"
    return text if scheme in _PLAIN else f"{scheme}://{text}"


def _why_no_url(proxy: str) -> str:
    if proxy.startswith(":"):
        return f'parse "{proxy}": missing protocol scheme'
    first = re.split("[/?#]", proxy, maxsplit=1)[0]
    if ":" in first:
        return f'parse "{proxy}": first path segment in URL cannot contain colon'
    return "url scheme must be specified"
