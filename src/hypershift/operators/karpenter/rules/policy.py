"""The admission policy that keeps users from the classes that Karpenter reads."""

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.karpenter import names

_REFUSAL = (
    "EC2NodeClass resource can't be created/updated/deleted directly, "
    "please use OpenshiftEC2NodeClass resource instead"
)


def policies() -> tuple[Manifest, ...]:
    """The policy and its binding; Karpenter itself changes finalizers and the status alone."""
    return (
        {
            "apiVersion": kinds.VALIDATING_ADMISSION_POLICY.api_version,
            "kind": kinds.VALIDATING_ADMISSION_POLICY.kind,
            "metadata": {"name": names.POLICY},
            "spec": {
                "matchConstraints": {
                    "resourceRules": [
                        {
                            "apiGroups": [names.EC2_CLASS.group],
                            "apiVersions": [names.EC2_CLASS.version],
                            "operations": ["*"],
                            "resources": [names.EC2_CLASS.plural],
                        }
                    ]
                },
                "matchConditions": [
                    {
                        "name": "exclude-hcco-user",
                        "expression": f"'{names.OURSELVES}' != request.userInfo.username",
                    }
                ],
                "validations": [
                    {
                        "expression": "has(oldObject.spec) && has(object.spec) && "
                        "object.spec == oldObject.spec",
                        "message": _REFUSAL,
                    }
                ],
            },
        },
        {
            "apiVersion": kinds.VALIDATING_ADMISSION_POLICY_BINDING.api_version,
            "kind": kinds.VALIDATING_ADMISSION_POLICY_BINDING.kind,
            "metadata": {"name": names.BINDING},
            "spec": {"policyName": names.POLICY, "validationActions": ["Deny"]},
        },
    )
