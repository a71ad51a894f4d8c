"""The phases that publish a pool's token and user data, and retire the older ones."""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from hypershift.api.cluster_domain import cluster_domain
from hypershift.ignition import fingerprint, token
from hypershift.kit import Manifest, Secret, annotations_of, data_of, rfc3339
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.rules import (
    cluster_configuration,
    user_data,
)
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.platforms import cluster_proxy
from hypershift.release import Capability
from hypershift.runtime import Done, Outcome

EXPIRY = timedelta(hours=2)


def _encoded(values: dict[str, str | bytes]) -> dict[str, str]:
    return {
        name: b64encode(value.encode() if isinstance(value, str) else value).decode()
        for name, value in values.items()
    }


def _labelled(labels: Mapping[str, str]) -> Manifest:
    return {"labels": dict(labels)} if labels else {}


async def publish_token(scope: PoolScope) -> Outcome:
    """Keep the token Secret of the wanted configuration; its data is written when it is made."""
    name = token.token_name(scope.key.name, scope.wanted_config.hash)
    found = await scope.kube.find(kinds.SECRET, name, scope.namespace)
    if found is None:
        scope.token_secret = await scope.kube.create(new_token(scope, name))
        return Done()
    scope.token_secret = await _refresh(scope, found)
    return Done()


def new_token(scope: PoolScope, name: str) -> Manifest:
    """A token Secret with everything that the ignition server renders a payload from."""
    config, release = scope.wanted_config, scope.wanted_release
    data: dict[str, str | bytes] = {
        token.TOKEN: token.new_token(),
        token.RELEASE: scope.wanted.release.image,
        token.RELEASE_VERSION: release.version,
        token.CONFIG: _packed(scope, config.raw.encode()),
        token.PULL_SECRET_HASH: fingerprint.of_bytes(scope.pull_secret.reveal()),
        token.TRUST_BUNDLE_HASH: fingerprint.of_text(scope.trust_bundle),
        token.OS_STREAM: scope.stream,
        **_changing(scope),
    }
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {
            "name": name,
            "namespace": scope.namespace,
            "annotations": _token_annotations(scope)
            | {token.GENERATED_AT: rfc3339(scope.clock.now())},
            **_labelled(scope.secret_labels),
        },
        "immutable": False,
        "data": _encoded(data),
    }


def _packed(scope: PoolScope, raw: bytes) -> bytes:
    """Older control planes do not undo the base64."""
    packed = token.packed(raw)
    return packed if scope.can(Capability.DECODES_CONFIG) else b64decode(packed)


def _token_annotations(scope: PoolScope) -> dict[str, str]:
    # Machines of a restored cluster run already: they never come for a token again.
    restored = names.RESTORED in annotations_of(scope.hosted_cluster)
    return {
        token.IGNITION_CONFIG: "true",
        token.UPGRADE_TYPE: "InPlace" if scope.in_place else "Replace",
        token.NODE_POOL: names.pool_value(scope.pool),
        **({token.REACHED: "True"} if restored else {}),
    }


def _changing(scope: PoolScope) -> dict[str, str | bytes]:
    """What may change without a rollout, and is kept up to date in an existing token."""
    return {
        token.CONFIGURATION_HASH: cluster_configuration.fingerprint(scope.configuration),
        token.CLOUD_CONFIG_HASH: scope.cloud_config_hash,
    }


async def _refresh(scope: PoolScope, secret: Manifest) -> Manifest:
    known = annotations_of(secret)
    wanted: dict[str, str | None] = {**_token_annotations(scope), token.EXPIRES_AT: None}
    annotations = {name: value for name, value in wanted.items() if known.get(name) != value}
    data = {
        name: value
        for name, value in _encoded(_changing(scope)).items()
        if (secret.get("data") or {}).get(name, "") != value
    }
    patch: dict[str, Any] = {"data": data} if data else {}
    if annotations:
        patch["metadata"] = {"annotations": annotations}
    if not patch:
        return secret
    name = secret["metadata"]["name"]
    return await scope.kube.patch(kinds.SECRET, name, patch, scope.namespace)


async def publish_user_data(scope: PoolScope) -> Outcome:
    """Keep the user data that new machines boot with; it follows the token as that rotates."""
    config_hash = scope.wanted_config.hash
    current = data_of(scope.token_secret or {}, token.TOKEN).decode()
    document = user_data.document(
        endpoint=scope.cluster.status.ignition_endpoint or "",
        authority=scope.ignition_ca,
        token=Secret(current),
        pool=names.pool_value(scope.pool),
        config_hash=config_hash,
        proxy=cluster_proxy(
            scope.wanted_cluster, cluster_domain(scope.cluster.metadata.annotations)
        ).fields,
    )
    await scope.kube.apply(
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {
                "name": token.user_data_name(scope.key.name, config_hash),
                "namespace": scope.namespace,
                "annotations": {names.NODE_POOL: names.pool_value(scope.pool)},
                **_labelled(scope.user_data_labels),
            },
            "immutable": False,
            "data": _encoded({"value": document, "disableTemplating": b64encode(b"true")}),
        }
    )
    return Done()


async def retire_tokens(scope: PoolScope) -> Outcome:
    """Let the token of the configuration that nodes have had so far expire, with its user data."""
    current = scope.annotations.get(names.CURRENT_CONFIG_VERSION, "")
    if current == scope.wanted_config.hash:
        return Done()
    name = token.token_name(scope.key.name, current)
    if secret := await scope.kube.find(kinds.SECRET, name, scope.namespace):
        await expire(scope.kube, secret, scope.clock.now())
    name = token.user_data_name(scope.key.name, current)
    if not scope.pools.keeps_user_data and (
        await scope.kube.find(kinds.SECRET, name, scope.namespace)
    ):
        await scope.kube.delete(kinds.SECRET, name, scope.namespace)
    return Done()


async def expire(kube: Client, secret: Manifest, now: datetime) -> None:
    """Give a token its last hours; once it has them, nothing prolongs them."""
    if annotations_of(secret).get(token.EXPIRES_AT):
        return
    metadata = secret["metadata"]
    patch = {"metadata": {"annotations": {token.EXPIRES_AT: rfc3339(now + EXPIRY)}}}
    await kube.patch(kinds.SECRET, metadata["name"], patch, metadata["namespace"])
