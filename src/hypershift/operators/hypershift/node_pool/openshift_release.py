"""Which OpenShift releases the nodes of a cluster may run, in the original's words."""

from hypershift.kit import Manifest
from hypershift.release import Product, Version, supported

#: Minors of 4 and 5 are counted on one line, where 5.0 takes the place of 4.23.
_FIRST_OF_5 = 23
_FIRST_EVER = 8
_LAST_SDN = 10
#: IBM's managed service supports releases for longer.
_IBM_OLDEST = "4.14"


def line(minor: int) -> str:
    """The name of a minor on the common line."""
    return f"4.{minor}" if minor < _FIRST_OF_5 else f"5.{minor - _FIRST_OF_5}"


def _counted(version: str) -> int:
    return Version.parse(version).counted() % 1000


def why_not(wanted: str, *, current: str, newest: str, hosted_cluster: Manifest) -> str:
    """Say why nodes may not run a version; empty when they may."""
    spec = hosted_cluster["spec"]
    network = (spec.get("networking") or {}).get("networkType", "")
    if _counted(wanted) < _FIRST_EVER:
        return f'releases before 4.8 are not supported. Attempting to use: "{wanted}"'
    return (
        _why_no_change(wanted, current, network)
        if current
        else _why_no_network(wanted, network, spec["platform"]["type"])
    ) or _out_of_range(wanted, newest, spec["platform"]["type"])


def _why_no_change(wanted: str, current: str, network: str) -> str:
    before, after = (_counted(text) for text in (current, wanted))
    if before > after:
        return f'y-stream downgrade from "{current}" to "{wanted}" is not supported'
    if network == "OpenShiftSDN" and before < after:
        return f'y-stream upgrade from "{current}" to "{wanted}" is not for OpenShiftSDN'
    return ""


def _why_no_network(wanted: str, network: str, platform: str) -> str:
    newer = _counted(wanted) > _LAST_SDN
    if network == "OpenShiftSDN" and newer and platform != "PowerVS":
        return f'cannot use OpenShiftSDN with OCP version "{wanted}" > 4.10'
    if network == "OVNKubernetes" and not newer:
        return f'cannot use OVNKubernetes with OCP version "{wanted}" < 4.11'
    return ""


def _out_of_range(wanted: str, newest: str, platform: str) -> str:
    minors = supported(Product.OPENSHIFT)
    latest = f"{minors[0]}.0"
    limit = min(newest or latest, latest, key=_counted)
    if _counted(wanted) > _counted(limit):
        shown = limit.removesuffix(".0")
        return f'the latest version supported is: "{shown}". Attempting to use: "{wanted}"'
    oldest = _IBM_OLDEST if platform == "IBMCloud" else minors[-1]
    if _counted(wanted) < _counted(f"{oldest}.0"):
        return (
            f"the minimum version supported for platform {platform} is: "
            f'"{oldest}". Attempting to use: "{wanted}"'
        )
    return ""
