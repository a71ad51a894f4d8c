"""The page `docs/reference/support.md`, made of the rows."""

from collections import Counter
from collections.abc import Iterable, Iterator

from hypershift.operators.hypershift.support.decide import (
    ANNOTATION_ROWS,
    CLUSTER,
    POOL,
    Table,
    field_paths,
    row_for,
    row_for_annotation,
)
from hypershift.operators.hypershift.support.rows import Status, Support
from hypershift.release import Product

#: The platform whose settings are counted.
SAMPLE = "Local"
_INTRO = """\
<!-- Written by `hypershift api support`; change `operators/hypershift/support/` instead. -->

# What becomes of each setting

A row holds for its field and everything below it; the most specific row wins. The operator acts by
the same table:

- **honoured**: the text names who reads the setting.
- **refused**: a HostedCluster reports `SupportedHostedCluster=False` (reason
  `UnsupportedHostedCluster`) and its pass stops; what runs already goes on running. A NodePool
  reports `ValidTuningConfig=False` or `ValidMachineConfig=False` and makes no machines.
  A field that holds the API's default, or a value that the row allows, is never refused. A field
  that the API lets nobody change is reported by `IgnoredSettings` instead once the cluster has
  been available.
- **ignored**: the cluster works without it, and the condition `IgnoredSettings` names it.
- **harmless**: it changes nothing that anybody could miss; the text says why.

Before the release of a cluster was read its product is not known, and only rows for both products
hold. Clusters of an OpenShift release are rendered in parts and do not run yet: "honoured" says
there that a component which is rendered reads the setting.
"""
_TITLES = {Product.KUBERNETES: "Kubernetes", Product.OPENSHIFT: "OpenShift"}
_HEAD = "| Setting | Kubernetes release | OpenShift release |\n|---|---|---|\n"


def page() -> str:
    """The whole page."""
    parts = [_INTRO, "## Counts\n\n", _counts()]
    parts += ["\n## HostedCluster: `spec`\n\n", _HEAD, *_lines(CLUSTER.rows)]
    parts += ["\n## NodePool: `spec`\n\n", _HEAD, *_lines(POOL.rows)]
    parts += ["\n## Annotations\n\n", _HEAD, *_lines(ANNOTATION_ROWS)]
    return "".join(parts)


def _lines(rows: Iterable[Support]) -> Iterator[str]:
    by_path: dict[str, list[Support]] = {}
    for row in rows:
        by_path.setdefault(row.path, []).append(row)
    for path, found in sorted(by_path.items()):
        cells = " | ".join(_cell(found, product) for product in Product)
        yield f"| `{path}` | {cells} |\n"


def _cell(rows: list[Support], product: Product) -> str:
    """The verdict of the rows of one path about a product; by default that of the path above."""
    own = [row for row in rows if row.product is product]
    said = own or [row for row in rows if row.product is None]
    return "<br>".join(map(_says, said)) or "as the row above it"


def _says(row: Support) -> str:
    where = f" on {', '.join(sorted(row.platforms))}" if row.platforms else ""
    but = f" (fine: {', '.join(f'`{one}`' for one in sorted(row.allows))})" if row.allows else ""
    return f"**{row.status}**{where}{but}: {row.text}"


def _counts() -> str:
    head = " | ".join(Status)
    lines = [f"| | {head} |\n", f"|---|{'---|' * len(Status)}\n"]
    for product in Product:
        for title, counted in (
            ("HostedCluster fields", _of_fields(CLUSTER, product)),
            ("NodePool fields", _of_fields(POOL, product)),
            ("annotations", _of_annotations(product)),
        ):
            numbers = " | ".join(str(counted[status]) for status in Status)
            lines.append(f"| {_TITLES[product]}: {title} | {numbers} |\n")
    return "".join(lines)


def _of_fields(table: Table, product: Product) -> Counter[Status]:
    """How many fields of a kind have each status on a platform that we host."""
    rows = (row_for(table, path, product, SAMPLE) for path in field_paths(table.shape))
    return Counter(row.status for row in rows if row)


def _of_annotations(product: Product) -> Counter[Status]:
    rows = (row_for_annotation(name, product) for name in {row.path for row in ANNOTATION_ROWS})
    return Counter(row.status for row in rows if row)
