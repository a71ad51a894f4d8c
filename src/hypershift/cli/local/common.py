"""What the commands of `hypershift local` share: flags, and the cluster that they name."""

import json
import sys
from collections.abc import Sequence
from typing import Any

import yaml

from hypershift.cli.flags import Flag, Values, choice
from hypershift.kit import UsageError
from hypershift.local import state
from hypershift.local.state import Layout, Spec

NAME = Flag("name", "Name of the cluster", default=state.DEFAULT_NAME, persistent=True)
STATE = Flag("state-dir", "Directory that holds the clusters of this user", persistent=True)
OUTPUT = Flag(
    "output",
    "Output format: table, json or yaml",
    choice("string", ("table", "json", "yaml"), lambda word: f'"{word}" is no output format'),
    default="table",
    short="o",
)


def named(values: Values) -> Layout:
    """The directory of the cluster that the flags name, whether it is there or not."""
    return state.layout(values["name"], state.base_directory(values["state-dir"]))


def present(values: Values) -> tuple[Layout, Spec]:
    """The cluster that the flags name, or a sentence when there is none."""
    where = named(values)
    spec = state.load(where)
    if spec is None:
        raise UsageError(f"there is no cluster {where.name} in {where.root.parent}")
    return where, spec


def show(document: Any, output: str) -> None:
    """Print a document for programs."""
    if output == "json":
        json.dump(document, sys.stdout, indent=2)
        sys.stdout.write("\n")
    else:
        yaml.safe_dump(document, sys.stdout, sort_keys=False)


def table(rows: Sequence[tuple[str, ...]]) -> None:
    """Print rows for people."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        sys.stdout.write("  ".join(cells).rstrip() + "\n")
