"""How commands print: YAML documents, JSON, and tables that align."""

import base64
import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import yaml

from hypershift.cli.flags import Flag, choice
from hypershift.kit import Manifest
from hypershift.kit.lines import visible

FORMATS = ("table", "wide", "json", "yaml")


def is_terminal() -> bool:
    """Whether a person looks at the output: only then is it coloured, and never if $NO_COLOR."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def format_flag(*, wide: bool = False) -> Flag:
    """The `-o` flag: a table for people, JSON or YAML for programs."""
    allowed = FORMATS if wide else tuple(name for name in FORMATS if name != "wide")
    kind = choice("format", allowed, lambda _word: f"must be one of {', '.join(allowed)}")
    return Flag("output", f"Output format: {', '.join(allowed)}", kind, "table", short="o")


#: The same text from the C library, where PyYAML has it: an installation has 90 long definitions.
_Base: type[yaml.SafeDumper] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _Dumper(_Base):  # type: ignore[misc,valid-type]
    """YAML as Kubernetes tools write it: block style, text blocks for text of several lines."""

    def ignore_aliases(self, _data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _bytes(dumper: yaml.SafeDumper, value: bytes) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", base64.b64encode(value).decode())


_Dumper.add_representer(str, _text)
_Dumper.add_representer(bytes, _bytes)


def to_yaml(value: Any) -> str:
    """One YAML document; keys sorted, so that equal objects give equal texts."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=True, width=10_000)


def documents(manifests: Iterable[Manifest]) -> str:
    """Several YAML documents as one stream."""
    return "---\n".join(to_yaml(manifest) for manifest in manifests)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table as kubectl prints one: upper-case header, columns three blanks apart."""
    lines = [tuple(header), *(tuple(map(visible, row)) for row in rows)]
    sizes = widths(lines)
    return "".join(
        "   ".join(cell.ljust(size) for cell, size in zip(line, sizes, strict=True)).rstrip() + "\n"
        for line in lines
    )


def widths(lines: Sequence[Sequence[str]], least: Sequence[int] = ()) -> list[int]:
    """How wide the columns have to be, and never narrower than they were."""
    columns = range(len(lines[0]))
    needed = [max(len(line[column]) for line in lines) for column in columns]
    return [max(pair) for pair in zip(needed, least or needed, strict=True)]


def show(value: Any, form: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a value as JSON or YAML, or its rows as a table."""
    match form:
        case "json":
            sys.stdout.write(json.dumps(value, indent=2) + "\n")
        case "yaml":
            sys.stdout.write(to_yaml(value))
        case _:
            sys.stdout.write(table(header, rows))
