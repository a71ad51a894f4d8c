"""Every field and annotation is in the table of support, and every row is about something."""

import re
from pathlib import Path

import pytest

import hypershift
from hypershift.api import annotations
from hypershift.operators.hypershift.support import (
    ANNOTATION_ROWS,
    CLUSTER,
    POOL,
    Status,
    Support,
    Table,
    field_paths,
    page,
    row_for,
    row_for_annotation,
)
from hypershift.release import Product

PAGE = Path(__file__).parents[5] / "docs/reference/support.md"
PLATFORMS = ("Local", "None", "AWS", "Azure", "KubeVirt", "Agent", "OpenStack", "PowerVS", "GCP")
KNOWN = {
    value
    for name, value in vars(annotations).items()
    if name.isupper() and isinstance(value, str) and name != "PREFIX"
}
TABLES = pytest.mark.parametrize("table", [CLUSTER, POOL], ids=["HostedCluster", "NodePool"])


def rows_of(table: Table, path: str) -> set[Support | None]:
    return {
        row_for(table, path, product, platform) for product in Product for platform in PLATFORMS
    }


@TABLES
def test_every_field_has_a_row_for_each_product_and_platform(table: Table) -> None:
    assert [path for path in field_paths(table.shape) if None in rows_of(table, path)] == []


@TABLES
def test_every_row_decides_about_some_field(table: Table) -> None:
    deciding = set().union(*(rows_of(table, path) for path in field_paths(table.shape)))
    assert [row.path for row in table.rows if row not in deciding] == []


def test_every_annotation_has_a_row_for_each_product() -> None:
    missing = {
        name for name in KNOWN for product in Product if row_for_annotation(name, product) is None
    }
    assert missing == set()


def test_every_row_of_annotations_is_about_one_that_is_known_and_the_only_one() -> None:
    assert {row.path for row in ANNOTATION_ROWS} <= KNOWN
    for product in Product:
        paths = [row.path for row in ANNOTATION_ROWS if row.holds_for(product, "")]
        assert len(paths) == len(set(paths))


def test_rows_of_one_path_never_contradict_each_other() -> None:
    for table in (CLUSTER, POOL):
        keys = [(row.path, row.product, row.platforms) for row in table.rows]
        assert len(keys) == len(set(keys))


def test_an_annotation_never_stops_a_cluster() -> None:
    assert not [row for row in ANNOTATION_ROWS if row.status is Status.REFUSED]


def test_what_is_refused_tells_the_user_what_to_do() -> None:
    texts = [
        row.text
        for row in (*CLUSTER.rows, *POOL.rows)
        if row.status is Status.REFUSED and not row.path.startswith("platform.")
    ]
    words = (": use ", ": remove ", ": create ", ": give ", ": name ", ": switch ")
    assert [text for text in texts if not any(word in text for word in words)] == []


#: Where the inside of an OpenShift cluster is made from its spec.
READERS = (
    "operators/guest_config/openshift",
    "controlplane/cluster_version_operator",
    "controlplane/olm_catalogs",
)


def test_what_an_openshift_cluster_has_a_reader_for_is_not_called_ignored() -> None:
    root = Path(hypershift.__file__).parent
    source = "".join(
        path.read_text() for folder in READERS for path in (root / folder).rglob("*.py")
    )
    read = {name: re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name in top_level_fields()}
    wrong = [
        name
        for name, attribute in read.items()
        if re.search(rf"\bspec\.{attribute}\b", source)
        and (row := row_for(CLUSTER, name, Product.OPENSHIFT, "None"))
        and row.status is Status.IGNORED
    ]
    assert wrong == []


def top_level_fields() -> set[str]:
    return {path for path in field_paths(CLUSTER.shape) if "." not in path} | {
        "imageContentSources"
    }


def test_the_page_is_current() -> None:
    assert PAGE.read_text() == page(), "run `hypershift api support --output docs/reference`"
