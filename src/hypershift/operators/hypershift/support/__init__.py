"""Which settings of HostedClusters and NodePools are honoured, refused, ignored or harmless.

The rows act: what the table refuses or ignores is what the controllers refuse or report. The page
`docs/reference/support.md` is made of the same rows.
"""

from hypershift.operators.hypershift.support.decide import (
    ANNOTATION_ROWS,
    CLUSTER,
    POOL,
    Concern,
    Table,
    field_paths,
    fields,
    ignored_annotations,
    row_for,
    row_for_annotation,
)
from hypershift.operators.hypershift.support.page import page
from hypershift.operators.hypershift.support.rows import HOSTED, Status, Support

__all__ = [
    "ANNOTATION_ROWS",
    "CLUSTER",
    "HOSTED",
    "POOL",
    "Concern",
    "Status",
    "Support",
    "Table",
    "field_paths",
    "fields",
    "ignored_annotations",
    "page",
    "row_for",
    "row_for_annotation",
]
