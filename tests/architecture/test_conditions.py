"""Condition types, reasons and statuses come from enums; each condition has one writer."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from hypershift.api import conditions
from hypershift.api.conditions import (
    OWNERS,
    ConditionReason,
    ConditionStatus,
    ConditionType,
    Owner,
    why_not_owner,
)

SOURCE = Path(conditions.__file__).parents[2]
ENUMS = {
    name: value
    for name, value in vars(conditions).items()
    if isinstance(value, type) and issubclass(value, ConditionType | ConditionReason)
}
WORDS = {str(word) for enum in (*ENUMS.values(), ConditionStatus) for word in enum}
#: Where the enums stand, and what only tests run.
APART = ("api/", "testing/")
#: Words that mean something else in a module.
OTHER_MEANINGS: Mapping[str, set[str]] = {
    "cli/oadp/checks.py": {"Completed"},  # a phase of Velero's backups
    # the state of an endpoint service in AWS
    "infra/aws/remains.py": {"Deleting"},
    "cli/flags.py": {"True", "False"},  # Go's booleans
    "runtime/pause.py": {"True", "False"},
    "ignition/goyaml/resolve.py": {"True", "False"},  # YAML's booleans
    "operators/hypershift/node_pool/token.py": {"True"},  # an annotation's value
    "servers/ignition/notes.py": {"True"},
    "kube/base.py": {"NotFound"},  # a reason of the API server's errors
    "kube/errors.py": {"NotFound"},
    "runtime/cached.py": {"NotFound"},
    "cloud/aws/errors.py": {"Error", "NotFound"},  # fields and codes of AWS' answers
    "operators/controlplane/status.py": {"Ready"},  # why a pass waits
    "operators/guest_config/in_place/drain.py": {"Failed"},  # phases of a pod
    "operators/guest_config/connection.py": {"Running"},
    "explain/rules/pods.py": {"Failed"},
    "local/provider/names.py": {"Paused"},  # a power state
    "cli/nodepool/azure.py": {"Disabled"},  # values of a spec
    "cli/nodepool/openstack.py": {"Disabled"},
    "platforms/openstack/machine_template.py": {"Disabled"},
}
#: Modules that build a foreign kind's condition, with fields that ours lack, or describe its shape.
FOREIGN = (
    "operators/pki/requests.py",
    "pki/kubelet_request.py",
    "ignition/go_types/",
)
#: Who sets the conditions that a folder or module makes, on which kind; the longest path counts.
WRITERS: Mapping[str, tuple[Owner, str]] = {
    "component/": (Owner.CONTROL_PLANE, "ControlPlaneComponent"),
    "platforms/": (Owner.NODE_POOL, "NodePool"),
    "platforms/aws/account.py": (Owner.CONTROL_PLANE, "HostedControlPlane"),
    "platforms/aws/key_service.py": (Owner.CONTROL_PLANE, "HostedControlPlane"),
    "platforms/aws/private_link/service_side.py": (Owner.AWS_LINK_SERVICE, "AWSEndpointService"),
    "platforms/aws/private_link/endpoint_side.py": (Owner.AWS_LINK_ENDPOINT, "AWSEndpointService"),
    "operators/controlplane/": (Owner.CONTROL_PLANE, "HostedControlPlane"),
    "operators/guest_config/": (Owner.GUEST_CONFIG, "HostedControlPlane"),
    "operators/guest_config/reencryption/": (Owner.RE_ENCRYPTION, "HostedControlPlane"),
    "operators/hypershift/hosted_cluster/": (Owner.HOSTED_CLUSTER, "HostedCluster"),
    "operators/hypershift/node_pool/": (Owner.NODE_POOL, "NodePool"),
    "operators/hypershift/etcd_backup/": (Owner.ETCD_BACKUP, "HCPEtcdBackup"),
    "operators/hypershift/etcd_backup/proof/": (Owner.RESTORE_PROOF, "HCPEtcdBackup"),
    "operators/hypershift/etcd_backup/newest_backup/": (
        Owner.ETCD_BACKUP_REPORT,
        "HostedControlPlane",
    ),
    "operators/hypershift/audit_logs/": (
        Owner.AUDIT_LOG_PERSISTENCE,
        "AuditLogPersistenceConfig",
    ),
    "operators/karpenter/": (Owner.KARPENTER, "OpenshiftEC2NodeClass"),
    "operators/pki/": (Owner.PKI, "HostedControlPlane"),
    "operators/pki/revocation/": (Owner.REVOCATION, "CertificateRevocationRequest"),
    "local/provider/cluster.py": (Owner.LOCAL_CLUSTER, "LocalCluster"),
    "local/provider/machine.py": (Owner.LOCAL_MACHINE, "LocalMachine"),
}
#: How a condition is made, and which argument is its type.
MAKERS = {"Condition": 0, "copied": 1, "decided": 0, "false": 0, "true": 0, "unknown": 0}
Functions = ast.FunctionDef | ast.AsyncFunctionDef


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith(APART):
            yield name, ast.parse(path.read_text())


def skipped(tree: ast.AST) -> set[int]:
    """The strings that are no values: docstrings, and the names that a package exports."""
    found: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as text):
                found.add(id(text))
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=names)):
                found |= {id(name) for name in names}
            case _:
                pass
    return found


def literals(module: str, tree: ast.Module) -> Iterator[str]:
    """Words of conditions that a module spells itself."""
    apart, allowed = skipped(tree), OTHER_MEANINGS.get(module, set())
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(word)) if word in WORDS - allowed and id(node) not in apart:
                yield f"{module}:{node.lineno}: {word!r} is a word of an enum in api/conditions"


def undeclared(module: str, tree: ast.Module) -> Iterator[str]:
    """Conditions with a type or reason that no enum declares."""
    for node in ast.walk(tree):
        where = f"{module}:{getattr(node, 'lineno', 0)}"
        match node:
            case ast.Dict(keys=keys) if not module.startswith(FOREIGN):
                names = {key.value for key in keys if isinstance(key, ast.Constant)}
                if {"type", "status", "reason"} <= names:
                    yield f"{where}: a condition is made with true(), false() or unknown()"
            case ast.Call(func=ast.Name(id="ForeignReason"), args=[ast.Constant(value=text)]) if (
                text
            ):
                yield f"{where}: {text!r} is a reason of ours that no enum declares"
            case ast.Call(func=ast.Name(id="ForeignReason"), args=[ast.JoinedStr()]):
                yield f"{where}: a reason that we build is a reason of ours"
            case ast.Call(func=ast.Name(id=name)) if name in MAKERS:
                yield from (f"{where}: {text!r} is in no enum" for text in spelled(name, node))
            case ast.Call(func=ast.Attribute(attr="set", value=conditions_), args=args) if (
                ast.unparse(conditions_).endswith("conditions") and len(args) != 1
            ):
                yield f"{where}: a condition is set as one value"


def spelled(maker: str, call: ast.Call) -> Iterator[str]:
    """Strings among the arguments that are a condition's type and reason."""
    place = {"true": 2, "copied": 9, "decided": 9, "Condition": 2}.get(maker, 1)
    given = [arg for number, arg in enumerate(call.args) if number in (MAKERS[maker], place)]
    given += [word.value for word in call.keywords if word.arg in ("reason", "type_", "type")]
    for arg in given:
        if isinstance(arg, ast.Constant | ast.JoinedStr):
            yield ast.unparse(arg)


