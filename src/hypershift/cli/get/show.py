"""Prints a listing and, with --watch, every change."""

import json
import sys
from dataclasses import dataclass

from hypershift.cli.get.listings import Listing, Row, rows
from hypershift.cli.management import management
from hypershift.cli.output import show, to_yaml, widths
from hypershift.kit import Manifest
from hypershift.kit.lines import visible
from hypershift.kube import Client, Gone


@dataclass(frozen=True, slots=True)
class Get:
    """What `get` is given for a listing."""

    kubeconfig: str
    namespace: str
    output: str
    watch: bool


async def run(listing: Listing, options: Get) -> int:
    """List once; with --watch, stay."""
    async with management(options.kubeconfig) as client:
        found = await client.listing(listing.resource, options.namespace)
        header, lines = rows(listing, found.items, options.output)
        table = options.output in ("table", "wide")
        if not lines and table:
            sys.stderr.write(f"no {listing.summary.lower()} found\n")
        if lines or not options.watch or not table:
            show(found.items, options.output, header, lines)
        if options.watch:
            sys.stdout.flush()
            await _follow(client, listing, options, found.resource_version)
    return 0


async def _follow(client: Client, listing: Listing, options: Get, version: str) -> None:
    """Print what changes, until Ctrl-C; a watch that the server ends is begun again."""
    namespace = options.namespace
    printed = Printed(listing, options.output)
    while True:
        try:
            watch = client.watch(
                listing.resource, namespace, resource_version=version, bookmarks=True
            )
            async for event in watch:
                version = event.object["metadata"]["resourceVersion"]
                if event.type != "BOOKMARK":
                    printed.one(event.type, event.object)
        except Gone:
            found = await client.listing(listing.resource, namespace)
            version = found.resource_version
            for item in found.items:
                printed.one("MODIFIED", item)


class Printed:
    """Rows one by one, each as wide as those before it."""

    def __init__(self, listing: Listing, form: str) -> None:
        """Begin with columns as wide as their titles."""
        self._listing, self._form = listing, form
        self._widths: list[int] = []
        self._last: dict[tuple[str, str], Row] = {}

    def one(self, change: str, item: Manifest) -> None:
        """Print one object, unless it looks as it did."""
        if self._form == "json":
            sys.stdout.write(json.dumps(item, indent=2) + "\n")
        elif self._form == "yaml":
            sys.stdout.write(f"---\n{to_yaml(item)}")
        else:
            self._row(change, item)
        sys.stdout.flush()

    def _row(self, change: str, item: Manifest) -> None:
        header, [found] = rows(self._listing, [item], self._form)
        row = tuple(map(visible, found))
        metadata = item["metadata"]
        key = (metadata.get("namespace", ""), metadata["name"])
        seen = tuple(cell for title, cell in zip(header, row, strict=True) if title != "AGE")
        if self._last.get(key) == seen and change != "DELETED":
            return
        self._last[key] = seen
        self._widths = widths([header, row], self._widths)
        line = "   ".join(cell.ljust(size) for cell, size in zip(row, self._widths, strict=True))
        gone = "   (deleted)" if change == "DELETED" else ""
        sys.stdout.write(f"{line.rstrip()}{gone}\n")
