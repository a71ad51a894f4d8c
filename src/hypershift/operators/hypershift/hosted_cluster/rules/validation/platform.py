"""Checks the section of a cluster's platform."""

from collections.abc import Iterator

from hypershift.kit import Manifest
from hypershift.operators.hypershift.hosted_cluster.rules.validation.words import not_found
from hypershift.platforms import platform_of


def platform_problems(
    spec: Manifest, annotations: dict[str, str], namespace: Manifest | None
) -> Iterator[str]:
    """Yield what is wrong with the platform's section; `namespace` is the one that it needs."""
    rules = platform_of(spec).rules
    section = rules.section
    if section and spec["platform"].get(section.field) is None:
        yield f"{section.called} needs .spec.platform.{section.field} to be filled"
        return
    yield from rules.problems(spec, annotations)
    if rules.namespace and namespace is None:
        missing = not_found("namespaces", needed_namespace(spec))
        yield f"failed to get {rules.namespace.called}: {missing}"


def needed_namespace(spec: Manifest) -> str:
    """The namespace that must exist before the cluster is made; empty on most platforms."""
    needed = platform_of(spec).rules.namespace
    return needed.name(spec["platform"]) if needed else ""
