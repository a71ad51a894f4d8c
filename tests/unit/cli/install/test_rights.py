"""An operator can grant only what it holds: each installation covers what the roles are given."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.lib.command_line import install_options
from tests.lib.decoded import a_decoded_spec

from hypershift.api import read
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.cli.install.resources import resources
from hypershift.kit import Manifest
from hypershift.operators.hypershift.hosted_cluster.rules import cluster_api, dedicated
from hypershift.operators.hypershift.hosted_cluster.rules.cluster_api import provider
from hypershift.operators.hypershift.hosted_cluster.rules.dedicated import Dedicated
from hypershift.platforms import Provider
from hypershift.platforms.aws import provider as aws

Right = tuple[str, str, str]


def rights(rules: list[dict[str, Any]]) -> Iterator[Right]:
    for rule in rules:
        for group in rule["apiGroups"]:
            for resource in rule["resources"]:
                yield from ((group, resource, verb) for verb in rule["verbs"])


def covers(rules: list[dict[str, Any]], right: Right) -> bool:
    fields = ("apiGroups", "resources", "verbs")
    return any(
        "resourceNames" not in rule
        and all({"*", word} & set(rule[field]) for word, field in zip(right, fields, strict=True))
        for rule in rules
    )


def operator_rules(*words: str) -> list[dict[str, Any]]:
    found = resources(install_options(*words))
    role = next(e for e in found if e["kind"] == "ClusterRole" and "operator" in str(e["metadata"]))
    rules: list[dict[str, Any]] = role["rules"]
    return rules


#: What a platform's own provider is granted beside what all of them are.
RULES = {"AWS": aws.RULES}


def granted(platform: str) -> list[Manifest]:
    wanted = Dedicated("n", "i", a_decoded_spec({"platform": {"type": platform}}))
    manager = cluster_api.Manager(
        "n", "i", read(HostedClusterSpec, {"platform": {"type": platform}})
    )
    found = [*dedicated.manifests(wanted), *cluster_api.manifests(manager)]
    found += provider.manifests(manager, Provider(pod={}, rules=RULES.get(platform, ())))
    roles = [each for each in found if each["kind"] == "Role"]
    return [*roles, dedicated.cluster_role(), cluster_api.cluster_role()]


@pytest.mark.parametrize(
    ("platform", "words"),
    [
        ("None", ()),
        ("AWS", ()),
        ("KubeVirt", ()),
        ("Agent", ()),
        ("Local", ("--limit-crd-install=Local",)),
        ("None", ("--least-privilege",)),
        ("Local", ("--least-privilege",)),
        ("Local", ("--shared",)),
        ("AWS", ("--least-privilege",)),
        ("AWS", ("--shared",)),
    ],
)
def test_whatever_a_role_is_given_the_operator_holds(platform: str, words: tuple[str, ...]) -> None:
    held = operator_rules(*words)
    missing = [
        (role["metadata"]["name"], right)
        for role in granted(platform)
        for right in rights(role["rules"])
        if not covers(held, right)
    ]
    assert missing == []


def test_a_cluster_elsewhere_is_given_nothing_of_the_embedded_cluster() -> None:
    groups = {group for role in granted("None") for group, _, _ in rights(role["rules"])}
    assert "infrastructure.local.hypershift.io" not in groups
