"""Reads a manifest that tunes nodes, as strictly as the original does."""

from hypershift.ignition import go_types, machine_config
from hypershift.ignition.goyaml import json_to_yaml, load
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kit.budget import refusing
from hypershift.operators.hypershift.node_pool.rules import performance_profile


def read(text: str) -> tuple[str, str]:
    """Kind and canonical text of a Tuned or PerformanceProfile; others are refused."""
    with refusing("error decoding config: the document"):
        return _checked(text)


def _checked(text: str) -> tuple[str, str]:
    try:
        loaded = load(text)
        kind, version = machine_config.kind_of(loaded, text)
        other = go_types.OTHERS.get((version, kind), "")
        content = {} if other else _decoded(kind, version, loaded)
    except InvalidSpec as error:
        raise InvalidSpec(f"error decoding config: {error}") from error
    if other:
        raise InvalidSpec(f"unsupported tuningConfig object type: {other}")
    if kind == "PerformanceProfile" and (why := performance_profile.why_invalid(content["spec"])):
        name = content["metadata"].get("name", "")
        raise InvalidSpec(f"PerformanceProfile validation failed pp:{name} : {why}")
    return kind, json_to_yaml(content)


def _decoded(kind: str, version: str, loaded: Manifest) -> Manifest:
    """The manifest as Go holds it; here nothing may be in it that Go does not know."""
    struct = go_types.TUNING.get((version, kind))
    if struct is None:
        raise InvalidSpec(f'no kind "{kind}" is registered for version "{version}" in scheme')
    unknown: list[str] = []
    content = go_types.decode_as(struct, loaded, unknown)
    if unknown:
        fields = ", ".join(f'unknown field "{one}"' for one in dict.fromkeys(unknown))
        raise InvalidSpec(f"strict decoding error: {fields}")
    return content
