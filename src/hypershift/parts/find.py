"""From the names that people type to the parts they mean."""

from collections.abc import Iterable

from hypershift.kit import UsageError
from hypershift.parts.errors import UnknownPart
from hypershift.parts.part import Part
from hypershift.parts.table import KUBERNETES, KUBERNETES_VERSIONS, parts


def find(name: str, kubernetes: str = "") -> Part:
    """The part that a name means: `kubelet`, or `kubelet@1.34.10` for another Kubernetes."""
    plain, _, asked = name.partition("@")
    version = asked or kubernetes or KUBERNETES
    if version not in KUBERNETES_VERSIONS and not asked:
        raise UsageError(
            f"there are no parts of Kubernetes {version}; "
            f"the table has {' and '.join(KUBERNETES_VERSIONS)}"
        )
    found = [part for part in parts() if part.name == plain]
    several = len(found) > 1
    for part in found:
        if part.version == version or (not several and not asked):
            return part
    raise UnknownPart(name)


def find_all(names: Iterable[str], kubernetes: str = "") -> dict[str, Part]:
    """The parts that names mean, in the order asked for."""
    return {name: find(name, kubernetes) for name in names}
