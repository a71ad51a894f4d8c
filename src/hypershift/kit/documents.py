"""YAML and JSON: our own documents as they are, documents of other parties within a budget."""

import json
from collections.abc import Iterator
from typing import Any, ClassVar, NoReturn

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    ScalarEvent,
)

from hypershift.kit.budget import USER, BadDocument, Budget, Malformed, Mark, Meter, refusing

# libyaml takes a fifth of the time that Python takes.
_Dumper: type[yaml.SafeDumper] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_PREFIX = "tag:yaml.org,2002:"
#: Tags that name a JSON value. Others (timestamps, sets, pairs) make values that JSON lacks.
_TEXT_TAGS = frozenset({"!", f"{_PREFIX}str", f"{_PREFIX}map", f"{_PREFIX}seq"})
_WORD_TAGS = frozenset(_PREFIX + name for name in ("int", "float", "bool", "null"))
#: No number or date is longer. YAML 1.1 counts `1:1:1...` in base 60, in quadratic time.
_LONGEST_WORD = 64
_NUMERIC = frozenset("0123456789+-.")


def dumped(document: Any) -> str:
    """A document with sorted keys, in block style."""
    text: str = yaml.dump(document, Dumper=_Dumper, default_flow_style=False)
    return text


def loaded(text: str | bytes) -> Any:
    """The only document of a text of ours. Use `read` for text of another party."""
    return yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe loader


def each(text: str) -> list[Any]:
    """Every document of a text of ours that is not empty."""
    return [found for found in yaml.load_all(text, Loader=_Loader) if found]


def read(text: str | bytes, budget: Budget = USER) -> Any:
    """The only document of another party's YAML as JSON values, or BadDocument with the reason."""
    budget.check_size(text)
    try:
        with refusing("the document"):
            _measure(text, budget)
            return yaml.load(text, Loader=_UserLoader)  # noqa: S506 - a safe loader
    except yaml.YAMLError as error:
        raise Malformed(f"the document is not YAML: {_problem(error)}") from None


def read_json(text: str | bytes, budget: Budget = USER) -> Any:
    """Another party's JSON; raises BadDocument with the reason."""
    budget.check_size(text)
    with refusing("the document"):
        try:
            found = json.loads(text, parse_constant=_no_constant)
        except json.JSONDecodeError as error:
            raise Malformed(f"the document is not JSON: {error.msg} at {error.pos}") from None
        _check_json(found, budget)
        return found


class _UserLoader(_Loader):  # type: ignore[valid-type,misc] # chosen when the module is loaded
    """Reads dates as text, as JSON has none, and refuses a key that is there twice.

    Readers differ in which of two values counts, so that one could check what another does not use.
    So they do about what a merge (`<<`) brings: here the map's own key counts, in Go the later one.
    """

    yaml_implicit_resolvers: ClassVar = {
        first: [one for one in found if one[0] != f"{_PREFIX}timestamp"]
        for first, found in _Loader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:  # noqa: FBT001, FBT002 - PyYAML's signature
        keys = [*_keys(node)]
        if len(keys) != len(set(keys)):
            problem = "a key is there twice"
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)
        return super().construct_mapping(node, deep=deep)


def _keys(node: yaml.Node) -> Iterator[str]:
    """The keys of a map, and those that it takes over from others."""
    if isinstance(node, yaml.SequenceNode):  # several maps to merge
        for one in node.value:
            yield from _keys(one)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.tag == f"{_PREFIX}merge":
                yield from _keys(value)
            elif isinstance(key, yaml.ScalarNode):
                yield key.value


def _measure(text: str | bytes, budget: Budget) -> None:
    """Walk over a document before anything is built, so that a bad one costs nothing."""
    meter = Meter(budget)
    opened: list[tuple[str, Mark]] = []
    for event in _events(text):
        before = meter.mark()
        match event:
            case AliasEvent():
                if not meter.alias(event.anchor or ""):
                    raise BadDocument(f"the anchor {(event.anchor or '')[:64]!r} is unknown here")
            case CollectionStartEvent():
                _check_tag(event.tag, 0)
                meter.node()
                meter.enter()
                opened.append((event.anchor or "", before))
            case CollectionEndEvent():
                meter.leave()
                anchor, start = opened.pop()
                if anchor:
                    meter.anchor(anchor, start)
            case ScalarEvent():
                _check_scalar(event)
                meter.node(len(event.value))
                if event.anchor:
                    meter.anchor(event.anchor, before)
            case _:
                pass


def _events(text: str | bytes) -> Iterator[Event]:
    """The events of the first document; a second one is for the loader to refuse."""
    seen = 0
    for event in yaml.parse(text, Loader=_Loader):
        seen += isinstance(event, DocumentStartEvent)
        if seen > 1:
            return
        yield event


def _check_scalar(event: ScalarEvent) -> None:
    size = len(event.value)
    _check_tag(event.tag, size)
    plain = not event.tag and event.implicit[0]
    if plain and size > _LONGEST_WORD and _counts(event.value):
        raise BadDocument(f"the document has a number of {size} characters")


def _counts(value: str) -> bool:
    """True if YAML might read a plain text as a number: it starts and continues like one."""
    return value[0] in _NUMERIC and all(sign in "0123456789abcdefABCDEFxXoO_:.+-" for sign in value)


def _check_tag(tag: str | None, size: int) -> None:
    if tag is None or tag in _TEXT_TAGS or (tag in _WORD_TAGS and size <= _LONGEST_WORD):
        return
    raise BadDocument(f"the YAML tag {tag[:64]!r} is not supported")


def _check_json(found: Any, budget: Budget) -> None:
    """Count a JSON value without recursion; text that is not Unicode raises ValueError."""
    nodes, waiting = 0, [(found, 0)]
    while waiting:
        value, depth = waiting.pop()
        nodes += 1
        if nodes > budget.nodes:
            raise BadDocument(f"the document has more than {budget.nodes} values")
        if depth > budget.depth:
            raise BadDocument(f"the document is nested more than {budget.depth} levels deep")
        if isinstance(value, str):
            value.encode()
        elif isinstance(value, list):
            waiting += [(one, depth + 1) for one in value]
        elif isinstance(value, dict):
            for name, one in value.items():
                name.encode()
                waiting.append((one, depth + 1))


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _problem(error: yaml.YAMLError) -> str:
    """The parser's message without the text that it quotes."""
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or type(error).__name__
    return f"line {mark.line + 1}: {problem}" if mark else str(problem)
