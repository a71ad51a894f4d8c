"""What a cluster on AWS stands on, read from files."""

from dataclasses import dataclass
from typing import Any

from hypershift.cli.cluster.infra import from_json, require_management, unbuilt
from hypershift.cli.flags import Values
from hypershift.kit import UsageError


@dataclass(frozen=True, slots=True)
class Ground:
    """The infrastructure and the roles that a cluster stands on."""

    infra: dict[str, Any]
    iam: dict[str, Any]

    @property
    def zones(self) -> list[dict[str, str]]:
        return self.infra.get("zones") or [{}]


def complete(values: Values) -> Ground:
    """Read the descriptions of infrastructure and roles."""
    require_management(values)
    if not values.get("infra-json"):
        if not values["base-domain"]:
            raise UsageError("base-domain flag is required if infra-json is not provided")
        raise unbuilt("AWS", "--infra-json and --iam-json")
    infra = from_json(values["infra-json"], "infra", "aws.CreateInfraOutput")
    if not values.get("iam-json"):
        raise UsageError(
            "failed to create iam: this program does not create roles on AWS yet; "
            "describe existing ones with --iam-json"
        )
    return Ground(infra, from_json(values["iam-json"], "iam", "aws.CreateIAMOutput"))
