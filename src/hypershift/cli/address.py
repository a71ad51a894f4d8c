"""Ranges of addresses as users write them: `10.0.0.0/16`, `fd01::/48`."""

import ipaddress
import re

_SHAPE = re.compile(r"([0-9A-Fa-f.:]+)/([0-9]+)")


def cidr(text: str) -> str:
    """The range in its usual spelling; the host's part of its address stays as it was typed."""
    found = _SHAPE.fullmatch(text)
    try:
        address = ipaddress.ip_address(found[1] if found else "")
    except ValueError:
        address = None
    if found is None or address is None or int(found[2]) > address.max_prefixlen:
        raise ValueError(f"invalid CIDR address: {text}")
    return f"{address}/{int(found[2])}"
