"""What a machine boots with: where its configuration is, and the token that it gets it with."""

import base64
from collections.abc import Sequence

from hypershift.ignition.goyaml import to_json
from hypershift.kit import Manifest, Secret

VERSION = "3.2.0"
_BEGIN = b"-----BEGIN "


def document(
    *,
    endpoint: str,
    authority: bytes,
    token: Secret[str],
    pool: str,
    config_hash: str,
    proxy: Manifest | None = None,
) -> str:
    """The Ignition document, in the original's bytes."""
    encoded = base64.b64encode(token.reveal().encode()).decode()
    headers = {
        "Authorization": f"Bearer {encoded}",
        "NodePool": pool,
        "TargetConfigVersionHash": config_hash,
    }
    ignition: Manifest = {
        "config": {"merge": [_merge(endpoint, headers)]},
        "security": {
            "tls": {"certificateAuthorities": [{"source": one} for one in sources(authority)]}
        },
        "version": VERSION,
    }
    if proxy:
        ignition["proxy"] = proxy_fields(proxy)
    return to_json({"ignition": ignition})


def sources(authorities: bytes) -> list[str]:
    """Each certificate as a source of its own, as every version of Ignition reads it."""
    first, *others = authorities.split(_BEGIN)
    found = (one for one in (first, *(_BEGIN + text for text in others)) if one.strip())
    return [f"data:text/plain;base64,{base64.b64encode(one).decode()}" for one in found]


def _merge(endpoint: str, headers: dict[str, str]) -> Manifest:
    named: Sequence[Manifest] = [{"name": name, "value": headers[name]} for name in headers]
    return {"httpHeaders": named, "source": f"https://{endpoint}/ignition"}


def proxy_fields(status: Manifest) -> Manifest:
    """The proxy of the cluster as Ignition spells it."""
    fields: Manifest = {}
    for name in ("httpProxy", "httpsProxy"):
        if status.get(name):
            fields[name] = status[name]
    if status.get("noProxy"):
        fields["noProxy"] = status["noProxy"].split(",")
    return fields
