"""Admission policies for what a schema cannot say, in place of a validating webhook.

The original checks the JSON Patch that an annotation puts on virtual machines in a webhook. CEL
has no JSON parser, so the policy refuses what is plainly no list of operations, and
`hypershift.api.json_patch` tells a controller the rest.
"""

from hypershift.api.annotations import KUBEVIRT_VM_JSON_PATCH
from hypershift.api.values import PlatformType
from hypershift.kit import Manifest

_GROUP = "hypershift.openshift.io"
_NAME = f"kubevirt-vm-jsonpatch.{_GROUP}"
_PATCH = f"object.metadata.annotations['{KUBEVIRT_VM_JSON_PATCH}']"


def policies() -> list[Manifest]:
    """The policies, each with the binding that puts it in force."""
    return [_policy(), _binding()]


def _policy() -> Manifest:
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": _NAME},
        "spec": {
            "failurePolicy": "Fail",
            "matchConstraints": {"resourceRules": [_resources()]},
            "matchConditions": _conditions(),
            "validations": _validations(),
        },
    }


def _resources() -> Manifest:
    return {
        "apiGroups": [_GROUP],
        "apiVersions": ["v1beta1"],
        "operations": ["CREATE", "UPDATE"],
        "resources": ["hostedclusters", "nodepools"],
    }


def _conditions() -> list[Manifest]:
    return [
        {
            "name": "is-kubevirt",
            "expression": "has(object.spec) && has(object.spec.platform)"
            f" && object.spec.platform.type == '{PlatformType.KUBEVIRT}'",
        },
        {
            "name": "has-patch",
            "expression": "has(object.metadata.annotations)"
            f" && '{KUBEVIRT_VM_JSON_PATCH}' in object.metadata.annotations",
        },
    ]


def _validations() -> list[Manifest]:
    return [
        {
            "expression": rf"{_PATCH}.matches('(?s)^\\s*\\[.*\\]\\s*$')",
            "message": f"the annotation {KUBEVIRT_VM_JSON_PATCH} must be a JSON list of operations",
        },
        {
            "expression": rf"{_PATCH}.matches('^\\s*\\[\\s*\\]\\s*$')"
            rf""" || ({_PATCH}.matches('"op"\\s*:\\s*"(add|copy|move|remove|replace|test)"')"""
            rf""" && {_PATCH}.matches('"path"\\s*:\\s*"'))""",
            "message": f"each operation of {KUBEVIRT_VM_JSON_PATCH} needs op and path",
        },
    ]


def _binding() -> Manifest:
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": _NAME},
        "spec": {"policyName": _NAME, "validationActions": ["Deny"]},
    }
