"""Keeps the ConfigMap that lists which versions this operator hosts."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version

from hypershift.kit import Key, Manifest
from hypershift.kube import kinds
from hypershift.release import supported_versions
from hypershift.runtime import Controller, Done, Outcome, Scope, Watch

NAME = "supported-versions"


@dataclass(slots=True)
class AnnouncementScope(Scope):
    """One pass over a namespace; only the operator's own matters."""

    namespace: str


async def announce(scope: AnnouncementScope) -> Outcome:
    """Write the ConfigMap, also when another writer changed or deleted it."""
    if scope.key.name == scope.namespace:
        await scope.kube.apply(supported_versions(scope.namespace, version("hypershift")))
    return Done()


def controller(namespace: str) -> Controller[AnnouncementScope]:
    """The controller; it reconciles the operator's own namespace."""

    def to_namespace(manifest: Manifest) -> Iterator[Key]:
        if manifest["metadata"]["name"] == NAME:
            yield Key("", namespace)

    return Controller(
        name=NAME,
        resource=kinds.NAMESPACE,
        scope=lambda found, context: AnnouncementScope(found, context, namespace),
        normal=(announce,),
        watches=(Watch(kinds.CONFIG_MAP, to_namespace, namespace=namespace),),
    )
