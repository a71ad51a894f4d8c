"""Derives the OpenAPI schema of a shape for a set of gates."""

from typing import Any, get_args, get_origin

from hypershift.api.facts import facts_of, is_map, merged, unfold
from hypershift.api.meta import ObjectMeta
from hypershift.api.schema.features import is_on
from hypershift.api.shape import Gated, Rule, Shape, Value, constraints_of

Schema = dict[str, Any]
Gates = frozenset[str]

_SCALARS: dict[type, str] = {str: "string", bool: "boolean", int: "integer"}

#: Schema keywords that are written as they are declared.
_KEYWORDS = {
    "format": "format",
    "pattern": "pattern",
    "minimum": "minimum",
    "maximum": "maximum",
    "min_length": "minLength",
    "max_length": "maxLength",
    "min_items": "minItems",
    "max_items": "maxItems",
    "min_properties": "minProperties",
    "max_properties": "maxProperties",
    "list_type": "x-kubernetes-list-type",
    "map_type": "x-kubernetes-map-type",
}


def schema_of(shape: type[Shape], gates: Gates) -> Schema:
    """The schema of an object: its fields that exist, which are required, and its own rules."""
    facts = [each for each in facts_of(shape) if is_on(each.value.gate, gates)]
    own = constraints_of(shape)
    schema: Schema = {"type": "object"}
    if facts:
        schema["properties"] = {
            each.wire: {"description": each.description} | _schema(each.type, each.value, gates)
            for each in facts
        }
    if required := [each.wire for each in facts if each.required]:
        schema["required"] = required
    if own.keep_unknown:
        schema["x-kubernetes-preserve-unknown-fields"] = True
    return schema | _keywords(own) | _rules(own.rules, gates)


def _schema(bare: Any, value: Value, gates: Gates) -> Schema:
    schema = _typed(bare, value, gates) | _keywords(value)
    if value.list_keys:
        schema["x-kubernetes-list-map-keys"] = list(value.list_keys)
    if value.enum:
        schema["enum"] = list(enum_of(value, gates))
    if value.nullable:
        schema["nullable"] = True
    if value.default is not None:
        schema["default"] = value.default
    own = schema.pop("x-kubernetes-validations", [])
    added = _rules(value.rules, gates).get("x-kubernetes-validations", [])
    return schema | ({"x-kubernetes-validations": own + added} if own + added else {})


def _typed(bare: Any, value: Value, gates: Gates) -> Schema:
    if bare in _SCALARS:
        return {"type": _SCALARS[bare]}
    if get_origin(bare) is tuple:
        return {"type": "array", "items": _element(get_args(bare)[0], value.items, gates)}
    if is_map(bare):
        return _map(get_args(bare)[1], value, gates)
    if bare is ObjectMeta:  # the API server knows its fields
        return {"type": "object"}
    if isinstance(bare, type) and issubclass(bare, Shape):
        return schema_of(bare, gates)
    if set(get_args(bare)) == {int, str}:
        types = [{"type": "integer"}, {"type": "string"}]
        return {"anyOf": types, "x-kubernetes-int-or-string": True}
    raise TypeError(f"a schema cannot say {bare!r}")


def _map(element: Any, value: Value, gates: Gates) -> Schema:
    if element is Any:
        return {"type": "object"}
    return {
        "type": "object",
        "additionalProperties": _element(element, value.values, gates),
    }


def _element(hint: Any, value: Value | None, gates: Gates) -> Schema:
    bare, notes = unfold(hint)
    return _schema(bare, merged([*notes, *([value] if value else [])]), gates)


def enum_of(value: Value, gates: Gates) -> tuple[str | int, ...]:
    """The values an enum admits while these gates are on."""
    listed = (each if isinstance(each, Gated) else Gated(each, "") for each in value.enum)
    return tuple(each.value for each in listed if is_on(each.gate, gates))


def _keywords(said: Any) -> Schema:
    found = ((wire, getattr(said, name, None)) for name, wire in _KEYWORDS.items())
    return {wire: each for wire, each in found if each is not None and each != ""}


def _rules(rules: tuple[Rule, ...], gates: Gates) -> Schema:
    listed = [_rule(each) for each in rules if is_on(each.gate, gates)]
    return {"x-kubernetes-validations": listed} if listed else {}


def _rule(rule: Rule) -> Schema:
    parts = {
        "rule": rule.rule,
        "message": rule.message,
        "messageExpression": rule.message_expression,
        "fieldPath": rule.field_path,
        "reason": rule.reason,
    }
    return {name: text for name, text in parts.items() if text}
