"""Whatever a pod mounts or a component reads is made: by a component, the PKI or a named other.

A Secret that nobody makes keeps the pods waiting for ever, and no golden file shows that.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from hypershift.controlplane import CATALOG
from hypershift.kit import Manifest
from hypershift.pki.table import AUTHORITIES, BUNDLES, LEAVES

FILES = sorted(Path(__file__).parent.glob("*/*.yaml"))
SECRET, CONFIG_MAP = "Secret", "ConfigMap"
#: Made by others than components and the PKI's table.
ELSEWHERE = {
    # copies of what the user names
    "Secret/audit-webhook",
    "Secret/pull-secret",
    # credentials that the platform's cluster side writes
    "Secret/cloud-controller-creds",
    "Secret/cloud-controller-manager-creds",
    "Secret/clouds",
    "Secret/control-plane-operator-creds",
    "Secret/controller",
    "Secret/kubevirt-infra-credentials",
    "Secret/node-management-creds",
    "Secret/pools",
    # the key of service accounts, which is no certificate
    "Secret/sa-signing-key",
    # guest configuration copies it out of the guest
    "ConfigMap/oauth-master-ca-bundle",
}


@cache
def objects() -> tuple[Manifest, ...]:
    documents = (yaml.load_all(path.read_text(), yaml.CSafeLoader) for path in FILES)
    return tuple(each for found in documents for each in found if each)


def mounted(value: Any) -> Iterator[str]:
    """What the volumes in an object must have, as kind and name."""
    if isinstance(value, list):
        for item in value:
            yield from mounted(item)
    elif isinstance(value, dict):
        for volume in value.get("volumes") or ():
            for field, kind, key in (
                ("secret", SECRET, "secretName"),
                ("configMap", CONFIG_MAP, "name"),
            ):
                source = volume.get(field) or {}
                if source.get(key) and not source.get("optional"):
                    yield f"{kind}/{source[key]}"
        for inner in value.values():
            yield from mounted(inner)


def needed() -> set[str]:
    read = {each for found in CATALOG.values() for component in found for each in component.reads}
    return read | {each for manifest in objects() for each in mounted(manifest)}


def made() -> set[str]:
    components = {
        f"{manifest['kind']}/{manifest['metadata']['name']}"
        for manifest in objects()
        if manifest["kind"] in (SECRET, CONFIG_MAP)
    }
    secrets = {each.secret for each in AUTHORITIES} | {each.secret for each in LEAVES}
    certificates = {f"{SECRET}/{each}" for each in secrets}
    return components | certificates | {f"{CONFIG_MAP}/{each.name}" for each in BUNDLES}


def test_what_a_pod_mounts_is_made() -> None:
    assert needed() - made() - ELSEWHERE == set()


def test_the_list_of_what_others_make_is_current() -> None:
    assert needed() >= ELSEWHERE
    assert not made() & ELSEWHERE


@pytest.mark.parametrize(
    ("volume", "found"),
    [
        ({"secret": {"secretName": "new-client"}}, {"Secret/new-client"}),
        ({"configMap": {"name": "new-ca"}}, {"ConfigMap/new-ca"}),
        ({"secret": {"secretName": "perhaps", "optional": True}}, set()),
        ({"emptyDir": {}}, set()),
    ],
)
def test_a_mount_is_found(volume: Manifest, found: set[str]) -> None:
    deployment = {"spec": {"template": {"spec": {"volumes": [volume]}}}}
    assert set(mounted(deployment)) == found
    assert not found & made()
