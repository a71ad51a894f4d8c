"""The cluster-wide settings that nodes carry (proxy, image, TLS profile), as Go's JSON text."""

import re
from typing import Any

from hypershift.ignition.goyaml import to_json
from hypershift.kit import Manifest

_METADATA = {"name": "cluster", "creationTimestamp": None}
_LOCAL_NAMES = ("127.0.0.1", "localhost", ".svc", ".local", ".cluster.local")
_METADATA_SERVICE = "169.254.169.254"
#: Releases from here on carry the API server's TLS profile to the nodes.
TLS_PROFILE_SINCE = (4, 23)


def without_empty_import_mode(text: str) -> str:
    """Cut an empty imageStreamImportMode out: it came later, and must not roll older pools."""
    text = re.sub(r',\s*"imageStreamImportMode":\s*""', "", text)
    text = re.sub(r'"imageStreamImportMode":\s*"",\s*', "", text)
    return re.sub(r'"imageStreamImportMode":\s*""\s?', "", text)


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
    return {"metadata": _METADATA, "spec": proxy_spec(spec), "status": proxy_status(hosted_cluster)}


def proxy_spec(spec: Manifest) -> Manifest:
    """ProxySpec as Go writes it."""
    ordered = _kept(spec, "httpProxy", "httpsProxy", "noProxy", "readinessEndpoints")
    return ordered | {"trustedCA": _name(spec.get("trustedCA"))}


def proxy_status(hosted_cluster: Manifest) -> Manifest:
    """What the proxy settings come to: with every address that must never use the proxy."""
    spec = (hosted_cluster["spec"].get("configuration") or {}).get("proxy") or {}
    if not (spec.get("httpProxy") or spec.get("httpsProxy")):
        return {}
    no_proxy = ",".join(sorted(no_proxy_entries(hosted_cluster, spec.get("noProxy", ""))))
    return _kept(spec, "httpProxy", "httpsProxy") | {"noProxy": no_proxy}


def no_proxy_entries(hosted_cluster: Manifest, extra: str) -> set[str]:
    """Names and ranges that are reached directly."""
    networking = hosted_cluster["spec"].get("networking") or {}
    entries = {*_LOCAL_NAMES, *_cloud_entries(hosted_cluster["spec"].get("platform") or {})}
    for kind in ("machineNetwork", "clusterNetwork", "serviceNetwork"):
        entries.update(network["cidr"] for network in networking.get(kind) or ())
    entries.update(filter(None, extra.split(",")))
    return entries


def _cloud_entries(platform: Manifest) -> set[str]:
    match platform.get("type"):
        case "AWS":
            region = (platform.get("aws") or {}).get("region", "")
            zone = ".ec2.internal" if region == "us-east-1" else f".{region}.compute.internal"
            return {_METADATA_SERVICE, zone}
        case "Azure":
            return {_METADATA_SERVICE}
        case "GCP":
            return {
                _METADATA_SERVICE,
                "metadata",
                "metadata.google.internal",
                "metadata.google.internal.",
            }
        case _:
            return set()


def _image(spec: Manifest) -> Manifest:
    return {"metadata": _METADATA, "spec": image_spec(spec), "status": {}}


def image_spec(spec: Manifest) -> Manifest:
    """ImageSpec as Go writes it."""
    ordered: Manifest = {}
    if spec.get("allowedRegistriesForImport"):
        ordered["allowedRegistriesForImport"] = [
            {"domainName": entry.get("domainName", "")} | _kept(entry, "insecure")
            for entry in spec["allowedRegistriesForImport"]
        ]
    ordered |= _kept(spec, "externalRegistryHostnames")
    sources = spec.get("registrySources") or {}
    ordered["additionalTrustedCA"] = _name(spec.get("additionalTrustedCA"))
    ordered["registrySources"] = _kept(
        sources,
        "insecureRegistries",
        "blockedRegistries",
        "allowedRegistries",
        "containerRuntimeSearchRegistries",
    )
    return ordered | {"imageStreamImportMode": spec.get("imageStreamImportMode", "")}


def _tls_profile(profile: Manifest | None) -> Manifest | None:
    if profile is None:
        return None
    ordered: dict[str, Any] = _kept(profile, "type")
    for name in ("old", "intermediate", "modern"):
        if profile.get(name) is not None:
            ordered[name] = {}
    if (custom := profile.get("custom")) is not None:
        ordered["custom"] = {
            "ciphers": custom.get("ciphers"),
            "minTLSVersion": custom.get("minTLSVersion", ""),
        }
    return ordered


def _name(reference: Manifest | None) -> Manifest:
    return {"name": (reference or {}).get("name", "")}
