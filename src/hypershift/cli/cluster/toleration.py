"""Tolerations as flags: `key=K,value=V,operator=Exists,effect=NoSchedule,tolerationSeconds=30`."""

import re

from hypershift.kit import Manifest, UsageError

OPERATORS = {"equal": "Equal", "exists": "Exists"}
EFFECTS = {
    "noschedule": "NoSchedule",
    "prefernoschedule": "PreferNoSchedule",
    "noexecute": "NoExecute",
}

LEAST, GREATEST = -(2**63), 2**63 - 1


def parse_toleration(text: str) -> Manifest:
    """Read one toleration; names and closed values are taken in any case."""
    found: Manifest = {}
    for item in text.split(","):
        name, value = _pair(item, text)
        match name.lower():
            case "key" | "value":
                found[name.lower()] = value
            case "operator":
                found["operator"] = _known(OPERATORS, value, "operator")
            case "effect":
                found["effect"] = _known(EFFECTS, value, "effect")
            case "tolerationseconds":
                found["tolerationSeconds"] = _seconds(value)
            case _:
                raise UsageError(f"invalid toleration cli argument. unknown field [{name}]")
    return found


def _pair(item: str, text: str) -> tuple[str, str]:
    words = [word.strip() for word in item.split("=")]
    if len(words) != len(("name", "value")):
        raise UsageError(f"invalid toleration cli argument. [{text}]")
    return words[0], words[1]


def _known(known: dict[str, str], value: str, what: str) -> str:
    if value and value.lower() not in known:
        raise UsageError(f"invalid toleration cli argument. unknown {what} type [{value}]")
    return known.get(value.lower(), "")


def _seconds(value: str) -> int:
    if not re.fullmatch("[-+]?[0-9]{1,30}", value) or not LEAST <= int(value) <= GREATEST:
        raise UsageError(
            f"invalid toleration cli argument. failed to parse tolerationSeconds [{value}]"
        )
    return int(value)
