"""Objects of our kinds, made at random out of the declarations."""

from collections.abc import Mapping
from typing import Any, get_args, get_origin

from hypothesis import strategies as st

from hypershift.api.facts import Facts, facts_of, is_map, unfold
from hypershift.api.meta import ObjectMeta
from hypershift.api.shape import Gated, Value
from hypershift.api.struct import Shape

WORDS = st.text("abcdefghijklmnopqrstuvwxyz-0123456789", min_size=1, max_size=8)
UNKNOWN = st.dictionaries(
    WORDS.map(lambda word: f"next{word}"),
    st.none() | st.booleans() | st.integers(0, 9) | WORDS | st.lists(WORDS, max_size=2),
    max_size=2,
)


def objects(shape: type[Shape], *, newer: bool = False, depth: int = 0) -> st.SearchStrategy[Any]:
    """JSON of a shape: required fields, some optional ones and, if newer, unknown ones."""
    if shape is ObjectMeta:
        return st.fixed_dictionaries({"name": WORDS}, optional={"namespace": WORDS})
    wanted = {facts.wire: facts for facts in facts_of(shape)}
    needed = {wire for wire, facts in wanted.items() if facts.required or facts.value.optional}
    optional = [wire for wire in wanted if wire not in needed]
    some = st.lists(st.sampled_from(optional), max_size=3, unique=True) if optional else st.just([])

    def fill(chosen: list[str]) -> st.SearchStrategy[Any]:
        names = needed | (set(chosen) if depth < 4 else set())
        parts = {wire: _field(wanted[wire], newer=newer, depth=depth) for wire in sorted(names)}
        return st.fixed_dictionaries(parts)

    made = some.flatmap(fill)
    if not newer:
        return made
    return st.tuples(made, UNKNOWN).map(lambda both: {**both[1], **both[0]})


def _field(facts: Facts, *, newer: bool, depth: int) -> st.SearchStrategy[Any]:
    made = _value(facts.type, facts.value, newer=newer, depth=depth)
    return st.none() | made if facts.value.nullable and facts.required else made


def _value(hint: Any, value: Value | None, *, newer: bool, depth: int) -> st.SearchStrategy[Any]:
    bare, notes = unfold(hint)
    value = value or (notes[-1] if notes else Value())
    if isinstance(bare, type) and issubclass(bare, Shape):
        return objects(bare, newer=newer, depth=depth + 1)
    if get_origin(bare) is tuple:
        element = _value(get_args(bare)[0], value.items, newer=newer, depth=depth)
        return st.lists(element, min_size=1, max_size=2)
    if is_map(bare) or get_origin(bare) is Mapping:
        return st.dictionaries(WORDS, WORDS, max_size=2)
    if value.enum and not newer:
        return st.sampled_from([_word(each) for each in value.enum])
    return {bool: st.booleans(), int: st.integers(0, 100)}.get(bare, WORDS)


def _word(each: str | int | Gated) -> str | int:
    return each.value if isinstance(each, Gated) else each
