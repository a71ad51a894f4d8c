"""Admission policies: what a consumer may not change although the object is theirs.

RBAC knows kinds, not fields. Each policy compares the object with what it was and asks whether the
user may update a made-up subresource (`hypershift.api.rights`). An object that is written again
as it stands passes, so GitOps tools of consumers keep working.
"""

import json
from collections.abc import Iterable, Iterator

from hypershift.api import labels, reserved_labels, rights
from hypershift.api.rights import Access
from hypershift.cli.install.options import InstallOptions
from hypershift.kit import Manifest

GROUP = "hypershift.openshift.io"
API = "admissionregistration.k8s.io/v1"
#: Releases that a consumer may create a cluster with; each value is an image, or `prefix*`.
OFFERED = "offered-releases"


def containment(options: InstallOptions) -> list[Manifest]:
    """Every policy, its binding, and the list of releases that consumers may choose from."""
    namespace = options.namespace
    return [
        *_pair(f"overrides.hostedclusters.{GROUP}", _overrides("hostedclusters")),
        *_pair(f"overrides.nodepools.{GROUP}", _overrides("nodepools")),
        *_pair(f"release.hostedclusters.{GROUP}", _moved_release()),
        _offered(namespace, options.offered_release),
        *_pair(f"new-release.hostedclusters.{GROUP}", _new_release(namespace), namespace),
        *_pair(f"derived.hostedcontrolplanes.{GROUP}", _derived_planes()),
        *_pair(f"external-addresses.services.{GROUP}", _no_external_addresses()),
    ]


def _offered(namespace: str, images: Iterable[str]) -> Manifest:
    """Without data unless a flag names some: what a provider writes there by hand stays."""
    found: Manifest = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": OFFERED, "namespace": namespace},
    }
    data = {f"release-{index}": image for index, image in enumerate(images or ())}
    return found | ({"data": data} if data else {})


def _pair(name: str, spec: Manifest, parameters: str = "") -> Iterator[Manifest]:
    yield {
        "apiVersion": API,
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": name},
        "spec": {"failurePolicy": "Fail", **spec},
    }
    binding: Manifest = {"policyName": name, "validationActions": ["Deny"]}
    if parameters:
        binding["paramRef"] = {
            "name": OFFERED,
            "namespace": parameters,
            "parameterNotFoundAction": "Deny",
        }
    yield {
        "apiVersion": API,
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": name},
        "spec": binding,
    }


def _overrides(resource: str) -> Manifest:
    validations = [
        _validation(resource, subresource, f"variables.{subresource}")
        for subresource in rights.SUBRESOURCES
    ]
    return {
        "matchConstraints": _matching(resource, "CREATE", "UPDATE"),
        "variables": list(_variables(resource)),
        "validations": validations,
    }


def _variables(resource: str) -> Iterator[Manifest]:
    """Lists of what the request changes, by the right that it takes."""
    places = {"annotations": "metadata.annotations", "labels": "metadata.labels"}
    if resource == "hostedclusters":
        places["podLabels"] = "spec.labels"
    for name, path in places.items():
        yield from _changed(name, path)
    for subresource in rights.SUBRESOURCES:
        parts = [f"variables.changedAnnotations.filter(k, {_needs(subresource)})"]
        if subresource == Access.OVERRIDE:
            parts += [
                f"variables.changed{name[0].upper()}{name[1:]}.filter(k, {_label(name)})"
                for name in places
                if name != "annotations"
            ]
        parts += [
            f"(object.{_optional(path)} != (oldObject == null ? optional.none() : "
            f"oldObject.{_optional(path)}) ? [{_text('.'.join(('spec', *path)))}] : [])"
            for path, access in rights.FIELDS[resource].items()
            if access.subresource == subresource
        ]
        yield {"name": subresource, "expression": " + ".join(parts)}


def _changed(name: str, path: str) -> Iterator[Manifest]:
    """The keys of a map that are new, gone, or have another value."""
    head, _, tail = path.partition(".")
    kept = f".?{head}.?{tail}.orValue({{}})"
    yield {"name": name, "expression": f"object{kept}"}
    yield {"name": f"{name}Before", "expression": f"oldObject == null ? {{}} : oldObject{kept}"}
    now, before = f"variables.{name}", f"variables.{name}Before"
    yield {
        "name": f"changed{name[0].upper()}{name[1:]}",
        "expression": f"{now}.filter(k, !(k in {before}) || {before}[k] != {now}[k])"
        f" + {before}.filter(k, !(k in {now}))",
    }


def _needs(subresource: str) -> str:
    """Whether a change of annotation `k` needs a right; undeclared ones need `override`."""
    exact = [key for key, access in rights.ANNOTATIONS.items() if access.subresource == subresource]
    families = [key for key, access in rights.PREFIXES.items() if access.subresource == subresource]
    if subresource != Access.OVERRIDE:
        return " || ".join([_one_of(exact), *map(_starts, families)])
    foreign = [key for key in exact if not _is_ours(key)]
    others = [key for key, access in rights.ANNOTATIONS.items() if access.subresource != "override"]
    other_families = [
        key for key, access in rights.PREFIXES.items() if access.subresource != "override"
    ]
    excluded = " && ".join(
        f"!({each})" for each in (_one_of(others), *map(_starts, other_families))
    )
    return f"{_one_of(foreign)} || ({_of_domains(rights.DOMAINS)} && {excluded})"


