"""Registry mirrors of nodes: those of the site, and those that mirror sets of the pool name."""

from collections.abc import Iterator, Sequence

from hypershift.ignition.containerd import Mirror
from hypershift.ignition.machine_config import Document
from hypershift.kit import InvalidSpec, Manifest

#: Where each kind keeps its list of sources and mirrors.
_LISTS = {
    "ImageDigestMirrorSet": "imageDigestMirrors",
    "ImageContentSourcePolicy": "repositoryDigestMirrors",
}


def mirrors_of(site: Sequence[Mirror], documents: Sequence[Document]) -> tuple[Mirror, ...]:
    """All mirrors by registry host; the user's are asked before the site's."""
    endpoints: dict[str, list[str]] = {}
    for document in documents:
        if document.kind in _LISTS:
            for entry in document.content["spec"].get(_LISTS[document.kind]) or ():
                host = entry["source"].partition("/")[0]
                endpoints.setdefault(host, []).extend(_endpoints(entry))
    for mirror in site:
        endpoints.setdefault(mirror.host, []).extend(mirror.endpoints)
    known = {mirror.host: mirror for mirror in site}
    return tuple(
        Mirror(host, tuple(dict.fromkeys(found)), upstream=_upstream(host, known.get(host)))
        for host, found in sorted(endpoints.items())
    )


def _upstream(host: str, site: Mirror | None) -> str:
    """What is asked last: the registry itself, unless the site allows mirrors alone."""
    return site.upstream if site else f"https://{host}"


def _endpoints(entry: Manifest) -> Iterator[str]:
    """Mirror hosts; containerd mirrors whole registries, so that repositories keep their names."""
    _, _, path = entry["source"].partition("/")
    for mirror in entry.get("mirrors") or ():
        host, _, repository = mirror.partition("/")
        if repository != path:
            raise InvalidSpec(
                f"mirror {mirror} of {entry['source']} renames repositories, "
                "which a node of this product cannot follow"
            )
        yield f"https://{host}"
