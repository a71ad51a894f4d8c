"""Definitions out of kinds."""

from typing import Any

from tests.unit.api.shapes import Car

from hypershift.api.kind import kind_of
from hypershift.api.schema.crd import crd, with_contract
from hypershift.api.schema.features import FeatureSet


def made() -> dict[str, Any]:
    return crd(kind_of(Car), Car, FeatureSet.DEFAULT, frozenset())


def version() -> dict[str, Any]:
    found: dict[str, Any] = made()["spec"]["versions"][0]
    return found


def test_names_come_from_the_class_and_the_declaration() -> None:
    assert made()["metadata"] == {"name": "cars.cars.example.com"}
    assert made()["spec"]["names"] == {
        "kind": "Car",
        "listKind": "CarList",
        "plural": "cars",
        "singular": "car",
        "shortNames": ["c"],
    }


def test_the_description_of_a_kind_is_the_docstring_of_its_class() -> None:
    assert version()["schema"]["openAPIV3Schema"]["description"] == "A car."


def test_what_the_api_server_fills_in_has_no_default() -> None:
    root = version()["schema"]["openAPIV3Schema"]["properties"]
    assert "default" not in root["apiVersion"]
    assert root["metadata"] == {"type": "object"}


def test_a_spec_that_our_code_needs_is_not_required_of_users() -> None:
    assert "required" not in version()["schema"]["openAPIV3Schema"]


def test_subresources_and_columns_are_those_declared() -> None:
    assert version()["subresources"] == {
        "status": {},
        "scale": {"specReplicasPath": ".spec.a", "statusReplicasPath": ".status.b"},
    }
    assert [column["name"] for column in version()["additionalPrinterColumns"]] == [
        "Color",
        "Ready",
        "Age",
    ]
    assert version()["additionalPrinterColumns"][0]["priority"] == 1


def test_an_installed_definition_names_the_contract_it_fulfils() -> None:
    labels = with_contract(made(), kind_of(Car))["metadata"]["labels"]
    assert labels == {"cluster.x-k8s.io/v1beta2": "v1"}
    assert "labels" not in made()["metadata"]
