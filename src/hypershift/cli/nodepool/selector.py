"""Label selectors as users write them: `size=large,zone notin (a,b),!old`."""

import re
from operator import itemgetter

from hypershift.kit import Manifest, UsageError

_SET = re.compile(r"^(\S+)\s+(in|notin)\s*\(([^)]*)\)$")
_PARTS = re.compile(r",(?![^(]*\))")
_NAME = re.compile(r"^[A-Za-z0-9]([A-Za-z0-9._/-]*[A-Za-z0-9])?$")


def parse_selector(text: str) -> Manifest:
    """Read a selector into the form that Kubernetes objects carry; empty selects everything."""
    labels: dict[str, str] = {}
    expressions: list[Manifest] = []
    for part in (part.strip() for part in _PARTS.split(text) if text.strip()):
        if match := _SET.match(part):
            key, operator, values = match.groups()
            expressions.append(_expression(key, {"in": "In", "notin": "NotIn"}[operator], values))
        elif "!=" in part:
            key, _, value = part.partition("!=")
            expressions.append(_expression(key.strip(), "NotIn", value))
        elif "=" in part:
            key, _, value = part.partition("=")
            labels[_name(key, text)] = value.removeprefix("=").strip()
        elif part.startswith("!"):
            expressions.append({"key": _name(part[1:], text), "operator": "DoesNotExist"})
        else:
            expressions.append({"key": _name(part, text), "operator": "Exists"})
    selector: Manifest = {}
    if labels:
        selector["matchLabels"] = labels
    if expressions:
        selector["matchExpressions"] = sorted(expressions, key=itemgetter("key"))
    return selector


def _expression(key: str, operator: str, values: str) -> Manifest:
    listed = sorted(value.strip() for value in values.split(","))
    return {"key": key, "operator": operator, "values": listed}


def _name(word: str, text: str) -> str:
    if not _NAME.match(word.strip()):
        raise UsageError(f'unable to parse label selector "{text}": unexpected "{word.strip()}"')
    return word.strip()
