"""The name of a subnet out of its Azure resource id."""

from hypershift.kit import InvalidSpec

_TYPE = "virtualNetworks/subnets"


def name(subnet_id: str) -> str:
    """The last part of `/subscriptions/S/.../virtualNetworks/V/subnets/NAME`."""
    try:
        kind, found = _parse(subnet_id)
    except InvalidSpec as error:
        raise InvalidSpec(f'failed to parse subnet ID "{subnet_id}": {error}') from error
    if kind.lower() != _TYPE.lower():
        raise InvalidSpec(f"invalid resource type '{kind}', expected '{_TYPE}'")
    if not found:
        raise InvalidSpec(f'failed to parse subnet name from "{subnet_id}"')
    return found


def _parse(resource_id: str) -> tuple[str, str]:
    """Type (without its namespace) and name of the resource that an id names."""
    if not resource_id:
        raise InvalidSpec("invalid resource ID: id cannot be empty")
    if not resource_id.startswith("/"):
        raise InvalidSpec(f"invalid resource ID: resource id '{resource_id}' must start with '/'")
    parts = [part.strip() for part in resource_id.split("/") if part.strip()]
    at_least = 2
    if len(parts) < at_least or parts[0].lower() not in ("subscriptions", "providers"):
        raise InvalidSpec(f"invalid resource ID: {resource_id}")
    return _walk(parts, resource_id)


def _walk(parts: list[str], resource_id: str) -> tuple[str, str]:
    kind, found, rest = "", "", parts
    wrong = InvalidSpec(f"invalid resource ID: {resource_id}")
    whole = 4  # providers, namespace, type, name
    while rest:
        word = rest[0].lower()
        if len(rest) == 1:
            if kind in ("", "subscriptions") and word in ("subscriptions", "resourcegroups"):
                raise wrong
            if kind == "resourceGroups":
                raise wrong
            return _child(kind, rest[0]), ""
        if word == "providers":
            if len(rest) >= whole and rest[2].lower() != "providers":
                kind, found, rest = rest[2], rest[3], rest[4:]
                continue
            if kind not in ("", "subscriptions") or len(rest) == whole - 1:
                raise wrong
            kind, found, rest = "providers", rest[1], rest[2:]
            continue
        kind, found, rest = _child(kind, rest[0]), rest[1], rest[2:]
    return kind, found


def _child(kind: str, word: str) -> str:
    """The type of what lies below a resource."""
    if not kind and word.lower() == "subscriptions":
        return "subscriptions"
    if kind == "subscriptions" and word.lower() == "resourcegroups":
        return "resourceGroups"
    return f"{kind}/{word}" if kind else word
