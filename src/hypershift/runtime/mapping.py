"""From a changed object to the keys it concerns: by owner, label, annotation, index or itself."""

from collections.abc import Callable, Iterator

from hypershift.kit import Key, Manifest, annotations_of, key_of, labels_of
from hypershift.kube import Resource
from hypershift.kube.cache import Index

Keys = Callable[[Manifest], Iterator[Key]]
_EVERY = "every"
#: All objects of a kind, for what concerns each of them.
EVERY = Index(_EVERY, lambda _: (_EVERY,))


def itself(manifest: Manifest) -> Iterator[Key]:
    """The object's own key."""
    yield key_of(manifest)


def its_namespace(manifest: Manifest) -> Iterator[Key]:
    """The object's namespace, for a watch `through` the index of namespaces."""
    if namespace := manifest["metadata"].get("namespace", ""):
        yield Key("", namespace)


def always(key: Key) -> Keys:
    """One object, whichever changed."""

    def keys(_: Manifest) -> Iterator[Key]:
        yield key

    return keys


def every(_: Manifest) -> Iterator[Key]:
    """All objects, for a watch `through` the index of all."""
    yield Key("", _EVERY)


def by_owner(owner: Resource, *, controller_only: bool = False) -> Keys:
    """The owners of that kind that the object names."""

    def keys(manifest: Manifest) -> Iterator[Key]:
        namespace = manifest["metadata"].get("namespace", "") if owner.namespaced else ""
        for reference in manifest["metadata"].get("ownerReferences") or ():
            if reference.get("kind") != owner.kind:
                continue
            group = reference.get("apiVersion", "").rpartition("/")[0]
            if group == owner.group and (reference.get("controller") or not controller_only):
                yield Key(namespace, reference["name"])

    return keys


def by_label(label: str, namespace: str | None = None) -> Keys:
    """The object that a label names, by default in the same namespace."""
    return lambda manifest: _named(labels_of(manifest).get(label, ""), manifest, namespace)


def by_annotation(annotation: str, namespace: str | None = None) -> Keys:
    """The object that an annotation names as `name` or `namespace/name`."""
    return lambda manifest: _named(
        annotations_of(manifest).get(annotation, ""), manifest, namespace
    )


def _named(value: str, manifest: Manifest, namespace: str | None) -> Iterator[Key]:
    if not value:
        return
    written, _, name = value.rpartition("/")
    own = manifest["metadata"].get("namespace", "")
    yield Key(written or (own if namespace is None else namespace), name)
