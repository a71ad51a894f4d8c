"""Whether a cluster says enough of its platform."""

from collections.abc import Iterator

from hypershift.kit import Manifest
from hypershift.operators.hypershift.hosted_cluster.validation.services import aws_problems
from hypershift.operators.hypershift.hosted_cluster.validation.words import invalid, not_found
from hypershift.platforms import uses_swift

#: What the original calls clusters whose section must be there, by platform.
SECTIONS = {
    "AWS": ("aws", "aws cluster"),
    "Azure": ("azure", "azurecluster"),
    "Agent": ("agent", "agentcluster"),
}


def platform_problems(
    spec: Manifest, annotations: dict[str, str], agents: Manifest | None
) -> Iterator[str]:
    """Yield what is wrong with the platform's section; `agents` is the namespace of Agent's."""
    kind = spec["platform"]["type"]
    field, name = SECTIONS.get(kind, ("", ""))
    if field and spec["platform"].get(field) is None:
        yield f"{name} needs .spec.platform.{field} to be filled"
    elif kind == "AWS":
        yield from aws_problems(spec)
    elif kind == "Azure" and not uses_swift(spec, annotations):
        yield from _azure(spec["platform"]["azure"])
    elif kind == "Agent" and agents is None:
        yield f"failed to get agent namespace: {not_found('namespaces', agent_namespace(spec))}"


def agent_namespace(spec: Manifest) -> str:
    """Where the agents of a cluster wait; empty on other platforms."""
    if spec["platform"]["type"] != "Agent":
        return ""
    return str((spec["platform"].get("agent") or {}).get("agentNamespace") or "")


def _azure(section: Manifest) -> Iterator[str]:
    topology = section.get("topology") or ""
    private = (section.get("private") or {}).get("type") or ""
    if topology not in ("", "Public") and not private:
        text = f'private.type is required when topology is "{topology}"'
        yield invalid("spec.platform.azure.private.type", private, text)
