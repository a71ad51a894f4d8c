"""Writes the pages about shapes: every field with its type, meaning and limits."""

import json
from collections.abc import Iterator
from typing import Any, get_args, get_origin

from hypershift.api.docs.limits import cell, gate_words, limits, rules
from hypershift.api.facts import Facts, facts_of, is_map, unfold
from hypershift.api.meta import ObjectMeta
from hypershift.api.shape import constraints_of
from hypershift.api.struct import Shape

_SCALARS = {str: "string", bool: "boolean", int: "integer"}


def page_of(shape: type[Shape]) -> str:
    """The page that explains a shape: its module's, or its package's."""
    return shape.__module__.removeprefix("hypershift.api.").partition(".")[0]


def below(shape: type[Shape]) -> Iterator[type[Shape]]:
    """A shape and all that its fields lead to, each once, parents first."""
    seen: dict[type[Shape], None] = {}
    pending = [shape]
    while pending:
        current = pending.pop(0)
        if current in seen or current is ObjectMeta:
            continue
        seen[current] = None
        pending += [found for facts in facts_of(current) if (found := _shape_in(facts.type))]
    yield from seen


def _shape_in(hint: Any) -> type[Shape] | None:
    bare, _ = unfold(hint)
    if isinstance(bare, type) and issubclass(bare, Shape):
        return bare
    inner = get_args(bare)
    if get_origin(bare) is tuple:
        return _shape_in(inner[0])
    return _shape_in(inner[1]) if is_map(bare) else None


def section(shape: type[Shape]) -> str:
    """A shape as a section of its page."""
    text = " ".join((shape.__doc__ or "").split())
    lines = [f"## {shape.__name__}", "", text, ""]
    if own := list(rules(constraints_of(shape).rules)):
        lines += ["Rules:", "", *(f"- {rule}" for rule in own), ""]
    lines += ["| Field | Type | Meaning |", "|---|---|---|"]
    lines += [_row(facts, shape) for facts in facts_of(shape)]
    return "\n".join(lines) + "\n"


def _row(facts: Facts, shape: type[Shape]) -> str:
    name = f"`{facts.wire}`" + ("" if not facts.required else " **required**")
    if facts.value.gate:
        name += f" ({gate_words(facts.value.gate)})"
    meaning = cell(facts.description)
    if facts.value.default is not None and facts.name not in ("api_version", "kind"):
        meaning += f" Filled in as `{json.dumps(facts.value.default)}`."
    if said := list(limits(facts.value)):
        meaning += "<br>" + "<br>".join(said)
    return f"| {name} | {_type(facts.type, page_of(shape))} | {meaning} |"


def _type(hint: Any, page: str) -> str:
    bare, _ = unfold(hint)
    if bare in _SCALARS:
        return _SCALARS[bare]
    if get_origin(bare) is tuple:
        return f"list of {_type(get_args(bare)[0], page)}"
    if is_map(bare):
        element = get_args(bare)[1]
        return "object" if element is Any else f"map of {_type(element, page)}"
    if bare is ObjectMeta:
        return "ObjectMeta"
    if isinstance(bare, type):
        target = "" if page_of(bare) == page else f"{page_of(bare)}.md"
        return f"[{bare.__name__}]({target}#{bare.__name__.lower()})"
    return "integer or string"