def member(node: ast.expr) -> ConditionType | ConditionReason | None:
    """The member of an enum that `Enum.MEMBER` names."""
    match node:
        case ast.Attribute(value=ast.Name(id=enum), attr=name) if enum in ENUMS:
            found: ConditionType | ConditionReason = ENUMS[enum][name]
            return found
        case _:
            return None


def bound(tree: ast.AST) -> dict[str, ast.expr]:
    """What the names of a module or function stand for: `kind = Enum.MEMBER`."""
    found: dict[str, ast.expr] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found[name] = value
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                pairs = zip(names, values, strict=True)
                found |= {one.id: value for one, value in pairs if isinstance(one, ast.Name)}
            case _:
                pass
    return found


def outside_functions(tree: ast.Module) -> ast.Module:
    """The statements of a module itself."""
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return ast.Module([one for one in tree.body if not isinstance(one, inner)], [])


def writer_of(module: str) -> tuple[Owner, str] | None:
    prefixes = [prefix for prefix in WRITERS if module.startswith(prefix)]
    return WRITERS[max(prefixes, key=len)] if prefixes else None


def foreign_writes(module: str, tree: ast.Module) -> Iterator[str]:
    """Conditions that a module makes or removes although another controller owns them."""
    writer, top = writer_of(module), outside_functions(tree)
    names = bound(top)
    for place in (top, *(node for node in ast.walk(tree) if isinstance(node, Functions))):
        here = {**names, **bound(place)}
        for call in (node for node in ast.walk(place) if isinstance(node, ast.Call)):
            type_, reason = written(call, here)
            if type_ is None:
                continue
            if writer is None:
                yield f"{module}:{call.lineno}: nobody is declared to write {type_} here"
            elif why := why_not_owner(writer[0], writer[1], type_, str(reason or "")):
                yield f"{module}:{call.lineno}: {why}"


