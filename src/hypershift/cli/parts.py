"""`hypershift parts`: see, fetch, find and check the real binaries."""

import json
import sys

from hypershift import parts
from hypershift.cli.command import Command
from hypershift.cli.flags import STRING, Flag, Values, choice
from hypershift.parts.report import Finding, findings

OUTPUT = Flag(
    "output",
    "Output format: table or json",
    choice("string", ("table", "json"), lambda word: f'"{word}" is neither table nor json'),
    default="table",
    short="o",
)
KUBERNETES = Flag("kubernetes", "Kubernetes release to take the parts of", STRING)


def _show(found: tuple[Finding, ...], output: str) -> None:
    if output == "json":
        json.dump([finding.as_json() for finding in found], sys.stdout, indent=2)
        sys.stdout.write("\n")
        return
    rows: list[tuple[str, ...]] = [("PART", "VERSION", "STATE", "SOURCE", "SHA256")]
    rows += [finding.as_row() for finding in found]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


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
