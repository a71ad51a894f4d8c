"""Writes the pages about words: conditions, annotations, labels, finalizers."""

import re
from collections.abc import Iterator
from importlib import resources

_CLASS = re.compile(r"^class (\w+)\((?:StrEnum|ConditionType|ConditionReason)\):")
_DOC = re.compile(r'^    """(.+)"""$')
_WORD = re.compile(r'^ *\w+(?:: Final)? = f?"(.+?)"')
_GROUP = re.compile(r"^# (.+)$")
#: A long word stands on a line of its own, between parentheses.
_WRAPPED = re.compile(r'= \(\n +(f?".+")\n\)')


def words_page(title: str, intro: str, modules: tuple[str, ...]) -> str:
    """A page with every word that some modules declare, and the comment that explains it."""
    lines = [f"# {title}", "", intro, ""]
    for module in modules:
        source = resources.files("hypershift.api").joinpath(*module.split("/")).read_text()
        lines += _words(source)
    return "\n".join(lines).rstrip() + "\n"


def _words(source: str) -> Iterator[str]:
    meaning: list[str] = []
    header = ""
    for line in _WRAPPED.sub(r"= \1", source).splitlines():
        if found := (_CLASS.match(line) or _GROUP.match(line)):
            header = found[1]
        elif header and (doc := _DOC.match(line)):
            yield from ("", f"## {header}", "", doc[1], "", "| Word | Meaning |", "|---|---|")
            header = ""
        elif line.strip().startswith("#:"):
            meaning.append(line.strip().removeprefix("#:").strip())
        elif word := _WORD.match(line):
            if header:
                yield from ("", f"## {header}", "", "| Word | Meaning |", "|---|---|")
                header = ""
            value = word[1].replace("{PREFIX}", "hypershift.openshift.io/")
            if value != "hypershift.openshift.io/":
                yield f"| `{value}` | {' '.join(meaning).replace('|', chr(92) + '|')} |"
            meaning = []
