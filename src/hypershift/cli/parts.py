"""`hypershift parts`: see, fetch, find and check the real binaries."""

import json
import sys

from hypershift import parts
from hypershift.cli.command import Command
from hypershift.cli.flags import STRING, Flag, Values
from hypershift.cli.output import format_flag, table, to_yaml
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


def list_parts(values: Values) -> None:
    _show(findings(), values["output"])


async def fetch(values: Values) -> None:
    names = values.arguments or parts.EMBEDDED
    await parts.ensure(names, kubernetes=values["kubernetes"])


def path(values: Values) -> None:
    for name in values.arguments:
        sys.stdout.write(f"{parts.path(name, kubernetes=values['kubernetes'])}\n")


def verify(values: Values) -> int:
    found = tuple(
        finding
        for finding in findings(thorough=True)
        if not finding.absent and finding.asked_for(values.arguments)
    )
    _show(found, values["output"])
    return 0 if all(finding.whole for finding in found) else 1


COMMAND = Command(
    "parts",
    "The real binaries that everything runs on",
    description=(
        "Each part is looked for in $HYPERSHIFT_PARTS_DIR, then in the cache, then downloaded\n"
        "from its project with its published checksum, then built from its pinned Go module.\n"
        "HYPERSHIFT_OFFLINE=1 skips the downloads."
    ),
    commands=(
        Command("list", "Show every part of the table", run=list_parts, flags=(OUTPUT,)),
        Command(
            "fetch",
            "Get parts into the cache",
            description="Without names: everything that the embedded cluster needs.",
            arguments="[PART...]",
            run=fetch,
            flags=(KUBERNETES,),
        ),
        Command(
            "path",
            "Print where a part's binary is",
            arguments="PART...",
            run=path,
            flags=(KUBERNETES,),
        ),
        Command(
            "verify",
            "Read cached parts whole and compare their checksums",
            arguments="[PART...]",
            run=verify,
            flags=(OUTPUT,),
        ),
    ),
)
