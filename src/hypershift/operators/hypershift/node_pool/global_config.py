"""The cluster-wide settings that nodes carry (proxy, image, TLS profile), as Go's JSON text."""

import re

from hypershift.api.configuration import Image, Proxy, TLSSecurityProfile
from hypershift.api.go_json import go_json
from hypershift.ignition.goyaml import to_json
from hypershift.kit import Manifest, cidrs
from hypershift.platforms import platform_of

_METADATA = {"name": "cluster", "creationTimestamp": None}
_LOCAL_NAMES = ("127.0.0.1", "localhost", ".svc", ".local", ".cluster.local")
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


def text(hosted_cluster: Manifest, release: tuple[int, int]) -> str:
    """The part of a pool's configuration that follows HostedCluster spec.configuration."""
    configuration = hosted_cluster["spec"].get("configuration") or {}
    parts: list[Manifest | None] = [
        _proxy(hosted_cluster),
        _image(configuration.get("image") or {}),
    ]
    if release >= TLS_PROFILE_SINCE:
        parts.append(_tls_profile((configuration.get("apiServer") or {}).get("tlsSecurityProfile")))
    joined = "".join(f"{to_json(part, sort=False)}\n" for part in parts)
    return without_empty_import_mode(joined)


def _kept(value: Manifest, *names: str) -> Manifest:
    """The non-empty fields in Go's order."""
    return {name: value[name] for name in names if value.get(name)}


def _proxy(hosted_cluster: Manifest) -> Manifest:
    spec = (hosted_cluster["spec"].get("configuration") or {}).get("proxy") or {}
    return {
        "metadata": _METADATA,
        "spec": go_json(Proxy, spec),
        "status": proxy_status(hosted_cluster),
    }


def proxy_status(hosted_cluster: Manifest) -> Manifest:
    """What the proxy settings come to: with every address that must never use the proxy."""
    spec = (hosted_cluster["spec"].get("configuration") or {}).get("proxy") or {}
    if not (spec.get("httpProxy") or spec.get("httpsProxy")):
        return {}
    no_proxy = ",".join(sorted(no_proxy_entries(hosted_cluster, spec.get("noProxy", ""))))
    return _kept(spec, "httpProxy", "httpsProxy") | {"noProxy": no_proxy}


def no_proxy_entries(hosted_cluster: Manifest, extra: str) -> set[str]:
    """Names and ranges that are reached directly."""
    spec = hosted_cluster["spec"]
    networking = spec.get("networking") or {}
    of_cloud = platform_of(spec).pools.direct_hosts(spec.get("platform") or {})
    entries = {*_LOCAL_NAMES, *of_cloud}
    for kind in ("machineNetwork", "clusterNetwork", "serviceNetwork"):
        entries.update(cidrs(networking, kind))
    entries.update(filter(None, extra.split(",")))
    return entries


def _image(spec: Manifest) -> Manifest:
    return {"metadata": _METADATA, "spec": go_json(Image, spec), "status": {}}


def _tls_profile(profile: Manifest | None) -> Manifest | None:
    return None if profile is None else go_json(TLSSecurityProfile, profile)
