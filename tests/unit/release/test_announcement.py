"""Clients read which versions are hosted from one ConfigMap."""

import json

from hypershift.release import supported_versions


def test_the_originals_clients_find_openshifts_versions_newest_first() -> None:
    manifest = supported_versions("hypershift", "0.1.0")
    versions = json.loads(manifest["data"]["supported-versions"])["versions"]
    assert (versions[0], versions[-1]) == ("5.1", "4.14")
    assert manifest["metadata"]["labels"]["hypershift.openshift.io/supported-versions"] == "true"


def test_each_product_has_a_key_of_its_own() -> None:
    data = supported_versions("hypershift", "0.1.0")["data"]
    assert json.loads(data["supported-versions.kubernetes"])["versions"][0] == "1.35"
    assert data["server-version"] == "0.1.0"
