"""The phase that publishes the subnets that nodes may be in: private links need endpoints there."""

import json

from hypershift.api import OpenshiftEC2NodeClass, labels, read
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.karpenter import names
from hypershift.operators.karpenter.rules import ec2_class
from hypershift.operators.karpenter.scope import KarpenterScope
from hypershift.runtime import Done, Outcome


async def publish_subnets(scope: KarpenterScope) -> Outcome:
    """Keep the list of subnets that the classes found; without any there is no list."""
    found = ec2_class.subnet_ids(read(OpenshiftEC2NodeClass, each.manifest) for each in scope.kept)
    if found:
        await scope.kube.apply(_config_map(scope, found))
    elif await scope.kube.find(kinds.CONFIG_MAP, names.SUBNETS, scope.namespace):
        await scope.kube.delete(kinds.CONFIG_MAP, names.SUBNETS, scope.namespace)
    return Done()


def _config_map(scope: KarpenterScope, found: list[str]) -> Manifest:
    plane = scope.plane
    owner = {
        "apiVersion": plane.api_version,
        "kind": plane.kind,
        "name": plane.metadata.name,
        "uid": plane.metadata.uid,
    }
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {
            "name": names.SUBNETS,
            "namespace": scope.namespace,
            "labels": {
                labels.MANAGED_BY: "karpenter",
                labels.INFRA_ID: plane.spec.infra_id,
            },
            "ownerReferences": [owner],
        },
        # No spaces: as Go writes it.
        "data": {"subnetIDs": json.dumps(found, separators=(",", ":"))},
    }
