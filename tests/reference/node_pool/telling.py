"""The state after a story, in the form in which the vectors tell it."""

import base64
import gzip
import json
import re
from typing import Any

from tests.reference.node_pool import cluster_api
from tests.reference.node_pool.story import POOL, Story

from hypershift.ignition import token
from hypershift.kit import Manifest

RANDOM = "RANDOM"
_TIMES = (token.GENERATED_AT, token.EXPIRES_AT)
_CACHE = "kv-boot-image-cache-"


def told(story: Story) -> str:
    """Everything that the passes made or changed, the pool, and how the passes went."""
    after = story.state()
    pool = after.pop(("NodePool", POOL.namespace, POOL.name), None)
    changed = [
        cluster_api.older(manifest)
        for where, manifest in sorted(after.items())
        if where[0] != "HostedCluster" and _content(manifest) != _content(story.before.get(where))
    ]
    documents = [_shown(manifest) for manifest in changed]
    if pool is not None:
        documents.append(_content(pool, "apiVersion", "kind", "metadata", "spec") or {})
    documents.append(_result(story, pool, changed))
    # JSON is YAML too, and leaves no doubt that 18671e99 is a text.
    text = "\n---\n".join(json.dumps(one, ensure_ascii=False) for one in documents)
    return _without_chance(story, text, [_original_name(one) for one in changed])


def _content(manifest: Manifest | None, *fields: str) -> Manifest | None:
    """An object without what a server fills in."""
    if manifest is None:
        return None
    volatile = ("resourceVersion", "generation", "creationTimestamp", "managedFields", "uid")
    metadata = {key: value for key, value in manifest["metadata"].items() if key not in volatile}
    kept = {key: manifest[key] for key in fields or manifest if key in manifest}
    return {key: value for key, value in kept.items() if key != "status"} | {"metadata": metadata}


def _shown(manifest: Manifest) -> Manifest:
    made = _content(manifest) or {}
    if made["kind"] != "Secret":
        return made
    made.pop("type", None)
    data = {key: base64.b64decode(text) for key, text in made.pop("data", {}).items()}
    is_token = token.CONFIG in data
    if is_token:
        data[token.CONFIG] = token.unpacked(data[token.CONFIG])
        data[token.TOKEN] = RANDOM.encode()
        annotations = made["metadata"]["annotations"]
        for name in _TIMES:
            if name in annotations:
                annotations[name] = RANDOM
    texts = {key: value.decode() for key, value in data.items()}
    if "value" in texts:
        texts["value"] = re.sub(r"Bearer [A-Za-z0-9+/=]+", f"Bearer {RANDOM}", texts["value"])
    return made | {"stringData": texts}


def _result(story: Story, pool: Manifest | None, changed: list[Manifest]) -> Manifest:
    result: dict[str, Any] = {"kind": "Result", "metadata": {"name": POOL.name}}
    result["passes"] = story.passes
    if pool is None:
        return result | {"nodePoolGone": True}
    status = {"replicas": 0} | (pool.get("status") or {})
    times = ("lastTransitionTime", "observedGeneration")
    status["conditions"] = [
        {key: value for key, value in one.items() if key not in times}
        for one in status.get("conditions") or ()
    ]
    result["nodePoolStatus"] = status
    for manifest in changed:
        config = (manifest.get("data") or {}).get(token.CONFIG)
        if manifest["kind"] == "Secret" and config:
            packed = base64.b64decode(config)
            bare = packed[:2] == gzip.compress(b"")[:2]
            result["tokenConfigEncoding"] = "gzip" if bare else "base64 of gzip"
    return result


def _original_name(manifest: Manifest) -> str:
    name: str = manifest["metadata"]["name"]
    return name


def _without_chance(story: Story, text: str, made: list[str]) -> str:
    """Put RANDOM for what chance decided, and the case's uids for the server's."""
    for ours, theirs in story.uids.items():
        text = text.replace(ours, theirs)
    cached = [name for name in made if name.startswith(_CACHE)]
    if not cached:
        return text
    for name in cached:
        text = text.replace(name, f"{_CACHE}{RANDOM}")
    return re.sub(
        rf"(?<!token-)(?<!data-)\b{POOL.name}-[0-9a-f]{{8}}\b", f"{POOL.name}-{RANDOM}", text
    )
