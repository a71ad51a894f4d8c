"""Names of Azure resources: `/subscriptions/S/resourceGroups/G/providers/Namespace/type/NAME`."""

_TENANT, _SUBSCRIPTION, _GROUP, _PROVIDER = (
    f"Microsoft.Resources/{name}"
    for name in ("tenants", "subscriptions", "resourceGroups", "providers")
)
_PROVIDED = 4


def resource_type(identifier: str) -> str:
    """The type of what an identifier names, `Namespace/type/subtype`."""
    if not identifier.startswith("/"):
        raise ValueError(f"invalid resource ID: resource id '{identifier}' must start with '/'")
    parts = [part.strip() for part in identifier.split("/") if part.strip()]
    kind = _TENANT
    known = [word.lower() in ("subscriptions", "providers") for word in parts[:1]]
    if len(parts) < len(("type", "name")) or not all(known):
        raise _invalid(identifier)
    while parts:
        kind, parts = _step(kind, parts, identifier)
    return kind


def _step(kind: str, parts: list[str], identifier: str) -> tuple[str, list[str]]:
    """Go one resource deeper: its type, and what is left to read."""
    word, *rest = parts
    if not rest:
        return _last(kind, word, identifier), []
    if word.lower() != "providers":
        return _child(kind, word), rest[1:]
    if len(rest) == 1 or rest[1].lower() == "providers":
        if kind not in (_SUBSCRIPTION, _TENANT):
            raise _invalid(identifier)
        return _PROVIDER, rest[1:]
    if len(parts) < _PROVIDED:
        raise _invalid(identifier)
    return f"{rest[0]}/{rest[1]}", parts[_PROVIDED:]


def _last(kind: str, word: str, identifier: str) -> str:
    """A type without a name, which some must have."""
    child = _child(kind, word)
    if kind == _GROUP or child in (_SUBSCRIPTION, _GROUP):
        raise _invalid(identifier)
    return child


def _child(kind: str, word: str) -> str:
    if kind == _TENANT and word.lower() == "subscriptions":
        return _SUBSCRIPTION
    if kind == _SUBSCRIPTION and word.lower() == "resourcegroups":
        return _GROUP
    return f"{kind}/{word}"


def _invalid(identifier: str) -> ValueError:
    return ValueError(f"invalid resource ID: {identifier}")
