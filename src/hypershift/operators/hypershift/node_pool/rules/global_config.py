"""The cluster-wide settings that nodes carry (proxy, image, TLS profile), as Go's JSON text."""

import re

from hypershift.api.configuration import Image, Proxy, TLSSecurityProfile
from hypershift.api.go_json import go_json
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.ignition.goyaml import to_json
from hypershift.kit import Manifest
from hypershift.platforms import cluster_proxy

_METADATA = {"name": "cluster", "creationTimestamp": None}
_TLS_PROFILE = "tlsSecurityProfile"
_BLANKS = r"[\t\n\f\r ]*"
_EMPTY_IMPORT_MODE = (
    (re.compile(f',?{_BLANKS}"imageStreamImportMode":{_BLANKS}""'), ""),
    (re.compile(f"{_BLANKS},{_BLANKS}}}"), "}"),
    (re.compile(f"{{{_BLANKS},{_BLANKS}"), "{"),
)
#: Releases from here on carry the API server's TLS profile to the nodes.
TLS_PROFILE_SINCE = (4, 23)


def without_empty_import_mode(text: str) -> str:
    """Cut an empty imageStreamImportMode out: it came later, and must not roll older pools.

    The commas that this leaves over are cut wherever such a one stands, as the original does.
    """
    for pattern, left in _EMPTY_IMPORT_MODE:
        text = pattern.sub(left, text)
    return text


def text(spec: HostedClusterSpec, settings: Manifest | None, release: tuple[int, int]) -> str:
    """The part of a pool's configuration that follows HostedCluster spec.configuration.

    `settings` is that section as it was given: Go writes some fields although they are empty.
    """
    parts: list[Manifest | None] = [
        _object(go_json(Proxy, _section(settings, "proxy")), cluster_proxy(spec).fields),
        _object(go_json(Image, _section(settings, "image")), {}),
    ]
    if release >= TLS_PROFILE_SINCE:
        parts.append(_tls_profile(_section(settings, "apiServer").get(_TLS_PROFILE)))
    joined = "".join(f"{to_json(part, sort=False)}\n" for part in parts)
    return without_empty_import_mode(joined)


def _section(settings: Manifest | None, name: str) -> Manifest:
    section: Manifest = (settings or {}).get(name) or {}
    return section


def _object(spec: Manifest, status: Manifest) -> Manifest:
    return {"metadata": _METADATA, "spec": spec, "status": status}


def _tls_profile(profile: Manifest | None) -> Manifest | None:
    return None if profile is None else go_json(TLSSecurityProfile, profile)
