"""`hypershift parts`: see, fetch, find and check the real binaries."""

import json
import sys
from dataclasses import dataclass

from hypershift import parts
from hypershift.cli.command import Command
from hypershift.cli.flags import STRING, Flag
from hypershift.cli.output import format_flag, table, to_yaml
from hypershift.cli.typed import Typed
from hypershift.parts.report import Finding, findings

OUTPUT = format_flag()
KUBERNETES = Flag("kubernetes", "Kubernetes release to take the parts of", STRING)


def _show(found: tuple[Finding, ...], output: str) -> None:
    documents = [finding.as_json() for finding in found]
    if output == "json":
        sys.stdout.write(json.dumps(documents, indent=2) + "\n")
    elif output == "yaml":
        sys.stdout.write(to_yaml(documents))
    else:
        rows = (finding.as_row() for finding in found)
        sys.stdout.write(table(("PART", "VERSION", "STATE", "SOURCE", "SHA256"), rows))


@dataclass(frozen=True, slots=True)
class List:
    """What `parts list` is given."""

    output: str


@dataclass(frozen=True, slots=True)
class Fetch:
    """What `parts fetch` and `parts path` are given."""

    kubernetes: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verify:
    """What `parts verify` is given."""

    output: str
    words: tuple[str, ...]


def list_parts(options: List) -> None:
    _show(findings(), options.output)


async def fetch(options: Fetch) -> None:
    names = options.words or parts.EMBEDDED
    await parts.ensure(names, kubernetes=options.kubernetes)


def path(options: Fetch) -> None:
    for name in options.words:
        sys.stdout.write(f"{parts.path(name, kubernetes=options.kubernetes)}\n")


def verify(options: Verify) -> int:
    found = tuple(
        finding
        for finding in findings(thorough=True)
        if not finding.absent and finding.asked_for(options.words)
    )
    _show(found, options.output)
    return 0 if all(finding.whole for finding in found) else 1


COMMAND = Command(
    "parts",
    "The real binaries that everything runs on",
    description=(
        "Each part is looked for in $HYPERSHIFT_PARTS_DIR, then in the cache, then downloaded\n"
        "from its project, then built from its pinned Go module. A download must have the\n"
        "checksum that we know, or, where we know none, the one that its host publishes, and the\n"
        "signature of those who publish it, where they sign.\n"
        "HYPERSHIFT_DOWNLOADS=pinned takes what has a known checksum alone, HYPERSHIFT_OFFLINE=1\n"
        "skips downloads."
    ),
    commands=(
        Command(
            "list", "Show every part of the table", run=Typed(List, list_parts), flags=(OUTPUT,)
        ),
        Command(
            "fetch",
            "Get parts into the cache",
            description="Without names: everything that the embedded cluster needs.",
            arguments="[PART...]",
            run=Typed(Fetch, fetch),
            flags=(KUBERNETES,),
        ),
        Command(
            "path",
            "Print where a part's binary is",
            arguments="PART...",
            run=Typed(Fetch, path),
            flags=(KUBERNETES,),
        ),
        Command(
            "verify",
            "Read cached parts whole and compare their checksums",
            arguments="[PART...]",
            run=Typed(Verify, verify),
            flags=(OUTPUT,),
        ),
    ),
)