def written(
    call: ast.Call, names: dict[str, ast.expr]
) -> tuple[ConditionType | None, ConditionReason | None]:
    """Type and reason of the condition that a call makes or removes, where they can be told."""
    match call:
        case ast.Call(func=ast.Name(id=maker), args=args) if maker in MAKERS:
            place = MAKERS[maker]
        case ast.Call(func=ast.Attribute(attr="remove", value=conditions_), args=args) if (
            ast.unparse(conditions_).endswith("conditions")
        ):
            place = 0
        case _:
            return None, None
    told = [member(names.get(arg.id, arg) if isinstance(arg, ast.Name) else arg) for arg in args]
    type_ = told[place] if len(told) > place else None
    reasons = [one for one in told if isinstance(one, ConditionReason)]
    return (type_, next(iter(reasons), None)) if isinstance(type_, ConditionType) else (None, None)


def offences(module: str, tree: ast.Module) -> list[str]:
    checks = (literals, undeclared, foreign_writes)
    return sorted({found for check in checks for found in check(module, tree)})


def test_words_of_conditions_come_from_the_enums_and_owners_write_them() -> None:
    assert [found for module, tree in modules() for found in offences(module, tree)] == []


def test_other_meanings_are_current() -> None:
    known = dict(modules())
    for module, words in OTHER_MEANINGS.items():
        apart = skipped(known[module])
        values = {
            node.value
            for node in ast.walk(known[module])
            if isinstance(node, ast.Constant) and id(node) not in apart
        }
        assert words <= values, f"{module} no longer spells {words - values}"


def test_every_writer_and_kind_is_declared() -> None:
    assert {kind for _, kind in WRITERS.values()} == set(OWNERS)
    owners = {owner for owned in OWNERS.values() for owner in owned.values()}
    assert {owner for owner, _ in WRITERS.values()} == owners == set(Owner)


def test_every_own_condition_and_reason_is_in_the_reference() -> None:
    page = (SOURCE.parents[1] / "docs/reference/api/conditions.md").read_text()
    own = [enum for enum in ENUMS.values() if not enum.__module__.endswith((".foreign", ".words"))]
    assert own
    missing = [str(word) for enum in own for word in enum if f"| `{word}` |" not in page]
    assert missing == []


HOSTED, GUEST = "operators/hypershift/hosted_cluster/x.py", "operators/guest_config/x.py"