def _label(name: str) -> str:
    if name == "podLabels":
        names = _one_of(sorted(reserved_labels.NAMES))
        return f"{names} || {_of_domains(reserved_labels.DOMAINS)}"
    return f"{_of_domains(rights.DOMAINS)} && !({_one_of(rights.CONSUMER_LABELS)})"


def _is_ours(key: str) -> bool:
    domain = key.partition("/")[0]
    return any(domain == each or domain.endswith(f".{each}") for each in rights.DOMAINS)


def _of_domains(domains: Iterable[str]) -> str:
    """Whether key `k` is qualified by one of some domains, or by a subdomain."""
    pattern = "|".join(each.replace(".", "[.]") for each in domains)
    return f"k.matches({_text(f'^([^/]+[.])?({pattern})/')})"


def _one_of(keys: Iterable[str]) -> str:
    return f"k in {json.dumps(list(keys))}"


def _starts(prefix: str) -> str:
    return f"k.startsWith({_text(prefix)})"


def _text(value: str) -> str:
    return json.dumps(value)


def _optional(path: tuple[str, ...]) -> str:
    """A field that may be absent, as CEL reads it."""
    return ".".join(f"?{part}" for part in ("spec", *path))


def _validation(resource: str, subresource: str, found: str) -> Manifest:
    right = f"the right to update {resource}/{subresource}"
    return {
        "expression": f"size({found}) == 0 || {_may(resource, subresource)}",
        "message": f"this change takes {right}, which the service provider has",
        "messageExpression": f"'changing ' + {found}.join(', ') + ' takes {right}'",
        "reason": "Forbidden",
    }


def _may(resource: str, subresource: str) -> str:
    return (
        f"authorizer.group('{GROUP}').resource('{resource}').subresource('{subresource}')"
        ".namespace(object.metadata.namespace).name(object.metadata.?name.orValue(''))"
        ".check('update').allowed()"
    )


def _moved_release() -> Manifest:
    return {
        "matchConstraints": _matching("hostedclusters", "UPDATE"),
        "matchConditions": [
            {
                "name": "another-release",
                "expression": "object.spec.release.image != oldObject.spec.release.image",
            }
        ],
        "validations": [
            {
                "expression": _may("hostedclusters", "release"),
                "message": "the release of a hosted cluster is the service provider's: it takes"
                " the right to update hostedclusters/release",
                "reason": "Forbidden",
            }
        ],
    }


def _new_release(namespace: str) -> Manifest:
    return {
        "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
        "matchConstraints": _matching("hostedclusters", "CREATE"),
        "variables": [{"name": "image", "expression": "object.spec.release.image"}],
        "validations": [
            {
                "expression": "params.?data.orValue({}).exists(k, params.data[k] =="
                " variables.image || (params.data[k].endsWith('*') && variables.image.startsWith("
                "params.data[k].substring(0, size(params.data[k]) - 1))))"
                f" || {_may('hostedclusters', 'release')}",
                "message": "this release is not offered: the service provider lists releases in"
                f" ConfigMap {namespace}/{OFFERED}; any other takes the right to update"
                " hostedclusters/release",
                "reason": "Forbidden",
            }
        ],
    }


def _derived_planes() -> Manifest:
    """Let the operator alone say what a control plane is, and which cluster it belongs to.

    A HostedControlPlane follows its HostedCluster, and the operator acts on it with its own rights.
    Operators of a Dedicated cluster change finalizers and the status; Cluster API's manager adds an
    owner and a label of its own.
    """
    ours = f"filter(k, {_of_domains(rights.DOMAINS)}).size() == 0"
    unchanged = (
        "object.spec == oldObject.spec",
        f"variables.changedAnnotations.{ours}",
        f"variables.changedLabels.{ours}",
    )
    may = _may("hostedcontrolplanes", "override")
    return {
        "matchConstraints": _matching("hostedcontrolplanes", "UPDATE"),
        "variables": [
            *_changed("annotations", "metadata.annotations"),
            *_changed("labels", "metadata.labels"),
        ],
        "validations": [
            {
                "expression": f"({' && '.join(unchanged)}) || {may}",
                "message": "a HostedControlPlane follows its HostedCluster: to change it otherwise"
                " takes the right to update hostedcontrolplanes/override",
                "reason": "Forbidden",
            }
        ],
    }


def _no_external_addresses() -> Manifest:
    """Keep Services beside a control plane from taking the traffic of others.

    Nodes lead every connection to an external address of a Service to its pods, whoever's address
    that is, and operators of a Dedicated cluster may write Services in their namespace.
    """
    rule = {
        "apiGroups": [""],
        "apiVersions": ["v1"],
        "operations": ["CREATE", "UPDATE"],
        "resources": ["services"],
    }
    return {
        "matchConstraints": {
            "namespaceSelector": {"matchLabels": {labels.HOSTED_CONTROL_PLANE: "true"}},
            "resourceRules": [rule],
        },
        "validations": [
            {
                "expression": "object.spec.?externalIPs.orValue([]).size() == 0",
                "message": "a Service beside a hosted control plane has no spec.externalIPs:"
                " traffic to these addresses may be another tenant's",
                "reason": "Forbidden",
            }
        ],
    }


def _matching(resource: str, *operations: str) -> Manifest:
    rule = {
        "apiGroups": [GROUP],
        "apiVersions": ["*"],
        "operations": list(operations),
        "resources": [resource],
    }
    return {"resourceRules": [rule]}
