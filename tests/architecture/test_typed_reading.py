"""Our own kinds are read by attributes; a key of our API stands in `api/` alone.

A field of a HostedCluster, HostedControlPlane or NodePool is recognised by its name. Names that
other documents have as well (`SHARED`) say nothing alone; there, what is subscripted decides.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

import hypershift
from hypershift.api.facts import facts_of
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.api.node_pool import NodePoolSpec
from hypershift.api.struct import Shape
from hypershift.controlplane import CATALOG

SOURCE = Path(hypershift.__file__).parent

#: Packages that still read our kinds by keys; a package that stops is struck off. A command looks
#: at a few fields once, and the types take as long to import as all else that it needs.
TO_DO = ("cli",)
#: Packages that read our kinds by attributes.
DONE = (
    "component",
    "controlplane",
    "explain",
    "operators",
    "platforms",
    "process",
    "servers",
)
POLICIES = "operators/hypershift/hosted_cluster/rules/network_policy"
#: Keys of other documents that are called like fields of ours: Machines, Services, kubeconfigs,
#: Routes, webhooks, requests for certificates, performance profiles, boot images of releases,
#: groups of a regular expression, and the status that a module itself writes.
FOREIGN = frozenset(
    {
        "component/traits/place.py: ['tolerations']",
        "controlplane/etcd/proof/compare.py: contents['size']",
        "controlplane/etcd/proof/comparison.py: one['count']",
        "controlplane/etcd/proof/stored.py: ['value']",
        "controlplane/etcd/proof/stored.py: one['value']",
        "explain/look.py: ['kubeconfig']",
        "explain/rules/joining.py: address['address']",
        "explain/rules/network.py: each['operator']",
        "explain/rules/network.py: selector['matchLabels']",
        "explain/rules/network.py: spec['ingress']",
        "explain/rules/storage.py: ['storageClassName']",
        "explain/secrets.py: ['config']",
        "explain/secrets.py: ['value']",
        "explain/secrets.py: each['value']",
        "operators/controlplane/rules/admission.py: ['ingress']",
        "operators/guest_config/look.py: entry['port']",
        "operators/hypershift/etcd_backup/rules/credentials.py: found['clientSecret']",
        f"{POLICIES}/ranges.py: each['address']",
        f"{POLICIES}/surroundings.py: entry['cidr']",
        f"{POLICIES}/surroundings.py: spec['clusterNetwork']",
        f"{POLICIES}/surroundings.py: spec['serviceNetwork']",
        "operators/hypershift/hosted_cluster/rules/validation/networks.py: default['ipv4']",
        "operators/hypershift/hosted_cluster/rules/validation/networks.py: default['ipv6']",
        "operators/hypershift/shared_ingress/rules/config.py: ['port']",
        "operators/pki/verify.py: ['username']",
        "operators/guest_config/rules/pull_secret.py: entry['auth']",
        "operators/guest_config/in_place/look.py: object['spec']",
        "operators/guest_config/in_place/look.py: reference['apiGroup']",
        "operators/guest_config/nodes.py: one['effect']",
        "operators/guest_config/reencryption/scope.py: status['secretEncryption']",
        "operators/guest_config/reencryption/rules/plan.py: key['provider']",
        "operators/guest_config/reencryption/rules/plan.py: status['activeKey']",
        "operators/guest_config/webhooks.py: ['url']",
        "operators/guest_config/webhooks.py: client['url']",
        "operators/hypershift/node_pool/rules/api_access.py: found['ipv6']",
        "operators/hypershift/node_pool/rules/api_access.py: found['port']",
        "operators/hypershift/node_pool/sources.py: data['config']",
        "operators/hypershift/node_pool/rules/machine_state.py: entry['address']",
        "operators/hypershift/node_pool/rules/performance_profile.py: ['enabled']",
        "operators/hypershift/node_pool/rules/performance_profile.py: other['size']",
        "operators/hypershift/node_pool/rules/performance_profile.py: page['size']",
        "operators/hypershift/node_pool/rules/performance_profile.py: spec['cpu']",
        "operators/hypershift/node_pool/rules/performance_profile.py: spec['nodeSelector']",
        "operators/hypershift/node_pool/rules/proxy_address.py: parts['port']",
        "operators/hypershift/node_pool/rules/user_data.py: status['noProxy']",
        "operators/machine_approver/rules/decision.py: one['address']",
        "operators/machine_approver/egress.py: ['networkType']",
        "operators/machine_approver/kubelet.py: one['address']",
        "operators/karpenter/rules/claims.py: ['providerID']",
        "operators/karpenter/rules/claims.py: capacity['cpu']",
        "operators/karpenter/rules/status.py: theirs['securityGroups']",
        "operators/karpenter/rules/status.py: theirs['subnets']",
        "platforms/aws/boot_image.py: ['aws']",
        "platforms/aws/private_link/endpoint.py: each['availabilityZone']",
        "platforms/aws/private_link/service.py: ['error']",
        "platforms/aws/private_link/service.py: each['value']",
        "platforms/azure/marketplace.py: ['azure']",
        "platforms/coreos_openstack.py: ['disk']",
        "platforms/coreos_openstack.py: ['openstack']",
        "platforms/coreos_openstack.py: ['release']",
        "platforms/coreos_openstack.py: disk['location']",
        "platforms/gcp/machine_template.py: ['gcp']",
        "platforms/gcp/machine_template.py: found['project']",
        "platforms/kubevirt/boot_image.py: ['kubevirt']",
        "platforms/kubevirt/json_patch.py: operation['value']",
        "platforms/powervs/machine_template.py: ['powervs']",
        "platforms/powervs/machine_template.py: found['release']",
        "servers/ignition/identity.py: entry['hostname']",
        "servers/ignition/source.py: kubeconfig['kubeconfig']",
        # The value of an annotation.
        "controlplane/oauth_openshift/providers.py: told['claims']",
        # Objects of OpenShift's own inside a hosted cluster.
        "operators/guest_config/openshift/rules/lifecycle.py: ['disableAllDefaultSources']",
        "platforms/kubevirt/guest.py: ['internalJoinSubnet']",
        "platforms/kubevirt/guest.py: live['ipv6']",
    }
)

#: The places that hand a part of a spec on as it was given: `go_json` hashes what is in it, and a
#: HostedControlPlane has fields of its HostedCluster that only a newer version knows.
HANDED_ON = frozenset(
    {
        "operators/hypershift/hosted_cluster/chain.py: object['spec']",
        "operators/hypershift/hosted_cluster/chain.py: spec['platform']",
        "operators/hypershift/shared_ingress/rules/members.py: plane['spec']",
        "operators/hypershift/node_pool/scope.py: ['configuration']",
        "operators/hypershift/node_pool/scope.py: hosted_cluster['spec']",
    }
)

#: Names of our fields that the other documents have which those packages read.
SHARED = frozenset(
    {
        *("aescbc", "capabilities", "endpoint", "etcd", "groups", "image", "issuer", "key"),
        *("kms", "labels", "matchExpressions", "message", "name", "namespace", "nodePort"),
        *("replicas", "resources", "secret", "sources", "taints", "type", "uid", "values"),
        "version",
    }
)
#: What our objects are called in code.
OWN = frozenset({"hcp", "plane", "control_plane", "hosted_cluster", "node_pool", "object"})


@cache
def fields() -> frozenset[str]:
    """The names of all fields of our specs, as manifests write them."""
    found: dict[type[Shape], None] = {}
    for spec in (HostedClusterSpec, HostedControlPlaneSpec, NodePoolSpec):
        gather(spec, found)
    names = {facts.wire for shape in found for facts in facts_of(shape)}
    return frozenset(names) - SHARED


def gather(hint: Any, found: dict[type[Shape], None]) -> None:
    if isinstance(hint, type) and issubclass(hint, Shape) and hint not in found:
        found[hint] = None
        for facts in facts_of(hint):
            gather(facts.type, found)
    for inner in get_args(hint):
        gather(inner, found)


def readings(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """What is read by a key, and the key."""
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=base, slice=ast.Constant(value=str(key)), ctx=ast.Load()):
                yield called(base), key
            case ast.Call(
                func=ast.Attribute(value=base, attr="get"), args=[ast.Constant(value=str(key)), *_]
            ):
                yield called(base), key
            case ast.Attribute(value=ast.Name(id="scope"), attr="spec"):
                yield "object", "spec"
            case _:
                pass


def called(base: ast.expr) -> str:
    match base:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def offences(tree: ast.AST) -> list[str]:
    return [
        f"{base}[{key!r}]"
        for base, key in readings(tree)
        if key in fields() or (base in OWN and key in {"spec", "status"})
    ]


def offenders(folder: Path) -> list[str]:
    return [
        f"{path.relative_to(SOURCE)}: {found}"
        for path in sorted(folder.rglob("*.py"))
        for found in offences(ast.parse(path.read_text()))
    ]


@pytest.mark.parametrize("folder", DONE)
def test_our_kinds_are_read_by_attributes(folder: str) -> None:
    assert [each for each in offenders(SOURCE / folder) if each not in FOREIGN | HANDED_ON] == []


def test_the_list_of_keys_of_other_documents_is_current() -> None:
    found = {each for folder in DONE for each in offenders(SOURCE / folder)}
    assert found == FOREIGN | HANDED_ON


@pytest.mark.parametrize(
    ("module", "offence"),
    [
        ("explain/rules/pools.py", 'pool["spec"].get("pausedUntil")'),
        ("operators/guest_config/look.py", 'scope.spec["releaseImage"]'),
        ("operators/hypershift/claims.py", 'spec.get("infraID")'),
        ("operators/hypershift/fleet_metrics/pools.py", 'pool["spec"].get("autoScaling")'),
        ("operators/hypershift/hosted_cluster/checks.py", 'scope.spec.get("pullSecret")'),
        ("operators/hypershift/node_pool/rules/conditions.py", 'pool["spec"].get("autoScaling")'),
        ("operators/hypershift/node_pool/scope.py", 'self.object["spec"]'),
        ("operators/hypershift/node_pool/sources.py", 'hosted_cluster["status"]'),
        ("operators/machine_approver/look.py", 'plane["spec"]'),
        ("platforms/aws/machine_template.py", 'wanted.get("rootVolume")'),
        ("servers/ignition/source.py", 'found["spec"]["clusterName"]'),
    ],
)
def test_a_key_planted_in_a_package_is_found(module: str, offence: str) -> None:
    tree = ast.parse((SOURCE / module).read_text() + f"\n{offence}\n")
    planted = {f"{module}: {each}" for each in offences(tree)}
    assert planted - FOREIGN - HANDED_ON


@pytest.mark.parametrize("folder", TO_DO)
def test_the_list_of_packages_that_read_keys_is_current(folder: str) -> None:
    assert offenders(SOURCE / folder), f"{folder} reads our kinds by attributes: strike it off"


@pytest.mark.parametrize(
    "offence",
    [
        'view.hcp["spec"]',
        'plane.get("status") or {}',
        'self.object["spec"]',
        "scope.spec",
        'spec.get("controllerAvailabilityPolicy")',
        '(anything.get("managed") or {}).get("restoreSnapshotURL")',
        'found["secretEncryption"]',
    ],
)
def test_a_key_that_is_read_is_found(offence: str) -> None:
    assert offences(ast.parse(offence))


@pytest.mark.parametrize(
    "fine",
    ['manifest["spec"]["replicas"]', 'service["status"]', 'scope.status["ready"] = True'],
)
def test_other_kinds_and_writing_are_left_alone(fine: str) -> None:
    assert offences(ast.parse(fine)) == []


def names_in(tree: ast.AST) -> set[str]:
    names = {component.name for components in CATALOG.values() for component in components}
    return names & {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_the_component_framework_knows_no_component_by_name() -> None:
    found = {
        path.name: names
        for path in sorted((SOURCE / "component").rglob("*.py"))
        if (names := names_in(ast.parse(path.read_text())))
    }
    assert found == {}


def test_a_components_name_in_the_framework_is_found() -> None:
    assert names_in(ast.parse('CRITICAL = frozenset({"kube-apiserver"})')) == {"kube-apiserver"}