@pytest.mark.parametrize(
    ("module", "planted", "told"),
    [
        (HOSTED, 'ready = is_true(pool, "AllNodesHealthy")', "'AllNodesHealthy' is a word"),
        (HOSTED, 'if found["reason"] == "SecretNotFound": pass', "'SecretNotFound' is a word"),
        (HOSTED, 'if found["status"] == "Unknown": pass', "'Unknown' is a word"),
        (HOSTED, 'KINDS = ("EtcdAvailable",)', "'EtcdAvailable' is a word"),
        (HOSTED, 'false(kind, "NoSuchReason", text)', "'NoSuchReason'\" is in no enum"),
        (HOSTED, 'true("NoSuchType")', "'NoSuchType'\" is in no enum"),
        (HOSTED, 'true(kind, text, reason="Mine")', "'Mine'\" is in no enum"),
        (HOSTED, 'false(f"{prefix}/Ready2", reason)', "is in no enum"),
        (HOSTED, 'false(kind, ForeignReason("Mine"))', "'Mine' is a reason of ours"),
        (HOSTED, 'false(kind, ForeignReason(f"{x}Mine"))', "a reason that we build"),
        (HOSTED, 'scope.conditions.set(kind, "yes", why, text)', "is set as one value"),
        (
            HOSTED,
            'status["conditions"] = [{"type": kind, "status": word, "reason": why}]',
            "a condition is made with true()",
        ),
        (
            GUEST,
            "scope.conditions.set(true(ControlPlaneCondition.VALID_RELEASE_INFO))",
            "only hostedcontrolplane does",
        ),
        (
            GUEST,
            (
                "def phase(scope):\n"
                "    kind = ControlPlaneCondition.VALID_RELEASE_INFO\n"
                "    scope.conditions.set(false(kind, ControlPlaneReason.MISSING_IMAGES, text))"
            ),
            "only hostedcontrolplane does",
        ),
        (
            GUEST,
            "def f(): pass\nBAD = true(ControlPlaneCondition.AVAILABLE)",
            "only hostedcontrolplane does",
        ),
        (
            GUEST,
            "scope.conditions.remove(ControlPlaneCondition.ETCD_ENCRYPTION_UP_TO_DATE)",
            "only reencryption does",
        ),
        (
            "operators/controlplane/x.py",
            (
                "x = false(ControlPlaneCondition.CLOUD_RESOURCES_DESTROYED, "
                "ControlPlaneReason.CLEANUP_SKIPPED)"
            ),
            "only hosted-cluster-config-operator does",
        ),
        (
            "operators/hypershift/node_pool/x.py",
            "x = copied(found, HostedClusterCondition.VALID_OIDC)",
            "the kind has no such condition",
        ),
        (
            "servers/ignition/x.py",
            "x = true(NodePoolConditionType.READY)",
            "nobody is declared to write Ready here",
        ),
    ],
)
def test_a_planted_offence_is_found(module: str, planted: str, told: str) -> None:
    found = offences(module, ast.parse(planted))
    assert any(told in one for one in found), found


@pytest.mark.parametrize(
    ("module", "written_well"),
    [
        (HOSTED, "x = true(HostedClusterCondition.AVAILABLE, 'fine')"),
        (HOSTED, "x = copied(found, ControlPlaneCondition.ETCD_AVAILABLE)"),
        (HOSTED, '"""Available, Degraded and Unknown in a docstring."""\n"Ready"'),
        (HOSTED, 'x = false(kind, ForeignReason(found["reason"]))'),
        (
            "operators/controlplane/x.py",
            (
                "x = false(ControlPlaneCondition.CLOUD_RESOURCES_DESTROYED, "
                "ControlPlaneReason.CLEANUP_TIMED_OUT)"
            ),
        ),
    ],
)
def test_what_is_written_well_is_no_offence(module: str, written_well: str) -> None:
    assert offences(module, ast.parse(written_well)) == []
