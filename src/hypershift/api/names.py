"""How a Python field name becomes the name on the wire: `issuer_url` is `issuerURL`."""

#: Words that wire names keep in capitals wherever they are not the first word.
CAPITALS = {
    "api": "API",
    "arn": "ARN",
    "ca": "CA",
    "cfs": "CFS",
    "cidr": "CIDR",
    "cidrs": "CIDRs",
    "cors": "CORS",
    "crn": "CRN",
    "dn": "DN",
    "dns": "DNS",
    "gb": "GB",
    "gc": "GC",
    "gib": "GiB",
    "hsts": "HSTS",
    "id": "ID",
    "ids": "IDs",
    "ip": "IP",
    "msi": "MSI",
    "mtu": "MTU",
    "oauth": "OAuth",
    "oidc": "OIDC",
    "ra": "RA",
    "tls": "TLS",
    "uri": "URI",
    "url": "URL",
    "vnet": "VNet",
    "vpc": "VPC",
}

#: Names that follow no rule.
IRREGULAR = {"api_critical_priority_class_name": "APICriticalPriorityClassName"}


def wire_name(field: str) -> str:
    """The JSON name of a field; a trailing underscore only dodges a Python keyword."""
    if field in IRREGULAR:
        return IRREGULAR[field]
    first, *rest = field.rstrip("_").split("_")
    return first + "".join(CAPITALS.get(word, word.capitalize()) for word in rest)
