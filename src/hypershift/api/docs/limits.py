"""Says in words what a value must look like."""

from collections.abc import Iterator

from hypershift.api.shape import Gated, Rule, Value

_BOUNDS = (
    ("minimum", "maximum", ""),
    ("min_length", "max_length", "characters"),
    ("min_items", "max_items", "items"),
    ("min_properties", "max_properties", "entries"),
)


def limits(value: Value) -> Iterator[str]:
    """Each limit of a value as a short phrase."""
    if value.enum:
        yield "one of " + ", ".join(_word(each) for each in value.enum)
    for low, high, unit in _BOUNDS:
        yield from _bounds(getattr(value, low), getattr(value, high), unit)
    if value.format:
        yield f"format {value.format}"
    if value.pattern:
        yield f"pattern `{cell(value.pattern)}`"
    for part, each in (("items", value.items), ("values", value.values)):
        if each and (said := "; ".join(limits(each))):
            yield f"{part}: {said}"
    yield from rules(value.rules)


def rules(found: tuple[Rule, ...]) -> Iterator[str]:
    """What each rule answers when it is broken."""
    for rule in found:
        text = f"*{cell(rule.message or rule.rule)}*"
        yield f"{text} ({gate_words(rule.gate)})" if rule.gate else text


def gate_words(gate: str) -> str:
    """When something behind a gate exists."""
    return f"without gate {gate[1:]}" if gate.startswith("-") else f"gate {gate}"


def cell(text: str) -> str:
    """Text that does not break a table."""
    return text.replace("|", "\\|").replace("\n", " ")


def _word(each: str | int | Gated) -> str:
    if isinstance(each, Gated):
        return f"`{each.value}` (gate {each.gate})"
    return f"`{each}`" if each != "" else '`""`'


def _bounds(low: int | None, high: int | None, unit: str) -> Iterator[str]:
    tail = f" {unit}" if unit else ""
    match low, high:
        case None, None:
            return
        case None, most:
            yield f"at most {most}{tail}"
        case least, None:
            yield f"at least {least}{tail}"
        case least, most:
            yield f"{least} to {most}{tail}"
