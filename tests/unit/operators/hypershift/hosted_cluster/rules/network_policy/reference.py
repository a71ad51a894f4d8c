"""Turns the cases of the reference into what our policy builder takes."""

from pathlib import Path
from typing import Any

import yaml
from tests.lib.decoded import a_decoded_spec

from hypershift.kit import Manifest, TransientError
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy import (
    Case,
    Surroundings,
    infra_conditions,
    networks_of,
    policies,
)


def namespace_of(cluster: Manifest) -> str:
    metadata = cluster["metadata"]
    return f"{metadata['namespace']}-{metadata['name'].replace('.', '-')}"


def case_of(data: dict[str, Any]) -> Case:
    objects = data["managementCluster"].get("objects") or []
    endpoints = next((o for o in objects if o["kind"] == "Endpoints"), None)
    network = next((o for o in objects if o["kind"] == "Network"), None)
    infra = data.get("infraCluster") or {}
    cluster = data["hostedCluster"]
    major, minor = data["controlPlaneVersion"].split(".")[:2]
    around = Surroundings(
        openshift=data["managementCluster"]["openshift"],
        api_addresses=addresses(endpoints),
        networks=networks_of(network),
        block_cidrs=tuple(data.get("hcpEgressBlockCIDRs") or ()),
        metrics_access=bool(data.get("enableCVOManagementClusterMetricsAccess")),
        rhobs=(data.get("environment") or {}).get("RHOBS_MONITORING") == "1",
        infra_networks=networks_of(infra["objects"][0]) if infra.get("objects") else None,
        infra_error='networks.config.openshift.io "cluster" not found',
    )
    return Case(
        spec=a_decoded_spec(cluster["spec"]),
        namespace=namespace_of(cluster),
        around=around,
        version=(int(major), int(minor)),
        labels_management_access=data.get("operatorAppliesManagementKASLabel", True),
        annotations=cluster["metadata"].get("annotations") or {},
    )


def addresses(endpoints: Manifest | None) -> tuple[str, ...] | None:
    if endpoints is None:
        return None
    subsets = endpoints.get("subsets") or ()
    return tuple(a["ip"] for subset in subsets for a in subset.get("addresses") or ())


def ours(data: dict[str, Any]) -> list[Manifest]:
    made: list[Manifest] = []
    try:
        made.extend(policies(case_of(data)))
    except TransientError as error:
        made.append({"error": str(error)})
    case = case_of(data)
    if conditions := infra_conditions(case.spec, case.around):
        made.append({"hostedClusterConditionsAfter": [one.manifest() for one in conditions]})
    return made


def cases(directory: Path) -> dict[str, dict[str, Any]]:
    inputs = directory / "networkpolicies" / "inputs"
    every = yaml.safe_load((inputs / "every-case.yaml").read_text())
    return {
        path.stem: {**every, **yaml.safe_load(path.read_text())}
        for path in sorted(inputs.glob("*.yaml"))
        if path.stem != "every-case"
    }
